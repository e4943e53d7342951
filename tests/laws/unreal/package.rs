//! Laws for arbitrary bytes that are read as a package: all accessors work in linear time, and
//! writing a package gives back the bytes that were read.

use super::COMPARED;
use super::Files;
use super::accessors::{Look, show};
use super::properties::object_as;
use crate::support::unreal::compare;
use gamewire::unreal::tables::{SubPath, TextMetadata, TextMetadataValue, Thumbnail};
use gamewire::unreal::{ByteOrder, Layout, List, Package, PackageIndex, Records, Value, Versions};
use std::fmt::Debug;

/// Engine versions assumed for unversioned packages.
pub const ENGINES: [(u16, u16); 7] = [(5, 8), (5, 4), (5, 1), (4, 27), (4, 18), (4, 8), (4, 0)];

pub fn unreal_package(data: &[u8]) {
    if let Some((files, supplied)) = framed(data) {
        package_as(files.header, files.exports, supplied);
    }
}

/// Splits the bytes into the files of a package. The first byte selects the version of an
/// unversioned package, and states whether there is a `.uexp`. If there is one, the next two bytes
/// are the length of the header, and the `.uexp` follows the header.
pub fn framed(data: &[u8]) -> Option<(Files<'_>, Option<Versions>)> {
    let (first, header) = data.split_first()?;
    let engine = usize::from(first >> 1).checked_sub(1).and_then(|engine| ENGINES.get(engine));
    let supplied = engine.and_then(|(major, minor)| Versions::of_engine(*major, *minor));
    if let (1, Some((len, rest))) = (first & 1, header.split_first_chunk()) {
        let len = usize::from(u16::from_le_bytes(*len)).min(rest.len());
        let (header, exports) = rest.split_at(len);
        return Some((Files { header, exports: Some(exports) }, supplied));
    }
    Some((Files { header, exports: None }, supplied))
}

/// Returns bytes that [`framed`] splits into these files. If there is a `.uexp`, the header must be
/// shorter than 64 KiB.
pub fn frame(files: Files<'_>, supplied: Option<Versions>) -> Vec<u8> {
    let engine = ENGINES.iter().position(|(major, minor)| {
        Versions::of_engine(*major, *minor) == supplied && supplied.is_some()
    });
    let first = (engine.map_or(0, |engine| engine + 1) << 1) as u8;
    match files.exports {
        None => [&[first][..], files.header].concat(),
        Some(exports) => {
            let len = u16::try_from(files.header.len()).unwrap().to_le_bytes();
            [&[first | 1], &len[..], files.header, exports].concat()
        }
    }
}

/// Checks a package and returns `true` if it can be opened.
pub fn package_as(header: &[u8], exports: Option<&[u8]>, supplied: Option<Versions>) -> bool {
    let files = Files { header, exports };
    if files.len() <= COMPARED as u64 {
        compare::package(header, exports, supplied).unwrap();
        compare::objects(header, exports, supplied).unwrap();
    }
    let mut look = Look::default();
    let (versions, summary, error) = Package::peek(header);
    look.item(&(versions, summary));
    let package = match Package::open_as(header, exports, supplied) {
        Ok(package) => package,
        Err(error) => {
            show(error);
            return false;
        }
    };
    assert!(error.is_none() || package.versions().is_unversioned());
    look.item(&package);
    head(&package, header);
    let mut tables = Tables { files, layout: *package.layout() };
    all_tables(&package, &mut tables);
    objects(&package, header);
    exports_of(&package, files);
    #[cfg(feature = "serde")]
    super::unversioned::types_of(&package, files.len());
    let (mut problems, mut gaps) = (0, 0);
    let fine = package.verify(|problem| {
        gaps += u32::from(problem.is_gap());
        problems += 1;
        show(problem);
    });
    assert_eq!(fine, problems == gaps);
    assert!(problems < 20);
    #[cfg(feature = "serde")]
    serde_json::to_writer(std::io::sink(), &package).unwrap();
    #[cfg(feature = "serde")]
    if files.len() <= COMPARED as u64 {
        super::document::package_document(&package, header, exports);
    }
    true
}

/// Asserts that the summary is written unchanged.
fn head(package: &Package<'_>, header: &[u8]) {
    let layout = package.layout();
    let mut written = Vec::new();
    0x9E2A_83C1u32.write(&mut written, layout).unwrap();
    package.versions().write(&mut written, layout).unwrap();
    package.summary().write(&mut written, layout).unwrap();
    assert!(header.starts_with(&written), "the summary is written as it was read");
}

/// A visitor that counts, prints and writes the records of all tables.
struct Tables<'a> {
    files: Files<'a>,
    layout: Layout,
}

impl<'a> Tables<'a> {
    fn records<T: Value<'a> + Debug>(&mut self, name: &str, mut rows: Records<'a, T>) {
        let (mut look, len) = (Look::default(), rows.len());
        loop {
            let start = rows.offset();
            let Some(row) = rows.next() else { break };
            match row {
                Ok(row) => {
                    look.item(&row);
                    let bytes = self.files.at(start..rows.offset());
                    self.writes(name, &row, bytes, bytes.len());
                }
                Err(error) => {
                    show(error);
                    look.item(&error);
                    assert!(rows.next().is_none());
                }
            }
        }
        assert!(look.items <= len as u64);
        look.assert_linear(self.files.len());
    }

    /// Asserts that a value is written unchanged, and with the same length in the other byte order.
    fn writes<T: Value<'a>>(&self, name: &str, value: &T, bytes: &[u8], len: usize) {
        let mut written = Vec::new();
        value.write(&mut written, &self.layout).unwrap();
        assert_eq!(written, bytes[..len], "{name} is written as it was read");
        let order = match self.layout.order {
            ByteOrder::Little => ByteOrder::Big,
            ByteOrder::Big => ByteOrder::Little,
        };
        let mut swapped = Vec::new();
        value.write(&mut swapped, &Layout { order, ..self.layout }).unwrap();
        assert_eq!(swapped.len(), len, "{name} in the other order");
    }

    /// Checks a single value at an offset.
    fn single<T: Value<'a> + Debug>(&mut self, name: &str, offset: i64, value: Option<T>) {
        let Some(value) = value else { return };
        let mut look = Look::default();
        look.item(&value);
        look.assert_linear(self.files.len() * 64);
        let mut written = Vec::new();
        value.write(&mut written, &self.layout).unwrap();
        let offset = offset as u64;
        let bytes = self.files.at(offset..offset + written.len() as u64);
        self.writes(name, &value, bytes, bytes.len());
    }

    /// Writes the records of a list one after the other, and asserts that the result equals the
    /// bytes of the list in the file.
    fn list<T: Value<'a> + Debug>(&mut self, name: &str, list: List<'a, T>) {
        assert_eq!(list.iter().filter(Result::is_ok).count(), list.len(), "{name}");
        let mut written = Vec::new();
        for value in list {
            value.unwrap().write(&mut written, &self.layout).unwrap();
        }
        assert_eq!(written, list.bytes(), "{name}");
    }

    fn remarks(&mut self, list: List<'a, TextMetadata<'a>>) {
        self.list("remarks", list);
        list.into_iter().for_each(|remark| self.remark(remark.unwrap().value));
    }

    fn remark(&mut self, value: TextMetadataValue<'a>) {
        match value {
            TextMetadataValue::Array(values) => {
                self.list("remarks", values);
                values.into_iter().for_each(|value| self.remark(value.unwrap()));
            }
            TextMetadataValue::Object(pairs) => self.remarks(pairs),
            _ => {}
        }
    }
}

fn all_tables<'a>(package: &Package<'a>, to: &mut Tables<'a>) {
    macro_rules! records {
        ($($table:ident)*) => {$( to.records(stringify!($table), package.$table()); )*};
    }
    records! {
        names imports exports depends soft_package_references soft_object_paths
        gatherable_text preload_dependencies import_type_hierarchies
    }
    let summary = package.summary();
    let dependencies = package.asset_registry().ok().flatten();
    let dependencies = dependencies.and_then(|registry| registry.dependency_data_offset);
    macro_rules! singles {
        ($($table:ident $offset:expr;)*) => {$(
            let value = package.$table().unwrap_or_else(|error| {
                show(error);
                None
            });
            to.single(stringify!($table), $offset, value);
        )*};
    }
    let wide = |offset: Option<i32>| i64::from(offset.unwrap_or(0));
    singles! {
        searchable_names wide(summary.searchable_names_offset);
        thumbnails summary.thumbnail_table_offset.into();
        metadata wide(summary.metadata_offset);
        asset_registry summary.asset_registry_data_offset.into();
        registry_dependencies dependencies.unwrap_or(0);
        world_tile_info wide(summary.world_tile_info_data_offset);
        data_resources wide(summary.data_resource_offset);
        trailer summary.payload_toc_offset.unwrap_or(0);
    }
    insides(package, to);
}

/// Checks the lists inside records.
fn insides<'a>(package: &Package<'a>, to: &mut Tables<'a>) {
    package.depends().flatten().for_each(|list| to.list("depends", list));
    for path in package.soft_object_paths().flatten() {
        show(path.sub_path);
        if let SubPath::Utf8(text) = path.sub_path {
            assert!(text.as_str().is_none_or(|text| text.len() == text.to_string().len()));
        }
    }
    for text in package.gatherable_text().flatten() {
        to.remarks(text.source_metadata);
        to.list("sites", text.sites);
        for site in text.sites {
            let site = site.unwrap();
            to.remarks(site.info_metadata);
            to.remarks(site.key_metadata);
        }
    }
    if let Ok(Some(names)) = package.searchable_names() {
        to.list("searchable_names", names);
    }
    if let Ok(Some(thumbnails)) = package.thumbnails() {
        to.list("thumbnails", thumbnails);
        thumbnails.into_iter().for_each(|of| thumbnail(package, &of.unwrap()));
    }
    if let Ok(Some(metadata)) = package.metadata() {
        to.list("metadata", metadata.objects);
        to.list("metadata", metadata.root);
    }
    if let Ok(Some(registry)) = package.asset_registry() {
        to.list("asset_registry", registry.objects);
        registry.objects.into_iter().for_each(|object| to.list("tags", object.unwrap().tags));
    }
    if let Ok(Some(dependencies)) = package.registry_dependencies() {
        let bits = dependencies.imports_used_in_game;
        assert_eq!(bits.iter().count(), bits.len());
    }
    if let Ok(Some(resources)) = package.data_resources() {
        let layout = Layout { table_version: resources.version, ..to.layout };
        Tables { layout, ..*to }.list("data_resources", resources.entries);
    }
    if let Ok(Some(trailer)) = package.trailer() {
        let layout = Layout { table_version: trailer.head.version as u32, ..to.layout };
        Tables { layout, ..*to }.list("trailer", trailer.entries);
    }
}

fn thumbnail(package: &Package<'_>, of: &Thumbnail<'_>) {
    if let Ok((head, bytes)) = package.thumbnail(of) {
        assert_eq!(bytes.len(), head.size as usize);
    }
}

/// Prints the paths of objects and the names of the classes of exports. Asserts that `outer_of` has
/// a result for each object that has a name.
fn objects(package: &Package<'_>, header: &[u8]) {
    let (imports, exports) = (package.imports().len(), package.exports().len());
    let all = (imports.min(header.len()) as i32, exports.min(header.len()) as i32);
    for index in (-all.0 - 2..all.1 + 2).step_by((imports + exports) / 100 + 1) {
        show(package.path_of(PackageIndex(index)));
        assert!(
            package.outer_of(PackageIndex(index)).is_some() || index == 0 || {
                package.object_name(PackageIndex(index)).is_none()
            }
        );
    }
    for (index, export) in package.exports().flatten().enumerate().take(100) {
        assert_eq!(package.export(index as u32), Ok(export), "the table is in a row");
        package.class_name(&export).into_iter().for_each(show);
    }
}

/// Checks the properties of exports. Exports may share bytes, so the total length of all exports is
/// not limited by the length of the files. To keep the work linear, the function stops before the
/// total length exceeds four times the length of the files.
fn exports_of(package: &Package<'_>, files: Files<'_>) {
    let mut left = 4 * files.len();
    for export in package.exports().flatten() {
        let Ok(bytes) = package.export_bytes(&export) else { continue };
        let Some(rest) = left.checked_sub(bytes.len() as u64) else { return };
        left = rest;
        if let Ok(Some(object)) = package.properties(&export) {
            object_as(&object, files, bytes.len() as u64);
        }
    }
}
