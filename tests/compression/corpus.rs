//! Decompresses blocks that Godot wrote in compressed files, with `PackedByteArray.compress` and in
//! ENet datagrams.

use crate::support::corpus::{read, unhex};
use gamewire::compression::{Compression, Compressor, Decompressor, fastlz};

/// A block, its compression, and its content.
pub struct Block {
    pub name: String,
    pub compression: Compression,
    pub bytes: Vec<u8>,
    pub plain: Vec<u8>,
}

/// Returns all blocks of the corpus.
pub fn blocks() -> Vec<Block> {
    let mut blocks = Vec::new();
    for (folder, prefix) in [("4.6.3", ""), ("3.6.2", "g3_")] {
        for compression in ["fastlz", "deflate", "zstd", "gzip"] {
            for order in ["", "_be"] {
                let file =
                    format!("godot-files/{folder}/{prefix}compressed_{compression}{order}.dat");
                let plain = read(&format!("godot-files/{folder}/{prefix}plain{order}.dat"));
                blocks.extend(file_blocks(&file, |at, len| plain[at..at + len].to_vec()));
            }
        }
    }
    let plain = read("godot-files/4.6.3/var_to_bytes.bin");
    for compression in ["fastlz", "deflate", "zstd", "gzip"] {
        let name = format!("godot-files/4.6.3/var_to_bytes.compress_{compression}.bin");
        let (bytes, compression) = (read(&name), compression.parse().unwrap());
        blocks.push(Block { name, compression, bytes, plain: plain.clone() });
    }
    blocks.extend(datagrams());
    blocks
}

/// Returns the blocks of a compressed file. `plain` returns a part of the content.
fn file_blocks(name: &str, plain: impl Fn(usize, usize) -> Vec<u8>) -> Vec<Block> {
    let file = read(name);
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(&file[..4], b"GCPF");
    let compression = Compression::from_mode(word(4) as u32).unwrap();
    let (block_size, total) = (word(8), word(12));
    let count = total / block_size + 1;
    let mut at = 16 + 4 * count;
    let block = |index: usize| {
        let size = word(16 + 4 * index);
        let bytes = file[at..at + size].to_vec();
        at += size;
        let start = index * block_size;
        let plain = plain(start, block_size.min(total - start));
        Block { name: format!("{name}, block {index}"), compression, bytes, plain }
    };
    let blocks = (0..count).map(block).collect();
    assert!(file[at..].starts_with(b"GCPF"), "{name}");
    blocks
}

/// Returns the bodies of compressed ENet datagrams.
fn datagrams() -> Vec<Block> {
    let table = String::from_utf8(read("captures-2/enet_compressed_datagrams.tsv")).unwrap();
    let block = |line: &str| {
        let [name, datagram, plain] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}: not three cells")
        };
        let compression = if name == "zlib" { "deflate" } else { name }.parse().unwrap();
        let datagram = unhex(datagram);
        let header = if datagram[0] & 0x80 == 0 { 2 } else { 4 };
        let (bytes, plain) = (datagram[header..].to_vec(), unhex(plain));
        Block { name: format!("{name} datagram"), compression, bytes, plain }
    };
    table.lines().map(block).collect()
}

#[test]
fn blocks_of_the_engine_are_decompressed() {
    let blocks = blocks();
    assert_eq!(blocks.len(), 16 + 4 + 4);
    let mut decompressor = Decompressor::new();
    for Block { name, compression, bytes, plain } in &blocks {
        for extra in [0, 1, 5000] {
            let mut out = vec![0xaa; plain.len() + extra];
            let len = decompressor.decompress(*compression, bytes, &mut out);
            assert_eq!(len, Ok(plain.len()), "{name}");
            assert_eq!(out[..plain.len()], plain[..], "{name}");
        }
    }
}

#[test]
fn compressions_of_the_engine_are_detected() {
    for Block { name, compression, bytes, .. } in blocks() {
        let expected = Some(compression).filter(|it| *it != Compression::FastLz);
        assert_eq!(Compression::detect(&bytes), expected, "{name}");
    }
}

#[test]
fn fastlz_blocks_are_the_same_as_those_of_the_engine() {
    let mut compressor = Compressor::new();
    let fastlz = blocks().into_iter().filter(|block| block.compression == Compression::FastLz);
    let mut count = 0;
    for Block { name, compression, bytes, plain } in fastlz {
        let mut block = Vec::new();
        compressor.compress(compression, &plain, &mut block).unwrap();
        assert_eq!(block, bytes, "{name}");
        count += 1;
    }
    assert_eq!(count, 7);
}

/// Random contents of 16 to 700 bytes, many of them with repetitions up to their end.
#[test]
fn random_contents_are_compressed_as_by_the_engine() {
    let table = String::from_utf8(read("fastlz/blocks.tsv")).unwrap();
    let (mut compressor, mut count) = (Compressor::new(), 0);
    for row in table.lines() {
        let (plain, expected) = row.split_once('\t').unwrap();
        let mut block = Vec::new();
        compressor.compress(Compression::FastLz, &unhex(plain), &mut block).unwrap();
        assert_eq!(block, unhex(expected), "{plain}");
        count += 1;
    }
    assert_eq!(count, 172);
}

/// The file contains 400 values in several blocks. The corpus has no uncompressed copy of these
/// values.
#[test]
fn file_of_several_blocks_is_decompressed() {
    let blocks = file_blocks("godot-files/4.6.3/compressed_zstd_blocks.dat", |_, len| vec![0; len]);
    assert!(blocks.len() > 2);
    let mut decompressor = Decompressor::new();
    for Block { name, compression, bytes, plain } in blocks {
        let mut out = plain;
        assert_eq!(decompressor.decompress(compression, &bytes, &mut out), Ok(out.len()), "{name}");
    }
}

/// Godot cannot write Brotli, and writes an empty block instead.
#[test]
fn empty_block_is_an_error() {
    for block in file_blocks("godot-files/4.6.3/compressed_brotli.dat", |_, len| vec![0; len]) {
        assert_eq!(block.compression, Compression::Brotli);
        let result = Decompressor::new().decompress(block.compression, &block.bytes, &mut [0; 9]);
        assert_eq!(
            result.unwrap_err().to_string(),
            "the compressed block is truncated at offset 0 (0x0)"
        );
    }
    assert_eq!(fastlz::decompress(&[], &mut []), Ok(0));
}
