//! JSON tokens, on one line or indented as `serde_json` does.

use crate::buffer::write_json_escape;
use core::fmt::{self, Write};

/// Whitespace of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// No whitespace.
    Compact,
    /// One line for each element and member, indented by two spaces for each level.
    Pretty,
}

/// A writer of the structure of a document. The caller writes values between the calls.
pub(super) struct JsonWriter<'w> {
    out: &'w mut dyn Write,
    layout: Layout,
    depth: usize,
    /// `true` if the innermost array or object has an element or member.
    has_value: bool,
}

impl fmt::Debug for JsonWriter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonWriter").field("layout", &self.layout).finish_non_exhaustive()
    }
}

impl<'w> JsonWriter<'w> {
    pub(super) fn new(out: &'w mut dyn Write, layout: Layout) -> Self {
        Self { out, layout, depth: 0, has_value: false }
    }

    /// Writes this text as it is, without quotes and escapes.
    pub(super) fn raw(&mut self, text: &str) -> fmt::Result {
        self.out.write_str(text)
    }

    /// Returns the output, so that the caller can write a value on one line.
    pub(super) fn out(&mut self) -> &mut dyn Write {
        &mut *self.out
    }

    pub(super) fn begin_array(&mut self) -> fmt::Result {
        self.begin("[")
    }

    pub(super) fn end_array(&mut self) -> fmt::Result {
        self.end("]")
    }

    pub(super) fn begin_object(&mut self) -> fmt::Result {
        self.begin("{")
    }

    pub(super) fn end_object(&mut self) -> fmt::Result {
        self.end("}")
    }

    fn begin(&mut self, bracket: &str) -> fmt::Result {
        self.depth = self.depth.saturating_add(1);
        self.has_value = false;
        self.out.write_str(bracket)
    }

    fn end(&mut self, bracket: &str) -> fmt::Result {
        self.depth = self.depth.saturating_sub(1);
        if self.has_value && self.layout == Layout::Pretty {
            self.out.write_str("\n")?;
            self.indent()?;
        }
        self.has_value = true;
        self.out.write_str(bracket)
    }

    fn indent(&mut self) -> fmt::Result {
        (0..self.depth).try_for_each(|_| self.out.write_str("  "))
    }

    /// Writes the separator before an element of an array.
    pub(super) fn begin_element(&mut self, is_first: bool) -> fmt::Result {
        self.has_value = true;
        match (self.layout, is_first) {
            (Layout::Compact, true) => return Ok(()),
            (Layout::Compact, false) => return self.out.write_str(","),
            (Layout::Pretty, true) => self.out.write_str("\n")?,
            (Layout::Pretty, false) => self.out.write_str(",\n")?,
        }
        self.indent()
    }

    /// Writes the separator and key of a member of an object. The caller must write its value next.
    pub(super) fn key(&mut self, key: &str, is_first: bool) -> fmt::Result {
        self.begin_element(is_first)?;
        string(self.out, key)?;
        self.out.write_str(if self.layout == Layout::Pretty { ": " } else { ":" })
    }
}

/// Writes a JSON string. Escapes quotes, backslashes and characters below U+0020.
pub(super) fn string(out: &mut dyn Write, text: &str) -> fmt::Result {
    out.write_str("\"")?;
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| matches!(c, '"' | '\\' | '\0'..='\x1F')) {
        let (plain, escaped) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.write_str(plain)?;
        let mut chars = escaped.chars();
        if let Some(character) = chars.next() {
            write_json_escape(out, character)?;
        }
        rest = chars.as_str();
    }
    out.write_str(rest)?;
    out.write_str("\"")
}
