//! Classes, structs and enums that other packages declare.

use crate::support::iostore::{Container, chunk};
use crate::support::paks::{How, Pak, file};
use crate::support::unreal::unversioned::linked::{self, Linked, VERSIONS, samples};
use crate::support::unreal::zen::{self, NULL, Zen};
use crate::zen::with_imports;
use gamewire::unreal::mappings::{
    EnumBuf, MappedTypeBuf, MappingsBuf, PackageTypes, PropertyBuf, StructBuf, TypePath,
};
use gamewire::unreal::{
    ErrorKind, Mappings, Object, Package, PropertyValue, ScriptNames, ZenPackage,
};

/// The `.uasset` and `.uexp` of a package.
type Written = (Vec<u8>, Vec<u8>);

fn open<'a>((header, exports): &'a Written, mappings: &'a Mappings<'a>) -> Package<'a> {
    let package = Package::open_as(header, Some(exports), Some(VERSIONS)).unwrap();
    package.with_mappings(mappings)
}

fn path(package: &str, name: &str) -> TypePath {
    TypePath { package: package.into(), name: name.into() }
}

fn sample<'l>(all: &'l [Linked], name: &str) -> &'l Linked {
    all.iter().find(|made| made.name == name).unwrap()
}

/// Returns the values of an object, including those of structs in it.
fn values(object: gamewire::unreal::Properties<'_>) -> Vec<String> {
    object
        .map(|tag| {
            let tag = tag.unwrap();
            match tag.value() {
                PropertyValue::Int(value) => format!("{} {value}", tag.name()),
                PropertyValue::Enum(value) => format!("{} {value}", tag.name()),
                PropertyValue::Struct(list) => format!("{} {:?}", tag.name(), values(list)),
                other => panic!("{other:?}"),
            }
        })
        .collect()
}

const VALUES: [&str; 5] =
    ["Open 7", "Height 300", "State E_State::NewEnumerator3", r#"Size ["Width 90"]"#, "Health 100"];

/// `package_types` lists the types that a package needs from others. Once the declarations of all
/// these types are known, the objects of the package can be read.
#[test]
fn types_of_other_packages() {
    let game = linked::mappings();
    let game = Mappings::open(&game).unwrap();
    let all = samples();
    for is_named in [true, false] {
        let types = |name: &str| {
            let written = sample(&all, name).write(is_named);
            open(&written, &game).package_types(name)
        };
        let [room, mut door, mut wall, size, state] =
            ["Doors/Room", "Doors/Door", "Base/Wall", "Base/S_Size", "Base/E_State"]
                .map(|name| types(&format!("/Game/{name}")));
        assert_eq!(room.missing, [path("/Game/Doors/Door", "Door_C")]);
        assert_eq!(room.missing[0].to_string(), "/Game/Doors/Door.Door_C");
        assert_eq!(door.missing, [path("/Game/Base/Wall", "Wall_C")]);
        let needed = [path("/Game/Base/E_State", "E_State"), path("/Game/Base/S_Size", "S_Size")];
        assert_eq!(wall.missing, needed);
        assert_eq!((&size.missing, &state.missing), (&vec![], &vec![]));
        assert_eq!(state.package, "/Game/Base/E_State");
        let entries = [("NewEnumerator0", 0), ("NewEnumerator3", 1), ("E_MAX", 2)];
        let entries = entries.map(|(name, value)| (name.into(), value)).to_vec();
        let wanted = EnumBuf { name: "E_State".into(), entries, ..EnumBuf::default() };
        assert_eq!(state.declared.enums, [wanted]);
        for types in [&mut door, &mut wall] {
            let before = types.missing.clone();
            types.keep_declared();
            assert_eq!(types.missing, before);
        }

        let combined = PackageTypes::combine(&[room, door, wall, size, state]).write();
        let mappings = game.extended(&combined).unwrap();
        let written = sample(&all, "/Game/Doors/Room").write(is_named);
        let package = open(&written, &mappings);
        assert_eq!(package.missing_types(), []);
        let object = package.properties(&package.export(0).unwrap()).unwrap().unwrap();
        assert_eq!(values(object.iter()), VALUES);
        assert!(object.tail().unwrap().native.is_empty());
    }
}

/// Without mappings, and for properties with tags, no types are missing.
#[test]
fn packages_that_need_no_types() {
    let (header, exports) = sample(&samples(), "/Game/Doors/Room").write(true);
    let package = Package::open_as(&header, Some(&exports), Some(VERSIONS)).unwrap();
    assert_eq!(package.missing_types(), []);
    let file = std::fs::read("corpus/unreal/ue4.27-TestActorBP.uasset").unwrap();
    let game = linked::mappings();
    let game = Mappings::open(&game).unwrap();
    let package = Package::open(&file).unwrap().with_mappings(&game);
    assert_eq!(package.missing_types(), []);
}

/// Reading an object ends even if two classes, in different packages, are super classes of each
/// other.
#[test]
fn super_classes_in_a_circle() {
    let game = linked::mappings();
    let game = Mappings::open(&game).unwrap();
    let all = samples();
    let [a, b] = ["/Game/Loops/A", "/Game/Loops/B"].map(|name| sample(&all, name).write(true));
    let types = [&a, &b].map(|written| open(written, &game).package_types(""));
    assert_eq!(types[0].missing, [path("/Game/Loops/B", "B_C")]);
    assert_eq!(types[1].missing, [path("/Game/Loops/A", "A_C")]);
    let combined = PackageTypes::combine(&types).write();
    let mappings = game.extended(&combined).unwrap();
    let package = open(&a, &mappings);
    let object = package.properties(&package.export(1).unwrap()).unwrap().unwrap();
    assert_eq!(values(object.iter()), ["Own 1"; 3]);
    let mut written = a.clone();
    let start = written.1.len() - 18;
    // The search visits a limited number of super classes. This slot lies beyond those of all of
    // them.
    let header = [127, 0, 127, 0, 127, 0, 0, 3];
    written.1[start..][..8].copy_from_slice(&header);
    let package = open(&written, &mappings);
    let object = package.properties(&package.export(1).unwrap()).unwrap().unwrap();
    let error = object.iter().next().unwrap().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoSuchSlot(_)), "{error:?}");
}

/// Types with the same name in several packages are told apart by their paths.
#[test]
fn types_with_the_same_name() {
    let int = |name| PropertyBuf::new(name, MappedTypeBuf::Plain(2));
    let item = |name| PropertyBuf::new(name, MappedTypeBuf::Struct("Item".into()));
    let all = |package: &str, structs, missing| PackageTypes {
        package: package.into(),
        declared: MappingsBuf { structs, ..MappingsBuf::new(4) },
        missing,
    };
    let bag = StructBuf::new("Bag").with(item("One"));
    let first = all("/Game/A", vec![bag], vec![path("/Game/B", "Item"), path("/Game/C", "Sack")]);
    let second = all("/Game/B", vec![StructBuf::new("Item").with(int("X"))], vec![]);
    let sack = StructBuf::new("Sack").with(item("Other"));
    let third = all("/Game/C", vec![sack], vec![path("/Game/D", "item")]);
    let two = StructBuf::new("Item").with(int("X")).with(int("Y"));
    let fourth = all("/game/d", vec![two], vec![]);
    let base = MappingsBuf::new(4).write();
    let base = Mappings::open(&base).unwrap();
    let slots = |types: &[PackageTypes], of: &str, name: &str| {
        let file = PackageTypes::combine(types).write();
        let mappings = base.extended(&file).unwrap();
        let (property, _) = mappings.find_struct(of)?.find_property(name)?;
        Some(property.of().structure()?.all_slots())
    };
    let types = [first, second, third, fourth];
    assert_eq!(slots(&types, "Bag", "One"), Some(1));
    assert_eq!(slots(&types, "Sack", "Other"), Some(2));

    // The first package refers to its types by name only. If it needs two types with the same name,
    // neither type keeps the name.
    let mut types = types;
    types[0].missing.push(path("/Game/D", "Item"));
    let file = PackageTypes::combine(&types).write();
    let mappings = base.extended(&file).unwrap();
    assert!(mappings.find_struct("Item").is_none());
    assert!(mappings.find_struct("/Game/D.Item").is_some());
    assert_eq!((slots(&types, "Bag", "One"), slots(&types, "Sack", "Other")), (None, Some(2)));

    // A class can have the same name as its super class in another package.
    let of = |package, parent: &'static str, missing| {
        let class = StructBuf::new("Door_C").under(parent).with(int("Own"));
        all(package, vec![class], missing)
    };
    let types =
        [of("/Game/A", "Door_C", vec![path("/Game/B", "door_c")]), of("/Game/B", "X", vec![])];
    let file = PackageTypes::combine(&types).write();
    let mappings = base.extended(&file).unwrap();
    assert_eq!(mappings.find_struct("Door_C").unwrap().all_slots(), 2);
}

/// An enum with more entries than mappings can have is left out, and so is a truncated one.
#[test]
fn enums_that_cannot_be_read() {
    let game = linked::mappings();
    let game = Mappings::open(&game).unwrap();
    let mut all = samples();
    let state = all.iter_mut().find(|made| made.name == "/Game/Base/E_State").unwrap();
    let is_read = |made: &Linked, count: u32| {
        let (header, mut exports) = made.write(true);
        exports[6..10].copy_from_slice(&count.to_le_bytes());
        !open(&(header, exports), &game).declared_structs().enums.is_empty()
    };
    assert!(is_read(state, 3));
    assert!(!is_read(state, 4), "the export ends");
    // Now 16 bytes follow for each of 65,536 entries.
    state.pad(16 << 16);
    assert!(is_read(state, 0xFFFF));
    assert!(!is_read(state, 0x1_0000), "the number has more than 16 bits");
    assert!(!is_read(state, u32::MAX));
}

/// Returns the package as engine 5.3 stores it in `IoStore` containers.
fn as_zen(made: &Linked) -> Vec<u8> {
    let (header, exports) = made.write(true);
    let package = Package::open_as(&header, Some(&exports), Some(VERSIONS)).unwrap();
    let (mut hashes, mut packages) = (Vec::new(), Vec::new());
    let imports: Vec<_> = package
        .imports()
        .zip(0..)
        .map(|(import, index)| {
            let import = import.unwrap();
            let path = package.path_of(Object::Import(index).into()).to_string();
            let Some((of, name)) = path.split_once('.') else { return NULL };
            if of.starts_with("/Script/") || import.outer.is_null() {
                return zen::script(of, name);
            }
            hashes.push(zen::path_hash(name));
            packages.push((of.to_owned(), 0));
            2 << 62 | (packages.len() as u64 - 1) << 32 | (hashes.len() as u64 - 1)
        })
        .collect();
    let zen = Zen { hashes, packages, ..with_imports(&package, made.name, imports) };
    zen.write().0
}

#[test]
fn types_of_other_zen_packages() {
    let game = linked::mappings();
    let game = Mappings::open(&game).unwrap();
    let script = ScriptNames::new(Some(&game), None);
    let all = samples();
    let names = ["Doors/Room", "Doors/Door", "Base/Wall", "Base/S_Size", "Base/E_State"];
    let files = names.map(|name| as_zen(sample(&all, &format!("/Game/{name}"))));
    let open = |file| ZenPackage::open(file).unwrap().with_script_names(&script);
    let types: Vec<_> = files.iter().map(|file| open(file).package_types()).collect();
    let missing = types
        .iter()
        .map(|types| types.missing.iter().map(|of| of.to_string()).collect::<Vec<_>>().join(" "));
    let wanted = [
        "/Game/Doors/Door.Door_C",
        "/Game/Base/Wall.Wall_C",
        "/Game/Base/E_State.E_State /Game/Base/S_Size.S_Size",
        "",
        "",
    ];
    assert!(missing.eq(wanted));
    let combined = PackageTypes::combine(&types).write();
    let mappings = game.extended(&combined).unwrap();
    let package = open(&files[0]).with_mappings(&mappings);
    assert_eq!(package.missing_types(), []);
    let object = package.properties(0).unwrap().unwrap();
    assert_eq!(values(object.iter()), VALUES);
}

/// The samples of the command line tests are the packages that [`samples`] returns, in files, in a
/// pak and in a container. If `GAMEWIRE_SAMPLES` is set in the environment, the samples are written
/// first.
#[test]
fn samples_are_written_packages() {
    let mut files = vec![("declared.usmap".to_owned(), linked::mappings())];
    let (mut in_pak, mut in_container) = (Vec::new(), Vec::new());
    for made in samples() {
        let inside = made.name.replace("/Game/", "Content/");
        let (header, exports) = made.write(made.name != "/Game/Doors/Room");
        for (extension, bytes) in [("uasset", header), ("uexp", exports)] {
            let path = format!("{inside}.{extension}");
            in_pak.push(file(&path, &bytes, How::Stored));
            files.push((path, bytes));
        }
        in_container.push(chunk(&format!("{inside}.uasset"), &as_zen(&made), How::Stored));
    }
    files.push(("declared.pak".into(), Pak::new(11, in_pak).write()));
    let container = Container::new(8, in_container).write();
    files.push(("declared.utoc".into(), container.utoc));
    files.push(("declared.ucas".into(), container.partitions.concat()));
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/unreal-declared");
    for (name, bytes) in files {
        let path = folder.join(&name);
        if std::env::var_os("GAMEWIRE_SAMPLES").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &bytes).unwrap();
        }
        assert!(std::fs::read(path).unwrap() == bytes, "{name}");
    }
}
