//! Tests references from properties to names and objects of a package, references to missing
//! targets, the visitor that collects all references, and structs whose layout depends on custom
//! versions.

use crate::laws::unreal as laws;
use crate::laws::unreal::Header;
use crate::support::unreal::saves::{Bytes, UE4_27, first, written};
use gamewire::unreal::properties::{Counts, OpaqueReason, Reference, References, SoftReference};
use gamewire::unreal::tables::{Export, Serial};
use gamewire::unreal::{
    ByteOrder, Error, ErrorKind, NameRef, ObjectRef, Package, PackageIndex, PropertyKind,
    PropertyTypeBuf, PropertyValue, Save, Tag, TagBuf, Value, Versions,
};

fn of(kind: PropertyKind) -> PropertyTypeBuf {
    PropertyTypeBuf::of(kind)
}

fn engine(name: &'static str) -> PropertyTypeBuf {
    PropertyTypeBuf::structure(name, "/Script/CoreUObject")
}

/// Returns the header of a package that contains only names. If `says` is `true`, the package
/// states its version and has the custom versions before all changes; otherwise, it is unversioned.
fn header(ue4: i32, order: ByteOrder, says: bool) -> &'static Header {
    let versions = Versions { ue4, ue5: 0 };
    let is = |header: &&Header| {
        let package = Package::open_as(&header.header, None, header.supplied).unwrap();
        let layout = package.layout();
        let made = package.imports().len() == 0 && header.supplied.is_none() == says;
        made && layout.versions == versions && layout.order == order
    };
    laws::headers().iter().find(is).unwrap()
}

/// The bytes of an export, built from names and numbers.
struct Made<'h> {
    package: Package<'h>,
    header: &'h Header,
    bytes: Vec<u8>,
}

impl<'h> Made<'h> {
    fn new(header: &'h Header) -> Self {
        let package = Package::open_as(&header.header, None, header.supplied).unwrap();
        Self { package, header, bytes: Vec::new() }
    }

    fn number(mut self, number: i32) -> Self {
        number.write(&mut self.bytes, self.package.layout()).unwrap();
        self
    }

    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend(bytes);
        self
    }

    fn count(&self) -> i32 {
        self.package.names().len() as i32
    }

    fn name(self, word: &str) -> Self {
        let mut names = self.package.names();
        let index = names.position(|name| name.unwrap().text == *word).unwrap();
        self.number(index as i32).number(0)
    }

    /// Adds a tag, up to the fields that depend on its kind.
    fn tag(self, kind: &str, size: i32) -> Self {
        self.name("A").name(kind).number(size).number(0)
    }

    fn first<T>(self, look: impl FnOnce(Result<Tag<'_>, Error>) -> T) -> T {
        let Self { header: Header { header, supplied }, bytes, .. } = self.name("None");
        let package = Package::open_as(header, Some(&bytes), *supplied).unwrap();
        let serial = Serial { size: bytes.len() as i64, offset: header.len() as i64 };
        let export = Export { class: PackageIndex(-1), serial, ..Export::default() };
        let object = package.properties(&export).unwrap().unwrap();
        look(object.iter().next().unwrap())
    }
}

/// A name index outside of the table of names is an error wherever a name is read. A name with a
/// number differs from the same name without a number.
#[test]
fn unknown_name_indices() {
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let made = || Made::new(header(514, order, true));
        let (count, said) = (made().count(), made().count() as u32);
        for (index, number) in [(count, 0), (count, 3), (-1, 0), (-1, 3), (i32::MAX, 1)] {
            let unknown = ErrorKind::NoSuchName { index, count: said };
            let error = |result: Result<Tag<'_>, Error>| *result.unwrap_err().kind();
            let name = made().number(index).number(number).name("IntProperty");
            assert_eq!(name.number(4).number(0).first(error), unknown);
            let kind = made().name("A").number(index).number(number);
            assert_eq!(kind.number(4).number(0).first(error), unknown);
            let value = made().tag("NameProperty", 8).bytes(&[0]).number(index).number(number);
            value.first(|tag| match tag.unwrap().value() {
                PropertyValue::Opaque(_, OpaqueReason::Malformed(error)) => {
                    assert_eq!(*error.kind(), unknown);
                }
                other => panic!("{other:?}"),
            });
        }
        let last = made().tag("NameProperty", 8).bytes(&[0]).number(count - 1).number(3);
        last.first(|tag| assert!(matches!(tag.unwrap().value(), PropertyValue::Name(_))));
        let mut names = made().package.names();
        let int = names.position(|name| name.unwrap().text == *"IntProperty").unwrap() as i32;
        for (number, kind) in [(0, PropertyKind::Int), (3, PropertyKind::Unknown)] {
            let made = made().name("A").number(int).number(number);
            let made = made.number(4).number(0).bytes(&[0]).number(7);
            assert_eq!(made.first(|tag| tag.unwrap().kind()), kind);
        }
    }
}

/// In a map whose keys are objects, a key is found by the index of its object.
#[test]
fn objects_as_keys() {
    let made = Made::new(header(514, ByteOrder::Little, true)).tag("MapProperty", 24);
    let made = made.name("ObjectProperty").name("IntProperty").bytes(&[0]);
    let made = made.number(0).number(2).number(-5).number(7).number(3).number(8);
    made.first(|tag| {
        let PropertyValue::Map(map) = tag.unwrap().value() else { panic!() };
        for (key, expected) in [("-5", Some(7)), ("3", Some(8)), ("5", None), ("", None)] {
            let found = map.get(key).map(|value| match value {
                PropertyValue::Int(value) => value,
                other => panic!("{other:?}"),
            });
            assert_eq!(found, expected, "{key}");
        }
    });
}

/// A struct of any type may start with a marker and a version, if the package has editor data and
/// lacks the custom version of such structs.
#[test]
fn marks_of_instanced_structs() {
    const MARK: i32 = 0xABAB_ABABu32 as i32;
    let cases = [
        (header(522, ByteOrder::Little, true), true),
        (header(522, ByteOrder::Little, false), false),
        (header(522, ByteOrder::Big, true), false),
    ];
    for (header, may_have_mark) in cases {
        for (has_mark, fits) in [(false, true), (true, may_have_mark)] {
            let size = if has_mark { 13 } else { 8 };
            let made = Made::new(header).tag("StructProperty", size).name("InstancedStruct");
            let made = made.bytes(&[0; 17]);
            let made = if has_mark { made.number(MARK).bytes(&[1]) } else { made };
            made.number(-2).number(0).first(|tag| match tag.unwrap().value() {
                PropertyValue::Instanced(it) => {
                    assert_eq!((it.of, it.size), (ObjectRef::Index(PackageIndex(-2)), 0));
                    assert!(fits);
                }
                PropertyValue::Opaque(..) => assert!(!fits),
                other => panic!("{other:?}"),
            });
        }
    }
    // The marker is not allowed in a save either.
    let value = Bytes::default().i32(MARK).bytes(&[1]).text("/S").i32(0);
    first(&UE4_27.file(&engine("InstancedStruct"), &value.0), |tag| {
        assert!(matches!(tag.value(), PropertyValue::Opaque(..)));
    });
}

/// Inputs of materials have a special form in all files that have the first custom version of their
/// subsystem or a later one.
#[test]
fn inputs_of_materials() {
    for (says, is_list) in [(true, true), (false, false)] {
        let made = Made::new(header(514, ByteOrder::Little, says));
        let made = made.tag("StructProperty", 8).name("ExpressionInput");
        made.bytes(&[0; 17]).name("None").first(|tag| match tag.unwrap().value() {
            PropertyValue::Struct(_) => assert!(is_list),
            PropertyValue::Opaque(_, OpaqueReason::Malformed(_)) => assert!(!is_list),
            other => panic!("{other:?}"),
        });
    }
}

/// Returns a save with references of almost every kind, and with values of every kind that the
/// tests count.
fn several() -> Vec<u8> {
    let bytes = Bytes::default;
    let list = bytes().text("In").text("NameProperty").i32(6).i32(0).bytes(&[0]).text("N");
    let list = list.text("None");
    let instanced = bytes().text("/S").i32(list.0.len() as i32).bytes(&list.0);
    let (text, int) =
        (|| PropertyTypeBuf::of(PropertyKind::Str), || PropertyTypeBuf::of(PropertyKind::Int));
    let all = [
        (of(PropertyKind::Object), bytes().text("/O")),
        (of(PropertyKind::SoftObject), bytes().text("/P").text("")),
        (of(PropertyKind::Name), bytes().text("M")),
        (of(PropertyKind::Delegate), bytes().text("/D").text("f")),
        (
            of(PropertyKind::MulticastDelegate),
            bytes().i32(2).text("/E").text("g").text("/F").text("h"),
        ),
        (of(PropertyKind::FieldPath), bytes().i32(2).text("p").text("q").text("/W")),
        (engine("GameplayTagContainer"), bytes().i32(2).text("T").text("U")),
        (engine("InstancedStruct"), instanced),
        (engine("InstancedStruct"), bytes().text("/N").i32(0)),
        (PropertyTypeBuf::array(text()), bytes().i32(2).text("abc").text("d")),
        (PropertyTypeBuf::optional(int()), bytes().i32(1).i32(8)),
        (
            PropertyTypeBuf::set(of(PropertyKind::Name)),
            bytes().i32(1).text("r").i32(2).text("s").text("t"),
        ),
        (
            PropertyTypeBuf::map(of(PropertyKind::Name), of(PropertyKind::Name)),
            bytes().i32(1).text("x").i32(1).text("y").text("z"),
        ),
        (of(PropertyKind::Utf8Str), bytes().i32(3).bytes(b"abc")),
        (of(PropertyKind::Int), bytes().bytes(&[1, 2, 3])),
    ];
    written(UE4_27, |to| {
        for (of, bytes) in &all {
            to.bytes(&TagBuf::in_save("A", of), &bytes.0).unwrap();
        }
    })
}

/// The visitor receives all references, in the order of the file.
#[test]
fn all_references_are_reported() {
    let file = several();
    let save = Save::open(&file).unwrap();
    let mut told = Vec::new();
    let tell = |reference: Reference<'_>| {
        told.push(match reference {
            Reference::Object(ObjectRef::Path(path)) => format!("{path}"),
            Reference::Soft(SoftReference { package: NameRef::Text(name), .. }) => {
                format!("soft {name}")
            }
            Reference::Name(NameRef::Text(name)) => format!("{name}"),
            other => panic!("{other:?}"),
        });
    };
    save.properties().visit(&mut References(tell)).unwrap();
    let expected = "A /O|A soft /P|A M|A /D f|A /E g /F h|A p q /W|A T U|A /S In N|A /N|A|A|\
        A r s t|A x y z|A|A";
    assert_eq!(told.join(" "), expected.replace('|', " "));
}

/// Values in containers are also counted, and each byte is counted once.
#[test]
fn all_is_counted() {
    let file = several();
    let save = Save::open(&file).unwrap();
    let mut counts = Counts::default();
    save.properties().visit(&mut counts).unwrap();
    let mut bytes = 0;
    for tag in save.properties() {
        bytes += tag.unwrap().bytes().len() as u64;
    }
    assert_eq!((counts.properties, counts.bytes), (16, bytes));
    // Elements: two texts; the value of the optional; two values and one removed value of the set;
    // one entry and one removed key of the map.
    assert_eq!((counts.elements, counts.opaque), (2 + 1 + 3 + 2, 1));
    assert_eq!(counts.text, 3 + 1 + 3);
}
