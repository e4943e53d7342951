//! Paths to values inside engine files and unusual packets.

use crate::laws;
use crate::support::corpus;
use crate::support::godot::words::words;
use gamewire::godot::path::Path;
use gamewire::godot::{Dialect, Encoded, Reader, VariantRef, Vector3, Writer};

fn encoded(packet: &[u8], dialect: Dialect) -> Encoded<'_> {
    Reader::new(packet, dialect).read_encoded().unwrap()
}

/// Decodes a Godot 4 packet.
fn value(packet: &[u8]) -> VariantRef<'_> {
    encoded(packet, Dialect::Godot4).decode()
}

/// Encodes a String.
fn text(text: &[u8]) -> Vec<u8> {
    let mut bytes = words(&[4, text.len() as u32]);
    bytes.extend(text);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// Encodes a dictionary with these keys and the values 0, 1 and so on.
fn dictionary(keys: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = words(&[27, keys.len() as u32]);
    for (number, key) in keys.iter().enumerate() {
        bytes.extend(key);
        bytes.extend(words(&[2, number as u32]));
    }
    bytes
}

#[test]
fn paths_find_values_of_a_game_state() {
    let packet = corpus::read("bench/state_simple.bin");
    let state = value(&packet);
    assert!(
        state.at("match_id").unwrap().as_str().unwrap() == "b7c1f9e2-4a53-4d0c-9a55-0f3b2f6d1c77"
    );
    assert_eq!(state.at("tick").unwrap().as_i64(), Some(184_467));
    assert_eq!(state.at("wind").unwrap().as_vector3(), Some(Vector3 { x: 1.5, y: 0.25, z: -3.0 }));
    assert_eq!(state.at("wind/z").unwrap().as_f64(), Some(-3.0));
    assert_eq!(state.at("players/p0/vel/y").unwrap().as_f64(), Some(f64::from(0.2_f32)));
    assert_eq!(state.at("players").unwrap().as_dictionary().unwrap().len(), 4);
    assert_eq!(state.at("").unwrap().as_dictionary().unwrap().len(), 25);

    // These are the offsets that `gamewire show` prints.
    let path = |offset| Path::new(&packet, Dialect::Godot4, offset).to_string();
    assert_eq!(path(0), "");
    assert_eq!(path(24), "match_id");
    assert_eq!(path(764), "players/p0");
    assert_eq!(path(860), "players/p0/vel");
    assert_eq!(path(868), "players/p0/vel", "an offset inside a value belongs to the value");
    assert_eq!(path(8), "[#0 key]");
    assert_eq!(path(1 << 40), "");
}

#[test]
fn keys_of_all_types_are_found() {
    let packet = corpus::read("godot4/dictionary_mixed.bin");
    let mixed = value(&packet);
    let int = |path: &str| mixed.at(path).and_then(|value| value.as_i64());
    assert_eq!(int("a"), Some(1));
    assert!(mixed.at("2").unwrap().as_str().unwrap() == "b");
    assert_eq!(int("[Vector2(1, 2)]/1"), Some(2));
    assert_eq!(int("[Vector2(1, 2)]/-2"), Some(1));
    assert!(mixed.at("[null]").unwrap().is_nil());
    assert!(mixed.at("[true]/deep/deeper/0").unwrap().as_array().is_some());
    assert!(mixed.at("[#4]/deep/deeper/1").unwrap().as_dictionary().is_some());
    assert_eq!(mixed.at("[#4 key]").unwrap().as_bool(), Some(true));
    assert!(mixed.at("[\"a\"]").is_some() && mixed.at("[&\"a\"]").is_none());
    for missing in ["[Vector2(1, 3)]", "[Vector2(1, 2]", "[Vector2(1, 2))]", "[false]", "[#5]"] {
        assert!(mixed.at(missing).is_none(), "{missing}");
    }
}

/// A number in a path selects an int key if there is one, and a text key otherwise. A quoted number
/// selects only a text key.
#[test]
fn number_selects_int_key_before_text() {
    let packet = dictionary(&[text(b"5"), words(&[2, 5]), text(b"6"), words(&[2, -1_i32 as u32])]);
    let both = value(&packet);
    let int = |path: &str| both.at(path).and_then(|value| value.as_i64());
    assert_eq!((int("5"), int("\"5\"")), (Some(1), Some(0)));
    assert_eq!((int("6"), int("\"6\"")), (Some(2), Some(2)));
    assert_eq!(int("-1"), Some(3));
    assert_eq!((int("+5"), int("05")), (None, Some(1)));
}

#[test]
fn quoted_segments_find_unusual_names() {
    let keys: [&[u8]; 9] =
        [b"a/b", b"", b"\"q\"", b"[0]", b"back\\slash", b"\xff", b"tab\t", "ä ö".as_bytes(), b"12"];
    let packet = dictionary(&keys.map(text));
    let paths = [
        r#""a/b""#,
        r#""""#,
        r#""\"q\"""#,
        r#""[0]""#,
        r#"back\slash"#,
        r#""\xff""#,
        r#""tab\x09""#,
        "ä ö",
        r#""12""#,
    ];
    let mut at = 8;
    for (number, (key, path)) in keys.iter().zip(paths).enumerate() {
        at += text(key).len();
        assert_eq!(value(&packet).at(path).unwrap().as_i64(), Some(number as i64), "{path}");
        assert_eq!(Path::new(&packet, Dialect::Godot4, at as u64).to_string(), path);
        at += 8;
    }
    assert_eq!(value(&packet).at(r#""back\\slash""#).unwrap().as_i64(), Some(4));
    for no_escape in [r#""\x+1""#, r#""\x-0""#, r#""\x1""#, r#""\n""#] {
        assert!(value(&packet).find(no_escape).unwrap_err().is_malformed(), "{no_escape}");
    }
}

/// The path of a repeated key selects the last pair with this key, as the engine does. The path of
/// every earlier pair with this key contains the number of the pair.
#[test]
fn repeated_key_selects_the_last_pair() {
    let name = |text: &[u8]| [&words(&[21, text.len() as u32]), text, &[0; 3]].concat();
    let keys = [
        text(b"a"),
        name(b"a"),    // A StringName equals a String with the same text.
        text(b"a\0b"), // A script sees no text after a NUL.
        words(&[2, 7]),
        words(&[2 | 1 << 16, 7, 0]), // 7 in 64 bits
        words(&[28, 0]),             // A container as a key has no text form in a path.
    ];
    let packet = dictionary(&keys);
    let paths = ["[#0]", "[#1]", "a", "[#3]", "7", "[#5]"];
    let mut at = 8;
    for (number, (key, path)) in keys.iter().zip(paths).enumerate() {
        let key_path = Path::new(&packet, Dialect::Godot4, at as u64).to_string();
        assert_eq!(key_path, format!("[#{number} key]"));
        at += key.len();
        assert_eq!(Path::new(&packet, Dialect::Godot4, at as u64).to_string(), path);
        assert_eq!(value(&packet).at(path).unwrap().as_i64(), Some(number as i64), "{path}");
        at += 8;
    }
}

/// If a key or a name is long, a path contains the number of the pair or property instead. Building
/// such a path does not compare the long key with all later keys, which would take minutes here.
#[test]
fn long_keys_are_numbered_in_paths() {
    let key = |len: usize, last: &[u8]| text(&[&vec![b'k'; len], last].concat());
    let packet = dictionary(&[key(80, b""), key(81, b""), key(1, &[0; 80])]);
    let path = |offset: usize| Path::new(&packet, Dialect::Godot4, offset as u64).to_string();
    let ends = [8 + 88, 8 + 88 + 8 + 92, 8 + 88 + 8 + 92 + 8 + 92];
    assert_eq!(ends.map(path), ["k".repeat(80).as_str(), "[#1]", "[#2]"]);
    let missing = value(&packet).find("no").unwrap_err().to_string();
    assert!(missing.ends_with("k, [#1], [#2])"), "{missing}");
    assert_eq!(value(&packet).at(&"k".repeat(81)).unwrap().as_i64(), Some(1));

    const MANY: usize = 100_000;
    let long = key(16 * MANY, b"");
    let short: Vec<_> = (0..MANY).map(|number| text(format!("k{number}").as_bytes())).collect();
    let packet = dictionary(&[std::slice::from_ref(&long), &short].concat());
    let at = 8 + long.len() as u64;
    assert_eq!(Path::new(&packet, Dialect::Godot4, at).to_string(), "[#0]");
    // In an object, the names of properties have no header.
    let mut object = words(&[24, 1, u32::from(b'A'), MANY as u32 + 1]);
    for name in [&long].into_iter().chain(&short) {
        object.extend(&name[4..]);
        object.extend([0; 4]);
    }
    let at = 16 + long.len() as u64 - 4;
    assert_eq!(Path::new(&object, Dialect::Godot4, at).to_string(), "[#0]");
    assert!(value(&object).at("[#0]").unwrap().is_nil());
}

#[test]
fn components_are_found_by_name() {
    let wire = |numbers: std::ops::Range<u8>| -> Vec<u8> {
        numbers.flat_map(|number| f32::from(number).to_le_bytes()).collect()
    };
    let number = |packet: &[u8], path: &str| {
        let found = encoded(packet, Dialect::Godot4).find(path).unwrap();
        // The bytes of a component are the encoded number.
        let bytes = f32::from_le_bytes(found.bytes().try_into().unwrap());
        assert_eq!(found.value().as_f64(), Some(bytes.into()), "{path}");
        bytes as i32
    };
    // The wire contains rows. A path names the axes, as a script does.
    let transform = [words(&[18]), wire(0..12)].concat();
    assert_eq!(number(&transform, "basis/x/x"), 0);
    assert_eq!(number(&transform, "basis/x/y"), 3);
    assert_eq!(number(&transform, "basis/y/x"), 1);
    assert_eq!(number(&transform, "origin/z"), 11);
    let rect = [words(&[7]), wire(0..4)].concat();
    assert_eq!(number(&rect, "size/x"), 2);
    let colors = [words(&[37, 2]), wire(0..8)].concat();
    assert_eq!(number(&colors, "1/a"), 7);
    assert_eq!(number(&colors, "-2/b"), 2);
    let rect = words(&[8, 1, 2, 3, -4_i32 as u32]);
    assert_eq!(value(&rect).at("size/y").unwrap().as_i64(), Some(-4));
    for missing in ["size", "size/", "size/z", "1", "\"size\"/x"] {
        assert!(value(&rect).at(missing).is_none(), "{missing}");
    }
    let says = |packet: &[u8], path: &str, message: &str| {
        assert_eq!(value(packet).find(path).unwrap_err().to_string(), message);
    };
    says(&rect, "size/x/z", "no `z` in `size/x` (Int has nothing inside)");
    let has = "(Rect2i has: position/x, position/y, size/x, size/y)";
    says(&rect, "size/z", &format!("no `size/z` at the top {has}"));
    says(&rect, "size/z/x", &format!("no `size/z` at the top {has}"));
    says(&rect, "sizes/x", &format!("no `sizes` at the top {has}"));
}

#[test]
fn elements_of_packed_arrays_are_found() {
    let packet = b"\x22\0\0\0\x02\0\0\0\x02\0\0\0a\0\0\0\x04\0\0\0bcd\0"; // ["a", "bcd"]
    let found = encoded(packet, Dialect::Godot4).find("-1").unwrap();
    assert!(found.value().as_str().unwrap() == "bcd");
    assert_eq!(found.bytes(), b"\x04\0\0\0bcd\0");
    assert_eq!(Path::new(packet, Dialect::Godot4, 16).to_string(), "1");
    assert_eq!(Path::new(packet, Dialect::Godot4, 4).to_string(), "");
    let bytes = b"\x1d\0\0\0\x03\0\0\0\x01\x02\xff\0";
    assert_eq!(value(bytes).at("2").unwrap().as_i64(), Some(255));
    assert!(value(bytes).at("3").is_none());
    let wide = words(&[31, 1, 0, 1]);
    assert_eq!(value(&wide).at("0").unwrap().as_i64(), Some(1 << 32));
}

#[test]
fn properties_of_objects_are_found() {
    let property = |name: &[u8], value: u32| [&text(name)[4..], &words(&[2, value])].concat();
    let packet = [
        words(&[24, 1, u32::from(b'A'), 3]),
        property(b"hp", 1),
        property(b"7", 2),
        property(b"hp", 3),
    ]
    .concat();
    let object = value(&packet);
    let int = |path: &str| object.at(path).and_then(|value| value.as_i64());
    assert_eq!(
        (int("hp"), int("7"), int("[#0]"), int("[#0 key]")),
        (Some(3), Some(2), Some(1), None)
    );
    assert_eq!(Path::new(&packet, Dialect::Godot4, 24).to_string(), "[#0]");
    assert_eq!(
        Path::new(&packet, Dialect::Godot4, 32).to_string(),
        "\"7\"",
        "the offset of the name"
    );
    let missing = object.find("mp").unwrap_err();
    assert_eq!(missing.to_string(), "no property `mp` at the top (A has: hp, \"7\", hp)");
}

#[test]
fn errors_list_the_existing_keys() {
    let mut packet = Vec::new();
    let mut writer = Writer::new(&mut packet, Dialect::Godot4);
    let mut state = writer.dictionary(2).unwrap();
    state.put("ids").unwrap();
    state.put(&[1_i32, 2, 3][..]).unwrap();
    state.put("many").unwrap();
    let mut many = state.dictionary(20).unwrap();
    (0..20).for_each(|key| many.entry(key * 100, key).unwrap());
    many.finish().unwrap();
    state.finish().unwrap();
    let state = value(&packet);
    let says = |path: &str, message: &str| {
        let missing = state.find(path).unwrap_err();
        assert_eq!(missing.to_string(), message);
        (missing.parent().to_owned(), missing.segment().to_owned(), missing.is_malformed())
    };
    let at = |parent: &str, segment: &str| (parent.to_owned(), segment.to_owned(), false);
    assert_eq!(says("x/y", "no key `x` at the top (keys: ids, many)"), at("", "x"));
    assert_eq!(says("ids/3", "no index `3` in `ids` (elements: 3)"), at("ids", "3"));
    assert_eq!(says("ids/x", "no index `x` in `ids` (elements: 3)"), at("ids", "x"));
    assert_eq!(says("ids/0/x", "no `x` in `ids/0` (Int has nothing inside)"), at("ids/0", "x"));
    assert_eq!(
        says(
            "many/1",
            "no key `1` in `many` (keys: 0, 100, 200, 300, 400, 500, 600, 700 and 12 more)"
        ),
        at("many", "1")
    );
    for (path, fault) in [
        ("/ids", "`/ids` is not a valid path segment: it is empty (an empty key is \"\")"),
        ("ids/", "`` is not a valid path segment: it is empty (an empty key is \"\")"),
        (
            "\"ids",
            "`\"ids` is not a valid path segment: the closing quote is missing, or an escape is unknown",
        ),
        ("\"ids\"0", "`\"ids\"0` is not a valid path segment: a / is missing after it"),
        ("[1", "`[1` is not a valid path segment: the closing bracket is missing"),
        ("[#x]", "`[#x]` is not a valid path segment: # must be followed by a number"),
        ("[#+0]", "`[#+0]` is not a valid path segment: # must be followed by a number"),
        ("[#-0]", "`[#-0]` is not a valid path segment: # must be followed by a number"),
        ("[#+0 key]", "`[#+0 key]` is not a valid path segment: # must be followed by a number"),
    ] {
        let (_, _, malformed) = says(path, fault);
        assert!(malformed);
    }
}

/// The path of an error leads to the innermost value that contains it.
#[test]
fn path_of_an_error_ends_at_the_malformed_value() {
    let says = |packet: &[u8], path: &str| {
        let error = Reader::new(packet, Dialect::Godot4).read().unwrap_err();
        assert_eq!(error.path_in(packet, Dialect::Godot4).to_string(), path, "{error}");
    };
    says(&words(&[39]), "");
    says(&words(&[28, 2, 2, 5, 39]), "1");
    says(&words(&[28, 2, 28, 1, 0, 39]), "1");
    says(&words(&[27, 1, 2, 5, 39]), "5");
    says(&words(&[27, 1, 39, 0]), "[#0 key]");
    says(&words(&[27, 1, 28, 1, 0, 39]), "[#0]"); // the value of a key that is a container
    says(&words(&[27, 1, 2, 5, 28, 1, 27, 1, 28, 1, 39, 0]), "5/0/[#0 key]/0");
    says(&words(&[27, 1, 2, 5, 28, 9]), "5"); // a count that is too large is an error of the array
}

#[test]
fn paths_reach_the_maximum_depth() {
    let mut packet = words(&[28, 1]).repeat(1024);
    packet.extend(words(&[2, 5]));
    let path = Path::new(&packet, Dialect::Godot4, 1024 * 8).to_string();
    assert_eq!(path, ["0"; 1024].join("/"));
    assert_eq!(value(&packet).at(&path).unwrap().as_i64(), Some(5));
    packet.splice(0..0, words(&[28, 1]));
    let error = Reader::new(&packet, Dialect::Godot4).read().unwrap_err();
    let path = error.path_in(&packet, Dialect::Godot4).to_string();
    assert_eq!(path, ["0"; 1024].join("/"));
}

/// Checks the law on all packets that engines wrote, and on damaged packets.
#[test]
#[ignore = "slow"]
fn engine_files_satisfy_the_law() {
    for (folder, dialect) in corpus::WRITTEN.into_iter().chain([corpus::HOSTILE]) {
        for (_, bytes) in corpus::packets(folder) {
            laws::paths_as(&bytes, dialect);
        }
    }
}

/// Brackets and escaped quotes in the text of a key do not end the segment of the path.
#[test]
fn brackets_and_quotes_in_a_key_do_not_end_it() {
    let key = |text: &str| [words(&[21]), self::text(text.as_bytes())[4..].to_vec()].concat();
    let names = ["a]b", "a\"]b", "a\\", "a[b"];
    let packet = dictionary(&names.map(|name| self::text(name.as_bytes())));
    for (number, path) in
        [r#"["a]b"]"#, r#"["a\"]b"]"#, r#"["a\\"]"#, r#"["a[b"]"#].iter().enumerate()
    {
        let found = value(&packet).at(path);
        assert_eq!(found.and_then(|value| value.as_i64()), Some(number as i64), "{path}");
    }
    let packet = dictionary(&names.map(key));
    assert_eq!(value(&packet).at(r#"[&"a\"]b"]"#).unwrap().as_i64(), Some(1));
    for malformed in [r#"["a\"]"#, r#"["a]"#, "[[1]", "[1]x", "[#]", "[#+1]", "[#1 keys]"] {
        assert!(value(&packet).find(malformed).unwrap_err().is_malformed(), "{malformed}");
    }
}

/// If a key is neither text nor an int, its path contains the key in the text notation. If this
/// text is long, or if the key cannot be printed, the path contains the number of the pair.
#[test]
fn other_keys_are_printed_or_numbered() {
    let point = |x, y| words(&[6, x, y]);
    let bytes = |len: u32| words(&[&[29, 4 * len][..], &vec![0; len as usize]].concat());
    let name = |letter| words(&[22, 1 | 1 << 31, 0, 0, 1, u32::from_le_bytes([letter, 0, 0, 0])]);
    let keys = [point(1, 2), point(3, 4), point(1, 2), bytes(2), bytes(20), name(b'a'), name(1)];
    let packet = dictionary(&keys);
    let mut end = 8;
    let paths = keys.map(|key| {
        let at = end + key.len();
        end = at + 8;
        Path::new(&packet, Dialect::Godot4, at as u64).to_string()
    });
    let eight = "[PackedByteArray(0, 0, 0, 0, 0, 0, 0, 0)]";
    let point = "[Vector2i(1, 2)]";
    let expected = ["[#0]", "[Vector2i(3, 4)]", point, eight, "[#4]", "[NodePath(\"a\")]", "[#6]"];
    assert_eq!(paths, expected);
}
