//! Files in archives of Unreal Engine, as inputs: `game.pak:Content/Hero.uasset`. An archive is a
//! pak or an `IoStore` container. A container is named by the path of its `.utoc`.

mod container;
mod pak;

pub use container::{Container, Listed};
pub use pak::Pak;

use crate::ui::text::{Count, escaped};
use crate::unreal::Refusal;
use gamewire::unreal::compression::{CodecError, Method};
use gamewire::unreal::iostore::{Chunk, Toc};
use gamewire::unreal::pak::{Entry, Footer, Key, ReadError};
use gamewire::unreal::{Error, ErrorKind};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Maximum size of a file that is read from an archive: 1 GiB.
const LIMIT: usize = 1 << 30;

/// The key that the command line gives.
static KEY: OnceLock<Key> = OnceLock::new();

/// Uses this key for all archives.
pub fn use_key(key: Key) {
    KEY.get_or_init(|| key);
}

/// An archive. Its index stays in memory until the program ends.
#[derive(Clone, Copy, Debug)]
pub enum Archive {
    Pak(Pak),
    Container(Container),
}

/// A file in an archive.
pub struct Stored {
    pub path: String,
    /// Size after decompression, in bytes.
    pub size: u64,
    /// `true` if the archive is a patch that removes the file. Such a file has no data.
    pub is_deleted: bool,
    source: Source,
}

enum Source {
    Pak(Entry<'static>),
    Container(Chunk<'static>),
}

impl From<Entry<'static>> for Stored {
    fn from(entry: Entry<'static>) -> Self {
        Self {
            path: entry.path.to_string(),
            size: entry.size,
            is_deleted: entry.is_deleted,
            source: Source::Pak(entry),
        }
    }
}

impl From<Listed> for Stored {
    fn from(Listed { path, chunk }: Listed) -> Self {
        Self { path, size: chunk.size, is_deleted: false, source: Source::Container(chunk) }
    }
}

type Outcome = Result<Archive, String>;

/// Loaded archives, by their paths.
static LOADED: Mutex<BTreeMap<PathBuf, Outcome>> = Mutex::new(BTreeMap::new());

impl Archive {
    /// Reads the index of an archive, or returns the one that was read before.
    pub fn load(path: &Path) -> Outcome {
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(outcome) = loaded.get(path) {
            return outcome.clone();
        }
        let outcome = match Kind::of(path) {
            Some(Kind::Container) => Container::read(path).map(Self::Container),
            _ => Pak::read(path).map(Self::Pak),
        };
        let outcome = outcome.map_err(|error| describe(&error));
        loaded.insert(path.to_path_buf(), outcome.clone());
        outcome
    }

    /// Returns what messages call the archive.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pak(_) => Kind::Pak.word(),
            Self::Container(_) => Kind::Container.word(),
        }
    }

    /// Returns the files of the archive.
    pub fn files(self) -> Box<dyn Iterator<Item = Result<Stored, Error>>> {
        match self {
            Self::Pak(pak) => Box::new(pak.index.entries().map(|entry| entry.map(Stored::from))),
            Self::Container(container) => {
                Box::new(container.files().map(|file| file.map(Stored::from)))
            }
        }
    }

    /// Finds a file by its path.
    fn find(self, path: &str) -> Option<Result<Stored, Error>> {
        match self {
            Self::Pak(pak) => pak.index.find(path).map(|entry| entry.map(Stored::from)),
            Self::Container(container) => container.toc.find(path).map(|chunk| {
                chunk.map(|chunk| Stored::from(Listed { path: path.to_owned(), chunk }))
            }),
        }
    }

    /// Reads a file of the archive.
    pub fn read(self, file: &Stored) -> Result<Vec<u8>, String> {
        let (read, method) = match (self, &file.source) {
            (Self::Pak(pak), Source::Pak(entry)) => (pak.read_entry(entry), entry.method),
            (Self::Container(container), Source::Container(chunk)) => {
                (container.read_chunk(chunk), chunk.method)
            }
            (archive, _) => return Err(format!("this file is not of this {}", archive.word())),
        };
        read.map_err(|error| match &error {
            ReadError::Pak(inner) if is_unsupported(inner) => {
                let method = method_name(method);
                format!("the compression method of this file is not supported: {method}")
            }
            _ => describe(&error),
        })
    }
}

fn is_unsupported(error: &Error) -> bool {
    *error.kind() == ErrorKind::Codec(CodecError::Unsupported)
}

/// Returns the name of a compression method, as `show` prints it.
pub fn method_name(method: Method<'_>) -> String {
    match method {
        Method::Stored => "none".into(),
        Method::Lzo => "custom".into(),
        Method::Named(name) => escaped(name),
        method => format!("{method:?}"),
    }
}

/// Describes an error, with advice.
pub fn describe(error: &ReadError) -> String {
    match error {
        ReadError::Pak(error) => match error.kind() {
            ErrorKind::NeedsKey => {
                "the data are encrypted: give the key of the game with --key".to_owned()
            }
            kind @ (ErrorKind::WrongKey | ErrorKind::FrozenIndex) => kind.to_string(),
            ErrorKind::TooLarge { size, .. } => {
                format!("the file has {}, which is more than 1 GiB", Count(*size, "byte"))
            }
            _ => Refusal(error).to_string(),
        },
        other => other.to_string(),
    }
}

/// A kind of archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Pak,
    Container,
}

impl Kind {
    /// Returns the kind of the archive at a path, or `None` if there is no archive. A pak ends with
    /// its footer, and a table of contents begins with its magic number.
    pub fn of(path: &Path) -> Option<Self> {
        let len = fs::metadata(path).ok().filter(fs::Metadata::is_file)?.len();
        let mut file = File::open(path).ok()?;
        let mut read = |start, size: usize| {
            let mut bytes = Vec::new();
            file.seek(SeekFrom::Start(start)).ok()?;
            file.by_ref().take(size as u64).read_to_end(&mut bytes).ok()?;
            Some(bytes)
        };
        if Toc::is_toc(&read(0, 16)?) {
            return Some(Self::Container);
        }
        let tail = read(len.saturating_sub(Footer::MAX_SIZE as u64), Footer::MAX_SIZE)?;
        Footer::is_pak(&tail).then_some(Self::Pak)
    }

    pub const fn word(self) -> &'static str {
        match self {
            Self::Pak => "pak",
            Self::Container => "container",
        }
    }

    /// Returns a description of the kind, for messages.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Pak => "a pak of Unreal Engine",
            Self::Container => "an IoStore container of Unreal Engine",
        }
    }

    /// Returns a typical file name, for examples.
    pub const fn example(self) -> &'static str {
        match self {
            Self::Pak => "game.pak",
            Self::Container => "game.utoc",
        }
    }
}

/// A file in an archive, as the command line names it.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    archive: &'a Path,
    inside: &'a str,
}

impl<'a> Member<'a> {
    /// Splits a path such as `game.pak:Content/Hero.uasset`. Returns `None` if a file with the
    /// whole path exists, or if no part before a colon is the path of an archive.
    pub fn of(path: &'a Path) -> Option<Self> {
        let text = path.to_str().filter(|text| text.contains(':'))?;
        if path.exists() {
            return None;
        }
        let mut colons = text.match_indices(':');
        let split = |at| Some((Path::new(text.get(..at)?), text.get(at..)?.get(1..)?));
        let parts =
            colons.find_map(|(at, _)| split(at).filter(|(archive, _)| Kind::of(archive).is_some()));
        parts.map(|(archive, inside)| Self { archive, inside })
    }

    fn file(self) -> Result<(Archive, Stored), String> {
        let archive = Archive::load(self.archive)?;
        let word = archive.word();
        match archive.find(self.inside) {
            Some(Ok(file)) if file.is_deleted => {
                Err(format!("this {word} only removes the file from an earlier {word}"))
            }
            Some(Ok(file)) => Ok((archive, file)),
            Some(Err(error)) => Err(describe(&error.into())),
            None => {
                let name = escaped(self.archive.display());
                Err(format!(
                    "the {word} has no such file: `gamewire show --full {name}` lists its files"
                ))
            }
        }
    }

    /// Returns the path of the archive, and the path of the file in it.
    pub const fn parts(self) -> (&'a Path, &'a str) {
        (self.archive, self.inside)
    }

    /// Returns `true` if the archive has the file.
    pub fn exists(self) -> bool {
        self.file().is_ok()
    }

    /// Returns the size of the file in bytes.
    pub fn len(self) -> Option<u64> {
        self.file().ok().map(|(_, file)| file.size)
    }

    /// Reads the file.
    pub fn read(self) -> Result<Vec<u8>, String> {
        let (archive, file) = self.file()?;
        archive.read(&file)
    }
}
