//! Asserts that compressing and decompressing blocks and datagrams does not allocate once all
//! tables exist.

use crate::counting::without_allocating;
use gamewire::compression::{Compression, Compressor, Decompressor};

/// Returns content that every compression format makes shorter.
fn content(len: usize) -> Vec<u8> {
    let number = |at: usize| (at as u32 / 50).wrapping_mul(0x9e37_79b9).to_le_bytes()[at % 4];
    (0..len).map(|at| if at % 50 < 4 { number(at) } else { b"position, "[at % 10] }).collect()
}

#[test]
fn blocks_are_decompressed_without_allocating() {
    let (mut compressor, mut decompressor) = (Compressor::new(), Decompressor::new());
    for compression in
        [Compression::FastLz, Compression::Deflate, Compression::Gzip, Compression::Zstd]
    {
        let blocks = [4096, 100, 4000].map(|len| {
            let mut block = Vec::new();
            compressor.compress(compression, &content(len), &mut block).unwrap();
            block
        });
        let mut out = vec![0; 4096];
        let mut read_all =
            || blocks.each_ref().map(|block| decompressor.decompress(compression, block, &mut out));
        assert_eq!(read_all(), [Ok(4096), Ok(100), Ok(4000)]);
        let lens = without_allocating(&compression.to_string(), &mut read_all);
        assert_eq!(lens, [Ok(4096), Ok(100), Ok(4000)]);
    }
}

#[test]
fn fastlz_blocks_are_compressed_without_allocating() {
    let (mut compressor, mut block) = (Compressor::new(), Vec::with_capacity(200_000));
    for len in [10, 4096, 100_000] {
        let plain = content(len);
        block.clear();
        without_allocating("FastLZ", || {
            compressor.compress(Compression::FastLz, &plain, &mut block).unwrap();
        });
    }
}

/// A single codec compresses and decompresses all datagrams, as in a server.
#[cfg(feature = "transport")]
#[test]
fn datagrams_are_compressed_without_allocating() {
    use gamewire::transport::enet::{CompressionMode, DatagramCodec};

    let contents = [4096, 40, 1400].map(content);
    let mut codec = DatagramCodec::new();
    for mode in CompressionMode::ALL {
        let bodies = contents
            .each_ref()
            .map(|plain| codec.compress(mode, plain).unwrap().map(<[u8]>::to_vec));
        without_allocating(&mode.to_string(), || {
            for (plain, body) in contents.iter().zip(&bodies) {
                assert_eq!(codec.compress(mode, plain).unwrap(), body.as_deref());
            }
        });
        let mut decompress = || {
            for (plain, body) in contents.iter().zip(&bodies) {
                let Some(body) = body else { continue };
                assert_eq!(codec.decompress(mode, body, 0).unwrap(), plain);
            }
        };
        decompress();
        without_allocating(&mode.to_string(), decompress);
    }
}
