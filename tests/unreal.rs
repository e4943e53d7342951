//! Packages that engines have saved, 4.6 to 5.8.
#![cfg(feature = "unreal")]
#![allow(clippy::unwrap_used, clippy::panic)]

use gamewire::unreal::{Package, Versions};
use std::fs;
use std::path::Path;

/// Every package of the corpus: its name, its bytes, those of its `.uexp`, and the version to
/// supply.
fn packages() -> Vec<(String, Vec<u8>, Option<Vec<u8>>, Option<Versions>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/unreal");
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if !path.extension().is_some_and(|end| end == "uasset" || end == "umap") {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let expected = fs::read_to_string(format!("{}.expected.json", path.display())).unwrap();
        let engine = expected.split_once("\"engine\": \"").map(|(_, rest)| {
            let (major, minor) = rest.split_once('"').unwrap().0.split_once('.').unwrap();
            Versions::of_engine(major.parse().unwrap(), minor.parse().unwrap()).unwrap()
        });
        let exports = fs::read(path.with_extension("uexp")).ok();
        found.push((name, fs::read(&path).unwrap(), exports, engine));
    }
    found.sort();
    assert!(found.len() > 20, "the corpus is there");
    found
}

/// Every table of every package reads to its last record.
#[test]
fn tables() {
    for (name, header, exports, engine) in packages() {
        let package = Package::open_as(&header, exports.as_deref(), engine)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        macro_rules! all {
            ($($table:ident)*) => {$(
                for record in package.$table() {
                    record.unwrap_or_else(|error| panic!("{name}: {}: {error}", stringify!($table)));
                }
            )*};
        }
        all! {
            names imports exports depends soft_package_references soft_object_paths
            gatherable_text preload_dependencies import_type_hierarchies
        }
        macro_rules! single {
            ($($table:ident)*) => {$(
                package.$table()
                    .unwrap_or_else(|error| panic!("{name}: {}: {error}", stringify!($table)));
            )*};
        }
        single! {
            searchable_names thumbnails metadata asset_registry registry_dependencies
            world_tile_info data_resources trailer
        }
        for (index, export) in package.exports().enumerate() {
            let export = export.unwrap();
            assert_eq!(package.export(index as u32).unwrap(), export, "{name}");
            package.export_bytes(&export).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(package.name(export.object_name).is_some(), "{name}");
        }
    }
}
