//! Godot's JSON notation: what is printed of packets, and what is written of texts.

mod laws;
mod support;

use gamewire::godot::{Dialect, Reader};
use laws::json_round_trip_as;
use std::thread;
use support::native_json::Json;
use support::{is_true, unhex};

/// On a stack that holds values nested 1024 deep in an unoptimised build.
fn deep(run: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(64 << 20).spawn(run).unwrap();
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// Each packet that an engine wrote, or would have.
#[test]
fn files() {
    deep(|| {
        for (folder, dialect) in support::WRITTEN {
            for (name, packet) in support::packets(folder) {
                let text = json_round_trip_as(&packet, dialect);
                assert!(text.is_some(), "{folder}/{name}");
            }
        }
    });
}

#[test]
fn hostile_files() {
    deep(|| {
        let (folder, dialect) = support::HOSTILE;
        for (name, packet) in support::packets(folder) {
            let read = Reader::new(&packet, dialect).skip().is_ok();
            assert_eq!(json_round_trip_as(&packet, dialect).is_some(), read, "{name}");
        }
    });
}

/// Each line of a `mutated.jsonl` that the engine takes.
fn mutated(path: &'static str, dialect: Dialect) {
    deep(move || {
        for line in support::lines(path).iter().filter(|line| is_true(line, "ok")) {
            let hex = line.get("hex").and_then(Json::as_str).unwrap();
            assert!(json_round_trip_as(&unhex(hex), dialect).is_some(), "{hex}");
        }
    });
}

#[test]
fn mutated_godot4() {
    mutated("godot4/mutated.jsonl", Dialect::Godot4);
}

#[test]
fn mutated_godot4_double() {
    mutated("godot4-double/mutated.jsonl", Dialect::Godot4);
}

#[test]
fn mutated_godot3() {
    mutated("godot3/mutated.jsonl", Dialect::Godot3);
}
