//! Looks up one object, one property, and one value of a map.
use gamewire::unreal::properties::{Map, NativeValue};
use gamewire::unreal::{Package, Properties, PropertyValue, Save, Tag};
use std::fs;

fn read(name: &str) -> Vec<u8> {
    fs::read(format!("{}/corpus/unreal/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Calls the closure with a package that engine 5.8 cooked, and with an object that has a property
/// of nearly every kind.
fn with_all(test: impl FnOnce(&Package<'_>, Properties<'_>)) {
    let header = read("ue5.8-cooked-tagged-DA_AllProperties.uasset");
    let exports = read("ue5.8-cooked-tagged-DA_AllProperties.uexp");
    let package = Package::open_as(&header, Some(&exports), None).unwrap();
    let export = package.export(package.find_export("DA_AllProperties").unwrap()).unwrap();
    test(&package, package.properties(&export).unwrap().unwrap().iter());
}

fn int(tag: Option<Tag<'_>>) -> i64 {
    match tag.unwrap().value() {
        PropertyValue::Int(value) => value,
        other => panic!("{other:?}"),
    }
}

fn map<'p>(list: &Properties<'p>, name: &str) -> Map<'p> {
    match list.get(name).unwrap().value() {
        PropertyValue::Map(map) => map,
        other => panic!("{other:?}"),
    }
}

#[test]
fn properties_by_name() {
    with_all(|_, list| {
        assert_eq!(int(list.get("Integer")), 305_419_896);
        assert_eq!(int(list.get("BaseMarker")), 195_948_557);
        // Names are compared without regard to case.
        assert_eq!(int(list.get("INTEGER")), 305_419_896);
        assert!(list.get("Integer_0").is_none());
        assert!(list.get("None").is_none());
        assert!(list.get("").is_none());
        let PropertyValue::Struct(nested) = list.get("Nested").unwrap().value() else { panic!() };
        assert_eq!(int(nested.get("Marker")), 777);
        // Looking up a property does not advance the iterator over the list.
        assert_eq!(int(list.get("Integer")), 305_419_896);
    });
}

/// Only values that differ from the defaults are saved: elements 0 and 2 of the first array, and
/// elements 1 and 2 of the second array.
#[test]
fn arrays_of_fixed_size() {
    with_all(|_, list| {
        assert_eq!(int(list.get("FixedIntegerArray")), i64::from(i32::MIN));
        assert_eq!(int(list.get_at("FixedIntegerArray", 0)), i64::from(i32::MIN));
        assert!(list.get_at("FixedIntegerArray", 1).is_none());
        assert_eq!(int(list.get_at("FixedIntegerArray", 2)), i64::from(i32::MAX));
        assert!(list.get_at("FixedIntegerArray", -1).is_none());
        assert!(list.get_at("Integer", 1).is_none());
    });
    let file = read("ue4.09-PS_X.uasset");
    let package = Package::open(&file).unwrap();
    let export = package.export(package.find_export("PS_X").unwrap()).unwrap();
    let list = package.properties(&export).unwrap().unwrap().iter();
    assert!(list.get("PointSizeTextureOffsets").is_none());
    let second = list.get_at("PointSizeTextureOffsets", 2).unwrap();
    let PropertyValue::Native(_, mut fields) = second.value() else { panic!() };
    assert_eq!(fields.next(), Some(("x", NativeValue::Int(7))));
}

#[test]
fn values_by_their_keys() {
    with_all(|_, list| {
        let numbers = map(&list, "IntegerMap");
        assert!(matches!(numbers.get("Answer"), Some(PropertyValue::Int(42))));
        assert!(matches!(numbers.get("answer"), Some(PropertyValue::Int(42))));
        assert!(numbers.get("Answe").is_none());
        assert!(numbers.get("Answer2").is_none());
        let Some(PropertyValue::Struct(left)) = map(&list, "StructMap").get("Left") else {
            panic!()
        };
        assert_eq!(int(left.get("Marker")), 314);
    });
}

#[test]
fn truncated_data_is_read_up_to_the_end() {
    let file = read("gvas-ue4.27-Slot1.sav");
    let save = Save::open(&file[..1500]).unwrap();
    assert!(save.properties().get("u8_test").is_some());
    assert!(save.properties().get("f_property").is_none());
}

#[test]
fn objects_by_path() {
    let file = read("ue5.6-SimpleRefsRoot.uasset");
    let package = Package::open(&file).unwrap();
    for (index, export) in package.exports().flatten().enumerate() {
        let index = u32::try_from(index).unwrap();
        let path = package.path_of(gamewire::unreal::Object::Export(index).into());
        assert_eq!(package.find_export(&path.to_string()), Some(index));
        assert_eq!(package.find_export(&format!("{path:#}")), Some(index));
        // A name that several objects share selects none of them, unless it is also a complete
        // path.
        let name = package.name(export.object_name).unwrap().to_string();
        let same = package.exports().flatten();
        let same = same.filter(|other| package.name(other.object_name).unwrap() == *name).count();
        let found = package.find_export(&name);
        assert!(found == Some(index) || same > 1, "{name}: {found:?}");
    }
    assert_eq!(package.find_export("simplerefsroot:eventgraph"), Some(2));
    assert_eq!(package.find_export(""), None);
    assert_eq!(package.find_import("/Script/BlueprintGraph.EdGraphSchema_K2"), Some(2));
    assert_eq!(package.find_import("EdGraphSchema_K2"), Some(2));
    assert_eq!(package.find_import("EventGraph"), None);
}
