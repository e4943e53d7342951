//! Decompresses and decrypts data by calling the libraries directly, without gamewire.

use aes::Aes256;
use aes::cipher::array::Array;
use aes::cipher::{BlockCipherDecrypt, BlockModeDecrypt, KeyInit, KeyIvInit};
use alloc_no_stdlib::{Allocator, SliceWrapper, SliceWrapperMut};
use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState};
use gamewire::compression::Compression;
use gamewire::godot::file::Encryption;
use md5::{Digest, Md5};
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};
use ruzstd::decoding::FrameDecoder;

/// Length, in bytes, of the header of a gzip member without optional fields.
const GZIP: usize = 10;

/// The decoders that are reused from block to block.
pub struct Direct {
    inflate: Box<DecompressorOxide>,
    zstd: Box<FrameDecoder>,
}

impl Direct {
    pub fn new() -> Self {
        Self { inflate: Box::default(), zstd: Box::new(FrameDecoder::new()) }
    }

    /// Decompresses a block, checks its checksum, and returns the length of the content.
    pub fn decompress(&mut self, compression: Compression, block: &[u8], to: &mut [u8]) -> usize {
        match compression {
            Compression::Deflate => {
                self.inflate(block, to, inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER).1
            }
            Compression::Gzip => {
                let (read, len) = self.inflate(&block[GZIP..], to, 0);
                let crc = crc32fast::hash(&to[..len]).to_le_bytes();
                assert_eq!(block[GZIP + read..][..4], crc);
                len
            }
            Compression::Zstd => self.zstd.decode_all(block, to).unwrap(),
            Compression::Brotli => brotli(block, to),
            other => panic!("{other}"),
        }
    }

    fn inflate(&mut self, block: &[u8], to: &mut [u8], flags: u32) -> (usize, usize) {
        self.inflate.init();
        let flags = flags | inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let (status, read, len) = decompress(&mut self.inflate, block, to, 0, flags);
        assert_eq!(status, TINFLStatus::Done);
        (read, len)
    }
}

fn brotli(block: &[u8], to: &mut [u8]) -> usize {
    let mut state = BrotliState::new_strict(Heap, Heap, Heap);
    let (mut read, mut written, mut total) = (0, 0, 0);
    let (mut unread, mut free) = (block.len(), to.len());
    let result = BrotliDecompressStream(
        &mut unread,
        &mut read,
        block,
        &mut free,
        &mut written,
        to,
        &mut total,
        &mut state,
    );
    assert!(matches!(result, BrotliResult::ResultSuccess));
    written
}

struct Heap;

#[derive(Default)]
struct Memory<T>(Vec<T>);

impl<T: Clone + Default> Allocator<T> for Heap {
    type AllocatedMemory = Memory<T>;

    fn alloc_cell(&mut self, len: usize) -> Memory<T> {
        Memory(vec![T::default(); len])
    }

    fn free_cell(&mut self, _: Memory<T>) {}
}

impl<T> SliceWrapper<T> for Memory<T> {
    fn slice(&self) -> &[T] {
        &self.0
    }
}

impl<T> SliceWrapperMut<T> for Memory<T> {
    fn slice_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

/// Decrypts content in place, and returns the MD5 of the decrypted content.
pub fn decrypt(encryption: Encryption, key: &[u8; 32], content: &mut [u8]) -> [u8; 16] {
    let (blocks, _) = Array::slice_as_chunks_mut(content);
    match encryption {
        Encryption::Godot3 => Aes256::new(key.into()).decrypt_blocks(blocks),
        Encryption::Godot4 { iv } => {
            cfb_mode::Decryptor::<Aes256>::new(key.into(), (&iv).into()).decrypt_blocks(blocks);
        }
    }
    Md5::digest(content).into()
}
