//! Prints packets in Godot's JSON notation, and parses JSON text.

mod oddities;
mod reading;

use crate::laws::{json_round_trip_as, print_json, write_json};
use crate::support::corpus::{self, is_true, unhex};
use crate::support::godot::engine_json::Engine;
use crate::support::godot::notation::strip;
use crate::support::native_json::{self, Json};
use gamewire::godot::{Dialect, Reader};
use std::thread;

/// Runs `run` on a stack that suffices for 1,024 levels in an unoptimised build.
fn deep(run: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(64 << 20).spawn(run).unwrap();
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// Every file that an engine wrote is a valid packet and survives a round trip.
#[test]
fn engine_files_round_trip() {
    deep(|| {
        for (folder, dialect) in corpus::WRITTEN {
            for (name, packet) in corpus::packets(folder) {
                let text = json_round_trip_as(&packet, dialect);
                assert!(text.is_some(), "{folder}/{name}");
            }
        }
    });
}

#[test]
fn hostile_files_round_trip_or_are_rejected() {
    deep(|| {
        let (folder, dialect) = corpus::HOSTILE;
        for (name, packet) in corpus::packets(folder) {
            let read = Reader::new(&packet, dialect).skip().is_ok();
            assert_eq!(json_round_trip_as(&packet, dialect).is_some(), read, "{name}");
        }
    });
}

/// Checks the round trip of each packet that the engine accepts in a `mutated.jsonl`.
fn check_mutated(path: &'static str, dialect: Dialect) {
    deep(move || {
        for line in corpus::lines(path).iter().filter(|line| is_true(line, "ok")) {
            let hex = line.get("hex").and_then(Json::as_str).unwrap();
            assert!(json_round_trip_as(&unhex(hex), dialect).is_some(), "{hex}");
        }
    });
}

#[test]
fn mutated_godot4_packets_round_trip() {
    check_mutated("godot4/mutated.jsonl", Dialect::Godot4);
}

#[test]
fn mutated_godot4_double_packets_round_trip() {
    check_mutated("godot4-double/mutated.jsonl", Dialect::Godot4);
}

#[test]
fn mutated_godot3_packets_round_trip() {
    check_mutated("godot3/mutated.jsonl", Dialect::Godot3);
}

/// Each folder of engine files, its dialect, and `true` if its reals are in single precision.
const ENGINES: [(&str, Dialect, bool); 3] = [
    ("godot4", Dialect::Godot4, true),
    ("godot4-double", Dialect::Godot4, false),
    ("godot3", Dialect::Godot3, true),
];

/// The type in this file is a script. Godot 4 prints the class that the script extends, and not the
/// path of the script.
const PRINTED_DIFFERENTLY: &str = "typed_dictionary_script_value";

#[test]
fn engine_files_print_as_the_engines_print_them() {
    deep(|| {
        for (folder, dialect, single) in ENGINES {
            for (name, packet) in corpus::packets(folder) {
                let ours = strip(native_json::parse(&print_json(&packet, dialect, false)).unwrap());
                let engine = corpus::json(&format!("{folder}/{name}.json"));
                let alike = Engine { dialect, single, reread: false }.alike(&ours, &engine);
                assert_eq!(
                    alike.is_ok(),
                    name != PRINTED_DIFFERENTLY,
                    "{folder}/{name}: {alike:?}"
                );
            }
        }
    });
}

/// The engine changes typed containers, objects in them, and pairs with equal keys. Packets that
/// contain any of these are left out here; `tests/parity.rs` compares them. All other packets print
/// as the engines print them.
#[test]
fn damaged_packets_print_as_the_engines_print_them() {
    deep(|| {
        for (folder, dialect, single) in ENGINES {
            let lines = corpus::lines(&format!("{folder}/mutated.jsonl"));
            let (mut compared, mut left_out) = (0, 0);
            for (hex, engine) in lines.iter().filter_map(|line| packet_and_value(line, dialect)) {
                let text = print_json(&unhex(hex), dialect, false);
                let ours = strip(native_json::parse(&text).unwrap());
                if has_quirks(&text, &ours) {
                    left_out += 1;
                    continue;
                }
                compared += 1;
                if let Err(difference) =
                    (Engine { dialect, single, reread: false }).alike(&ours, &engine)
                {
                    panic!("{hex}: {difference}: {text}");
                }
            }
            assert!(compared > 2 * left_out, "{folder}: {compared}, {left_out}");
        }
    });
}

/// Returns the packet of a line, and the value that the engine printed for it. Returns `None` if
/// the engine rejected the packet, or printed `...` in place of a part of the value.
fn packet_and_value(line: &Json, dialect: Dialect) -> Option<(&str, Json)> {
    let hex = line.get("hex").and_then(Json::as_str)?;
    let value = line.get("value").filter(|_| is_true(line, "ok"))?;
    match value {
        Json::String(text) if dialect == Dialect::Godot4 => match native_json::parse(text) {
            Ok(json) => Some((hex, json)),
            // At the engine's own depth limit, its JSON contains `...`.
            Err(_) if text.contains("...") => None,
            Err(error) => panic!("{error}: {text}"),
        },
        json => Some((hex, json.clone())),
    }
}

fn has_quirks(text: &str, json: &Json) -> bool {
    let typed = ["\"elem_type\":", "\"key_type\":", "\"value_type\":"];
    typed.iter().any(|member| text.contains(member)) || has_equal_keys(json)
}

fn has_equal_keys(json: &Json) -> bool {
    let mut todo = vec![json];
    while let Some(json) = todo.pop() {
        match json {
            Json::Array(items) => todo.extend(items),
            Json::Object(members) => {
                todo.extend(members.iter().map(|(_, value)| value));
                let args = json.get("args").and_then(Json::as_array).unwrap_or_default();
                let keys: Vec<String> = args.iter().step_by(2).map(key).collect();
                let equal = (1..keys.len()).any(|at| keys[..at].contains(&keys[at]));
                if equal && json.get("type").and_then(Json::as_str) == Some("Dictionary") {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// Returns a string that is the same for all keys that the engine treats as equal.
fn key(json: &Json) -> String {
    let text = format!("{json:?}").replace("-0.0", "0.0");
    text.replace("\"sn:", "\"s:")
}

/// Reads the engine's JSON, prints the resulting packet as JSON, and asserts that both have the
/// same meaning.
#[test]
fn json_of_the_engines_is_read() {
    deep(|| {
        for (folder, dialect, _) in ENGINES {
            for (name, _) in corpus::packets(folder) {
                let text = corpus::read(&format!("{folder}/{name}.json"));
                let text = String::from_utf8(text).unwrap();
                // Godot 3's log prints floats differently.
                if !text.contains("\"x:") {
                    assert_same_meaning_when_printed(&text, dialect);
                }
            }
        }
        for folder in ["godot4", "godot4-double"] {
            let lines = corpus::lines(&format!("{folder}/mutated.jsonl"));
            let values = lines.iter().filter_map(|line| line.get("value").and_then(Json::as_str));
            let mut read = 0;
            for text in values.filter(|text| native_json::parse(text).is_ok()) {
                assert_same_meaning_when_printed(text, Dialect::Godot4);
                read += 1;
            }
            assert!(read > 100);
        }
    });
}

fn assert_same_meaning_when_printed(text: &str, dialect: Dialect) {
    let packet = write_json(text, dialect).unwrap_or_else(|error| panic!("{error}: {text:.500}"));
    let again = print_json(&packet, dialect, false);
    let [ours, engine] = [&again, text].map(|text| native_json::parse(text).unwrap());
    // The components of vectors are written in single precision.
    let alike = Engine { dialect, single: true, reread: true }.alike(&strip(ours), &engine);
    alike.unwrap_or_else(|difference| panic!("{difference}: {text:.500}"));
    assert!(json_round_trip_as(&packet, dialect).is_some());
}
