//! Laws for edited packages: any package without changes is written as the same bytes, and the
//! tables of a changed package read back with the contents that they had in the editor.

use super::Files;
use super::accessors::show;
use super::package::framed;
use gamewire::unreal::edit::{ThumbnailData, WrittenPackage};
use gamewire::unreal::tables::{
    AssetRegistry, DataResource, DataResources, Export, Import, RegistryObject, SoftPackage,
    Summary, Thumbnail, ThumbnailHead, WorldTileInfo,
};
use gamewire::unreal::{
    ByteOrder, Layout, List, ListBuf, Name, Package, PackageEditor, PackageIndex, StrBuf, Value,
    Versions,
};

/// Edits a package. The first byte selects the number of steps. Four bytes for each step follow,
/// and then a package in the form that `unreal_package` reads.
pub fn unreal_edit(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else { return };
    let len = (4 * usize::from(first % 16)).min(rest.len());
    let (steps, package) = rest.split_at(len);
    if let Some((files, supplied)) = framed(package) {
        edit_as(files, supplied, steps);
    }
}

/// Result of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edited {
    /// The input is not a package.
    NoPackage,
    /// The package cannot be edited, for example because its tables or exports overlap.
    Refused,
    /// The package cannot be written with the changes of the steps. Without these changes, the same
    /// bytes are written.
    Same,
    /// The package is written with the changes of the steps.
    Changed,
}

pub fn edit_as(files: Files<'_>, supplied: Option<Versions>, steps: &[u8]) -> Edited {
    let Files { header, exports } = files;
    let Ok(package) = Package::open_as(header, exports, supplied) else {
        return Edited::NoPackage;
    };
    let mut editor = match PackageEditor::new(&package) {
        Ok(editor) => editor,
        Err(error) => {
            show(error);
            return Edited::Refused;
        }
    };
    let written = editor.write().unwrap_or_else(|error| panic!("what can be read: {error}"));
    assert!(written.header == header, "unchanged");
    assert!(written.exports.as_deref() == exports, "unchanged");
    let texts = Texts::default();
    let lists = Lists::new(&texts, editor.layout());
    for step in steps.chunks_exact(4) {
        change(&mut editor, [step[0], step[1], step[2], step[3]], &texts, &lists);
    }
    let order = match steps.first() {
        Some(first) if first & 0x80 != 0 => ByteOrder::Big,
        _ => editor.layout().order,
    };
    let written = match editor.write_tables_in(order) {
        Ok(written) => written,
        Err(error) => {
            show(error);
            return Edited::Same;
        }
    };
    let WrittenPackage { header, exports } = &written;
    let after = Package::open_as(header, exports.as_deref(), supplied).unwrap();
    same(&editor, &after);
    let again = PackageEditor::new(&after).unwrap().write().unwrap();
    assert!(again == written, "it is what it is");
    Edited::Changed
}

/// Texts to insert.
struct Texts([StrBuf; 4]);

impl Default for Texts {
    fn default() -> Self {
        Self(["", "A", "/Game/名前", "A text that makes what it is in longer"].map(StrBuf::new))
    }
}

/// Lists to insert.
struct Lists {
    objects: ListBuf,
    registry: ListBuf,
}

impl Lists {
    fn new(texts: &Texts, layout: &Layout) -> Self {
        let [path, class, ..] = texts.0.each_ref().map(StrBuf::as_text);
        let object = RegistryObject { path, class, tags: List::default() };
        let objects = [-1, 0, 1].map(PackageIndex);
        Self {
            objects: ListBuf::new(objects, layout).unwrap(),
            registry: ListBuf::new([object, object], layout).unwrap(),
        }
    }
}

/// Applies one step, which consists of an operation and three bytes of arguments.
fn change<'a>(
    editor: &mut PackageEditor<'a>,
    [what, a, b, c]: [u8; 4],
    texts: &'a Texts,
    lists: &'a Lists,
) {
    const NAMES: [&str; 5] = ["A", "Новое_7", "", "VeryLongNameThatMovesAllBehindIt", "None_0"];
    let [one, other] = [a, b].map(|index| texts.0[usize::from(index) % 4].as_text());
    let name = Name { index: a.into(), number: b.into() };
    let object = PackageIndex(i8::from_ne_bytes([a]).into());
    let import = Import { object_name: name, outer: object, ..Import::default() };
    let bytes = vec![c; usize::from(a) << (b & 7)];
    let count = editor.exports.len();
    match what & 0x1F {
        0 => {
            let text = NAMES[usize::from(a) % 5];
            let name = editor.add_name(text).unwrap();
            let found = editor.name(name).unwrap().to_string();
            assert!(found == text, "{found} for {text}");
        }
        1 => {
            let replaced = editor.replace_name(i32::from(a) - 1, NAMES[usize::from(b) % 5]);
            let there = editor.names().count() + 1;
            assert_eq!(replaced.is_ok(), a > 0 && usize::from(a) < there);
        }
        2 => drop(editor.add_import(import)),
        3 => drop(editor.imports.to_mut().pop()),
        4 => editor.imports.to_mut().iter_mut().for_each(|import| import.class_name = name),
        5 => {
            let export = Export { object_name: name, outer: object, ..Export::default() };
            let added = editor.add_export(export, bytes);
            assert_eq!(added, PackageIndex(count as i32 + 1));
        }
        6 if count > 0 => editor.exports[usize::from(c) % count].bytes = bytes.into(),
        7 => drop(editor.exports.pop()),
        8 if count > 0 => {
            editor.exports[usize::from(c) % count].depends = lists.objects.list().unwrap();
        }
        9 if count > 0 => {
            let export = &mut editor.exports[usize::from(c) % count].export;
            (export.super_struct, export.object_flags) = (object, u32::from(b) << 20);
        }
        10 => editor.preload_dependencies.push(object),
        11 => editor.preload_dependencies.to_mut().clear(),
        12 => {
            let by_name = editor.layout().versions.ue4 >= 514;
            editor.soft_package_references.push(match by_name {
                true => SoftPackage::Name(name),
                false => SoftPackage::Text(one),
            });
        }
        13 => drop(editor.soft_package_references.to_mut().pop()),
        14 => {
            let mut thumbnail = ThumbnailData::default();
            thumbnail.entry = Thumbnail { class_name: one, object_path: other, offset: 0 };
            thumbnail.head = ThumbnailHead { width: c.into(), height: -1, size: 0 };
            thumbnail.picture = bytes.into();
            editor.thumbnails.push(thumbnail);
        }
        15 => drop(editor.thumbnails.pop()),
        16 => editor.thumbnails.iter_mut().for_each(|of| of.picture = bytes.clone().into()),
        17 => editor.summary.package_name = one,
        18 => editor.searchable_names = None,
        19 => editor.metadata = None,
        20 => editor.asset_registry = None,
        21 => editor.registry_dependencies = None,
        22 => editor.world_tile_info = None,
        23 => {
            let tile = WorldTileInfo { parent_tile: one, ..WorldTileInfo::default() };
            editor.world_tile_info = Some(tile);
        }
        24 => editor.gatherable_text.to_mut().truncate(a.into()),
        25 => {
            let mut texts: Vec<_> = editor.gatherable_text.iter().collect();
            texts.iter_mut().for_each(|text| text.namespace = one);
            *editor.gatherable_text.to_mut() = texts;
        }
        26 => {
            if let Some(registry) = &mut editor.asset_registry {
                registry.objects = lists.registry.list().unwrap();
            }
        }
        27 => editor.data_resources = None,
        28 => editor.summary.package_source = u32::from_le_bytes([a, b, c, 0]),
        29 => editor.soft_object_paths.to_mut().truncate(a.into()),
        30 => editor.import_type_hierarchies.to_mut().clear(),
        _ => {}
    }
}

/// Encodes a value for a comparison. Values are not compared directly, because a NaN is not equal
/// to itself, and wide text is not equal to text in the other byte order.
fn bytes<'a, T: Value<'a>>(value: &T, layout: &Layout) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.write(&mut bytes, layout).unwrap();
    bytes
}

/// Asserts that the written package reads back as the editor's contents.
fn same(editor: &PackageEditor<'_>, after: &Package<'_>) {
    let layout = editor.layout();
    macro_rules! tables {
        ($($table:ident)*) => {$(
            let wanted = editor.$table.iter().map(|row| bytes(&row, layout));
            let found = after.$table().map(|row| bytes(&row.unwrap(), layout));
            assert!(wanted.eq(found), stringify!($table));
        )*};
    }
    tables! {
        imports soft_object_paths gatherable_text soft_package_references preload_dependencies
        import_type_hierarchies
    }
    macro_rules! single {
        ($($value:ident)*) => {$(
            let found = after.$value().unwrap();
            let found = found.map(|value| bytes(&value, layout));
            assert!(found == editor.$value.map(|value| bytes(&value, layout)), stringify!($value));
        )*};
    }
    single! { searchable_names metadata world_tile_info }
    let names = after.names().map(|entry| bytes(&entry.unwrap(), layout));
    assert!(names.eq(editor.names().map(|entry| bytes(&entry, layout))), "names");
    let objects =
        |found: Option<AssetRegistry<'_>>| found.map(|found| bytes(&found.objects, layout));
    let registry = after.asset_registry().unwrap();
    assert_eq!(objects(registry), objects(editor.asset_registry));
    let package_name = |summary: &Summary<'_>| bytes(&summary.package_name, layout);
    assert_eq!(package_name(after.summary()), package_name(&editor.summary));
    assert_eq!(after.summary().package_source, editor.summary.package_source);
    exports(editor, after);
    thumbnails(editor, after);
    resources(editor, after);
}

fn exports(editor: &PackageEditor<'_>, after: &Package<'_>) {
    let found: Vec<_> = after.exports().map(Result::unwrap).collect();
    assert_eq!(found.len(), editor.exports.len());
    let mut depends = after.depends();
    for (found, data) in found.into_iter().zip(&editor.exports) {
        // Fields that the version lacks are ignored.
        let export = Export { serial: found.serial, ..data.export };
        let layout = editor.layout();
        assert_eq!(bytes(&export, layout), bytes(&found, layout), "an export");
        assert_eq!(found.serial.size, data.bytes.len() as i64);
        if found.serial.size > 0 {
            assert!(after.export_bytes(&found).unwrap() == &*data.bytes, "the bytes of an export");
        }
        let depends = depends.next().transpose().unwrap().unwrap_or_default();
        assert_eq!(depends, data.depends);
    }
}

fn thumbnails(editor: &PackageEditor<'_>, after: &Package<'_>) {
    let found: Vec<_> = after.thumbnails().unwrap().into_iter().flatten().collect();
    assert_eq!(found.len(), editor.thumbnails.len());
    for (found, data) in found.into_iter().zip(&editor.thumbnails) {
        let found = found.unwrap();
        let entry = Thumbnail { offset: found.offset, ..data.entry };
        assert_eq!(bytes(&entry, editor.layout()), bytes(&found, editor.layout()));
        let (head, picture) = after.thumbnail(&found).unwrap();
        assert!(picture == &*data.picture, "the picture of a thumbnail");
        assert_eq!(ThumbnailHead { size: head.size, ..data.head }, head);
    }
}

fn resources(editor: &PackageEditor<'_>, after: &Package<'_>) {
    let entries = |table: Option<DataResources<'_>>| {
        let entries = table.into_iter().flat_map(|table| table.entries);
        let entries = entries.map(|entry| DataResource { serial_offset: 0, ..entry.unwrap() });
        entries.collect::<Vec<_>>()
    };
    assert_eq!(entries(after.data_resources().unwrap()), entries(editor.data_resources));
}
