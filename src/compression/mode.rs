use core::fmt;
use core::str::FromStr;

/// A method of compressing blocks. `Display` prints the name, and `FromStr` parses it: `fastlz`,
/// `deflate`, `zstd`, `gzip`, `brotli`.
///
/// ```
/// use gamewire::compression::Compression;
///
/// assert_eq!(Compression::from_mode(2), Some(Compression::Zstd));
/// assert_eq!("gzip".parse(), Ok(Compression::Gzip));
/// assert_eq!(Compression::detect(b"\x28\xb5\x2f\xfd"), Some(Compression::Zstd));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compression {
    /// FastLZ, level 1 or 2.
    FastLz,
    /// A zlib stream: deflate with an Adler-32 checksum.
    Deflate,
    /// Zstandard frames.
    Zstd,
    /// A gzip member: deflate with a CRC-32 checksum.
    Gzip,
    /// A Brotli stream. Godot reads Brotli, but does not write it.
    Brotli,
}

impl Compression {
    /// All compressions, in the order of Godot's numbers.
    pub const ALL: [Self; 5] = [Self::FastLz, Self::Deflate, Self::Zstd, Self::Gzip, Self::Brotli];

    /// Returns the compression with this number in Godot's enum
    /// [`FileAccess.CompressionMode`](https://docs.godotengine.org/en/stable/classes/class_fileaccess.html#enum-fileaccess-compressionmode):
    /// 0 to 4.
    pub const fn from_mode(mode: u32) -> Option<Self> {
        match mode {
            0 => Some(Self::FastLz),
            1 => Some(Self::Deflate),
            2 => Some(Self::Zstd),
            3 => Some(Self::Gzip),
            4 => Some(Self::Brotli),
            _ => None,
        }
    }

    /// Returns Godot's number for the compression.
    pub const fn mode(self) -> u32 {
        match self {
            Self::FastLz => 0,
            Self::Deflate => 1,
            Self::Zstd => 2,
            Self::Gzip => 3,
            Self::Brotli => 4,
        }
    }

    /// Detects zlib, gzip and Zstandard by the first bytes of a block. FastLZ and Brotli blocks
    /// cannot be detected, and a FastLZ block can begin like a zlib stream.
    pub fn detect(block: &[u8]) -> Option<Self> {
        match block {
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Zstd),
            [0x1f, 0x8b, 8, ..] => Some(Self::Gzip),
            &[method, flags, ..] if is_zlib(method, flags) => Some(Self::Deflate),
            _ => None,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::FastLz => "fastlz",
            Self::Deflate => "deflate",
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
            Self::Brotli => "brotli",
        }
    }
}

/// Returns `true` if the two bytes are a header of zlib (RFC 1950) that announces deflate, a window
/// of at most 32 KiB and no dictionary.
fn is_zlib(method: u8, flags: u8) -> bool {
    method & 15 == 8
        && method >> 4 <= 7
        && flags & 0x20 == 0
        && u16::from_be_bytes([method, flags]).is_multiple_of(31)
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Compression {
    type Err = UnknownCompression;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|one| one.name() == name).ok_or(UnknownCompression)
    }
}

/// The error for a name that is not the name of a [`Compression`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("unknown compression mode; expected fastlz, deflate, zstd, gzip or brotli")]
pub struct UnknownCompression;

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn numbers_and_names_are_read_back() {
        for (number, mode) in (0..).zip(Compression::ALL) {
            assert_eq!((mode.mode(), Compression::from_mode(number)), (number, Some(mode)));
            assert_eq!(mode.to_string().parse(), Ok(mode));
        }
        assert_eq!(Compression::from_mode(5), None);
        assert_eq!("FastLZ".parse::<Compression>(), Err(UnknownCompression));
    }

    #[test]
    fn compressions_are_detected_by_the_first_bytes() {
        for (bytes, expected) in [
            (&b"\x78\x9c"[..], Some(Compression::Deflate)),
            (b"\x78\x01", Some(Compression::Deflate)),
            (b"\x1f\x8b\x08", Some(Compression::Gzip)),
            (b"\x28\xb5\x2f\xfd", Some(Compression::Zstd)),
            (b"\x78\x9d", None),
            (b"\x78\xbb", None), // with a dictionary
            (b"\x88\x1c", None), // a window of 64 KiB
            (b"\x1f\x8b", None),
            (b"\x28\xb5\x2f", None),
            (b"\x0b\x49\x01", None),
            (b"", None),
        ] {
            assert_eq!(Compression::detect(bytes), expected, "{bytes:x?}");
        }
    }
}
