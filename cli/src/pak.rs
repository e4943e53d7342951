//! Files in paks of Unreal Engine as inputs, such as `game.pak:Content/Hero.uasset`.

use crate::ui::text::{Count, escaped};
use crate::unreal::Refusal;
use gamewire::unreal::compression::{CodecError, standard_codec};
use gamewire::unreal::pak::{Entry, Footer, Index, IndexBuf, Key, ReadError};
use gamewire::unreal::{Error, ErrorKind};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Maximum size of a file that is read from a pak: 1 GiB.
pub const LIMIT: usize = 1 << 30;

/// The key from the command line.
static KEY: OnceLock<Key> = OnceLock::new();

/// Uses this key for all paks.
pub fn use_key(key: Key) {
    KEY.get_or_init(|| key);
}

/// A pak whose index stays in memory until the program ends.
#[derive(Clone, Copy, Debug)]
pub struct Pak {
    pub path: &'static Path,
    pub parts: &'static IndexBuf,
    pub index: &'static Index<'static>,
}

type Outcome = Result<Pak, String>;

/// Loaded indexes, by the paths of their paks.
static LOADED: Mutex<BTreeMap<PathBuf, Outcome>> = Mutex::new(BTreeMap::new());

impl Pak {
    /// Reads the index of a pak, or returns the one that was read before.
    pub fn load(path: &Path) -> Outcome {
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(outcome) = loaded.get(path) {
            return outcome.clone();
        }
        let outcome = Self::read_index(path).map_err(|error| describe(&error));
        loaded.insert(path.to_path_buf(), outcome.clone());
        outcome
    }

    fn read_index(path: &Path) -> Result<Self, ReadError> {
        let parts = IndexBuf::load(&mut File::open(path)?, KEY.get())?;
        let parts: &'static IndexBuf = Box::leak(Box::new(parts));
        let index = Box::leak(Box::new(parts.index()?));
        Ok(Self { path: Box::leak(path.to_path_buf().into_boxed_path()), parts, index })
    }

    /// Reads a file of the pak.
    pub fn read(&self, entry: &Entry<'_>) -> Result<Vec<u8>, String> {
        let open = || entry.read(&mut File::open(self.path)?, KEY.get(), LIMIT, standard_codec);
        open().map_err(|error| match &error {
            ReadError::Pak(inner) if is_unsupported(inner) => {
                format!("the compression method of this file is not supported: {}", method(entry))
            }
            _ => describe(&error),
        })
    }
}

fn is_unsupported(error: &Error) -> bool {
    *error.kind() == ErrorKind::Codec(CodecError::Unsupported)
}

/// Returns the name of a compression method, as `show` prints it.
pub fn method(entry: &Entry<'_>) -> String {
    use gamewire::unreal::compression::Method;
    match entry.method {
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

/// Returns `true` if a path leads to a regular file that ends with the footer of a pak.
pub fn is_pak(path: &Path) -> bool {
    let read = || {
        let len = fs::metadata(path).ok().filter(fs::Metadata::is_file)?.len();
        let mut file = File::open(path).ok()?;
        file.seek(SeekFrom::Start(len.saturating_sub(Footer::MAX_SIZE as u64))).ok()?;
        let mut tail = Vec::new();
        file.take(Footer::MAX_SIZE as u64).read_to_end(&mut tail).ok()?;
        Some(Footer::is_pak(&tail))
    };
    read().unwrap_or_default()
}

/// A file in a pak, as the command line names it.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    pak: &'a Path,
    inside: &'a str,
}

impl<'a> Member<'a> {
    /// Splits a path such as `game.pak:Content/Hero.uasset`. Returns `None` if the whole path
    /// exists, or if no part before a colon is the path of a pak.
    pub fn of(path: &'a Path) -> Option<Self> {
        let text = path.to_str().filter(|text| text.contains(':'))?;
        if path.exists() {
            return None;
        }
        let mut colons = text.match_indices(':');
        let split = |at| Some((Path::new(text.get(..at)?), text.get(at..)?.get(1..)?));
        let parts = colons.find_map(|(at, _)| split(at).filter(|(pak, _)| is_pak(pak)));
        parts.map(|(pak, inside)| Self { pak, inside })
    }

    fn entry(self) -> Result<(Pak, Entry<'static>), String> {
        let pak = Pak::load(self.pak)?;
        match pak.index.find(self.inside) {
            Some(Ok(entry)) if entry.is_deleted => {
                Err("this pak only removes the file from an earlier pak".into())
            }
            Some(Ok(entry)) => Ok((pak, entry)),
            Some(Err(error)) => Err(describe(&error.into())),
            None => {
                let name = escaped(self.pak.display());
                Err(format!(
                    "the pak has no such file: `gamewire show --full {name}` lists its files"
                ))
            }
        }
    }

    /// Returns `true` if the pak has the file, rather than only removing it from an earlier pak.
    pub fn exists(self) -> bool {
        self.entry().is_ok()
    }

    /// Returns the size of the file in bytes.
    pub fn len(self) -> Option<u64> {
        self.entry().ok().map(|(_, entry)| entry.size)
    }

    /// Reads the file.
    pub fn read(self) -> Result<Vec<u8>, String> {
        let (pak, entry) = self.entry()?;
        pak.read(&entry)
    }
}
