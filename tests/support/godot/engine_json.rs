//! Compares our JSON of a value with the engine's.

use crate::support::corpus::unhex;
use crate::support::native_json::Json;
use gamewire::godot::Dialect;

/// A comparison of our JSON with an engine's, without access to the decoded value.
#[derive(Clone, Copy)]
pub struct Engine {
    pub dialect: Dialect,
    /// `true` if two reals are equal when they round to the same `f32`.
    pub single: bool,
    /// `true` if the engine parsed its value from text. A path that was parsed from text has no
    /// empty parts, so empty parts are then ignored in the comparison.
    pub reread: bool,
}

impl Engine {
    pub fn alike(self, ours: &Json, engine: &Json) -> Result<(), String> {
        let mut todo = vec![(ours, engine)];
        while let Some((ours, engine)) = todo.pop() {
            let alike = match (ours, engine) {
                (Json::Array(a), Json::Array(b)) => {
                    // In the engine's JSON, an object that represents an id has one more property.
                    let stand_in = a.first().and_then(Json::as_str) == Some("object_id");
                    todo.extend(a.iter().zip(b));
                    a.len() == b.len() || (stand_in && (a.len(), b.len()) == (2, 4))
                }
                (Json::Object(a), Json::Object(b)) if !self.logs_an_id(ours) => {
                    let named = a.iter().map(|(name, value)| Some((value, engine.get(name)?)));
                    let named: Option<Vec<_>> = named.collect();
                    let all = named.is_some() && a.len() == b.len();
                    todo.extend(named.into_iter().flatten());
                    all
                }
                (Json::Object(_), Json::Object(_)) => logged_id(ours) == logged_id(engine),
                _ => self.leaves_alike(ours, engine),
            };
            if !alike {
                return Err(format!("{:.200} is not {:.200}", brief(ours), brief(engine)));
            }
        }
        Ok(())
    }

    /// Returns `true` if the dialect is Godot 3 and `ours` is an object id. The logs that Godot 3
    /// wrote contain such an id in `args`, whereas our JSON has it in `props`.
    fn logs_an_id(self, ours: &Json) -> bool {
        let name = ours.get("type").and_then(Json::as_str);
        self.dialect == Dialect::Godot3 && name == Some("EncodedObjectAsID")
    }

    fn leaves_alike(self, ours: &Json, engine: &Json) -> bool {
        match (ours, engine) {
            (Json::String(text), Json::Null) => text == "nan",
            (Json::String(a), Json::String(b)) if b.starts_with("np:") => self.same_path(a, b),
            _ => match (real(ours), real(engine)) {
                (Some(a), Some(b)) => self.numbers_alike(a, b, ours.as_str().is_some()),
                _ => ours == engine,
            },
        }
    }

    /// Returns `true` if both texts are the same path. Godot 3 prints an absolute path without
    /// names as an empty path.
    fn same_path(self, ours: &str, engine: &str) -> bool {
        let parts = |text: &str| {
            let parts = text.split_inclusive(['/', ':']).filter(|part| part.len() > 1);
            parts.map(|part| part.trim_end_matches([':', '/']).to_owned()).collect::<Vec<_>>()
        };
        let forgets = self.dialect == Dialect::Godot3 && (ours, engine) == ("np:/", "np:");
        ours == engine || forgets || (self.reread && parts(ours) == parts(engine))
    }

    fn numbers_alike(self, a: f64, b: f64, scalar: bool) -> bool {
        let scalar = scalar && self.dialect == Dialect::Godot4;
        let near = scalar && (a - b).abs() <= 1e-14 * a.abs().max(1.0);
        let narrow = self.single && !scalar && f64::from(a as f32) == f64::from(b as f32);
        a == b || (a.is_nan() && b.is_nan()) || near || narrow
    }
}

fn logged_id(json: &Json) -> Option<&Json> {
    match json.get("props") {
        Some(props) => props.as_array()?.get(1),
        None => json.get("args")?.as_array()?.first(),
    }
}

/// Returns the real number that the JSON represents. The JSON is a number, `"nan"`, a string such
/// as `"f:1.5"`, or `"x:"` followed by the bytes of an f64 in hex.
fn real(json: &Json) -> Option<f64> {
    let text = match json {
        Json::Number(number, _) => return Some(*number),
        Json::String(text) if text == "nan" => return Some(f64::NAN),
        Json::String(text) => text,
        _ => return None,
    };
    match text.split_once(':')? {
        ("f", number) => number.parse().ok(),
        ("x", hex) => Some(f64::from_le_bytes(unhex(hex).try_into().ok()?)),
        _ => None,
    }
}

pub fn brief(json: &Json) -> String {
    match json {
        Json::Array(items) => format!("a list of {}", items.len()),
        Json::Object(_) => format!("an object, {:?}", json.get("type")),
        leaf => format!("{leaf:?}"),
    }
}
