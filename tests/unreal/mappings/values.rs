//! Values of the package `tiny`, which was made by code that is not part of this repository.

use gamewire::unreal::compression::{CodecError, Method};
use gamewire::unreal::{Mappings, MappingsFile, Package, Versions};
use serde_json::{Map, Value, json};

pub fn file(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/corpus/unreal-mappings/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Calls the closure with the package `tiny`, which is read with these mappings.
pub fn with_pair<T>(mappings: &str, see: impl FnOnce(&Package<'_>) -> T) -> T {
    let (mappings, header, exports) = (file(mappings), file("tiny.uasset"), file("tiny.uexp"));
    let file = MappingsFile::open(&mappings).unwrap();
    let body = file.decompress(1 << 20, codec).unwrap();
    let mappings = Mappings::of_body(&file, &body).unwrap();
    let package = Package::open_as(&header, Some(&exports), Versions::of_engine(5, 3)).unwrap();
    see(&package.with_mappings(&mappings))
}

#[cfg(all(feature = "unreal-compression", feature = "compression"))]
fn codec(method: Method<'_>, from: &[u8], to: &mut [u8]) -> Result<usize, CodecError> {
    gamewire::unreal::compression::standard_codec(method, from, to)
}

#[cfg(not(all(feature = "unreal-compression", feature = "compression")))]
fn codec(_: Method<'_>, _: &[u8], _: &mut [u8]) -> Result<usize, CodecError> {
    Err(CodecError::Unsupported)
}

const FILES: &[&str] = match cfg!(all(feature = "unreal-compression", feature = "compression")) {
    true => &["tiny.v0.usmap", "tiny.v2.usmap", "tiny.v3zstd.usmap", "tiny.v4.usmap"],
    false => &["tiny.v0.usmap", "tiny.v2.usmap", "tiny.v4.usmap"],
};

/// Every version of the mappings gives the values that were written.
#[test]
fn values_are_those_that_were_written() {
    let expected: Value = serde_json::from_slice(&file("expected.json")).unwrap();
    for name in FILES {
        with_pair(name, |package| {
            let exports = package.exports().map(Result::unwrap);
            for (export, expected) in exports.zip(expected["exports"].as_array().unwrap()) {
                let document = serde_json::to_value(package.export_document(&export)).unwrap();
                let wanted = expected["values"].as_object().unwrap();
                assert_eq!(properties(&document["properties"]).len(), wanted.len(), "{name}");
                compare(&properties(&document["properties"]), wanted, *name == "tiny.v4.usmap");
                if let Some(size) = expected.get("property_bytes") {
                    assert_eq!(document["properties_size"], *size);
                    assert_eq!(document["object_guid"], expected["guid"]);
                    assert_eq!(document["native_size"], 4);
                }
                assert_eq!(document.get("properties_error"), None);
            }
        });
    }
}

/// Returns the values of a list by their names. A value that is marked as zero becomes `"zero"`.
fn properties(list: &Value) -> Map<String, Value> {
    let list = list.as_array().unwrap().iter();
    list.map(|tag| {
        let name = tag["name"].as_str().unwrap();
        let value = match tag.get("zero") {
            Some(_) => json!("zero"),
            None => simple(&tag["value"]),
        };
        let index = &tag["array_index"];
        (if name == "Fixed" { format!("{name}[{index}]") } else { name.into() }, value)
    })
    .collect()
}

/// Returns a value of a document in the form of the expected values.
fn simple(value: &Value) -> Value {
    match value {
        Value::Array(list) if list.first().is_some_and(|first| first.get("slot").is_some()) => {
            properties(value).into()
        }
        Value::Array(list) => list.iter().map(simple).collect(),
        Value::Object(map) if map.contains_key("set") => simple(&map["value"]),
        Value::Object(map) if map.contains_key("entries") => {
            let pair = |entry: &Value| json!([simple(&entry["key"]), simple(&entry["value"])]);
            let items: Vec<_> = map["entries"].as_array().unwrap().iter().map(pair).collect();
            json!({"removed": map["removed"], "items": items})
        }
        Value::Object(map) if map.contains_key("values") => {
            json!({"removed": map["removed"], "items": map["values"]})
        }
        Value::Object(map) if map.contains_key("x") => json!([map["x"], map["y"], map["z"]]),
        Value::Object(map) if map.contains_key("r") => {
            json!({"B": map["b"], "G": map["g"], "R": map["r"], "A": map["a"]})
        }
        Value::Object(map) if map.contains_key("history") => {
            json!([map["namespace"], map["key"], map["source"]])
        }
        Value::Object(map) if map.contains_key("sub_path") => {
            let (package, asset) = map["path"].as_str().unwrap().split_once('.').unwrap();
            json!([package, asset, map["sub_path"]])
        }
        Value::Object(map) if map.contains_key("function") => {
            json!([map["object"], map["function"]])
        }
        Value::Object(map) if map.contains_key("owner") => json!([map["path"], map["owner"]]),
        other => other.clone(),
    }
}

/// Compares values. If the mappings do not state the values of enum entries, the values of the enum
/// `EWide` have no names and are numbers.
fn compare(found: &Map<String, Value>, wanted: &Map<String, Value>, explicit: bool) {
    for (name, wanted) in wanted {
        let found = found.get(name).unwrap_or_else(|| panic!("{name} is missing"));
        match wanted {
            Value::String(text) if text.starts_with("zero-marked") => assert_eq!(found, "zero"),
            Value::String(text) if text.starts_with("EWide") => {
                let (named, number) = match text.as_str() {
                    "EWide::Minus" => ("EWide::Minus", json!(-1)),
                    "EWide::Big" | "EWide::Big (300)" => ("EWide::Big", json!(300)),
                    other => panic!("{other}"),
                };
                assert_eq!(*found, if explicit { json!(named) } else { number }, "{name}");
            }
            Value::Object(map) if map.contains_key("items") => {
                for key in map.keys() {
                    nested(&found[key], &map[key], explicit);
                }
            }
            wanted => nested(found, wanted, explicit),
        }
    }
}

fn nested(found: &Value, wanted: &Value, explicit: bool) {
    match (found, wanted) {
        (Value::Array(found), Value::Object(wanted)) if found.is_empty() => {
            assert!(wanted.is_empty());
        }
        (Value::Array(found), Value::Array(wanted)) => {
            assert_eq!(found.len(), wanted.len());
            found.iter().zip(wanted).for_each(|(found, wanted)| nested(found, wanted, explicit));
        }
        (Value::Object(found), Value::Object(wanted)) => compare(found, wanted, explicit),
        (Value::Number(found), Value::Number(wanted)) => {
            let same = found.as_f64() == wanted.as_f64();
            assert!(same, "{found} {wanted}");
        }
        _ => assert_eq!(found, wanted),
    }
}
