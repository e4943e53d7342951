//! Types that other packages declare: the classes of blueprints, and the structs and enums that
//! users define. These packages are looked for near the package that needs them, or in its archive.

mod places;

use super::mappings::Loaded;
use super::{Files, archives};
use crate::ui::input::{Input, Stop};
use crate::ui::report;
use crate::ui::text::escaped;
use clap::builder::PathBufValueParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use gamewire::unreal::mappings::{PackageTypes, TypePath};
use gamewire::unreal::{Mappings, PackageDocument, ScriptNames, Versions};
use places::Places;
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

/// The paths given with `--declarations`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Declarations(&'static [PathBuf]);

const OPTION: &str = "declarations";

/// Implemented by hand, because clap's derive stores repeated options in a `Vec`, which is not
/// `Copy`.
impl Args for Declarations {
    fn augment_args(command: Command) -> Command {
        let option = Arg::new(OPTION)
            .long(OPTION)
            .value_name("FILE")
            .action(ArgAction::Append)
            .value_parser(PathBufValueParser::new())
            .help(
                "Unreal package that declares classes, structs or enums of other packages; can be \
                 repeated [default: packages near the file or in its archive]",
            )
            .long_help(
                "Unreal package that declares classes, structs or enums of other packages; can be \
                 repeated [default: packages near the file or in its archive]\n\n\
                 Properties without tags need the types that other packages declare, such as the \
                 class of a blueprint.",
            );
        command.arg(option)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Declarations {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let paths = matches.get_many::<PathBuf>(OPTION).into_iter().flatten();
        Ok(Self(paths.cloned().collect::<Vec<_>>().leak()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Maximum size of a package that is searched for declarations, in bytes.
const MAX_SIZE: u64 = 1 << 28;

/// Maximum number of types that a hint names.
const NAMED: usize = 3;

/// Extends the mappings of a package by the types that it declares, and by the types that it needs
/// from other packages. Prints a hint that names the types that are not found. The extended
/// mappings stay in memory until the program ends. Returns `None` if there are no mappings or no
/// such types, or if the file is a save or cannot be opened. Fails if a file given with
/// `--declarations` cannot be read as a package.
pub fn extended(
    files: &Files,
    input: Input<'_>,
    given: Declarations,
) -> Result<Option<&'static Mappings<'static>>, Stop> {
    let Some(base) = files.base_mappings() else { return Ok(None) };
    let Some(own) = files.package_types() else { return Ok(None) };
    let (engine, mappings, names) = (files.versions(), files.mappings, files.names);
    extended_by(Reader { base, engine, mappings, names }, input, own, given)
}

/// Extends the mappings for the package in a document, as [`extended`] does. Looks for the other
/// packages near `input`.
pub fn extended_for(
    document: &PackageDocument,
    loaded: &'static Loaded,
    input: Input<'_>,
    given: Declarations,
) -> Result<&'static Mappings<'static>, Stop> {
    let base = &loaded.mappings;
    let Ok(package) = document.package() else { return Ok(base) };
    let package = package.with_mappings(base).with_name_index();
    let engine = Some(package.layout().versions);
    let reader = Reader { base, engine, mappings: Some(loaded), names: None };
    let extended = extended_by(reader, input, package.package_types(""), given)?;
    Ok(extended.unwrap_or(base))
}

fn extended_by(
    reader: Reader,
    input: Input<'_>,
    own: PackageTypes,
    given: Declarations,
) -> Result<Option<&'static Mappings<'static>>, Stop> {
    let search = Search::new(reader, input, &own, given)?;
    let (found, missing) = PackageTypes::find_all(Arc::new(own), |of| search.find(of));
    hint(&missing, &input.name());
    let types = PackageTypes::combine(&found);
    if types.structs.is_empty() && types.enums.is_empty() {
        return Ok(None);
    }
    let extended = reader.base.extended(Vec::leak(types.write())).ok();
    Ok(extended.map(|extended| &*Box::leak(Box::new(extended))))
}

/// Reads the types of other packages, with the mappings and the engine version of the package that
/// needs them.
#[derive(Clone, Copy)]
struct Reader {
    base: &'static Mappings<'static>,
    engine: Option<Versions>,
    mappings: Option<&'static Loaded>,
    names: Option<&'static ScriptNames<'static>>,
}

/// The types of a package, or the reason why it cannot be read.
type Outcome = Result<Arc<PackageTypes>, String>;

/// The outcomes of [`Reader::read`], keyed by the path of the package and the address of the
/// mappings.
static READ: Mutex<BTreeMap<(PathBuf, usize), Outcome>> = Mutex::new(BTreeMap::new());

/// The files that have been named in a note.
static NAMED_IN_NOTES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

impl Reader {
    /// Reads the types of a package, or returns the outcome of an earlier call.
    fn read(self, path: &Path) -> Outcome {
        let key = (path.to_path_buf(), ptr::from_ref(self.base).addr());
        let mut all = READ.lock().unwrap_or_else(PoisonError::into_inner);
        let outcome = all.entry(key).or_insert_with(|| self.read_again(path).map(Arc::new));
        outcome.clone()
    }

    fn read_again(self, path: &Path) -> Result<PackageTypes, String> {
        let input = Input::new(path);
        if input.size().is_some_and(|size| size > MAX_SIZE) {
            return Err("the package has more than 256 MiB".into());
        }
        let bytes = archives::load(input).map_err(|stop| stop.to_string())?;
        let read = Files::read(input, bytes, self.engine).map_err(|stop| stop.to_string())?;
        let read = read.map_err(|_| NO_PACKAGE)?;
        let names = self.names.filter(|_| read.is_zen());
        let files = Files { mappings: self.mappings, names, ..read };
        let mut types = files.package_types().ok_or(NO_PACKAGE)?;
        types.keep_declared();
        Ok(types)
    }
}

const NO_PACKAGE: &str = "not a package that can be read";

/// A search for types of other packages.
struct Search {
    reader: Reader,
    places: Option<Places>,
    /// The packages given with `--declarations`, and their paths.
    given: Vec<(PathBuf, Arc<PackageTypes>)>,
}

impl Search {
    fn new(
        reader: Reader,
        input: Input<'_>,
        own: &PackageTypes,
        Declarations(paths): Declarations,
    ) -> Result<Self, Stop> {
        let unreadable = |path: &Path, problem| {
            Stop::unreadable(format_args!("{}: {problem}", escaped(path.display())))
        };
        let given = paths.iter().map(|path| match reader.read(path) {
            Ok(types) => Ok((path.clone(), types)),
            Err(problem) => Err(unreadable(path, problem)),
        });
        let given = given.collect::<Result<_, _>>()?;
        let places = (!input.is_stdin()).then(|| Places::new(input.path(), &own.package));
        Ok(Self { reader, places, given })
    }

    /// Finds the package that declares a type, and prints a note that names its file.
    fn find(&self, of: &TypePath) -> Option<Arc<PackageTypes>> {
        let fits = |types: &PackageTypes| types.may_declare(of);
        let given = self.given.iter().find(|(_, types)| fits(types));
        let given = given.map(|(path, types)| (path.clone(), types.clone()));
        let (path, types) = given.or_else(|| {
            let mut paths = self.places.iter().flat_map(|places| places.of(&of.package));
            paths.find_map(|path| {
                let types = self.reader.read(&path).ok().filter(|types| fits(types))?;
                Some((path, types))
            })
        })?;
        let mut named = NAMED_IN_NOTES.lock().unwrap_or_else(PoisonError::into_inner);
        if named.insert(path.clone()) {
            let text = "properties are read with the types that this package declares";
            report::note(&escaped(relative(&path).display()), text);
        }
        // Packages below engine 5.0 do not state their name.
        let package = of.package.clone();
        Some(match types.package.is_empty() {
            true => Arc::new(PackageTypes { package, ..PackageTypes::clone(&types) }),
            false => types,
        })
    }
}

/// Prints a hint that names the types that were not found.
fn hint(missing: &[TypePath], name: &str) {
    let paths: Vec<_> = missing.iter().take(NAMED).map(escaped).collect();
    let more = match missing.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    if !paths.is_empty() {
        report::hint(format_args!(
            "{name} refers to types that are not known: {}{more}; if its properties cannot be \
                 read, give the files of these packages with --declarations FILE",
            paths.join(", ")
        ));
    }
}

/// Returns the path relative to the current folder, or the path itself if it is elsewhere.
fn relative(path: &Path) -> &Path {
    let folder = env::current_dir().unwrap_or_default();
    path.strip_prefix(folder).unwrap_or(path)
}
