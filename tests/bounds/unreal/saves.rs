//! Tests the bounds of saves (properties, nested containers, texts) and of compressed data.

use super::recursive;
use crate::measure::{
    Entry, Family, Memory, SMALL_INPUT, Work, consume, shape, with_memory, without_allocation,
};
use crate::support::hostile::unreal_saves::shapes;
use gamewire::unreal::compression::{Compressed, Method, standard_codec};
use gamewire::unreal::properties::Counts;
use gamewire::unreal::{PropertyWriter, Save, SaveDocument};
use std::fmt::{self, Write};
use std::hint::black_box;
use std::io::Write as _;

fn family() -> Family {
    let entries = vec![
        without_allocation("Save::open", |file| consume(Save::open(file).is_ok())),
        without_allocation("Save::properties", |file| {
            let Ok(save) = Save::open(file) else { return };
            let tags = save.properties().into_iter().flatten();
            black_box(tags.map(|tag| tag.bytes().len()).sum::<usize>());
        }),
        without_allocation("Properties::get", |file| {
            let Ok(save) = Save::open(file) else { return };
            consume(save.properties().get("no such property").is_some());
        }),
        // Each struct is scanned before it is reported, so bytes inside 48 nested structs are
        // scanned 48 times.
        recursive(Entry {
            work: Work::AtMost(40_000.0),
            ..without_allocation("Properties::visit", |file| {
                let Ok(save) = Save::open(file) else { return };
                let mut counts = Counts::default();
                consume(save.properties().visit(&mut counts).is_ok());
                black_box(counts);
            })
        }),
        recursive(Entry {
            work: Work::AtMost(60_000.0),
            ..without_allocation("a save's Debug", |file| {
                let Ok(save) = Save::open(file) else { return };
                write!(CountingWriter(0), "{:?}", save.properties()).unwrap();
            })
        }),
        recursive(Entry {
            work: Work::AtMost(60_000.0),
            ..with_memory("a save by serde", 1, |file| {
                let Ok(save) = Save::open(file) else { return };
                consume(serde_json::to_writer(std::io::sink(), &save).is_ok());
            })
        }),
        // The document alone takes up to 150 bytes per byte of the save.
        recursive(Entry {
            work: Work::AtMost(250_000.0),
            ..with_memory("SaveDocument::write", 400, |file| {
                let Ok(save) = Save::open(file) else { return };
                let json = serde_json::to_vec(&save).unwrap();
                let Ok(document) = serde_json::from_slice::<SaveDocument>(&json) else { return };
                let mut json = serde_json::Deserializer::from_slice(&json);
                consume(document.write(&mut json).is_ok());
            })
        }),
        with_memory("Save::trailer, PropertyWriter::copy", 4, |file| {
            let Ok(save) = Save::open(file) else { return };
            let (mut copy, list) = (Vec::new(), save.properties());
            let mut writer = PropertyWriter::new(&mut copy, &list);
            list.into_iter().flatten().for_each(|tag| consume(writer.copy(&tag).is_ok()));
            consume((writer.finish().is_ok(), save.trailer().is_ok()));
        }),
    ];
    Family {
        entries,
        shapes: shapes(),
        max_instructions_per_byte: 12_000.0,
        small_input: SMALL_INPUT,
    }
}

#[test]
fn work() {
    family().assert_work("unreal::saves::work");
}

#[test]
fn memory() {
    family().assert_memory();
}

/// A writer that counts bytes.
struct CountingWriter(usize);

impl Write for CountingWriter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

fn compressed() -> Family {
    let entries = vec![
        without_allocation("Compressed::open", |bytes| consume(open(bytes).is_some())),
        Entry {
            memory: Memory::PerByte(0, LIMIT + (64 << 10)),
            ..without_allocation("Compressed::decompress", |bytes| {
                let Some(data) = open(bytes) else { return };
                consume(data.decompress(LIMIT, standard_codec).is_ok());
            })
        },
    ];
    let shapes = vec![
        shape("blocks of zeros", |size| compressed_blocks(size, |block| vec![0; block])),
        shape("empty blocks, which claim much", |size| {
            let words = [TAG, BLOCK, 0, (BLOCK * (size as u64 / 16)).min(1 << 40)];
            let table = [0, BLOCK].repeat(size / 16);
            words.into_iter().chain(table).flat_map(u64::to_le_bytes).collect()
        }),
        shape("a size too high", |size| {
            let words = [TAG, 1, u64::MAX >> 1, u64::MAX >> 1];
            words.into_iter().flat_map(u64::to_le_bytes).chain(vec![0; size]).collect()
        }),
    ];
    Family { entries, shapes, max_instructions_per_byte: 200_000.0, small_input: 4 * SMALL_INPUT }
}

const TAG: u64 = 0x9E2A_83C1;
const BLOCK: u64 = 1 << 14;

/// Limit on the decompressed size, set by the caller.
const LIMIT: usize = 128 << 10;

fn open(bytes: &[u8]) -> Option<Compressed<'_>> {
    Compressed::open(bytes, Method::Zlib).ok()
}

/// Returns `size / 64` compressed blocks, each of which is decompressed to 16 KiB.
fn compressed_blocks(size: usize, block: impl Fn(usize) -> Vec<u8>) -> Vec<u8> {
    let count = (size / 64).max(1);
    let plain = block(BLOCK as usize);
    let one = miniz_oxide::deflate::compress_to_vec_zlib(&plain, 9);
    let mut bytes = Vec::new();
    let stored = (one.len() * count) as u64;
    let head = [TAG, BLOCK, stored, BLOCK * count as u64];
    let table = [one.len() as u64, BLOCK].repeat(count);
    for word in head.into_iter().chain(table) {
        bytes.write_all(&word.to_le_bytes()).unwrap();
    }
    bytes.extend(one.repeat(count));
    bytes
}

#[test]
fn compressed_work() {
    compressed().assert_work("unreal::saves::compressed_work");
}

#[test]
fn compressed_packages_memory() {
    compressed().assert_memory();
}
