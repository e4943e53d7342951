//! Encoders for short content, such as a datagram. They allocate nothing once their buffers have
//! grown. They use the fixed codes of each format: codes made for the content would need tables,
//! which take more bytes than those codes would save.

mod bits;
mod deflate;
mod fse;
mod zstd;

use alloc::vec::Vec;

/// Compresses short content as zlib streams and Zstandard frames.
#[derive(Debug, Default)]
pub(crate) struct ShortEncoder {
    zstd: zstd::Encoder,
}

impl ShortEncoder {
    /// Appends a zlib stream: one block with fixed codes.
    pub(crate) fn zlib(&mut self, plain: &[u8], out: &mut Vec<u8>) {
        deflate::zlib(plain, out);
    }

    /// Appends a Zstandard frame: one block with predefined codes and plain literals. The content has
    /// at most 64 KiB.
    pub(crate) fn zstd(&mut self, plain: &[u8], out: &mut Vec<u8>) {
        self.zstd.frame(plain, out);
    }
}
