//! Writes the references of packages into a Parquet file (`unreal deps --parquet`).
//!
//! Packages are read on all cores. Each core prints the references of a package as lines, which
//! arrive in the order of the files. [`Lines`] turns these lines into rows.

use super::PackageReferences;
use crate::parquet::{Column, Field, Rows, Text, Writer, write_table};
use crate::ui::on_demand;
use gamewire::unreal::ReferenceKind;
use std::io::{self, Write};
use std::path::Path;

/// The table `edges`.
struct Edges {
    file: Text,
    package: Text,
    kind: Text,
    reference: Text,
}

impl Rows for Edges {
    const NAME: &'static str = "edges";
    const VERSION: u32 = 1;

    fn columns(&mut self) -> Vec<&mut dyn Column> {
        vec![&mut self.file, &mut self.package, &mut self.kind, &mut self.reference]
    }
}

impl Edges {
    fn new() -> Self {
        let text = |name| Text::new(Field::new(name).text().dictionary());
        Self {
            file: text("file"),
            package: Text::new(Field::new("package").text().dictionary().bloom_filter()),
            kind: text("kind"),
            reference: Text::new(Field::new("reference").text().dictionary().bloom_filter()),
        }
    }

    /// Adds a row. Returns the size of all texts.
    fn add(&mut self, row: usize, line: &[u8]) -> io::Result<usize> {
        let values: [String; 4] = serde_json::from_slice(line)?;
        let columns = [&mut self.file, &mut self.package, &mut self.kind, &mut self.reference];
        let mut size = 0_usize;
        for (column, value) in columns.into_iter().zip(values) {
            column.push(row, value.as_bytes());
            size = size.saturating_add(column.size());
        }
        Ok(size)
    }
}

/// Writes a Parquet file with a row for each line that `print` writes. The lines must come from the
/// function [`print()`]. Returns the result of `print`, or `false` after an error.
pub fn write(path: &Path, print: impl FnOnce(&mut dyn Write) -> io::Result<bool>) -> bool {
    write_table(path, Edges::new(), |writer| print(&mut Lines { writer, line: Vec::new() }))
}

/// Prints a line for each reference of a package.
pub fn print(
    references: &PackageReferences,
    file: &str,
    package: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (kind, label) in [(ReferenceKind::Import, "import"), (ReferenceKind::Soft, "soft")] {
        for reference in references.names(kind) {
            let line = (file, package, label, on_demand::Text(reference));
            serde_json::to_writer(&mut *out, &line)?;
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}

/// Adds a row for each line that is written.
struct Lines<'w> {
    writer: &'w mut Writer<Edges>,
    /// The start of a line whose end has not been written yet.
    line: Vec<u8>,
}

impl Write for Lines<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                let line = &self.line;
                self.writer.add(|edges, row| edges.add(row, line))?;
                self.line.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
