//! FORMAT: a dialect, and whether its values come in frames.

use gamewire::godot::frame::Frames;
use gamewire::godot::{Dialect, Reader, detect};
use std::fmt;
use std::str::FromStr;

const FRAMES: &str = "-frames";

/// How a file is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    pub dialect: Dialect,
    /// Whether each value stands behind its length.
    pub frames: bool,
}

impl From<Dialect> for Format {
    fn from(dialect: Dialect) -> Self {
        Self { dialect, frames: false }
    }
}

impl Format {
    /// Whether `bytes` are this from start to end.
    pub fn fits(self, bytes: &[u8]) -> bool {
        if self.frames {
            !bytes.is_empty() && all_frames_fit(bytes, self.dialect)
        } else {
            is_one_value(bytes, self.dialect)
        }
    }

    /// The formats that `bytes` are from start to end: first as one value, then as
    /// frames.
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
        match dialect.parse() {
            Ok(dialect) => Ok(Self { dialect, frames }),
            Err(_) => {
                let names: Vec<_> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
                Err(format!(
                    "formats are {}, and each of them with {FRAMES} behind it",
                    names.join(", ")
                ))
            }
        }
    }
}
