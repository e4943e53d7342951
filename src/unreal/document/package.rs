//! Serializes packages as documents.
//!
//! Records serialize their fields, and values serialize themselves. This module adds the structure
//! of the document around them.

use super::bytes_text::BytesObject;
use crate::unreal::format::ue4;
use crate::unreal::format::{
    AsDisplay, ByteOrder, Error, ErrorKind, FieldEntries, Hex, InContext, List, Name, NameLookup,
    NameText, Record, Records, Result, Seq, SerializeContext, Value, Versions,
};
use crate::unreal::package::{Package, Problem, TableVisitor};
use crate::unreal::properties::{
    BytesForm, DataTableRows, NameRef, ObjectProperties, Properties, PropertyContext,
};
use crate::unreal::tables::{Export, FileVersions, Thumbnail};
use core::cell::Cell;
use core::fmt;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Serializes a map that contains the summary and the tables. Most tables are lists of records.
/// Fields that the version does not have are left out. Tables that cannot be read are left out or
/// incomplete, and `errors` lists the first problem of each table ([`Package::verify`]).
///
/// ```
/// # #[cfg(feature = "std")] {
/// use gamewire::unreal::Package;
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let file = &std::fs::read("corpus/unreal/ue4.27-TestActorBP.uasset")?;
/// let json = serde_json::to_value(Package::open(file)?).unwrap();
/// assert_eq!(json["summary"]["saved_by_engine"]["branch"], "++UE4+Release-4.27");
/// assert_eq!(json["exports"][0]["class_name"], "Blueprint");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Serialize for Package<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        members(self, &mut map)?;
        map.end()
    }
}

/// Serializes the members of the document of a package.
fn members<M: SerializeMap>(package: &Package<'_>, map: &mut M) -> Result<(), M::Error> {
    let context = SerializeContext { layout: package.layout(), names: Some(package) };
    map.serialize_entry("kind", "package")?;
    map.serialize_entry("byte_order", &package.layout().order)?;
    map.serialize_entry("summary", &SummaryWithVersions(context, package))?;
    let names = package.names().flatten();
    map.serialize_entry("names", &Seq(names.clone().map(|name| InContext(name, context))))?;
    if package.layout().has_ue4(ue4::NAME_HASHES_SERIALIZED) {
        map.serialize_entry("name_hashes", &Seq(names.filter_map(|name| name.hashes)))?;
    }
    package.visit_tables(&mut TableEntries { map: &mut *map, package, context })?;
    match package.verify(|_| ()) {
        true => Ok(()),
        false => map.serialize_entry("errors", &Problems(package)),
    }
}

/// Serializes the document of a package, together with the bytes of the package.
struct WithFile<'p, 'a>(&'p Package<'a>);

impl Serialize for WithFile<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        members(self.0, &mut map)?;
        map.serialize_entry("stored", &StoredFiles(self.0))?;
        map.end()
    }
}

/// The bytes of the one or two files of a package.
struct StoredFiles<'p, 'a>(&'p Package<'a>);

impl Serialize for StoredFiles<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let form = match self.0.context().bytes {
            BytesForm::List => BytesForm::Base64,
            form => form,
        };
        let (header, exports) = self.0.file_bytes();
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("header", &BytesObject(header, form))?;
        if let Some(exports) = exports {
            map.serialize_entry("exports", &BytesObject(exports, form))?;
        }
        map.end()
    }
}

impl Serialize for ByteOrder {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(match self {
            Self::Little => "little",
            Self::Big => "big",
        })
    }
}

impl<'a> NameLookup<'a> for Package<'a> {
    fn name_text(&self, name: Name) -> Option<NameText<'a>> {
        self.name(name)
    }
}

impl Package<'_> {
    /// Returns a document from which [`PackageDocument`](crate::unreal::PackageDocument) can write
    /// the package again. It has the members that `Package` itself serializes, and the member
    /// `stored` with the bytes of the one or two files. These bytes contain native data and other
    /// data that the rest of the document does not include.
    pub fn document(&self) -> impl Serialize {
        WithFile(self)
    }

    /// Returns an export as it appears in the document, with the name of its class and its
    /// properties. Reads no other export.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use gamewire::unreal::Package;
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal/ue4.27-TestActorBP.uasset")?;
    /// let package = Package::open(file)?;
    /// let json = serde_json::to_value(package.export_document(&package.export(0)?)).unwrap();
    /// assert_eq!(json["class_name"], "Blueprint");
    /// assert_eq!(json["properties"][0]["name"], "ParentClass");
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn export_document(&self, export: &Export) -> impl Serialize {
        let context = SerializeContext { layout: self.layout(), names: Some(self) };
        ExportWithProperties { export: *export, package: self, context, fits: true }
    }
}

/// The effective versions and the fields of the summary, serialized as one map. The effective
/// versions are those that the file states, or those that the caller supplied if the file states
/// none.
struct SummaryWithVersions<'c, 'a>(SerializeContext<'c, 'a>, &'c Package<'a>);

impl Serialize for SummaryWithVersions<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(context, package) = *self;
        let mut map = to.serialize_map(None)?;
        package.versions().entries(package.layout().versions, &mut map)?;
        package.summary().each(context.layout, &mut FieldEntries { map: &mut map, context })?;
        map.end()
    }
}

impl FileVersions {
    /// Serializes the fields. If the package does not state its version, serializes the supplied
    /// one.
    pub(crate) fn entries<M: SerializeMap>(
        &self,
        hold: Versions,
        map: &mut M,
    ) -> Result<(), M::Error> {
        map.serialize_entry("legacy_version", &self.legacy_version)?;
        if let Some(version) = self.ue3_version {
            map.serialize_entry("ue3_version", &version)?;
        }
        map.serialize_entry("unversioned", &self.is_unversioned())?;
        let hold = if self.is_unversioned() { hold } else { self.versions() };
        map.serialize_entry("ue4_version", &hold.ue4)?;
        map.serialize_entry("ue5_version", &hold.ue5)?;
        map.serialize_entry("licensee_version", &self.licensee_version)
    }
}

/// A visitor that serializes each table as an entry of a map.
struct TableEntries<'m, 'c, 'a, M> {
    map: &'m mut M,
    package: &'c Package<'a>,
    context: SerializeContext<'c, 'a>,
}

impl<'a, M: SerializeMap> TableVisitor<'a> for TableEntries<'_, '_, 'a, M> {
    type Error = M::Error;

    fn rows<T: Value<'a>>(
        &mut self,
        key: &'static str,
        rows: Records<'a, T>,
    ) -> Result<(), M::Error> {
        let context = self.context;
        self.map.serialize_entry(key, &Seq(rows.flatten().map(|row| InContext(row, context))))
    }

    fn single<T: Value<'a>>(
        &mut self,
        key: &'static str,
        _: u64,
        value: Result<T>,
    ) -> Result<(), M::Error> {
        match value {
            Ok(value) => value.serialize_field(key, self.context, self.map),
            Err(_) => Ok(()),
        }
    }

    fn exports(&mut self, key: &'static str, rows: Records<'a, Export>) -> Result<(), M::Error> {
        let Self { package, context, .. } = *self;
        // In a valid package, exports do not share bytes. Limiting the sum of their sizes to the
        // size of the file bounds the output.
        let exports = rows.flatten().scan(package.size(), move |left, export| {
            let size = package.export_bytes(&export).map_or(0, <[u8]>::len) as u64;
            let fits = left.checked_sub(size);
            *left = fits.unwrap_or(*left);
            Some(ExportWithProperties { export, package, context, fits: fits.is_some() })
        });
        self.map.serialize_entry(key, &Seq(exports))
    }

    fn thumbnails(
        &mut self,
        key: &'static str,
        _: u64,
        value: Result<List<'a, Thumbnail<'a>>>,
    ) -> Result<(), M::Error> {
        let Self { package, context, .. } = *self;
        let list = value.unwrap_or_default().iter().flatten();
        let list = list.map(|thumbnail| ThumbnailWithHead { thumbnail, package, context });
        self.map.serialize_entry(key, &Seq(list))
    }
}

/// A thumbnail record with the header of its picture.
struct ThumbnailWithHead<'c, 'a> {
    thumbnail: Thumbnail<'a>,
    package: &'c Package<'a>,
    context: SerializeContext<'c, 'a>,
}

/// An export record with its properties and the name of its class.
struct ExportWithProperties<'c, 'a> {
    export: Export,
    package: &'c Package<'a>,
    context: SerializeContext<'c, 'a>,
    /// `false` if the sum of the sizes of the exports up to this one exceeds the size of the file,
    /// so some of them must share bytes.
    fits: bool,
}

impl Serialize for ExportWithProperties<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { export, package, context, fits } = *self;
        let mut map = to.serialize_map(None)?;
        export.each(context.layout, &mut FieldEntries { map: &mut map, context })?;
        if let Some(name) = package.class_name(&export) {
            map.serialize_entry("class_name", &InContext(name, context))?;
        }
        match fits {
            true => contents(package, &export, &mut map)?,
            false => map.serialize_entry(
                "properties_error",
                "the exports together are larger than the file",
            )?,
        }
        map.end()
    }
}

/// Serializes the control bytes and the properties of an export. They are followed by the size of
/// the properties, the GUID of the object and the size of the native data, or by the error that
/// ended reading. Does nothing if the bytes of the export are not available or end before the
/// properties, or if the properties have no tags.
fn contents<M: SerializeMap>(
    package: &Package<'_>,
    export: &Export,
    map: &mut M,
) -> Result<(), M::Error> {
    let Ok(Some(object)) = package.properties(export) else { return Ok(()) };
    let rows = package.data_table_rows(export).ok().flatten();
    let rows = rows.map(|rows| Rows::new(rows, package.context()));
    let class = package.path_of(export.class);
    object_contents(&object, export.serial.offset, &class, rows, map)
}

/// Serializes the contents of an export that begins at `start`. If the export is a data table whose
/// properties can all be read, includes its rows. `class` is the path of the export's class.
pub(super) fn object_contents<M: SerializeMap>(
    object: &ObjectProperties<'_>,
    start: i64,
    class: &dyn fmt::Display,
    rows: Option<Rows<'_>>,
    map: &mut M,
) -> Result<(), M::Error> {
    match object.import_sources() {
        Some(sources) => map.serialize_entry("import_sources", &AsDisplay(sources))?,
        None if object.before.is_empty() => {}
        None => map.serialize_entry("before_properties", &Hex(object.before))?,
    }
    if let Some(control) = object.control {
        map.serialize_entry("serialization_control", &control)?;
    }
    if let Some(operation) = object.operation {
        map.serialize_entry("override_operation", &operation)?;
    }
    map.serialize_entry("properties", &object.iter())?;
    match object.tail() {
        Ok(tail) => {
            let size = tail.offset.cast_signed().wrapping_sub(start);
            map.serialize_entry("properties_size", &size)?;
            if let Some(guid) = tail.guid {
                map.serialize_entry("object_guid", &AsDisplay(guid))?;
            }
            map.serialize_entry("native_size", &tail.native.len())?;
            match rows {
                Some(rows) => {
                    map.serialize_entry("rows", &rows)?;
                    match rows.error.get() {
                        Some(error) => map.serialize_entry("rows_error", &AsDisplay(error)),
                        None => Ok(()),
                    }
                }
                None => Ok(()),
            }
        }
        Err(error) => {
            let error = PropertiesError { error, object, class };
            map.serialize_entry("properties_error", &AsDisplay(error))
        }
    }
}

/// The error that ended the reading of properties. `Display` prints the error and, if its cause is
/// a class that the mappings lack, the class.
struct PropertiesError<'c> {
    error: Error,
    object: &'c ObjectProperties<'c>,
    class: &'c dyn fmt::Display,
}

impl fmt::Display for PropertiesError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)?;
        if *self.error.kind() != ErrorKind::NoSchema {
            return Ok(());
        }
        let Some(of) = self.object.iter().structure() else {
            return write!(f, ": {}", self.class);
        };
        match of.with_parents().last().and_then(|of| of.missing_parent()) {
            Some(parent) => write!(f, ": {parent}"),
            None => Ok(()),
        }
    }
}

/// The rows of a data table, serialized as a list of their names and properties, up to the first row
/// that cannot be read.
pub(super) struct Rows<'c> {
    rows: DataTableRows<'c>,
    context: &'c PropertyContext<'c>,
    /// The error of the first row that cannot be read; known once the rows have been serialized.
    error: Cell<Option<Error>>,
}

impl<'c> Rows<'c> {
    pub(super) const fn new(rows: DataTableRows<'c>, context: &'c PropertyContext<'c>) -> Self {
        Self { rows, context, error: Cell::new(None) }
    }
}

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let rows = self.rows.map_while(|row| match row {
            Ok(row) => Some(Row(row, self.context)),
            Err(error) => {
                self.error.set(Some(error));
                None
            }
        });
        to.collect_seq(rows)
    }
}

struct Row<'c>((NameRef<'c>, Properties<'c>), &'c PropertyContext<'c>);

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self((name, properties), context) = self;
        let mut map = to.serialize_map(Some(2))?;
        let name = context.text(*name).unwrap_or_default();
        map.serialize_entry("name", &AsDisplay(name))?;
        map.serialize_entry("value", properties)?;
        map.end()
    }
}

/// Serializes the fields of the record, followed by the fields of the picture's header if the
/// header can be read.
impl Serialize for ThumbnailWithHead<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { thumbnail, package, context } = *self;
        let mut map = to.serialize_map(None)?;
        thumbnail.each(context.layout, &mut FieldEntries { map: &mut map, context })?;
        if let Ok((head, _)) = package.thumbnail(&thumbnail) {
            head.each(context.layout, &mut FieldEntries { map: &mut map, context })?;
        }
        map.end()
    }
}

struct Problems<'p, 'a>(&'p Package<'a>);

impl Serialize for Problems<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeSeq;
        let (mut seq, mut result) = (to.serialize_seq(None)?, Ok(()));
        self.0.verify(|problem| {
            if result.is_ok() {
                result = seq.serialize_element(&problem);
            }
        });
        result?;
        seq.end()
    }
}

impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("table", self.table)?;
        map.serialize_entry("offset", &self.error.offset())?;
        map.serialize_entry("message", &AsDisplay(self.error.kind()))?;
        map.end()
    }
}
