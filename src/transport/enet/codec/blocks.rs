//! The modes that use a general compression: FastLZ, zlib, Zstandard.

use crate::buffer::Cursor;
use crate::compression::{self, Compression, Decompressor, ShortEncoder, fastlz};
use crate::transport::enet::range_coder::MAX_DATAGRAM;
use crate::transport::enet::{Command, CompressionMode, Error, ErrorKind, Result};
use alloc::{boxed::Box, vec::Vec};

/// Godot pads shorter commands to this length for FastLZ.
const PADDED: usize = 16;

pub(super) struct Blocks {
    decompressor: Decompressor,
    plain: Box<[u8; MAX_DATAGRAM]>,
    encoder: ShortEncoder,
    compressed: Vec<u8>,
}

impl Default for Blocks {
    fn default() -> Self {
        Self {
            decompressor: Decompressor::new(),
            plain: Box::new([0; MAX_DATAGRAM]),
            encoder: ShortEncoder::default(),
            compressed: Vec::new(),
        }
    }
}

impl Blocks {
    /// Decompresses the body of a datagram; see [`decompress`](super::DatagramCodec::decompress).
    pub(super) fn decompress(
        &mut self,
        mode: CompressionMode,
        body: &[u8],
        header_len: usize,
    ) -> Result<&[u8]> {
        let compression =
            compression(mode).ok_or(Error::new(ErrorKind::Unsupported, header_len as u64))?;
        let limit = MAX_DATAGRAM.saturating_sub(header_len);
        let out = self.plain.get_mut(..limit).unwrap_or_default();
        let result = self.decompressor.decompress(compression, body, out);
        let len = match result {
            Ok(len) => len,
            Err(error) => return Err(failed(&error, header_len)),
        };
        match self.plain.get(..len).unwrap_or_default() {
            [] => Err(Error::new(ErrorKind::Empty, header_len as u64)),
            plain if mode == CompressionMode::FastLz && len == PADDED => Ok(without_padding(plain)),
            plain => Ok(plain),
        }
    }

    /// Compresses commands. Returns `None` if the result is not shorter.
    pub(super) fn compress(&mut self, mode: CompressionMode, commands: &[u8]) -> Option<&[u8]> {
        let Self { encoder, compressed, .. } = self;
        compressed.clear();
        match mode {
            CompressionMode::FastLz => {
                fastlz::compress(padded(commands, &mut [0; PADDED]), compressed)
            }
            CompressionMode::Zlib => encoder.zlib(commands, compressed),
            CompressionMode::Zstd => encoder.zstd(commands, compressed),
            CompressionMode::None | CompressionMode::RangeCoder => return None,
        }
        (compressed.len() < commands.len()).then_some(compressed)
    }

    /// Returns the mode that the first bytes of a body indicate.
    pub(super) fn indicated(body: &[u8]) -> Option<CompressionMode> {
        match Compression::detect(body)? {
            Compression::Deflate => Some(CompressionMode::Zlib),
            Compression::Zstd => Some(CompressionMode::Zstd),
            _ => None,
        }
    }
}

const fn compression(mode: CompressionMode) -> Option<Compression> {
    match mode {
        CompressionMode::FastLz => Some(Compression::FastLz),
        CompressionMode::Zlib => Some(Compression::Deflate),
        CompressionMode::Zstd => Some(Compression::Zstd),
        CompressionMode::None | CompressionMode::RangeCoder => None,
    }
}

#[cold]
fn failed(error: &compression::Error, header_len: usize) -> Error {
    let kind = match error.kind() {
        compression::ErrorKind::TooLong { .. } => ErrorKind::TooLong,
        _ => ErrorKind::BadCode,
    };
    Error::new(kind, error.offset().saturating_add(header_len as u64))
}

/// Pads commands of less than 16 bytes with zeros. Returns longer commands unchanged.
fn padded<'c>(commands: &'c [u8], space: &'c mut [u8; PADDED]) -> &'c [u8] {
    if commands.len() >= PADDED {
        return commands;
    }
    space.iter_mut().zip(commands).for_each(|(to, from)| *to = *from);
    space
}

/// Returns the bytes without the zeros after the last command.
fn without_padding(bytes: &[u8]) -> &[u8] {
    let mut cursor = Cursor::new(bytes);
    loop {
        let end = cursor;
        if cursor.is_empty() || Command::read(&mut cursor).is_err() {
            let is_padding = end.rest().iter().all(|byte| *byte == 0) && end.pos() > 0;
            return if is_padding { end.since(&Cursor::new(bytes)) } else { bytes };
        }
    }
}
