//! Writes files from their documents.

use crate::support::random::Random;
use crate::support::unreal::samples;
use gamewire::unreal::edit::WrittenPackage;
use gamewire::unreal::{BytesForm, Package, PackageDocument, Save, SaveDocument};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Returns the saves of the corpus and their names.
pub fn saves() -> Vec<(PathBuf, Vec<u8>)> {
    let mut saves = Vec::new();
    for folder in ["corpus/unreal", "corpus/unreal-small"] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let bytes = std::fs::read(&path).unwrap();
            if Save::is_save(&bytes) {
                saves.push((path, bytes));
            }
        }
    }
    saves.sort();
    assert!(saves.len() > 20);
    saves
}

pub fn written(json: &str) -> serde_json::Result<Vec<u8>> {
    let document: SaveDocument = serde_json::from_str(json)?;
    document.write(&mut serde_json::Deserializer::from_str(json))
}

#[test]
fn unchanged_saves() {
    for (path, bytes) in saves() {
        let Ok(save) = Save::open(&bytes) else { continue };
        for form in [BytesForm::List, BytesForm::Hex, BytesForm::Base64] {
            let json = serde_json::to_string(&save.clone().with_bytes(form)).unwrap();
            let file = written(&json).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(file == bytes, "{}: {json}", path.display());
        }
    }
}

/// Returns `bytes` with the first occurrence of `old` after `start` replaced with `new`.
fn replaced(bytes: &[u8], start: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let find = |bytes: &[u8], what: &[u8]| bytes.windows(what.len()).position(|w| w == what);
    let start = find(bytes, start).unwrap() + start.len();
    let at = start + find(&bytes[start..], old).unwrap();
    [&bytes[..at], new, &bytes[at + old.len()..]].concat()
}

/// The tag of a byte without an enum has the enum name `None`. A document does not show this name,
/// but an unusual spelling such as `nONE` is written back.
#[test]
fn unusual_names_of_no_enum() {
    let file = std::fs::read("corpus/unreal/gvas-ue4.27-Slot1.sav").unwrap();
    let file = replaced(&file, b"ByteProperty\0", b"None\0", b"nONE\0");
    let json = serde_json::to_string(&Save::open(&file).unwrap()).unwrap();
    assert!(json.contains(r#""type":"ByteProperty""#));
    assert!(written(&json).unwrap() == file);
}

pub fn written_package(json: &str) -> serde_json::Result<WrittenPackage> {
    let document: PackageDocument = serde_json::from_str(json)?;
    document.write(&mut serde_json::Deserializer::from_str(json))
}

#[test]
fn unchanged_packages() {
    for sample in samples::packages() {
        let json = serde_json::to_string(&sample.package().document()).unwrap();
        let file = written_package(&json);
        let file = file.unwrap_or_else(|error| panic!("{}: {error}", sample.name()));
        assert!(file.header == sample.bytes, "{}", sample.name());
        assert!(file.exports == sample.exports, "{}", sample.name());
    }
}

/// Removes the members that follow from other members, such as offsets. Documents can then be
/// compared after a change.
pub fn without_derived(document: &mut Value) {
    match document {
        Value::Object(members) => {
            members.retain(|key, _| {
                let derived = [
                    "at",
                    "size",
                    "stored",
                    "stored_tag",
                    "name_hashes",
                    "reason",
                    "offset",
                    "inferred",
                    "zero",
                ];
                let tables = ["names", "depends", "generations", "properties_end", "script_end"];
                let is_derived = derived.contains(&&**key) || tables.contains(&&**key);
                let ends = ["_offset", "_size", "_count"].iter().any(|end| key.ends_with(end));
                !is_derived && !ends && key != "names_referenced_from_export_data_count"
            });
            // The value of a bool is stored as a flag of its tag.
            if members.get("type").is_some_and(|of| of == "BoolProperty") {
                members.remove("flags");
            }
            members.values_mut().for_each(without_derived);
        }
        Value::Array(list) => list.iter_mut().for_each(without_derived),
        _ => {}
    }
}

/// A random change of a list of properties.
pub struct Edit<'r> {
    pub random: &'r mut Random,
    /// Number of possible places for the change that are skipped before it is made.
    pub left: usize,
    pub done: bool,
    /// `true` if the tags of the file have flags.
    pub has_flags: bool,
    /// `true` if the properties have no tags, so their names and types cannot be changed.
    pub is_tagless: bool,
}

impl Edit<'_> {
    /// Returns `true` at the place that is to be changed.
    fn here(&mut self) -> bool {
        let is_here = self.left == 0 && !self.done;
        self.left = self.left.saturating_sub(1);
        self.done |= is_here;
        is_here
    }

    pub fn list(&mut self, list: &mut Vec<Value>) {
        for entry in list.iter_mut() {
            if entry.get("value").is_none() {
                continue;
            }
            if !self.is_tagless && self.here() {
                entry["name"] = format!("Renamed{}", self.random.below(3)).into();
                if let Some(inner) = entry.get_mut("inner_tag") {
                    inner["name"] = "Inner".into();
                }
                return;
            }
            let of = entry["type"].as_str().unwrap().to_owned();
            self.value(&of, &mut entry["value"]);
        }
        if !list.is_empty() && self.here() {
            list.remove(self.random.below(list.len()));
        } else if !self.is_tagless && self.here() {
            let at = self.random.below(list.len() + 1);
            list.insert(
                at,
                json!({"name": "Added", "type": "IntProperty", "array_index": 0, "value": -7}),
            );
            if self.has_flags {
                list[at]["flags"] = 0.into();
            }
        }
    }

    fn value(&mut self, of: &str, value: &mut Value) {
        let inner = of.split_once('(').map_or("", |(_, inner)| inner);
        let is = |kind: &str| of.starts_with(kind);
        match value {
            Value::Bool(flag) if self.here() => *flag = !*flag,
            Value::Number(_) if is("Float") || is("Double") => {
                let is_here = self.here();
                let other = self.random.one_of(&[0.25, -0.0, 65536.0, -3.5]);
                *value = if is_here { other.into() } else { value.take() };
            }
            Value::Number(_) if is("Object") || is("Class") || is("Interface") || is("Weak") => {}
            Value::Number(_) if self.here() => *value = self.random.below(100).into(),
            Value::String(text) if is("StrProperty") && self.here() => {
                *text = self.random.one_of(&["", "plain", "täg", "日本 🎮", "a\"b\\c\n"]).into();
            }
            Value::String(text) if is("Name") && self.here() => {
                *text = self.random.one_of(&["NewName", "NewName_3", "New_03", "None"]).into();
            }
            Value::Array(list)
                if list.iter().all(|one| one.get("type").is_some()) && is("Struct") =>
            {
                self.list(list)
            }
            Value::Array(list) if is("Array") => {
                if !list.is_empty() && self.here() {
                    let one = list[self.random.below(list.len())].clone();
                    list.insert(self.random.below(list.len() + 1), one);
                } else if !list.is_empty() && self.here() {
                    list.remove(self.random.below(list.len()));
                }
                list.iter_mut().for_each(|one| self.value(inner, one));
            }
            Value::Object(members)
                if members.get("x").is_some_and(Value::is_number) && self.here() =>
            {
                let one = members.values_mut().next_back().unwrap();
                let is_float = one.is_f64();
                *one = if is_float { json!(2.25) } else { json!(3) };
            }
            Value::Object(members) => {
                if let Some(list) = members.get_mut("entries").and_then(Value::as_array_mut)
                    && !list.is_empty()
                    && self.here()
                {
                    list.remove(self.random.below(list.len()));
                }
                if let Some(source) = members.get_mut("source").filter(|_| self.here()) {
                    *source = "changed".into();
                }
            }
            _ => {}
        }
    }
}

/// Checks that two documents are the same, and names the first difference.
pub fn assert_same(name: &str, path: &str, found: &Value, expected: &Value) {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            let keys = |members: &serde_json::Map<String, Value>| {
                members.keys().cloned().collect::<Vec<_>>()
            };
            assert_eq!(keys(found), keys(expected), "{name}: {path}");
            for (key, value) in found {
                assert_same(name, &format!("{path}.{key}"), value, &expected[key]);
            }
        }
        (Value::Array(found), Value::Array(expected)) => {
            assert_eq!(found.len(), expected.len(), "{name}: {path}");
            for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
                assert_same(name, &format!("{path}[{index}]"), found, expected);
            }
        }
        _ => assert_eq!(found, expected, "{name}: {path}"),
    }
}

pub fn read(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

/// Changes random values of saves, and reads them back.
#[test]
fn changed_saves() {
    let mut random = Random::new(0x5A7E);
    let saves: Vec<_> = saves().into_iter().filter(|(_, bytes)| bytes.len() < 1 << 15).collect();
    let mut count = 0;
    while count < 1000 {
        let (path, bytes) = &saves[random.below(saves.len())];
        let Ok(save) = Save::open(bytes) else { continue };
        let mut document = read(&serde_json::to_string(&save).unwrap());
        let left = random.below(40);
        let has_flags = document["ue5_version"].as_i64() >= Some(1012);
        let mut edit =
            Edit { random: &mut random, left, done: false, has_flags, is_tagless: false };
        edit.list(document["properties"].as_array_mut().unwrap());
        if !edit.done {
            continue;
        }
        count += 1;
        let file = written(&document.to_string());
        let file = file.unwrap_or_else(|error| panic!("{}: {error}: {document}", path.display()));
        let mut found = read(&serde_json::to_string(&Save::open(&file).unwrap()).unwrap());
        without_derived(&mut document);
        without_derived(&mut found);
        assert_same(&path.display().to_string(), "", &found, &document);
    }
}

/// Changes random values of packages, and reads them back.
#[test]
fn changed_packages() {
    let mut random = Random::new(0x5A7E);
    let samples: Vec<_> = samples::packages()
        .into_iter()
        .filter(|sample| sample.bytes.len() < 1 << 15 && sample.supplied().is_none())
        .collect();
    let documents: Vec<_> = samples
        .iter()
        .map(|sample| read(&serde_json::to_string(&sample.package().document()).unwrap()))
        .collect();
    let mut count = 0;
    while count < 1000 {
        let index = random.below(samples.len());
        let mut document = documents[index].clone();
        let has_flags = document["summary"]["ue5_version"].as_i64() >= Some(1012);
        let exports = document["exports"].as_array_mut().unwrap();
        let export = random.below(exports.len());
        let left = random.below(12);
        let mut edit =
            Edit { random: &mut random, left, done: false, has_flags, is_tagless: false };
        match exports[export].get_mut("properties") {
            Some(Value::Array(list)) => edit.list(list),
            _ => continue,
        }
        if !edit.done {
            continue;
        }
        count += 1;
        let name = samples[index].name();
        let file = written_package(&document.to_string());
        let file = file.unwrap_or_else(|error| panic!("{name}: {error}"));
        let package = Package::open_as(&file.header, file.exports.as_deref(), None).unwrap();
        assert!(package.verify(|problem| panic!("{name}: {problem:?}")));
        let mut found = read(&serde_json::to_string(&package.document()).unwrap());
        without_derived(&mut document);
        without_derived(&mut found);
        assert_same(&name, "", &found, &document);
    }
}
