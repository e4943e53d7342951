//! Compares the meaning of two values.

use crate::support::godot::oracle::{Real, Value, seen};
use gamewire::godot::Dialect;

/// The rules by which two values have the same meaning. [`Meaning::of`] removes from a value the
/// details that only some dialects can express, and those that the writer chooses, so that the
/// results can be compared.
#[derive(Clone, Copy)]
pub struct Meaning {
    /// `true` if floats are compared after rounding to 32 bits.
    pub narrow: bool,
    /// `true` if the "shared" flag is compared.
    pub shared: bool,
}

impl Meaning {
    /// Returns the rules for comparing a value with its encoding in the dialect `to`.
    pub fn written_in(to: Dialect) -> Self {
        let keeps_shared = !matches!(to, Dialect::Godot3 | Dialect::Godot4);
        Self { narrow: to == Dialect::Godot2, shared: keeps_shared }
    }

    pub fn of(self, value: Value) -> Value {
        match value {
            Value::Int { value, .. } => Value::Int { value, wide: false },
            Value::Float(real) if self.narrow => Value::Float(narrow(real)),
            Value::Float(real) => Value::Float(widen(real)),
            Value::Reals(kind, reals) => Value::Reals(kind, reals.into_iter().map(widen).collect()),
            Value::RealArray(kind, items) => {
                let items = items.into_iter().map(|item| item.into_iter().map(widen).collect());
                Value::RealArray(kind, items.collect())
            }
            Value::ObjectNull | Value::ObjectId(0) => Value::Nil,
            Value::Rid(id) => Value::Rid(Some(id.unwrap_or(0))),
            Value::OldNodePath(path) => split_path(&path),
            Value::Strings(texts) => Value::Strings(texts.into_iter().map(trimmed).collect()),
            Value::NodePath { absolute, names, mut subnames, property } => {
                subnames.extend(property);
                Value::NodePath { absolute, names, subnames, property: None }
            }
            Value::InputEvent { kind, device, body, .. } => {
                Value::InputEvent { kind, device, length: 0, body }
            }
            container => self.container(container),
        }
    }

    fn container(self, value: Value) -> Value {
        match value {
            Value::Array { shared, element, items } => Value::Array {
                shared: shared && self.shared,
                element,
                items: items.into_iter().map(|item| self.of(item)).collect(),
            },
            Value::Dictionary { shared, key, value, pairs } => Value::Dictionary {
                shared: shared && self.shared,
                key,
                value,
                pairs: pairs.into_iter().map(|(k, v)| (self.of(k), self.of(v))).collect(),
            },
            Value::Object { class, properties } => Value::Object {
                class,
                properties: properties.into_iter().map(|(n, v)| (n, self.of(v))).collect(),
            },
            leaf => leaf,
        }
    }
}

/// Splits a path in the old form into names and subnames, as the engine does. Uses the text that a
/// script sees.
fn split_path(path: &[u8]) -> Value {
    let path = seen(path);
    let colon = path.iter().position(|&byte| byte == b':').unwrap_or(path.len());
    let parts = |text: &[u8], by: u8| {
        let parts = text.split(|&byte| byte == by).filter(|part| !part.is_empty());
        parts.map(<[u8]>::to_vec).collect()
    };
    Value::NodePath {
        absolute: path.first() == Some(&b'/'),
        names: parts(&path[..colon], b'/'),
        subnames: parts(&path[colon..], b':'),
        property: None,
    }
}

/// Removes the NULs at the end of text, because no script sees them.
fn trimmed(mut text: Vec<u8>) -> Vec<u8> {
    while text.last() == Some(&0) {
        text.pop();
    }
    text
}

fn widen(real: Real) -> Real {
    match real {
        Real::F32(bits) => Real::F64(quiet(f64::from(f32::from_bits(bits)))),
        Real::F64(bits) => Real::F64(quiet(f64::from_bits(bits))),
    }
}

#[allow(clippy::cast_possible_truncation)] // the cast rounds to 32 bits
fn narrow(real: Real) -> Real {
    let number = match real {
        Real::F32(bits) => f32::from_bits(bits),
        Real::F64(bits) => f64::from_bits(bits) as f32,
    };
    Real::F64(quiet(f64::from(number)))
}

/// Returns the bits of a number, with the same bits for all NaNs. A conversion between the widths
/// can change the payload of a NaN.
fn quiet(number: f64) -> u64 {
    if number.is_nan() { f64::NAN.to_bits() } else { number.to_bits() }
}

/// Makes signalling NaNs in scalar floats of 32 bits quiet. The crate and the engine convert a
/// scalar float to an `f64`, which has the same effect.
pub fn with_quiet_nans(value: Value) -> Value {
    let quiet = |value: Value| with_quiet_nans(value);
    match value {
        Value::Float(Real::F32(bits)) if f32::from_bits(bits).is_nan() => {
            Value::Float(Real::F32(bits | 0x0040_0000))
        }
        Value::Array { shared, element, items } => {
            Value::Array { shared, element, items: items.into_iter().map(quiet).collect() }
        }
        Value::Dictionary { shared, key, value, pairs } => {
            let pairs = pairs.into_iter().map(|(k, v)| (quiet(k), quiet(v))).collect();
            Value::Dictionary { shared, key, value, pairs }
        }
        Value::Object { class, properties } => {
            let properties = properties.into_iter().map(|(name, v)| (name, quiet(v))).collect();
            Value::Object { class, properties }
        }
        leaf => leaf,
    }
}
