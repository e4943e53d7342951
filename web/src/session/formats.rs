//! Formats other than values of Godot: how they are opened, and which other files they need.

use crate::config::Config;
use crate::place::{Fault, Source};
use crate::rems::Rems;
use crate::unreal::Unreal;
use gamewire::recognise::Format;
use gamewire::unreal::compression::standard_codec;
use gamewire::unreal::wrapper::{self, Options, Wrapping};
use gamewire::unreal::{Error, Mappings, MappingsFile, Package, Versions};

/// What opening a file needs besides its bytes.
#[derive(Default)]
pub struct Extras {
    pub password: Option<String>,
    /// The file with the exports of a package, with its name.
    pub exports: Option<(String, Vec<u8>)>,
    /// The name of that file, after its bytes were taken.
    pub exports_name: Option<String>,
    pub mappings: Option<Loaded>,
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
    pub fn add(&mut self, name: &str, file: Vec<u8>) {
        match MappingsFile::is_mappings(&file) {
            true => self.mappings = load(&file).ok().or(self.mappings),
            false => self.exports = Some((name.into(), file)),
        }
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
    let (_, summary, _) = Package::peek(file);
    if usize::try_from(summary.header_size()) == Ok(file.len())
        && let Some((name, exports)) = extras.exports.take()
    {
        file.extend(exports);
        extras.exports_name = Some(name);
    }
}

/// Returns the source for a format.
pub fn source(format: &Format, content: &[u8], extras: &Extras) -> Result<Box<dyn Source>, Fault> {
    let versions = extras.mappings.and_then(|loaded| loaded.versions);
    let mappings = extras.mappings.map(|loaded| loaded.mappings);
    Ok(match format {
        Format::GodotConfig => Box::new(Config::new(content)),
        Format::Rems(_) => Box::new(Rems::new(content)),
        Format::UnrealSave => Box::new(Unreal::Save),
        Format::UnrealPackage => Box::new(Unreal::Package { versions, mappings }),
        Format::UnrealZenPackage => Box::new(Unreal::Zen { versions, mappings }),
        format => {
            let text = format!("this is {}, which this page does not read yet", format.name());
            return Err(Fault { text, offset: 0 });
        }
    })
}
