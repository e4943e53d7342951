//! Packages and saves of Unreal Engine: their part of the commands `show`, `check`, `json`,
//! `encode`, `get`, `set` and `diff`, and the commands of `gamewire unreal`.

pub mod archives;
mod check;
mod declarations;
mod deps;
mod diff;
mod edit_value;
mod encode;
mod engines;
mod get;
mod json;
pub mod locres;
mod mappings;
mod package_references;
mod problems;
pub mod registry;
mod script_names;
mod select;
mod set;
mod show;
mod types;
mod unread;
mod wrapping;
mod zen;

pub use check::check;
pub use declarations::Declarations;
pub use deps::run as deps;
pub use diff::diff;
pub use encode::encode;
pub use get::get;
pub use json::print;
pub use mappings::MappingsPath;
pub use script_names::ScriptObjectsPath;
pub use set::set;
pub use show::show;
pub use types::Types;

use crate::args::{Unreal, UnrealCommand, UnrealSource};
use crate::detected_input::{self, has_extension};
use crate::ui::budget::Reserved;
use crate::ui::file_output;
use crate::ui::input::{self, Input, Stop};
use crate::ui::report;
use crate::ui::text::{Offset, escaped};
use gamewire::unreal::compression::CodecError;
use gamewire::unreal::edit::WrittenPackage;
use gamewire::unreal::mappings::PackageTypes;
use gamewire::unreal::wrapper::{self, Wrapping};
use gamewire::unreal::{
    Error, ErrorKind, Mappings, Package, PartialDocument, Problem, Save, ScriptNames, Versions,
    ZenPackage,
};
use std::fmt::{self, Display};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::str::FromStr;

/// Runs a command that exists only for packages and saves. Returns `true` if all files could be
/// processed.
pub fn run(args: &Unreal, out: &mut impl Write) -> io::Result<bool> {
    match &args.command {
        UnrealCommand::Deps(args) => deps(args, out),
        UnrealCommand::Extract(args) => archives::extract(args, out),
        UnrealCommand::Types(args) => types::run(args, out),
        UnrealCommand::Unwrap(args) => wrapping::unwrap(args, out),
        UnrealCommand::Wrap(args) => wrapping::wrap(args, out),
    }
}

/// An engine version from the command line, for unversioned packages.
#[derive(Clone, Copy, Debug)]
pub struct Supplied(Versions);

impl FromStr for Supplied {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // Rust's `parse` would accept a leading `+`.
        let number = |part: &str| part.parse().ok().filter(|_| !part.starts_with('+'));
        let parts = text.split_once('.').map(|(major, minor)| (number(major), number(minor)));
        let versions = parts.and_then(|(major, minor)| Versions::of_engine(major?, minor?));
        versions.map(Self).ok_or("engines are 4.0 to 4.27 and 5.0 to 5.8")
    }
}

/// A package with its companion files, or a save.
pub struct Files {
    header: Vec<u8>,
    /// The content of a wrapped save or package. Contains the error instead if the file is a
    /// compressed package that could not be decompressed. `None` for files without a wrapper.
    unwrapped: Option<Result<Content, Error>>,
    exports: Option<Vec<u8>>,
    engine: Option<Versions>,
    /// Types of structs in containers.
    types: Types,
    /// The mappings for properties without tags.
    mappings: Option<&'static mappings::Loaded>,
    /// The names of objects of C++ code, for a package from an `IoStore` container.
    names: Option<&'static ScriptNames<'static>>,
    /// The mappings, extended by the types that this package and other packages declare.
    extended: Option<&'static Mappings<'static>>,
    /// Extensions and sizes of the companion files.
    beside: Vec<(&'static str, u64)>,
}

/// The content of a file that is wrapped in headers or compressed.
struct Content {
    bytes: Vec<u8>,
    wrapping: Wrapping,
    /// Keeps memory for the content reserved until this value is dropped.
    _reserved: Reserved,
}

/// An opened file.
#[allow(clippy::large_enum_variant, reason = "one at a time")]
pub enum Opened<'a> {
    Package(Package<'a>),
    Save(Save<'a>),
    /// A package from an `IoStore` container.
    Zen(ZenPackage<'a>),
}

const IS_COMPANION: &str =
    "part of a package: name the file beside it that ends in .uasset or .umap";

impl Files {
    /// Loads a package with its companion files, or a save. Either can be in the wrapper of a game.
    /// Returns the bytes of any other file. `engine` is the version of an unversioned package.
    /// Fails if the file is a companion file, if the `.uexp` exists but cannot be read, or if the
    /// wrapper is damaged or not supported.
    pub fn load(
        input: Input<'_>,
        bytes: Vec<u8>,
        source: UnrealSource,
    ) -> Result<Result<Self, Vec<u8>>, Stop> {
        let engine = source.engine.map(|Supplied(versions)| versions);
        let mut files = match Self::read(input, bytes, engine)? {
            Ok(files) => Self { types: source.types.unwrap_or_default(), ..files },
            Err(bytes) => return Ok(Err(bytes)),
        };
        if files.wants_mappings() {
            files.mappings = match source.mappings {
                Some(path) => Some(mappings::given(path)?),
                None if input.is_stdin() => None,
                None => mappings::beside(input.path()),
            };
        }
        if files.is_zen() {
            files.names = Some(script_names::names(files.mappings, source.script_objects)?);
        }
        files.extended = declarations::extended(&files, input, source.declarations)?;
        Ok(Ok(files))
    }

    /// Reads a package with its companion files, or a save, without mappings.
    fn read(
        input: Input<'_>,
        bytes: Vec<u8>,
        engine: Option<Versions>,
    ) -> Result<Result<Self, Vec<u8>>, Stop> {
        let path = input.path();
        let unwrapped = wrapping::content(input, &bytes, engine)?;
        let content = match &unwrapped {
            Some(Ok(content)) => &content.bytes,
            _ => &bytes,
        };
        let files = match Package::is_package(content) {
            _ if Save::is_save(content) => Self::alone(bytes, engine),
            true if input.is_stdin() => Self::alone(bytes, engine),
            true => Self::with_companions(path, bytes, engine)?,
            false if ZenPackage::is_zen(content) => Self::alone(bytes, engine),
            false if is_companion(path) => return Err(Stop::input(IS_COMPANION)),
            false => return Ok(Err(bytes)),
        };
        Ok(Ok(Self { unwrapped, ..files }))
    }

    /// Returns the mappings for properties without tags, before they are extended.
    fn base_mappings(&self) -> Option<&'static Mappings<'static>> {
        match self.names {
            Some(names) => names.mappings(),
            None => Some(&self.mappings?.mappings),
        }
    }

    /// Returns the types that the package declares, and those that it needs from other packages. If
    /// the package does not state its name, the name is empty. Returns `None` for a save, or if the
    /// package cannot be opened.
    fn package_types(&self) -> Option<PackageTypes> {
        match self.open().ok()? {
            Opened::Package(package) => Some(package.package_types("")),
            Opened::Zen(package) => Some(package.package_types()),
            Opened::Save(_) => None,
        }
    }

    fn alone(header: Vec<u8>, engine: Option<Versions>) -> Self {
        Self {
            header,
            unwrapped: None,
            exports: None,
            engine,
            types: Types::default(),
            mappings: None,
            names: None,
            extended: None,
            beside: Vec::new(),
        }
    }

    fn with_companions(
        path: &Path,
        header: Vec<u8>,
        engine: Option<Versions>,
    ) -> Result<Self, Stop> {
        let exports = path.with_extension("uexp");
        let exports = match input::exists(&exports) {
            true => Some(input::read_regular(&exports).map_err(|error| {
                Stop::unreadable(format_args!("{}: {error}", escaped(exports.display())))
            })?),
            false => None,
        };
        let size = |end| Input::new(&path.with_extension(end)).size().map(|size| (end, size));
        let beside = Package::COMPANIONS.into_iter().filter_map(size).collect();
        Ok(Self { exports, beside, ..Self::alone(header, engine) })
    }

    /// Returns the bytes of the save or package, without a wrapper.
    fn content(&self) -> Result<&[u8], Error> {
        match &self.unwrapped {
            None => Ok(&self.header),
            Some(Ok(content)) => Ok(&content.bytes),
            Some(Err(error)) => Err(*error),
        }
    }

    /// Returns what the file is wrapped in, if anything.
    pub fn wrapping(&self) -> Option<&Wrapping> {
        let content = self.unwrapped.as_ref()?.as_ref().ok()?;
        Some(&content.wrapping)
    }

    /// Returns `true` for a package from an `IoStore` container.
    fn is_zen(&self) -> bool {
        self.content().is_ok_and(is_zen)
    }

    fn open_zen(&self) -> Result<ZenPackage<'_>, Error> {
        let package = ZenPackage::open_as(self.content()?, self.engine)?;
        let package = match self.names {
            Some(names) => package.with_script_names(names),
            None => package,
        };
        let package = match self.extended {
            Some(extended) => package.with_mappings(extended),
            None => package,
        };
        Ok(package.with_index().with_hints(self.types.hints()))
    }

    pub fn open(&self) -> Result<Opened<'_>, Error> {
        let header = self.content()?;
        if is_zen(header) {
            return self.open_zen().map(Opened::Zen);
        }
        match Save::is_save(header) {
            true => {
                Save::open(header).map(|save| Opened::Save(save.with_hints(self.types.hints())))
            }
            false => {
                Package::open_as(header, self.exports.as_deref(), self.versions()).map(|package| {
                    let package = self.with_mappings(package).with_name_index();
                    Opened::Package(package.with_hints(self.types.hints()))
                })
            }
        }
    }

    /// Returns the versions with which a package is read that does not state its own.
    fn versions(&self) -> Option<Versions> {
        self.engine.or_else(|| self.mappings?.versions)
    }

    fn with_mappings<'a>(&self, package: Package<'a>) -> Package<'a> {
        match (self.extended, self.mappings) {
            (Some(extended), _) => package.with_mappings(extended),
            (None, Some(loaded)) => package.with_mappings(&loaded.mappings),
            (None, None) => package,
        }
    }

    /// Returns `true` for a package whose properties have no tags, or whose version is not known.
    fn wants_mappings(&self) -> bool {
        match self.open() {
            Ok(Opened::Package(package)) => package.layout().unversioned_properties,
            Ok(Opened::Zen(package)) => package.layout().unversioned_properties,
            Ok(Opened::Save(_)) => false,
            Err(error) => *error.kind() == ErrorKind::NeedsVersion,
        }
    }

    /// Returns the document of a file that cannot be opened. The document contains the readable
    /// part of the file, and the error.
    pub fn unopened(&self, error: Error) -> PartialDocument<'_> {
        let file = self.content().unwrap_or(&self.header);
        PartialDocument { file, supplied: self.versions(), error }
    }

    /// Puts the wrapper of this file, if it has one, around changed content.
    pub fn wrap(&self, name: &str, content: Vec<u8>) -> Result<Vec<u8>, Stop> {
        match self.wrapping() {
            Some(wrapping) => wrapping::rewrap(name, wrapping, &content, &self.header),
            None => Ok(content),
        }
    }

    /// Returns the member `wrapper` of the document: the layers of the wrapper, and what is needed
    /// to write the same file again. Returns `None` if the file has no wrapper.
    fn wrapper_document(&self) -> Option<wrapper::Document> {
        let wrapping = self.wrapping()?.clone();
        Some(wrapper::Document::new(wrapping, &self.header))
    }

    /// Returns the size in bytes of the file and its `.uexp`.
    pub fn size(&self) -> usize {
        self.header.len().saturating_add(self.exports.as_ref().map_or(0, Vec::len))
    }
}

/// Returns `true` if the bytes are a package or a save, with or without a wrapper. `is_other` is
/// `true` if the command line states a different format.
pub fn is_file(bytes: &[u8], is_other: bool) -> bool {
    let is_plain = || Package::is_package(bytes) || Save::is_save(bytes) || is_zen(bytes);
    !is_other && (wrapping::is_wrapped(bytes) || is_plain())
}

/// Returns `true` for a package from an `IoStore` container. Such a package has no magic number, so
/// other formats are ruled out first.
fn is_zen(bytes: &[u8]) -> bool {
    !Package::is_package(bytes) && !Save::is_save(bytes) && ZenPackage::is_zen(bytes)
}

/// Writes a package or save to a file, and the `.uexp` of a package beside it. Without a file,
/// writes to standard output, which can hold one file only. Returns `false` after an error.
pub fn write_files(
    name: &str,
    written: &WrittenPackage,
    to: Option<Input<'_>>,
    out: &mut impl Write,
) -> io::Result<bool> {
    let to = to.filter(|to| !to.is_stdin());
    match (to, &written.exports) {
        (None, Some(_)) => {
            report::error(name, "the package has two files: name the first one with -o");
            Ok(false)
        }
        (None, None) if io::stdout().is_terminal() => {
            report::binary_on_terminal();
            Ok(false)
        }
        (None, None) => out.write_all(&written.header).map(|()| true),
        (Some(to), None) => Ok(file_output::write_or_report(to, &written.header)),
        (Some(to), Some(exports)) => {
            let beside = to.path().with_extension("uexp");
            Ok(file_output::write_or_report(Input::new(&beside), exports)
                && file_output::write_or_report(to, &written.header))
        }
    }
}

/// Returns the total size in bytes of a file and its `.uexp`, which are both read.
pub fn size_on_disk(path: &Path) -> u64 {
    let size = |path: &Path| Input::new(path).size().unwrap_or(0);
    size(path).saturating_add(size(&path.with_extension("uexp")))
}

/// Returns `true` if the extension of the file is that of a companion file.
fn is_companion(path: &Path) -> bool {
    has_extension(path, Package::COMPANIONS)
}

/// The versions that a file states, and the versions by which it is read. They differ if the engine
/// of a licensee wrote the file.
pub struct Stated(pub Versions, pub Versions);

impl Display for Stated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(stated, read_as) = self;
        match stated.built_on() == *stated {
            true => read_as.fmt(f),
            false => write!(f, "{stated} of a licensee, read as {read_as}"),
        }
    }
}

/// An error about a package or save, printed with advice.
pub struct Refusal<'e>(pub &'e Error);

impl Display for Refusal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(error) = self;
        match error.kind() {
            ErrorKind::NeedsVersion => {
                write!(f, "{} (as in --unreal-version 5.4)", error.kind())
            }
            ErrorKind::Codec(CodecError::Unsupported) => {
                write!(f, "offset {}: {} ", Offset(error.offset()), error.kind())?;
                f.write_str(
                    "(gamewire decompresses zlib, LZ4, Zstandard and Brotli, but not gzip, LZO \
 or Oodle)",
                )
            }
            // The error is about an offset that the package contains. The error does not know the
            // position of this offset, so no position is printed.
            kind @ ErrorKind::BadOffset(_) if error.offset() == 0 => kind.fmt(f),
            kind => write!(f, "offset {}: {kind}", Offset(error.offset())),
        }
    }
}

/// Reports a problem of a package. A gap between tables is a warning, and any other problem is an
/// error.
fn report_problem(name: &str, problem: &Problem) {
    let text = format_args!("{}: {}", problem.table, Refusal(&problem.error));
    match problem.is_gap() {
        true => report::warning(name, text),
        false => report::error(name, text),
    }
}

/// The hint for a package whose exports are in a separate file that is missing.
const LACKS_EXPORTS: &str = "its exports are in a .uexp, which is not beside it";

/// Returns `true` if the extension of the file is that of a package or save.
pub fn is_package(path: &Path) -> bool {
    has_extension(path, extensions())
}

/// Returns a description of the files for which folders are searched.
pub fn sought() -> String {
    detected_input::describe_extensions("packages or saves", extensions())
}

fn extensions() -> impl Iterator<Item = &'static str> {
    Package::EXTENSIONS.into_iter().chain([Save::EXTENSION])
}
