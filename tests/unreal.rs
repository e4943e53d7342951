//! Packages that engines have saved, 4.6 to 5.8.
#![cfg(feature = "unreal")]
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "support/unreal.rs"]
#[allow(dead_code)]
mod samples;

/// Every table of every package reads to its last record.
#[test]
fn tables() {
    for sample in samples::packages() {
        let (name, package) = (sample.name(), sample.package());
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
