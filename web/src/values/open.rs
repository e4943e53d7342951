//! Opens files of this family.

use super::config::Config;
use super::container;
use super::godot::Godot;
use super::rems::Rems;
use crate::file::open::{Choice, Extras, Opened, Wrapped, format_name, sample};
use crate::file::page::Page;
use crate::file::place::{Fault, Layout, Source};
use crate::file::session::Session;
use gamewire::godot::Dialect;
use gamewire::godot::find::Endian;
use gamewire::recognise::{Format, ValuesGuess, recognise};
use gamewire::rems::FileFormat;
use wasm_bindgen::prelude::wasm_bindgen;

pub fn open(name: &str, file: Vec<u8>, extras: &Extras) -> Result<Opened, Fault> {
    let (content, wrapped) = match recognise(&sample(name, &file)) {
        Some(Format::GodotCompressed) => container::decompress(file)?,
        Some(Format::GodotEncrypted) => {
            match container::decrypt(file, extras.password.as_deref())? {
                Ok(content) => content,
                Err(locked) => return Ok(locked),
            }
        }
        Some(Format::Rems(FileFormat::Container)) => container::decompress_rems(file)?,
        _ => (file, None),
    };
    let session = session(name, content, wrapped)?;
    Ok(Opened::Session(Box::new(session)))
}

fn session(name: &str, content: Vec<u8>, wrapped: Option<Wrapped>) -> Result<Session, Fault> {
    let fault = |text: &str| Err(Fault { text: text.into(), offset: 0 });
    let values = |choice: Choice| (Some(choice), values_name(&choice), source(&choice));
    let (choice, format, source) = match recognise(&sample(name, &content)) {
        Some(Format::GodotValues(guess)) => values(guess.into()),
        Some(format @ Format::GodotConfig) => {
            (None, format.name().into(), Box::new(Config::new(&content)) as Box<dyn Source>)
        }
        Some(format @ Format::Rems(_)) => {
            (None, format.name().into(), Box::new(Rems::new(&content)) as Box<dyn Source>)
        }
        Some(format) => {
            return fault(&format!(
                "it contains {}, which must be a file of its own",
                format.name()
            ));
        }
        None if content.is_empty() => return fault("the file is empty"),
        None => match malformed(&content) {
            Some(choice) => values(choice),
            None => return fault("this is not a format that this page reads"),
        },
    };
    let format = format_name(&format, wrapped.as_ref());
    let mut session = Session::new(name, format, content, wrapped, source)?;
    session.choice = choice;
    Ok(session)
}

fn source(choice: &Choice) -> Box<dyn Source> {
    Box::new(Godot { dialect: choice.dialect, layout: layout(choice.framing) })
}

/// Returns the way of reading that gets furthest in a malformed file. Requires more than 8 bytes
/// before the error.
fn malformed(content: &[u8]) -> Option<Choice> {
    let mut best = (8, None);
    for dialect in [Dialect::Godot4, Dialect::Godot3] {
        for framing in [None, Some(Endian::Little), Some(Endian::Big)] {
            let source = Godot { dialect, layout: layout(framing) };
            let offset = source.first_error(content).unwrap_or(content.len());
            if offset > best.0 {
                best = (offset, Some(Choice { dialect, framing, is_unique: false }));
            }
        }
    }
    best.1
}

impl From<ValuesGuess> for Choice {
    fn from(guess: ValuesGuess) -> Self {
        let ValuesGuess { dialect, framing, is_unique } = guess;
        Self { dialect, framing, is_unique }
    }
}

fn layout(framing: Option<Endian>) -> Layout {
    match framing {
        None => Layout::Values,
        Some(endian) => Layout::Frames { big_endian: endian == Endian::Big },
    }
}

fn values_name(choice: &Choice) -> String {
    let dialect = match choice.dialect {
        Dialect::Godot2 => "Godot 2",
        Dialect::Godot3 => "Godot 3",
        _ => "Godot 4",
    };
    match choice.framing {
        None => format!("Values of {dialect}"),
        Some(Endian::Little) => format!("Frames with values of {dialect}"),
        Some(Endian::Big) => format!("Frames (big-endian) with values of {dialect}"),
    }
}

#[wasm_bindgen]
impl Page {
    /// Opens the file that waits for its password. Returns its [`state`](Self::state).
    pub fn unlock(&mut self, password: &str) -> String {
        match self.locked.clone() {
            Some((name, file)) => {
                self.extras.password = Some(password.into());
                self.open_again(&name, file)
            }
            None => self.state(),
        }
    }

    /// Reads the content in a different way. Changes are kept. Returns the
    /// [`state`](Self::state).
    pub fn choose(&mut self, dialect: &str, framing: &str) -> String {
        let dialect = match dialect {
            "2" => Dialect::Godot2,
            "3" => Dialect::Godot3,
            _ => Dialect::Godot4,
        };
        let framing = match framing {
            "little" => Some(Endian::Little),
            "big" => Some(Endian::Big),
            _ => None,
        };
        let choice = Choice { dialect, framing, is_unique: false };
        if let Some(session) = &mut self.session {
            session.read_as(&values_name(&choice), source(&choice), choice);
        }
        self.state()
    }
}
