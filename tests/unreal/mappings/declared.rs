//! Classes and structs that a package declares itself.

use crate::support::unreal::unversioned::declared::Declared;
use crate::support::unreal::unversioned::without_places;
use gamewire::unreal::edit::PackageEditor;
use gamewire::unreal::{ErrorKind, Mappings, Package, PropertyWriter};

fn open(made: &Declared) -> Package<'_> {
    Package::open_as(&made.header, Some(&made.exports), Some(made.versions)).unwrap()
}

/// Objects of declared classes are read with the generated values, and written with the same bytes.
#[test]
fn generated_objects_are_read() {
    for seed in 0..600 {
        let made = Declared::new(seed);
        let game = Mappings::open(&made.mappings).unwrap();
        let package = open(&made).with_mappings(&game);
        let export = package.exports().last().unwrap().unwrap();
        let object = package.properties(&export).unwrap().unwrap();
        let first = object.iter().next().unwrap();
        assert_eq!(*first.unwrap_err().kind(), ErrorKind::NoSchema, "seed {seed}");

        let declared = package.declared_structs();
        assert_eq!(declared.structs.len(), made.structs, "seed {seed}");
        let own = declared.write();
        let mappings = game.extended(&own).unwrap();
        assert_eq!(mappings.structs().len(), game.structs().len() + made.structs);
        let package = package.clone().with_mappings(&mappings);
        assert_eq!(package.declared_structs(), declared);
        let object = package.properties(&export).unwrap().unwrap();
        let found = without_places(&serde_json::to_value(object.iter()).unwrap());
        assert_eq!(found, made.properties, "seed {seed}");
        assert_eq!(object.tail().unwrap().native, b"tail");

        let mut copied = Vec::new();
        let mut writer = PropertyWriter::new(&mut copied, &object.iter());
        object.iter().for_each(|tag| writer.copy(&tag.unwrap()).unwrap());
        writer.finish().unwrap();
        let mut editor = PackageEditor::new(&package).unwrap();
        editor.set_properties(made.structs, &copied).unwrap();
        let written = editor.write().unwrap();
        assert!(written.header == made.header, "seed {seed}");
        assert!(written.exports.as_deref() == Some(&made.exports), "seed {seed}");
    }
}

/// Types in the game's mappings still refer to each other. Elsewhere, if the game and the package
/// use the same name, it refers to the type in the package.
#[test]
fn names_of_the_package_do_not_change_other_types() {
    use gamewire::unreal::mappings::{MappedTypeBuf, MappingsBuf, PropertyBuf, StructBuf};
    let plain = |name, number| PropertyBuf::new(name, MappedTypeBuf::Plain(number));
    let item = || PropertyBuf::new("Item", MappedTypeBuf::Struct("Item".into()));
    let of = |structs| MappingsBuf { structs, ..MappingsBuf::new(4) }.write();
    let game =
        of(vec![StructBuf::new("Item").with(plain("Old", 2)), StructBuf::new("Bag").with(item())]);
    let own = of(vec![
        StructBuf::new("Item").under("Item").with(plain("New", 3)),
        StructBuf::new("Sack").under("Bag").with(item()),
        StructBuf::new("Lost").under("Nowhere"),
    ]);
    let game = Mappings::open(&game).unwrap();
    let mappings = game.extended(&own).unwrap();
    let named = |name: &str| mappings.find_struct(name).unwrap();
    let found = |of: &str, name: &str| {
        let (property, slot) = named(of).find_property(name).unwrap();
        (property.of().structure().map_or(0, |of| of.all_slots()), slot)
    };
    assert_eq!(named("item").parent().unwrap().all_slots(), 1);
    assert_eq!((found("Item", "New"), found("Item", "Old")), ((0, 0), (0, 1)));
    assert_eq!((found("Bag", "Item"), found("Sack", "Item")), ((1, 0), (2, 0)));
    assert_eq!(named("Sack").parent().unwrap().properties().len(), 1);
    assert_eq!(named("Lost").missing_parent().unwrap().to_string(), "Nowhere");
    assert_eq!((named("Item").missing_parent(), named("Bag").missing_parent()), (None, None));
    let names: Vec<_> = mappings.structs().map(|of| of.name().to_string()).collect();
    assert_eq!(names, ["Item", "Bag", "Item", "Sack", "Lost"]);
}

/// Damaged declarations are read or left out, and the mappings can always be extended.
#[test]
fn damaged_declarations_are_left_out() {
    let made = Declared::new(2);
    let game = Mappings::open(&made.mappings).unwrap();
    for place in 0..made.exports.len() {
        for byte in [0, 0x7F, 0xFF] {
            let mut exports = made.exports.clone();
            exports[place] = byte;
            let package = Package::open_as(&made.header, Some(&exports), Some(made.versions));
            let package = package.unwrap().with_mappings(&game);
            let declared = package.declared_structs();
            assert!(declared.structs.len() <= made.structs);
            assert!(game.extended(&declared.write()).is_ok());
        }
    }
}

/// The sample that the command line tests use is a generated package. If `GAMEWIRE_SAMPLES` is set
/// in the environment, the sample is written first.
#[test]
fn sample_is_a_generated_package() {
    let made = Declared::new(1840);
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/unreal-mappings");
    for (name, bytes) in [
        ("declared.usmap", &made.mappings),
        ("declared.uasset", &made.header),
        ("declared.uexp", &made.exports),
    ] {
        if std::env::var_os("GAMEWIRE_SAMPLES").is_some() {
            std::fs::write(folder.join(name), bytes).unwrap();
        }
        assert!(std::fs::read(folder.join(name)).unwrap() == *bytes, "{name}");
    }
}
