//! Documents of packages whose properties have no tags.

use super::values::{file, with_pair};
use crate::documents::{Edit, assert_same, without_derived};
use crate::support::random::Random;
use crate::support::unreal::unversioned::{Made, without_places};
use gamewire::unreal::edit::WrittenPackage;
use gamewire::unreal::{BytesForm, Mappings, Package, PackageDocument, PackageEditor, Versions};
use serde_json::{Value, json};

fn written(json: &str, mappings: Option<&Mappings<'_>>) -> serde_json::Result<WrittenPackage> {
    let document: PackageDocument = serde_json::from_str(json)?;
    let from = &mut serde_json::Deserializer::from_str(json);
    match mappings {
        Some(mappings) => document.write_with_mappings(from, mappings),
        None => document.write(from),
    }
}

#[test]
fn unchanged_documents_are_written_back() {
    with_pair("tiny.v4.usmap", |package| {
        for form in [BytesForm::List, BytesForm::Hex, BytesForm::Base64] {
            let json = serde_json::to_string(&package.clone().with_bytes(form).document()).unwrap();
            let written = written(&json, package.mappings()).unwrap();
            assert_eq!(written.header, file("tiny.uasset"));
            assert_eq!(written.exports.unwrap(), file("tiny.uexp"));
        }
    });
}

#[test]
fn documents_need_mappings() {
    with_pair("tiny.v4.usmap", |package| {
        let json = serde_json::to_string(&package.document()).unwrap();
        let error = written(&json, None).unwrap_err().to_string();
        assert!(error.contains("writing the document needs the mappings"), "{error}");
    });
}

/// Changes the properties of the first export in the document of the sample, writes the package,
/// and returns these properties as they are read back.
fn changed(change: impl FnOnce(&mut Vec<Value>)) -> Result<Vec<Value>, String> {
    with_pair("tiny.v4.usmap", |package| {
        let mut document = serde_json::to_value(package.document()).unwrap();
        change(document["exports"][0]["properties"].as_array_mut().unwrap());
        let written = written(&document.to_string(), package.mappings());
        let written = written.map_err(|error| error.to_string())?;
        let (header, exports) = (&written.header, written.exports.as_deref());
        let mappings = package.mappings().unwrap();
        let package = Package::open_as(header, exports, Versions::of_engine(5, 3)).unwrap();
        let package = package.with_mappings(mappings);
        assert!(package.verify(|problem| panic!("{problem:?}")));
        let mut document = serde_json::to_value(package.document()).unwrap();
        Ok(document["exports"][0]["properties"].as_array_mut().unwrap().clone())
    })
}

fn position(list: &[Value], name: &str) -> usize {
    list.iter().position(|entry| entry["name"] == name).unwrap()
}

fn value_of(list: &[Value], name: &str) -> Value {
    list[position(list, name)]["value"].clone()
}

#[test]
fn values_are_changed() {
    let set = |name, value: Value| {
        let list = changed(|list| {
            let index = position(list, name);
            list[index]["value"] = value.clone();
        });
        let list = list.unwrap();
        assert_eq!(value_of(&list, name), value);
        list
    };
    set("Last", json!(4321));
    set("Flag", json!(false));
    set("Small", json!(0));
    set("N", json!("A new name_3"));
    set("KI16", json!("EWide::Big"));
    set("KByte", json!("EKind::One"));
    set("AKind", json!(["EKind::One"]));
    set("SKind", json!({"removed": [], "values": ["EKind::One", "EKind::Two"]}));
    set("V", json!({"x": 1.0, "y": 2.0, "z": 3.0}));
    // A value that was zero has bytes afterwards.
    let list = set("BaseKind", json!("EKind::Two"));
    assert_eq!(list[position(&list, "BaseKind")].get("zero"), None);
    set("OptNone", json!({"set": true, "value": 5}));
}

/// Values are added in any order, and removed.
#[test]
fn values_are_added_and_removed() {
    let second = json!({"name": "Fixed", "type": "IntProperty", "array_index": 1, "value": 8});
    let list = changed(|list| {
        list.remove(position(list, "Last"));
        list.push(second);
    });
    let list = list.unwrap();
    assert!(!list.iter().any(|entry| entry["name"] == "Last"));
    let fixed: Vec<_> = list.iter().filter(|entry| entry["name"] == "Fixed").collect();
    let values: Vec<_> = fixed.iter().map(|entry| (&entry["slot"], &entry["value"])).collect();
    let [first, second, third] = &values[..] else { panic!("{values:?}") };
    assert_eq!(
        (first.0, second.0, second.1, third.0),
        (&json!(0), &json!(1), &json!(8), &json!(2))
    );

    let list = changed(|list| {
        let index = position(list, "NestEmpty");
        list[index]["value"] = json!([{"name": "B", "type": "StrProperty", "value": "new"}]);
    });
    assert_eq!(value_of(&list.unwrap(), "NestEmpty")[0]["value"], "new");
}

#[test]
fn faults() {
    let fault = |change: &dyn Fn(&mut Vec<Value>)| changed(change).unwrap_err();
    let set = |name: &'static str, value: Value| {
        fault(&move |list| {
            let index = position(list, name);
            list[index]["value"] = value.clone();
        })
    };
    assert!(set("Small", json!(256)).contains("export 0"));
    set("Flag", json!(1));
    let text = set("KI16", json!("EWide::Nothing"));
    assert!(text.contains("the enum has no entry `EWide::Nothing` in the mappings"), "{text}");
    let text = fault(&|list| list[0]["name"] = "Nothing".into());
    assert!(text.contains("`Thing` has no property `Nothing` in the mappings"), "{text}");
    let text = fault(&|list| list[0]["type"] = "StrProperty".into());
    assert!(text.contains("is `IntProperty` in the mappings, not `StrProperty`"), "{text}");
    let text = fault(&|list| list[0]["array_index"] = 3.into());
    assert!(text.contains("`Fixed` has 3 elements, so it has no element 3"), "{text}");
    let text = fault(&|list| list.push(list[0].clone()));
    assert!(text.contains("the property `Fixed` has two values"), "{text}");
}

/// Writes the lists of all exports anew from their documents.
fn rewritten(package: &Package<'_>) -> Vec<u8> {
    let mut editor = PackageEditor::new(package).unwrap();
    for (index, export) in package.exports().enumerate() {
        let list = package.properties(&export.unwrap()).unwrap().unwrap().iter();
        let document = serde_json::to_string(&list).unwrap();
        let document = &mut serde_json::Deserializer::from_str(&document);
        editor.replace_properties(index, 0..list.count(), document).unwrap();
    }
    editor.write().unwrap().exports.unwrap()
}

#[test]
fn lists_are_written_anew() {
    with_pair("tiny.v4.usmap", |package| assert!(rewritten(package) == file("tiny.uexp")));
    for seed in 0..60 {
        // Most generated lists have headers that engines would not write, so the values are
        // compared instead of the bytes.
        with_made(seed, |made, package| {
            let exports = rewritten(package);
            let mappings = package.mappings().unwrap();
            let header = made.with_export_of(exports.len());
            let package = Package::open_as(&header, Some(&exports), Some(made.versions)).unwrap();
            let package = package.with_mappings(mappings);
            let list = package.properties(&package.export(0).unwrap()).unwrap().unwrap().iter();
            let found = without_places(&serde_json::to_value(list).unwrap());
            assert_same(&format!("seed {seed}"), "", &found, &made.properties);
            assert!(rewritten(&package) == exports, "seed {seed}");
        });
    }
}

fn with_made(seed: u64, see: impl FnOnce(&Made, &Package<'_>)) {
    let made = Made::new(seed);
    let mappings = Mappings::open(&made.mappings).unwrap();
    let header = made.with_export_of(made.export.len());
    let package = Package::open_as(&header, Some(&made.export), Some(made.versions)).unwrap();
    see(&made, &package.with_mappings(&mappings));
}

/// Changes random values of generated packages, and reads them back.
#[test]
fn random_changes() {
    let mut random = Random::new(0x0A7E);
    let (mut count, mut seed) = (0, 0);
    while count < 300 {
        seed += 1;
        with_made(seed, |made, package| {
            let mut document = serde_json::to_value(package.document()).unwrap();
            let left = random.below(30);
            let mut edit =
                Edit { random: &mut random, left, done: false, has_flags: false, is_tagless: true };
            edit.list(document["exports"][0]["properties"].as_array_mut().unwrap());
            count += usize::from(edit.done);
            let written = written(&document.to_string(), package.mappings());
            let written = written.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            let (header, exports) = (&written.header, written.exports.as_deref());
            let mappings = package.mappings().unwrap();
            let package = Package::open_as(header, exports, Some(made.versions)).unwrap();
            let package = package.with_mappings(mappings);
            let mut found = serde_json::to_value(package.document()).unwrap();
            without_derived(&mut document);
            without_derived(&mut found);
            assert_same(&format!("seed {seed}"), "", &found, &document);
        });
    }
}
