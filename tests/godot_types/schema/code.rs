//! Checks the generated code for locations whose type depends on all packets.

use super::of_texts;

/// Returns the generated code from the first `pub` on, without the imports and attributes before
/// it.
fn code(texts: &[&str], name: &str) -> String {
    let code = of_texts(texts).to_rust(name);
    let start = code.find("pub ").unwrap();
    code[start..].to_string()
}

/// Generated lines of more than 100 columns are broken in the same way as by `rustfmt`.
#[test]
fn long_lines_are_broken() {
    let name = "N".repeat(84);
    let line = format!("pub type {name} = i32;\n");
    assert_eq!(line.len(), 101);
    assert_eq!(code(&["1"], &name), line);
    let name = "N".repeat(85);
    assert_eq!(code(&["1"], &name), format!("pub type {name} =\n    i32;\n"));
}

/// A tuple struct is printed on one line, unless the line is too long or a field has a serde
/// attribute.
#[test]
fn tuple_structs_are_formatted_like_rustfmt_does() {
    assert_eq!(code(&["[1, 2.5, true]"], "P"), "pub struct P(pub i32, pub f32, pub bool);\n");
    assert_eq!(code(&["[1, \"x\"]"], "P"), "pub struct P<'a>(pub i32, pub &'a str);\n");
    assert_eq!(
        code(&["[1, &\"x\"]"], "P"),
        "pub struct P<'a>(\n    pub i32,\n    #[serde(borrow)] pub godot::StringName<&'a str>,\n);\n"
    );
    let long = format!("[{}\"x\"]", "Vector2i(1, 2), ".repeat(4));
    let places = "    pub godot::Vector2<i32>,\n".repeat(4);
    assert_eq!(code(&[&long], "P"), format!("pub struct P<'a>(\n{places}    pub &'a str,\n);\n"));
}

#[test]
fn item_types_are_named_in_the_singular() {
    for (many, one) in [
        ("players", "Player"),
        ("ids", "Id"),
        ("sheep", "Sheep"),
        ("xs", "Xs"),
        ("boss", "Boss"),
        ("status", "Status"),
        ("axis", "Axis"),
        ("atlas", "Atlas"),
        ("chaos", "Chaos"),
    ] {
        let code = code(&[&format!("{{\"{many}\": [{{\"a\": 1}}]}}")], "P");
        assert!(code.contains(&format!("pub {many}: Vec<{one}>,")), "{code}");
    }
}

/// If all ints of a location are at most 2^53 in magnitude, an `f64` can represent them. The type
/// for ints and floats is then `f64`.
#[test]
fn ints_and_floats_merge_up_to_2_pow_53() {
    for (int, is_float) in [
        ("9007199254740992", true),
        ("-9007199254740992", true),
        ("9007199254740993", false),
        ("-9007199254740993", false),
    ] {
        let ty = if is_float { "P = f64;" } else { "P<'a> = godot::VariantRef<'a>;" };
        assert_eq!(code(&[int, "0.5"], "P"), format!("pub type {ty}\n"), "{int}");
    }
}

/// A dictionary whose keys are all ints or all text becomes a `BTreeMap`. String and StringName
/// keys are both text.
#[test]
fn maps_have_int_or_text_keys() {
    for (text, ty) in [
        ("{1: 1, 2: 1}", "P = BTreeMap<i64, i32>;"),
        ("{\"p0\": 1, \"p1\": 1}", "P<'a> = BTreeMap<&'a str, i32>;"),
        ("{&\"p0\": 1, &\"p1\": 1}", "P<'a> = BTreeMap<&'a str, i32>;"),
        ("{\"p0\": 1, &\"p1\": 1}", "P<'a> = BTreeMap<&'a str, i32>;"),
        ("{1: 1, 0.5: 1}", "P<'a> = godot::VariantRef<'a>;"),
        ("{0.5: 1}", "P<'a> = godot::VariantRef<'a>;"),
        ("{1: 1, \"a\": 1}", "P<'a> = godot::VariantRef<'a>;"),
        ("{1: 1, &\"a\": 1}", "P<'a> = godot::VariantRef<'a>;"),
    ] {
        assert_eq!(code(&[text], "P"), format!("pub type {ty}\n"), "{text}");
    }
}
