//! Reads a save of engine 5. The corpus contains no such save, so an independent decoder makes one:
//! it converts the tags in a save of engine 4.27 to those of 5:1012.

use crate::support::unreal::samples;
use gamewire::unreal::Save;
use serde_json::{Value, json};

/// The bytes of the old save that are not yet read.
struct Old<'a>(&'a [u8]);

impl<'a> Old<'a> {
    fn take(&mut self, n: usize) -> &'a [u8] {
        let (bytes, rest) = self.0.split_at(n);
        self.0 = rest;
        bytes
    }

    fn int(&mut self) -> i32 {
        i32::from_le_bytes(self.take(4).try_into().unwrap())
    }

    /// Reads an ASCII string, which follows its length and ends with a NUL.
    fn string(&mut self) -> &'a str {
        let len = self.int() as usize;
        std::str::from_utf8(self.take(len).strip_suffix(b"\0").unwrap()).unwrap()
    }
}

fn string(to: &mut Vec<u8>, text: &str) {
    to.extend(i32::try_from(text.len() + 1).unwrap().to_le_bytes());
    to.extend(text.as_bytes());
    to.push(0);
}

/// Writes the names in a type in pre-order, each with the number of its parameters.
fn nodes(to: &mut Vec<u8>, words: &[(&str, i32)]) {
    for (word, count) in words {
        string(to, word);
        to.extend(count.to_le_bytes());
    }
}

/// Converts a list of properties, including the `None` that ends it.
fn list(old: &mut Old<'_>, new: &mut Vec<u8>) {
    loop {
        let name = old.string();
        string(new, name);
        if name == "None" {
            return;
        }
        property(old, new);
    }
}

/// Converts the part of a property that follows its name.
fn property(old: &mut Old<'_>, new: &mut Vec<u8>) {
    let (kind, size, index) = (old.string(), old.int() as usize, old.int());
    assert_eq!(index, 0, "no array of fixed size in this save");
    let (mut flags, mut truth, mut of) = (0u8, 0u8, "");
    match kind {
        "StructProperty" => {
            of = old.string();
            old.take(16);
        }
        "BoolProperty" => truth = old.take(1)[0],
        "ByteProperty" | "EnumProperty" => assert_eq!(old.string(), "None"),
        "ArrayProperty" => of = old.string(),
        _ => {}
    }
    assert_eq!(old.take(1), [0], "no GUID of the property");
    let mut payload = Old(old.take(size));
    let mut value = Vec::new();
    match (kind, of) {
        ("StructProperty", "DateTime") => {
            flags |= 8;
            value.extend(payload.0);
            nodes(new, &[(kind, 1), (of, 1), ("/Script/CoreUObject", 0)]);
        }
        ("StructProperty", _) => {
            list(&mut payload, &mut value);
            nodes(new, &[(kind, 1), (of, 1), ("/Script/Game", 0)]);
        }
        ("ArrayProperty", "StructProperty") => {
            let count = payload.int();
            let (_, _, _, _) = (payload.string(), payload.string(), payload.int(), payload.int());
            let of = payload.string();
            payload.take(17);
            value.extend(count.to_le_bytes());
            (0..count).for_each(|_| list(&mut payload, &mut value));
            nodes(new, &[(kind, 1), ("StructProperty", 1), (of, 1), ("/Script/Game", 0)]);
        }
        ("ArrayProperty", _) => {
            value.extend(payload.0);
            nodes(new, &[(kind, 1), (of, 0)]);
        }
        _ => {
            value.extend(payload.0);
            nodes(new, &[(kind, 0)]);
        }
    }
    flags |= truth << 4;
    new.extend(i32::try_from(value.len()).unwrap().to_le_bytes());
    new.push(flags);
    new.extend(value);
}

/// Returns the save of engine 4.27 in the form of engine 5.4.
fn transformed(old: &[u8], properties: usize) -> Vec<u8> {
    let mut from = Old(old);
    let mut new = from.take(4).to_vec();
    assert_eq!((from.int(), from.int()), (2, 522));
    for version in [3, 522, 1012] {
        new.extend(i32::to_le_bytes(version));
    }
    new.extend(&old[12..properties]);
    new.push(0); // the control byte (since 5:1011)
    let mut from = Old(&old[properties..]);
    list(&mut from, &mut new);
    new.extend(from.0);
    new
}

/// Returns the names and values of properties in serialized form, without the other fields of their
/// tags.
fn meaning(value: &Value) -> Value {
    match value {
        Value::Object(map) if map.contains_key("at") => {
            json!({ "name": map["name"], "value": meaning(&map["value"]) })
        }
        Value::Array(all) => all.iter().map(meaning).collect(),
        // A serialized `f32` may have its short form or the form of the widened value.
        Value::Number(number) if number.is_f64() => json!(number.as_f64().unwrap() as f32),
        other => other.clone(),
    }
}

#[test]
fn tags_of_engine_5() {
    let sample = samples::saves().into_iter().find(|s| s.name().contains("Slot1")).unwrap();
    let expected = &sample.expected["reference"];
    let offset = expected["properties_offset"].as_u64().unwrap() as usize;
    let file = transformed(&sample.bytes, offset);
    let save = Save::open(&file).unwrap();
    let document = serde_json::to_value(&save).unwrap();
    assert_eq!(document["ue5_version"], 1012);
    assert_eq!(document["serialization_control"], 0);
    assert_eq!(document["trailer"], expected["trailer"]);
    let (ours, theirs) = (meaning(&document["properties"]), meaning(&expected["properties"]));
    assert_eq!(ours.as_array().unwrap().len(), 16);
    assert_eq!(ours, theirs);
    let kind = |index: usize| document["properties"][index]["type"].as_str().unwrap().to_owned();
    assert_eq!(kind(13), "ArrayProperty(StructProperty(CustomStruct(/Script/Game)))");
    assert_eq!(document["properties"][12]["flags"], 8);
}
