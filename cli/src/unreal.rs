//! Unreal packages and saves: their output for `show`, `json`, `get` and `check`, and the commands
//! of `gamewire unreal`.

mod check;
mod deps;
mod engines;
mod get;
mod json;
mod mappings;
mod package_references;
mod select;
mod show;
mod unread;

pub use check::check;
pub use deps::run as deps;
pub use get::get;
pub use json::print;
pub use mappings::MappingsPath;
pub use show::show;

use crate::args::{Unreal, UnrealCommand, UnrealSource};
use crate::detected_input::{self, has_extension};
use crate::ui::budget::{self, Reserved};
use crate::ui::input::{self, Input, Stop};
use crate::ui::report;
use crate::ui::text::{Offset, escaped};
use gamewire::unreal::compression::{
    CodecError, CompressedPackage, DECOMPRESSED_LIMIT, standard_codec,
};
use gamewire::unreal::{Error, ErrorKind, Package, PartialDocument, Problem, Save, Versions};
use std::fmt::{self, Display};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;

/// Runs a command that exists only for packages. Returns `true` if all files could be processed.
pub fn run(args: &Unreal, out: &mut impl Write) -> io::Result<bool> {
    match &args.command {
        UnrealCommand::Deps(args) => deps(args, out),
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
    /// The decompressed content of a package whose whole content is compressed, or the error of the
    /// decompression; `None` for other files.
    decompressed: Option<Result<Vec<u8>, Error>>,
    /// Keeps memory for the decompressed content reserved until this value is dropped.
    _reserved: Option<Reserved>,
    exports: Option<Vec<u8>>,
    engine: Option<Versions>,
    /// The mappings for properties without tags.
    mappings: Option<&'static mappings::Loaded>,
    /// Extensions and sizes of the companion files.
    beside: Vec<(&'static str, u64)>,
}

/// An opened file.
#[allow(clippy::large_enum_variant, reason = "one at a time")]
pub enum Opened<'a> {
    Package(Package<'a>),
    Save(Save<'a>),
}

const IS_COMPANION: &str =
    "part of a package: name the file beside it that ends in .uasset or .umap";

impl Files {
    /// Loads a package with its companion files, or a save. Returns the bytes of any other file.
    /// `source` has the version of an unversioned package and the mappings. Fails for a companion
    /// file, and if the `.uexp` or the mappings exist but cannot be read.
    pub fn load(
        input: Input<'_>,
        bytes: Vec<u8>,
        source: UnrealSource,
    ) -> Result<Result<Self, Vec<u8>>, Stop> {
        let (path, engine) = (input.path(), source.engine.map(|Supplied(versions)| versions));
        let files = match Package::is_package(&bytes) {
            _ if Save::is_save(&bytes) => return Ok(Ok(Self::alone(bytes, engine))),
            true if input.is_stdin() => Self::alone(bytes, engine),
            true => Self::with_companions(path, bytes, engine)?,
            false if is_companion(path) => return Err(Stop::input(IS_COMPANION)),
            false => return Ok(Err(bytes)),
        };
        let mut files = files.decompressed();
        if files.wants_mappings() {
            files.mappings = match source.mappings {
                Some(path) => Some(mappings::given(path)?),
                None if input.is_stdin() => None,
                None => mappings::beside(path),
            };
            files.engine = files.engine.or(files.mappings.and_then(|loaded| loaded.versions));
        }
        Ok(Ok(files))
    }

    fn alone(header: Vec<u8>, engine: Option<Versions>) -> Self {
        Self {
            header,
            decompressed: None,
            _reserved: None,
            exports: None,
            engine,
            mappings: None,
            beside: Vec::new(),
        }
    }

    fn with_companions(
        path: &Path,
        header: Vec<u8>,
        engine: Option<Versions>,
    ) -> Result<Self, Stop> {
        let exports = path.with_extension("uexp");
        let exports = match exports.symlink_metadata() {
            Ok(_) => Some(input::read_regular(&exports).map_err(|error| {
                Stop::unreadable(format_args!("{}: {error}", escaped(exports.display())))
            })?),
            Err(_) => None,
        };
        let size = |end| fs::metadata(path.with_extension(end)).ok().map(|file| (end, file.len()));
        let beside = Package::COMPANIONS.into_iter().filter_map(size).collect();
        Ok(Self { exports, beside, ..Self::alone(header, engine) })
    }

    /// Decompresses the package if its whole content is compressed.
    fn decompressed(mut self) -> Self {
        let package = CompressedPackage::open(&self.header, self.engine).transpose();
        self.decompressed = package.map(|package| {
            let package = package?;
            let size = package.size().min(DECOMPRESSED_LIMIT as u64);
            self._reserved = Some(budget::DECOMPRESSED.reserve(size));
            package.decompress(DECOMPRESSED_LIMIT, standard_codec)
        });
        self
    }

    pub fn open(&self) -> Result<Opened<'_>, Error> {
        let header = match &self.decompressed {
            None => &self.header,
            Some(Ok(bytes)) => bytes,
            Some(Err(error)) => return Err(*error),
        };
        match Save::is_save(header) {
            true => Save::open(header).map(Opened::Save),
            false => Package::open_as(header, self.exports.as_deref(), self.engine)
                .map(|package| Opened::Package(self.with_mappings(package).with_name_index())),
        }
    }

    fn with_mappings<'a>(&self, package: Package<'a>) -> Package<'a> {
        match self.mappings {
            Some(loaded) => package.with_mappings(&loaded.mappings),
            None => package,
        }
    }

    /// Returns `true` for a package whose properties have no tags, or whose version is not known.
    fn wants_mappings(&self) -> bool {
        match self.open() {
            Ok(Opened::Package(package)) => package.layout().unversioned_properties,
            Ok(Opened::Save(_)) => false,
            Err(error) => *error.kind() == ErrorKind::NeedsVersion,
        }
    }

    /// Returns the document of a file that cannot be opened: it contains the readable part and the
    /// error.
    pub fn unopened(&self, error: Error) -> PartialDocument<'_> {
        PartialDocument { file: &self.header, supplied: self.engine, error }
    }

    /// Returns the size in bytes of the file and its `.uexp`.
    pub fn size(&self) -> usize {
        self.header.len().saturating_add(self.exports.as_ref().map_or(0, Vec::len))
    }
}

/// Returns the number of bytes that are read for a file: its own, and those of its `.uexp`.
pub fn size_on_disk(path: &Path) -> u64 {
    let size = |path: &Path| fs::metadata(path).map_or(0, |file| file.len());
    size(path).saturating_add(size(&path.with_extension("uexp")))
}

/// Returns `true` if the extension of the file is that of a companion file.
fn is_companion(path: &Path) -> bool {
    has_extension(path, Package::COMPANIONS)
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
                f.write_str("(gamewire decompresses zlib, LZ4, Zstandard and Brotli, but not gzip, LZO or Oodle)")
            }
            // The error is about an offset that the package contains. The error does not know the
            // position of this offset, so no position is printed.
            kind @ ErrorKind::BadOffset(_) if error.offset() == 0 => kind.fmt(f),
            kind => write!(f, "offset {}: {kind}", Offset(error.offset())),
        }
    }
}

/// Reports a problem of a package: a gap as a warning, any other problem as an error.
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
