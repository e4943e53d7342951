//! The `--as FORMAT` option: a dialect, with or without frames around the values.

use gamewire::godot::frame::{Frames, Framing};
use gamewire::godot::{Dialect, Reader, detect};
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

const FRAMES: &str = "-frames";

/// Encoding of a file of Godot values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    pub dialect: Dialect,
    /// `true` if the length of each value, as a `u32`, precedes the value.
    pub frames: bool,
    /// `true` if the lengths of the frames are big-endian. The values are always little-endian.
    pub big_endian: bool,
}

impl From<Dialect> for Format {
    fn from(dialect: Dialect) -> Self {
        Self { dialect, frames: false, big_endian: false }
    }
}

impl Format {
    /// Returns the names of all formats, dialects first.
    pub fn names() -> impl Iterator<Item = &'static str> {
        static FRAMED: LazyLock<Vec<String>> = LazyLock::new(|| {
            Dialect::ALL.iter().map(|dialect| format!("{dialect}{FRAMES}")).collect()
        });
        Dialect::ALL.iter().map(|dialect| dialect.name()).chain(FRAMED.iter().map(String::as_str))
    }

    /// Returns the format with frames whose lengths are big-endian.
    pub fn big_endian(self) -> Self {
        Self { frames: true, big_endian: true, ..self }
    }

    /// Returns the framing of a format with frames. The framing does not limit the length of a
    /// frame.
    pub fn framing(self) -> Framing {
        Framing { big_endian: self.big_endian, max_len: u32::MAX }
    }

    /// Returns `true` if `bytes` is valid in this format. In a format without frames, `bytes` must
    /// be exactly one value. In a format with frames, it must be a sequence of complete frames,
    /// each of which contains exactly one value.
    pub fn fits(self, bytes: &[u8]) -> bool {
        if self.frames {
            !bytes.is_empty() && self.all_frames_fit(bytes)
        } else {
            self.dialect_fits(bytes)
        }
    }

    /// Returns `true` if `bytes`, such as the content of a frame, is exactly one value of the
    /// dialect.
    pub fn dialect_fits(self, bytes: &[u8]) -> bool {
        let mut reader = Reader::new(bytes, self.dialect);
        reader.skip().and_then(|()| reader.finish()).is_ok()
    }

    fn all_frames_fit(self, bytes: &[u8]) -> bool {
        let mut frames = Frames::with(bytes, self.framing());
        frames.all(|frame| frame.is_ok_and(|frame| self.dialect_fits(frame.bytes)))
    }

    /// Returns the formats in which all of `bytes` is valid. Formats without frames come first,
    /// then formats with frames and little-endian lengths, then formats with frames and big-endian
    /// lengths.
    pub fn fitting(bytes: &[u8]) -> impl Iterator<Item = Self> {
        let plain = detect(bytes).iter().map(Self::from);
        let frames = |big_endian| {
            let format =
                move |dialect: &Dialect| Self { dialect: *dialect, frames: true, big_endian };
            Dialect::ALL.iter().map(format).filter(|format| format.fits(bytes))
        };
        plain.chain(frames(false)).chain(frames(true))
    }
}

/// Prints the format as it is written after `--as`: `godot4-frames --big-endian`.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frames = if self.frames { FRAMES } else { "" };
        let big_endian = if self.big_endian { " --big-endian" } else { "" };
        write!(f, "{}{frames}{big_endian}", self.dialect)
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let (dialect, frames) = match name.strip_suffix(FRAMES) {
            Some(dialect) => (dialect, true),
            None => (name, false),
        };
        let dialect = dialect.parse().map_err(|_| format!("`{name}` is not a format"))?;
        Ok(Self { dialect, frames, big_endian: false })
    }
}
