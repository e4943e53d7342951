//! Compares the crate's result for a packet with that of an engine: the verdict, the size and the
//! value.

use crate::support::corpus::{is_true, unhex};
use crate::support::godot::compare::matches_build;
use crate::support::godot::oracle::{self, TypeOf, Value};
use crate::support::godot::values::{to_oracle, value_of};
use crate::support::native_json::{self, Json};
use gamewire::godot::{Dialect, Limits, Reader};

/// A build of an engine.
#[derive(Clone, Copy)]
pub struct Engine {
    pub name: &'static str,
    pub dialect: Dialect,
    /// `true` if the engine stores reals as `f32`. It then rounds an `f64` to an `f32`.
    pub single: bool,
}

/// The engines that wrote the files `mutated.jsonl`. A file's folder has the name of its engine.
pub const ENGINES: [Engine; 3] = [
    Engine { name: "godot4-double", dialect: Dialect::Godot4, single: false },
    Engine { name: "godot4", dialect: Dialect::Godot4, single: true },
    Engine { name: "godot3", dialect: Dialect::Godot3, single: true },
];

impl Engine {
    pub fn named(name: &str) -> Option<Self> {
        ENGINES.into_iter().find(|engine| engine.name == name)
    }
}

/// The reason why a case is not compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exception {
    /// The engine rejects a class or a script that it does not have. The crate does not know
    /// classes or scripts.
    Registry,
    /// The engine's JSON ends in `...` below a certain depth, so its value is unknown.
    DeepJson,
}

impl Exception {
    pub const ALL: [Self; 2] = [Self::Registry, Self::DeepJson];

    pub fn reason(self) -> &'static str {
        match self {
            Self::Registry => "objects of classes and scripts that the engine does not have",
            Self::DeepJson => "values deeper than the engine's JSON shows",
        }
    }
}

/// Result of comparing one packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Refused,
    /// The crate has the same verdict as the engine. The size and the value are equal as well, if
    /// the line of `mutated.jsonl` contains them.
    Same,
    Excepted(Exception),
    Differs(Difference),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub in_what: What,
    pub how: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Verdict,
    Size,
    Value,
}

fn differs(in_what: What, how: String) -> Outcome {
    Outcome::Differs(Difference { in_what, how })
}

/// Returns the packet of a line of `mutated.jsonl`.
pub fn packet(line: &Json) -> Vec<u8> {
    unhex(line.get("hex").and_then(Json::as_str).expect("a packet"))
}

/// Compares the crate with a line of `mutated.jsonl`. The line contains `hex` and `ok`, and
/// optionally `objects` (`true` if objects were allowed), `size` and `value`.
pub fn outcome(line: &Json, engine: Engine) -> Outcome {
    let Engine { dialect, single, .. } = engine;
    let (packet, objects) = (packet(line), is_true(line, "objects"));
    let verdict = verdict(&packet, dialect, objects);
    let size = match (verdict, is_true(line, "ok")) {
        (Ok(size), true) => size,
        (Err(_), false) => return Outcome::Refused,
        (Ok(_), false) if objects && may_ask_registry(&packet, dialect) => {
            return Outcome::Excepted(Exception::Registry);
        }
        (Ok(size), false) => {
            return differs(What::Verdict, format!("the engine refuses these {size} bytes"));
        }
        (Err(error), true) => {
            return differs(What::Verdict, format!("the engine takes it, and here: {error}"));
        }
    };
    if let Some(Json::Number(told, _)) = line.get("size") {
        // If the padding of a byte array is missing at the end of the packet, the engine's size is
        // greater than that of the packet.
        let told = (*told as usize).min(packet.len());
        if size != told {
            return differs(What::Size, format!("{told} bytes for the engine, here {size}"));
        }
    }
    let Some(told) = line.get("value") else { return Outcome::Same };
    let json = match told {
        Json::String(text) if dialect == Dialect::Godot4 => match native_json::parse(text) {
            Ok(json) => json,
            Err(_) if text.contains("...") => return Outcome::Excepted(Exception::DeepJson),
            Err(error) => return differs(What::Value, format!("{error}: {text}")),
        },
        json => json.clone(),
    };
    let value = value_of(&packet, dialect).expect("read before").0;
    match matches_build(&value, &json, to_oracle(dialect), single) {
        Ok(()) => Outcome::Same,
        Err(how) => differs(What::Value, how),
    }
}

/// Returns the size of the value if the crate accepts the packet, and otherwise the crate's error.
/// Asserts that the oracle has the same result.
pub fn verdict(packet: &[u8], dialect: Dialect, objects: bool) -> Result<usize, String> {
    let mut reader = Reader::new(packet, dialect).limits(Limits { objects, ..Limits::ENGINE });
    let read = reader.read();
    assert!(reader.offset() <= packet.len() as u64);
    if let Err(error) = &read {
        assert!(error.offset() <= packet.len() as u64, "{error}");
    }
    let size = read.map(|_| reader.offset() as usize).map_err(|error| error.to_string());
    let second = oracle::decode(packet, to_oracle(dialect), oracle::Level::Engine, objects);
    let second = second.map(|(_, size)| size);
    assert_eq!(size.as_ref().ok(), second.as_ref().ok(), "{packet:02x?} in {dialect}");
    size
}

/// Returns `true` if the packet contains an object, or an array or dictionary whose declared type
/// is a script.
fn may_ask_registry(packet: &[u8], dialect: Dialect) -> bool {
    let level = oracle::Level::Engine;
    let Ok((value, _)) = oracle::decode(packet, to_oracle(dialect), level, true) else {
        return false;
    };
    let mut todo = vec![&value];
    while let Some(value) = todo.pop() {
        match value {
            Value::Object { .. } => return true,
            Value::Array { element, items, .. } => {
                if is_script(element) {
                    return true;
                }
                todo.extend(items);
            }
            Value::Dictionary { key, value, pairs, .. } => {
                if is_script(key) || is_script(value) {
                    return true;
                }
                todo.extend(pairs.iter().flat_map(|(key, value)| [key, value]));
            }
            _ => {}
        }
    }
    false
}

fn is_script(of: &Option<TypeOf>) -> bool {
    matches!(of, Some(TypeOf::Script(_)))
}
