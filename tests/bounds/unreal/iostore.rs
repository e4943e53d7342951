//! Tests the bounds of `IoStore` containers.

use crate::measure::{
    Entry, Family, Memory, SMALL_INPUT, Work, consume, shape, with_memory, without_allocation,
};
use crate::support::iostore::{Container, chunk};
use crate::support::paks::How;
use gamewire::unreal::compression::standard_codec;
use gamewire::unreal::iostore::{Toc, TocBuf};
use std::hint::black_box;
use std::io::Cursor;

/// Limit on the size of a chunk, set by the caller.
const LIMIT: usize = 128 << 10;

fn family() -> Family {
    let entries = vec![
        without_allocation("Toc::open", |utoc| consume(Toc::open(utoc).is_ok())),
        without_allocation("Toc::chunks", |utoc| {
            let Ok(toc) = Toc::open(utoc) else { return };
            for chunk in toc.chunks().flatten() {
                black_box((chunk.size, chunk.stored_size));
            }
        }),
        Entry {
            // To find a name, up to 1/128 of the names are read.
            work: Work::AtMost(20_000.0),
            ..without_allocation("Toc::files", |utoc| {
                let Ok(toc) = Toc::open(utoc) else { return };
                toc.files().flatten().for_each(|file| consume(file.chunk));
            })
        },
        Entry {
            work: Work::AtMost(20_000.0),
            ..without_allocation("Toc::find", |utoc| {
                let Ok(toc) = Toc::open(utoc) else { return };
                consume(toc.find("Content/Hero.uasset"));
            })
        },
        Entry {
            work: Work::AtMost(20_000.0),
            ..without_allocation("Toc::verify", |utoc| {
                let Ok(toc) = Toc::open(utoc) else { return };
                toc.verify(|_| Some(u64::MAX), consume);
            })
        },
        with_memory("TocBuf::load", 3, |utoc| {
            consume(TocBuf::load(&mut Cursor::new(utoc), None).is_ok());
        }),
        with_memory("TocBuf::toc", 8, |utoc| {
            let Ok(buf) = TocBuf::load(&mut Cursor::new(utoc), None) else { return };
            let Ok(toc) = buf.toc() else { return };
            toc.files().flatten().for_each(|file| consume(file.chunk));
        }),
        Entry {
            memory: Memory::PerByte(8, 3 * LIMIT),
            work: Work::AtMost(100_000.0),
            ..without_allocation("Chunk::read", |utoc| {
                let Ok(toc) = Toc::open(utoc) else { return };
                for chunk in toc.chunks().flatten().take(1) {
                    let open = |_| Ok(Cursor::new(utoc));
                    consume(chunk.read(open, None, LIMIT, standard_codec).is_ok());
                }
            })
        },
    ];
    let many = |size: usize, each: usize| {
        let chunks = (0..size / each).map(|index| chunk(&format!("{index}"), b"x", How::Stored));
        Container { block: 1, ..Container::new(8, chunks.collect()) }
    };
    let shapes = vec![
        shape("many chunks", move |size| many(size, 100).write().utoc),
        shape("many folders", |size| {
            let chunks =
                (0..size / 150).map(|index| chunk(&format!("{index}/{index}"), b"x", How::Stored));
            Container { block: 1, ..Container::new(8, chunks.collect()) }.write().utoc
        }),
        shape("one chunk with many blocks", |size| {
            let chunks = vec![chunk("a", &vec![7; size / 12], How::Stored)];
            Container { block: 1, ..Container::new(8, chunks) }.write().utoc
        }),
        shape("chunks that share their blocks", |size| {
            let mut chunks: Vec<_> =
                (0..size / 200).map(|index| chunk(&format!("{index}"), b"", How::Stored)).collect();
            chunks[0].data = vec![7; size / 24];
            Container { block: 1, shared: Some(0), ..Container::new(8, chunks) }.write().utoc
        }),
        shape("a folder with a long name", |size| {
            let folder = "f".repeat(3000);
            let chunks =
                (0..size / 100).map(|index| chunk(&format!("{folder}/{index}"), b"x", How::Stored));
            Container { block: 1, ..Container::new(8, chunks.collect()) }.write().utoc
        }),
    ];
    Family { entries, shapes, max_instructions_per_byte: 20_000.0, small_input: 16 * SMALL_INPUT }
}

#[test]
fn containers_work() {
    family().assert_work("unreal::iostore::containers_work");
}

#[test]
fn containers_memory() {
    family().assert_memory();
}
