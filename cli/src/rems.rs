//! Saves of Rem's Engine: what `show`, `json`, `check`, `get` and `diff` do with them, and a command
//! of their own.

mod atom;
mod check;
mod convert;
mod diff;
mod get;
mod inline;
mod json;
mod plain;
mod room;
mod show;
mod survey;
mod tape;

pub use check::check;
pub use convert::Target;
pub use diff::{Which, diff};
pub use get::get;
pub use json::print;
pub use show::show;

use crate::args::{Rems, RemsCommand};
use crate::detected_input::{self, has_extension};
use crate::ui::text::Offset;
use clap::ValueEnum;
use gamewire::rems::{
    BinaryReader, Era, Error, ErrorKind, FileForm, Reader, Tables, TextReader, decompress,
};
use std::fmt::{self, Display};
use std::fs::File as OnDisk;
use std::io::{self, Read, Write};
use std::path::Path;

/// The commands that only such saves have; whether all went well.
pub fn run(args: &Rems, out: &mut impl Write) -> io::Result<bool> {
    match &args.command {
        RemsCommand::Convert(args) => convert::convert(args, out),
    }
}

/// How large a container may become.
const DECOMPRESSED_LIMIT: usize = 1 << 30;

/// When an engine was built, as it is said on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Written {
    /// From October 2024 on
    #[value(name = "2026")]
    Y2026,
    /// March 2022 to October 2024
    #[value(name = "2022")]
    Y2022,
    /// October 2021 to March 2022
    #[value(name = "2021")]
    Y2021,
    /// August to October 2021
    #[value(name = "2021-08")]
    August2021,
    /// December 2020 to August 2021
    #[value(name = "2020")]
    Y2020,
}

impl Written {
    /// What the library calls it.
    pub fn era(self) -> Era {
        match self {
            Self::Y2026 => Era::October2024,
            Self::Y2022 => Era::March2022,
            Self::Y2021 => Era::October2021,
            Self::August2021 => Era::August2021,
            Self::Y2020 => Era::December2020,
        }
    }

    /// The latest that reads all of a binary stream.
    fn fits(bytes: &[u8]) -> Option<Self> {
        let fits = |era: &Self| {
            let mut tables = Tables::new();
            let mut reader = BinaryReader::new(bytes, era.era(), &mut tables);
            loop {
                match reader.next() {
                    Ok(Some(_)) => {}
                    Ok(None) => return true,
                    Err(_) => return false,
                }
            }
        };
        let eras = Self::value_variants().iter().copied();
        eras.into_iter().find(fits)
    }
}

impl Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        value.as_ref().map_or(Ok(()), |value| f.write_str(value.get_name()))
    }
}

/// A save.
pub struct File {
    form: FileForm,
    /// Of the file itself.
    size: usize,
    /// What is to be read: of a container what was in it, or why that cannot be had.
    bytes: Result<Vec<u8>, Error>,
    /// What a binary one is read as, and whether somebody said so.
    written: Written,
    is_said: bool,
}

impl File {
    /// A save that begins so; or the bytes, if they are none.
    pub fn open(bytes: Vec<u8>, written: Option<Written>) -> Result<Self, Vec<u8>> {
        match FileForm::of(&bytes) {
            Some(form) => Ok(Self::of_form(form, bytes, written)),
            None => Err(bytes),
        }
    }

    /// The same where a save is all that it can be: any list may be a text.
    pub fn presumed(bytes: Vec<u8>, written: Option<Written>) -> Result<Self, Vec<u8>> {
        match FileForm::of(&bytes) {
            None if bytes.trim_ascii_start().starts_with(b"[") => {
                Ok(Self::of_form(FileForm::Text, bytes, written))
            }
            _ => Self::open(bytes, written),
        }
    }

    fn of_form(form: FileForm, bytes: Vec<u8>, written: Option<Written>) -> Self {
        let size = bytes.len();
        let bytes = match form {
            FileForm::Container => decompress(&bytes, DECOMPRESSED_LIMIT),
            _ => Ok(bytes),
        };
        let is_said = written.is_some();
        let guess = || match (form, &bytes) {
            (FileForm::Text, _) | (_, Err(_)) => Written::Y2026, // nobody asks
            (_, Ok(bytes)) => Written::fits(bytes).unwrap_or(Written::Y2026),
        };
        let written = written.unwrap_or_else(guess);
        Self { form, size, bytes, written, is_said }
    }

    /// Bytes of the file.
    pub fn size(&self) -> usize {
        self.size
    }

    /// What can be read.
    fn content(&self) -> Result<&[u8], Error> {
        self.bytes.as_deref().map_err(|error| *error)
    }

    /// A reader at its start, which gives nothing where there is nothing to be read.
    fn read<'t, 'a>(&'a self, tables: &'t mut Tables) -> Reader<'t, 'a> {
        let bytes = self.bytes.as_deref().unwrap_or_default();
        match self.form {
            FileForm::Text => Reader::Text(TextReader::new(bytes)),
            _ => Reader::Binary(BinaryReader::new(bytes, self.written.era(), tables)),
        }
    }

    fn form_name(&self) -> &'static str {
        match self.form {
            FileForm::Text => "text",
            FileForm::Binary => "binary",
            FileForm::Container => "container",
        }
    }

    /// When it was rather written, if it is not read as that.
    fn hint(&self) -> Option<String> {
        let bytes = self.content().ok().filter(|_| self.is_said && self.form != FileForm::Text)?;
        let fitting = Written::fits(bytes).filter(|fitting| *fitting != self.written)?;
        Some(format!("all of it can be read as of {fitting} (--era {fitting})"))
    }

    /// Why it cannot be read.
    fn refusal(&self, error: Error) -> Refusal<ErrorKind> {
        self.refused_at(error.offset(), *error.kind())
    }

    fn refused_at<T>(&self, offset: u64, why: T) -> Refusal<T> {
        // (An error of the container itself counts in that.)
        let inside = self.form == FileForm::Container && self.bytes.is_ok();
        Refusal { offset, inside, why }
    }
}

/// What is wrong, and where.
pub struct Refusal<T> {
    offset: u64,
    /// In what a container decompresses to.
    inside: bool,
    why: T,
}

impl<T: Display> Display for Refusal<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inside = if self.inside { " of what is in the container" } else { "" };
        write!(f, "offset {}{inside}: {}", Offset(self.offset), self.why)
    }
}

/// How the names of saves end; and how those of others do, too.
const EXTENSION: &str = "rem";
const ANYBODYS: &str = "json";

/// What files in folders are known by.
pub fn sought() -> String {
    detected_input::describe_extensions("saves of Rem's Engine", [EXTENSION, ANYBODYS])
}

/// How much of a file is looked at, to know what it is.
const BEGINNING: u64 = 4096;

/// Whether a file in a folder is a save: by its name, and since others are called so, too, by
/// how it begins.
pub fn is_save(path: &Path) -> bool {
    let begins_as_one = || beginning(path).is_ok_and(|bytes| FileForm::of(&bytes).is_some());
    has_extension(path, [EXTENSION]) || has_extension(path, [ANYBODYS]) && begins_as_one()
}

fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    OnDisk::open(path)?.take(BEGINNING).read_to_end(&mut bytes)?;
    Ok(bytes)
}
