//! Laws of compressed blocks: functions that accept arbitrary bytes and panic if a law is broken.

use crate::support::fastlz as oracle;
use gamewire::compression::{Compression, Compressor, Decompressor, ErrorKind, fastlz};

/// Maximum length, in bytes, of the output in these laws.
const LIMIT: usize = 1 << 16;

/// Decompresses `data` as a block of each compression, into outputs of different lengths. Also
/// compresses `data` and decompresses it again. Asserts that the offsets of errors are inside the
/// block, that the content does not depend on the length of the output, and that the slow decoder
/// of FastLZ agrees.
pub fn compression(data: &[u8]) {
    let mut decompressor = Decompressor::new();
    for compression in Compression::ALL {
        let content = block(&mut decompressor, compression, data, LIMIT);
        if let Some(content) = &content {
            exact_output(&mut decompressor, compression, data, content);
        }
    }
    fastlz_agrees(data);
    round_trip(&mut Compressor::new(), &mut decompressor, data);
}

/// Decompresses a block. Returns `None` if it is damaged, or longer than `limit`.
fn block(
    decompressor: &mut Decompressor,
    compression: Compression,
    block: &[u8],
    limit: usize,
) -> Option<Vec<u8>> {
    let mut out = vec![0; limit];
    match decompressor.decompress(compression, block, &mut out) {
        Ok(len) => {
            assert!(len <= limit);
            out.truncate(len);
            Some(out)
        }
        Err(error) => {
            assert!(error.offset() <= block.len() as u64, "{compression}: {error}");
            None
        }
    }
}

/// Decompresses a valid block into an output of exactly the right length, and into an output that
/// is too short.
fn exact_output(
    decompressor: &mut Decompressor,
    compression: Compression,
    data: &[u8],
    content: &[u8],
) {
    let exact = block(decompressor, compression, data, content.len());
    assert_eq!(exact.as_deref(), Some(content), "{compression}");
    let Some(short) = content.len().checked_sub(1) else { return };
    let mut out = vec![0; short];
    match decompressor.decompress(compression, data, &mut out) {
        // Godot pads short FastLZ content to 16 bytes. If the output is shorter than that, bytes
        // that do not fit are dropped, because they can be padding.
        Ok(len) => {
            assert!(compression == Compression::FastLz && content.len() <= 16);
            assert_eq!(out[..len], content[..len]);
        }
        Err(error) => {
            let limit = short as u64;
            assert_eq!(*error.kind(), ErrorKind::TooLong { limit }, "{compression}");
        }
    }
}

fn fastlz_agrees(block: &[u8]) {
    for limit in [LIMIT, 100, 0] {
        let mut out = vec![0; limit];
        let result = fastlz::decompress(block, &mut out);
        let content = result.ok().map(|len| &out[..len]);
        assert_eq!(content, oracle::decompress(block, limit).as_deref());
    }
}

/// Compresses `plain` with each compression, and decompresses it again.
pub fn round_trip(compressor: &mut Compressor, decompressor: &mut Decompressor, plain: &[u8]) {
    for compression in Compression::ALL {
        let mut bytes = b"kept".to_vec();
        let result = compressor.compress(compression, plain, &mut bytes);
        let Some(block) = bytes.strip_prefix(b"kept") else {
            panic!("{compression}: not appended")
        };
        if let Err(error) = result {
            assert_eq!(compression, Compression::Brotli);
            assert_eq!(*error.kind(), ErrorKind::Unsupported);
            assert!(block.is_empty());
            continue;
        }
        let mut out = vec![0; plain.len()];
        let len = decompressor.decompress(compression, block, &mut out).unwrap();
        assert_eq!((len, &*out), (plain.len(), plain), "{compression}");
    }
    for level in [fastlz::Level::One, fastlz::Level::Two] {
        let mut block = Vec::new();
        fastlz::compress_level(level, plain, &mut block);
        assert!(block.len() <= fastlz::max_compressed_len(plain.len()));
        assert_eq!(oracle::decompress(&block, plain.len()).as_deref(), Some(plain));
        let mut out = vec![0; plain.len()];
        assert_eq!(fastlz::decompress(&block, &mut out), Ok(plain.len()));
        assert_eq!(out, plain);
    }
}
