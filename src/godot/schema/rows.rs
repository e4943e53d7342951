//! A row for each place, and the path to it.

use super::facts::Facts;
use super::shape::{Items, Shape};
use crate::godot::query::path::Segment;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A place, as [`Shape::rows`] lists it.
///
/// A path leads to the value as in [`path`](crate::godot::path), by names and indices; `[]` is
/// any element of a list and `{}` any value of a map. That of the packet itself is empty.
#[derive(Clone, Debug)]
pub struct Row<'s> {
    /// The path that leads there.
    pub path: String,
    /// How many values this could have been in: of a field how many records there are, of
    /// anything else as many as there are values.
    pub of: u64,
    /// What was seen there.
    pub shape: &'s Shape,
}

impl Row<'_> {
    /// Whether some records do not have this field.
    pub fn is_optional(&self) -> bool {
        self.shape.seen() < self.of
    }
}

impl Shape {
    /// This place and those inside of it where something was seen, each before what it
    /// contains.
    pub fn rows(&self) -> Vec<Row<'_>> {
        let mut rows = Vec::new();
        list(self, String::new(), self.seen, &mut rows);
        rows
    }
}

fn list<'s>(shape: &'s Shape, path: String, of: u64, rows: &mut Vec<Row<'s>>) {
    if shape.seen == 0 {
        return;
    }
    rows.push(Row { path: path.clone(), of, shape });
    shape.facts.iter().for_each(|facts| list_items(facts, &path, rows));
}

fn list_items<'s>(facts: &'s Facts, path: &str, rows: &mut Vec<Row<'s>>) {
    let below = |segment: &str| match path {
        "" => segment.to_string(),
        _ => format!("{path}/{segment}"),
    };
    match &facts.items {
        Items::None => {}
        Items::Elements(any) => list(any, below("[]"), any.seen, rows),
        Items::Values(any) => list(any, below("{}"), any.seen, rows),
        Items::Places(places) => {
            for (index, place) in places.iter().enumerate() {
                list(place, below(&index.to_string()), place.seen, rows);
            }
        }
        Items::Fields(fields) => {
            for (name, field) in fields.iter() {
                list(&field.shape, below(&segment(name)), facts.opened(), rows);
            }
        }
    }
}

/// A name as a path has it, and in quotes where it could be taken for any value of a map.
fn segment(name: &str) -> String {
    let segment = Segment::Property(name.into()).to_string();
    if segment.starts_with('{') { format!("\"{segment}\"") } else { segment }
}
