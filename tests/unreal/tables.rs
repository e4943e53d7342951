//! Tests the tables of packages: their contents, the encoding of their records, and their printed
//! form.

use crate::support::unreal::samples::{Sample, packages};
use gamewire::unreal::tables::{
    AssetPath, Bits, ChunkIds, CustomVersion, EngineVersion, RegistryObject, RegistryTag,
    SoftObjectPath, SubPath, TileBounds, TileReal,
};
use gamewire::unreal::{
    ByteOrder, ErrorKind, Guid, Layout, List, ListBuf, Name, NameEntry, Package, PackageEditor,
    StrBuf, StrRef, Value, Versions,
};
use serde_json::json;
use std::fmt::Debug;

fn sample(name: &str) -> Sample {
    packages().into_iter().find(|sample| sample.name() == name).unwrap()
}

const OLD: &str = "ue4.27-TestActorBP.uasset";
const NEW: &str = "ue5.6-SimpleRefsRoot.uasset";

fn in_version(ue4: i32, ue5: i32) -> Layout {
    Layout { versions: Versions { ue4, ue5 }, ..Layout::default() }
}

/// Asserts that a value is encoded as these bytes, and that the bytes are read as the same value.
#[track_caller]
fn lies_as<'a, T: Value<'a> + PartialEq + Debug>(value: T, bytes: &[u8], layout: &Layout) {
    let written = ListBuf::new([value, value], layout).unwrap();
    // The values read from the list borrow from it for `'a`, so the list is leaked.
    let written: &'static ListBuf = Box::leak(Box::new(written));
    let list = written.list::<u8>();
    assert!(list.is_err(), "two values are more than two bytes");
    let list = written.list::<T>().unwrap();
    assert_eq!(list.bytes(), bytes.repeat(2), "{value:?}");
    let read: Vec<_> = list.iter().map(Result::unwrap).collect();
    assert_eq!(read, [value, value]);
}

/// Asserts that `for_each_table` visits the tables that serde serializes, with the same number of
/// records.
#[test]
fn contents() {
    for sample in packages() {
        let (name, package) = (sample.name(), sample.package());
        let json = serde_json::to_value(&package).unwrap();
        let mut told = Vec::new();
        package.for_each_table(|key, count| {
            let table = &json[key];
            assert_eq!(count.or(table.as_array().map(Vec::len)), table.as_array().map(Vec::len));
            assert!(count.is_some() || !table.is_null(), "{name} {key}");
            told.push(key);
        });
        let others = ["kind", "byte_order", "summary", "names", "name_hashes", "errors"];
        let keys = json.as_object().unwrap().keys().map(String::as_str);
        let mut expected: Vec<_> = keys.filter(|key| !others.contains(key)).collect();
        expected.sort_unstable();
        told.sort_unstable();
        assert_eq!(told, expected, "{name}");
        assert!(told.contains(&"imports") && told.contains(&"exports"), "{name}");
        let count = package.summary().preload_dependency_count;
        assert_eq!(told.contains(&"preload_dependencies"), count.unwrap_or(0) > 0, "{name}");
    }
}

/// The version of an engine is printed in a fixed form. Files below 4:336 contain only parts of the
/// version.
#[test]
fn versions_of_engines() {
    let branch = StrBuf::new("++UE4+Release-4.27");
    let branch = branch.as_text();
    let of =
        |changelist, branch| EngineVersion { major: 4, minor: 27, patch: 2, changelist, branch };
    for (version, printed, is_licensee) in [
        (of(18319896, branch), "4.27.2-18319896+++UE4+Release-4.27", false),
        (of(18319896 | 1 << 31, branch), "4.27.2-18319896+++UE4+Release-4.27", true),
        (of(5, StrRef::default()), "4.27.2-5", false),
        (EngineVersion::default(), "0.0.0-0", false),
    ] {
        assert_eq!((version.to_string(), version.is_licensee()), (printed.to_owned(), is_licensee));
    }
    let old = EngineVersion { major: 4, changelist: 0x8000_0007, ..EngineVersion::default() };
    let old_bytes = [7, 0, 0, 0x80];
    lies_as(old, &old_bytes, &in_version(335, 0));
    lies_as(old, &[&[4, 0, 0, 0, 0, 0][..], &old_bytes, &[0; 4]].concat(), &in_version(336, 0));
}

/// Depending on the legacy version of the file, custom versions have a number, a GUID with a name,
/// or only a GUID.
#[test]
fn versions_of_subsystems() {
    let name = StrBuf::new("Ab");
    let name = Some(name.as_text());
    let name_bytes = [3, 0, 0, 0, b'A', b'b', 0];
    let guid = [1u32, 2, 3, 4].map(u32::to_le_bytes).concat();
    for legacy in -9..=-2 {
        let layout = Layout { legacy, ..Layout::default() };
        let number = Guid([0, 0, 0, 4]);
        let (guid, name, bytes) = match legacy {
            -2 => (number, None, [&[4, 0, 0, 0][..], &[7, 0, 0, 0]].concat()),
            -5..=-3 => (Guid([1, 2, 3, 4]), name, [&guid, &[7, 0, 0, 0][..], &name_bytes].concat()),
            _ => (Guid([1, 2, 3, 4]), None, [&guid, &[7, 0, 0, 0][..]].concat()),
        };
        lies_as(CustomVersion { guid, version: 7, name }, &bytes, &layout);
    }
}

/// From 4:278 to 4:325, there is one chunk id, which may be absent.
#[test]
fn numbers_of_chunks() {
    let (old, new) = (in_version(325, 0), in_version(326, 0));
    let written = |ids: ChunkIds<'_>, layout| ListBuf::new([ids], layout).unwrap();
    for (number, expected) in [(5i32, vec![5]), (0, vec![0]), (-1, vec![]), (-7, vec![])] {
        let bytes = ListBuf::new([number], &old).unwrap();
        let list = bytes.list::<ChunkIds<'_>>().unwrap();
        let ids = list.iter().next().unwrap().unwrap();
        assert_eq!(ids.iter().collect::<Vec<_>>(), expected);
        let again = written(ids, &old);
        assert_eq!(again.list::<i32>().unwrap().bytes(), number.to_le_bytes());
    }
    let none = written(ChunkIds::default(), &old);
    assert_eq!(none.list::<i32>().unwrap().bytes(), (-1i32).to_le_bytes());
    let none = written(ChunkIds::default(), &new);
    assert_eq!(none.list::<i32>().unwrap().bytes(), [0; 4]);
    let raw = [3, 5, -1, 7].map(i32::to_le_bytes).concat();
    let raw: [u8; 16] = raw.try_into().unwrap();
    let list = ListBuf::new([raw], &new).unwrap();
    let ids = list.list::<ChunkIds<'_>>().unwrap().iter().next().unwrap().unwrap();
    assert_eq!(ids.iter().collect::<Vec<_>>(), [5, -1, 7]);
}

/// Reals of tiles are `f32` in files below 5:1004. A NaN keeps its bits when converted to `f64` and
/// back.
#[test]
fn reals_of_tiles() {
    let (old, new) = (in_version(522, 1003), in_version(522, 1004));
    for (single, double) in [
        (1.5f32.to_bits(), 1.5f64.to_bits()),
        (0.1f32.to_bits(), f64::from(0.1f32).to_bits()),
        (0x8000_0000, 0x8000_0000_0000_0000),
        (0x7F80_0000, 0x7FF0_0000_0000_0000),
        (0x7FC0_0000, 0x7FF8_0000_0000_0000),
        (0x7F80_0001, 0x7FF0_0000_2000_0000),
        (0xFF80_0001, 0xFFF0_0000_2000_0000),
        (0xFFFF_FFFF, 0xFFFF_FFFF_E000_0000),
        (0x7FA5_5AA5, 0x7FF4_AB54_A000_0000),
    ] {
        let bytes = ListBuf::new([single, single, single], &old).unwrap();
        let one = bytes.list::<TileReal>().unwrap();
        for real in one.iter().map(Result::unwrap) {
            assert_eq!(real.0.to_bits(), double, "{single:x}");
            let again = ListBuf::new([real], &old).unwrap();
            assert_eq!(again.list::<f32>().unwrap().bytes(), single.to_le_bytes(), "{single:x}");
            let wide = ListBuf::new([real], &new).unwrap();
            assert_eq!(wide.list::<f64>().unwrap().bytes(), double.to_le_bytes(), "{single:x}");
        }
        let bounds = TileBounds {
            min: [TileReal(f64::from_bits(double)); 3],
            max: [TileReal(2.0); 3],
            valid: 1,
        };
        let written = ListBuf::new([bounds], &old).unwrap();
        let expected = [single.to_le_bytes().repeat(3), 2f32.to_le_bytes().repeat(3), vec![1]];
        assert_eq!(written.list::<TileBounds>().unwrap().bytes(), expected.concat());
    }
    // A NaN whose bits do not fit in an `f32` stays a NaN.
    let odd = ListBuf::new([TileReal(f64::from_bits(0x7FF0_0000_0000_0001))], &old).unwrap();
    let odd = odd.list::<f32>().unwrap().iter().next().unwrap().unwrap();
    assert!(odd.is_nan());
}

/// Lists are equal if their values are equal, regardless of their byte order. A nested list is
/// written in the requested layout.
#[test]
fn lists() {
    let of = |values: &[i32], order| {
        ListBuf::new(values.iter().copied(), &Layout { order, ..Layout::default() }).unwrap()
    };
    let (little, big) = (of(&[1, 2], ByteOrder::Little), of(&[1, 2], ByteOrder::Big));
    let other = of(&[1, 3], ByteOrder::Little);
    let [little, big, other] = [&little, &big, &other].map(|list| list.list::<i32>().unwrap());
    assert_eq!(little, big);
    assert_ne!(little, other);
    assert_ne!(little.bytes(), big.bytes());
    #[allow(clippy::clone_on_copy)]
    let copy = little.clone();
    assert_eq!((copy, copy.len()), (little, 2));
    assert_eq!(format!("{copy:?}"), "[1, 2]");

    let text = StrBuf::new("t");
    let text = text.as_text();
    let tags = ListBuf::new([RegistryTag { key: text, value: text }], &Layout::default()).unwrap();
    let object = RegistryObject { path: text, class: text, tags: tags.list().unwrap() };
    for (order, two, one) in [
        (ByteOrder::Little, [2, 0, 0, 0], [1, 0, 0, 0]),
        (ByteOrder::Big, [0, 0, 0, 2], [0, 0, 0, 1]),
    ] {
        let written = ListBuf::new([object], &Layout { order, ..Layout::default() }).unwrap();
        let text = [&two[..], b"t\0"].concat();
        let expected = [text.repeat(2), one.to_vec(), text.repeat(2)].concat();
        assert_eq!(written.list::<RegistryObject<'_>>().unwrap().bytes(), expected);
    }

    // A count that exceeds the number of remaining bytes is an error, and so is an impossible
    // length of a text.
    let bytes = ListBuf::new([1000i32], &Layout::default()).unwrap();
    let error = bytes.list::<List<'_, i32>>().unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::BadCount(1000));
    let bytes = ListBuf::new([i32::MIN], &Layout::default()).unwrap();
    let error = bytes.list::<StrRef<'_>>().unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::BadTextLength(i32::MIN));
}

/// Bools are packed in words of 32 bits, and the number of bools is given separately.
#[test]
fn truths() {
    let words = ListBuf::new([0x8000_0001u32, 1], &Layout::default()).unwrap();
    let words = words.list::<u32>().unwrap();
    for (len, fits) in [(0, false), (32, false), (33, true), (64, true), (65, false)] {
        assert_eq!(Bits::new(words, len).is_some(), fits, "{len}");
    }
    let bits = Bits::new(words, 33).unwrap();
    let set: Vec<_> = bits.iter().enumerate().filter_map(|(at, bit)| bit.then_some(at)).collect();
    assert_eq!((set, bits.len(), bits.is_empty()), (vec![0, 31, 32], 33, false));
    let none = Bits::new(List::default(), 0).unwrap();
    assert_eq!((none.len(), none.is_empty()), (0, true));
}

/// Text in 8-bit units is Latin-1, even if it looks like UTF-8.
#[test]
fn latin_1() {
    let list = ListBuf::new([*b"\x03\0\0\0\xC3\xA9\0"], &Layout::default()).unwrap();
    let text: StrRef<'_> = list.list().unwrap().iter().next().unwrap().unwrap();
    assert_eq!((text.as_str(), text.to_string()), (None, "Ã©".to_owned()));
    assert!(text == *"Ã©" && text != *"é");
    assert_eq!(format!("{text:?}"), "\"Ã©\"");
    let list = ListBuf::new([*b"\x04\0\0\0ab\"\0"], &Layout::default()).unwrap();
    let text: StrRef<'_> = list.list().unwrap().iter().next().unwrap().unwrap();
    assert_eq!(text.as_str(), Some("ab\""));
    assert!(text == *"ab\"" && text != *"ab" && text != *"AB\"");
    assert_eq!(format!("{text:?}"), r#""ab\"""#);
}

/// The hashes of a name are accepted if they match its text, or if they are absent.
#[test]
fn hashes_of_names() {
    let text = StrBuf::new("StaticMesh");
    let entry = NameEntry::new(text.as_text());
    let [folded, exact] = entry.hashes.unwrap();
    assert!(entry.has_right_hashes());
    for (hashes, right) in [
        (None, true),
        (Some([folded, exact]), true),
        (Some([folded ^ 1, exact]), false),
        (Some([folded, exact ^ 1]), false),
    ] {
        assert_eq!(NameEntry { hashes, ..entry }.has_right_hashes(), right);
    }
}

/// Names are compared in full, including their numbers, without regard to case.
#[test]
fn names_are_compared() {
    let sample = sample(OLD);
    let package = sample.package();
    let mut editor = PackageEditor::new(&package).unwrap();
    let (plain, wide) = (editor.add_name("Actor").unwrap(), editor.add_name("Öde").unwrap());
    let name = |name: Name, number| editor.name(Name { number, ..name }).unwrap();
    for (name, alone, same, others) in [
        (name(plain, 0), Some("Actor"), ["Actor", "aCTOR"], ["Acto", "Actors", "", "Actor_0"]),
        (name(plain, 6), None, ["Actor_5", "aCTOR_5"], ["Actor", "Actor_", "Actor_55", "Actor_6"]),
        (name(wide, 0), None, ["Öde", "ÖDE"], ["öde", "Öd", "Öden", ""]),
    ] {
        assert_eq!(name.as_str(), alone);
        assert!(same.iter().all(|same| name == **same), "{name}");
        assert!(others.iter().all(|other| name != **other), "{name}");
    }
}

/// An asset path is printed as the package and the asset joined by a dot, as the package alone if
/// the asset is `None`, and as an empty string if both are `None`. If a name is missing from the
/// table, its index is printed instead. A package whose name is empty or `None` has no name.
#[test]
fn paths_in_documents() {
    let sample = sample(NEW);
    let package = sample.package();
    let mut editor = PackageEditor::new(&package).unwrap();
    let [none, own, asset] =
        ["None", "/Game/Own", "Asset"].map(|text| editor.add_name(text).unwrap());
    let bad = Name { index: 9999, number: 0 };
    let cases = [
        (own, asset, "/Game/Own.Asset"),
        (own, none, "/Game/Own"),
        (none, none, ""),
        (none, asset, "None.Asset"),
        (bad, asset, "<no name 9999>"),
        (own, bad, "<no name 9999>"),
        (bad, none, "<no name 9999>"),
    ];
    for (package, asset, _) in cases {
        let path = AssetPath::Parts { package, asset };
        editor.soft_object_paths.push(SoftObjectPath { path, sub_path: SubPath::default() });
    }
    let names = [StrBuf::new(""), StrBuf::new("None"), StrBuf::new("/Game/A")];
    for (name, called) in names.iter().zip([None, None, Some("/Game/A")]) {
        editor.summary.package_name = name.as_text();
        let written = editor.write().unwrap();
        let after = Package::open(&written.header).unwrap();
        assert_eq!(after.long_name().map(|name| name.to_string()).as_deref(), called);
        let json = serde_json::to_value(&after).unwrap();
        let paths = json["soft_object_paths"].as_array().unwrap();
        let paths = &paths[package.soft_object_paths().len()..];
        let expected: Vec<_> = cases.iter().map(|(.., text)| json!(text)).collect();
        let paths: Vec<_> = paths.iter().map(|path| path["path"].clone()).collect();
        assert_eq!(paths, expected);
    }
}

/// The `Debug` output of packages and properties does not contain the bytes of the file.
#[test]
fn debug_without_bytes() {
    let sample = sample(OLD);
    let package = sample.package();
    let lengths = format!("Package {{ files: ({}, None), ", sample.bytes.len());
    assert!(format!("{package:?}").starts_with(&lengths));
    let name = "0123456789ABCDEF00000000FEDCBA98";
    let guid = Guid([0x0123_4567, 0x89AB_CDEF, 0, 0xFEDC_BA98]);
    assert_eq!((format!("{guid:?}"), guid.to_string()), (name.into(), name.into()));
    let lists = package.exports().filter_map(|export| package.properties(&export.unwrap()).ok()?);
    let mut lists = lists.collect::<Vec<_>>();
    let list = lists.remove(0).iter();
    let printed = format!("{list:?}");
    let place = format!("at: {}+", list.offset());
    assert!(printed.contains(&place) && printed.contains("context: Context { .. }"), "{printed}");
}

/// The visitor skips tables for which the summary states no records.
#[test]
fn tables_without_records() {
    let mut seen = 0;
    for sample in packages() {
        let package = sample.package();
        let summary = package.summary();
        let counts = [
            ("preload_dependencies", summary.preload_dependency_count),
            ("import_type_hierarchies", summary.import_type_hierarchy_count),
        ];
        for (table, count) in counts {
            let mut told = false;
            package.for_each_table(|key, _| told |= key == table);
            assert_eq!(told, count.is_some_and(|count| count > 0), "{} {table}", sample.name());
            seen += usize::from(!told);
        }
    }
    assert!(seen > 0);
}
