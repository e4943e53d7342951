//! Changes values of packets in place.

use crate::support::corpus;
use crate::support::godot::words::words;
use gamewire::godot::json::Printer;
use gamewire::godot::patch::Patch;
use gamewire::godot::{
    Dialect, Encoded, Error, ErrorKind, Kind, NodePath, Reader, Role, StrRef, StringName, Vector2,
    Vector3, Wide, Writer,
};

/// Returns a packet with one value of each width and representation, by name.
fn packet() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, Dialect::Godot4);
    let mut all = writer.dictionary(13).unwrap();
    all.entry("int", 5).unwrap();
    all.entry("wide", Wide(5)).unwrap();
    all.entry("float", 0.5).unwrap();
    all.entry("double", 0.1).unwrap();
    all.entry("bool", true).unwrap();
    all.entry("text", "abc").unwrap();
    all.entry("vector", Vector2 { x: 1.0_f32, y: 2.0 }).unwrap();
    all.entry("precise", Vector2 { x: 1.0_f64, y: 2.0 }).unwrap();
    all.entry("bytes", &[1_u8, 2, 3][..]).unwrap();
    all.entry("ints", &[1_i32, 2, 3][..]).unwrap();
    all.entry("points", &[Vector3 { x: 1.0_f32, y: 2.0, z: 3.0 }][..]).unwrap();
    all.entry("texts", &["ab", "cde"][..]).unwrap();
    all.entry("path", NodePath("/root/a")).unwrap();
    all.finish().unwrap();
    bytes
}

fn shown(bytes: &[u8], path: &str) -> String {
    let all = Reader::new(bytes, Dialect::Godot4).read_encoded().unwrap();
    let found = all.find(path).unwrap();
    if let Some(number) = found.value().as_f64() {
        return number.to_string();
    }
    let mut text = String::new();
    let mut reader = Reader::new(found.bytes(), Dialect::Godot4);
    reader.visit(&mut Printer::new(&mut text)).unwrap();
    text
}

#[test]
fn values_of_the_same_size_are_replaced() {
    let mut bytes = packet();
    let len = bytes.len();
    let mut all = Patch::new(&mut bytes, Dialect::Godot4).unwrap();
    all.set("int", -7).unwrap();
    all.set("wide", 1_i64 << 40).unwrap();
    all.set("float", 3).unwrap();
    all.set("float", 0.1_f32).unwrap();
    all.set("double", 0.5).unwrap();
    all.set("bool", false).unwrap();
    all.set("text", "défg"[..4].trim()).unwrap();
    all.set("vector", Vector2 { x: 0.1, y: -1.0 }).unwrap();
    all.set("precise", Vector2 { x: 0.5_f32, y: 0.25 }).unwrap();
    all.set("precise/y", 0.1).unwrap();
    all.set("bytes/-1", 255).unwrap();
    all.set("ints", &[4_i32, 5, 6][..]).unwrap();
    all.set("ints/1", 9).unwrap();
    all.set("points/0", Vector3 { x: 0.1, y: 0.2, z: 0.3 }).unwrap();
    all.set("points/0/z", 7).unwrap();
    all.set("texts/0", "x").unwrap();
    all.set("texts/1", "xyz").unwrap();
    all.set("path", NodePath("/boot/b")).unwrap();
    all.set("[#0 key]", "INT").unwrap();

    assert_eq!(bytes.len(), len);
    for (path, value) in [
        ("INT", "-7"),
        ("wide", "1099511627776"),
        ("float", "0.10000000149011612"),
        ("double", "0.5"),
        ("bool", "false"),
        ("text", r#""s:déf""#),
        ("vector/x", "0.10000000149011612"),
        ("precise/x", "0.5"),
        ("precise/y", "0.1"),
        ("bytes", r#"{"type":"PackedByteArray","args":[1,2,255]}"#),
        ("ints/1", "9"),
        ("ints/2", "6"),
        ("points/0/y", "0.20000000298023224"),
        ("points/0/z", "7"),
        ("texts", r#"{"type":"PackedStringArray","args":["x","xyz"]}"#),
        ("path", r#""np:/boot/b""#),
    ] {
        assert_eq!(shown(&bytes, path), value);
    }
}

#[test]
fn values_of_another_size_or_type_are_rejected() {
    let mut bytes = packet();
    let mut all = Patch::new(&mut bytes, Dialect::Godot4).unwrap();
    let wrong = |expected, found| ErrorKind::WrongType { expected, found };
    let is = |result: Result<(), Error>, kind| assert_eq!(*result.unwrap_err().kind(), kind);
    is(all.set("int", 1_i64 << 31), ErrorKind::DoesNotFit);
    is(all.set("int", 1.0), wrong(Kind::Int, Kind::Float));
    is(all.set("float", 0.1), ErrorKind::DoesNotFit);
    is(all.set("double", i64::MAX), ErrorKind::DoesNotFit);
    is(all.set("bool", 1), wrong(Kind::Bool, Kind::Int));
    is(all.set("text", "abcde"), ErrorKind::WrongSize { expected: 12 });
    is(all.set("text", ""), ErrorKind::WrongSize { expected: 12 });
    is(all.set("text", StringName("abc")), wrong(Kind::String, Kind::StringName));
    is(all.set("text", StrRef::new(b"\xff\xfe")), ErrorKind::BadText);
    is(all.set("vector", Vector2 { x: 1, y: 2 }), wrong(Kind::Vector2, Kind::Vector2i));
    is(all.set("vector/x", "1"), wrong(Kind::Float, Kind::String));
    is(all.set("bytes/0", 256), ErrorKind::DoesNotFit);
    is(all.set("bytes/0", -1), ErrorKind::DoesNotFit);
    is(all.set("ints", &[1_i32, 2][..]), ErrorKind::WrongSize { expected: 20 });
    is(all.set("ints/0", 0.0), wrong(Kind::Int, Kind::Float));
    is(all.set("texts/0", "abcd"), ErrorKind::WrongSize { expected: 8 });
    is(all.set("texts/0", 1), wrong(Kind::String, Kind::Int));
    is(all.set("texts/0", StrRef::new(b"\xff")), ErrorKind::BadText);
    is(all.set("", 1), ErrorKind::IsContainer(Kind::Dictionary));
    is(all.set("ints/3", 1), ErrorKind::NoSuchPath);
    // The patch keeps only the first bytes of a long new value. These bytes must suffice to report
    // the errors below.
    let long = [7_i64; 100];
    is(all.set("int", &long[..]), wrong(Kind::Int, Kind::PackedInt64Array));
    is(all.set("texts/0", &long[..]), wrong(Kind::String, Kind::PackedInt64Array));
    is(all.set("", &long[..]), ErrorKind::IsContainer(Kind::Dictionary));
    let error = all.set("int", ()).unwrap_err();
    assert_eq!(error.to_string(), "expected Int, found Nil at offset 20 (0x14)");
    assert_eq!(bytes, packet());
}

/// An array of vectors cannot be replaced by an array in a different width, even if both have the
/// same size.
#[test]
fn arrays_of_another_width_are_rejected() {
    let mut two_narrow = words(&[35, 2, 1, 2, 3, 4]);
    let one_wide = words(&[35 | 1 << 16, 1, 0, 1, 0, 2]);
    let wide = Reader::new(&one_wide, Dialect::Godot4).read().unwrap();
    let mut packet = Patch::new(&mut two_narrow, Dialect::Godot4).unwrap();
    let error = packet.set("", wide).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::WrongSize { expected: 24 });
}

/// A patch keeps the header of an object. The bit that marks an object id must be equal in the old
/// and in the new header; the other bits may differ.
#[test]
fn patch_keeps_unused_header_bits_of_objects() {
    let set = |mut there: [u8; 12], id: [u8; 12]| {
        let id = Reader::new(&id, Dialect::Godot3).read_encoded().unwrap();
        let mut packet = Patch::new(&mut there, Dialect::Godot3).unwrap();
        packet.set("", id).map(|()| there).map_err(|error| *error.kind())
    };
    let id = |idle, id| [17, 0, 1 | idle, 0, id, 0, 0, 0, 0, 0, 0, 0];
    let null = |idle| [17, 0, idle, 0, 1, 0, 0, 0, 0, 0, 0, 0]; // a class of one NUL
    for (there, other) in [(0, 0), (0x82, 0), (0, 0x82), (0x82, 4)] {
        assert_eq!(set(id(there, 7), id(other, 9)), Ok(id(there, 9)));
        assert_eq!(set(null(there), id(other, 9)), Err(ErrorKind::DoesNotFit));
    }
}

#[test]
fn truncated_or_longer_packets_are_rejected() {
    let is = |bytes: &mut [u8], offset| {
        assert_eq!(Patch::new(bytes, Dialect::Godot4).unwrap_err().offset(), offset);
    };
    is(&mut [2, 0, 0, 0, 5], 4);
    is(&mut [0, 0, 0, 0, 0], 4);
}

/// `for_each` and `fill` can overwrite all texts that are values in a game state. The keys and all
/// other values do not change.
#[test]
fn for_each_can_overwrite_all_texts() {
    let mut bytes = corpus::read("bench/state_simple.bin");
    let before = bytes.clone();
    let mut state = Patch::new(&mut bytes, Dialect::Godot4).unwrap();
    let mut texts = 0;
    state
        .for_each(|role, value| {
            if role == Role::Value && value.value().as_str().is_some() {
                texts += 1;
                value.fill(b'x');
            }
            Ok::<_, Error>(())
        })
        .unwrap();
    assert!(texts > 3);
    let read =
        |bytes| -> Encoded<'_> { Reader::new(bytes, Dialect::Godot4).read_encoded().unwrap() };
    assert!(read(&bytes).at("chat").unwrap().decode().as_str().unwrap() == "xxxxxxxxxxxxxxxxx");
    assert_eq!(read(&bytes).at("players/p0/vel"), read(&before).at("players/p0/vel"));
}

/// If the closure returns an error, `for_each` ends and returns this error.
#[test]
fn for_each_ends_at_the_first_error() {
    let mut bytes = packet();
    let mut packet = Patch::new(&mut bytes, Dialect::Godot4).unwrap();
    let mut left = 4;
    let ended = packet.for_each(|role, value| {
        if role == Role::Value {
            value.fill(b'?');
        }
        left -= 1;
        if left == 0 { Err("enough") } else { Ok(()) }
    });
    assert_eq!(ended, Err("enough"));
}

/// The padding of a byte array may be missing at the end of a packet. A new value fits in its place
/// if it has the same size with padding, and its bytes do not extend past the end of the packet.
#[test]
fn value_without_final_padding_can_be_replaced() {
    let array = |bytes: &[u8]| [&[29, 0, 0, 0, bytes.len() as u8, 0, 0, 0], bytes].concat();
    let set = |packet: &[u8], path: &str, value: &[u8]| {
        let mut packet = packet.to_vec();
        let patched = Patch::new(&mut packet, Dialect::Godot4).unwrap().set(path, value);
        patched.map(|()| packet).map_err(|error| *error.kind())
    };
    let in_array = |first: &[u8], last: &[u8]| [&[28, 0, 0, 0, 2, 0, 0, 0], first, last].concat();
    let five = array(b"abcde");
    assert_eq!(set(&five, "", b"vwxyz"), Ok(array(b"vwxyz")));
    // The packet ends after five bytes, so no other length fits.
    for (value, fits) in [(&b"vwxy"[..], false), (b"vwxyz1", false), (b"vwxyz1234", false)] {
        assert_eq!(set(&five, "", value).is_ok(), fits, "{value:?}");
    }
    let padded = [array(b"abcde"), vec![0, 0]].concat();
    assert_eq!(set(&padded, "", b"vwxyz12"), Ok(array(b"vwxyz12")));
    assert_eq!(set(&padded, "", b"vwxyz1").map(|packet| packet.len()), Ok(15));
    assert!(set(&padded, "", b"vwxyz123").is_err());
    let whole = [array(b"abcde"), vec![0; 3]].concat();
    assert_eq!(set(&whole, "", b"vwxyz123"), Ok(array(b"vwxyz123")));
    assert_eq!(set(&whole, "", b"v").map_err(drop), Err(()));

    let packet = in_array(&whole, &five);
    assert_eq!(set(&packet, "1", b"vwxyz"), Ok(in_array(&whole, &array(b"vwxyz"))));
    let middle = [array(b"vwxyz12"), vec![0]].concat();
    assert_eq!(set(&packet, "0", b"vwxyz12"), Ok(in_array(&middle, &five)));

    // `for_each` accepts missing padding only for the last value.
    let mut bytes = packet.clone();
    let mut patch = Patch::new(&mut bytes, Dialect::Godot4).unwrap();
    let mut sizes = Vec::new();
    patch
        .for_each(|_, value| {
            sizes.push((value.kind(), value.offset(), value.value().as_bytes().map(<[u8]>::len)));
            let fitting = if sizes.len() == 1 { b"12345678" } else { &b"12345"[..] };
            value.set("", fitting)
        })
        .unwrap();
    let kind = Kind::PackedByteArray;
    assert_eq!(sizes, [(kind, 8, Some(5)), (kind, 24, Some(5))]);
    assert_eq!(bytes, in_array(&array(b"12345678"), &array(b"12345")));
}

/// `fill` overwrites byte arrays and keeps arrays of other types.
#[test]
fn fill_overwrites_byte_arrays_only() {
    let array = |bytes: &[u8]| [&[29, 0, 0, 0, bytes.len() as u8, 0, 0, 0], bytes].concat();
    let mut packet = array(b"abcd");
    Patch::new(&mut packet, Dialect::Godot4).unwrap().fill(b'x');
    assert_eq!(packet, array(b"xxxx"));
    let ints = [30, 1, 7].map(u32::to_le_bytes).concat();
    let mut packet = ints.clone();
    Patch::new(&mut packet, Dialect::Godot4).unwrap().fill(b'x');
    assert_eq!(packet, ints);
}

/// A new element of a string array ends with a NUL if and only if the old element did.
#[test]
fn string_array_elements_keep_or_omit_their_nul() {
    let texts =
        |text: &[u8; 4], len: u8| [&[34, 0, 0, 0, 1, 0, 0, 0, len, 0, 0, 0], &text[..]].concat();
    let set = |packet: &[u8], text: &str| {
        let mut packet = packet.to_vec();
        let set = Patch::new(&mut packet, Dialect::Godot4).unwrap().set("0", text);
        set.map(|()| packet).map_err(|error| *error.kind())
    };
    assert_eq!(set(&texts(b"ab\0\0", 2), "x"), Ok(texts(b"x\0\0\0", 1)));
    assert_eq!(set(&texts(b"ab\0\0", 2), "wxyz"), Ok(texts(b"wxyz", 4)));
    assert_eq!(set(&texts(b"ab\0\0", 3), "x"), Ok(texts(b"x\0\0\0", 2)));
    assert!(set(&texts(b"ab\0\0", 3), "wxyz").is_err());
}
