//! The `--as FORMAT` option: a dialect, with or without frames around the values.

use gamewire::godot::frame::Frames;
use gamewire::godot::{Dialect, Reader, detect};
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

const FRAMES: &str = "-frames";

/// Encoding of a file of Godot values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    pub dialect: Dialect,
    /// `true` if each value follows its length as a `u32`.
    pub frames: bool,
}

impl From<Dialect> for Format {
    fn from(dialect: Dialect) -> Self {
        Self { dialect, frames: false }
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

    /// Returns `true` if `bytes` is exactly one value in this format or, in a format with frames, a
    /// sequence of complete frames with exactly one value in each.
    pub fn fits(self, bytes: &[u8]) -> bool {
        if self.frames {
            !bytes.is_empty() && all_frames_fit(bytes, self.dialect)
        } else {
            is_one_value(bytes, self.dialect)
        }
    }

    /// Returns the formats in which `bytes` is valid as a whole: formats without frames first, then
    /// formats with frames.
    pub fn fitting(bytes: &[u8]) -> impl Iterator<Item = Self> {
        let plain = detect(bytes).iter().map(Self::from);
        let frames = Dialect::ALL.iter().map(|dialect| Self { dialect: *dialect, frames: true });
        plain.chain(frames.filter(|format| format.fits(bytes)))
    }
}

fn is_one_value(bytes: &[u8], dialect: Dialect) -> bool {
    let mut reader = Reader::new(bytes, dialect);
    reader.skip().and_then(|()| reader.finish()).is_ok()
}

fn all_frames_fit(bytes: &[u8], dialect: Dialect) -> bool {
    Frames::new(bytes).all(|frame| frame.is_ok_and(|frame| is_one_value(frame.bytes, dialect)))
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.dialect, if self.frames { FRAMES } else { "" })
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
        Ok(Self { dialect, frames })
    }
}
