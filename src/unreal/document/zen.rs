//! Serializes Zen packages as documents.

use super::package::{Rows, object_contents};
use crate::unreal::format::{
    AsDisplay, FieldEntries, InContext, Name, NameLookup, NameText, Record, Records, Result, Seq,
    SerializeContext, Value,
};
use crate::unreal::tables::{ObjectIndex, ZenExport};
use crate::unreal::zen::ZenPackage;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// Serializes a map that contains the summary and the tables, like a
/// [`Package`](crate::unreal::Package). References in tables are serialized as they are stored.
/// Imports and exports also have their paths. `errors` lists the first problem of each table
/// ([`ZenPackage::verify`]).
impl Serialize for ZenPackage<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        let context = context(self);
        map.serialize_entry("kind", "zen_package")?;
        if let Some(name) = self.long_name() {
            map.serialize_entry("name", &AsDisplay(name))?;
        }
        map.serialize_entry("engines", &self.engines().map(Engine))?;
        map.serialize_entry("summary", &Fields(*self.summary(), context))?;
        if let Some(versions) = self.versions() {
            map.serialize_entry("versions", &Fields(*versions, context))?;
        }
        let names = self.names().flatten();
        map.serialize_entry("names", &Seq(names.map(|name| InContext(name.text, context))))?;
        map.serialize_entry(
            "imports",
            &Seq(self.imports().flatten().map(|import| Import(import, self))),
        )?;
        exports(self, &mut map)?;
        tables(self, context, &mut map)?;
        match self.verify(|_| ()) {
            true => {}
            false => map.serialize_entry("errors", &Problems(self))?,
        }
        map.end()
    }
}

fn context<'c, 'a>(package: &'c ZenPackage<'a>) -> SerializeContext<'c, 'a> {
    SerializeContext { layout: package.layout(), names: Some(package) }
}

/// Serializes the exports. In a valid package, exports do not share bytes. Limiting the sum of
/// their sizes to the size of the file bounds the output.
fn exports<M: SerializeMap>(package: &ZenPackage<'_>, map: &mut M) -> Result<(), M::Error> {
    let rows = package.exports().flatten().zip(0u32..);
    let rows = rows.scan(package.size(), |left, (export, index)| {
        let fits = left.checked_sub(export.serial_size);
        *left = fits.unwrap_or(*left);
        Some(Export { export, index, package, fits: fits.is_some() })
    });
    map.serialize_entry("exports", &Seq(rows))
}

/// Serializes the other tables unless they are empty: imported packages and hashes, bulk data,
/// Verse cells, and the order of loading.
fn tables<'a, M: SerializeMap>(
    package: &ZenPackage<'a>,
    context: SerializeContext<'_, 'a>,
    map: &mut M,
) -> Result<(), M::Error> {
    if let Ok(packages) = package.imported_packages()
        && packages.len() > 0
    {
        map.serialize_entry("imported_packages", &Seq(packages.flatten().map(AsDisplay)))?;
    }
    let mut to = Tables { map, context };
    to.rows("imported_hashes", package.imported_hashes())?;
    to.rows("bulk_data", package.bulk_data())?;
    to.rows("cell_imports", package.cell_imports())?;
    to.rows("cell_exports", package.cell_exports())?;
    to.rows("bundles", package.bundles())?;
    to.rows("bundle_entries", package.bundle_entries())?;
    to.rows("dependencies", package.dependencies())?;
    to.rows("dependency_entries", package.dependency_entries())?;
    if let Ok(arcs) = package.package_arcs() {
        to.rows("package_arcs", arcs)?;
    }
    let Ok((between, imports)) = package.arcs() else { return Ok(()) };
    to.rows("bundle_arcs", between.iter())?;
    to.rows("import_arcs", imports)
}

/// Serializes tables as entries of a map. Leaves out tables without records.
struct Tables<'m, 'c, 'a, M> {
    map: &'m mut M,
    context: SerializeContext<'c, 'a>,
}

impl<'a, M: SerializeMap> Tables<'_, '_, 'a, M> {
    fn rows<T: Value<'a>>(
        &mut self,
        key: &'static str,
        rows: Records<'a, T>,
    ) -> Result<(), M::Error> {
        let context = self.context;
        match rows.len() {
            0 => Ok(()),
            _ => {
                let rows = rows.flatten().map(|row| InContext(row, context));
                self.map.serialize_entry(key, &Seq(rows))
            }
        }
    }
}

/// The major and minor version of an engine.
struct Engine((u16, u16));

impl Serialize for Engine {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (major, minor) = self.0;
        to.collect_str(&format_args!("{major}.{minor}"))
    }
}

/// A record, serialized as a map of its fields.
struct Fields<'c, 'a, R>(R, SerializeContext<'c, 'a>);

impl<'a, R: Record<'a>> Serialize for Fields<'_, 'a, R> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(record, context) = self;
        let mut map = to.serialize_map(None)?;
        record.each(context.layout, &mut FieldEntries { map: &mut map, context: *context })?;
        map.end()
    }
}

struct Import<'c, 'a>(ObjectIndex, &'c ZenPackage<'a>);

impl Serialize for Import<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(index, package) = *self;
        let mut map = to.serialize_map(Some(2))?;
        map.serialize_entry("index", &InContext(index, context(package)))?;
        map.serialize_entry("path", &AsDisplay(package.path_of(index)))?;
        map.end()
    }
}

/// An export record with its path, the name of its class and its properties.
struct Export<'c, 'a> {
    export: ZenExport,
    index: u32,
    package: &'c ZenPackage<'a>,
    /// `false` if this export and the earlier ones are together larger than the file, so some of
    /// them must share bytes.
    fits: bool,
}

impl Serialize for Export<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { export, index, package, fits } = *self;
        let context = context(package);
        let mut map = to.serialize_map(None)?;
        export.each(context.layout, &mut FieldEntries { map: &mut map, context })?;
        map.serialize_entry("path", &AsDisplay(package.path_of(ObjectIndex(index.into()))))?;
        if let Some(name) = package.class_name(&export) {
            map.serialize_entry("class_name", &AsDisplay(name))?;
        }
        match fits {
            true => contents(package, index, &mut map)?,
            false => map.serialize_entry(
                "properties_error",
                "the exports together are larger than the file",
            )?,
        }
        map.end()
    }
}

/// Serializes the offset of an export, and its properties or the error that prevents reading them.
fn contents<M: SerializeMap>(
    package: &ZenPackage<'_>,
    index: u32,
    map: &mut M,
) -> Result<(), M::Error> {
    if let Ok(offset) = package.export_offset(index) {
        map.serialize_entry("offset", &offset)?;
    }
    match package.properties(index) {
        Ok(None) => Ok(()),
        Ok(Some(object)) => {
            let start = package.export_offset(index).unwrap_or_default().cast_signed();
            let rows = package.data_table_rows(index).ok().flatten();
            let rows = rows.map(|rows| Rows::new(rows, package.context()));
            let class = package.export(index).map(|export| export.class).unwrap_or_default();
            object_contents(&object, start, &package.path_of(class), rows, map)
        }
        Err(error) => map.serialize_entry("properties_error", &AsDisplay(error)),
    }
}

struct Problems<'p, 'a>(&'p ZenPackage<'a>);

impl Serialize for Problems<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
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

impl<'a> NameLookup<'a> for ZenPackage<'a> {
    fn name_text(&self, name: Name) -> Option<NameText<'a>> {
        self.name(name)
    }
}

impl ZenPackage<'_> {
    /// Returns an export as it appears in the document, with its path, the name of its class and
    /// its properties.
    ///
    /// # Errors
    /// If there is no such export.
    pub fn export_document(&self, index: u32) -> Result<impl Serialize> {
        Ok(Export { export: self.export(index)?, index, package: self, fits: true })
    }
}
