//! Names for types and fields, made from keys, which may be any text.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use heck::{ToSnakeCase, ToUpperCamelCase};

/// Maximum length of a name, so that most lines fit in the 100 columns of `rustfmt`.
const LONGEST: usize = 32;

/// Names that generated types cannot have, because the generated code or the prelude uses them.
const TYPES: [&str; 16] = [
    "BTreeMap",
    "Box",
    "Clone",
    "Debug",
    "Default",
    "Deserialize",
    "Err",
    "None",
    "Ok",
    "Option",
    "Result",
    "Self",
    "Serialize",
    "Some",
    "String",
    "Vec",
];

/// Rust's strict and reserved keywords.
const KEYWORDS: [&str; 52] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "union", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// A location for which a type is needed.
#[derive(Clone, Copy)]
pub(super) struct At<'k> {
    /// The type that contains the location; empty for the packet itself.
    pub parent: &'k str,
    /// The name of the location.
    pub name: &'k str,
}

impl<'k> At<'k> {
    /// Returns the location of the items of a list or map. For example, an item of `players` is
    /// called `player`.
    pub(super) fn item(self) -> At<'k> {
        match self.parent {
            "" => At { parent: self.name, name: "item" },
            _ => At { name: singular(self.name), ..self },
        }
    }
}

/// Removes the `s` at the end of a plural.
fn singular(name: &str) -> &str {
    let ends_otherwise = ["ss", "us", "is", "as", "os"].iter().any(|end| name.ends_with(end));
    match name.strip_suffix('s') {
        Some(one) if one.len() > 1 && !ends_otherwise => one,
        _ => name,
    }
}

/// The names in use.
#[derive(Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    /// Creates the names of types, including that of the packet.
    pub(super) fn of_types(packet: &str) -> Self {
        Self(TYPES.iter().chain([&packet]).map(ToString::to_string).collect())
    }

    /// Returns a name for a type: the name of its location. If this name is in use, prefixes it
    /// with the name of the parent type.
    pub(super) fn ty(&mut self, at: At<'_>) -> String {
        let own = plain(at.name).to_upper_camel_case();
        if at.parent.is_empty() {
            return at.name.into();
        }
        if own.starts_with(|first: char| first.is_ascii_alphabetic()) && self.take(&own) {
            return own;
        }
        self.numbered(&format!("{}{own}", at.parent), "")
    }

    /// Returns a name for a field.
    pub(super) fn field(&mut self, key: &str) -> String {
        let name = plain(key).to_snake_case();
        let name = match name.as_bytes().first() {
            None => "field".into(),
            Some(b'0'..=b'9') => format!("_{name}"),
            Some(_) if KEYWORDS.contains(&&*name) => format!("{name}_"),
            Some(_) => name,
        };
        self.numbered(&name, "_")
    }

    /// Returns the name if it is unused. Otherwise appends the smallest number, from 2 on, that
    /// makes it unique.
    fn numbered(&mut self, name: &str, separator: &str) -> String {
        let name = name.get(..LONGEST).unwrap_or(name);
        if self.take(name) {
            return name.into();
        }
        let stem = name.strip_suffix('_').unwrap_or(name); // gives `self_2`, and not `self__2`
        let mut numbered = (2_u64..).map(|number| format!("{stem}{separator}{number}"));
        numbered.find(|name| self.0.insert(name.clone())).unwrap_or_default()
    }

    /// Registers a name. Returns `false` if it is too long or in use.
    fn take(&mut self, name: &str) -> bool {
        name.len() <= LONGEST && self.0.insert(name.into())
    }
}

/// Replaces all characters except ASCII letters and digits with spaces. Identifiers may contain
/// many other letters, but not all of them, and some letters cause warnings.
fn plain(key: &str) -> String {
    key.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect()
}
