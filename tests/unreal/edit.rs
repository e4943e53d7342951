//! Tests edits at the limits of what a package can contain.

use crate::support::unreal::samples::{Sample, packages};
use gamewire::unreal::tables::{CustomVersion, Import};
use gamewire::unreal::{
    ErrorKind, Guid, ListBuf, Name, Object, ObjectRef, Package, PackageEditor, PackageIndex,
    PropertyKind, PropertyTypeBuf, PropertyValue, PropertyWriter, TagBuf,
};

fn sample(name: &str) -> Sample {
    packages().into_iter().find(|sample| sample.name() == name).unwrap()
}

/// Returns the index of the first export with a list of properties.
fn first_list(package: &Package<'_>) -> usize {
    let exports = package.exports().map(Result::unwrap);
    let mut exports = exports.enumerate();
    let has_list = |(_, export): &(usize, gamewire::unreal::tables::Export)| {
        !export.class.is_null() && matches!(package.properties(export), Ok(Some(_)))
    };
    exports.find(has_list).unwrap().0
}

/// Names of types are recognised even if the package contains more of them than are remembered.
/// This package has 150 names with the same text, and the last name is recognised like the first.
#[test]
fn more_words_than_are_remembered() {
    for name in ["ue4.27-TestActorBP.uasset", "ue5.6-SimpleRefsRoot.uasset"] {
        let sample = sample(name);
        let package = sample.package();
        let mut editor = PackageEditor::new(&package).unwrap();
        let own = editor.add_name("Own").unwrap();
        let words: Vec<Name> = (0..150)
            .map(|at| {
                let word = editor.add_name(&format!("Word{at}x")).unwrap();
                editor.replace_name(word.index, "IntProperty").unwrap();
                assert_eq!(editor.name(word).unwrap().to_string(), "IntProperty");
                word
            })
            .collect();
        assert_eq!(editor.names().filter(|name| name.text == *"IntProperty").count() / 150, 1);
        let mut list = Vec::new();
        let mut writer = PropertyWriter::in_package(&mut list, &package).unwrap();
        for word in &words {
            let find = |text: &str| Ok(if text == "IntProperty" { *word } else { own });
            let tag =
                TagBuf::in_package("Own", &PropertyTypeBuf::of(PropertyKind::Int), find).unwrap();
            writer.value(&tag, &PropertyValue::Int(word.index.into())).unwrap();
        }
        writer.finish().unwrap();
        let index = first_list(&package);
        editor.set_properties(index, &list).unwrap();
        let written = editor.write().unwrap();
        let after = Package::open(&written.header).unwrap();
        let export = after.export(index as u32).unwrap();
        let found = after.properties(&export).unwrap().unwrap().iter().map(Result::unwrap);
        let mut count = 0;
        for (tag, word) in found.zip(&words) {
            assert!(tag.name() == *"Own" && tag.kind() == PropertyKind::Int, "{name}: {tag:?}");
            let PropertyValue::Int(value) = tag.value() else { panic!("{:?}", tag.value()) };
            assert_eq!(value, i64::from(word.index));
            count += 1;
        }
        assert_eq!(count, 150);
    }
}

/// Setting the properties of an export is refused if there is no such export, or if it has no list
/// of properties with tags.
#[test]
fn value_without_a_property_list() {
    for sample in packages() {
        let (name, package) = (sample.name(), sample.package());
        let mut editor = PackageEditor::new(&package).unwrap();
        let count = package.exports().len();
        for (index, said) in [(count, count as i32), (usize::MAX, i32::MAX)] {
            let error = editor.set_properties(index, b"").unwrap_err();
            assert_eq!(*error.kind(), ErrorKind::NoSuchObject(said), "{name}");
        }
        for index in 0..count {
            let export = package.export(index as u32).unwrap();
            if package.layout().unversioned_properties || export.class.is_null() {
                let error = editor.set_properties(index, b"").unwrap_err();
                assert_eq!(*error.kind(), ErrorKind::NoSuchTable("properties"), "{name}");
            }
        }
        let written = editor.write().unwrap();
        assert!(written.header == sample.bytes && written.exports == sample.exports, "{name}");
    }
}

/// A list of properties ends with the name `None`, so a package without this name cannot have a new
/// list.
#[test]
fn without_the_name_that_ends_lists() {
    let sample = sample("ue4.27-TestActorBP.uasset");
    let package = sample.package();
    let mut editor = PackageEditor::new(&package).unwrap();
    let none = package.names().position(|name| name.unwrap().text == *"None").unwrap();
    editor.replace_name(none as i32, "Nothing").unwrap();
    let written = editor.write().unwrap();
    let after = Package::open(&written.header).unwrap();
    let mut list = Vec::new();
    let error = PropertyWriter::in_package(&mut list, &after).unwrap_err();
    let count = after.names().len() as u32;
    assert_eq!(*error.kind(), ErrorKind::NoSuchName { index: -1, count });
    assert!(list.is_empty());
}

/// Files below 4:521 do not record how dependencies are used, so a package with this information
/// cannot be written in these versions.
#[test]
fn dependencies_of_another_version() {
    let samples = packages();
    let mut tried = 0;
    let newer = samples.iter().map(Sample::package);
    let mut newer = newer.filter_map(|package| package.registry_dependencies().unwrap());
    let dependencies = newer.next_back().unwrap();
    for sample in &samples {
        let package = sample.package();
        if package.layout().versions.ue4 >= 521 || package.asset_registry().unwrap().is_none() {
            continue;
        }
        let mut editor = PackageEditor::new(&package).unwrap();
        editor.registry_dependencies = Some(dependencies);
        let error = editor.write().unwrap_err();
        let missing = ErrorKind::NoSuchTable("registry_dependencies");
        assert_eq!(*error.kind(), missing, "{}", sample.name());
        tried += 1;
    }
    assert!(tried > 0);
}

/// A copy of a table can be changed independently of the original.
#[test]
fn tables_are_copied() {
    let sample = sample("ue4.27-TestActorBP.uasset");
    let package = sample.package();
    let mut editor = PackageEditor::new(&package).unwrap();
    let before = editor.imports.clone();
    editor.imports.push(Import::default());
    editor.imports.to_mut()[0].object_name.number = 7;
    assert_eq!(editor.imports.len(), before.len() + 1);
    let all: Vec<_> = package.imports().map(Result::unwrap).collect();
    assert!(before.iter().eq(all.iter().copied()) && !before.is_empty());
    assert_eq!(format!("{before:?}"), format!("{all:?}"));
    let changed = editor.imports.clone();
    assert!(changed.iter().eq(editor.imports.iter()));
    assert_eq!(changed.iter().next().unwrap().object_name.number, 7);
}

/// Indices are converted to imports, exports and null, and some indices belong to no object.
#[test]
fn indices_of_objects() {
    for (object, index) in [
        (Object::Null, 0),
        (Object::Import(0), -1),
        (Object::Import(6), -7),
        (Object::Export(0), 1),
        (Object::Export(6), 7),
    ] {
        let found = PackageIndex::from(object);
        assert_eq!((found, found.object()), (PackageIndex(index), object));
        assert_eq!(found.is_null(), index == 0);
    }
    let sample = sample("ue4.27-TestActorBP.uasset");
    let package = sample.package();
    let (imports, exports) = (package.imports().len() as i32, package.exports().len() as i32);
    for (index, there) in [
        (0, false),
        (1, true),
        (exports, true),
        (exports + 1, false),
        (-imports, true),
        (-imports - 1, false),
        (i32::MIN, false),
        (i32::MAX, false),
    ] {
        assert_eq!(package.object_name(PackageIndex(index)).is_some(), there, "{index}");
    }
    // The number stored in a name is one more than the printed number.
    for (number, end) in [(0, ""), (1, "_0"), (6, "_5")] {
        let name = package.name(Name { index: 0, number }).unwrap();
        assert_eq!(name.number(), number);
        assert_eq!(name.to_string(), format!("{}{end}", name.text()));
    }
}

/// The iterator over the bits that state whether imports and soft packages are used in the game
/// yields as many bits as `len` returns.
#[test]
fn bits() {
    let mut seen = 0;
    for sample in packages() {
        let package = sample.package();
        let Some(used) = package.registry_dependencies().unwrap() else { continue };
        for bits in [used.imports_used_in_game, used.soft_packages_used_in_game] {
            assert_eq!(bits.is_empty(), bits.iter().next().is_none());
            assert_eq!(bits.iter().count(), bits.len());
            seen += bits.len();
        }
    }
    assert!(seen > 100, "{seen}");
}

/// A custom version determines how an `InstancedStruct`, which contains a struct of any type,
/// starts. In a file without this custom version (tested as −1), it may start with a marker and a
/// version. In a file with the custom version 0, the bytes of the marker are the index of the
/// struct's type.
#[test]
fn marks_of_structs_of_any_type() {
    let sample = sample("ue4.27-TestActorBP.uasset");
    let package = sample.package();
    let index = first_list(&package);
    let guid = Guid([0xE21E_1CAA, 0xAF47_425E, 0x89BF_6AD4, 0x4C44_A8BB]);
    let mark = 0xABAB_ABAB_u32.to_le_bytes();
    for version in [-1, 0] {
        let mut editor = PackageEditor::new(&package).unwrap();
        let custom = CustomVersion { guid, version, name: None };
        let custom = ListBuf::new([custom], package.layout()).unwrap();
        editor.summary.custom_versions = custom.list().unwrap();
        let of = PropertyTypeBuf::structure("InstancedStruct", "/Script/CoreUObject");
        let tag = editor.tag("Any", &of).unwrap();
        let bytes =
            if version < 0 { [&mark[..], &[0; 9]].concat() } else { [mark, [0; 4]].concat() };
        let mut list = Vec::new();
        let mut writer = PropertyWriter::in_package(&mut list, &package).unwrap();
        writer.bytes(&tag, &bytes).unwrap();
        writer.finish().unwrap();
        editor.set_properties(index, &list).unwrap();
        let written = editor.write().unwrap();
        let after = Package::open(&written.header).unwrap();
        let object = after.properties(&after.export(index as u32).unwrap()).unwrap().unwrap();
        let value = object.iter().next().unwrap().unwrap().value();
        let PropertyValue::Instanced(any) = value else { panic!("{version}: {value:?}") };
        let of = if version < 0 { 0 } else { i32::from_le_bytes(mark) };
        assert_eq!((any.of, any.size), (ObjectRef::Index(PackageIndex(of)), 0));
    }
}
