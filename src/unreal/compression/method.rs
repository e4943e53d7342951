use crate::unreal::format::{CodecError, Result, StrRef};

/// A compression method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method<'a> {
    /// No compression.
    Stored,
    /// Deflate in a zlib stream.
    Zlib,
    /// Deflate in a gzip stream.
    Gzip,
    /// A raw LZ4 block without a frame.
    Lz4,
    /// A method of Oodle.
    Oodle,
    /// LZO1X, or the custom method of an engine.
    Lzo,
    /// A method that the file names.
    Named(StrRef<'a>),
}

impl Method<'_> {
    /// Returns the method for a number of version 2 of the container. Number 0, which is followed
    /// by a name, is not included.
    pub(super) const fn of_number(number: u8) -> Option<Self> {
        match number {
            1 => Some(Self::Stored),
            2 => Some(Self::Oodle),
            3 => Some(Self::Zlib),
            4 => Some(Self::Gzip),
            5 => Some(Self::Lz4),
            _ => None,
        }
    }

    /// Returns the method for
    /// [`Summary::compression_flags`](crate::unreal::tables::Summary::compression_flags).
    pub(super) const fn of_flags(flags: u32) -> Option<Self> {
        match (flags & !0xFFF, flags & 0xF) {
            // Without a flag the method was zlib.
            (0, 0 | 1) => Some(Self::Zlib),
            (0, 2) => Some(Self::Gzip),
            (0, 4) => Some(Self::Lzo),
            _ => None,
        }
    }

    /// Returns an upper bound for the decompressed size of `len` bytes.
    ///
    /// The shortest Deflate code for the longest match has 2 bits for 258 bytes. Each byte of LZ4
    /// extends a match by up to 255 bytes.
    pub(super) const fn most(self, len: u64) -> u64 {
        match self {
            Self::Stored => len,
            Self::Zlib | Self::Gzip => len.saturating_mul(1032),
            Self::Lz4 => len.saturating_mul(255),
            _ => u64::MAX,
        }
    }
}

/// A function that decompresses the second argument into the third, and returns the number of bytes
/// written.
///
/// With the feature `unreal-compression`, `standard_codec` implements it for zlib and LZ4.
pub trait Codec: FnMut(Method<'_>, &[u8], &mut [u8]) -> Result<usize, CodecError> {}

impl<F: FnMut(Method<'_>, &[u8], &mut [u8]) -> Result<usize, CodecError>> Codec for F {}
