//! Tests the bounds of compressed blocks.

use crate::measure::{Entry, Family, Memory, SMALL_INPUT, STACK, Shape, Work, consume, shape};
use gamewire::compression::{Compression, Compressor, Decompressor};
use gamewire::transport::enet::{CompressionMode, DatagramCodec};
use std::hint::black_box;

/// Length of the output, in bytes per byte of a block.
const OUTPUT: usize = 4;

fn decompress(compression: Compression, block: &[u8]) {
    let mut out = vec![0; OUTPUT * block.len()];
    consume(Decompressor::new().decompress(compression, black_box(block), &mut out).is_ok());
}

fn compress(compression: Compression, plain: &[u8]) {
    let mut out = Vec::new();
    consume(Compressor::new().compress(compression, black_box(plain), &mut out).is_ok());
}

/// Returns an entry point whose memory may be as large as its output, plus `per_byte` bytes for
/// each byte of input, plus `constant` bytes.
fn entry(name: &'static str, per_byte: usize, constant: usize, run: fn(&[u8])) -> Entry {
    let memory = Memory::PerByte(OUTPUT + per_byte, constant);
    Entry { name, run, memory, work: Work::Linear, stack: STACK }
}

fn decompressing() -> Family {
    // The shapes include blocks of other compressions, which are refused at different positions.
    // The work is therefore not proportional to the length of the input.
    let up_to = |work, entry| Entry { work: Work::AtMost(work), ..entry };
    let entries = vec![
        up_to(500.0, entry("FastLZ", 0, 0, |block| decompress(Compression::FastLz, block))),
        entry("deflate", 0, 12 << 10, |block| decompress(Compression::Deflate, block)),
        entry("gzip", 0, 12 << 10, |block| decompress(Compression::Gzip, block)),
        entry("Zstandard", 24, 700 << 10, |block| decompress(Compression::Zstd, block)),
        up_to(500.0, entry("Brotli", 24, 17 << 20, |block| decompress(Compression::Brotli, block))),
    ];
    Family {
        entries,
        shapes: shapes(),
        // Blocks of Zstandard that alternate between predefined codes and other codes need the most
        // instructions.
        max_instructions_per_byte: 7000.0,
        // Building the tables has a constant cost, which must be small compared with the rest of
        // the cost.
        small_input: 64 * SMALL_INPUT,
    }
}

/// Returns blocks of each compression whose content is longer than the output, and blocks whose
/// header announces more content than they contain.
fn shapes() -> Vec<Shape> {
    let bomb = |compression: Compression, size: usize| {
        let mut block = Vec::new();
        let plain = vec![0; 8 * OUTPUT * size];
        Compressor::new().compress(compression, &plain, &mut block).unwrap();
        block.resize(size, 0);
        block
    };
    vec![
        shape("a bomb of FastLZ", move |size| bomb(Compression::FastLz, size)),
        shape("a bomb of deflate", move |size| bomb(Compression::Deflate, size)),
        shape("a bomb of gzip", move |size| bomb(Compression::Gzip, size)),
        shape("a bomb of Zstandard", move |size| bomb(Compression::Zstd, size)),
        // Each reference repeats the byte before it three times.
        shape("short references", move |size| repeated(b"\x00a", b"\x20\x00", size)),
        shape("single literals", move |size| repeated(b"", b"\x00a", size)),
        // The frame declares a window of 8 MiB, and its blocks are empty.
        shape("empty blocks of Zstandard", move |size| {
            repeated(b"\x28\xb5\x2f\xfd\x00\x68", b"\x00\x00\x00", size)
        }),
        shape("empty frames of Zstandard", move |size| {
            repeated(b"", b"\x28\xb5\x2f\xfd\x00\x68\x01\x00\x00", size)
        }),
        shape("repeated bytes of Zstandard", move |size| {
            repeated(b"\x28\xb5\x2f\xfd\x00\x68", b"\x02\x00\x10a", size)
        }),
        shape("predefined codes of Zstandard", |size| {
            repeated(b"\x28\xb5\x2f\xfd\x00\x68", &predefined(), size)
        }),
        // After a block with other codes, the library builds the predefined codes again.
        shape("predefined and other codes of Zstandard", |size| {
            let other = b"\x44\0\0\x08a\x01\x54\x01\0\0\x01";
            repeated(b"\x28\xb5\x2f\xfd\x00\x68", &[&predefined(), &other[..]].concat(), size)
        }),
        // The stream declares a window of 16 MiB, and its block announces 16 MiB of content.
        shape("a large window of Brotli", move |size| {
            repeated(b"\x0f\xff\xff\xff\x0f", b"abcd", size)
        }),
        shape("empty blocks of deflate", move |size| {
            repeated(b"\x78\x9c", b"\x00\x00\x00\xff\xff", size)
        }),
    ]
}

fn repeated(head: &[u8], part: &[u8], size: usize) -> Vec<u8> {
    let mut block = head.to_vec();
    while block.len() < size {
        block.extend(part);
    }
    block.truncate(size);
    block
}

/// Returns a Zstandard block that is not marked as the last block of its frame. The block contains
/// one repetition, encoded with predefined codes, so all codes are built for a few bytes of
/// content.
fn predefined() -> Vec<u8> {
    let mut codec = DatagramCodec::new();
    let frame = codec.compress(CompressionMode::Zstd, &[b'a'; 40]).unwrap().unwrap();
    let mut block = frame[6..].to_vec();
    assert_eq!(block[0] & 7, 5, "the last block, compressed");
    block[0] &= !1;
    block
}

#[test]
fn decompressing_work() {
    decompressing().assert_work("compression::decompressing_work");
}

#[test]
fn decompressing_memory() {
    decompressing().assert_memory();
}

fn compressing() -> Family {
    let entries = vec![
        entry("FastLZ", 0, 4 << 10, |plain| compress(Compression::FastLz, plain)),
        entry("deflate", 0, 512 << 10, |plain| compress(Compression::Deflate, plain)),
        entry("gzip", 0, 512 << 10, |plain| compress(Compression::Gzip, plain)),
        entry("Zstandard", 8, 4 << 20, |plain| compress(Compression::Zstd, plain)),
    ];
    Family {
        entries,
        shapes: vec![
            shape("zeros", |size| vec![0; size]),
            shape("a counter", |size| (0..size as u32 / 4).flat_map(u32::to_le_bytes).collect()),
            shape("short repetitions", |size| (0..size).map(|at| (at % 251 % 7) as u8).collect()),
        ],
        max_instructions_per_byte: 10_000.0,
        small_input: 64 * SMALL_INPUT,
    }
}

#[test]
fn compressing_work() {
    compressing().assert_work("compression::compressing_work");
}

#[test]
fn compressing_memory() {
    compressing().assert_memory();
}
