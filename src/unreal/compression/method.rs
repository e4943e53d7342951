use crate::unreal::format::{CodecError, Result, StrRef};

/// How bytes are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method<'a> {
    /// Not at all.
    Stored,
    /// Deflate in zlib's frame.
    Zlib,
    /// Deflate in gzip's frame.
    Gzip,
    /// A block of LZ4, without a frame.
    Lz4,
    /// One of Oodle's.
    Oodle,
    /// LZO1X, or what else an engine was made to use.
    Lzo,
    /// One that the file tells by its name.
    Named(StrRef<'a>),
}

impl Method<'_> {
    /// By the number that version 2 of the container has, except 0, which a name follows.
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

    /// By [`Summary::compression_flags`](super::Summary::compression_flags).
    pub(super) const fn of_flags(flags: u32) -> Option<Self> {
        match (flags & !0xFFF, flags & 0xF) {
            // What says nothing was zlib.
            (0, 0 | 1) => Some(Self::Zlib),
            (0, 2) => Some(Self::Gzip),
            (0, 4) => Some(Self::Lzo),
            _ => None,
        }
    }

    /// How many bytes so many can become at the most, where the method tells.
    ///
    /// The shortest code of Deflate for the longest repetition has 2 bits for 258 bytes; LZ4
    /// lengthens one by up to 255 bytes with each byte.
    pub(super) const fn most(self, len: u64) -> u64 {
        match self {
            Self::Stored => len,
            Self::Zlib | Self::Gzip => len.saturating_mul(1032),
            Self::Lz4 => len.saturating_mul(255),
            _ => u64::MAX,
        }
    }
}

/// Who decompresses: fills the last from what the second decompresses to, by the method, and
/// says how many bytes those are. A function like this is one.
///
/// With the feature `unreal-compression` `standard_codec` is one for zlib and LZ4.
pub trait Codec: FnMut(Method<'_>, &[u8], &mut [u8]) -> Result<usize, CodecError> {}

impl<F: FnMut(Method<'_>, &[u8], &mut [u8]) -> Result<usize, CodecError>> Codec for F {}
