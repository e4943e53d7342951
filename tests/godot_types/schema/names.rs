//! Generated Rust code: names, options, aliases. `BLESS=1` rewrites `state.rs`, `players.rs` and
//! `kinds.rs`.

use super::of_texts;
use super::schema_of;
use crate::support::corpus;
use gamewire::godot::Dialect;
use std::path::Path;

/// Asserts that the generated code, without imports and derives, equals `expected`.
#[track_caller]
fn is_rust(texts: &[&str], expected: &str) {
    let code = of_texts(texts).to_rust("Packet");
    let code = code.replace("#[derive(Clone, Debug, Deserialize, Serialize)]\n", "");
    let start = code.find("\npub ").unwrap() + 1;
    assert_eq!(&code[start..], expected);
}

#[test]
fn field_names_are_rust_identifiers() {
    is_rust(
        &[r#"{"type": 1, "playerHP": 1, "player_hp": 1, "1st": 1, "é": 1, "_x": 1, "fine": 1}"#],
        "\
pub struct Packet {
    // 1
    #[serde(rename = \"type\")]
    pub type_: i32,
    // 1
    #[serde(rename = \"playerHP\")]
    pub player_hp: i32,
    // 1
    #[serde(rename = \"player_hp\")]
    pub player_hp_2: i32,
    // 1
    #[serde(rename = \"1st\")]
    pub _1st: i32,
    // 1
    #[serde(rename = \"é\")]
    pub field: i32,
    // 1
    #[serde(rename = \"_x\")]
    pub x: i32,
    // 1
    pub fine: i32,
}
",
    );
}

#[test]
fn type_names_are_rust_identifiers() {
    is_rust(
        &[r#"{"players": [{"self": {"a": 1}, "player": {"b": ["x", 1]}}], "option": {"c": 1}}"#],
        "\
pub struct Packet<'a> {
    // 1 element
    #[serde(borrow)]
    pub players: Vec<Player<'a>>,
    pub option: PacketOption,
}

pub struct Player<'a> {
    #[serde(rename = \"self\")]
    pub self_: PlayerSelf,
    #[serde(borrow)]
    pub player: PlayerPlayer<'a>,
}

pub struct PlayerSelf {
    // 1
    pub a: i32,
}

pub struct PlayerPlayer<'a> {
    #[serde(borrow)]
    pub b: B<'a>,
}

pub struct B<'a>(pub &'a str, pub i32);

pub struct PacketOption {
    // 1
    pub c: i32,
}
",
    );
}

#[test]
fn sometimes_null_or_absent_fields_are_options() {
    is_rust(
        &[r#"{"a": 1, "b": "x", "c": null}"#, r#"{"b": null, "c": null}"#],
        "\
pub struct Packet<'a> {
    // 1 of 2; 1
    #[serde(default, skip_serializing_if = \"Option::is_none\")]
    pub a: Option<i32>,
    // 1 Nil; 1 String: \"x\"
    pub b: Option<&'a str>,
    #[serde(borrow)]
    pub c: godot::VariantRef<'a>,
}
",
    );
}

#[test]
fn packets_without_fields_become_type_aliases() {
    is_rust(&["1", "5000000000"], "pub type Packet = i64;\n");
    is_rust(&["1", "0.5"], "pub type Packet = f64;\n");
    is_rust(&["\"a\"", "&\"a\""], "pub type Packet<'a> = &'a str;\n");
    is_rust(&["1", "true"], "pub type Packet<'a> = godot::VariantRef<'a>;\n");
    is_rust(
        &["[{\"a\": 1}]"],
        "\
pub type Packet = Vec<Item>;

pub struct Item {
    // 1
    pub a: i32,
}
",
    );
    is_rust(&["{1: Vector2i(1, 2)}"], "pub type Packet = BTreeMap<i64, godot::Vector2<i32>>;\n");
    is_rust(&["{Vector2i(1, 2): 1}"], "pub type Packet<'a> = godot::VariantRef<'a>;\n");
}

#[test]
fn long_names_do_not_exceed_the_line_width() {
    let key = "a_rather_long_name_for_a_thing_of_which_there_are_many_more_to_come_in_time";
    let code = of_texts(&[&format!(r#"{{"{key}": {{"{key}": [1, "x"]}}}}"#)]).to_rust("Packet");
    assert!(code.lines().all(|line| line.contains(key) || line.len() <= 100), "{code}");
}

/// Asserts that the generated code equals the file in `tests/godot_types/schema`, which
/// `decoded.rs` uses. With `BLESS=1` the file is rewritten instead.
#[track_caller]
fn is_checked_in(file: &str, code: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/godot_types/schema").join(file);
    if std::env::var_os("BLESS").is_some() {
        return std::fs::write(path, code).unwrap();
    }
    let checked_in = std::fs::read_to_string(path).unwrap();
    assert!(
        checked_in == code,
        "{file} differs from the generated code; BLESS=1 rewrites it\n{code}"
    );
}

#[test]
fn generated_state_types_are_checked_in() {
    let shape = schema_of(&[corpus::read("bench/state_simple.bin")], Dialect::Godot4);
    is_checked_in("state.rs", &shape.to_rust("State"));
}

#[test]
fn generated_types_of_engine_states_are_checked_in() {
    let packets = [1, 16].map(|n| corpus::read(&format!("godot4/game_state_{n}.bin")));
    is_checked_in("players.rs", &schema_of(&packets, Dialect::Godot4).to_rust("Game"));
}

/// The record has one field for each kind and width.
#[test]
fn generated_types_of_all_kinds_are_checked_in() {
    let packet = super::every_kind();
    let shape = schema_of(&[packet], Dialect::Godot4);
    is_checked_in("kinds.rs", &shape.to_rust("Kinds"));
}
