use gamewire::godot::frame::{Frame, Frames};
use gamewire::godot::{Dialect, Error};
use std::str::FromStr;

/// What a file holds: values of a dialect, bare or each behind a length.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    pub dialect: Dialect,
    pub frames: bool,
}

const FRAMES: &str = "-frames";

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
                Err(format!("known are {}, each also with {FRAMES}", names.join(", ")))
            }
        }
    }
}

impl Format {
    /// The packets of a file.
    pub fn packets<'a>(
        self,
        file: &'a [u8],
    ) -> Box<dyn Iterator<Item = Result<Frame<'a>, Error>> + 'a> {
        if self.frames {
            Box::new(Frames::new(file))
        } else {
            Box::new(std::iter::once(Ok(Frame { bytes: file, offset: 0 })))
        }
    }
}
