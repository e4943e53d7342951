//! The properties of every sample, as an independent reader has them.
#![cfg(all(feature = "unreal", feature = "serde"))]
#![allow(clippy::unwrap_used, clippy::panic)]

use gamewire::unreal::Save;
use serde_json::{Value, json};

#[path = "support/unreal.rs"]
mod samples;

/// What differs, as paths; keys that only we have do not.
fn differences(path: &str, ours: &Value, theirs: &Value, found: &mut Vec<String>) {
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => {
            for (key, value) in theirs {
                match (ours.get(key), key.as_str()) {
                    (Some(own), _) => differences(&format!("{path}/{key}"), own, value, found),
                    // What the reference leaves as bytes may be understood.
                    (None, "raw") if ours.contains_key("value") => {}
                    (None, _) => found.push(format!("{path}/{key} is missing: {value}")),
                }
            }
            if ours.contains_key("raw") && !theirs.contains_key("raw") {
                found
                    .push(format!("{path} is raw: {}", ours.get("reason").unwrap_or(&Value::Null)));
            }
        }
        (Value::Array(ours), Value::Array(theirs)) if ours.len() == theirs.len() => {
            for (index, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                differences(&format!("{path}/{index}"), ours, theirs, found);
            }
        }
        (Value::Number(a), Value::Number(b)) if same(a, b) => {}
        _ if ours == theirs => {}
        _ => found.push(format!("{path}: {ours} is not {theirs}")),
    }
}

/// Floats may be written as single or as double.
fn same(a: &serde_json::Number, b: &serde_json::Number) -> bool {
    let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
    a.to_bits() == b.to_bits() || (a as f32).to_bits() == (b as f32).to_bits()
}

#[test]
fn of_packages() {
    let mut all = 0;
    for sample in samples::packages() {
        let (name, package) = (sample.name(), sample.package());
        let wanted = sample.expected["reference"]["exports"].as_array().unwrap();
        for (index, (export, wanted)) in package.exports().zip(wanted).enumerate() {
            let export = export.unwrap();
            let Some(object) = package.properties(&export).unwrap() else {
                assert!(wanted.get("properties").is_none(), "{name}");
                continue;
            };
            let tail = object.tail().unwrap_or_else(|e| panic!("{name} {index}: {e}"));
            let size = tail.offset - export.serial.offset as u64;
            let mut ours = json!({
                "properties": object.iter(), "properties_size": size,
                "native_size": tail.native.len(),
            });
            if let Some(guid) = tail.guid {
                ours["object_guid"] = json!(guid);
            }
            if let Some(control) = object.control {
                ours["serialization_control"] = json!(control);
            }
            let mut theirs = serde_json::Map::new();
            for key in [
                "properties",
                "properties_size",
                "native_size",
                "object_guid",
                "serialization_control",
            ] {
                if let Some(value) = wanted.get(key) {
                    theirs.insert(key.into(), value.clone());
                }
                let extra = ours.get(key).is_some() && wanted.get(key).is_none();
                assert!(!extra, "{name} {index}: {key}");
            }
            let mut found = Vec::new();
            differences("", &ours, &Value::Object(theirs), &mut found);
            assert!(found.is_empty(), "{name} {index}: {found:#?}");
            all += 1;
        }
    }
    assert!(all > 500, "{all} exports");
}

#[test]
fn of_saves() {
    for sample in samples::saves() {
        let save = Save::open(&sample.bytes).unwrap();
        let wanted = &sample.expected["reference"];
        let (end, trailer) = save.trailer().unwrap();
        let trailer: String = trailer.iter().map(|byte| format!("{byte:02x}")).collect();
        let ours = json!({
            "properties": save.properties(), "properties_offset": save.properties().offset(),
            "properties_end": end, "trailer": trailer,
        });
        let theirs = json!({
            "properties": wanted["properties"], "properties_offset": wanted["properties_offset"],
            "properties_end": wanted["properties_end"], "trailer": wanted["trailer"],
        });
        let mut found = Vec::new();
        differences("", &ours, &theirs, &mut found);
        assert!(found.is_empty(), "{}: {found:#?}", sample.name());
    }
}
