//! Tests every type of Godot value: its line in `show`, and its text on the line of a packet.

use crate::command::{run_on, shown};
use crate::packets::capture;
use crate::support::corpus;
use crate::support::godot::words::words;

/// Values of the corpus, each with its line in `show` and its text in `packets`. For containers,
/// the line is left empty: `show` prints several lines for a container, which other tests check.
const VALUES: &[(&str, &str, &str)] = &[
    ("godot4/nil", "Nil", "null"),
    ("godot4/bool_true", "bool true", "true"),
    ("godot4/int_i32_max_plus1", "int 2147483648, 64-bit", "2147483648"),
    ("godot4/float_0_1", "float 0.1, 64-bit", "0.1"),
    ("godot4/string_5", r#"String "abcde""#, r#""abcde""#),
    ("godot4/string_name", r#"StringName "signal_name""#, r#"&"signal_name""#),
    (
        "godot4/node_path_abs",
        r#"NodePath "/root/Main/Player:position:x""#,
        r#"^"/root/Main/Player:position:x""#,
    ),
    ("godot4/node_path_empty", r#"NodePath """#, r#"^"""#),
    ("godot4/rid", "RID 0", "RID 0"),
    ("godot4/object_as_id_in_array", "", "[Object id 9223372063094343087, null, 3]"),
    ("godot4/object_null_in_array", "", "[null, 1]"),
    ("godot4/callable", "Callable", "Callable"),
    (
        "godot4/signal_of_object",
        r#"Signal "changed" of object 9223372063094343087"#,
        r#"Signal "changed" of object 9223372063094343087"#,
    ),
    ("godot4/vector2", "Vector2 (1.5, -2.25)", "Vector2(1.5, -2.25)"),
    ("godot4/vector2i", "Vector2i (1, -2)", "Vector2i(1, -2)"),
    (
        "godot4/rect2",
        "Rect2 position (1.0, 2.0) size (3.0, 4.0)",
        "Rect2 position (1.0, 2.0) size (3.0, 4.0)",
    ),
    ("godot4/rect2i", "Rect2i position (1, 2) size (3, 4)", "Rect2i position (1, 2) size (3, 4)"),
    ("godot4/vector3", "Vector3 (1.0, 2.0, 3.0)", "Vector3(1.0, 2.0, 3.0)"),
    ("godot4/vector3i", "Vector3i (-1, 2, -3)", "Vector3i(-1, 2, -3)"),
    (
        "godot4/transform2d",
        "Transform2D x (1.0, 2.0) y (3.0, 4.0) origin (5.0, 6.0)",
        "Transform2D x (1.0, 2.0) y (3.0, 4.0) origin (5.0, 6.0)",
    ),
    ("godot4/vector4", "Vector4 (1.0, 2.0, 3.0, 4.0)", "Vector4(1.0, 2.0, 3.0, 4.0)"),
    ("godot4/vector4i", "Vector4i (1, -2, 3, -4)", "Vector4i(1, -2, 3, -4)"),
    ("godot4/plane", "Plane normal (0.0, 1.0, 0.0) d 5.0", "Plane normal (0.0, 1.0, 0.0) d 5.0"),
    ("godot4/quaternion", "Quaternion (0.5, 0.5, 0.5, 0.5)", "Quaternion(0.5, 0.5, 0.5, 0.5)"),
    (
        "godot4/aabb",
        "AABB position (1.0, 2.0, 3.0) size (4.0, 5.0, 6.0)",
        "AABB position (1.0, 2.0, 3.0) size (4.0, 5.0, 6.0)",
    ),
    (
        "godot4/basis",
        "Basis x (1.0, 2.0, 3.0) y (4.0, 5.0, 6.0) z (7.0, 8.0, 9.0)",
        "Basis x (1.0, 2.0, 3.0) y (4.0, 5.0, 6.0) z (7.0, 8.0, 9.0)",
    ),
    (
        "godot4/transform3d",
        "Transform3D x (1.0, 2.0, 3.0) y (4.0, 5.0, 6.0) z (7.0, 8.0, 9.0) origin (10.0, 11.0, 12.0)",
        "Transform3D x (1.0, 2.0, 3.0) y (4.0, 5.0, 6.0) z (7.0, 8.0, 9.0) origin (10.0, 11.0, 12.0)",
    ),
    (
        "godot4/projection",
        "Projection x (1.0, 2.0, 3.0, 4.0) y (5.0, 6.0, 7.0, 8.0) z (9.0, 10.0, 11.0, 12.0) w (13.0, 14.0, 15.0, 16.0)",
        "Projection x (1.0, 2.0, 3.0, 4.0) y (5.0, 6.0, 7.0, 8.0) z (9.0, 10.0, 11.0, 12.0) w (13.0, 14.0, 15…",
    ),
    ("godot4/color", "Color (0.1, 0.2, 0.3, 0.4)", "Color(0.1, 0.2, 0.3, 0.4)"),
    (
        "godot4/dictionary_mixed",
        "",
        r#"{"a": 1, 2: "b", Vector2(1.0, 2.0): [1, 2], null: null, true: {"deep": {"deeper": [[], {}]}}}"#,
    ),
    (
        "godot4/array_mixed",
        "",
        r#"[null, true, 1, 1.5, "s", &"sn", ^"a/b", Vector2(0.0, 0.0), [], {}, PackedByteArray[01]]"#,
    ),
    ("godot4/packed_byte_array_3", "PackedByteArray [01 02 03]", "PackedByteArray[01 02 03]"),
    (
        "godot4/packed_int32_array",
        "PackedInt32Array [1, -2, 2147483647, -2147483648]",
        "PackedInt32Array[1, -2, 2147483647, -2147483648]",
    ),
    (
        "godot4/packed_int64_array",
        "PackedInt64Array [1, -2, 9223372036854775807]",
        "PackedInt64Array[1, -2, 9223372036854775807]",
    ),
    (
        "godot4/packed_float32_array",
        "PackedFloat32Array [0.5, -0.0, inf, 0.1]",
        "PackedFloat32Array[0.5, -0.0, inf, 0.1]",
    ),
    (
        "godot4/packed_float64_array",
        "PackedFloat64Array [0.1, NaN, -inf]",
        "PackedFloat64Array[0.1, NaN, -inf]",
    ),
    (
        "godot4/packed_string_array",
        r#"PackedStringArray ["", "a", "ab", "abc", "abcd", "日本語"]"#,
        r#"PackedStringArray["", "a", "ab", "abc", "abcd", "日本語"]"#,
    ),
    (
        "godot4/packed_vector2_array",
        "PackedVector2Array [(1.0, 2.0), (3.0, 4.0)]",
        "PackedVector2Array[(1.0, 2.0), (3.0, 4.0)]",
    ),
    (
        "godot4/packed_vector3_array",
        "PackedVector3Array [(1.0, 2.0, 3.0)]",
        "PackedVector3Array[(1.0, 2.0, 3.0)]",
    ),
    (
        "godot4/packed_color_array",
        "PackedColorArray [(1.0, 0.5, 0.25, 1.0)]",
        "PackedColorArray[(1.0, 0.5, 0.25, 1.0)]",
    ),
    (
        "godot4/packed_vector4_array",
        "PackedVector4Array [(1.0, 2.0, 3.0, 4.0)]",
        "PackedVector4Array[(1.0, 2.0, 3.0, 4.0)]",
    ),
    ("godot4/typed_array_int", "", "[1, -2, 4294967296]"),
    ("godot4/typed_dictionary_string_int", "", r#"{"a": 1, "b": -1}"#),
    ("godot3/nil", "Nil", "null"),
    ("godot3/int_neg1", "int -1", "-1"),
    ("godot3/string_1", r#"String "a""#, r#""a""#),
    ("godot3/node_path_rel", r#"NodePath "../a/b""#, r#"^"../a/b""#),
    ("godot3/rid", "RID", "RID"),
    ("godot3/vector2", "Vector2 (1.5, -2.25)", "Vector2(1.5, -2.25)"),
    (
        "godot3/rect2",
        "Rect2 position (1.0, 2.0) size (3.0, 4.0)",
        "Rect2 position (1.0, 2.0) size (3.0, 4.0)",
    ),
    ("godot3/vector3", "Vector3 (1.0, 2.0, 3.0)", "Vector3(1.0, 2.0, 3.0)"),
    (
        "godot3/transform2d",
        "Transform2D x (1.0, 2.0) y (3.0, 4.0) origin (5.0, 6.0)",
        "Transform2D x (1.0, 2.0) y (3.0, 4.0) origin (5.0, 6.0)",
    ),
    ("godot3/plane", "Plane normal (0.0, 1.0, 0.0) d 5.0", "Plane normal (0.0, 1.0, 0.0) d 5.0"),
    ("godot3/quat", "Quat (0.5, 0.5, 0.5, 0.5)", "Quat(0.5, 0.5, 0.5, 0.5)"),
    (
        "godot3/aabb",
        "AABB position (1.0, 2.0, 3.0) size (4.0, 5.0, 6.0)",
        "AABB position (1.0, 2.0, 3.0) size (4.0, 5.0, 6.0)",
    ),
    (
        "godot3/basis",
        "Basis x (1.0, 2.0, 3.0) y (4.0, 5.0, 6.0) z (7.0, 8.0, 9.0)",
        "Basis x (1.0, 2.0, 3.0) y (4.0, 5.0, 6.0) z (7.0, 8.0, 9.0)",
    ),
    (
        "godot3/transform",
        "Transform x (1.0, 2.0, 3.0) y (4.0, 5.0, 6.0) z (7.0, 8.0, 9.0) origin (10.0, 11.0, 12.0)",
        "Transform x (1.0, 2.0, 3.0) y (4.0, 5.0, 6.0) z (7.0, 8.0, 9.0) origin (10.0, 11.0, 12.0)",
    ),
    ("godot3/color", "Color (0.1, 0.2, 0.3, 0.4)", "Color(0.1, 0.2, 0.3, 0.4)"),
    ("godot3/object_as_id", "", r#"{"r": Object id 1625}"#),
    ("godot3/pool_byte_array_3", "PoolByteArray [01 02 03]", "PoolByteArray[01 02 03]"),
    (
        "godot3/pool_int_array",
        "PoolIntArray [1, -2, 2147483647, -2147483648]",
        "PoolIntArray[1, -2, 2147483647, -2147483648]",
    ),
    (
        "godot3/pool_real_array",
        "PoolRealArray [0.5, -0.0, inf, 0.1]",
        "PoolRealArray[0.5, -0.0, inf, 0.1]",
    ),
    (
        "godot3/pool_string_array",
        r#"PoolStringArray ["", "a", "ab", "abc", "abcd", "日本語"]"#,
        r#"PoolStringArray["", "a", "ab", "abc", "abcd", "日本語"]"#,
    ),
    (
        "godot3/pool_vector2_array",
        "PoolVector2Array [(1.0, 2.0), (3.0, 4.0)]",
        "PoolVector2Array[(1.0, 2.0), (3.0, 4.0)]",
    ),
    (
        "godot3/pool_vector3_array",
        "PoolVector3Array [(1.0, 2.0, 3.0)]",
        "PoolVector3Array[(1.0, 2.0, 3.0)]",
    ),
    (
        "godot3/pool_color_array",
        "PoolColorArray [(1.0, 0.5, 0.25, 1.0)]",
        "PoolColorArray[(1.0, 0.5, 0.25, 1.0)]",
    ),
];

/// Returns the tree of a value without the offsets.
fn tree(engine: &str, args: &[&str], value: &[u8]) -> String {
    let out = shown(run_on(&[&["show", "--as", engine], args, &["-"]].concat(), value));
    let lines = out.lines().map(|line| line.trim_start().split_once("  ").unwrap().1);
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the text of a value on the line of a packet.
fn in_packet(engine: &str, value: &[u8]) -> String {
    let capture = capture("10.0.0.1", &[(40000, 7000, value.to_vec())]);
    let line = shown(run_on(&["packets", "--as", engine, "-"], &capture));
    line.trim_end().split_once("  var            ").unwrap().1.to_owned()
}

#[test]
fn every_type_on_a_line() {
    for (name, in_tree, text) in VALUES {
        let (engine, _) = name.split_once('/').unwrap();
        let value = corpus::read(&format!("{name}.bin"));
        assert_eq!(in_packet(engine, &value), *text, "{name}");
        if !in_tree.is_empty() {
            assert_eq!(tree(engine, &[], &value), *in_tree, "{name}");
        }
    }
}

/// Checks forms of values that the corpus does not contain.
#[test]
fn rare_forms() {
    for (value, in_tree, text) in [
        (words(&[0x1_0018, 0, 0]), "Object id 0", "Object id 0"),
        (words(&[28, 0x8000_0001, 2, 5]), "Array, 1 element, shared\n  [0] int 5", "[5]"),
        (words(&[27, 0x8000_0000]), "Dictionary, 0 pairs, shared", "{}"),
    ] {
        assert_eq!(tree("godot4", &[], &value), in_tree);
        assert_eq!(in_packet("godot4", &value), text);
    }
}

/// Checks that lists of up to 64 columns are shown whole, and longer ones only with `--full`.
#[test]
fn lists_end_after_64_columns() {
    let list = |count: u32| {
        let numbers: Vec<_> = (10..10 + count).collect();
        let value = words(&[&[30, count], &numbers[..]].concat());
        (value, numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", "))
    };
    // Each number takes two columns, and so does each separator.
    let (sixteen, text) = list(16);
    assert_eq!(tree("godot4", &[], &sixteen), format!("PackedInt32Array [{text}]"));
    let (seventeen, full) = list(17);
    assert_eq!(
        tree("godot4", &[], &seventeen),
        format!("PackedInt32Array [{text}, … 17 elements]")
    );
    assert_eq!(tree("godot4", &["--full"], &seventeen), format!("PackedInt32Array [{full}]"));
    // The first element is always shown.
    let mut strings = words(&[34, 2, 76]);
    strings.extend([b's'; 76]);
    strings.extend(words(&[1, u32::from(b'x')]));
    assert_eq!(
        tree("godot4", &[], &strings),
        format!("PackedStringArray [\"{}\", … 2 elements]", "s".repeat(76))
    );
}

/// Checks that strings are cut after 80 columns. An escaped character takes more than one column.
#[test]
fn strings_end_after_80_columns() {
    let string = |text: &str| {
        let mut value = words(&[4, text.len() as u32]);
        value.extend(text.as_bytes());
        value.resize(value.len().next_multiple_of(4), 0);
        tree("godot4", &[], &value)
    };
    for (piece, escaped, fits) in [
        ("s", "s", 80),
        ("é", "é", 80),
        ("\n", "\\n", 40),
        ("\"", "\\\"", 40),
        ("\u{200b}", "\\u{200b}", 13),
    ] {
        let whole = string(&piece.repeat(fits));
        assert_eq!(whole, format!("String \"{}\"", escaped.repeat(fits)));
        let cut = string(&piece.repeat(fits + 1));
        let bytes = (fits + 1) * piece.len();
        assert_eq!(cut, format!("String \"{}\"… {bytes} bytes", escaped.repeat(fits)));
    }
}
