//! A damaged block gives an error or different content, but never causes a panic.

use crate::corpus::blocks;
use crate::laws::compression;
use crate::support::damage::damaged;
use crate::support::random::Random;
use gamewire::compression::{Compression, Compressor, Decompressor, ErrorKind, fastlz};

#[test]
fn every_prefix_of_a_block_is_an_error() {
    let mut decompressor = Decompressor::new();
    for block in blocks() {
        for len in 0..block.bytes.len() {
            let mut out = vec![0; block.plain.len()];
            let prefix = &block.bytes[..len];
            match decompressor.decompress(block.compression, prefix, &mut out) {
                Err(error) => assert!(error.offset() <= len as u64, "{}: {error}", block.name),
                // A FastLZ block has no end mark, so it can end after any instruction.
                Ok(written) => {
                    assert_eq!(block.compression, Compression::FastLz, "{}", block.name);
                    assert!(written < block.plain.len());
                }
            }
        }
    }
}

#[test]
fn every_changed_byte_keeps_the_laws() {
    let mut decompressor = Decompressor::new();
    for block in blocks() {
        let mut bytes = block.bytes.clone();
        for at in 0..bytes.len() {
            for change in [1, 2, 4, 8, 16, 32, 64, 128, 255] {
                bytes[at] ^= change;
                let mut out = vec![0; block.plain.len()];
                let result = decompressor.decompress(block.compression, &bytes, &mut out);
                let has_checksum =
                    matches!(block.compression, Compression::Deflate | Compression::Gzip);
                if let Ok(len) = result
                    && has_checksum
                {
                    assert_eq!(out[..len], block.plain, "{}, byte {at}", block.name);
                }
                if change == 255 {
                    compression(&bytes);
                }
                bytes[at] ^= change;
            }
        }
    }
}

#[test]
fn edited_blocks_keep_the_laws() {
    let blocks = blocks();
    let mut random = Random::new(29);
    for _ in 0..2000 {
        let [block, other] = [(); 2].map(|()| &blocks[random.below(blocks.len())]);
        compression(&damaged(&block.bytes, &other.bytes, &mut random));
    }
}

/// Damages blocks from the engine and from the reference encoders, and larger blocks in which every
/// part of the formats occurs.
#[test]
#[ignore = "slow"]
fn many_edited_blocks_keep_the_laws() {
    let mut all: Vec<Vec<u8>> = blocks().into_iter().map(|block| block.bytes).collect();
    all.extend(crate::vectors::vectors().into_iter().map(|(_, block, _)| block));
    let words: Vec<u8> = (0..6000_u32).map(|at| (at * at / 5 % 251) as u8 >> (at / 900)).collect();
    for compression in Compression::ALL {
        let mut block = Vec::new();
        let _ = Compressor::new().compress(compression, &words, &mut block);
        all.push(block);
    }
    let mut random = Random::new(30);
    for _ in 0..20_000 {
        let [block, other] = [(); 2].map(|()| &all[random.below(all.len())]);
        compression(&damaged(block, other, &mut random));
    }
}

#[test]
fn bytes_after_the_end_are_treated_as_by_the_engine() {
    for block in blocks() {
        let mut bytes = block.bytes.clone();
        bytes.extend(b"\x01rest");
        let mut out = vec![0; block.plain.len() + 100];
        let result = Decompressor::new().decompress(block.compression, &bytes, &mut out);
        match block.compression {
            Compression::Deflate | Compression::Gzip => assert_eq!(result, Ok(block.plain.len())),
            _ => {
                let error = result.unwrap_err();
                assert!(error.offset() >= block.bytes.len() as u64, "{}: {error}", block.name);
            }
        }
    }
}

#[test]
fn damaged_fastlz_blocks_are_reported_with_their_offset() {
    let cases: [(&[u8], ErrorKind, u64); 7] = [
        (b"\x02ab", ErrorKind::UnexpectedEnd, 1),
        (b"\x40a", ErrorKind::Malformed, 0),
        (b"\x00a\x20", ErrorKind::UnexpectedEnd, 3),
        (b"\x00a\xe0\x01", ErrorKind::UnexpectedEnd, 4),
        (b"\x00a\x20\x01", ErrorKind::Malformed, 4),
        (b"\x20a\x3f\xff\x00", ErrorKind::UnexpectedEnd, 4),
        (b"\x00a\xe0\xff\x00", ErrorKind::TooLong { limit: 20 }, 5),
    ];
    for (block, kind, offset) in cases {
        let error = fastlz::decompress(block, &mut [0; 20]).unwrap_err();
        assert_eq!((*error.kind(), error.offset()), (kind, offset), "{block:x?}");
    }
}
