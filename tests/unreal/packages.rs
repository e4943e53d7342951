//! Reads packages that engine versions 4.6 to 5.8 saved.

use crate::support::unreal::samples;
/// Every table of every package can be read up to its last record.
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

/// With a budget of any size, the scanner visits all records.
#[test]
fn scanning() {
    use gamewire::unreal::{Progress, Scanned, Scanner};
    for sample in samples::packages() {
        let package = sample.package();
        let count = |budget| {
            let (mut scanner, mut seen) = (Scanner::new(&package), [0usize; 4]);
            while scanner
                .tick(budget, |scanned| match scanned {
                    Scanned::Name(_) => seen[0] += 1,
                    Scanned::Import(_) => seen[1] += 1,
                    Scanned::Export(_) => seen[2] += 1,
                    Scanned::Property(..) => seen[3] += 1,
                    _ => {}
                })
                .unwrap()
                == Progress::Working
            {}
            seen
        };
        let tables = [package.names().len(), package.imports().len(), package.exports().len()];
        let objects = package.exports().map(|export| package.properties(&export.unwrap()).unwrap());
        let properties = objects.flatten().map(|object| object.iter().count()).sum();
        let [names, imports, exports] = tables;
        assert_eq!(count(1), [names, imports, exports, properties], "{}", sample.name());
        assert_eq!(count(1), count(1000), "{}", sample.name());
    }
}

/// The counts of the property visitors agree with the independent reader.
#[test]
fn visiting() {
    use gamewire::unreal::ObjectRef;
    use gamewire::unreal::properties::{Counts, Reference, References};
    for sample in samples::packages() {
        let (name, package) = (sample.name(), sample.package());
        for (index, export) in package.exports().enumerate() {
            let Some(object) = package.properties(&export.unwrap()).unwrap() else { continue };
            let (mut counts, mut objects) = (Counts::default(), 0);
            object.iter().visit(&mut counts).unwrap();
            let mut references = References(|reference| {
                objects += usize::from(matches!(reference, Reference::Object(ObjectRef::Index(_))));
            });
            object.iter().visit(&mut references).unwrap();
            let expected = &sample.expected["reference"]["exports"][index]["properties"];
            let (mut tags, mut bytes) = (0, 0);
            for tag in expected.as_array().unwrap() {
                bytes += tag["size"].as_u64().unwrap();
            }
            walk(expected, &mut |tag| tags += u64::from(tag.get("type").is_some()));
            assert_eq!(counts.bytes, bytes, "{name} {index}");
            // With hints, the crate reads maps that the independent reader leaves as bytes.
            assert!(counts.properties >= tags, "{name} {index}: {counts:?}, {tags}");
            let mut wanted = 0;
            walk(expected, &mut |tag| {
                let is_object = tag["type"].as_str().is_some_and(|of| of == "ObjectProperty");
                wanted += usize::from(is_object && tag["value"].is_i64());
            });
            assert!(objects >= wanted, "{name} {index}: {objects} of {wanted}");
        }
    }
}

/// If all objects are counted together, from the last to the first, the result is the sum of the
/// counts of all objects.
#[test]
fn counting_from_the_end() {
    use gamewire::unreal::properties::Counts;
    for sample in samples::packages() {
        let package = sample.package();
        let exports: Vec<_> = package.exports().map(Result::unwrap).collect();
        let (mut all, mut bytes) = (Counts::default(), 0);
        for export in exports.iter().rev() {
            let Some(object) = package.properties(export).unwrap() else { continue };
            let mut counts = Counts::default();
            object.iter().visit(&mut counts).unwrap();
            object.iter().visit(&mut all).unwrap();
            bytes += counts.bytes;
        }
        assert_eq!(all.bytes, bytes, "{}", sample.name());
    }
}

/// Calls a closure for every property in a part of a serialized package.
fn walk(value: &serde_json::Value, tell: &mut dyn FnMut(&serde_json::Value)) {
    match value {
        serde_json::Value::Object(map) => {
            if map.contains_key("at") && !map.contains_key("key") {
                tell(value);
            }
            map.iter().filter(|(key, _)| *key != "inner_tag").for_each(|(_, v)| walk(v, tell));
        }
        serde_json::Value::Array(all) => all.iter().for_each(|value| walk(value, tell)),
        _ => {}
    }
}

/// Compares a package without tags with a twin package, which the engine saved from the same object
/// with tags: the number of slots is about the same as the number of tags.
#[test]
fn unversioned() {
    let mut seen = 0;
    for sample in samples::packages() {
        let (name, package) = (sample.name(), sample.package());
        for export in package.exports() {
            let export = export.unwrap();
            let Some(properties) = package.unversioned(&export).unwrap() else { continue };
            let values: u32 = properties.fragments().map(|part| u32::from(part.values)).sum();
            assert_eq!(properties.slots().count(), values as usize, "{name}");
            assert!(properties.slots().is_sorted_by_key(|slot| slot.index), "{name}");
            seen += 1;
        }
    }
    assert!(seen > 3, "{seen}");
    let find = |end: &str| samples::packages().into_iter().find(|one| one.name().ends_with(end));
    let tagged = find("cooked-tagged-DA_AllProperties.uasset").unwrap();
    let bare = find("cooked-unversioned-DA_AllProperties.uasset").unwrap();
    let (tagged, bare) = (tagged.package(), bare.package());
    for (tags, slots) in tagged.exports().zip(bare.exports()) {
        let tags = tagged.properties(&tags.unwrap()).unwrap().unwrap().iter().count();
        let slots = bare.unversioned(&slots.unwrap()).unwrap().unwrap().slots().count();
        assert!(slots >= tags && slots <= tags + 4, "{slots} slots, {tags} tags");
    }
}
