//! A Parquet file: its schema, its groups of rows, its metadata.

use super::column::Column;
use crate::ui::file_output::FileOutput;
use crate::ui::input::Input;
use crate::ui::report;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Maximum number of rows in a group. Readers read groups in parallel.
const MAX_ROWS: usize = 1 << 17;
/// Estimated size in bytes of a row, without the columns whose values can be long.
const ROW_SIZE: usize = 160;
/// Size of a group of rows in bytes, before compression, if one file is open at a time.
pub const GROUP_SIZE: usize = 64 << 20;

/// The rows of a table that are not written yet.
pub trait Rows {
    /// Name of the table.
    const NAME: &'static str;
    /// Version of the schema. It changes when a column changes its name, type or meaning.
    const VERSION: u32;

    /// Returns the columns, in the order of the schema.
    fn columns(&mut self) -> Vec<&mut dyn Column>;
}

/// A file that is being written. The file at the path changes only when [`commit`](Self::commit)
/// succeeds.
pub struct TableFile {
    writer: SerializedFileWriter<FileOutput>,
}

impl TableFile {
    /// Creates a file for a table.
    pub fn create<R: Rows>(path: &Path, table: &mut R) -> io::Result<Self> {
        let columns = table.columns();
        let mut fields = Vec::with_capacity(columns.len());
        for column in &columns {
            fields.push(column.field().schema(column.physical()).map_err(io_error)?);
        }
        let schema = Type::group_type_builder(R::NAME).with_fields(fields).build();
        let schema = Arc::new(schema.map_err(io_error)?);
        let metadata = [
            ("gamewire.schema", R::VERSION.to_string()),
            ("gamewire.version", env!("CARGO_PKG_VERSION").to_owned()),
        ];
        let metadata = metadata.map(|(key, value)| KeyValue::new(key.to_owned(), value)).to_vec();
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(format!("gamewire version {}", env!("CARGO_PKG_VERSION")))
            .set_key_value_metadata(Some(metadata));
        let properties = columns
            .iter()
            .fold(properties, |properties, column| column.field().properties(properties));
        let file = FileOutput::create(path)?;
        let writer = SerializedFileWriter::new(file, schema, Arc::new(properties.build()));
        Ok(Self { writer: writer.map_err(io_error)? })
    }

    /// Writes the rows of the table as a group, and removes them. `rows` is their number.
    pub fn write<R: Rows>(&mut self, table: &mut R, rows: usize) -> io::Result<()> {
        self.write_group(table, rows).map_err(io_error)
    }

    fn write_group<R: Rows>(&mut self, table: &mut R, rows: usize) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        for column in table.columns() {
            if let Some(mut writer) = group.next_column()? {
                column.write(rows, &mut writer)?;
                writer.close()?;
            }
        }
        group.close().map(drop)
    }

    /// Returns the number of bytes that are written.
    pub fn size(&self) -> u64 {
        self.writer.bytes_written() as u64
    }

    /// Writes the metadata, and replaces the file at the path.
    pub fn commit(self) -> io::Result<()> {
        self.writer.into_inner().map_err(io_error)?.commit()
    }
}

/// Returns the error of the output, if this is what failed.
fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}

/// Writes a table into one file, with the rows that `fill` adds. If this fails, reports the error
/// and returns `false`. Otherwise, returns the result of `fill`.
pub fn write_table<R: Rows>(
    path: &Path,
    table: R,
    fill: impl FnOnce(&mut Writer<R>) -> io::Result<bool>,
) -> bool {
    let written = Writer::create(path, table, GROUP_SIZE).and_then(|mut writer| {
        let ok = fill(&mut writer)?;
        writer.commit()?;
        Ok(ok)
    });
    written.unwrap_or_else(|error| {
        report::error(&Input::new(path).name(), error);
        false
    })
}

/// A writer of rows, in groups of bounded size.
pub struct Writer<R> {
    file: TableFile,
    table: R,
    rows: usize,
    /// Size in bytes of a group of rows, approximately.
    group_size: usize,
}

impl<R: Rows> Writer<R> {
    pub fn create(path: &Path, mut table: R, group_size: usize) -> io::Result<Self> {
        Ok(Self { file: TableFile::create(path, &mut table)?, table, rows: 0, group_size })
    }

    /// Adds a row. `add` gets the table and the number of the row in it. It returns the size in
    /// bytes of the columns whose values can be long.
    pub fn add(&mut self, add: impl FnOnce(&mut R, usize) -> io::Result<usize>) -> io::Result<()> {
        let texts = add(&mut self.table, self.rows)?;
        self.rows = self.rows.saturating_add(1);
        let size = self.rows.saturating_mul(ROW_SIZE).saturating_add(texts);
        if self.rows >= MAX_ROWS || size >= self.group_size {
            self.write_group()?;
        }
        Ok(())
    }

    fn write_group(&mut self) -> io::Result<()> {
        if self.rows > 0 {
            self.file.write(&mut self.table, self.rows)?;
            self.rows = 0;
        }
        Ok(())
    }

    /// Returns the number of bytes that are written to the file.
    pub fn size(&self) -> u64 {
        self.file.size()
    }

    /// Writes the last rows and the metadata, and replaces the file at the path.
    pub fn commit(mut self) -> io::Result<()> {
        self.write_group()?;
        self.file.commit()
    }
}
