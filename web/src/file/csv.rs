//! The values of a file as a table.

use crate::file::place::{Part, Row, Source};
use crate::file::walk::Walk;
use std::fmt::Write;

/// An export that is under way.
#[derive(Debug)]
pub struct Csv {
    walk: Walk,
    is_begun: bool,
}

impl Csv {
    pub fn new(source: &dyn Source, bytes: &[u8]) -> Self {
        Self { walk: Walk::new(source, bytes, true), is_begun: false }
    }

    /// Appends the lines of up to `budget` values. Returns the offset that was reached, and whether
    /// all values were seen.
    pub fn run(
        &mut self,
        source: &dyn Source,
        bytes: &[u8],
        budget: usize,
        out: &mut String,
    ) -> (usize, bool) {
        if !self.is_begun {
            out.push_str("path,type,value,offset,length\r\n");
            self.is_begun = true;
        }
        for _ in 0..budget {
            let Some(row) = self.walk.next(source, bytes) else { return (bytes.len(), true) };
            // The text of a packed array of Godot has all its elements.
            let text = source.text(bytes, self.walk.places(), Part::Value);
            if row.can_open && text.is_empty() && self.walk.enter(source, bytes) {
                continue;
            }
            self.line(&row, &text, out);
        }
        (self.walk.offset(), false)
    }

    fn line(&self, row: &Row, text: &str, out: &mut String) {
        // The text of a row can be cut off, so it is only used if there is no other.
        let text = if text.is_empty() { &row.text } else { text };
        for cell in [&self.walk.path(), &row.kind, text] {
            cell_to(cell, out);
            out.push(',');
        }
        let value = self.walk.places().last().map_or(0..0, |place| place.value.clone());
        let _ = write!(out, "{},{}\r\n", value.start, value.len());
    }
}

/// Appends a cell, in quotes if it needs them (RFC 4180).
fn cell_to(text: &str, out: &mut String) {
    if text.contains([',', '"', '\r', '\n']) {
        let _ = write!(out, "\"{}\"", text.replace('"', "\"\""));
    } else {
        out.push_str(text);
    }
}
