//! Regression tests for bugs that the comparison with the oracle found.

use crate::laws::unreal as laws;
use crate::laws::unreal::Header;
use gamewire::unreal::properties::{OpaqueReason, SoftReference};
use gamewire::unreal::tables::{Export, Serial, SubPath};
use gamewire::unreal::{
    ByteOrder, ErrorKind, Package, PackageIndex, PropertyValue, Save, Tag, Versions,
};

/// Returns the header of a package with these versions that contains only names. If `says` is
/// `false`, the package is unversioned.
fn header(ue4: i32, ue5: i32, says: bool) -> &'static Header {
    let versions = Versions { ue4, ue5 };
    let mut headers = laws::headers().iter();
    let plain = |header: &&Header| {
        let package = Package::open_as(&header.header, None, header.supplied).unwrap();
        let layout = package.layout();
        let made = package.imports().len() == 0 && header.supplied.is_none() == says;
        made && layout.versions == versions && layout.order == ByteOrder::Little
    };
    headers.find(plain).unwrap()
}

/// The bytes of an export, built from names and numbers.
struct Bytes {
    header: &'static Header,
    bytes: Vec<u8>,
}

impl Bytes {
    fn of(ue4: i32) -> Self {
        Self { header: header(ue4, 0, true), bytes: Vec::new() }
    }

    fn unversioned(ue4: i32, ue5: i32) -> Self {
        Self { header: header(ue4, ue5, false), bytes: Vec::new() }
    }

    fn name(mut self, word: &str) -> Self {
        let Header { header, supplied } = self.header;
        let mut names = Package::open_as(header, None, *supplied).unwrap().names().flatten();
        let index = names.position(|name| name.text == *word).unwrap();
        self.bytes.extend((index as u64).to_le_bytes());
        self
    }

    fn number(mut self, number: i32) -> Self {
        self.bytes.extend(number.to_le_bytes());
        self
    }

    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend(bytes);
        self
    }

    /// Calls a closure with the value of the first property.
    fn first(self, look: impl FnOnce(PropertyValue<'_>)) {
        self.tag(|tag| look(tag.value()));
    }

    /// Calls a closure with the first property.
    fn tag(self, look: impl FnOnce(Tag<'_>)) {
        let Self { header: Header { header, supplied }, bytes } = self.name("None");
        let package = Package::open_as(header, Some(&bytes), *supplied).unwrap();
        let serial = Serial { size: bytes.len() as i64, offset: header.len() as i64 };
        let export = Export { class: PackageIndex(-1), serial, ..Export::default() };
        let object = package.properties(&export).unwrap().unwrap();
        look(object.iter().next().unwrap().unwrap());
    }
}

/// The value of a bool is in its tag, so bytes after the tag are left over.
#[test]
fn a_truth_with_bytes_of_its_own() {
    let tag = Bytes::of(503).name("A").name("BoolProperty").number(1).number(0).bytes(&[1, 0]);
    tag.bytes(&[0]).first(|value| match value {
        PropertyValue::Opaque(bytes, reason) => {
            assert_eq!((bytes, reason), (&[0][..], OpaqueReason::LeftOver(1)));
        }
        other => panic!("{other:?}"),
    });
}

/// The inner tag of an array names the struct of the elements only if it is the tag of a struct.
#[test]
fn an_array_of_structs_with_a_tag_of_something_else() {
    for (kind, is_guid) in [("StructProperty", true), ("ByteProperty", false)] {
        let size = 4 + 8 + 8 + 4 + 4 + 8 + 1 + 16 + if is_guid { 16 } else { 0 };
        let to = Bytes::of(503).name("A").name("ArrayProperty").number(size).number(0);
        let to = to.name("StructProperty").bytes(&[0]).number(1);
        let to = to.name("A").name(kind).number(16).number(0).name("Guid");
        let to = if is_guid { to.bytes(&[0; 16]) } else { to };
        to.bytes(&[0]).bytes(&[7; 16]).first(|value| match value {
            PropertyValue::Array(mut elements) => {
                assert!(matches!(elements.next(), Some(PropertyValue::Guid(_))));
                assert!(is_guid);
            }
            PropertyValue::Opaque(..) => assert!(!is_guid),
            other => panic!("{other:?}"),
        });
    }
}

/// The name in an inner tag is printed as the name of the struct in an array only if the inner tag
/// is the tag of a struct.
#[test]
fn an_array_whose_tag_names_an_enum() {
    for (kind, printed) in [
        ("StructProperty", "ArrayProperty(StructProperty(Guid))"),
        ("EnumProperty", "ArrayProperty(StructProperty)"),
    ] {
        let is_struct = kind == "StructProperty";
        let size = 4 + 8 + 8 + 4 + 4 + 8 + 1 + if is_struct { 16 } else { 0 };
        let to = Bytes::of(503).name("A").name("ArrayProperty").number(size).number(0);
        let to = to.name("StructProperty").bytes(&[0]).number(0);
        let to = to.name("A").name(kind).number(0).number(0).name("Guid");
        let to = if is_struct { to.bytes(&[0; 16]) } else { to };
        to.bytes(&[0]).tag(|tag| assert_eq!(tag.head().of.to_string(), printed));
    }
}

/// Names are compared without regard to case. This is also true of the names of kinds and structs.
/// A save contains them as text in each property.
#[test]
fn kinds_in_other_letters() {
    let file = include_bytes!("../../../corpus/unreal/gvas-ue4.27-Slot1.sav");
    let values = |file: &[u8]| {
        let save = Save::open(file).unwrap();
        save.properties().map(|tag| format!("{:?}", tag.unwrap().value())).collect::<Vec<_>>()
    };
    for word in ["UInt32Property", "StrProperty", "ArrayProperty", "DateTime"] {
        let mut other = file.to_vec();
        let word = format!("{word}\0");
        let found = file.windows(word.len()).position(|bytes| bytes == word.as_bytes());
        let at = found.unwrap_or_else(|| panic!("{word}"));
        other[at..at + word.len()].make_ascii_uppercase();
        assert_eq!(values(&other), values(file), "{word}");
    }
}

/// The name of a kind with a number is a different name. A struct whose tags have such a kind is
/// therefore not read as a list of properties.
#[test]
fn a_kind_with_a_number() {
    for (number, is_list) in [(0, true), (5, false)] {
        let element = |to: Bytes| {
            let to = to.name("A").name("IntProperty");
            let kind = to.bytes.len() - 4;
            let mut to = to.number(4).number(0).number(7).name("None");
            to.bytes[kind..kind + 4].copy_from_slice(&i32::to_le_bytes(number));
            to
        };
        let size = element(Bytes::of(482)).bytes.len() as i32;
        let to = Bytes::of(482).name("A").name("ArrayProperty").number(4 + size).number(0);
        let to = element(to.name("StructProperty").number(1));
        to.first(|value| {
            assert_eq!(matches!(value, PropertyValue::Array(_)), is_list, "{value:?}")
        });
    }
}

/// The table of names is never inside the summary, so a package with names must state a positive
/// offset for this table.
#[test]
fn names_without_a_place() {
    let Header { header, supplied } = header(503, 0, true);
    let package = Package::open_as(header, None, *supplied).unwrap();
    let (count, offset) = (package.summary().name_count, package.summary().name_offset);
    let place = [count.to_le_bytes(), offset.to_le_bytes()].concat();
    let at = header.windows(8).position(|bytes| bytes == place).unwrap();
    let with = |count: i32, offset: i32| {
        let mut file = header.clone();
        let place = [count.to_le_bytes(), offset.to_le_bytes()].concat();
        file[at..at + 8].copy_from_slice(&place);
        Package::open_as(&file, None, *supplied).map(|package| package.names().len())
    };
    assert_eq!(with(count, offset), Ok(count as usize));
    assert_eq!([with(0, 0), with(0, -1)], [Ok(0), Ok(0)]);
    for offset in [0, -1] {
        assert_eq!(with(count, offset).unwrap_err().kind(), &ErrorKind::BadOffset(offset.into()));
    }
}

/// If the tag of a byte property names the enum `None`, there is no enum. Other properties may have
/// an enum of this name.
#[test]
fn enum_values_named_none() {
    for (kind, printed) in
        [("ByteProperty", "ByteProperty"), ("EnumProperty", "EnumProperty(None)")]
    {
        let tag = Bytes::of(514).name("A").name(kind).number(8).number(0).name("None").bytes(&[0]);
        tag.name("B").tag(|tag| assert_eq!(tag.head().of.to_string(), printed));
    }
}

/// A save or a package with a version from before engine 4 is rejected.
#[test]
fn saves_older_than_engine_4() {
    let file = include_bytes!("../../../corpus/unreal/gvas-ue4.27-Slot1.sav");
    let of = |ue4: i32| {
        let file = [&file[..8], &ue4.to_le_bytes(), &file[12..]].concat();
        Save::open(&file).map(drop).map_err(|error| *error.kind())
    };
    let versions = |ue4| Versions { ue4, ue5: 0 };
    assert_eq!(of(522), Ok(()));
    assert!(!matches!(of(214), Err(ErrorKind::OlderVersion(_))));
    assert_eq!(of(213), Err(ErrorKind::OlderVersion(versions(213))));
    assert_eq!(of(-1), Err(ErrorKind::OlderVersion(versions(-1))));
    assert_eq!((of(523), of(999)), (Ok(()), Ok(())));
    assert_eq!(of(1000), Err(ErrorKind::NewerVersion(versions(1000))));
}

/// An unversioned package has the custom versions of its engine. Before 5.6, the subpath of a soft
/// reference is a text with a NUL; from 5.6 on, it is UTF-8 without a NUL.
#[test]
fn soft_references_of_unversioned_packages() {
    for (ue4, ue5, names) in [(514, 0, 1), (522, 0, 1), (522, 1009, 2)] {
        let size = 8 * names + 8;
        let tag = Bytes::unversioned(ue4, ue5).name("A").name("SoftObjectProperty");
        let tag = tag.number(size).number(0).bytes(&[0]);
        let path = (0..names).fold(tag, |to, _| to.name("B"));
        path.number(4).bytes(b"Sub\0").first(|value| match value {
            PropertyValue::Soft(SoftReference { sub_path: SubPath::Text(text), .. }) => {
                assert_eq!(text, *"Sub", "{ue4} {ue5}");
            }
            other => panic!("{ue4} {ue5}: {other:?}"),
        });
    }
}
