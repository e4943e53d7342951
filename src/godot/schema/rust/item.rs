//! Definitions of types in the style of `rustfmt`.

use super::types::must_borrow;
use crate::godot::schema::{Facts, Items, Shape};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

/// Maximum length of a line.
const COLUMNS: usize = 100;
/// Maximum length of an attribute's arguments on one line.
const ARGUMENT_COLUMNS: usize = 70;

/// The attributes of each struct.
pub(super) const STRUCT: &str = "#[derive(Clone, Debug, Deserialize, Serialize)]\n";

/// The definition of a type.
#[derive(Default)]
pub(super) struct Item {
    pub name: String,
    pub text: String,
    /// The types that the definition contains.
    types: Vec<String>,
}

impl Item {
    /// Returns the lifetime parameters after the name, if the type borrows from the packet.
    pub(super) fn lifetime(&self) -> &'static str {
        lifetime(&self.types)
    }

    /// Returns `true` if the definition contains the type or starts with the text.
    pub(super) fn uses(&self, part: &str) -> bool {
        self.text.starts_with(part) || self.types.iter().any(|ty| ty.contains(part))
    }
}

fn lifetime(types: &[String]) -> &'static str {
    if types.iter().any(|ty| ty.contains("'a")) { "<'a>" } else { "" }
}

/// A field of a struct.
pub(super) struct Field<'k> {
    pub name: String,
    pub key: &'k str,
    pub ty: String,
    /// `true` if some records lack the field.
    pub is_optional: bool,
    /// `true` if `None` always means absent, never null.
    pub is_absent: bool,
    /// A comment on the values.
    pub note: String,
}

/// Defines a type alias.
pub(super) fn alias(name: &str, ty: String) -> Item {
    let types = Vec::from([ty]);
    let (lifetime, ty) = (lifetime(&types), types.concat());
    let mut text = format!("pub type {name}{lifetime} = {ty};\n");
    if is_long(&text) {
        text = format!("pub type {name}{lifetime} =\n    {ty};\n");
    }
    Item { name: name.into(), text, types }
}

/// Defines a struct with a field for each key.
pub(super) fn record(name: String, fields: Vec<Field<'_>>) -> Item {
    let mut text = String::new();
    for field in &fields {
        if !field.note.is_empty() {
            text.push_str(&format!("    // {}\n", field.note));
        }
        text.push_str(&field.attributes());
        let Field { name, ty, .. } = field;
        let line = format!("    pub {name}: {ty},\n");
        text.push_str(&if is_long(&line) {
            format!("    pub {name}:\n        {ty},\n")
        } else {
            line
        });
    }
    let types: Vec<_> = fields.into_iter().map(|field| field.ty).collect();
    let text = format!("{STRUCT}pub struct {name}{} {{\n{text}}}\n", lifetime(&types));
    Item { name, text, types }
}

/// Defines a tuple struct with a field for each element.
pub(super) fn tuple(name: String, types: Vec<String>) -> Item {
    let borrow = |ty: &str| if must_borrow(ty) { "#[serde(borrow)] " } else { "" };
    let places: Vec<_> = types.iter().map(|ty| format!("{}pub {ty}", borrow(ty))).collect();
    let lifetime = lifetime(&types);
    let mut line = format!("pub struct {name}{lifetime}({});\n", places.join(", "));
    if is_long(&line) || types.iter().any(|ty| must_borrow(ty)) {
        line = format!("pub struct {name}{lifetime}(\n    {},\n);\n", places.join(",\n    "));
    }
    Item { text: format!("{STRUCT}{line}"), name, types }
}

impl Field<'_> {
    /// Returns the serde attributes.
    fn attributes(&self) -> String {
        let mut text = String::new();
        if self.name != self.key {
            text.push_str(&rename(self.key));
        }
        let others = [
            ("borrow", must_borrow(&self.ty)),
            ("default", self.is_optional),
            ("skip_serializing_if = \"Option::is_none\"", self.is_absent),
        ];
        let others = others.iter().filter(|(_, is_set)| *is_set).map(|(name, _)| *name);
        let others = others.collect::<Vec<_>>().join(", ");
        if !others.is_empty() {
            text.push_str(&format!("    #[serde({others})]\n"));
        }
        text
    }
}

fn rename(key: &str) -> String {
    let rename = format!("rename = {key:?}");
    if rename.chars().count() <= ARGUMENT_COLUMNS {
        return format!("    #[serde({rename})]\n");
    }
    format!("    #[serde(\n        {rename}\n    )]\n")
}

/// Returns `true` if `rustfmt` would break the line. `line` includes its line end.
fn is_long(line: &str) -> bool {
    line.chars().count() > COLUMNS.saturating_add(1)
}

/// Describes the frequency and the range of the values at a location. The location occurs in
/// `records` records.
pub(super) fn note(shape: &Shape, records: u64) -> String {
    let mut note = String::new();
    if shape.seen() < records {
        let _ = write!(note, "{} of {records}", shape.seen()); // writing to a String cannot fail
    }
    for facts in shape.facts() {
        let separator = if note.is_empty() { "" } else { "; " };
        let _ = match (shape.facts(), details(facts)) {
            ([_], None) => Ok(()),
            ([_], Some(details)) => write!(note, "{separator}{details}"),
            (_, None) => write!(note, "{separator}{} {:?}", facts.seen(), facts.kind()),
            (_, Some(details)) => {
                write!(note, "{separator}{} {:?}: {details}", facts.seen(), facts.kind())
            }
        };
    }
    note
}

/// Describes details of values that their Rust type does not express.
fn details(facts: &Facts) -> Option<String> {
    let is_told = matches!(facts.items(), Items::Fields(_) | Items::Places(_));
    Some(facts.to_string()).filter(|details| !is_told && !details.is_empty())
}
