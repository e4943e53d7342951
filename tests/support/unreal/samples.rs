//! The packages and saves of the corpus, and what an independent reader found in them.

use gamewire::unreal::{Package, Versions};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A file saved by an engine.
pub struct Sample {
    pub path: PathBuf,
    /// The contents of the file. If a package has two files, this is the header.
    pub bytes: Vec<u8>,
    /// The contents of the `.uexp`, if there is one.
    pub exports: Option<Vec<u8>>,
    /// The contents of `NAME.expected.json`.
    pub expected: Value,
}

impl Sample {
    /// Returns the version to supply when the package is opened, or `None` if `expected` does not
    /// name an engine.
    pub fn supplied(&self) -> Option<Versions> {
        let (major, minor) = self.expected["engine"].as_str()?.split_once('.').unwrap();
        Versions::of_engine(major.parse().unwrap(), minor.parse().unwrap())
    }

    pub fn package(&self) -> Package<'_> {
        Package::open_as(&self.bytes, self.exports.as_deref(), self.supplied())
            .unwrap_or_else(|error| panic!("{}: {error}", self.name()))
    }

    pub fn name(&self) -> String {
        self.path.file_name().unwrap().to_string_lossy().into_owned()
    }
}

/// Returns all packages, sorted by name.
pub fn packages() -> Vec<Sample> {
    samples(&["uasset", "umap"])
}

/// Returns all saves, sorted by name.
pub fn saves() -> Vec<Sample> {
    samples(&["sav"])
}

fn samples(ends: &[&str]) -> Vec<Sample> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/unreal");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|end| ends.iter().any(|known| end == *known)))
        .map(|path| {
            let expected = fs::read(format!("{}.expected.json", path.display())).unwrap();
            Sample {
                bytes: fs::read(&path).unwrap(),
                exports: fs::read(path.with_extension("uexp")).ok(),
                expected: serde_json::from_slice(&expected).unwrap(),
                path,
            }
        })
        .collect();
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(!found.is_empty(), "the corpus is there");
    found
}
