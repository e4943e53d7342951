//! Writes files from their documents.

use crate::support::unreal::samples;
use gamewire::unreal::edit::WrittenPackage;
use gamewire::unreal::{BytesForm, PackageDocument, Save, SaveDocument};
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
