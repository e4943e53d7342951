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
    /// An Oodle method.
    Oodle,
    /// A Zstandard frame.
    Zstd,
    /// A Brotli stream.
    Brotli,
    /// LZO1X, or the custom method of an engine.
    Lzo,
    /// A method that the file identifies by its name.
    Named(StrRef<'a>),
}

impl Method<'_> {
    /// Returns the method for a method number in version 2 of the container. Returns `None` for an
    /// unknown number, and for 0, which means that the name of the method follows.
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

    /// Returns the number of the method in a container of version 2, or `None` if the method has no
    /// number.
    #[cfg(feature = "alloc")]
    pub(super) const fn number(self) -> Option<u8> {
        match self {
            Self::Stored => Some(1),
            Self::Oodle => Some(2),
            Self::Zlib => Some(3),
            Self::Gzip => Some(4),
            Self::Lz4 => Some(5),
            Self::Zstd | Self::Brotli | Self::Lzo | Self::Named(_) => None,
        }
    }

    /// Returns the method that a known [name](Self::Named) stands for, ignoring the case of the
    /// name. Returns any other method unchanged.
    #[must_use]
    pub fn resolved(self) -> Self {
        const NAMES: [(&str, Method<'static>); 8] = [
            ("none", Method::Stored),
            ("zlib", Method::Zlib),
            ("gzip", Method::Gzip),
            ("lz4", Method::Lz4),
            ("oodle", Method::Oodle),
            ("zstd", Method::Zstd),
            ("brotli", Method::Brotli),
            ("lzo", Method::Lzo),
        ];
        let Self::Named(name) = self else { return self };
        let text = name.as_str().unwrap_or_default();
        let known = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
        known.map_or(self, |(_, method)| *method)
    }

    /// Returns the method for
    /// [`Summary::compression_flags`](crate::unreal::tables::Summary::compression_flags), or `None`
    /// for unknown flags.
    pub(super) const fn of_flags(flags: u32) -> Option<Self> {
        match (flags & !0xFFF, flags & 0xF) {
            // Flags of 0 also mean zlib.
            (0, 0 | 1) => Some(Self::Zlib),
            (0, 2) => Some(Self::Gzip),
            (0, 4) => Some(Self::Lzo),
            _ => None,
        }
    }

    /// Returns an upper bound for the size of `len` compressed bytes after decompression.
    ///
    /// Deflate needs at least 2 bits for its longest match, which is 258 bytes. In LZ4, each byte
    /// extends a match by at most 255 bytes.
    pub(crate) fn most(self, len: u64) -> u64 {
        match self.resolved() {
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
/// With the feature `unreal-compression`, `standard_codec` is a codec for zlib and LZ4; the feature
/// `compression` adds Zstandard, and `brotli` adds Brotli.
pub trait Codec: FnMut(Method<'_>, &[u8], &mut [u8]) -> Result<usize, CodecError> {}

impl<F: FnMut(Method<'_>, &[u8], &mut [u8]) -> Result<usize, CodecError>> Codec for F {}
