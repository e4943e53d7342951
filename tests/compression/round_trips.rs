//! Content of any size and form can be compressed and decompressed again.

use crate::laws::{compression, round_trip};
use crate::support::random::Random;
use gamewire::compression::{Compression, Compressor, Decompressor, fastlz};
use proptest::prelude::*;

const SIZES: [usize; 13] = [0, 1, 2, 15, 16, 17, 4095, 4096, 4097, 65_535, 65_536, 65_537, 200_000];

/// Returns content of several degrees of order: from random bytes to a single repeated byte.
fn contents(len: usize) -> Vec<Vec<u8>> {
    let mut random = Random::new(len as u64);
    let noise: Vec<u8> = (0..len).map(|_| random.next() as u8).collect();
    let few: Vec<u8> = (0..len).map(|_| random.below(3) as u8).collect();
    let mut words = Vec::new();
    while words.len() < len {
        let word = random.one_of(&["position", "health", "\0\0\0\x01", "Vector3", "  ", "{", "}"]);
        words.extend(word.bytes());
    }
    words.truncate(len);
    // The bytes repeat at a distance that only level 2 of FastLZ reaches.
    let far = (0..len).map(|at| noise[at % 9000]).collect();
    vec![noise, few, words, far, vec![7; len]]
}

#[test]
fn content_of_every_size_is_read_back() {
    let (mut compressor, mut decompressor) = (Compressor::new(), Decompressor::new());
    for len in SIZES {
        for plain in contents(len) {
            round_trip(&mut compressor, &mut decompressor, &plain);
        }
    }
}

#[test]
fn all_references_of_fastlz_are_used() {
    let plain = &contents(200_000)[3];
    let compressed = |level| {
        let mut block = Vec::new();
        fastlz::compress_level(level, plain, &mut block);
        block.len()
    };
    // Level 1 of FastLZ does not reach back far enough.
    assert!(compressed(fastlz::Level::One) > plain.len());
    assert!(compressed(fastlz::Level::Two) < plain.len() / 2);
}

/// Content of fewer than 16 bytes is padded, as in Godot.
#[test]
fn short_content_of_fastlz_is_padded() {
    for len in 0..20 {
        let plain: Vec<u8> = (1..=len).collect();
        let mut block = Vec::new();
        Compressor::new().compress(Compression::FastLz, &plain, &mut block).unwrap();
        let mut raw = [0xaa; 32];
        let padded = fastlz::decompress(&block, &mut raw).unwrap();
        assert_eq!(padded, plain.len().max(16));
        assert_eq!(raw[..plain.len()], plain);
        assert!(raw[plain.len()..padded].iter().all(|byte| *byte == 0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_content_is_read_back(
        parts in prop::collection::vec((any::<u8>(), 1..600_usize, any::<bool>()), 0..12),
    ) {
        let mut plain: Vec<u8> = Vec::new();
        for (byte, len, is_copy) in parts {
            match is_copy && !plain.is_empty() {
                true => plain.extend_from_within(plain.len() - len.min(plain.len())..),
                false => plain.extend((0..len).map(|at| byte.wrapping_mul(at as u8))),
            }
        }
        round_trip(&mut Compressor::new(), &mut Decompressor::new(), &plain);
    }

    #[test]
    fn any_bytes_keep_the_laws(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        compression(&bytes);
    }
}
