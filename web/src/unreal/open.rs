//! Opens files of this family, and finds out which other files they need.

use super::listing::Listed;
use super::{Unreal, fault};
use crate::file::open::{
    Engine, Extras, Loaded, Needs, Opened, Second, Wrapped, Wrapper, format_name, sample,
};
use crate::file::place::{Fault, Source};
use crate::file::session::Session;
use gamewire::recognise::{Format, recognise_signature};
use gamewire::unreal::compression::standard_codec;
use gamewire::unreal::wrapper::{self, Options, Wrapping};
use gamewire::unreal::{Error, Mappings, MappingsFile, Package, Versions, ZenPackage};

/// A source, and what the file lacks.
struct Read {
    source: Box<dyn Source>,
    needs: Option<Needs>,
    engines: Option<(Engine, Vec<Engine>)>,
    /// The versions that the file does not state.
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

pub fn open(name: &str, mut file: Vec<u8>, extras: &mut Extras) -> Result<Opened, Fault> {
    let mut second = extras.exports_name.take();
    let (content, wrapped) = match recognise_signature(&sample(name, &file)) {
        Some(Format::UnrealWrappedSave | Format::UnrealCompressed) => unwrap(file)?,
        Some(Format::UnrealPackage) => {
            second = append_exports(&mut file, extras).or(second);
            (file, None)
        }
        _ => (file, None),
    };
    let format = recognise_signature(&sample(name, &content)).ok_or_else(|| Fault {
        text: "this is not a format that this page reads".into(),
        offset: 0,
    })?;
    let Read { source, needs, engines, versions } = read(&format, &content, extras)?;
    let format = format_name(format.name(), wrapped.as_ref());
    let mut session = Session::new(name, format, content, wrapped, source)?;
    session.second = second.map(|name| {
        let first_size = Box::new(move |content: &[u8]| header_size(content, versions));
        Second { name, first_size }
    });
    (session.needs, session.engines) = (needs, engines);
    Ok(Opened::Session(Box::new(session)))
}

impl Wrapper for Wrapping {
    fn name(&self) -> &'static str {
        " in the wrapper of a game"
    }

    fn wrap(&self, content: &[u8], _: [u8; 16]) -> Result<Vec<u8>, String> {
        Self::wrap(self, content).map_err(|error| error.kind().to_string())
    }
}

/// Removes the wrapper of a game.
fn unwrap(file: Vec<u8>) -> Result<(Vec<u8>, Option<Wrapped>), Fault> {
    match wrapper::unwrap(&file, &Options::default()).map_err(fault)? {
        Some(mut opened) => {
            opened.wrapping.find_compressors(&file);
            let wrapper = Box::new(opened.wrapping);
            Ok((opened.bytes, Some(Wrapped { file, wrapper })))
        }
        None => Err(Fault { text: "this wrapper is not known".into(), offset: 0 }),
    }
}

/// Appends the exports of a package to its tables, if they were given. Returns the name of their
/// file.
fn append_exports(file: &mut Vec<u8>, extras: &mut Extras) -> Option<String> {
    let is_unversioned = Package::peek(file).0.is_unversioned();
    let ends = |versions| header_size(file, versions) == file.len();
    let is_first = match is_unversioned {
        true => engines().any(|(_, versions)| ends(Some(versions))),
        false => ends(None),
    };
    let (name, exports) = extras.exports.take().filter(|_| is_first)?;
    file.extend(exports);
    Some(name)
}

/// Returns the size of the tables of a package, after which a second file begins.
fn header_size(content: &[u8], versions: Option<Versions>) -> usize {
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
fn read(format: &Format, content: &[u8], extras: &Extras) -> Result<Read, Fault> {
    let source: Box<dyn Source> = match format {
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
            return Ok(Read { source, needs, engines: None, versions });
        }
        format => {
            let text = format!("this is {}, which this page does not read yet", format.name());
            return Err(Fault { text, offset: 0 });
        }
    };
    Ok(Read { source, needs: None, engines: None, versions: None })
}

fn package(content: &[u8], extras: &Extras) -> Read {
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
    Read { source: Box::new(Unreal::Package { versions, mappings }), needs, engines, versions }
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
