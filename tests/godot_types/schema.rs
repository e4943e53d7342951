//! Tests schemas that are inferred from many packets.

mod code;
#[cfg(feature = "serde")]
mod decoded;
mod facts;
mod names;
mod places;

use crate::support::corpus;
use gamewire::godot::schema::{Items, Schema, Shape};
use gamewire::godot::{Dialect, Kind, Reader, Variant};

/// Returns the schema of these packets.
pub fn schema_of<'a>(packets: impl IntoIterator<Item = &'a Vec<u8>>, dialect: Dialect) -> Shape {
    let mut schema = Schema::new();
    for packet in packets {
        schema.add(Reader::new(packet, dialect).read_encoded().unwrap()).unwrap();
    }
    schema.shape()
}

/// Returns the schema of values that are given in Godot's text notation.
pub fn of_texts(texts: &[&str]) -> Shape {
    let packet = |text: &&str| text.parse::<Variant>().unwrap().to_bytes(Dialect::Godot4).unwrap();
    schema_of(&texts.iter().map(packet).collect::<Vec<_>>(), Dialect::Godot4)
}

/// Returns a packet with a dictionary. It has a field for each kind of leaf in the corpus, in each
/// width.
pub fn every_kind() -> Vec<u8> {
    let mut fields = gamewire::godot::Dictionary::new();
    for (folder, prefix) in [("godot4", ""), ("godot4-double", "double_")] {
        for (name, packet) in corpus::packets(folder) {
            let encoded = Reader::new(&packet, Dialect::Godot4).read_encoded().unwrap();
            let kind = encoded.kind();
            let key = format!("{prefix}{kind:?}");
            let is_wide = prefix.is_empty() || encoded.decode().is_double();
            let is_utf8 = encoded.decode().as_str().is_none_or(|text| text.to_str().is_ok());
            let is_leaf = !matches!(kind, Kind::Array | Kind::Dictionary | Kind::Object);
            if is_leaf
                && is_wide
                && is_utf8
                && !name.contains("empty")
                && fields.get(&key).is_none()
            {
                fields.insert(&*key, encoded.to_variant().unwrap());
            }
        }
    }
    Variant::from(fields).to_bytes(Dialect::Godot4).unwrap()
}

/// Formats each row as `path: 3 of 4 Int 1 to 5`. The counts are omitted for a field that is always
/// present.
fn rows(shape: &Shape) -> Vec<String> {
    let row = |row: &gamewire::godot::schema::Row<'_>| {
        let seen = row.shape.seen();
        let presence = if row.is_optional() { format!(" {seen} of {}", row.of) } else { "".into() };
        let facts = row.shape.facts().iter().map(|facts| format!(" {:?} {facts}", facts.kind()));
        let facts = facts.map(|facts| facts.trim_end().to_string()).collect::<Vec<_>>().join(";");
        format!("{}:{presence}{facts}", row.path)
    };
    shape.rows().iter().map(row).collect()
}

#[track_caller]
fn has_rows(texts: &[&str], expected: &[&str]) {
    assert_eq!(rows(&of_texts(texts)), expected);
}

#[test]
fn rows_describe_a_game_state() {
    let shape = schema_of(&[corpus::read("bench/state.bin")], Dialect::Godot4);
    let rows = rows(&shape);
    for row in [
        ": Dictionary 32 keys",
        r#"match_id: String "b7c1f9e2-4a53-4d0c-9a55-0f3b2f6d1c77""#,
        "server_time: Int 1764000123456789, 64-bit",
        r#"players: Dictionary 4 pairs, keys String 2 bytes: "p0", "p1", "p2", "p3""#,
        "players/{}/hp: Int 79 to 100",
        "players/{}/pos: Vector3 (0.0 to 4.5, 0.1, -12.75 to -0.0)",
        "players/{}/alive: Bool",
        "players/{}/yaw: Float 0.0 to 3.3000000000000003, 3 in 64 bits",
        r#"inv/3: String "potion""#,
        "tiles: PackedInt32Array 8 elements, 1 to 8",
        r#"names: PackedStringArray 3 elements: "alpha", "beta", "gamma""#,
    ] {
        assert!(rows.iter().any(|there| there == row), "no {row}\n{rows:#?}");
    }
}

#[test]
fn rows_merge_states_that_an_engine_wrote() {
    let packets = [1, 16, 500].map(|n| corpus::read(&format!("godot4/game_state_{n}.bin")));
    let shape = schema_of(&packets, Dialect::Godot4);
    let rows = rows(&shape);
    for row in [
        "players: Array 1 to 500 elements",
        "players/[]/id: Int 1000 to 1499",
        r#"players/[]/team: StringName 3 to 4 bytes: "blue", "red""#,
        "players/[]/inventory: PackedInt32Array 4 elements, 0 to 499",
        "players/[]/flags/alive: Bool true",
        r#"players/[]/target: NodePath "/root/Main/Players/p1""#,
        "events/3: Vector2i (4, 5)",
    ] {
        assert!(rows.iter().any(|there| there == row), "no {row}\n{rows:#?}");
    }
}

#[test]
fn fields_come_in_the_order_of_the_packets() {
    has_rows(
        &[r#"{"z": 1, "b": 2}"#, r#"{"z": 1, "a": null, "b": 2}"#, r#"{"z": 1, "a": 0.5}"#],
        &[": Dictionary 2 to 3 keys", "z: Int 1", "a: 2 of 3 Nil; Float 0.5", "b: 2 of 3 Int 2"],
    );
}

#[test]
fn dictionaries_become_records_or_maps() {
    // A dictionary whose keys end in numbers is a map if its values have compatible types.
    // Otherwise its keys are fields.
    has_rows(
        &[r#"{"p0": 1, "p12": 2.5}"#],
        &[r#": Dictionary 2 pairs, keys String 2 to 3 bytes: "p0", "p12""#, "{}: Int 1; Float 2.5"],
    );
    has_rows(
        &[r#"{"p0": 1, "p1": "x"}"#],
        &[": Dictionary 2 keys", "p0: Int 1", r#"p1: String "x""#],
    );
    has_rows(&[r#"{"x1": 1, "y1": 2}"#], &[": Dictionary 2 keys", "x1: Int 1", "y1: Int 2"]);
    // A dictionary with keys that are not text is a map.
    has_rows(
        &[r#"{"a": 1}"#, r#"{5: 1}"#],
        &[r#": Dictionary 1 pair, keys Int 5, keys String "a""#, "{}: Int 1"],
    );
    // A dictionary is a map if it has at least eight keys and these differ from packet to packet.
    let names = ["ada", "bob", "cy", "dan", "eve", "flo", "gus", "hal", "ivy"];
    let texts = names.map(|name| format!(r#"{{"{name}": {{"hp": 1}}}}"#));
    has_rows(
        &texts.each_ref().map(|text| &**text),
        &[
            r#": Dictionary 1 pair, keys String 2 to 3 bytes: "ada", "bob", "cy", …"#,
            "{}: Dictionary 1 key",
            "{}/hp: Int 1",
        ],
    );
    // A dictionary that is empty in all packets has no fields.
    has_rows(&["{}"], &[": Dictionary 0 pairs"]);
}

#[test]
fn repeated_or_too_many_keys_make_a_map() {
    let form = |keys: &mut dyn Iterator<Item = String>| {
        let mut dictionary = gamewire::godot::Dictionary::new();
        dictionary.pairs.extend(keys.map(|key| (Variant::from(&*key), Variant::from(1))));
        let packet = Variant::from(dictionary).to_bytes(Dialect::Godot4).unwrap();
        schema_of(&[packet], Dialect::Godot4).facts()[0].items().clone()
    };
    let word = |mut n: usize| {
        let mut word = String::new();
        while word.len() < 3 {
            word.push(char::from(b'a' + (n % 26) as u8));
            n /= 26;
        }
        word
    };
    assert!(matches!(form(&mut (0..256).map(word)), Items::Fields(fields) if fields.len() == 256));
    assert!(matches!(form(&mut (0..257).map(word)), Items::Values(values) if values.seen() == 257));
    assert!(matches!(form(&mut ["a".into(), "a".into()].into_iter()), Items::Values(_)));
    assert!(matches!(form(&mut ["a".repeat(256)].into_iter()), Items::Fields(_)));
    assert!(matches!(form(&mut ["a".repeat(257)].into_iter()), Items::Values(_)));
}

#[test]
fn arrays_become_lists_or_tuples() {
    has_rows(
        &[r#"["move", 1]"#, r#"["jump", 7]"#],
        &[": Array 2 elements", r#"0: String 4 bytes: "jump", "move""#, "1: Int 1 to 7"],
    );
    has_rows(
        &[r#"["move", 1]"#, r#"["stop"]"#],
        &[": Array 1 to 2 elements", r#"[]: Int 1; String 4 bytes: "move", "stop""#],
    );
    has_rows(&["[1, null, 2.5]"], &[": Array 3 elements", "[]: Nil; Int 1; Float 2.5"]);
    has_rows(
        &["[1, [2, \"x\"]]"],
        &[
            ": Array 2 elements",
            "0: Int 1",
            "1: Array 2 elements",
            "1/0: Int 2",
            r#"1/1: String "x""#,
        ],
    );
    let long = format!("[{}\"x\"]", "1, ".repeat(16));
    has_rows(&[&long], &[": Array 17 elements", r#"[]: Int 1; String "x""#]);
}

#[test]
fn rows_describe_ranges_and_texts() {
    has_rows(&["1.5", "-inf", "nan"], &[": Float -inf to 1.5, 1 in 64 bits"]);
    has_rows(&["nan"], &[": Float NaN, 64-bit"]);
    has_rows(
        &["Color(0, 0.5, 1, 1)", "Color(1, 0.5, 1, 1)"],
        &[": Color (0.0 to 1.0, 0.5, 1.0, 1.0)"],
    );
    has_rows(
        &["PackedVector2Array(1, 2, 3, 4)", "PackedVector2Array()"],
        &[": PackedVector2Array 0 to 2 elements, (1.0 to 3.0, 2.0 to 4.0)"],
    );
    has_rows(&["Array[int]([1])", "Array[int]([])"], &[": Array 0 to 1 elements", "[]: Int 1"]);
    has_rows(&["Array[int]([])", "[]"], &[": Array untyped or [int], 0 elements"]);
    let long = format!("\"{}é\"", "a".repeat(63));
    has_rows(&[&long], &[&format!(": String 65 bytes: \"{}\", …", "a".repeat(63))]);
}

#[test]
fn row_paths_have_the_path_syntax() {
    let shape = of_texts(&[r#"{"a/b": {"{}": [[1]]}, "7": "x", "": 1}"#]);
    let paths = shape.rows().iter().map(|row| row.path.clone()).collect::<Vec<_>>();
    let inner = r#""a/b"/"{}""#;
    let expected = ["", r#""a/b""#, inner, &format!("{inner}/[]"), &format!("{inner}/[]/[]")];
    assert_eq!(paths[..5], expected);
    assert_eq!(paths[5..], [r#""7""#, r#""""#]);
}

#[test]
fn rows_name_the_class_of_objects() {
    let packets = ["object_curve_in_dictionary", "object_as_id_in_array"]
        .map(|name| corpus::read(&format!("godot4/{name}.bin")));
    let rows = rows(&schema_of(&packets, Dialect::Godot4));
    assert!(rows.iter().any(|row| row.contains("Object Curve, ")), "{rows:#?}");
}

#[test]
fn schema_is_independent_of_the_packet_order() {
    for (folder, dialect) in [
        ("godot4", Dialect::Godot4),
        ("godot4-double", Dialect::Godot4),
        ("godot3", Dialect::Godot3),
    ] {
        let files = corpus::packets(folder);
        let mut packets = files.into_iter().map(|(_, packet)| packet).collect::<Vec<_>>();
        packets.retain(|packet| Reader::new(packet, dialect).read().is_ok());
        let shape = schema_of(&packets, dialect);
        packets.reverse();
        assert!(shape == schema_of(&packets, dialect), "{folder}");
        let middle = packets.len() / 2;
        packets.rotate_left(middle);
        assert!(shape == schema_of(&packets, dialect), "{folder}");
    }
}

#[test]
#[ignore = "slow"]
fn schema_memory_is_limited() {
    // The packets contain 200 × 200 nested fields. The schema drops some of these fields.
    let names = (0..200_u32).map(|n| format!("{}{}", char::from(b'a' + (n % 20) as u8), n / 20));
    let names = names.map(|name| name.replace(|c: char| c.is_ascii_digit(), "x") + &name);
    let names = names.collect::<Vec<_>>();
    let mut schema = Schema::new();
    for outer in &names {
        let mut inner = gamewire::godot::Dictionary::new();
        for (n, name) in names.iter().enumerate() {
            let value = if n % 2 == 0 { Variant::from(1) } else { Variant::from("x") };
            inner.insert(&**name, value);
        }
        let mut packet = gamewire::godot::Dictionary::new();
        packet.insert(&**outer, inner);
        packet.insert("odd", 1);
        let packet = Variant::from(packet).to_bytes(Dialect::Godot4).unwrap();
        schema.add(Reader::new(&packet, Dialect::Godot4).read_encoded().unwrap()).unwrap();
    }
    let shape = schema.shape();
    let rows = shape.rows();
    assert!(rows.len() <= 1 << 15, "{}", rows.len());
    assert!(rows.iter().any(|row| row.shape.is_cut()));
    assert_eq!(shape.seen(), 200);
}

#[test]
fn schema_depth_is_limited() {
    let deep = |levels: usize| [b"\x1c\0\0\0\x01\0\0\0".repeat(levels), vec![0; 4]].concat();
    let shape = schema_of(&[deep(1024)], Dialect::Godot4);
    let rows = shape.rows();
    assert_eq!(rows.len(), 65);
    assert!(rows[64].shape.is_cut() && rows[64].shape.facts()[0].kind() == Kind::Array);
    assert!(shape.to_rust("Deep").contains("Vec<godot::VariantRef<'a>>"));

    let (packet, mut stack) = (deep(5000), vec![0; 5000]);
    let mut reader = Reader::new(&packet, Dialect::Godot4).with_stack(&mut stack);
    let mut schema = Schema::new();
    assert!(schema.add(reader.read_encoded().unwrap()).is_err());
    assert_eq!(schema.shape().rows().len(), 65, "the rows recorded before the error are kept");
}
