//! Mappings (`.usmap`) for packages whose properties have no tags. They are loaded once, and stay in
//! memory until the program ends.

use super::Refusal;
use crate::detected_input::has_extension;
use crate::ui::input::{self, Stop};
use crate::ui::report;
use crate::ui::text::escaped;
use clap::builder::{PathBufValueParser, TypedValueParser};
use gamewire::unreal::compression::{DECOMPRESSED_LIMIT, standard_codec};
use gamewire::unreal::{Error, ErrorKind, Mappings, MappingsFile, Versions};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fs, path};

/// The path given with `--mappings`.
#[derive(Clone, Copy, Debug)]
pub struct MappingsPath(&'static Path);

impl From<PathBuf> for MappingsPath {
    fn from(path: PathBuf) -> Self {
        Self(Box::leak(path.into_boxed_path()))
    }
}

impl MappingsPath {
    /// Returns the parser for the command line.
    pub fn parser() -> impl TypedValueParser<Value = Self> {
        PathBufValueParser::new().map(Self::from)
    }
}

/// Loaded mappings.
#[derive(Debug)]
pub struct Loaded {
    pub mappings: Mappings<'static>,
    /// The versions of the packages that the mappings belong to, if the file states them.
    pub versions: Option<Versions>,
}

type Outcome = Result<&'static Loaded, String>;

/// The outcomes of loading, by path.
static LOADED: Mutex<BTreeMap<PathBuf, Outcome>> = Mutex::new(BTreeMap::new());

/// Loads the mappings that the command line names.
pub fn given(path: MappingsPath) -> Result<&'static Loaded, Stop> {
    let MappingsPath(path) = path;
    load(path, |_| ())
        .map_err(|problem| Stop::unreadable(format_args!("{}: {problem}", escaped(path.display()))))
}

/// Loads the only mappings file in the folder of a package or, if it has none, in the nearest
/// folder above that has some. Prints a note, warning or hint with the outcome, once for each file
/// or folder.
pub fn beside(package: &Path) -> Option<&'static Loaded> {
    let package = path::absolute(package).ok()?;
    let found = package.ancestors().skip(1).map(in_folder).find(|found| !found.is_empty())?;
    let [only] = &found[..] else {
        let folder = only_folder(&found);
        load(&folder, |_| {
            let folder = escaped(folder.display());
            report::hint(format_args!(
                "{folder} has several .usmap files: name one with --mappings"
            ));
        })
        .ok();
        return None;
    };
    let name = escaped(only.display());
    let told = |outcome: &Outcome| match outcome {
        Ok(_) => report::note(&name, "properties are read with these mappings"),
        Err(problem) => report::warning(&name, problem),
    };
    load(only, told).ok()
}

/// Returns the folder that contains all of these files.
fn only_folder(files: &[PathBuf]) -> PathBuf {
    files.first().and_then(|file| file.parent()).map(Path::to_path_buf).unwrap_or_default()
}

/// Returns the mappings files in a folder.
fn in_folder(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths.filter(|path| has_extension(path, [MappingsFile::EXTENSION]) && path.is_file()).collect()
}

/// Loads a file, or returns the outcome of an earlier call. Calls `told` for a new outcome.
fn load(path: &Path, told: impl FnOnce(&Outcome)) -> Outcome {
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(outcome) = loaded.get(path) {
        return outcome.clone();
    }
    let outcome = read(path);
    told(&outcome);
    loaded.insert(path.to_path_buf(), outcome.clone());
    outcome
}

fn read(path: &Path) -> Outcome {
    let bytes = input::read_regular(path)?;
    open(Vec::leak(bytes)).map_err(|error| match error.kind() {
        ErrorKind::BadMark { .. } if error.offset() == 0 => {
            "not mappings: the file does not begin with the bytes c4 30".into()
        }
        _ => Refusal(&error).to_string(),
    })
}

fn open(bytes: &'static [u8]) -> Result<&'static Loaded, Error> {
    let file = MappingsFile::open(bytes)?;
    let mappings = match file.stored() {
        Some(_) => Mappings::open(bytes)?,
        None => {
            let body = file.decompress(DECOMPRESSED_LIMIT, standard_codec)?;
            Mappings::of_body(&file, Vec::leak(body))?
        }
    };
    let versions = file.package_versions();
    Ok(Box::leak(Box::new(Loaded { mappings, versions })))
}
