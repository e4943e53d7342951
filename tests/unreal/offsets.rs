//! Tests offsets and indices in packages: some are dangling, some are impossible, and some change
//! after an edit.

use crate::support::unreal::samples::{Sample, packages};
use crate::support::unreal::transform::{Described, Edit, Field};
use gamewire::unreal::bulk::{BulkFile, BulkFlags};
use gamewire::unreal::tables::{
    AssetPath, Bits, DataResource, DataResources, Export, Generation, Import, Metadata,
    MetadataPair, ObjectMetadata, SearchableNames, Serial, SoftObjectPath, SoftPackage, SubPath,
    WorldTileInfo,
};
use gamewire::unreal::{
    Error, ErrorKind, Layout, List, ListBuf, Name, Package, PackageEditor, PackageIndex, StrBuf,
    Value,
};

fn sample(name: &str) -> Sample {
    packages().into_iter().find(|sample| sample.name() == name).unwrap()
}

const OLD: &str = "ue4.27-TestActorBP.uasset";
const NEW: &str = "ue5.6-SimpleRefsRoot.uasset";

/// Returns the problems that `verify` finds in the package after a change.
fn problems<'a>(
    package: &Package<'a>,
    change: impl FnOnce(&mut PackageEditor<'a>),
) -> Vec<(&'static str, ErrorKind)> {
    let mut editor = PackageEditor::new(package).unwrap();
    change(&mut editor);
    let written = editor.write().unwrap();
    let after = Package::open(&written.header).unwrap();
    let mut told = Vec::new();
    let fine = after.verify(|problem| told.push((problem.table, *problem.error.kind())));
    assert_eq!(fine, told.is_empty());
    told
}

/// In every table, the first name index or object index that is out of range is reported.
#[test]
fn unresolvable_paths() {
    let sample = sample(NEW);
    let package = sample.package();
    let layout = *package.layout();
    let count = package.names().len() as u32;
    let (imports, exports) = (package.imports().len() as i32, package.exports().len() as i32);
    let no_name = ErrorKind::NoSuchName { index: count as i32, count };
    let name = |index: u32| Name { index: index as i32, number: 0 };
    let (last, bad) = (name(count - 1), name(count));
    let is = |table, kind, there: bool| if there { vec![] } else { vec![(table, kind)] };
    let text = StrBuf::new("t");
    let text = text.as_text();
    for (name, there) in [(last, true), (bad, false)] {
        let check = |table, change: &dyn Fn(&mut PackageEditor<'_>)| {
            assert_eq!(problems(&package, change), is(table, no_name, there), "{table}");
        };
        check("imports", &|editor| editor.imports.to_mut()[0].class_name = name);
        check("soft_package_references", &|editor| {
            editor.soft_package_references.push(SoftPackage::Name(name));
        });
        for (package, asset) in [(name, last), (last, name)] {
            let path = AssetPath::Parts { package, asset };
            check("soft_object_paths", &|editor| {
                let sub_path = SubPath::default();
                editor.soft_object_paths.push(SoftObjectPath { path, sub_path });
            });
        }
        let names = ListBuf::new([last, name], &layout).unwrap();
        let names = SearchableNames { object: PackageIndex(0), names: names.list().unwrap() };
        let names = ListBuf::new([names], &layout).unwrap();
        let told = problems(&package, |editor| {
            editor.searchable_names = Some(names.list().unwrap());
        });
        assert_eq!(told, is("searchable_names", no_name, there));
        let pairs = ListBuf::new([MetadataPair { key: name, value: text }], &layout).unwrap();
        let pairs: List<'_, MetadataPair<'_>> = pairs.list().unwrap();
        let object = ObjectMetadata { object: PackageIndex(0), values: pairs };
        let objects = ListBuf::new([object], &layout).unwrap();
        for metadata in [
            Metadata { root: pairs, ..Metadata::default() },
            Metadata { objects: objects.list().unwrap(), ..Metadata::default() },
        ] {
            let told = problems(&package, |editor| editor.metadata = Some(metadata));
            assert_eq!(told, is("metadata", no_name, there));
        }
    }
    for (index, there) in
        [(-imports, true), (-imports - 1, false), (0, true), (exports, true), (exports + 1, false)]
    {
        let (object, kind) = (PackageIndex(index), ErrorKind::NoSuchObject(index));
        let list = ListBuf::new([PackageIndex(0), object], &layout).unwrap();
        let told = problems(&package, |editor| editor.exports[0].depends = list.list().unwrap());
        assert_eq!(told, is("depends", kind, there), "{index}");
        let told = problems(&package, |editor| editor.imports.to_mut()[0].outer = object);
        assert_eq!(told, is("imports", kind, there), "{index}");
        let table = Layout { table_version: 2, ..layout };
        let entry = DataResource {
            outer: object,
            duplicate_serial_offset: -1,
            cooked_index: Some(0),
            ..DataResource::default()
        };
        let entries = ListBuf::new([entry], &table).unwrap();
        let resources = DataResources { version: 2, entries: entries.list().unwrap() };
        let told = problems(&package, |editor| editor.data_resources = Some(resources));
        assert_eq!(told, is("data_resources", kind, there), "{index}");
    }
}

/// If a count or an offset is invalid, the table is missing or the package is rejected.
#[test]
fn places_that_cannot_be() {
    let sample = sample(OLD);
    let with = |name: &str, value: i64| {
        let mut described = Described::new(&sample.bytes, None);
        described.set(described.field(name), value);
        described.bytes
    };
    for offset in [0, -1, i64::from(i32::MIN)] {
        let file = with("import_offset", offset);
        assert_eq!(Package::open(&file).unwrap().imports().len(), 0, "{offset}");
    }
    let kind = |file: &[u8]| *Package::open(file).unwrap_err().kind();
    for count in [i32::MAX, -1, 1 << 20] {
        assert_eq!(kind(&with("name_count", count.into())), ErrorKind::BadCount(count));
    }
    let mut other = sample.bytes.clone();
    other[..4].copy_from_slice(b"GVAS");
    assert_eq!(kind(&other), ErrorKind::NotAPackage(u32::from_le_bytes(*b"GVAS")));

    // A wrong magic at the start of the trailer causes an error only when the trailer is read.
    let samples = packages();
    let with_trailer = |sample: &&Sample| matches!(sample.package().trailer(), Ok(Some(_)));
    let sample = samples.iter().find(with_trailer).unwrap();
    let at = sample.package().summary().payload_toc_offset.unwrap() as usize;
    let mut file = sample.bytes.clone();
    file[at] ^= 1;
    let error: Error = Package::open(&file).unwrap().trailer().unwrap_err();
    let expected = 0xD1C4_3B2E_80A5_F697;
    assert_eq!(*error.kind(), ErrorKind::BadMark { expected, found: expected ^ 1 });
}

/// A package whose exports are in a `.uexp` lacks them if it is opened without this file.
#[test]
fn without_the_other_file() {
    let sample = sample("ue5.8-cooked-tagged-Empty.umap");
    let mut described = Described::new(&sample.bytes, None);
    assert!(Package::open(&described.bytes).unwrap().lacks_exports());
    assert!(!sample.package().lacks_exports());
    described.set(described.field("export_count"), 0);
    assert!(!Package::open(&described.bytes).unwrap().lacks_exports());
}

/// The flags of bulk data select the file that contains the data. Data with a duplicate are in the
/// separate file, even if other flags select the optional or the memory-mapped file.
#[test]
fn files_of_bulk_data() {
    use BulkFlags as F;
    let apart = F::AT_END_OF_FILE.0 | F::SEPARATE_FILE.0;
    for (flags, file) in [
        (0, BulkFile::Inline),
        (F::AT_END_OF_FILE.0, BulkFile::EndOfFile),
        (F::AT_END_OF_FILE.0 | F::FORCE_INLINE.0, BulkFile::Inline),
        (apart, BulkFile::Separate),
        (apart | F::OPTIONAL.0, BulkFile::Optional),
        (apart | F::MEMORY_MAPPED.0, BulkFile::MemoryMapped),
        (apart | F::WORKSPACE_DOMAIN.0, BulkFile::Workspace),
        (apart | F::DUPLICATE.0, BulkFile::Separate),
        (apart | F::DUPLICATE.0 | F::OPTIONAL.0, BulkFile::Separate),
        (apart | F::DUPLICATE.0 | F::MEMORY_MAPPED.0, BulkFile::Separate),
    ] {
        assert_eq!(BulkFlags(flags).file(), file, "{flags:#x}");
    }
}

/// Data after the exports move with them. An offset that is relative to the `.uexp` or to a
/// separate file does not change; an offset that is relative to the whole package does.
#[test]
fn bulk_data_move() {
    let sample = sample("ue5.8-cooked-tagged-T_Streaming.uasset");
    let package = sample.package();
    let table = Layout { table_version: 2, ..*package.layout() };
    let (start, place) = (sample.bytes.len() as i64, package.summary().bulk_data_start_offset);
    let entry = |flags: BulkFlags, serial_offset| DataResource {
        legacy_flags: flags,
        serial_offset,
        duplicate_serial_offset: -1,
        cooked_index: Some(0),
        ..DataResource::default()
    };
    let entries = [
        entry(BulkFlags(0), place - start),
        entry(BulkFlags::AT_END_OF_FILE, place),
        entry(BulkFlags(BulkFlags::AT_END_OF_FILE.0 | BulkFlags::SEPARATE_FILE.0), place),
    ];
    let list = ListBuf::new(entries, &table).unwrap();
    let mut editor = PackageEditor::new(&package).unwrap();
    editor.data_resources = Some(DataResources { version: 2, entries: list.list().unwrap() });
    editor.add_name("ANameThatWasNotThere").unwrap();
    let written = editor.write().unwrap();
    let after = Package::open_as(&written.header, written.exports.as_deref(), None).unwrap();
    let by = written.header.len() as i64 - start;
    let resources = after.data_resources().unwrap().unwrap();
    let places: Vec<_> =
        resources.entries.iter().map(|entry| entry.unwrap().serial_offset).collect();
    assert_ne!(by, 0);
    assert_eq!(places, [place - start, place + by, place]);
}

/// Tables that contain records must not overlap.
#[test]
fn tables_in_each_other() {
    let sample = sample(OLD);
    let names = i64::from(sample.package().summary().name_offset);
    let mut described = Described::new(&sample.bytes, None);
    described.set(described.field("import_offset"), names + 4);
    let package = Package::open(&described.bytes).unwrap();
    assert_eq!(*PackageEditor::new(&package).unwrap_err().kind(), ErrorKind::Overlap);
}

/// The offset of an empty table is ignored, even if it points into another table.
#[test]
fn empty_tables_in_others() {
    let sample = sample(OLD);
    let names = i64::from(sample.package().summary().name_offset);
    let mut described = Described::new(&sample.bytes, None);
    described.set(described.field("gatherable_text_count"), 0);
    described.set(described.field("gatherable_text_offset"), names + 4);
    let package = Package::open(&described.bytes).unwrap();
    let written = PackageEditor::new(&package).unwrap().write().unwrap();
    assert!(written.header == described.bytes);
}

/// A new export has no preload dependencies by default.
#[test]
fn exports_that_are_added() {
    for name in [OLD, NEW] {
        let sample = sample(name);
        let package = sample.package();
        let mut editor = PackageEditor::new(&package).unwrap();
        let count = package.exports().len() as u32;
        let added = editor.add_export(Export::default(), &b"bytes"[..]);
        assert_eq!(added, PackageIndex(count as i32 + 1));
        assert_eq!(editor.add_import(Import::default()).0, -(package.imports().len() as i32) - 1);
        let written = editor.write().unwrap();
        let after = Package::open(&written.header).unwrap();
        let export = after.export(count).unwrap();
        assert_eq!(after.export_bytes(&export).unwrap(), b"bytes");
        let dependencies = export.dependencies.unwrap();
        assert_eq!(dependencies.first, -1, "{name}");
    }
}

/// The position of a level can be written into a package and read back unchanged.
#[test]
fn tiles_of_packages() {
    for name in [OLD, NEW] {
        let sample = sample(name);
        let package = sample.package();
        assert_eq!(package.world_tile_info(), Ok(None));
        let mut editor = PackageEditor::new(&package).unwrap();
        let parent = StrBuf::new("Parent");
        let info =
            WorldTileInfo { parent_tile: parent.as_text(), z_order: Some(-3), ..some_tile() };
        editor.world_tile_info = Some(info);
        let written = editor.write().unwrap();
        let after = Package::open(&written.header).unwrap();
        let found = after.world_tile_info().unwrap().unwrap();
        assert_eq!((found.parent_tile, found.z_order), (parent.as_text(), Some(-3)));
    }
}

fn some_tile() -> WorldTileInfo<'static> {
    let mut info = WorldTileInfo::default();
    info.layer.streaming_distance = Some(1);
    info.layer.distance_streaming_enabled = Some(true);
    (info.hide_in_tile_view, info.lods) = (Some(false), Some(List::default()));
    info
}

/// Returns the file with the record of one export changed.
fn with_export(sample: &Sample, index: u32, change: impl FnOnce(&mut Export)) -> Vec<u8> {
    let package = sample.package();
    let mut export = package.export(index).unwrap();
    let (mut bytes, mut record) = (sample.bytes.clone(), Vec::new());
    export.write(&mut record, package.layout()).unwrap();
    let at = package.exports().offset() as usize + index as usize * record.len();
    change(&mut export);
    record.clear();
    export.write(&mut record, package.layout()).unwrap();
    bytes[at..at + record.len()].copy_from_slice(&record);
    bytes
}

/// Returns a change that gives an export this offset and no bytes.
fn nothing_at(place: i64) -> impl FnOnce(&mut Export) {
    move |export| export.serial = Serial { size: 0, offset: place }
}

fn last_export(package: &Package<'_>) -> u32 {
    package.exports().len() as u32 - 1
}

/// An export without bytes moves like other bytes at its offset, even inside another export. If its
/// offset is outside of the file, the offset does not change.
#[test]
fn exports_without_bytes() {
    for name in [OLD, NEW] {
        let sample = sample(name);
        let package = sample.package();
        let (last, first) = (last_export(&package), package.export(0).unwrap());
        let behind = sample.bytes.len() as i64 + 100;
        for place in [behind, first.serial.offset + 1] {
            let file = with_export(&sample, last, nothing_at(place));
            let package = Package::open(&file).unwrap();
            let mut editor = PackageEditor::new(&package).unwrap();
            assert!(editor.write().unwrap().header == file, "{name} {place}");
            editor.add_name("ANameThatWasNotThere").unwrap();
            let written = editor.write().unwrap();
            let by = written.header.len() as i64 - file.len() as i64;
            let after = Package::open(&written.header).unwrap().export(last).unwrap();
            let by = if place == behind { 0 } else { by };
            assert_eq!(after.serial, Serial { size: 0, offset: place + by }, "{name}");
        }
    }
}

/// An export without bytes is at the start of another export. If it is given bytes, they are
/// written before the bytes of the other export.
#[test]
fn exports_that_get_bytes() {
    for name in [OLD, NEW] {
        let sample = sample(name);
        let package = sample.package();
        let (last, place) = (last_export(&package), package.export(0).unwrap().serial.offset);
        let file = with_export(&sample, last, nothing_at(place));
        let package = Package::open(&file).unwrap();
        let mut editor = PackageEditor::new(&package).unwrap();
        editor.exports[last as usize].bytes = b"bytes".into();
        let written = editor.write().unwrap();
        let after = Package::open(&written.header).unwrap();
        let [first, last] = [0, last].map(|index| after.export(index).unwrap());
        assert_eq!(after.export_bytes(&last).unwrap(), b"bytes");
        assert_eq!((last.serial.offset, first.serial.offset), (place, place + 5), "{name}");
    }
}

/// New exports follow the exports that have bytes, regardless of the position of an export without
/// bytes.
#[test]
fn new_exports_behind_the_others() {
    let sample = sample(OLD);
    let last = last_export(&sample.package());
    let file = with_export(&sample, last, nothing_at(sample.bytes.len() as i64));
    let package = Package::open(&file).unwrap();
    let mut editor = PackageEditor::new(&package).unwrap();
    editor.add_export(Export::default(), &b"bytes"[..]);
    let written = editor.write().unwrap().header;
    assert!(
        written.ends_with(&[0xC1, 0x83, 0x2A, 0x9E])
            && file.ends_with(&written[written.len() - 4..])
    );
}

/// In files below 4:511, offsets of exports have 32 bits.
#[test]
fn places_of_more_bits() {
    for (name, fits) in [("ue4.10-SimpleRefsRoot.uasset", false), (NEW, true)] {
        let sample = sample(name);
        let package = sample.package();
        let mut editor = PackageEditor::new(&package).unwrap();
        let mut export = Export::default();
        nothing_at(1 << 40)(&mut export);
        editor.add_export(export, &b""[..]);
        match editor.write() {
            Ok(written) => {
                let after = Package::open(&written.header).unwrap();
                let last = after.export(last_export(&after)).unwrap();
                assert_eq!((last.serial.offset, fits), (1 << 40, true));
            }
            Err(error) => {
                assert_eq!((*error.kind(), fits), (ErrorKind::FieldTooSmall(1 << 40), false));
            }
        }
    }
}

/// A table that has records must have a positive offset.
#[test]
fn tables_that_are_nowhere() {
    for offset in [0, -1] {
        let mut described = Described::new(&sample(OLD).bytes, None);
        described.set(described.field("import_offset"), offset);
        let package = Package::open(&described.bytes).unwrap();
        let error = PackageEditor::new(&package).unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::BadOffset(offset));
    }
}

/// Bytes after the exports are copied. Only a correct closing tag is treated as a closing tag.
#[test]
fn more_at_the_end() {
    for more in [&b"1"[..], b"1234", b"12345678"] {
        let file = [&sample(OLD).bytes, more].concat();
        let package = Package::open(&file).unwrap();
        let written = PackageEditor::new(&package).unwrap().write().unwrap();
        assert!(written.header == file, "{}", more.len());
    }
}

/// If bulk data would lie before the base of their offset (here: the start of the `.uexp`), they
/// have no location, so their offset does not change.
#[test]
fn bulk_data_before_their_start() {
    let sample = sample("ue5.8-cooked-tagged-T_Streaming.uasset");
    let package = sample.package();
    let table = Layout { table_version: 2, ..*package.layout() };
    let entry = DataResource {
        serial_offset: 8 - sample.bytes.len() as i64,
        duplicate_serial_offset: -1,
        cooked_index: Some(0),
        ..DataResource::default()
    };
    let list = ListBuf::new([entry], &table).unwrap();
    let mut editor = PackageEditor::new(&package).unwrap();
    editor.data_resources = Some(DataResources { version: 2, entries: list.list().unwrap() });
    editor.add_name("ANameThatWasNotThere").unwrap();
    let written = editor.write().unwrap();
    let after = Package::open_as(&written.header, written.exports.as_deref(), None).unwrap();
    let entries = after.data_resources().unwrap().unwrap().entries;
    assert!(entries.iter().eq([Ok(entry)]));
}

/// The counts of the last generation change with the package if they were equal to the counts of
/// the package. Other generations do not change.
#[test]
fn generations_of_other_versions() {
    let sample = sample(OLD);
    let package = sample.package();
    let layout = package.layout();
    let count = |package: &Package<'_>| Generation {
        export_count: package.exports().len() as i32,
        name_count: package.names().len() as i32,
    };
    let other = Generation { export_count: 7, name_count: 7 };
    for last in [count(&package), other] {
        let list = ListBuf::new([other, last], layout).unwrap();
        let mut editor = PackageEditor::new(&package).unwrap();
        editor.summary.generations = list.list().unwrap();
        editor.add_name("ANameThatWasNotThere").unwrap();
        let written = editor.write().unwrap();
        let after = Package::open(&written.header).unwrap();
        let last = if last == other { other } else { count(&after) };
        assert!(after.summary().generations.iter().eq([Ok(other), Ok(last)]));
    }
}

/// A negative count means an empty table, and does not change when the package is written.
#[test]
fn a_generation_of_less_than_no_exports() {
    let sample = sample(OLD);
    let summary = *sample.package().summary();
    let mut file = sample.bytes.clone();
    // The count is in the summary and in the last generation.
    for behind in [summary.export_offset, summary.name_count] {
        let pair = [summary.export_count, behind].map(i32::to_le_bytes).concat();
        let at = file.windows(8).position(|bytes| bytes == pair).unwrap();
        file[at..at + 4].copy_from_slice(&(-1_i32).to_le_bytes());
    }
    let package = Package::open(&file).unwrap();
    let last = package.summary().generations.iter().last().unwrap().unwrap();
    assert_eq!([package.summary().export_count, last.export_count], [-1; 2]);
    assert!(PackageEditor::new(&package).unwrap().write().unwrap().header == file);
}

/// If the number of flags differs from the number of records in the table, adding a record does not
/// change the flags.
#[test]
fn bits_of_other_tables() {
    let sample = sample(NEW);
    let package = sample.package();
    let mut editor = PackageEditor::new(&package).unwrap();
    let words = ListBuf::new([0b101u32], package.layout()).unwrap();
    let count = package.imports().len() as u32;
    assert!(count != 2 && package.soft_package_references().len() != 3);
    let [imports, packages] = [2, 3].map(|len| Bits::new(words.list().unwrap(), len).unwrap());
    let used = editor.registry_dependencies.as_mut().unwrap();
    (used.imports_used_in_game, used.soft_packages_used_in_game) = (imports, packages);
    editor.add_import(Import::default());
    let written = editor.write().unwrap();
    let after = Package::open(&written.header).unwrap();
    let used = after.registry_dependencies().unwrap().unwrap();
    assert!(used.imports_used_in_game.iter().eq([true, false]));
    assert!(used.soft_packages_used_in_game.iter().eq([true, false, true]));
}

/// If the gap between imports and exports holds a whole number of records, its size determines the
/// layout of imports. Otherwise, the version determines the layout.
#[test]
fn imports_with_a_remainder() {
    let sample = sample(OLD);
    let package = sample.package();
    let (count, summary) = (package.imports().len() as i64, package.summary());
    assert!(package.layout().import_packages);
    let gap = i64::from(summary.export_offset - summary.import_offset);
    assert_eq!(gap, 36 * count);
    let more = (count..2 * count).find(|more| gap / more == 28 && gap % more > 0).unwrap();
    let mut described = Described::new(&sample.bytes, None);
    described.set(described.field("import_count"), more);
    let other = Package::open(&described.bytes).unwrap();
    assert!(other.layout().import_packages);
    assert!(other.imports().take(count as usize).eq(package.imports()));
    // These imports have no package names. Only the size of the gap indicates this.
    let described = Described::new(&sample.bytes, None);
    let numbers = described.all("import_package");
    let cut = |field: &Field| Edit { place: field.at..field.at + field.size + 4, with: vec![] };
    let file = described.edited(&numbers.iter().map(cut).collect::<Vec<_>>());
    let short = Package::open(&file).unwrap();
    assert!(!short.layout().import_packages);
    let without = package.imports().map(|import| Import { package_name: None, ..import.unwrap() });
    assert!(short.imports().map(Result::unwrap).eq(without));
}

/// If the package has a table of soft object paths, soft references in properties are indices into
/// it.
#[test]
fn soft_references_are_listed() {
    let mut listed = 0;
    for sample in packages() {
        let package = sample.package();
        let is_listed = package.soft_object_paths().len() > 0;
        assert_eq!(package.layout().soft_paths_listed, is_listed, "{}", sample.name());
        listed += usize::from(is_listed);
    }
    assert!(listed > 0);
}

/// The offset 0 means that a table is absent, or that an export has no location.
#[test]
fn gap_at_the_start() {
    let sample = sample(OLD);
    let last = last_export(&sample.package());
    let file = with_export(&sample, last, nothing_at(0));
    let package = Package::open(&file).unwrap();
    let mut editor = PackageEditor::new(&package).unwrap();
    editor.exports[last as usize].bytes = b"bytes".into();
    let written = editor.write().unwrap();
    let after = Package::open(&written.header).unwrap();
    assert_eq!(after.export_bytes(&after.export(last).unwrap()).unwrap(), b"bytes");

    for (offset, there) in [(0, false), (1, true)] {
        let mut described = Described::new(&sample.bytes, None);
        described.set(described.field("depends_offset"), offset);
        let package = Package::open(&described.bytes).unwrap();
        let mut told = false;
        package.for_each_table(|key, _| told |= key == "depends");
        assert_eq!(told, there);
    }
}
