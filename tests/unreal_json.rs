//! Packages as documents, against what an independent reader has made of the same files.
#![cfg(all(feature = "unreal", feature = "serde"))]
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "support/counting.rs"]
mod counting;

use counting::without_allocating;
use gamewire::unreal::{Package, PackageIndex, Versions};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Of exports, what is not printed yet.
const LATER: &[&str] =
    &["serialization_control", "properties", "properties_size", "object_guid", "native_size"];

/// What only our documents have.
const OURS: &[&str] = &["/world_tile_info"];

fn packages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/unreal");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_package =
        |path: &PathBuf| path.extension().is_some_and(|end| end == "uasset" || end == "umap");
    let mut packages: Vec<_> = files.filter(is_package).collect();
    packages.sort();
    assert!(packages.len() > 20, "the corpus is there");
    packages
}

fn engine(text: &str) -> Versions {
    let (major, minor) = text.split_once('.').unwrap();
    Versions::of_engine(major.parse().unwrap(), minor.parse().unwrap()).unwrap()
}

fn document(path: &Path, supplied: Option<Versions>) -> Value {
    let (header, exports) = (fs::read(path).unwrap(), fs::read(path.with_extension("uexp")).ok());
    let package = Package::open_as(&header, exports.as_deref(), supplied).unwrap();
    serde_json::from_str(&serde_json::to_string(&package).unwrap()).unwrap()
}

/// All differences, but for what the reference is not sure of.
#[test]
fn as_the_reference() {
    let mut wrong = Vec::new();
    for path in packages() {
        let expected = fs::read_to_string(format!("{}.expected.json", path.display())).unwrap();
        let expected: Value = serde_json::from_str(&expected).unwrap();
        let supplied = expected["engine"].as_str().map(engine);
        let doubtful = expected["doubtful"].as_array().unwrap();
        let doubtful = doubtful.iter().map(|doubt| doubt["path"].as_str().unwrap().to_owned());
        let mut compare = Compare { doubtful: doubtful.collect(), found: Vec::new() };
        compare.values("", &document(&path, supplied), &expected["reference"]);
        let name = path.file_name().unwrap().to_string_lossy();
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
                        None if LATER.contains(&&**key) => {}
                        None => self.found.push(format!("{at} is missing")),
                    }
                }
                let more = ours.keys().filter(|key| !theirs.contains_key(*key));
                let more = more.map(|key| format!("{at}/{key}"));
                let more = more.filter(|at| !OURS.contains(&&**at));
                self.found.extend(more.map(|at| format!("{at} is too much")));
            }
            (Value::Array(ours), Value::Array(theirs)) if ours.len() == theirs.len() => {
                for (index, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                    self.values(&format!("{at}/{index}"), ours, theirs);
                }
            }
            _ if ours == theirs => {}
            _ => self.found.push(format!("{at}: {ours:.200} is not {theirs:.200}")),
        }
    }
}

/// Nothing is put aside on the way to who writes it.
#[test]
fn it_is_streamed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/unreal");
    for name in ["ue4.08-Gaussian.uasset", "ue5.6-SimpleRefsRoot.uasset"] {
        let file = fs::read(folder.join(name)).unwrap();
        let package = Package::open(&file).unwrap();
        let mut out = Vec::with_capacity(1 << 20);
        without_allocating(name, || serde_json::to_writer(&mut out, &package)).unwrap();
        assert!(out.len() > 1_000, "{name}");
    }
}

/// Whatever the bytes: it ends, is JSON, and no longer than what it is made of allows.
#[test]
fn damaged_packages_have_documents() {
    for path in packages() {
        let whole = fs::read(&path).unwrap();
        let Ok(package) = Package::open(&whole) else { continue };
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

/// Objects that are in each other have a path all the same.
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

/// A table that cannot be read is left out, and the rest is there.
#[test]
fn what_cannot_be_read_is_told() {
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

/// Names and objects that the package does not have.
#[test]
fn what_leads_nowhere_is_told() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut file = fs::read(file.join("corpus/unreal/ue5.6-SimpleRefsRoot.uasset")).unwrap();
    let offset = Package::open(&file).unwrap().summary().import_offset;
    let offset = usize::try_from(offset).unwrap();
    file[offset..offset + 4].copy_from_slice(&99999i32.to_le_bytes());
    let json = serde_json::to_value(Package::open(&file).unwrap()).unwrap();
    assert_eq!(json["imports"][0]["class_package"], "<no name 99999>");
    let error = &json["errors"][0];
    assert_eq!((&error["table"], &error["offset"]), (&"imports".into(), &offset.into()));
    assert_eq!(error["message"], "99999 is no index of the 158 names");
}
