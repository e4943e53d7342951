//! Lists a schema as rows, one per location with its path.

use super::facts::Facts;
use super::shape::{Items, Shape};
use crate::godot::query::path::Segment;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A location, as listed by [`Shape::rows`].
///
/// The path has the syntax of [`path`](crate::godot::path), with names and indices; `[]` is any
/// element of a list and `{}` any value of a map. The path of the packet itself is empty.
#[derive(Clone, Debug)]
pub struct Row<'s> {
    /// The path of the location.
    pub path: String,
    /// The number of values that the location could have. For a field, this is the number of
    /// records, including those that lack the field. For any other location, it is the number of
    /// values in `shape`.
    pub of: u64,
    /// The values at the location.
    pub shape: &'s Shape,
}

impl Row<'_> {
    /// Returns `true` if some records lack this field.
    pub fn is_optional(&self) -> bool {
        self.shape.seen() < self.of
    }
}

impl Shape {
    /// Returns this location and all non-empty locations nested in it. A location precedes those
    /// nested in it.
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

/// Formats a name as a path segment, quoted if it looks like the wildcard of a map.
fn segment(name: &str) -> String {
    let segment = Segment::Property(name.into()).to_string();
    if segment.starts_with('{') { format!("\"{segment}\"") } else { segment }
}
