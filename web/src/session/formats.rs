//! Opens formats other than values of Godot, and finds out which other files they need.

use crate::config::Config;
use crate::listing::Listed;
use crate::place::{Fault, Source};
use crate::rems::Rems;
use crate::unreal::{Unreal, fault};
use gamewire::recognise::Format;
use gamewire::unreal::compression::standard_codec;
use gamewire::unreal::wrapper::{self, Options, Wrapping};
use gamewire::unreal::{Error, Mappings, MappingsFile, Package, Versions, ZenPackage};

/// The password, files and choices that opening a file can need besides its bytes.
#[derive(Default)]
pub struct Extras {
    pub password: Option<String>,
    /// The file with the exports of a package, with its name.
    pub exports: Option<(String, Vec<u8>)>,
    /// The name of that file, after its bytes were taken.
    pub exports_name: Option<String>,
    pub mappings: Option<Loaded>,
    /// The engine that the user has chosen for a package that does not state its version.
    pub engine: Option<Engine>,
}

/// The major and minor version of an engine.
pub type Engine = (u16, u16);

/// Another file that is needed to show everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    Exports,
    Mappings,
}

/// A source, and the file that it lacks.
pub struct Opened {
    pub source: Box<dyn Source>,
    pub needs: Option<Needs>,
    pub engines: Option<(Engine, Vec<Engine>)>,
    /// The versions that the file does not state.
    pub versions: Option<Versions>,
}

/// Mappings, with the versions of the packages that they belong to.
#[derive(Clone, Copy)]
pub struct Loaded {
    mappings: &'static Mappings<'static>,
    versions: Option<Versions>,
}

/// Maximum size of decompressed mappings, in bytes.
const LIMIT: usize = 1 << 28;

impl Extras {
    pub fn add(&mut self, name: &str, file: Vec<u8>) -> Result<(), Fault> {
        match MappingsFile::is_mappings(&file) {
            true => self.mappings = Some(load(&file).map_err(fault)?),
            false => self.exports = Some((name.into(), file)),
        }
        Ok(())
    }
}

/// Loads mappings. They stay in memory until the page is closed, because every package borrows from
/// them.
fn load(file: &[u8]) -> Result<Loaded, Error> {
    let opened = MappingsFile::open(file)?;
    let body = opened.decompress(LIMIT, standard_codec)?;
    let mappings = Mappings::of_body(&opened, body.leak())?;
    Ok(Loaded { mappings: Box::leak(Box::new(mappings)), versions: opened.package_versions() })
}

/// Removes the wrapper of a game. Returns the content and the layers around it.
pub fn unwrap(file: &[u8]) -> Result<(Vec<u8>, Wrapping), Fault> {
    let opened = wrapper::unwrap(file, &Options::default());
    match opened.map_err(crate::unreal::fault)? {
        Some(mut opened) => {
            opened.wrapping.find_compressors(file);
            Ok((opened.bytes, opened.wrapping))
        }
        None => Err(Fault { text: "this wrapper is not known".into(), offset: 0 }),
    }
}

/// Appends the exports of a package to its tables, if they were given.
pub fn append_exports(file: &mut Vec<u8>, extras: &mut Extras) {
    let is_unversioned = Package::peek(file).0.is_unversioned();
    let ends = |versions| header_size(file, versions) == file.len();
    let is_first = match is_unversioned {
        true => engines().any(|(_, versions)| ends(Some(versions))),
        false => ends(None),
    };
    if let (true, Some((name, exports))) = (is_first, extras.exports.take()) {
        file.extend(exports);
        extras.exports_name = Some(name);
    }
}

/// Returns the size of the tables of a package, after which a second file begins.
pub fn header_size(content: &[u8], versions: Option<Versions>) -> usize {
    let package = Package::open_as(content, None, versions);
    let size = package.map_or(0, |package| package.summary().header_size());
    usize::try_from(size).unwrap_or(0).min(content.len())
}

/// Returns all engines, with the versions of their files.
fn engines() -> impl Iterator<Item = (Engine, Versions)> {
    [4, 5].into_iter().flat_map(|major| {
        (0..).map_while(move |minor| Some(((major, minor), Versions::of_engine(major, minor)?)))
    })
}

/// Returns the source for a format.
pub fn source(format: &Format, content: &[u8], extras: &Extras) -> Result<Opened, Fault> {
    let source: Box<dyn Source> = match format {
        Format::GodotConfig => Box::new(Config::new(content)),
        Format::Rems(_) => Box::new(Rems::new(content)),
        Format::UnrealPak => Box::new(Listed::Pak),
        Format::UnrealToc => Box::new(Listed::Container),
        Format::UnrealLocres => Box::new(Listed::Texts),
        Format::UnrealRegistry => Box::new(Listed::Registry),
        Format::UnrealMappings => {
            Box::new(Listed::Mappings(load(content).map_err(fault)?.mappings))
        }
        Format::UnrealSave => Box::new(Unreal::Save),
        Format::UnrealPackage => return Ok(package(content, extras)),
        Format::UnrealZenPackage => {
            let versions = extras.mappings.and_then(|loaded| loaded.versions);
            let mappings = extras.mappings.map(|loaded| loaded.mappings);
            let package = ZenPackage::open_as(content, versions).map_err(fault)?;
            let is_unversioned = package.layout().unversioned_properties;
            let needs = (is_unversioned && mappings.is_none()).then_some(Needs::Mappings);
            let source = Box::new(Unreal::Zen { versions, mappings });
            return Ok(Opened { source, needs, engines: None, versions });
        }
        format => {
            let text = format!("this is {}, which this page does not read yet", format.name());
            return Err(Fault { text, offset: 0 });
        }
    };
    Ok(Opened { source, needs: None, engines: None, versions: None })
}

fn package(content: &[u8], extras: &Extras) -> Opened {
    let stated = Package::peek(content).0;
    let mappings = extras.mappings.map(|loaded| loaded.mappings);
    let (mut versions, mut engines) = (None, None);
    if stated.is_unversioned() {
        let all: Vec<_> = engines_of(content);
        let loaded = extras.mappings.and_then(|loaded| loaded.versions);
        let is_loaded = |engine: &&Engine| {
            loaded.is_some() && Versions::of_engine(engine.0, engine.1) == loaded
        };
        let own = extras.engine.filter(|engine| all.contains(engine));
        let own = own.or_else(|| all.iter().find(is_loaded).copied()).or(all.last().copied());
        versions = own.and_then(|(major, minor)| Versions::of_engine(major, minor)).or(loaded);
        engines = own.map(|own| (own, all));
    }
    let opened = Package::open_as(content, None, versions);
    let needs = match opened {
        Ok(package) if package.lacks_exports() => Some(Needs::Exports),
        Ok(package) if package.layout().unversioned_properties && mappings.is_none() => {
            Some(Needs::Mappings)
        }
        _ => None,
    };
    Opened { source: Box::new(Unreal::Package { versions, mappings }), needs, engines, versions }
}

/// Returns the engines whose versions fit a package.
fn engines_of(content: &[u8]) -> Vec<Engine> {
    engines().filter(|(_, versions)| fits(content, *versions)).map(|(engine, _)| engine).collect()
}

/// Returns `true` if the tables can be read with these versions, and the exports follow one another.
fn fits(content: &[u8], versions: Versions) -> bool {
    let Ok(package) = Package::open_as(content, None, Some(versions)) else { return false };
    let mut end = i64::from(package.summary().header_size());
    let mut exports = package.exports();
    let follow = exports.all(|export| {
        let Ok(export) = export else { return false };
        let is_next = export.serial.offset == end;
        end = export.serial.offset.saturating_add(export.serial.size);
        is_next && package.name(export.object_name).is_some()
    });
    follow
        && package
            .imports()
            .all(|import| import.is_ok_and(|import| package.name(import.object_name).is_some()))
}
