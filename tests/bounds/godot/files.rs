//! Tests the bounds of compressed and encrypted files.

use crate::measure::{Entry, Family, Memory, SMALL_INPUT, STACK, Shape, Work, consume, shape};
use gamewire::compression::Compression;
use gamewire::godot::file::{Compressed, Encrypted, Encryption, Key, compress, encrypt};
use std::hint::black_box;

/// Maximum length of the content, in bytes per byte of the file.
const CONTENT: usize = 8;
/// Total memory, in bytes, of the decompressors for all compression formats.
const TABLES: usize = 18 << 20;

fn key() -> Key {
    Key::from_bytes([7; 32])
}

fn decompress(file: &[u8]) {
    let content = Compressed::open(black_box(file))
        .and_then(|compressed| compressed.decompress(CONTENT * file.len()));
    consume(content.is_ok());
}

/// Reads blocks until their content is more than [`CONTENT`] times as long as the file, because the
/// reader does not limit the content.
fn read_blocks(file: &[u8]) {
    let Ok(compressed) = Compressed::open(black_box(file)) else { return };
    let mut reader = compressed.reader();
    let mut len = 0;
    while let Ok([_, rest @ ..]) = reader.next_block() {
        len += rest.len();
        if len > CONTENT * file.len() {
            break;
        }
    }
    consume(len);
}

fn decrypt(file: &[u8]) {
    let content = Encrypted::open(black_box(file)).and_then(|it| it.decrypt(&key()));
    consume(content.is_ok());
}

fn read_decrypted(file: &[u8]) {
    let Ok(mut reader) = Encrypted::open(black_box(file)).and_then(|it| it.reader(&key())) else {
        return;
    };
    while let Ok([_, ..]) = reader.next_block() {}
}

fn entry(name: &'static str, per_byte: usize, constant: usize, run: fn(&[u8])) -> Entry {
    let memory = Memory::PerByte(per_byte, constant);
    Entry { name, run, memory, work: Work::Linear, stack: STACK }
}

/// Returns the shapes of compressed files, and of files that announce a block size of 1 MiB.
fn compressed_files() -> Vec<Shape> {
    let repeated = |compression, size: usize| {
        let content: Vec<_> =
            (0..2 * size).map(|at| ((at / 8 * 2_654_435_761) >> 13) as u8).collect();
        compress(&content, compression).unwrap()
    };
    let large_blocks = |mode: u32, size: usize| {
        let count = (size / 8) as u32;
        let len = (count - 1) << 20;
        let mut file = b"GCPF".to_vec();
        file.extend([mode, 1 << 20, len].map(u32::to_le_bytes).as_flattened());
        file.extend([4_u32.to_le_bytes()].repeat(count as usize).as_flattened());
        file.resize(size, 0);
        file
    };
    vec![
        shape("repeated bytes in FastLZ", move |size| repeated(Compression::FastLz, size)),
        shape("repeated bytes in deflate", move |size| repeated(Compression::Deflate, size)),
        shape("repeated bytes in Zstandard", move |size| repeated(Compression::Zstd, size)),
        shape("large blocks of FastLZ", move |size| large_blocks(0, size)),
        shape("large blocks of Zstandard", move |size| large_blocks(2, size)),
        shape("large blocks of Brotli", move |size| large_blocks(4, size)),
    ]
}

fn compressed() -> Family {
    let entries = vec![
        entry("Compressed::decompress", 3 * CONTENT, TABLES, decompress),
        entry("Compressed::reader", 0, TABLES + (2 << 20), read_blocks),
    ];
    let small_input = 64 * SMALL_INPUT;
    Family { entries, shapes: compressed_files(), max_instructions_per_byte: 3000.0, small_input }
}

#[test]
fn compressed_work() {
    compressed().assert_work("godot::files::compressed_work");
}

#[test]
fn compressed_memory() {
    compressed().assert_memory();
}

fn encrypted() -> Family {
    let shapes = vec![
        shape("Godot 4", |size| {
            encrypt(&vec![0; size], &key(), Encryption::Godot4 { iv: [1; 16] })
        }),
        shape("Godot 3", |size| encrypt(&vec![0; size], &key(), Encryption::Godot3)),
        shape("a wrong key", |size| {
            encrypt(&vec![0; size], &Key::from_password("a"), Encryption::Godot3)
        }),
    ];
    let entries = vec![
        entry("Encrypted::decrypt", 1, 64, decrypt),
        entry("Encrypted::reader", 0, 16 << 10, read_decrypted),
    ];
    let small_input = 16 * SMALL_INPUT;
    Family { entries, shapes, max_instructions_per_byte: 2000.0, small_input }
}

#[test]
fn encrypted_work() {
    encrypted().assert_work("godot::files::encrypted_work");
}

#[test]
fn encrypted_memory() {
    encrypted().assert_memory();
}
