//! Serializes the readable part of files that cannot be opened.

use crate::unreal::format::{
    AsDisplay, Error, FieldVisitor, FileCursor, Layout, Record, Result, SerializeContext, Value,
    Versions,
};
use crate::unreal::package::Package;
use crate::unreal::save::Save;
use crate::unreal::tables::{FileVersions, SaveVersions, Summary};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Serializes the readable part of a package or save that cannot be opened. The document contains
/// the fields of the versions and of the summary, up to the first field that cannot be read. The
/// member `error` states why the file cannot be opened.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use gamewire::unreal::{Package, PartialDocument};
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let file = &std::fs::read("corpus/unreal/ue4.27-TestActorBP.uasset")?;
/// let file = &file[..40];
/// let error = Package::open(file).unwrap_err();
/// let json = serde_json::to_value(PartialDocument { file, supplied: None, error }).unwrap();
/// assert_eq!(json["summary"]["ue4_version"], 522);
/// assert_eq!(json["summary"].get("package_flags"), None);
/// assert_eq!(json["error"]["offset"], error.offset());
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PartialDocument<'a> {
    /// The file. For a package that consists of two files, the file that contains the tables.
    pub file: &'a [u8],
    /// The version that was supplied for an unversioned package.
    pub supplied: Option<Versions>,
    /// The error that opening the file returned.
    pub error: Error,
}

impl Serialize for PartialDocument<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        match Save::is_save(self.file) {
            true => save(self.file, &mut map)?,
            false => package(self, &mut map)?,
        }
        map.serialize_entry("error", &Why(self.error))?;
        map.end()
    }
}

struct Why(Error);

impl Serialize for Why {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(2))?;
        map.serialize_entry("offset", &self.0.offset())?;
        map.serialize_entry("message", &AsDisplay(self.0.kind()))?;
        map.end()
    }
}

fn save<M: SerializeMap>(file: &[u8], map: &mut M) -> Result<(), M::Error> {
    map.serialize_entry("kind", "save")?;
    let (mut versions, layout) = (SaveVersions::default(), Layout::default());
    let mut from = FileCursor::new(file, 0);
    if from.bytes(4).is_err() {
        return Ok(());
    }
    let start = from;
    let _ = versions.fill(&mut from, &layout); // the fields before an error are set
    readable(&versions, start, &layout, map)
}

fn package<M: SerializeMap>(of: &PartialDocument<'_>, map: &mut M) -> Result<(), M::Error> {
    map.serialize_entry("kind", "package")?;
    if Package::is_package(of.file) {
        let (mut from, mut layout) = (FileCursor::new(of.file, 0), Layout::default());
        let mut versions = FileVersions::default();
        let opened = versions.open(&mut from, of.supplied, &mut layout).is_ok();
        map.serialize_entry("byte_order", &layout.order)?;
        let file = of.file;
        map.serialize_entry("summary", &Beginning { file, versions, opened, from, layout })?;
    }
    Ok(())
}

/// The versions and the summary of a package, up to the first field that cannot be read.
struct Beginning<'a> {
    file: &'a [u8],
    versions: FileVersions,
    /// `true` if the versions are complete and known.
    opened: bool,
    /// The bytes after the versions.
    from: FileCursor<'a>,
    layout: Layout,
}

impl Serialize for Beginning<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { file, versions, opened, from, layout } = self;
        let mut map = to.serialize_map(None)?;
        if *opened {
            let mut summary = Summary::default();
            let _ = summary.fill(&mut from.clone(), layout); // the fields before an error are set
            versions.entries(layout.versions, &mut map)?;
            readable(&summary, *from, layout, &mut map)?;
        } else if let Some(said) = file.get(4..) {
            readable(versions, FileCursor::new(said, 4), layout, &mut map)?;
        }
        map.end()
    }
}

/// Serializes the fields of a record that begins at `from`, up to the first field that cannot be
/// read. All fields before that one must already be set in `record`, since they determine which
/// fields are present.
fn readable<'a, R: Record<'a>, M: SerializeMap>(
    record: &R,
    from: FileCursor<'a>,
    layout: &Layout,
    map: &mut M,
) -> Result<(), M::Error> {
    let context = SerializeContext { layout, names: None };
    match record.each(layout, &mut Readable { from, context, map }) {
        Err(Some(error)) => Err(error),
        Ok(()) | Err(None) => Ok(()),
    }
}

struct Readable<'m, 'c, 'a, M> {
    from: FileCursor<'a>,
    context: SerializeContext<'c, 'a>,
    map: &'m mut M,
}

impl<'a, M: SerializeMap> FieldVisitor<'a> for Readable<'_, '_, 'a, M> {
    /// The error of the serializer, or `None` if a field cannot be read.
    type Error = Option<M::Error>;

    fn field<T: Value<'a>>(&mut self, name: &'static str, _: &T) -> Result<(), Self::Error> {
        let value: T = self.from.read(self.context.layout).map_err(|_| None)?;
        value.serialize_field(name, self.context, self.map).map_err(Some)
    }
}
