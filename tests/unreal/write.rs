//! Writes packages that engines saved, without changes and with changes.
use crate::laws::unreal as laws;
use gamewire::unreal::bulk::BulkFlags;
use gamewire::unreal::edit::{ThumbnailData, WrittenPackage};
use gamewire::unreal::tables::{
    DataResource, DataResources, Export, Import, SoftPackage, Thumbnail, ThumbnailHead,
};
use gamewire::unreal::{
    ByteOrder, Layout, ListBuf, Name, NameRef, NameText, Object, Package, PackageEditor,
    PackageIndex, PropertyValue, PropertyWriter, StrBuf, Value,
};

use crate::laws::unreal::{Edited, Files};
use crate::support::random::Random;
use crate::support::unreal::samples::{Sample, packages};
use std::collections::BTreeMap;

impl Sample {
    fn editor(&self) -> PackageEditor<'_> {
        PackageEditor::new(&self.package())
            .unwrap_or_else(|error| panic!("{}: {error}", self.name()))
    }

    fn reopen<'w>(&self, written: &'w WrittenPackage) -> Package<'w> {
        Package::open_as(&written.header, written.exports.as_deref(), self.supplied())
            .unwrap_or_else(|error| panic!("{}: {error}", self.name()))
    }

    /// Returns `true` if the package is written unchanged.
    fn is(&self, written: &WrittenPackage) -> bool {
        written.header == self.bytes && written.exports == self.exports
    }
}

fn write(sample: &Sample, editor: &PackageEditor<'_>) -> WrittenPackage {
    editor.write().unwrap_or_else(|error| panic!("{}: {error}", sample.name()))
}

/// Asserts that two packages have the same tables. Their offsets are not compared. The second
/// package may have additional records.
#[track_caller]
fn same_tables(before: &Package<'_>, after: &Package<'_>, what: &str) {
    macro_rules! same {
        ($($table:ident)*) => {$(
            let one: Vec<_> = before.$table().map(Result::unwrap).collect();
            let other: Vec<_> = after.$table().map(Result::unwrap).collect();
            assert!(other.starts_with(&one), "{what}: {}", stringify!($table));
        )*};
    }
    same! {
        imports depends soft_package_references soft_object_paths gatherable_text
        preload_dependencies import_type_hierarchies
    }
    macro_rules! single {
        ($($table:ident)*) => {$(
            let one = before.$table().unwrap();
            assert_eq!(one, after.$table().unwrap(), "{what}: {}", stringify!($table));
        )*};
    }
    single! { searchable_names metadata world_tile_info data_resources trailer }
    assert_eq!(
        before.asset_registry().unwrap().map(|registry| registry.objects),
        after.asset_registry().unwrap().map(|registry| registry.objects),
        "{what}: asset registry"
    );
}

#[track_caller]
fn same_thumbnails(before: &Package<'_>, after: &Package<'_>, what: &str) {
    let all = |package: &Package<'_>| {
        let table = package.thumbnails().unwrap().unwrap_or_default();
        let rows = table.iter().map(Result::unwrap).map(|entry| {
            let (head, picture) = package.thumbnail(&entry).unwrap();
            (entry.class_name.to_string(), entry.object_path.to_string(), head, picture.to_vec())
        });
        rows.collect::<Vec<_>>()
    };
    let (before, after) = (all(before), all(after));
    assert!(after.starts_with(&before), "{what}: thumbnails");
}

/// Asserts that exports have the same records, except for offsets. Their sizes and bytes are also
/// the same, except for the exports in `but`.
#[track_caller]
fn same_exports(before: &Package<'_>, after: &Package<'_>, but: &[u32], what: &str) {
    for (index, export) in (0..).zip(before.exports().map(Result::unwrap)) {
        let new = after.export(index).unwrap();
        assert_eq!(Export { serial: export.serial, ..new }, export, "{what}: export {index}");
        if !but.contains(&index) {
            assert_eq!(new.serial.size, export.serial.size, "{what}: size of export {index}");
            let (bytes, others) = (before.export_bytes(&export), after.export_bytes(&new));
            assert_eq!(bytes.unwrap(), others.unwrap(), "{what}: bytes of export {index}");
        }
    }
}

/// Returns the bytes after the exports, before and after writing.
fn behind<'a>(sample: &'a Sample, written: &'a WrittenPackage) -> (&'a [u8], &'a [u8]) {
    fn tail<'b>(package: &Package<'_>, header: &'b [u8], exports: Option<&'b [u8]>) -> &'b [u8] {
        let start = usize::try_from(package.summary().bulk_data_start_offset).unwrap();
        match exports {
            Some(exports) => &exports[start - header.len()..],
            None => &header[start..],
        }
    }
    let before = tail(&sample.package(), &sample.bytes, sample.exports.as_deref());
    (before, tail(&sample.reopen(written), &written.header, written.exports.as_deref()))
}

fn text(package: &Package<'_>, name: Name) -> String {
    package.name(name).unwrap().to_string()
}

#[test]
fn unchanged() {
    for sample in packages() {
        let written = write(&sample, &sample.editor());
        assert!(sample.is(&written), "{}", sample.name());
    }
}

#[test]
fn hashes() {
    let (mut names, mut wide) = (0, 0);
    for sample in packages() {
        for entry in sample.package().names().map(Result::unwrap) {
            assert!(entry.has_right_hashes(), "{}: {entry:?}", sample.name());
            names += i32::from(entry.hashes.is_some());
            wide += i32::from(entry.hashes.is_some() && entry.text.is_wide());
        }
    }
    assert!(names > 1000 && wide > 0, "{names} {wide}");
}

/// A single edit can add records to many tables, and all later tables move.
#[test]
fn grown() {
    let long =
        "A name that is so long that each of the tables behind the names has to move ".repeat(9);
    for sample in packages() {
        let (name, before) = (&sample.name(), sample.package());
        let mut editor = sample.editor();
        let long_name = editor.add_name(long.trim_end()).unwrap();
        let wide = editor.add_name("名前_12").unwrap();
        assert_eq!(editor.add_name("名前_12").unwrap(), wide);
        assert_eq!(wide.number, 13);
        assert_eq!(editor.name(wide).map(|text| text.to_string()).as_deref(), Some("名前_12"));
        let package = Import {
            class_package: editor.add_name("/Script/CoreUObject").unwrap(),
            class_name: editor.add_name("Package").unwrap(),
            object_name: wide,
            ..Import::default()
        };
        let package = editor.add_import(package);
        let class =
            editor.add_import(Import { outer: package, object_name: wide, ..Import::default() });
        assert_eq!(class.object(), Object::Import(before.imports().len() as u32 + 1));
        let export = Export { class, object_name: long_name, ..Export::default() };
        let export = editor.add_export(export, b"the bytes of a new export".to_vec());

        let written = write(&sample, &editor);
        let after = sample.reopen(&written);
        same_tables(&before, &after, name);
        same_thumbnails(&before, &after, name);
        same_exports(&before, &after, &[], name);
        let (tail, moved) = behind(&sample, &written);
        assert_eq!(tail, moved, "{name}");
        let old: Vec<_> = before.names().map(Result::unwrap).collect();
        let new: Vec<_> = after.names().map(Result::unwrap).collect();
        assert!(new.starts_with(&old), "{name}");
        assert!(new.iter().all(|entry| entry.has_right_hashes()), "{name}");
        assert_eq!(new.last().unwrap().hashes.is_some(), before.layout().versions.ue4 >= 504);
        assert_eq!(text(&after, long_name), long.trim_end(), "{name}");
        let import = after.import(before.imports().len() as u32 + 1).unwrap();
        assert_eq!((import.outer, import.object_name), (package, wide), "{name}");
        let Object::Export(index) = export.object() else { panic!("{name}") };
        let export = after.export(index).unwrap();
        assert_eq!((export.class, export.object_name), (class, long_name), "{name}");
        assert_eq!(after.export_bytes(&export).unwrap(), b"the bytes of a new export", "{name}");
        let end = export.serial.offset + export.serial.size;
        assert_eq!(end, after.summary().bulk_data_start_offset, "{name}");
        let generation = after.summary().generations.iter().last().unwrap().unwrap();
        assert_eq!(generation.export_count, after.summary().export_count, "{name}");
        assert_eq!(generation.name_count, after.summary().name_count, "{name}");
        more_imports_used(&before, &after, name);
    }
}

/// Asserts that two imports were added and are marked as used in the game, and that the other
/// registry dependencies are unchanged. Does nothing if a package lacks registry dependencies.
#[track_caller]
fn more_imports_used(before: &Package<'_>, after: &Package<'_>, what: &str) {
    let (Some(before), Some(after)) =
        (before.registry_dependencies().unwrap(), after.registry_dependencies().unwrap())
    else {
        return;
    };
    let imports = before.imports_used_in_game.iter().chain([true, true]);
    assert!(imports.eq(after.imports_used_in_game.iter()), "{what}");
    assert_eq!(before.soft_packages_used_in_game, after.soft_packages_used_in_game, "{what}");
    assert_eq!(before.extra, after.extra, "{what}");
}

/// The bytes of exports can become longer, shorter, or empty.
#[test]
fn replaced() {
    for sample in packages() {
        let (name, before) = (&sample.name(), sample.package());
        for (which, len) in
            [(0, 0), (0, 4321), (before.exports().len() - 1, 3), (before.exports().len() / 2, 9999)]
        {
            let mut editor = sample.editor();
            editor.exports[which].bytes = vec![0xA5; len].into();
            let written = write(&sample, &editor);
            let after = sample.reopen(&written);
            // If the bytes of an export are replaced, the old offsets of bulk data in the export
            // have no meaning.
            let has_inline_data = before.data_resources().unwrap().is_some();
            if !has_inline_data {
                same_tables(&before, &after, name);
            }
            same_thumbnails(&before, &after, name);
            same_exports(&before, &after, &[which as u32], name);
            let export = after.export(which as u32).unwrap();
            assert_eq!(after.export_bytes(&export).unwrap(), vec![0xA5; len], "{name}");
            let (tail, moved) = behind(&sample, &written);
            assert_eq!(tail, moved, "{name}");
            if has_inline_data {
                continue;
            }
            let mut editor = PackageEditor::new(&after).unwrap();
            let old = before.export(which as u32).unwrap();
            editor.exports[which].bytes = before.export_bytes(&old).unwrap().into();
            let again = editor.write().unwrap();
            assert!(sample.is(&again), "{name}");
        }
    }
}

/// If an import and an export are added and removed again, the original bytes are written.
#[test]
fn there_and_back() {
    for sample in packages() {
        let name = &sample.name();
        let mut editor = sample.editor();
        let import = Import { object_name: Name { index: 0, number: 7 }, ..Import::default() };
        editor.add_import(import);
        editor.add_export(Export::default(), b"1234567".as_slice());
        let depends = ListBuf::new([PackageIndex(-1), PackageIndex(1)], editor.layout()).unwrap();
        editor.exports.last_mut().unwrap().depends = depends.list().unwrap();
        let written = write(&sample, &editor);
        let after = sample.reopen(&written);
        assert_eq!(after.depends().last().unwrap().unwrap().len(), 2, "{name}");

        let mut editor = PackageEditor::new(&after).unwrap();
        editor.imports.to_mut().pop();
        editor.exports.pop();
        // Removing an import does not remove its flag from this table, so the table is replaced.
        editor.registry_dependencies = sample.package().registry_dependencies().unwrap();
        let again = editor.write().unwrap();
        assert!(sample.is(&again), "{name}");
    }
}

/// If a name is replaced in the table of names, the references to it do not change.
#[test]
fn renamed() {
    for sample in packages() {
        let (name, before) = (&sample.name(), sample.package());
        let mut editor = sample.editor();
        let export = before.export(0).unwrap();
        editor.replace_name(export.object_name.index, "Другое").unwrap();
        assert!(editor.replace_name(-1, "").is_err());
        assert!(editor.replace_name(i32::MAX, "").is_err());
        let written = write(&sample, &editor);
        let after = sample.reopen(&written);
        same_tables(&before, &after, name);
        same_exports(&before, &after, &[], name);
        assert_eq!(text(&after, Name { number: 0, ..export.object_name }), "Другое", "{name}");
        assert!(after.names().all(|entry| entry.unwrap().has_right_hashes()), "{name}");

        let mut editor = PackageEditor::new(&after).unwrap();
        let old: NameText<'_> = before.name(export.object_name).unwrap();
        editor.replace_name(export.object_name.index, &old.text().to_string()).unwrap();
        let again = editor.write().unwrap();
        assert!(sample.is(&again), "{name}");
    }
}

/// Records and whole tables can be removed.
#[test]
fn emptied() {
    for sample in packages() {
        let (name, before) = (&sample.name(), sample.package());
        let mut editor = sample.editor();
        editor.soft_package_references.to_mut().clear();
        editor.gatherable_text.to_mut().clear();
        editor.preload_dependencies.to_mut().clear();
        editor.thumbnails.clear();
        editor.searchable_names = None;
        editor.metadata = None;
        editor.asset_registry = None;
        let written = write(&sample, &editor);
        let after = sample.reopen(&written);
        assert_eq!(after.soft_package_references().len(), 0, "{name}");
        assert_eq!(after.gatherable_text().len(), 0, "{name}");
        assert_eq!(after.preload_dependencies().len(), 0, "{name}");
        assert!(after.thumbnails().unwrap().unwrap_or_default().is_empty(), "{name}");
        assert_eq!(after.searchable_names().unwrap(), None, "{name}");
        assert_eq!(after.metadata().unwrap(), None, "{name}");
        assert!(after.asset_registry().unwrap().is_none(), "{name}");
        assert!(after.registry_dependencies().unwrap().is_none(), "{name}");
        assert!(before.imports().eq(after.imports()), "{name}");
        same_exports(&before, &after, &[], name);
        let (tail, moved) = behind(&sample, &written);
        assert_eq!(tail, moved, "{name}");
        assert!(written.header.len() < sample.bytes.len(), "{name}");
    }
}

/// Tables that the package lacks are written after the other tables.
#[test]
fn added_tables() {
    let (class, path) = (StrBuf::new("Blueprint"), StrBuf::new("Ünïcode"));
    let soft = StrBuf::new("/Game/Soft");
    for sample in packages() {
        let (name, before) = (&sample.name(), sample.package());
        let mut editor = sample.editor();
        let entry =
            Thumbnail { class_name: class.as_text(), object_path: path.as_text(), offset: 0 };
        let head = ThumbnailHead { width: 3, height: -2, size: 0 };
        let picture = b"not really a picture".as_slice().into();
        let mut thumbnail = ThumbnailData::default();
        (thumbnail.entry, thumbnail.head, thumbnail.picture) = (entry, head, picture);
        editor.thumbnails.push(thumbnail);
        let as_name = editor.add_name("/Game/Soft").unwrap();
        editor.soft_package_references.push(match before.layout().versions.ue4 {
            514.. => SoftPackage::Name(as_name),
            _ => SoftPackage::Text(soft.as_text()),
        });
        let written = write(&sample, &editor);
        let after = sample.reopen(&written);
        same_thumbnails(&before, &after, name);
        same_exports(&before, &after, &[], name);
        let entry = after.thumbnails().unwrap().unwrap().iter().last().unwrap().unwrap();
        assert_eq!(entry.object_path, *"Ünïcode", "{name}");
        let (head, picture) = after.thumbnail(&entry).unwrap();
        assert_eq!((head.width, head.height), (3, -2), "{name}");
        assert_eq!(picture, b"not really a picture", "{name}");
        let count = before.soft_package_references().len();
        assert_eq!(after.soft_package_references().len(), count + 1, "{name}");
        if let Some(dependencies) = after.registry_dependencies().unwrap() {
            assert_eq!(dependencies.soft_packages_used_in_game.len(), count + 1, "{name}");
        }
    }
}

/// The tables of a package can be written in the other byte order with the same contents. Writing
/// the result in the original byte order restores the original bytes.
#[test]
fn swapped_tables() {
    for sample in packages() {
        let (name, before) = (&sample.name(), sample.package());
        let swapped = sample.editor().write_tables_in(ByteOrder::Big);
        let swapped = swapped.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(swapped.header.len(), sample.bytes.len(), "{name}");
        assert_eq!(swapped.header[..4], [0x9E, 0x2A, 0x83, 0xC1], "{name}");
        let last = swapped.exports.as_ref().unwrap_or(&swapped.header);
        assert!(last.ends_with(&[0x9E, 0x2A, 0x83, 0xC1]), "{name}");
        let after = sample.reopen(&swapped);
        assert_eq!(after.layout(), &Layout { order: ByteOrder::Big, ..*before.layout() }, "{name}");
        assert!(before.imports().eq(after.imports()), "{name}");
        assert!(before.preload_dependencies().eq(after.preload_dependencies()), "{name}");
        assert_eq!(before.data_resources().unwrap(), after.data_resources().unwrap(), "{name}");
        let names = |package: &Package<'_>| {
            let names = package.names().map(Result::unwrap);
            names.map(|entry| (entry.text.to_string(), entry.hashes)).collect::<Vec<_>>()
        };
        assert_eq!(names(&before), names(&after), "{name}");
        same_exports(&before, &after, &[], name);
        same_thumbnails(&before, &after, name);

        let back = PackageEditor::new(&after).unwrap().write_tables_in(ByteOrder::Little).unwrap();
        assert!(sample.is(&back), "{name}");
    }
}

/// Offsets of inline data move with the export that contains the data. Offsets of data in a
/// separate file stay the same.
#[test]
fn inline_data() {
    let samples = packages();
    let sample = samples.iter().find(|sample| sample.name().contains("T_Streaming")).unwrap();
    let before = resources(&sample.package());
    let mut editor = sample.editor();
    editor.add_name("Something that makes the header longer").unwrap();
    assert_eq!(resources(&sample.reopen(&write(sample, &editor))), before);

    // The texture becomes the second export, after a small one. The test then updates the offsets
    // of the texture's bulk data itself.
    let texture = editor.exports[0].bytes.clone();
    editor.exports[0].bytes = vec![1; 100].into();
    editor.add_export(editor.exports[0].export, texture);
    let written = write(sample, &editor);
    let after = sample.reopen(&written);
    let mut editor = PackageEditor::new(&after).unwrap();
    let moved: Vec<_> = before.iter().map(|entry| moved(entry, 100)).collect();
    let list = ListBuf::new(moved.iter().copied(), editor.layout()).unwrap();
    editor.data_resources = Some(DataResources { version: 2, entries: list.list().unwrap() });
    let written = write(sample, &editor);
    assert_eq!(resources(&sample.reopen(&written)), moved);

    let after = sample.reopen(&written);
    let mut editor = PackageEditor::new(&after).unwrap();
    editor.exports[0].bytes = vec![1; 1000].into();
    let moved: Vec<_> = before.iter().map(|entry| self::moved(entry, 1000)).collect();
    assert_eq!(resources(&sample.reopen(&write(sample, &editor))), moved);
    assert!(before.iter().any(|entry| !moved.contains(entry)));
    assert!(before.iter().any(|entry| moved.contains(entry)));
}

/// Offsets outside of the file stay unchanged.
#[test]
fn resources_nowhere() {
    let samples = packages();
    let sample = samples.iter().find(|sample| sample.name().contains("T_Streaming")).unwrap();
    for nowhere in [-1, i64::MIN, i64::MAX, 1 << 40] {
        let mut editor = sample.editor();
        let mut entries = resources(&sample.package());
        entries[9].serial_offset = nowhere;
        let list = ListBuf::new(entries.iter().copied(), editor.layout()).unwrap();
        editor.data_resources = Some(DataResources { version: 2, entries: list.list().unwrap() });
        let written = write(sample, &editor);
        let after = sample.reopen(&written);
        assert_eq!(resources(&after), entries);
        assert!(PackageEditor::new(&after).unwrap().write().unwrap() == written);
    }
}

/// Returns an entry whose offset is increased by `by`, unless the data are in a separate file.
fn moved(entry: &DataResource, by: i64) -> DataResource {
    let by = if entry.legacy_flags.has(BulkFlags::SEPARATE_FILE) { 0 } else { by };
    DataResource { serial_offset: entry.serial_offset + by, ..*entry }
}

fn resources(package: &Package<'_>) -> Vec<DataResource> {
    let resources = package.data_resources().unwrap().unwrap();
    resources.entries.iter().map(Result::unwrap).collect()
}

/// A value in the form of a different version is an error, because it would be decoded differently.
#[test]
fn wrong_version() {
    let samples = packages();
    let text = StrBuf::new("/Game/Soft");
    let sample = samples.iter().find(|sample| sample.name().contains("ue4.27-Simple")).unwrap();
    let mut editor = sample.editor();
    editor.soft_package_references.push(SoftPackage::Text(text.as_text()));
    assert!(editor.write().is_err());
    let mut editor = sample.editor();
    editor.summary.package_flags |= 0x8000_0000;
    assert!(editor.write().is_err());
    let old = samples.iter().find(|sample| sample.name().contains("ue4.06")).unwrap();
    let mut editor = old.editor();
    editor.soft_object_paths.push(Default::default());
    let error = editor.write().unwrap_err();
    assert!(error.to_string().contains("soft_object_paths"), "{error}");
    let newest = old.editor().layout().versions;
    assert_eq!(newest.ue5, 0);
}

/// Texts in properties become longer, and names are replaced by a new name. Everything else is
/// unchanged.
#[test]
fn properties() {
    let text = StrBuf::new("longer than any text that was here before, だから長い");
    let mut changed = 0;
    for sample in packages() {
        let (name, package) = (&sample.name(), sample.package());
        let mut editor = sample.editor();
        let new_name = NameRef::Index(editor.add_name("A new name").unwrap());
        let mut lists = Vec::new();
        for (index, export) in package.exports().map(Result::unwrap).enumerate() {
            let Some(object) = package.properties(&export).unwrap() else { continue };
            if export.class.is_null() {
                continue;
            }
            let mut list = Vec::new();
            let mut writer = PropertyWriter::new(&mut list, &object.iter());
            for tag in object {
                let tag = tag.unwrap();
                match tag.value() {
                    PropertyValue::Str(_) => {
                        writer.value(&tag.head(), &PropertyValue::Str(text.as_text())).unwrap();
                    }
                    PropertyValue::Name(_) if tag.head().of.kind_name() == *"NameProperty" => {
                        writer.value(&tag.head(), &PropertyValue::Name(new_name)).unwrap();
                    }
                    _ => writer.copy(&tag).unwrap(),
                }
            }
            writer.finish().unwrap();
            editor.set_properties(index, &list).unwrap();
            lists.push(index);
        }
        let written = write(&sample, &editor);
        let after = sample.reopen(&written);
        assert!(after.verify(|problem| println!("{name}: {problem}")), "{name}");
        for index in lists {
            let (old, new) = (package.export(index as u32), after.export(index as u32));
            let (old, new) = (old.unwrap(), new.unwrap());
            let before = package.properties(&old).unwrap().unwrap();
            let object = after.properties(&new).unwrap().unwrap();
            assert_eq!(object.iter().count(), before.iter().count(), "{name}: {index}");
            for (before, tag) in before.iter().zip(object.iter()) {
                let (before, tag) = (before.unwrap(), tag.unwrap());
                assert_eq!(before.name().to_string(), tag.name().to_string(), "{name}");
                match (before.value(), tag.value()) {
                    (PropertyValue::Str(_), PropertyValue::Str(now)) => {
                        assert_eq!(now.to_string(), text.as_text().to_string());
                        changed += 1;
                    }
                    (_, PropertyValue::Name(now)) if now == new_name => {
                        assert_eq!(object.iter().name(now), *"A new name");
                        changed += 1;
                    }
                    _ => assert_eq!(before.bytes(), tag.bytes(), "{name}"),
                }
            }
            let tails = (before.tail().unwrap(), object.tail().unwrap());
            assert_eq!((tails.0.guid, tails.0.native), (tails.1.guid, tails.1.native), "{name}");
            if let Some(end) = new.script_end {
                let expected = tails.1.offset - new.serial.offset as u64;
                assert_eq!(u64::try_from(end), Ok(expected), "{name}");
            }
        }
    }
    assert!(changed > 30, "{changed}");
}

/// A damaged package is rejected or written unchanged. An edited package reads back with the edits.
#[test]
#[ignore = "slow"]
fn damaged() {
    let mut random = Random::new(7);
    let mut found = BTreeMap::<_, u32>::new();
    for sample in packages().iter().filter(|sample| sample.bytes.len() < 30_000) {
        let tables = usize::try_from(sample.package().summary().header_size()).unwrap();
        for _ in 0..25 {
            let mut bytes = sample.bytes.clone();
            for _ in 0..=random.below(3) {
                // The damage is mostly near the start, where the offsets and counts are.
                let end = random.one_of(&[400, 600, tables]).min(tables);
                let any = random.next() as u8;
                let value = random.one_of(&[0, 1, 0x7F, 0x80, 0xFF, any]);
                bytes[random.below(end)] = value;
            }
            let files = Files { header: &bytes, exports: sample.exports.as_deref() };
            let steps: Vec<_> = (0..4 * random.below(6)).map(|_| random.next() as u8).collect();
            let edited = laws::edit_as(files, sample.supplied(), &steps);
            *found.entry(format!("{edited:?}")).or_default() += 1;
        }
    }
    assert!(found["Changed"] > 200 && found["Refused"] > 20, "{found:?}");
}

/// Packages that engines saved can be edited at random, and most of the results can be written.
#[test]
#[ignore = "slow"]
fn changed_at_random() {
    let mut random = Random::new(11);
    let (mut changed, mut all) = (0, 0);
    for sample in packages() {
        for _ in 0..12 {
            let files = Files { header: &sample.bytes, exports: sample.exports.as_deref() };
            let steps: Vec<_> = (0..4 * random.below(6)).map(|_| random.next() as u8).collect();
            let edited = laws::edit_as(files, sample.supplied(), &steps);
            all += 1;
            changed += u32::from(edited == Edited::Changed);
            assert!(matches!(edited, Edited::Changed | Edited::Same), "{}", sample.name());
        }
    }
    println!("{changed} of {all}");
    assert!(changed > all / 2, "{changed} of {all}");
}

/// A package with an export that begins at the start of the file cannot be edited, because these
/// bytes would be written twice.
#[test]
fn an_export_at_the_beginning() {
    let samples = packages();
    let sample = samples.iter().find(|sample| sample.name().contains("ue4.10")).unwrap();
    let package = sample.package();
    let mut export = package.export(0).unwrap();
    export.serial.offset = 0;
    let (mut bytes, mut record) = (sample.bytes.clone(), Vec::new());
    export.write(&mut record, package.layout()).unwrap();
    let at = package.exports().offset() as usize;
    bytes[at..at + record.len()].copy_from_slice(&record);
    let files = Files { header: &bytes, exports: None };
    assert_eq!(laws::edit_as(files, None, &[]), Edited::Refused);
}

/// A dependency table without entries may have an offset after the end of the file. If an export is
/// added, the table must be written.
#[test]
fn export_is_added_to_a_package_without_exports() {
    let samples = packages();
    let sample = samples.iter().find(|sample| sample.name().contains("ue4.10")).unwrap();
    let package = sample.package();
    let mut editor = PackageEditor::new(&package).unwrap();
    let export = editor.exports.remove(0);
    editor.exports.clear();
    let none = editor.write().unwrap().header;
    // The test writes the new offset at one position after the other, until the reader reports it.
    let behind = none.len() as i32 + 16;
    let moved = (0..none.len() - 4).find_map(|at| {
        let mut moved = none.clone();
        moved[at..at + 4].copy_from_slice(&behind.to_le_bytes());
        let says_so = |file| Package::open(file).unwrap().summary().depends_offset == behind;
        (none[at..at + 4] != [0; 4] && Package::open(&moved).is_ok() && says_so(&moved))
            .then_some(moved)
    });
    let none = moved.unwrap();
    let none = Package::open(&none).unwrap();
    let mut editor = PackageEditor::new(&none).unwrap();
    editor.add_export(export.export, export.bytes);
    let one = editor.write().unwrap().header;
    let one = Package::open(&one).unwrap();
    let depends: Vec<_> = one.depends().map(Result::unwrap).collect();
    assert!(depends.len() == 1 && depends[0].is_empty(), "{depends:?}");
}
