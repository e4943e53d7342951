//! Tests the bounds of paks.

use crate::measure::{
    Entry, Family, Memory, SMALL_INPUT, Work, consume, shape, with_memory, without_allocation,
};
use crate::support::paks::{How, Pak, file};
use gamewire::unreal::compression::standard_codec;
use gamewire::unreal::pak::{Index, IndexBuf};
use std::hint::black_box;
use std::io::Cursor;

/// Limit on the size of a file, set by the caller.
const LIMIT: usize = 128 << 10;

fn family() -> Family {
    let entries = vec![
        without_allocation("Index::open", |pak| consume(Index::open(pak).is_ok())),
        Entry {
            // To find an entry that is not encoded, up to 1/128 of such entries are read.
            work: Work::AtMost(20_000.0),
            ..without_allocation("Index::entries", |pak| {
                let Ok(index) = Index::open(pak) else { return };
                for entry in index.entries().flatten() {
                    black_box((entry.size, entry.blocks().total()));
                }
            })
        },
        Entry {
            work: Work::AtMost(20_000.0),
            ..without_allocation("Index::find", |pak| {
                let Ok(index) = Index::open(pak) else { return };
                consume(index.find("Content/Hero.uasset"));
            })
        },
        with_memory("IndexBuf::load", 3, |pak| {
            consume(IndexBuf::load(&mut Cursor::new(pak), None).is_ok());
        }),
        Entry {
            // Files that share bytes can together have 16 times as many bytes as the pak.
            work: Work::AtMost(100_000.0),
            ..with_memory("IndexBuf::verify", 8, |pak| {
                let Ok(parts) = IndexBuf::load(&mut Cursor::new(pak), None) else { return };
                consume(parts.verify(&mut Cursor::new(pak), |problem| consume(problem)));
            })
        },
        Entry {
            memory: Memory::PerByte(8, 3 * LIMIT),
            work: Work::AtMost(100_000.0),
            ..without_allocation("Entry::read", |pak| {
                let Ok(index) = Index::open(pak) else { return };
                for entry in index.entries().flatten().take(1) {
                    let file = entry.read(&mut Cursor::new(pak), None, LIMIT, standard_codec);
                    consume(file.is_ok());
                }
            })
        },
    ];
    let many = |size: usize, each: usize, version| {
        let files = (0..size / each).map(|index| file(&format!("{index}"), b"x", How::Stored));
        Pak::new(version, files.collect())
    };
    let shapes = vec![
        shape("many files, version 3", move |size| many(size, 128, 3).write()),
        shape("many files, version 11", move |size| many(size, 128, 11).write()),
        shape("entries in full", move |size| Pak { in_full: true, ..many(size, 128, 11) }.write()),
        shape("entries in full, all the last one", move |size| {
            let pak = Pak { in_full: true, ..many(size, 128, 11) };
            Pak { shared: Some(pak.files.len() - 1), ..pak }.write()
        }),
        shape("files that share their bytes", move |size| {
            let mut pak = many(size / 2, 64, 11);
            pak.files[0] = file("large", &vec![7; size / 2], How::Stored);
            Pak { shared: Some(0), ..pak }.write()
        }),
        shape("a folder with a long name", |size| {
            let folder = "f".repeat(1000);
            let files =
                (0..size / 64).map(|index| file(&format!("{folder}/{index}"), b"", How::Stored));
            Pak { shared: Some(0), ..Pak::new(11, files.collect()) }.write()
        }),
        shape("a file larger than the limit", |size| {
            Pak::new(3, vec![file("large", &vec![7; 100 * size], How::Zlib)]).write()
        }),
        shape("many blocks", |size| {
            Pak { block: 16, ..Pak::new(11, vec![file("file", &vec![7; size / 4], How::Zlib)]) }
                .write()
        }),
    ];
    Family { entries, shapes, max_instructions_per_byte: 20_000.0, small_input: 16 * SMALL_INPUT }
}

#[test]
fn paks_work() {
    family().assert_work("unreal::paks::paks_work");
}

#[test]
fn paks_memory() {
    family().assert_memory();
}
