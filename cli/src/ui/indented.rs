//! Indented JSON.

use serde_json::ser::Formatter;
use std::io::{self, Write};

/// Formats JSON exactly as `serde_json::ser::PrettyFormatter` does, but writes the line break
/// before a value together with its indentation. In the document of a save, half of the bytes are
/// indentation, which `PrettyFormatter` writes two bytes at a time.
#[derive(Default)]
pub struct Indented {
    depth: usize,
    /// `true` if the innermost array or object already has a value.
    has_value: bool,
}

/// Maximum depth of a value whose indentation is written at once.
const AT_ONCE: usize = 64;

/// A comma, a line break, and two spaces for each level.
const BREAK: [u8; 2 + 2 * AT_ONCE] = {
    let mut all = [b' '; 2 + 2 * AT_ONCE];
    all[0] = b',';
    all[1] = b'\n';
    all
};

impl Indented {
    /// Begins a line, after a comma unless `first`.
    #[inline]
    fn begin_line<W: ?Sized + Write>(&self, writer: &mut W, first: bool) -> io::Result<()> {
        let at_once = self.depth.min(AT_ONCE);
        let range = usize::from(first)..at_once.saturating_mul(2).saturating_add(2);
        writer.write_all(BREAK.get(range).unwrap_or_default())?;
        (at_once..self.depth).try_for_each(|_| writer.write_all(b"  "))
    }

    fn begin<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: u8) -> io::Result<()> {
        self.depth = self.depth.saturating_add(1);
        self.has_value = false;
        writer.write_all(&[bracket])
    }

    fn end<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: u8) -> io::Result<()> {
        self.depth = self.depth.saturating_sub(1);
        if self.has_value {
            self.begin_line(writer, true)?;
        }
        writer.write_all(&[bracket])
    }
}

impl Formatter for Indented {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b'[')
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b']')
    }

    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.begin_line(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b'{')
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b'}')
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.begin_line(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }
}

/// Writes a value as indented JSON.
pub fn write<W: Write>(to: W, value: &(impl serde::Serialize + ?Sized)) -> io::Result<()> {
    value.serialize(&mut serde_json::Serializer::with_formatter(to, Indented::default()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn indents_as_serde_json_does() {
        let deep = (0..AT_ONCE + 3).fold(json!([1, {}]), |inner, _| json!([[], inner, "text"]));
        for value in [json!({"a": [], "b": {"c": [1, null, {"d": "é\n"}]}, "e": {}}), deep] {
            let mut text = Vec::new();
            write(&mut text, &value).unwrap();
            assert_eq!(text, serde_json::to_vec_pretty::<Value>(&value).unwrap());
        }
    }
}
