//! Compares packages serialized as JSON documents with the results of an independent reader.

use crate::support::unreal::samples;
use gamewire::unreal::{Package, PackageIndex, Save};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Keys that are in the documents, but not in the results of the independent reader.
const OURS: &[&str] = &["world_tile_info", "reason", "rows"];

fn document(of: &impl serde::Serialize) -> Value {
    serde_json::from_str(&serde_json::to_string(of).unwrap()).unwrap()
}

/// Compares all documents, except for values about which the independent reader is uncertain.
#[test]
fn same_results_as_the_reference() {
    let mut wrong = Vec::new();
    let packages = samples::packages().into_iter().map(|sample| {
        let document = document(&sample.package());
        (sample, document)
    });
    let saves = samples::saves().into_iter().map(|sample| {
        let document = document(&Save::open(&sample.bytes).unwrap());
        (sample, document)
    });
    for (sample, document) in packages.chain(saves) {
        let doubtful = sample.expected["doubtful"].as_array().unwrap();
        let doubtful = doubtful.iter().map(|doubt| doubt["path"].as_str().unwrap().to_owned());
        let mut compare = Compare { doubtful: doubtful.collect(), found: Vec::new() };
        compare.values("", &document, &sample.expected["reference"]);
        let name = sample.name();
        wrong.extend(compare.found.iter().map(|difference| format!("{name} {difference}")));
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

struct Compare {
    doubtful: Vec<String>,
    found: Vec<String>,
}

impl Compare {
    fn values(&mut self, at: &str, ours: &Value, theirs: &Value) {
        if self.doubtful.iter().any(|path| path == at) {
            return;
        }
        match (ours, theirs) {
            (Value::Object(ours), Value::Object(theirs)) => {
                for (key, value) in theirs {
                    let at = format!("{at}/{key}");
                    match ours.get(key) {
                        Some(ours) => self.values(&at, ours, value),
                        // The independent reader may return raw bytes where the crate returns a
                        // decoded value.
                        None if key == "raw" && ours.contains_key("value") => {}
                        None => self.found.push(format!("{at} is missing")),
                    }
                }
                let understood = |key: &str| key == "value" && theirs.contains_key("raw");
                let more = ours.keys().filter(|key| !theirs.contains_key(*key));
                let more = more.filter(|key| !OURS.contains(&&***key) && !understood(key));
                self.found.extend(more.map(|key| format!("{at}/{key} is too much")));
            }
            (Value::Array(ours), Value::Array(theirs)) if ours.len() == theirs.len() => {
                for (index, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                    self.values(&format!("{at}/{index}"), ours, theirs);
                }
            }
            _ if ours == theirs || alike(ours, theirs) => {}
            _ => self.found.push(format!("{at}: {ours:.200} is not {theirs:.200}")),
        }
    }
}

/// Returns `true` if two floats are equal as `f32`. A document may contain the short form of an
/// `f32`, or the same value widened to 64 bits.
fn alike(ours: &Value, theirs: &Value) -> bool {
    let (Some(a), Some(b)) = (ours.as_f64(), theirs.as_f64()) else { return false };
    ours.is_f64() && theirs.is_f64() && (a as f32).to_bits() == (b as f32).to_bits()
}

/// A damaged package can be serialized in finite time, and the result is valid JSON of bounded
/// length.
#[test]
#[ignore = "slow"]
fn damaged_packages_have_documents() {
    for sample in samples::packages() {
        let whole = &sample.bytes;
        let Ok(package) = Package::open(whole) else { continue };
        let header = usize::try_from(package.summary().header_size()).unwrap();
        let step = header / 11 + 1;
        for place in (8..header - 4).step_by(step) {
            for damage in [[0xFF; 4], [0x7F, 0, 0, 0], [0; 4], [0, 0, 0, 0x80]] {
                let mut bytes = whole.clone();
                bytes[place..place + 4].copy_from_slice(&damage);
                hold(&bytes);
            }
            hold(&whole[..place]);
        }
    }
}

fn hold(bytes: &[u8]) {
    let Ok(package) = Package::open(bytes) else { return };
    let json = serde_json::to_vec(&package).unwrap();
    assert!(json.len() < bytes.len() * 64 + 4096, "{} of {}", json.len(), bytes.len());
    serde_json::from_slice::<serde::de::IgnoredAny>(&json).unwrap();
    for index in (-40..40).chain([i32::MIN, i32::MAX]) {
        let path = package.path_of(PackageIndex(index)).to_string();
        assert!(path.len() < 64 * (bytes.len() * 3 + 16), "{path:.100}");
    }
    package.references().for_each(|reference| drop(reference.map(|it| it.package.to_string())));
}

/// A path is returned even for objects that contain each other.
#[test]
fn outers_in_a_circle() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/unreal");
    let mut file = fs::read(folder.join("ue5.6-SimpleRefsRoot.uasset")).unwrap();
    let offset = Package::open(&file).unwrap().summary().import_offset;
    let outer = usize::try_from(offset).unwrap() + 16;
    file[outer..outer + 4].copy_from_slice(&(-1i32).to_le_bytes());
    let package = Package::open(&file).unwrap();
    let path = package.path_of(PackageIndex(-1)).to_string();
    assert!(path.starts_with("….SimpleRefsDefaultsRef_C.SimpleRefsDefaultsRef_C."), "{path}");
}

/// An unreadable table is missing from the document, and all other tables are present.
#[test]
fn unreadable_values_are_reported() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut file = fs::read(file.join("corpus/unreal/ue5.6-SimpleRefsRoot.uasset")).unwrap();
    let offset = Package::open(&file).unwrap().summary().asset_registry_data_offset;
    let offset = usize::try_from(offset).unwrap();
    file[offset + 8..offset + 12].copy_from_slice(&(-1i32).to_le_bytes());
    let json = serde_json::to_value(Package::open(&file).unwrap()).unwrap();
    let errors = json["errors"].as_array().unwrap();
    let tables: Vec<_> = errors.iter().map(|error| error["table"].as_str().unwrap()).collect();
    assert_eq!(tables, ["asset_registry"]);
    assert!(json["imports"].as_array().is_some_and(|imports| !imports.is_empty()));
    assert_eq!(json["asset_registry"], Value::Null);
}

/// Indices of missing names and objects are reported.
#[test]
fn unresolvable_paths_are_reported() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut file = fs::read(file.join("corpus/unreal/ue5.6-SimpleRefsRoot.uasset")).unwrap();
    let offset = Package::open(&file).unwrap().summary().import_offset;
    let offset = usize::try_from(offset).unwrap();
    file[offset..offset + 4].copy_from_slice(&99999i32.to_le_bytes());
    let json = serde_json::to_value(Package::open(&file).unwrap()).unwrap();
    assert_eq!(json["imports"][0]["class_package"], "<no name 99999>");
    let error = &json["errors"][0];
    assert_eq!((&error["table"], &error["offset"]), (&"imports".into(), &offset.into()));
    assert_eq!(error["message"], "name index 99999 is out of range (names: 158)");
}
