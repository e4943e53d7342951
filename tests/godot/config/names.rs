//! Tests which keys are written in quotes.

use gamewire::godot::Dialect;
use gamewire::godot::config::{Config, encode_key};

/// Lists the characters below 128 for which Godot 4.6.3 and 3.6.2 put a key in quotes.
#[test]
fn characters_that_need_quotes() {
    let quoted = |code: u8| encode_key(&char::from(code).to_string()).starts_with('"');
    let codes: Vec<_> = (33..=126).filter(|code| quoted(*code)).collect();
    assert_eq!(codes, b"\";=[]");
    assert!((0..=32).chain([127]).all(quoted));
    assert!(encode_key("ü").starts_with('"'));
}

#[test]
fn keys_are_read_back() {
    for key in ["a", "a b", "\"", "\\", "a\\\"b", "größe", "\n", "[x]", "config/name", "😀;=", "'"]
    {
        for dialect in [Dialect::Godot4, Dialect::Godot3] {
            let text = format!("{}=1", encode_key(key));
            let config = Config::parse(text.as_bytes(), dialect).unwrap();
            assert!(config.get("", key).is_some(), "{key:?}");
        }
    }
}
