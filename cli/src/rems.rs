//! Saves of Rem's Engine, for `show`, `json`, `check`, `get`, `diff` and `rems convert`.

mod check;
mod convert;
mod diff;
mod get;
mod inline;
mod json;
mod report;
mod scan;
mod show;

pub use check::check;
pub use convert::OutputForm;
pub use diff::{Which, diff};
pub use get::get;
pub use json::print;
pub use show::show;

use crate::args::{Rems, RemsCommand};
use crate::detected_input::{self, has_extension};
use crate::ui::budget::{self, Reserved};
use crate::ui::input::Stop;
use crate::ui::text::Offset;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use gamewire::rems::{
    BinaryReader, Era, Error, ErrorKind, FileFormat, Reader, Tables, Tape, TextReader,
    decompress_prefix,
};
use std::fmt::{self, Display};
use std::fs::File as OnDisk;
use std::io::{self, Read, Write};
use std::path::Path;

/// Runs a subcommand of `gamewire rems`. Returns `true` if it succeeded.
pub fn run(args: &Rems, out: &mut impl Write) -> io::Result<bool> {
    match &args.command {
        RemsCommand::Convert(args) => convert::convert(args, out),
    }
}

/// Maximum size of a decompressed container: 1 GiB.
const DECOMPRESSED_LIMIT: usize = 1 << 30;

/// Maximum ratio of the decompressed size to the compressed size that zlib can reach.
const MAX_RATIO: u64 = 1032;

/// Maximum number of items of a save that `get` and `diff` keep in memory.
const MAX_ITEMS: usize = 1 << 24;

/// Value of `--era`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EraArg(pub Era);

impl ValueEnum for EraArg {
    fn value_variants<'a>() -> &'a [Self] {
        const {
            &[
                Self(Era::October2024),
                Self(Era::March2022),
                Self(Era::October2021),
                Self(Era::August2021),
                Self(Era::December2020),
            ]
        }
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()))
    }
}

/// A save.
pub struct File {
    format: FileFormat,
    /// Size of the file in bytes. For a container, this is the compressed size.
    size: usize,
    /// The text or the binary stream. For a container, the decompressed stream, or the error of the
    /// decompression.
    bytes: Result<Vec<u8>, Error>,
    /// Keeps memory for the decompressed content reserved until this value is dropped.
    _reserved: Option<Reserved>,
    /// Era of the engine that wrote the save. A binary stream is read in the format of this era.
    /// The command line or `rems convert` can choose the era. Otherwise, the era of a binary stream
    /// is detected. For a text save, a damaged container, or a save that cannot be read in any era,
    /// the era is October 2024.
    era: Era,
    /// `true` if the command line specifies the era.
    is_era_given: bool,
    /// Number of bytes after the compressed data of a container.
    after_container: usize,
}

impl File {
    /// Opens a save. Returns the bytes as the error if they are not a save.
    pub fn open(bytes: Vec<u8>, era: Option<EraArg>) -> Result<Self, Vec<u8>> {
        match detect(&bytes) {
            Some(format) => Ok(Self::of_format(format, bytes, era)),
            None => Err(bytes),
        }
    }

    fn of_format(format: FileFormat, bytes: Vec<u8>, era: Option<EraArg>) -> Self {
        let size = bytes.len();
        let mut after_container = 0;
        let (bytes, reserved) = match format {
            FileFormat::Container => {
                let most = (size as u64).saturating_mul(MAX_RATIO).min(DECOMPRESSED_LIMIT as u64);
                let reserved = budget::DECOMPRESSED.reserve(most);
                let content =
                    decompress_prefix(&bytes, DECOMPRESSED_LIMIT).map(|(content, rest)| {
                        after_container = rest.len();
                        content
                    });
                (content, Some(reserved))
            }
            _ => (Ok(bytes), None),
        };
        let is_era_given = era.is_some();
        let detect = || match (format, &bytes) {
            (FileFormat::Text, _) | (_, Err(_)) => Era::October2024, // no reader uses this era
            (_, Ok(bytes)) => Era::detect(bytes).unwrap_or(Era::October2024),
        };
        let era = era.map_or_else(detect, |era| era.0);
        Self { format, size, bytes, _reserved: reserved, era, is_era_given, after_container }
    }

    /// Returns the size of the file in bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the text or the binary stream.
    fn content(&self) -> Result<&[u8], Error> {
        self.bytes.as_deref().map_err(|error| *error)
    }

    /// Returns a reader at the start of the file. The reader yields no items if the container is
    /// damaged.
    fn read<'t, 'a>(&'a self, tables: &'t mut Tables) -> Reader<'t, 'a> {
        let bytes = self.bytes.as_deref().unwrap_or_default();
        match self.format {
            FileFormat::Text => Reader::Text(TextReader::new(bytes)),
            _ => Reader::Binary(BinaryReader::new(bytes, self.era, tables)),
        }
    }

    /// Reads all items into memory, and returns the error at which reading stopped. Fails if there
    /// are more than [`MAX_ITEMS`] items.
    fn tape(&self) -> Result<(Tape<'_>, Option<Error>), Stop> {
        let mut tables = Tables::new();
        let tape = Tape::collect(&mut self.read(&mut tables), MAX_ITEMS);
        let tape = tape.map_err(|error| Stop::input(self.refusal(error)))?;
        let error = self.content().err().or(tape.error());
        Ok((tape, error))
    }

    /// Returns a hint if a binary save cannot be read in the era that the command line specifies,
    /// but can be read in a different era.
    fn hint(&self) -> Option<String> {
        let is_given = self.is_era_given && self.format != FileFormat::Text;
        let bytes = self.content().ok().filter(|_| is_given)?;
        let era = Era::detect(bytes).filter(|era| *era != self.era)?.name();
        Some(format!("the whole save can be read as of {era} (--era {era})"))
    }

    /// Returns the message for an error of the reader.
    fn refusal(&self, error: Error) -> Refusal<ErrorKind> {
        self.refused_at(error.offset(), *error.kind())
    }

    fn refused_at<T>(&self, offset: u64, reason: T) -> Refusal<T> {
        // If the container itself is malformed, offsets are positions in the file rather than in
        // the decompressed content.
        let is_decompressed = self.format == FileFormat::Container && self.bytes.is_ok();
        Refusal { offset, is_decompressed, reason }
    }
}

/// A message about a position in a save.
pub struct Refusal<T> {
    offset: u64,
    /// `true` if the offset is a position in the decompressed content of a container.
    is_decompressed: bool,
    reason: T,
}

impl<T: Display> Display for Refusal<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = if self.is_decompressed { " of the decompressed content" } else { "" };
        write!(f, "offset {}{of}: {}", Offset(self.offset), self.reason)
    }
}

/// Detects the format of a save in a file that the command line names. Unlike [`is_save`], accepts
/// an empty list, which can be a save without objects.
pub fn detect(bytes: &[u8]) -> Option<FileFormat> {
    let empty = FileFormat::is_empty_list(bytes).then_some(FileFormat::Text);
    FileFormat::detect(bytes).or(empty)
}

/// File name extension of saves. Text saves can also have the extension `JSON_EXTENSION`, which
/// many other files have, too.
const EXTENSION: &str = "rem";
const JSON_EXTENSION: &str = "json";

/// Returns a description of the files for which folders are searched.
pub fn sought() -> String {
    detected_input::describe_extensions("saves of Rem's Engine", [EXTENSION, JSON_EXTENSION])
}

/// Number of bytes of a file that are read to detect its format.
const DETECTION_LEN: u64 = 4096;

/// Returns `true` if a file of this name can be a save.
pub fn can_be_save(path: &Path) -> bool {
    has_extension(path, [EXTENSION, JSON_EXTENSION])
}

/// Returns `true` if a file in a folder is a save. A file with the extension `.rem` is a save. A
/// file with the extension `.json` is a save if it begins like one. Other files are not saves.
pub fn is_save(path: &Path) -> io::Result<bool> {
    let is_detected = || Ok(FileFormat::detect(&beginning(path)?).is_some());
    match has_extension(path, [JSON_EXTENSION]) {
        true => is_detected(),
        false => Ok(has_extension(path, [EXTENSION])),
    }
}

fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    OnDisk::open(path)?.take(DETECTION_LEN).read_to_end(&mut bytes)?;
    Ok(bytes)
}
