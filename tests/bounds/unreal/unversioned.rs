//! Tests the bounds of mappings and of properties without tags.

use super::recursive;
use crate::measure::{Entry, Family, SMALL_INPUT, Work, consume, with_memory, without_allocation};
use crate::support::hostile::unversioned::{
    classes, declarations, declared_names, exports, files, mappings, names,
};
use crate::support::hostile::{Shape, shape};
use crate::support::unreal::unversioned::{CLASS, Stored, header, package, package_with};
use gamewire::unreal::properties::Counts;
use gamewire::unreal::tables::{Export, Import, Serial};
use gamewire::unreal::{
    Mappings, MappingsFile, Name, ObjectProperties, Package, PackageIndex, PropertyWriter, Versions,
};
use std::hint::black_box;
use std::sync::OnceLock;

const VERSIONS: Versions = Versions { ue4: 522, ue5: 1009 };

fn tables() -> Family {
    let entries = vec![
        without_allocation("MappingsFile::open", |file| consume(MappingsFile::open(file).is_ok())),
        // An empty name takes at least one byte in the file, and 20 bytes in the index.
        with_memory("Mappings::open", 20, |file| consume(Mappings::open(file).is_ok())),
        // A slot is looked up in a struct and up to 255 super structs.
        Entry {
            work: Work::AtMost(20_000.0),
            ..with_memory("Mappings, all structs", 20, |file| {
                let Ok(mappings) = Mappings::open(file) else { return };
                for of in mappings.structs() {
                    black_box((of.properties().len(), of.property_at(3), of.name().bytes().len()));
                }
            })
        },
    ];
    Family {
        entries,
        shapes: files(),
        max_instructions_per_byte: 12_000.0,
        small_input: 4 * SMALL_INPUT,
    }
}

/// Calls the closure with the properties of an export.
fn with_export(bytes: &[u8], run: impl FnOnce(&Package<'_>, &ObjectProperties<'_>)) {
    static LOADED: OnceLock<(Vec<u8>, Mappings<'static>)> = OnceLock::new();
    let (header, mappings) = LOADED.get_or_init(|| {
        let mappings = Mappings::open(Vec::leak(mappings())).unwrap();
        (header(Versions { ue4: 522, ue5: 1009 }), mappings)
    });
    let versions = Some(Versions { ue4: 522, ue5: 1009 });
    let package = Package::open_as(header, Some(bytes), versions).unwrap().with_mappings(mappings);
    let serial = Serial { size: bytes.len() as i64, offset: header.len() as i64 };
    let export = Export { class: CLASS, serial, ..Export::default() };
    if let Ok(Some(object)) = package.properties(&export) {
        run(&package, &object);
    }
}

fn lists() -> Family {
    let entries = vec![
        Entry {
            work: Work::AtMost(40_000.0),
            ..recursive(without_allocation("ObjectProperties::tail", |bytes| {
                with_export(bytes, |_, object| consume(object.tail().is_ok()));
            }))
        },
        // Each struct is scanned before it is reported.
        Entry {
            work: Work::AtMost(400_000.0),
            ..recursive(without_allocation("Properties::visit, without tags", |bytes| {
                with_export(bytes, |_, object| {
                    let mut counts = Counts::default();
                    consume(object.iter().visit(&mut counts).is_ok());
                    black_box(counts);
                });
            }))
        },
        Entry {
            work: Work::AtMost(400_000.0),
            ..recursive(with_memory("PropertyWriter, without tags", 8, |bytes| {
                with_export(bytes, |_, object| {
                    let mut to = Vec::new();
                    let mut writer = PropertyWriter::new(&mut to, &object.iter());
                    object.iter().flatten().for_each(|tag| consume(writer.copy(&tag).is_ok()));
                    consume(writer.finish().is_ok());
                });
            }))
        },
    ];
    Family {
        entries,
        shapes: exports(),
        max_instructions_per_byte: 12_000.0,
        small_input: 4 * SMALL_INPUT,
    }
}

/// Reads the declaration in an export. `class` is the index of the name of the export's class. The
/// package also imports an object whose name is too long.
fn declared(bytes: &[u8], class: i32) {
    static LOADED: OnceLock<Mappings<'static>> = OnceLock::new();
    let game = LOADED.get_or_init(|| Mappings::open(Vec::leak(classes())).unwrap());
    let export = Stored { class: -1, parent: 0, name: 2, size: bytes.len(), offset: 0 };
    let header = package(VERSIONS, &declared_names(), &[class, 10], &[export]);
    let opened = Package::open_as(&header, Some(bytes), Some(VERSIONS)).unwrap();
    let own = opened.with_mappings(game).declared_structs().write();
    consume(game.extended(&own).is_ok());
}

fn structs() -> Family {
    let entries = vec![
        // A property takes 47 bytes, and its name can have 1,023.
        with_memory("Package::declared_structs", 60, |bytes| declared(bytes, 1)),
        // An entry takes 16 bytes.
        with_memory("Package::declared_structs, enums", 100, |bytes| declared(bytes, 6)),
    ];
    Family {
        entries,
        shapes: declarations(),
        max_instructions_per_byte: 12_000.0,
        small_input: 4 * SMALL_INPUT,
    }
}

#[test]
fn declared_work() {
    structs().assert_work("unreal::unversioned::declared_work");
}

#[test]
fn declared_memory() {
    structs().assert_memory();
}

/// Returns shapes of packages with long names. Their imports have about the requested size.
fn imports() -> Vec<Shape> {
    let name = |index, number| Name { index, number };
    let import = move |class, object_name, outer| Import {
        class_name: name(class, 0),
        outer: PackageIndex(outer),
        object_name,
        optional: Some(false),
        ..Import::default()
    };
    let of = move |size: usize, each: &dyn Fn(i32) -> Import| {
        let package = import(7, name(8, 0), 0);
        let count = (size / 32).max(1) as i32;
        let imports: Vec<_> = [package].into_iter().chain((1..count).map(each)).collect();
        package_with(VERSIONS, &names(), &imports, &[], "")
    };
    vec![
        shape("structs with long names", move |size| {
            of(size, &move |index| import(1, name(5, index), -1))
        }),
        shape("structs in a chain of outers", move |size| {
            of(size, &move |index| import(1, name(5, index), -index))
        }),
        shape("enums with the same name", move |size| {
            of(size, &move |_| import(6, name(2, 0), -1))
        }),
    ]
}

fn missing() -> Family {
    static LOADED: OnceLock<Mappings<'static>> = OnceLock::new();
    let entries = vec![
        // An import takes 32 bytes, and the two names in its path can have 1,024 each.
        Entry {
            work: Work::AtMost(20_000.0),
            ..with_memory("Package::missing_types", 80, |bytes| {
                let game = LOADED.get_or_init(|| Mappings::open(Vec::leak(classes())).unwrap());
                let Ok(opened) = Package::open_as(bytes, None, Some(VERSIONS)) else { return };
                let opened = opened.with_mappings(game).with_name_index();
                black_box(opened.missing_types().len());
            })
        },
    ];
    Family {
        entries,
        shapes: imports(),
        max_instructions_per_byte: 20_000.0,
        small_input: 8 * SMALL_INPUT,
    }
}

#[test]
fn missing_work() {
    missing().assert_work("unreal::unversioned::missing_work");
}

#[test]
fn missing_memory() {
    missing().assert_memory();
}

#[test]
fn mappings_work() {
    tables().assert_work("unreal::unversioned::mappings_work");
}

#[test]
fn mappings_memory() {
    tables().assert_memory();
}

#[test]
fn work() {
    with_export(&[], |_, _| ());
    lists().assert_work("unreal::unversioned::work");
}

#[test]
fn memory() {
    with_export(&[], |_, _| ());
    lists().assert_memory();
}
