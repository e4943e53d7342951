//! Godot's text notation: what is printed of packets.

mod support;

use gamewire::godot::{Dialect, Reader};
use std::fs;
use support::corpus;

/// Folders that have what `var_to_str` or `var2str` writes, and how many files do.
const ENGINES: [(&str, Dialect, usize); 3] = [
    ("godot4", Dialect::Godot4, 213),
    ("godot4-double", Dialect::Godot4, 152),
    ("godot3", Dialect::Godot3, 136),
];

/// The four largest, and those for which an engine would have to make an object of an id or
/// of a script.
const WITHOUT_TEXT: [&str; 11] = [
    "array_int_10000",
    "callable_of_object",
    "game_state_500",
    "object_as_id",
    "object_as_id_in_array",
    "packed_float32_array_65536",
    "packed_string_array_5000",
    "signal_of_object",
    "typed_array_script",
    "typed_array_script_no_objects",
    "typed_dictionary_script_value",
];

#[test]
fn printed_as_engines_print() {
    for (folder, dialect, count) in ENGINES {
        let mut without = Vec::new();
        let mut compared = 0;
        for (name, packet) in support::packets(folder) {
            let Ok(text) = fs::read_to_string(corpus(&format!("{folder}/{name}.txt"))) else {
                without.push(name);
                continue;
            };
            let encoded = Reader::new(&packet, dialect).read_encoded().unwrap();
            // A file ends with one more line feed.
            assert_eq!(format!("{encoded}\n"), text, "{folder}/{name}");
            compared += 1;
        }
        assert_eq!(compared, count, "{folder}");
        assert!(if folder == "godot4" { without == WITHOUT_TEXT } else { without.is_empty() });
    }
}
