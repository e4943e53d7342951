//! The names of objects of C++ code, for packages from `IoStore` containers. The names are created
//! once for each set of mappings, and stay in memory until the program ends.

use super::Refusal;
use super::mappings::Loaded;
use crate::ui::input::{self, Stop};
use crate::ui::text::escaped;
use clap::builder::{PathBufValueParser, TypedValueParser};
use gamewire::unreal::{ScriptNames, ScriptObjects};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::{Mutex, PoisonError};

/// The path of a table of script objects from the command line.
#[derive(Clone, Copy, Debug)]
pub struct ScriptObjectsPath(&'static Path);

impl From<PathBuf> for ScriptObjectsPath {
    fn from(path: PathBuf) -> Self {
        Self(Box::leak(path.into_boxed_path()))
    }
}

impl ScriptObjectsPath {
    /// Returns the parser for the command line.
    pub fn parser() -> impl TypedValueParser<Value = Self> {
        PathBufValueParser::new().map(Self::from)
    }
}

/// The mappings for which names were created, and these names.
type Created = (Option<&'static Loaded>, &'static ScriptNames<'static>);

/// All names that were created so far.
static CREATED: Mutex<Vec<Created>> = Mutex::new(Vec::new());

/// Returns the names from the mappings and from the table given on the command line.
pub fn names(
    mappings: Option<&'static Loaded>,
    objects: Option<ScriptObjectsPath>,
) -> Result<&'static ScriptNames<'static>, Stop> {
    let mut created = CREATED.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |other: Option<&'static Loaded>| match (mappings, other) {
        (Some(mappings), Some(other)) => ptr::eq(mappings, other),
        (None, None) => true,
        _ => false,
    };
    if let Some((_, names)) = created.iter().find(|(other, _)| same(*other)) {
        return Ok(names);
    }
    let objects = objects.map(load).transpose()?;
    let names = ScriptNames::new(mappings.map(|loaded| &loaded.mappings), objects);
    let names: &'static _ = Box::leak(Box::new(names));
    created.push((mappings, names));
    Ok(names)
}

fn load(path: ScriptObjectsPath) -> Result<&'static ScriptObjects<'static>, Stop> {
    let ScriptObjectsPath(path) = path;
    let unreadable =
        |problem: &str| Stop::unreadable(format_args!("{}: {problem}", escaped(path.display())));
    let bytes = input::read_regular(path).map_err(|problem| unreadable(&problem))?;
    let objects = ScriptObjects::open(Vec::leak(bytes)).map_err(|error| {
        unreadable(&format!("not a table of script objects: {}", Refusal(&error)))
    })?;
    Ok(Box::leak(Box::new(objects.with_name_index())))
}
