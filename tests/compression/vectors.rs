//! Decompresses blocks that reference encoders wrote: Brotli (in Node.js), Zstandard 1.5.4, zlib
//! and gzip.

use crate::laws::compression;
use crate::support::corpus::unhex;
use gamewire::compression::{Compression, Decompressor, ErrorKind};

const SWORDS: usize = 40;
const ENGLISH: &[u8] = b"the time of the world was the end of the government and the history";

/// Returns the compression, the compressed block and the content of each test vector.
pub fn vectors() -> Vec<(Compression, Vec<u8>, Vec<u8>)> {
    let swords = "sword, ".repeat(SWORDS).into_bytes();
    let three = "sword, ".repeat(3).into_bytes();
    let noise: Vec<u8> = (0..64).map(|at| ((at * 167 + 13) * (at + 7)) as u8).collect();
    let brotli = [
        // The two numbers at the end of a line are the quality and the binary logarithm of the
        // window size.
        ("1b1701f88d54b5bf06919bbb932c646f315b2470d91b00", &swords), // 11, 22
        (
            "8f8b000080aaaaaaeaff7425b8f3f5c87706603ef0ff5df5efb9b7ba675497b731dc152f161616363656f532\
             a33af8f0e1c7603018c799acaac16030180c0673a8332215a551382cb493ec3dc1744f2d0e7f4eba01",
            &swords, // 0, 24
        ),
        ("a1b808002009c232578b4c56c9e9307019", &swords), // 5, 10
        (
            "1b4200e8a541c2e6eec0440e1c5aeaed86ef919d2729bd54786c08a3b65a",
            &ENGLISH.to_vec(), // 11, 22, with references to the static dictionary
        ),
        (
            "a1100200200d528646171c72e0d0c22790d1c16378fc5272d0fe45004ef1816c194af273c3b600",
            &ENGLISH.to_vec(), // 5, 10
        ),
        (
            "8b1f805ba0331443c08ba40bc0c314b3a0db643b60d394a300aba4eb80639413e0fb641b2073140340cba4cb\
             40031473201b64fbe013946380eba4ab00a394d3603b6403",
            &noise, // 11, 22, not compressed
        ),
        ("3b", &Vec::new()),
        ("3f", &Vec::new()),
        ("a101", &Vec::new()),
    ];
    let zstd = [
        ("28b52ffd6418007500003873776f72642c2001000e528b11efc4ae03", &swords), // -19
        ("28b52ffd00687500003873776f72642c2001000e528b11", &swords), // from a pipe, no checksum
        ("28b52ffd04887500003873776f72642c2001000e528b11efc4ae03", &swords), // a window of 128 MiB
    ];
    let gzip = [
        ("1f8b08000000000002032b2ecf2f4ad1512846a100e9c1075415000000", &three),
        (
            // The header has an extra field, a name, a comment and a checksum.
            "1f8b081e01020304000303006162636e616d6500636f6d6d656e74004c6e2b2ecf2f4ad1512846a100e9c107\
             5415000000",
            &three,
        ),
    ];
    let brotli = brotli.map(|(block, plain)| (Compression::Brotli, unhex(block), plain.clone()));
    let zstd = zstd.map(|(block, plain)| (Compression::Zstd, unhex(block), plain.clone()));
    let gzip = gzip.map(|(block, plain)| (Compression::Gzip, unhex(block), plain.clone()));
    brotli.into_iter().chain(zstd).chain(gzip).collect()
}

#[test]
fn blocks_of_other_encoders_are_decompressed() {
    let mut decompressor = Decompressor::new();
    for (compression, block, plain) in vectors() {
        for extra in [0, 1, 1 << 17] {
            let mut out = vec![0; plain.len() + extra];
            let len = decompressor.decompress(compression, &block, &mut out);
            assert_eq!(len, Ok(plain.len()), "{compression} {block:x?}");
            assert_eq!(out[..plain.len()], plain);
        }
    }
}

#[test]
fn damaged_blocks_of_other_encoders_keep_the_laws() {
    for (kind, block, plain) in vectors() {
        for len in 0..block.len() {
            let result = Decompressor::new().decompress(kind, &block[..len], &mut [0; 1000]);
            let error = result.expect_err("a prefix");
            assert_eq!(*error.kind(), ErrorKind::UnexpectedEnd, "{kind} {len}: {plain:?}");
        }
        for at in 0..block.len() {
            for change in [1, 4, 0x10, 0x80, 0xff] {
                let mut block = block.clone();
                block[at] ^= change;
                compression(&block);
            }
        }
    }
}

#[test]
fn changed_checksums_are_errors() {
    for (kind, block, _) in vectors() {
        let has_checksum =
            kind == Compression::Gzip || kind == Compression::Zstd && block[4] & 4 != 0;
        for from_end in (1..=4).filter(|_| has_checksum) {
            let mut block = block.clone();
            let at = block.len() - from_end;
            block[at] ^= 1;
            let error = Decompressor::new().decompress(kind, &block, &mut [0; 1000]).unwrap_err();
            assert_eq!(*error.kind(), ErrorKind::Mismatch, "{kind}");
        }
    }
}

#[test]
fn zstandard_frames_follow_each_other() {
    let frame = unhex("28b52ffd00687500003873776f72642c2001000e528b11");
    let skippable = unhex("5a2a4d1803000000616263");
    let block = [&frame[..], &skippable, &frame].concat();
    let mut out = vec![0; 1000];
    let len = Decompressor::new().decompress(Compression::Zstd, &block, &mut out).unwrap();
    assert_eq!(out[..len], *"sword, ".repeat(2 * SWORDS).as_bytes());
}

#[test]
fn zstandard_headers_are_checked() {
    let mut out = vec![0; 9 << 20];
    let cases = [
        // The frame declares a window of 16 MiB, and the output is larger than the maximum window
        // of 8 MiB.
        ("28b52ffd0070010000", 9 << 20, ErrorKind::WindowTooLarge { size: 16 << 20 }),
        ("28b52ffd010107010000", 100, ErrorKind::Unsupported), // with dictionary 7
        ("28b52ffd0800010000", 100, ErrorKind::Malformed),     // a reserved bit
        ("28b52ffd0000070000", 100, ErrorKind::Malformed),     // a reserved kind of block
        ("28b52ffd2005010000", 100, ErrorKind::Mismatch),      // five bytes announced, none there
        ("28b52ffd2005010000", 4, ErrorKind::TooLong { limit: 4 }),
        ("28b52ffd00000b080061", 0, ErrorKind::TooLong { limit: 0 }), // 257 bytes
        ("29b52ffd", 100, ErrorKind::Malformed),
    ];
    for (block, limit, kind) in cases {
        let block = unhex(block);
        let result = Decompressor::new().decompress(Compression::Zstd, &block, &mut out[..limit]);
        assert_eq!(*result.unwrap_err().kind(), kind, "{block:x?}");
    }
    // The window is larger than the output, so the decompressor does not need all of it.
    let block = unhex("28b52ffd00f8010000");
    assert_eq!(Decompressor::new().decompress(Compression::Zstd, &block, &mut out[..100]), Ok(0));
}

/// After an error in the middle of a block, the same decompressor can decompress another block.
#[test]
fn errors_leave_no_state() {
    let mut decompressor = Decompressor::new();
    for (kind, block, plain) in vectors() {
        let mut out = vec![0; plain.len()];
        let cut = &block[..block.len() - 1];
        assert!(decompressor.decompress(kind, cut, &mut out).is_err());
        assert_eq!(decompressor.decompress(kind, &block, &mut out), Ok(plain.len()));
        assert_eq!(out, plain);
    }
}

#[test]
fn codecs_can_be_moved_to_another_thread() {
    fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<Decompressor>();
    is_send_and_sync::<gamewire::compression::Compressor>();
}
