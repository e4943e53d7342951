//! Asserts that reading packages and saves does not allocate.

use crate::counting::{held, without_allocating};
use crate::support::random::Random;
use crate::support::unreal::zen::Zen;
use accessors::{Look, show};
use gamewire::unreal::{
    Mappings, MappingsFile, Package, PackageIndex, Properties, PropertyValue, Save, ScriptNames,
    ZenPackage,
};

#[path = "../laws/unreal/accessors.rs"]
#[allow(dead_code)]
mod accessors;
#[path = "../../examples/graph_pins.rs"]
#[allow(dead_code)]
mod graph_pins;
#[path = "../support/unreal/samples.rs"]
#[allow(dead_code)]
mod samples;

/// Reads and prints every field of every record, and every value of every property.
#[test]
fn reading_packages_does_not_allocate() {
    for sample in samples::packages() {
        let supplied = sample.supplied();
        let items = without_allocating(&sample.name(), || {
            let exports = sample.exports.as_deref();
            let package = Package::open_as(&sample.bytes, exports, supplied).unwrap();
            tables(&package);
            let mut look = Look { compares: false, ..Look::default() };
            for export in package.exports().flatten() {
                if let Ok(Some(object)) = package.properties(&export) {
                    look.object(&object);
                    look_up_missing(object.iter());
                }
            }
            look.items
        });
        assert!(items > 3 || supplied.is_some(), "{}: {items}", sample.name());
    }
}

fn tables(package: &Package<'_>) {
    let mut look = Look::default();
    look.item(&(package.versions(), package.summary()));
    macro_rules! records {
        ($($table:ident)*) => {$( package.$table().for_each(|row| look.item(&row.unwrap())); )*};
    }
    records! {
        names imports exports depends soft_package_references soft_object_paths
        gatherable_text preload_dependencies import_type_hierarchies
    }
    macro_rules! singles {
        ($($table:ident)*) => {$( look.item(&package.$table().unwrap()); )*};
    }
    singles! {
        searchable_names thumbnails metadata asset_registry registry_dependencies
        world_tile_info data_resources trailer
    }
    package.verify(show);
    assert_eq!(package.find_export("No such object"), None);
    assert_eq!(package.find_import("No such object"), None);
    for index in 1..=package.exports().len() as i32 {
        show(package.path_of(PackageIndex(index)));
    }
}

/// Looks up names and keys that do not exist.
fn look_up_missing(list: Properties<'_>) {
    assert!(list.get("No such property").is_none());
    for tag in list.flatten() {
        if let PropertyValue::Map(map) = tag.value() {
            assert!(map.get("No such key").is_none());
        }
    }
}

#[test]
fn reading_saves_does_not_allocate() {
    for sample in samples::saves() {
        without_allocating(&sample.name(), || {
            let save = Save::open(&sample.bytes).unwrap();
            let mut look = Look { compares: false, ..Look::default() };
            look.item(&(save.versions(), save.header(), save.custom_versions(), save.class()));
            look.list(save.properties());
            assert!(look.items > 3, "{}", look.items);
            save.trailer().unwrap();
        });
    }
}

/// Reading structs with native serialization and inferring types does not allocate.
#[test]
fn inferring_types_does_not_allocate() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/unreal-small");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let file = std::fs::read(&path).unwrap();
        let Ok(save) = Save::open(&file) else { continue };
        count += 1;
        without_allocating(&path.display().to_string(), || {
            let mut look = Look { compares: false, ..Look::default() };
            look.list(save.properties());
            for tag in save.properties().flatten() {
                look.item(&tag.inferred());
            }
        });
    }
    assert!(count > 25, "{count}");
}

/// Reads the native data of exports, and writes them into a slice again. One description of the
/// data serves both.
#[test]
fn archives_do_not_allocate() {
    use gamewire::SliceSink;
    use gamewire::unreal::archive::{Archive, ArchiveWriter, BitArchive, BitReader, BitWriter};
    use gamewire::unreal::{ByteOrder, Guid};
    use graph_pins::{Pins, is_node};

    let mut memory = vec![0; 1 << 14];
    let mut pins_read = 0;
    for sample in samples::packages() {
        let package = sample.package();
        let nodes = package.exports().flatten().filter(|export| is_node(&package, export));
        for node in nodes.collect::<Vec<_>>() {
            if !(4..).contains(&package.layout().custom.blueprints) {
                continue;
            }
            pins_read += without_allocating(&sample.name(), || {
                let mut ar = package.native_archive(&node).unwrap().unwrap();
                let start = ar;
                let mut pins: Pins<'_> = ar.read().unwrap();
                for pin in pins.iter().flatten().filter_map(|pin| pin.pin) {
                    assert!(pin.linked_to.iter().all(|link| link.is_ok()));
                }
                assert!(ar.custom_version(Guid([1; 4])) <= 0);
                let mut sink = SliceSink::new(&mut memory);
                ArchiveWriter::new(&mut sink, &package).serialize(&mut pins).unwrap();
                assert!(start.rest().starts_with(sink.written()));
                pins.len()
            });
        }
    }
    assert!(pins_read > 400, "{pins_read}");
    without_allocating("bits", || {
        let mut sink = SliceSink::new(&mut memory);
        let mut writer = BitWriter::new(&mut sink, ByteOrder::Little);
        writer.int(&mut 5, 6).unwrap();
        writer.int_packed(&mut 300).unwrap();
        let len = writer.finish().unwrap();
        let (mut five, mut packed) = (0, 0);
        let mut reader = BitReader::new(sink.written(), len, ByteOrder::Little).unwrap();
        reader.int(&mut five, 6).unwrap();
        reader.int_packed(&mut packed).unwrap();
        assert_eq!((five, packed), (5, 300));
    });
}

/// The index of names takes at least four bytes per name.
#[test]
fn name_index_takes_at_least_four_bytes_per_name() {
    for sample in samples::packages() {
        let package = sample.package();
        let (count, before) = (package.names().len() as isize, held());
        let package = package.with_name_index();
        assert!(held() - before >= 4 * count, "{}", sample.name());
        drop(package);
    }
}

/// Reads, finds and checks localized texts.
#[test]
fn reading_localized_texts_does_not_allocate() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/unreal-locres");
    for version in 0..=3 {
        let file = std::fs::read(folder.join(format!("v{version}.locres"))).unwrap();
        without_allocating(&format!("version {version}"), || {
            let locres = gamewire::unreal::Locres::open(&file).unwrap();
            let mut count = 0;
            for text in locres.namespaces().flat_map(|namespace| namespace.unwrap().texts()) {
                show(text.unwrap().text);
                count += 1;
            }
            assert_eq!(count, 10);
            assert!(locres.find("Menu", "Start").is_some());
            assert!(locres.verify(show));
        });
    }
}

/// Lists, finds and reads the files of a pak in memory.
#[test]
fn reading_paks_does_not_allocate() {
    use gamewire::unreal::pak::Index;
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/unreal-paks");
    for name in ["v3.pak", "v8.pak", "v11.pak", "v11-hashes.pak"] {
        let pak = std::fs::read(folder.join(name)).unwrap();
        let mut to = vec![0; 1513];
        without_allocating(name, || {
            let index = Index::open(&pak).unwrap();
            assert_eq!(index.entries().map(|entry| show_pak_entry(&entry.unwrap())).count(), 3);
            let entry = index.find("content/tiny.uasset").unwrap().unwrap();
            entry.decompress_into(&pak, &mut to, |_, _, _| unreachable!()).unwrap();
            assert!(index.find("No.uasset").is_none());
        });
        assert!(Package::is_package(&to), "{name}");
    }
}

/// Lists, finds and reads the chunks of a container in memory.
#[test]
fn reading_containers_does_not_allocate() {
    use gamewire::unreal::iostore::Toc;
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/unreal-iostore");
    for name in ["v3", "v8"] {
        let read = |extension| std::fs::read(folder.join(name).with_extension(extension)).unwrap();
        let (utoc, container) = (read("utoc"), read("ucas"));
        let mut to = vec![0; 1334];
        without_allocating(name, || {
            let toc = Toc::open(&utoc).unwrap();
            assert_eq!(toc.chunks().map(|chunk| show(chunk.unwrap().id)).count(), 3);
            assert_eq!(toc.files().map(|file| show(file.unwrap().path)).count(), 2);
            let chunk = toc.find("content/tiny.uasset").unwrap().unwrap();
            chunk.decompress_into(&[&container], &mut to, |_, _, _| unreachable!()).unwrap();
            toc.verify(|_| Some(9999), |problem| panic!("{problem:?}"));
            assert!(toc.find("No.uasset").is_none());
        });
        assert!(gamewire::unreal::ZenPackage::open(&to).is_ok(), "{name}");
    }
}

fn show_pak_entry(entry: &gamewire::unreal::pak::Entry<'_>) {
    show(entry.path);
    assert_eq!(entry.blocks().map(|block| block.unwrap().size).sum::<u64>(), entry.size);
}

/// A package is serialized to the writer piece by piece, without a buffer.
#[cfg(feature = "serde")]
#[test]
fn documents_are_streamed() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/unreal");
    for name in ["ue4.08-Gaussian.uasset", "ue5.6-SimpleRefsRoot.uasset"] {
        let file = std::fs::read(folder.join(name)).unwrap();
        let package = Package::open(&file).unwrap();
        let mut out = Vec::with_capacity(1 << 20);
        without_allocating(name, || serde_json::to_writer(&mut out, &package)).unwrap();
        assert!(out.len() > 1_000, "{name}");
    }
}

/// Opening mappings in memory of the caller and reading properties with them does not allocate.
#[test]
fn reading_unversioned_properties_does_not_allocate() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/unreal-mappings");
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let (mappings, header, exports) =
        (read("tiny.v4.usmap"), read("tiny.uasset"), read("tiny.uexp"));
    let (mut memory, version) = ([0; 2048], gamewire::unreal::Versions::of_engine(5, 3));
    without_allocating("mappings", || {
        let file = MappingsFile::open(&mappings).unwrap();
        let body = file.stored().unwrap();
        assert!(Mappings::index_len(&file, body).unwrap() <= memory.len());
        let mappings = Mappings::open_in(&file, body, &mut memory).unwrap();
        let package = Package::open_as(&header, Some(&exports), version).unwrap();
        let package = package.with_mappings(&mappings);
        let mut look = Look { compares: false, ..Look::default() };
        for export in package.exports().flatten() {
            let object = package.properties(&export).unwrap().unwrap();
            look.object(&object);
            look_up_missing(object.iter());
            assert!(object.iter().declared("BaseNumber", 0).is_some());
        }
        assert!(look.items > 100);
    });
}

/// Reads packages from containers: their tables, and the names and properties of their objects.
#[test]
fn reading_zen_packages_does_not_allocate() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/unreal-mappings");
    let mappings = std::fs::read(folder.join("tiny.v4.usmap")).unwrap();
    let file = MappingsFile::open(&mappings).unwrap();
    let mut memory = [0; 2048];
    let mappings = Mappings::open_in(&file, file.stored().unwrap(), &mut memory).unwrap();
    let mut entries = [gamewire::unreal::ScriptEntry::default(); 256];
    let names = without_allocating("names", || {
        assert!(ScriptNames::index_len(Some(&mappings), None) <= entries.len());
        ScriptNames::new_in(Some(&mappings), None, &mut entries).unwrap()
    });
    let mut random = Random::new(5);
    for _ in 0..60 {
        let made = Zen::random(&mut random);
        let (bytes, _) = made.write();
        without_allocating("package", || {
            assert!(ZenPackage::is_zen(&bytes));
            let version = gamewire::unreal::Versions::of_engine(made.engine.0, made.engine.1);
            let package = ZenPackage::open_as(&bytes, version).unwrap();
            let package = package.with_script_names(&names);
            assert!(package.verify(show));
            package.imports().flatten().for_each(|import| show(package.path_of(import)));
            package.imported_packages().unwrap().flatten().for_each(show);
            let mut look = Look { compares: false, may_break: true, ..Look::default() };
            for (export, index) in package.exports().flatten().zip(0..) {
                look.item(&(export, package.export_bytes(index).unwrap().len()));
                package.class_name(&export).iter().for_each(show);
                if let Ok(Some(object)) = package.properties(index) {
                    look.object(&object);
                }
            }
            assert_eq!(package.find_export("No such object"), None);
        });
    }
}
