//! `Display` and `Debug` of owned values.

use super::{Object, Variant};
use crate::godot::write::writer::in_some_dialect;
use crate::godot::{Dialect, Encoded, StrRef};
use core::fmt;

/// The maximum number of nested containers that `Debug` prints. A limit is needed, because `Debug`
/// of Rust's collections recurses once per level. The engines' text notation has a similar limit.
const DEBUG_LEVELS: u32 = 100;

/// Prints Godot 4's [text notation](crate::godot::notation), which
/// [`FromStr`](core::str::FromStr) reads. Containers are encoded before they are printed. A value
/// that is too deep, or that no dialect can represent, is printed as by `Debug`.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Leaf(leaf) = self {
            return fmt::Display::fmt(&leaf.get(), f);
        }
        match in_some_dialect(self, self.dialect()) {
            Ok((bytes, dialect)) => {
                Encoded::trusted(&bytes, dialect).decode().printed_as(Dialect::Godot4).fmt(f)
            }
            Err(_) => fmt::Debug::fmt(self, f),
        }
    }
}

/// Containers are printed like Rust's collections, and containers nested deeper than 100 levels as
/// `…`.
impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Nested { value: self, levels: DEBUG_LEVELS }.fmt(f)
    }
}

/// Containers nested deeper than 100 levels are printed as `…`.
impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print_object(self, DEBUG_LEVELS.saturating_sub(1), f)
    }
}

/// A value, printed with at most `levels` levels of containers.
struct Nested<'v> {
    value: &'v Variant,
    levels: u32,
}

impl fmt::Debug for Nested<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Variant::Leaf(leaf) = self.value {
            return leaf.fmt(f);
        }
        let Some(levels) = self.levels.checked_sub(1) else { return f.write_str("…") };
        let nested = |value| Self { value, levels };
        match self.value {
            Variant::Leaf(leaf) => leaf.fmt(f),
            Variant::Array(array) => {
                f.debug_list().entries(array.items.iter().map(nested)).finish()
            }
            Variant::Dictionary(dictionary) => {
                let pairs = dictionary.pairs.iter();
                f.debug_map()
                    .entries(pairs.map(|(key, value)| (nested(key), nested(value))))
                    .finish()
            }
            Variant::Object(object) => print_object(object, levels, f),
        }
    }
}

/// Prints an object whose properties have at most `levels` levels of containers.
fn print_object(object: &Object, levels: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let properties = Properties { object, levels };
    f.debug_struct("Object")
        .field("class", &object.class())
        .field("properties", &properties)
        .finish()
}

/// The properties of an object, printed like a map.
struct Properties<'v> {
    object: &'v Object,
    levels: u32,
}

impl fmt::Debug for Properties<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        for (name, value) in &self.object.properties {
            map.entry(&StrRef::new(name), &Nested { value, levels: self.levels });
        }
        map.finish()
    }
}
