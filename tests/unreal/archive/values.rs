//! Tests the operations of archives of bytes.

use super::ORDERS;
use crate::support::unreal::archives::Tree;
use crate::support::unreal::samples;
use gamewire::SliceSink;
use gamewire::unreal::archive::{
    Archive, ArchiveReader, ArchiveWriter, Array, BitArchive, Serialize, Standalone,
};
use gamewire::unreal::properties::{FormattedText, History};
use gamewire::unreal::{
    ByteOrder, ErrorKind, Guid, KnownCustomVersions, Layout, Name, NameRef, ObjectRef, Package,
    PackageIndex, PropertyValue, Result, Save, StrBuf, StrRef, Versions,
};
use std::fmt::Debug;

fn origin(order: ByteOrder) -> Standalone<'static> {
    Standalone::new(Layout { order, ..Layout::default() })
}

/// Checks that a value is read from, and written as, the bytes `little` in a little-endian archive
/// and the bytes `swapped` in a big-endian one.
#[track_caller]
fn both<T>(value: T, little: &'static [u8], swapped: &'static [u8])
where
    T: Serialize<'static> + Default + Clone + Debug + PartialEq,
{
    for (order, bytes) in [(ByteOrder::Little, little), (ByteOrder::Big, swapped)] {
        let origin = Box::leak(Box::new(origin(order)));
        let mut reader = ArchiveReader::new(bytes, 0, &*origin);
        assert_eq!(reader.read::<T>().unwrap(), value, "{order:?}");
        assert!(reader.is_at_end());
        let mut written = Vec::new();
        ArchiveWriter::new(&mut written, &*origin).serialize(&mut value.clone()).unwrap();
        assert_eq!(written, bytes, "{order:?}");
        for end in 0..bytes.len() {
            let error = ArchiveReader::new(&bytes[..end], 7, &*origin).read::<T>().unwrap_err();
            let ErrorKind::UnexpectedEnd { missing } = *error.kind() else {
                assert!(matches!(error.kind(), ErrorKind::BadCount(_)), "{error}");
                continue;
            };
            assert!(missing as usize <= bytes.len() - end && missing > 0, "{error}");
            assert!((7..=7 + end as u64).contains(&error.offset()), "{error}");
        }
    }
}

#[test]
fn numbers() {
    both(0x12u8, b"\x12", b"\x12");
    both(-2i8, b"\xFE", b"\xFE");
    both(0x1234u16, b"\x34\x12", b"\x12\x34");
    both(-2i16, b"\xFE\xFF", b"\xFF\xFE");
    both(0x1234_5678u32, b"\x78\x56\x34\x12", b"\x12\x34\x56\x78");
    both(-2i32, b"\xFE\xFF\xFF\xFF", b"\xFF\xFF\xFF\xFE");
    both(
        0x0102_0304_0506_0708u64,
        b"\x08\x07\x06\x05\x04\x03\x02\x01",
        b"\x01\x02\x03\x04\x05\x06\x07\x08",
    );
    both(-2i64, b"\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF", b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFE");
    both(1.5f32, b"\0\0\xC0\x3F", b"\x3F\xC0\0\0");
    both(-2.0f64, b"\0\0\0\0\0\0\0\xC0", b"\xC0\0\0\0\0\0\0\0");
    both(true, b"\x01\0\0\0", b"\0\0\0\x01");
    both(false, b"\0\0\0\0", b"\0\0\0\0");
    both([1u8, 2, 3], b"\x01\x02\x03", b"\x01\x02\x03");
}

#[test]
fn references_and_texts() {
    let guid = Guid([0x0102_0304, 5, 6, 7]);
    both(
        guid,
        b"\x04\x03\x02\x01\x05\0\0\0\x06\0\0\0\x07\0\0\0",
        b"\x01\x02\x03\x04\0\0\0\x05\0\0\0\x06\0\0\0\x07",
    );
    let name = Name { index: 3, number: 1 };
    both(name, b"\x03\0\0\0\x01\0\0\0", b"\0\0\0\x03\0\0\0\x01");
    both(NameRef::Index(name), b"\x03\0\0\0\x01\0\0\0", b"\0\0\0\x03\0\0\0\x01");
    both(PackageIndex(-2), b"\xFE\xFF\xFF\xFF", b"\xFF\xFF\xFF\xFE");
    both(ObjectRef::Index(PackageIndex(2)), b"\x02\0\0\0", b"\0\0\0\x02");
    both(StrRef::default(), b"\0\0\0\0", b"\0\0\0\0");
    for order in ORDERS {
        let (origin, text) = (origin(order), StrBuf::new("日本"));
        let mut written = Vec::new();
        ArchiveWriter::new(&mut written, &origin).serialize(&mut text.as_text()).unwrap();
        let units = [0x65E5u16, 0x672C, 0];
        let (len, units): ([u8; 4], Vec<_>) = match order {
            ByteOrder::Little => ((-3i32).to_le_bytes(), units.map(u16::to_le_bytes).concat()),
            ByteOrder::Big => ((-3i32).to_be_bytes(), units.map(u16::to_be_bytes).concat()),
        };
        assert_eq!(written, [&len[..], &units].concat());
        let read: StrRef<'_> = ArchiveReader::new(&written, 0, &origin).read().unwrap();
        assert_eq!(read, *"日本");
        assert_eq!(read.bytes().as_ptr(), written[4..].as_ptr(), "it is borrowed");
    }
}

#[test]
fn bits_in_bytes() {
    for order in ORDERS {
        let origin = origin(order);
        let mut reader = ArchiveReader::new(b"\xFF\xFF\x01\0\0\0\x07", 0, &origin);
        let mut bits = [0x55; 3];
        reader.bits(&mut bits, 11).unwrap();
        assert_eq!(bits, [0xFF, 0x07, 0x55], "bytes after the last one are not changed");
        let (mut number, mut bit) = (9, false);
        reader.int(&mut number, 2).unwrap();
        assert_eq!(number, if order == ByteOrder::Little { 1 } else { 0x0100_0000 });
        reader.bit(&mut bit).unwrap();
        assert!(bit && reader.is_at_end());
        let mut bits = [0; 1];
        assert_eq!(
            *ArchiveReader::new(b"abc", 0, &origin).bits(&mut bits, 9).unwrap_err().kind(),
            ErrorKind::DoesNotFit
        );

        let mut written = Vec::new();
        let mut writer = ArchiveWriter::new(&mut written, &origin);
        writer.bits(&mut [0xFF, 0xFF, 0x55], 11).unwrap();
        writer.bit(&mut true).unwrap();
        assert_eq!(*writer.bits(&mut [0], 9).unwrap_err().kind(), ErrorKind::DoesNotFit);
        assert_eq!(written, b"\xFF\x07\x01");
    }
}

#[test]
fn packed_integers() {
    let cases: [(u64, &[u8]); 8] = [
        (0, b"\0"),
        (1, b"\x02"),
        (127, b"\xFE"),
        (128, b"\x01\x02"),
        (200, b"\x91\x02"),
        (0xFFFF_FFFF, b"\xFF\xFF\xFF\xFF\x1E"),
        (0x1_0000_0000, b"\x01\x01\x01\x01\x20"),
        (u64::MAX, b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02"),
    ];
    let origin = origin(ByteOrder::Little);
    for (value, bytes) in cases {
        let mut written = Vec::new();
        ArchiveWriter::new(&mut written, &origin).int_packed_64(&mut { value }).unwrap();
        assert_eq!(written, bytes, "{value}");
        let (mut wide, mut narrow) = (5, 5);
        ArchiveReader::new(bytes, 0, &origin).int_packed_64(&mut wide).unwrap();
        assert_eq!(wide, value);
        let read = ArchiveReader::new(bytes, 3, &origin).int_packed(&mut narrow);
        match u32::try_from(value) {
            Ok(value) => {
                assert_eq!((read, narrow), (Ok(()), value));
                written.clear();
                ArchiveWriter::new(&mut written, &origin).int_packed(&mut { value }).unwrap();
                assert_eq!(written, bytes);
            }
            Err(_) => {
                let error = read.unwrap_err();
                assert_eq!(
                    (error.offset(), *error.kind()),
                    (3, ErrorKind::BadPackedInt { width: 32 })
                );
            }
        }
    }
    let mut value = 7;
    ArchiveReader::new(b"\x03\x01\0", 0, &origin).int_packed(&mut value).unwrap();
    assert_eq!(value, 1, "unnecessary bytes are accepted");
    let endless = [1; 20];
    assert!(ArchiveReader::new(&endless, 0, &origin).int_packed(&mut value).is_err());
    assert!(ArchiveReader::new(&endless, 0, &origin).int_packed_64(&mut 0).is_err());
}

#[test]
fn arrays() {
    let bytes = b"\x02\0\0\0\x01\0\x02\0";
    for order in ORDERS {
        let origin = origin(order);
        let mut written = Vec::new();
        let mut slice: Array<'_, u16> = Array::new(&[1, 2]);
        ArchiveWriter::new(&mut written, &origin).serialize(&mut slice).unwrap();
        let mut reader = ArchiveReader::new(&written, 0, &origin);
        let array: Array<'_, u16> = reader.read().unwrap();
        assert!(reader.is_at_end());
        assert_eq!((array.len(), array.is_empty()), (2, false));
        assert_eq!(array, slice);
        assert_eq!(array.into_iter().map(Result::unwrap).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(array.iter().size_hint(), (2, Some(2)));
        assert_eq!(format!("{array:?} {:?}", array.iter()), "[1, 2] Items { left: 2 }");
        let vec: Vec<u16> = ArchiveReader::new(&written, 0, &origin).read().unwrap();
        assert_eq!(vec, [1, 2]);
        if order == ByteOrder::Little {
            assert_eq!(written, bytes);
        }
    }
    let origin = origin(ByteOrder::Little);
    for (count, bad) in [(2, false), (3, true), (-1, true), (i32::MAX, true)] {
        let bytes = [&i32::to_le_bytes(count)[..], &[0; 4]].concat();
        let read = ArchiveReader::new(&bytes, 5, &origin).read::<Array<'_, u16>>();
        match bad {
            false => assert_eq!(read.unwrap().len(), 2),
            true => {
                let error = read.unwrap_err();
                assert_eq!((error.offset(), *error.kind()), (5, ErrorKind::BadCount(count)));
            }
        }
    }
    let mut writer = Vec::new();
    let mut writer = ArchiveWriter::new(&mut writer, &origin);
    assert!(writer.count(&mut { u32::MAX }, 0).is_err());
}

/// Each level of a tree is an array. Arrays can be nested 48 levels deep.
#[test]
fn nested_arrays() {
    let origin = origin(ByteOrder::Little);
    let tree = |depth: usize| [b"\x07\x01\0\0\0".repeat(depth), b"\x08\0\0\0\0".to_vec()].concat();
    let deepest = |bytes: &[u8]| ArchiveReader::new(bytes, 0, &origin).read::<Tree>();
    assert_eq!(deepest(&tree(47)).unwrap().children[0].label, 7);
    let error = deepest(&tree(48)).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::TooDeep { limit: 48 });
    assert_eq!(error.offset(), 48 * 5 + 1);
    assert!(deepest(&tree(100_000)).is_err());
}

/// A type with an old field and a new one. Each version has only one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Versioned {
    old: Option<u8>,
    new: Option<u16>,
}

impl<'a> Serialize<'a> for Versioned {
    fn serialize<A: Archive<'a>>(&mut self, ar: &mut A) -> Result<()> {
        let since = ar.versions().ue5 >= 1004 && ar.custom_version(EDITOR) >= 9;
        ar.serialize_if(!since, &mut self.old)?;
        ar.serialize_if(since, &mut self.new)
    }
}

const EDITOR: Guid = Guid([0xE4B0_68ED, 0xF494_42E9, 0xA231_DA0B, 0x2E46_BB41]);

#[test]
fn versions() {
    let of = |ue5, editor| {
        let custom = KnownCustomVersions { editor, ..Layout::default().custom };
        let versions = Versions { ue4: 522, ue5 };
        Standalone::new(Layout { versions, custom, ..Layout::default() })
    };
    for (ue5, editor, is_new) in [(0, 9, false), (1004, 8, false), (1004, 9, true)] {
        let origin = of(ue5, editor);
        let reader = ArchiveReader::new(b"\x01\x02", 0, &origin);
        assert_eq!(reader.custom_version(EDITOR), editor);
        assert_eq!(reader.custom_version(Guid([1; 4])), -1);
        let mut read: Versioned = { reader }.read().unwrap();
        let expected = match is_new {
            true => Versioned { old: None, new: Some(0x201) },
            false => Versioned { old: Some(1), new: None },
        };
        assert_eq!(read, expected);
        // A field is written only if this version has it. If its value is `None`, the default is
        // written.
        let (mut both, mut none) = (Versioned { old: Some(1), new: Some(0x201) }, <_>::default());
        for (value, bytes) in [(&mut read, [1, 2]), (&mut both, [1, 2]), (&mut none, [0, 0])] {
            let mut written = Vec::new();
            ArchiveWriter::new(&mut written, &origin).serialize(value).unwrap();
            assert_eq!(written, bytes[..if is_new { 2 } else { 1 }]);
        }
    }
}

/// The custom versions of a file are those that its summary lists.
#[test]
fn custom_versions_of_files() {
    for sample in samples::packages() {
        let package = sample.package();
        let ar = package.archive(&[], 0);
        let stated = package.summary().custom_versions;
        for custom in stated.iter().flatten() {
            assert_eq!(ar.custom_version(custom.guid), custom.version, "{}", sample.name());
        }
        let missing = match package.versions().is_unversioned() {
            true => i32::MAX,
            false => -1,
        };
        assert_eq!(ar.custom_version(Guid([1; 4])), missing);
        assert_eq!(ar.custom_version(EDITOR), package.layout().custom.editor, "{}", sample.name());
        assert_eq!(ar.versions(), package.layout().versions);
    }
}

/// Names and references that a package does not have are an error.
#[test]
fn checked_references() {
    let sample = samples::packages();
    let sample = sample.iter().find(|sample| sample.name().contains("ue4.27-TestActor")).unwrap();
    let package = sample.package();
    let names = package.names().len() as i32;
    for (index, exists) in [(-1, false), (0, true), (names - 1, true), (names, false)] {
        let bytes = [index, 0].map(i32::to_le_bytes).concat();
        let read = package.archive(&bytes, 50).read::<NameRef<'_>>();
        match exists {
            true => {
                let name = package.archive(&[], 0).name_text(read.unwrap()).unwrap();
                let entry = package.names().nth(index as usize).unwrap().unwrap();
                assert_eq!(name.text(), entry.text);
            }
            false => {
                let error = read.unwrap_err();
                let kind = ErrorKind::NoSuchName { index, count: names as u32 };
                assert_eq!((error.offset(), *error.kind()), (50, kind));
            }
        }
    }
    let (imports, exports) = (package.imports().len() as i32, package.exports().len() as i32);
    for (index, exists) in [
        (0, true),
        (exports, true),
        (exports + 1, false),
        (-imports, true),
        (-imports - 1, false),
        (i32::MIN, false),
    ] {
        let bytes = index.to_le_bytes();
        let read = package.archive(&bytes, 50).read::<PackageIndex>();
        match exists {
            true => assert_eq!(read, Ok(PackageIndex(index))),
            false => assert_eq!(*read.unwrap_err().kind(), ErrorKind::NoSuchObject(index)),
        }
        assert_eq!(package.archive(&bytes, 0).read::<ObjectRef<'_>>().is_ok(), exists);
    }
}

/// In saves, names and references are strings.
#[test]
fn saves() {
    let sample = &samples::saves()[0];
    let save = Save::open(&sample.bytes).unwrap();
    let bytes = b"\x05\0\0\0Name\0\x02\0\0\0/\0";
    let mut ar = save.archive(bytes, 0);
    let (name, object): (NameRef<'_>, ObjectRef<'_>) = (ar.read().unwrap(), ar.read().unwrap());
    assert!(ar.is_at_end());
    assert_eq!(ar.name_text(name).unwrap(), *"Name");
    let ObjectRef::Path(path) = object else { panic!("{object:?}") };
    assert_eq!(path, *"/");
    let (mut name, mut object, mut written) = (name, object, Vec::new());
    let mut writer = ArchiveWriter::new(&mut written, &save);
    writer.serialize(&mut name).unwrap();
    writer.serialize(&mut object).unwrap();
    assert_eq!(written, bytes);
    for custom in save.custom_versions().iter().flatten() {
        assert_eq!(ar.custom_version(custom.guid), custom.version);
    }
    assert!(save.archive(&[0; 8], 0).read::<Name>().is_err(), "there are no indices");
    let tag = save.properties().next().unwrap().unwrap();
    let value = save.archive(tag.bytes(), tag.value_offset());
    assert_eq!(&sample.bytes[value.offset() as usize..][..value.rest().len()], tag.bytes());
}

#[test]
fn texts() {
    let origin = origin(ByteOrder::Little);
    let bytes = b"\x08\0\0\0\xFF";
    let mut text: FormattedText<'_> = ArchiveReader::new(bytes, 0, &origin).read().unwrap();
    assert!(matches!(text.history, History::None { culture_invariant: None }));
    let mut written = Vec::new();
    ArchiveWriter::new(&mut written, &origin).serialize(&mut text).unwrap();
    assert_eq!(written, bytes);
    text.history =
        History::Legacy { source: StrRef::default(), namespace: None, key: StrRef::default() };
    let error = ArchiveWriter::new(&mut written, &origin).serialize(&mut text).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::DoesNotFit);
}

#[test]
fn raw_bytes_patches_and_sections() {
    let origin = origin(ByteOrder::Big);
    let mut written = Vec::new();
    let mut writer = ArchiveWriter::new(&mut written, &origin);
    let size = writer.offset();
    writer.serialize(&mut 0i32).unwrap();
    writer.raw(&mut &b"abc"[..], 3).unwrap();
    assert_eq!(*writer.raw(&mut &b"abc"[..], 4).unwrap_err().kind(), ErrorKind::DoesNotFit);
    writer.patch(size, 3).unwrap();
    for outside in [4, 7, u64::MAX] {
        assert!(writer.patch(outside, 1).is_err(), "{outside}");
    }
    assert_eq!(format!("{writer:?}"), "ArchiveWriter(7)");
    assert_eq!(written, b"\0\0\0\x03abc");

    let mut reader = ArchiveReader::new(&written, 10, &origin);
    let len: i32 = reader.read().unwrap();
    assert_eq!(format!("{reader:?}"), "ArchiveReader(14+3)");
    let mut section = reader.section(len as u64).unwrap();
    assert!(reader.is_at_end() && reader.section(1).is_err());
    let mut bytes = &b""[..];
    section.raw(&mut bytes, 2).unwrap();
    assert_eq!((bytes, section.offset()), (&b"ab"[..], 16));
    assert!(section.raw(&mut bytes, 2).is_err() && section.seek(13).is_err());
    let memory = &mut [0; 3][..];
    let mut sink = SliceSink::new(memory);
    let full = ArchiveWriter::new(&mut sink, &origin).raw(&mut &b"abcd"[..], 4).unwrap_err();
    assert_eq!((full.offset(), *full.kind()), (0, ErrorKind::SinkFull { missing: 1 }));
}

/// For each export in the corpus, the native archive consists of the bytes after the properties.
#[test]
fn native_data_of_exports() {
    let mut found = 0;
    for sample in samples::packages() {
        let package = sample.package();
        for export in package.exports().flatten() {
            let Ok(Some(ar)) = package.native_archive(&export) else { continue };
            let native = package.properties(&export).unwrap().unwrap().tail().unwrap().native;
            assert_eq!(ar.rest(), native);
            let all = package.export_bytes(&export).unwrap();
            let start = ar.offset() - export.serial.offset as u64;
            assert_eq!(&all[start as usize..], native, "{}", sample.name());
            found += native.len();
        }
    }
    assert!(found > 10_000, "{found}");
}

/// The archive of a value consists of the bytes at the value's offset in the package.
#[test]
fn opaque_values() {
    let mut opaque = 0;
    for sample in samples::packages() {
        let package: Package<'_> = sample.package();
        for export in package.exports().flatten() {
            let Ok(Some(object)) = package.properties(&export) else { continue };
            for tag in object.iter().flatten() {
                let ar = package.archive(tag.bytes(), tag.value_offset());
                let all = package.export_bytes(&export).unwrap();
                let start = (ar.offset() - export.serial.offset as u64) as usize;
                assert_eq!(all[start..].as_ptr(), tag.bytes().as_ptr(), "{}", sample.name());
                opaque += usize::from(matches!(tag.value(), PropertyValue::Opaque(..)));
            }
        }
    }
    println!("{opaque} opaque values");
}
