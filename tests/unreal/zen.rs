//! Packages from `IoStore` containers.

use crate::laws::unreal as laws;
use crate::support::damage::damaged;
use crate::support::random::Random;
use crate::support::unreal::unversioned::declared::Declared;
use crate::support::unreal::unversioned::{Made, without_places};
use crate::support::unreal::zen::{self, ENGINES, Export, NULL, UNVERSIONED_PROPERTIES, Zen};
use gamewire::unreal::mappings::{MappingsBuf, StructBuf};
use gamewire::unreal::tables::{ObjectHash, ObjectIndex, ZenObject};
use gamewire::unreal::{
    ErrorKind, Mappings, Object, ObjectProperties, Package, PackageIndex, ScriptEntry, ScriptNames,
    ScriptObjects, Versions, ZenPackage,
};
use std::path::{Path, PathBuf};

fn supplied((major, minor): (u16, u16)) -> Option<Versions> {
    Versions::of_engine(major, minor)
}

/// Each table of a generated package is read back as it was made.
#[test]
fn tables_are_those_that_were_made() {
    let mut random = Random::new(7);
    for _ in 0..1500 {
        let made = Zen::random(&mut random);
        let (bytes, offsets) = made.write();
        assert!(ZenPackage::is_zen(&bytes), "{made:?}");
        let package = ZenPackage::open_as(&bytes, supplied(made.engine)).unwrap();
        package.verify(|problem| panic!("{problem} {made:?}"));
        assert_eq!(summary_of(&package, &made), made);
        let [oldest, newest] = package.engines();
        assert!((oldest..=newest).contains(&made.engine));
        let indexed = package.clone().with_index();
        for (export, index) in made.exports.iter().zip(0..) {
            assert_eq!(package.export_bytes(index).unwrap(), export.bytes);
            assert_eq!(package.export_offset(index).unwrap(), offsets[index as usize]);
            assert_eq!(indexed.export_offset(index), package.export_offset(index));
        }
    }
}

/// Reads all tables of a package back into the type from which it was written.
fn summary_of(package: &ZenPackage<'_>, made: &Zen) -> Zen {
    let summary = package.summary();
    let (between, imports) = package.arcs().unwrap();
    let exports = package.exports().map(|export| {
        let export = export.unwrap();
        let [outer, class, parent, template] =
            [export.outer, export.class, export.super_struct, export.template];
        Export {
            bytes: Vec::new(),
            name: [export.object_name.bits, export.object_name.number],
            indices: [outer.0, class.0, parent.0, template.0, export.public_hash.0],
            flags: export.object_flags,
            filter: export.filter,
        }
    });
    let exports = exports.zip(0..).map(|(export, index)| Export {
        bytes: package.export_bytes(index).unwrap().to_vec(),
        ..export
    });
    let bulk = package.bulk_data().map(|bulk| {
        let bulk = bulk.unwrap();
        assert_eq!((bulk.flags, bulk.cooked_index), (9, 0));
        [bulk.serial_offset, bulk.duplicate_serial_offset, bulk.serial_size]
    });
    let cells = package.cell_exports().map(|cell| {
        let cell = cell.unwrap();
        let class = u64::from(cell.class.bits) | u64::from(cell.class.number) << 32;
        [cell.serial_offset, cell.layout_size, cell.serial_size, class, cell.public_hash.0]
    });
    let dependencies = package.dependencies().map(|of| {
        let of = of.unwrap();
        [
            of.first.cast_unsigned(),
            of.create_before_create,
            of.serialize_before_create,
            of.create_before_serialize,
            of.serialize_before_serialize,
        ]
    });
    let packages = package.imported_packages().unwrap().map(|name| {
        let name = name.unwrap();
        (name.text().to_string(), name.number().cast_unsigned())
    });
    let arcs = package.package_arcs().unwrap().map(|of| {
        let of = of.unwrap();
        (
            of.package_id.0,
            of.arcs
                .iter()
                .map(Result::unwrap)
                .map(|arc| [arc.from_bundle, arc.to_bundle])
                .collect(),
        )
    });
    Zen {
        engine: made.engine,
        versions: package.versions().map(|versions| {
            assert_eq!(versions.custom_versions.len(), 1);
            [versions.zen_version.cast_signed(), versions.ue4_version, versions.ue5_version]
        }),
        flags: summary.package_flags,
        names: package.names().map(|name| name.unwrap().text.to_string()).collect(),
        name: [summary.name.bits, summary.name.number],
        bulk: bulk.collect(),
        hashes: package.imported_hashes().map(|hash| hash.unwrap().0).collect(),
        imports: package.imports().map(|index| index.unwrap().0).collect(),
        exports: exports.collect(),
        cell_imports: package.cell_imports().map(|index| index.unwrap().0).collect(),
        cell_exports: cells.collect(),
        bundles: package.bundles().map(|bundle| bundle.unwrap().entry_count).collect(),
        entries: package
            .bundle_entries()
            .map(|entry| entry.map(|entry| [entry.export, entry.command]).unwrap())
            .collect(),
        dependencies: dependencies.collect(),
        dependency_entries: package.dependency_entries().map(|index| index.unwrap().0).collect(),
        packages: packages.collect(),
        package_arcs: arcs.collect(),
        bundle_arcs: between
            .iter()
            .map(|arc| arc.map(|arc| [arc.from_bundle, arc.to_bundle]).unwrap())
            .collect(),
        import_arcs: imports
            .map(|arcs| {
                let arcs = arcs.unwrap().iter().map(Result::unwrap);
                arcs.map(|arc| (arc.from_import, arc.command, arc.to_bundle)).collect()
            })
            .collect(),
    }
}

/// Returns a package with one export, whose class is `/Script/Engine.Thing`.
fn with_export(made: &Made, engine: (u16, u16), names: &[&str]) -> Zen {
    let mut names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
    names.push("/Game/Thing".into());
    let export = Export {
        bytes: made.export.clone(),
        indices: [NULL, zen::script("/Script/Engine", "Thing"), NULL, NULL, 0],
        ..Export::default()
    };
    Zen {
        engine,
        flags: 0x8000_0000 | UNVERSIONED_PROPERTIES,
        name: [names.len() as u32 - 1, 0],
        names,
        imports: vec![zen::script("/Script/Engine", "Thing")],
        exports: vec![export],
        bundles: if engine < (5, 3) { vec![2] } else { Vec::new() },
        entries: vec![[0, 0], [0, 1]],
        dependencies: if engine < (5, 3) { Vec::new() } else { vec![[0; 5]] },
        ..Zen::default()
    }
}

/// The properties of exports are those that were made, in each form of the header. The class is
/// found by its hash.
#[cfg(feature = "serde")]
#[test]
fn properties_are_those_that_were_made() {
    let mut count = [0; ENGINES.len()];
    for seed in 0..600 {
        let made = Made::new(seed);
        let names = gamewire::unreal::Package::open_as(&made.header, None, Some(made.versions));
        let names: Vec<_> =
            names.unwrap().names().map(|name| name.unwrap().text.to_string()).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let mappings = Mappings::open(&made.mappings).unwrap();
        let script = ScriptNames::new(Some(&mappings), None);
        for (engine, count) in ENGINES.iter().zip(&mut count) {
            if supplied(*engine) != Some(made.versions) {
                continue;
            }
            *count += 1;
            let (bytes, _) = with_export(&made, *engine, &names).write();
            let package = ZenPackage::open_as(&bytes, supplied(*engine)).unwrap();
            assert!(package.properties(0).unwrap().is_none());
            let package = package.with_script_names(&script);
            let export = package.export(0).unwrap();
            assert_eq!(package.class_name(&export).unwrap().to_string(), "Thing");
            assert_eq!(package.path_of(export.class).to_string(), "/Script/Engine.Thing");
            let object = package.properties(0).unwrap().unwrap();
            let found = without_places(&serde_json::to_value(object.iter()).unwrap());
            assert_eq!(found, made.properties, "seed {seed} {engine:?}");
            assert_eq!(object.tail().unwrap().native, b"tail");
            let document = serde_json::to_value(&package).unwrap();
            assert_eq!(document["exports"][0]["class_name"], "Thing");
            assert_eq!(without_places(&document["exports"][0]["properties"]), made.properties);
            assert_eq!(document.get("errors"), None);
        }
    }
    assert!(count.iter().all(|count| *count > 20), "{count:?}");
}

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name)
}

fn read(name: &str) -> Vec<u8> {
    std::fs::read(corpus(name)).unwrap()
}

/// Returns a Zen package of engine 5.3 with the contents of a package in the corpus. References are
/// null unless they are to exports or to objects of C++ code.
fn tiny() -> Vec<u8> {
    let (header, exports) =
        (read("unreal-mappings/tiny.uasset"), read("unreal-mappings/tiny.uexp"));
    let package = Package::open_as(&header, Some(&exports), supplied((5, 3))).unwrap();
    as_zen(&package, "/Game/Tiny", &|index| {
        let path = package.path_of(index).to_string();
        match path.split_once('.') {
            // The mappings do not state packages, so the classes must be in a package of the
            // engine.
            Some((package, name)) if package.starts_with("/Script/") => {
                zen::script("/Script/Engine", name)
            }
            _ => NULL,
        }
    })
}

/// Converts a package to a Zen package of engine 5.3. `import` returns the index of an object of
/// another package.
fn as_zen(package: &Package<'_>, name: &str, import: &dyn Fn(PackageIndex) -> u64) -> Vec<u8> {
    let imports = 0..package.imports().len() as u32;
    let imports = imports.map(|index| import(Object::Import(index).into())).collect();
    with_imports(package, name, imports).write().0
}

/// Converts a package to a Zen package of engine 5.3 with these imports.
pub fn with_imports(package: &Package<'_>, name: &str, imports: Vec<u64>) -> Zen {
    let object = |index: PackageIndex| match index.object() {
        Object::Export(index) => index.into(),
        Object::Import(index) => imports[index as usize],
        Object::Null => NULL,
    };
    let mut names: Vec<_> = package.names().map(|name| name.unwrap().text.to_string()).collect();
    names.push(name.into());
    let exports = package.exports().map(|export| {
        let export = export.unwrap();
        let [outer, class, parent] = [export.outer, export.class, export.super_struct].map(object);
        Export {
            bytes: package.export_bytes(&export).unwrap().to_vec(),
            name: [export.object_name.index as u32, export.object_name.number as u32],
            indices: [outer, class, parent, NULL, 0],
            flags: export.object_flags,
            filter: 0,
        }
    });
    let exports: Vec<_> = exports.collect();
    let count = exports.len() as u32;
    Zen {
        engine: (5, 3),
        flags: 0x8000_0000 | UNVERSIONED_PROPERTIES,
        name: [names.len() as u32 - 1, 0],
        names,
        imports,
        exports,
        entries: (0..count).flat_map(|index| [[index, 0], [index, 1]]).collect(),
        dependencies: vec![[0; 5]; count as usize],
        ..Zen::default()
    }
}

/// The sample has the properties of the package from which it was made. If `GAMEWIRE_SAMPLES` is
/// set in the environment, the sample is written first.
#[cfg(feature = "serde")]
#[test]
fn sample_has_the_properties_of_its_package() {
    let bytes = tiny();
    if std::env::var_os("GAMEWIRE_SAMPLES").is_some() {
        std::fs::write(corpus("unreal-zen/tiny.uasset"), &bytes).unwrap();
    }
    assert!(read("unreal-zen/tiny.uasset") == bytes);
    let (header, exports) =
        (read("unreal-mappings/tiny.uasset"), read("unreal-mappings/tiny.uexp"));
    let mappings = read("unreal-mappings/tiny.v4.usmap");
    let mappings = Mappings::open(&mappings).unwrap();
    let legacy = Package::open_as(&header, Some(&exports), supplied((5, 3))).unwrap();
    let legacy = legacy.with_mappings(&mappings);
    let script = ScriptNames::new(Some(&mappings), None);
    let package = ZenPackage::open(&bytes).unwrap().with_script_names(&script);
    assert!(package.verify(|problem| panic!("{problem}")));
    assert!(legacy.exports().len() > 2);
    for (export, index) in legacy.exports().zip(0..) {
        let theirs = legacy.properties(&export.unwrap()).unwrap().unwrap();
        let ours = package.properties(index).unwrap().unwrap();
        let without = |object: ObjectProperties<'_>| {
            without_places(&serde_json::to_value(object.iter()).unwrap())
        };
        assert_eq!(without(ours), without(theirs), "{index}");
        assert_eq!(ours.tail().unwrap().native, theirs.tail().unwrap().native);
    }
}

/// Objects are read if the package declares their classes and structs. Only the slots of the
/// properties are compared, not the values: the package states enums as hashes, so their names are
/// not known.
#[cfg(feature = "serde")]
#[test]
fn declared_classes_of_packages() {
    let mut count = 0;
    for seed in 0..400 {
        let made = Declared::new(seed);
        if Some(made.versions) != supplied((5, 3)) {
            continue;
        }
        let legacy = Package::open_as(&made.header, Some(&made.exports), Some(made.versions));
        let legacy = legacy.unwrap();
        let bytes = as_zen(&legacy, "/Game/Declared", &|index| match legacy.object_name(index) {
            Some(name) => zen::script("/Script/Engine", &name.to_string()),
            None => NULL,
        });
        let game = Mappings::open(&made.mappings).unwrap();
        let script = ScriptNames::new(Some(&game), None);
        let package = ZenPackage::open(&bytes).unwrap().with_script_names(&script);
        let own = package.declared_structs();
        assert_eq!(own.structs.len(), made.structs);
        let own = own.write();
        let mappings = game.extended(&own).unwrap();
        let package = package.with_mappings(&mappings);
        let object = package.properties(made.structs as u32).unwrap().unwrap();
        let slots = object.iter().map(|tag| tag.unwrap().slot().unwrap().index);
        let wanted = made.properties.as_array().unwrap();
        assert!(slots.eq(wanted.iter().map(|tag| tag["slot"].as_u64().unwrap() as u32)));
        assert_eq!(object.tail().unwrap().native, b"tail");
        count += 1;
    }
    assert!(count > 20, "{count}");
}

/// Properties are not read if the version is not known or there are no mappings. A version that
/// does not fit the form of the header is a problem of the summary.
#[test]
fn versions_and_classes_that_are_not_known() {
    let made = Made::new(3);
    let mappings = Mappings::open(&made.mappings).unwrap();
    let script = ScriptNames::new(Some(&mappings), None);
    for engine in ENGINES {
        let (bytes, _) = with_export(&made, engine, &["None"]).write();
        let package = ZenPackage::open(&bytes).unwrap().with_script_names(&script);
        let [oldest, newest] = package.engines();
        let is_known = supplied(oldest) == supplied(newest);
        assert_eq!(package.has_version(), is_known, "{engine:?}");
        match package.properties(0) {
            Ok(_) => assert!(is_known),
            Err(error) => assert_eq!(*error.kind(), ErrorKind::NeedsVersion),
        }
        let none = ScriptNames::new(None, None);
        let package = ZenPackage::open_as(&bytes, supplied(engine)).unwrap();
        assert!(package.with_script_names(&none).properties(0).unwrap().is_none());
        // A version with another form of the header.
        let other = if engine == (5, 0) { (5, 4) } else { (5, 0) };
        let is_same = engine == (5, 1);
        let package = ZenPackage::open_as(&bytes, supplied(other)).unwrap();
        let mut problems = Vec::new();
        assert_eq!(package.verify(|problem| problems.push(problem)), is_same, "{engine:?}");
        if let [problem, ..] = problems[..] {
            assert_eq!(problem.table, "summary");
            assert!(matches!(problem.error.kind(), ErrorKind::OtherHeader(_)));
        }
    }
}

/// Names of imports follow from the names of their packages, if the hash is right.
#[test]
fn imports_of_other_packages_are_named() {
    let made = Zen {
        engine: (5, 4),
        flags: 0x8000_0000,
        names: vec!["/Game/Own".into(), "Own".into()],
        hashes: ["Door_2_C", "Cube", "Default__Door_2_C", "SomethingElse"]
            .map(zen::path_hash)
            .to_vec(),
        imports: [(0, 0), (1, 1), (0, 2), (1, 3), (7, 0), (0, 9)]
            .map(|(package, hash): (u64, u64)| 2 << 62 | package << 32 | hash)
            .to_vec(),
        packages: vec![("/Game/Doors/Door".into(), 3), ("/Game/Cube".into(), 0)],
        ..Zen::default()
    };
    let (bytes, _) = made.write();
    let package = ZenPackage::open(&bytes).unwrap();
    let paths = package.imports().map(|import| package.path_of(import.unwrap()).to_string());
    let hash = format!("/Game/Cube.{:016x}", zen::path_hash("SomethingElse"));
    let wanted = [
        "/Game/Doors/Door_2.Door_2_C",
        "/Game/Cube.Cube",
        "/Game/Doors/Door_2.Default__Door_2_C",
        &hash,
        "?.c0ffee",
        "/Game/Doors/Door_2.?",
    ];
    let paths: Vec<_> = paths.collect();
    assert_eq!(paths[..4], wanted[..4]);
    assert_eq!(paths[5], wanted[5]);
    let class = package.imports().next().unwrap().unwrap();
    assert!(package.object_name(class).unwrap() == *"door_2_c");
    assert_eq!(ObjectHash::of_path("Door_2_C").0, zen::path_hash("Door_2_C"));
    let mut problems = Vec::new();
    assert!(!package.verify(|problem| problems.push(problem.table)));
    assert_eq!(problems, ["imports"]);
}

/// Objects in a table of script objects have paths, and their classes are found in mappings.
#[test]
fn script_objects_have_names_and_paths() {
    let engine = zen::script("/Script/Game", "");
    let [package, class, part] =
        ["Pkg", "Hero", "Sub"].map(|name| zen::script("/Script/Game", name));
    let names = ["/Script/Game", "Hero", "Änderung"].map(str::to_owned);
    let bytes = zen::script_objects(
        &names,
        &[(2, [part, class, NULL]), (0, [package, NULL, NULL]), (1, [class, package, NULL])],
    );
    let objects = ScriptObjects::open(&bytes).unwrap();
    assert!(objects.names().all(|name| name.unwrap().has_right_hash()));
    let mut all = MappingsBuf::new(4);
    all.structs.push(StructBuf::new("Hero"));
    let file = all.write();
    let mappings = Mappings::open(&file).unwrap();
    let script = ScriptNames::new(Some(&mappings), Some(&objects));
    let mut memory = [ScriptEntry::default(); 64];
    let borrowed = ScriptNames::new_in(Some(&mappings), Some(&objects), &mut memory).unwrap();
    for script in [&script, &borrowed] {
        let path = |index| script.path(ObjectIndex(index)).map(|path| path.to_string());
        assert_eq!(path(package).unwrap(), "/Script/Game");
        assert_eq!(path(class).unwrap(), "/Script/Game.Hero");
        assert_eq!(path(part).unwrap(), "/Script/Game.Hero:Änderung");
        assert_eq!(path(engine), None);
        assert_eq!(script.structure(ObjectIndex(class)).unwrap().name().to_string(), "Hero");
        assert!(script.structure(ObjectIndex(part)).is_none());
    }
    let mut short = [ScriptEntry::default(); 3];
    let error = ScriptNames::new_in(Some(&mappings), Some(&objects), &mut short).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooLarge { limit: 3, .. }));
    // Up to 15 bytes can follow the table, as at the end of a container.
    let mut long = bytes.clone();
    long.extend([0; 15]);
    assert!(ScriptObjects::open(&long).is_ok());
    long.push(0);
    assert!(ScriptObjects::open(&long).is_err());
    for end in 0..bytes.len() {
        assert!(ScriptObjects::open(&bytes[..end]).is_err(), "{end}");
    }
}

/// Hashes and indices that engines write.
#[test]
fn indices_of_engines() {
    let index = |package, name| ObjectIndex::of_script(package, name).0;
    assert_eq!(index("/Script/Engine", "Texture2D"), 0x5b93_bca7_96d1_fa6f);
    assert_eq!(index("/SCRIPT/engine", "texture2d"), 0x5b93_bca7_96d1_fa6f);
    assert_eq!(zen::script("/Script/Engine", "Texture2D"), 0x5b93_bca7_96d1_fa6f);
    assert_eq!(ObjectIndex(1 << 62 | 5).object(), ZenObject::Script(5));
    assert_eq!(ObjectIndex(2 << 62 | 5).object(), ZenObject::Import(5));
    assert!(ObjectIndex(3 << 62).is_null() && ObjectIndex::default().is_null());
    let (bytes, _) = Zen { names: vec!["A".into()], engine: (5, 6), ..Zen::default() }.write();
    let package = ZenPackage::open(&bytes).unwrap();
    assert_eq!(package.object_at(PackageIndex(0)), Some(ObjectIndex::NULL));
    assert_eq!(package.object_at(PackageIndex(1)), None);
}

/// Damage in the tables is found.
#[test]
fn damage_is_told() {
    let (bytes, _) = with_export(&Made::new(5), (5, 4), &["None"]).write();
    let told = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[at] ^= value;
        let mut problems = Vec::new();
        let package = ZenPackage::open_as(&bytes, supplied((5, 4))).unwrap();
        package.verify(|problem| problems.push(problem.to_string()));
        problems
    };
    assert_eq!(told(16, 0), [""; 0]);
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let (exports, entries, dependencies) = (word(32), word(36), word(40));
    for (at, value, wanted) in [
        (8, 9, "summary: name index 8 is out of range (names: 2) at offset 0 (0x0)"),
        (68, 1, "names: the hash of a name is"),
        (exports + 16, 9, "exports: name index 9 is out of range (names: 2)"),
        (exports + 24 + 7, 0xFF, "exports: object index 2147483647 is out of range"),
        (exports + 68, 3, "exports: unknown filter: 3"),
        (exports + 12, 1, "exports: unexpected end of data"),
        (entries, 7, "bundle_entries: object index 8 is out of range"),
        (entries + 4, 2, "bundle_entries: unknown command: 2"),
        (dependencies + 4, 1, "dependencies: invalid count 1"),
    ] {
        let found = told(at, value);
        assert!(found.iter().any(|text| text.starts_with(wanted)), "{wanted}: {found:?}");
    }
}

/// No other file of the corpus and no random bytes are taken for a package from a container.
#[test]
fn other_files_are_not_recognised() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            count += 1;
            let file = std::fs::read(&path).unwrap();
            // This container begins with a Zen package.
            let is_container = path.ends_with("unreal-declared/declared.ucas");
            let is_sample = path.ends_with("unreal-zen/tiny.uasset") || is_container;
            assert_eq!(ZenPackage::is_zen(&file), is_sample, "{}", path.display());
        }
    }
    assert!(count > 500, "{count}");
    let mut random = Random::new(9);
    for _ in 0..20_000 {
        let file: Vec<u8> =
            (0..random.below(200)).map(|_| random.one_of(&[0, 0, 0, 1, 64, 255])).collect();
        assert!(!ZenPackage::is_zen(&file));
    }
}

/// The laws hold for generated, truncated and damaged packages.
#[test]
fn laws_hold() {
    let mut random = Random::new(11);
    let mut last = Vec::new();
    let mut recognised = 0;
    for _ in 0..60 {
        let (bytes, _) = Zen::random(&mut random).write();
        laws::unreal_zen(&bytes);
        for _ in 0..8 {
            let damaged = damaged(&bytes, &last, &mut random);
            recognised += u32::from(ZenPackage::is_zen(&damaged));
            laws::unreal_zen(&damaged);
        }
        last = bytes;
    }
    assert!(recognised > 60, "{recognised}");
    let (bytes, _) = with_export(&Made::new(1), (5, 2), &["None", "Thing"]).write();
    (0..bytes.len()).step_by(3).for_each(|end| laws::unreal_zen(&bytes[..end]));
    let (bytes, _) = with_export(&Made::new(1), (4, 27), &["None", "Thing"]).write();
    (0..bytes.len()).step_by(3).for_each(|end| laws::unreal_zen(&bytes[..end]));
}

/// Writes the seeds for fuzzing if `GAMEWIRE_SEEDS` is set to a folder.
#[test]
fn seeds() {
    let wanted = std::env::var_os("GAMEWIRE_SEEDS").map(std::path::PathBuf::from);
    let Some(folder) = wanted.map(|folder| folder.join("unreal_zen")) else { return };
    std::fs::create_dir_all(&folder).unwrap();
    let mut random = Random::new(13);
    for index in 0..24 {
        let (bytes, _) = Zen::random(&mut random).write();
        std::fs::write(folder.join(index.to_string()), bytes).unwrap();
    }
}
