use core::fmt;
use core::str::FromStr;

/// A way of compressing datagrams that Godot offers. Both hosts must use the same mode, since a
/// datagram does not state its mode.
///
/// `Display` prints the name, and `FromStr` parses it: `none`, `range-coder`, `fastlz`, `zlib`,
/// `zstd`.
///
/// ```
/// use gamewire::transport::enet::CompressionMode;
///
/// assert_eq!("zstd".parse(), Ok(CompressionMode::Zstd));
/// assert_eq!(CompressionMode::from_mode(1), Some(CompressionMode::RangeCoder));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CompressionMode {
    /// No compression.
    None,
    /// ENet's own range coder.
    RangeCoder,
    /// FastLZ. Needs the feature `compression`.
    FastLz,
    /// A zlib stream. Needs the feature `compression`.
    Zlib,
    /// A Zstandard frame. Needs the feature `compression`.
    Zstd,
}

impl CompressionMode {
    /// All modes, in the order of Godot's numbers.
    pub const ALL: [Self; 5] = [Self::None, Self::RangeCoder, Self::FastLz, Self::Zlib, Self::Zstd];

    /// Returns the mode with this number in Godot's enum
    /// [`ENetConnection.CompressionMode`](https://docs.godotengine.org/en/stable/classes/class_enetconnection.html#enum-enetconnection-compressionmode):
    /// 0 to 4.
    pub const fn from_mode(mode: u32) -> Option<Self> {
        match mode {
            0 => Some(Self::None),
            1 => Some(Self::RangeCoder),
            2 => Some(Self::FastLz),
            3 => Some(Self::Zlib),
            4 => Some(Self::Zstd),
            _ => None,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::RangeCoder => "range-coder",
            Self::FastLz => "fastlz",
            Self::Zlib => "zlib",
            Self::Zstd => "zstd",
        }
    }
}

impl fmt::Display for CompressionMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for CompressionMode {
    type Err = UnknownCompressionMode;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|mode| mode.name() == name).ok_or(UnknownCompressionMode)
    }
}

/// The error for a name that is not that of a [`CompressionMode`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("unknown compression mode; expected none, range-coder, fastlz, zlib or zstd")]
pub struct UnknownCompressionMode;

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn numbers_and_names_are_read_back() {
        for (number, mode) in (0..).zip(CompressionMode::ALL) {
            assert_eq!(CompressionMode::from_mode(number), Some(mode));
            assert_eq!(mode.to_string().parse(), Ok(mode));
        }
        assert_eq!(CompressionMode::from_mode(5), None);
        assert_eq!("rle".parse::<CompressionMode>(), Err(UnknownCompressionMode));
    }
}
