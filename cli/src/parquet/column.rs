//! The values of a column that are not written yet.
//!
//! A value is added together with the number of its row. Rows without a value are not added. They
//! become null when the next value is added or when the column is written. Therefore, a column
//! without values takes no time for each row.

use super::field::Field;
use bytes::Bytes;
use parquet::basic::Type as Physical;
use parquet::data_type::{ByteArray, ByteArrayType, DataType};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedColumnWriter;
use std::io;
use std::mem;

/// A column of a table.
pub trait Column {
    fn field(&self) -> &Field;

    fn physical(&self) -> Physical;

    /// Returns the size of the values in bytes. Includes the levels of lists, but no other levels.
    fn size(&self) -> usize;

    /// Writes the values of all `rows`, and removes them.
    fn write(
        &mut self,
        rows: usize,
        writer: &mut SerializedColumnWriter<'_>,
    ) -> Result<(), ParquetError>;
}

/// Definition levels of a column without lists.
const NULL: i16 = 0;
const PRESENT: i16 = 1;

/// A column of numbers or truth values.
pub struct Numbers<T: DataType> {
    field: Field,
    values: Vec<T::T>,
    levels: Vec<i16>,
}

impl<T: DataType> Numbers<T> {
    pub fn new(field: Field) -> Self {
        Self { field, values: Vec::new(), levels: Vec::new() }
    }

    /// Sets the value of a row.
    #[inline]
    pub fn push(&mut self, row: usize, value: T::T) {
        mark(&self.field, &mut self.levels, row);
        self.values.push(value);
    }

    /// Sets the value of a row, if there is one.
    #[inline]
    pub fn push_some(&mut self, row: usize, value: Option<T::T>) {
        if let Some(value) = value {
            self.push(row, value);
        }
    }
}

/// Records that a row has a value.
#[inline]
fn mark(field: &Field, levels: &mut Vec<i16>, row: usize) {
    if field.is_nullable() {
        levels.resize(row, NULL);
        levels.push(PRESENT);
    }
}

impl<T: DataType> Column for Numbers<T> {
    fn field(&self) -> &Field {
        &self.field
    }

    fn physical(&self) -> Physical {
        T::get_physical_type()
    }

    fn size(&self) -> usize {
        mem::size_of_val(self.values.as_slice())
    }

    fn write(
        &mut self,
        rows: usize,
        writer: &mut SerializedColumnWriter<'_>,
    ) -> Result<(), ParquetError> {
        self.levels.resize(rows, NULL);
        let levels = self.field.is_nullable().then_some(self.levels.as_slice());
        writer.typed::<T>().write_batch(&self.values, levels, None)?;
        self.values.clear();
        self.levels.clear();
        Ok(())
    }
}

/// A column of text, JSON or bytes.
pub struct Text {
    field: Field,
    texts: Texts,
    levels: Vec<i16>,
}

impl Text {
    pub fn new(field: Field) -> Self {
        Self { field, texts: Texts::default(), levels: Vec::new() }
    }

    /// Sets the value of a row.
    #[inline]
    pub fn push(&mut self, row: usize, text: &[u8]) {
        mark(&self.field, &mut self.levels, row);
        self.texts.push(text);
    }

    /// Sets the value of a row, if there is one.
    #[inline]
    pub fn push_some(&mut self, row: usize, text: Option<&[u8]>) {
        if let Some(text) = text {
            self.push(row, text);
        }
    }

    /// Sets the value of a row to what `print` appends. The row has no value if `print` appends
    /// nothing.
    #[inline]
    pub fn print(
        &mut self,
        row: usize,
        print: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
    ) -> io::Result<()> {
        let Texts { bytes, ends } = &mut self.texts;
        let start = bytes.len();
        print(bytes)?;
        if bytes.len() > start {
            ends.push(bytes.len());
            mark(&self.field, &mut self.levels, row);
        }
        Ok(())
    }
}

impl Column for Text {
    fn field(&self) -> &Field {
        &self.field
    }

    fn physical(&self) -> Physical {
        Physical::BYTE_ARRAY
    }

    fn size(&self) -> usize {
        self.texts.bytes.len()
    }

    fn write(
        &mut self,
        rows: usize,
        writer: &mut SerializedColumnWriter<'_>,
    ) -> Result<(), ParquetError> {
        let bytes = ByteArray::from(mem::take(&mut self.texts.bytes));
        let mut start = 0;
        let ends = self.texts.ends.drain(..);
        let texts = ends.map(|end| {
            let text = bytes.slice(start, end.saturating_sub(start));
            start = end;
            text
        });
        write_texts(&self.field, &mut self.levels, rows, texts, writer)
    }
}

/// Number of rows that are written at a time. The values of these rows fit into a fast cache.
const BATCH: usize = 1024;

/// Writes the texts of a column, and removes its levels.
fn write_texts(
    field: &Field,
    levels: &mut Vec<i16>,
    rows: usize,
    mut texts: impl Iterator<Item = ByteArray>,
    writer: &mut SerializedColumnWriter<'_>,
) -> Result<(), ParquetError> {
    let writer = writer.typed::<ByteArrayType>();
    let mut batch = Vec::with_capacity(BATCH);
    if field.is_nullable() {
        levels.resize(rows, NULL);
        for levels in levels.chunks(BATCH) {
            let present = levels.iter().filter(|level| **level == PRESENT).count();
            batch.clear();
            batch.extend(texts.by_ref().take(present));
            writer.write_batch(&batch, Some(levels), None)?;
        }
        levels.clear();
        return Ok(());
    }
    loop {
        batch.clear();
        batch.extend(texts.by_ref().take(BATCH));
        if batch.is_empty() {
            return Ok(());
        }
        writer.write_batch(&batch, None, None)?;
    }
}

/// A column of names that the program contains.
pub struct Names {
    field: Field,
    names: Vec<&'static str>,
    levels: Vec<i16>,
}

impl Names {
    pub fn new(field: Field) -> Self {
        Self { field, names: Vec::new(), levels: Vec::new() }
    }

    /// Sets the value of a row.
    #[inline]
    pub fn push(&mut self, row: usize, name: &'static str) {
        mark(&self.field, &mut self.levels, row);
        self.names.push(name);
    }

    /// Sets the value of a row, if there is one.
    #[inline]
    pub fn push_some(&mut self, row: usize, name: Option<&'static str>) {
        if let Some(name) = name {
            self.push(row, name);
        }
    }
}

impl Column for Names {
    fn field(&self) -> &Field {
        &self.field
    }

    fn physical(&self) -> Physical {
        Physical::BYTE_ARRAY
    }

    fn size(&self) -> usize {
        mem::size_of_val(self.names.as_slice())
    }

    fn write(
        &mut self,
        rows: usize,
        writer: &mut SerializedColumnWriter<'_>,
    ) -> Result<(), ParquetError> {
        // Static bytes have no counter of references, so they are faster to copy.
        let names = self.names.drain(..);
        let names = names.map(|name| ByteArray::from(Bytes::from_static(name.as_bytes())));
        write_texts(&self.field, &mut self.levels, rows, names, writer)
    }
}

/// Texts in one buffer.
#[derive(Debug, Default)]
struct Texts {
    bytes: Vec<u8>,
    /// Index of the end of each text in `bytes`.
    ends: Vec<usize>,
}

impl Texts {
    fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len());
    }

    /// Returns the texts, which share one buffer, and removes them.
    fn take(&mut self) -> Vec<ByteArray> {
        let bytes = ByteArray::from(mem::take(&mut self.bytes));
        let mut start = 0;
        let texts = self.ends.drain(..).map(|end| {
            let text = bytes.slice(start, end.saturating_sub(start));
            start = end;
            text
        });
        texts.collect()
    }
}

/// Levels of a column of lists. Each list has an entry for each of its elements, or one entry if it
/// is null. A list has at least one element that is not null.
#[derive(Debug, Default)]
struct ListLevels {
    definition: Vec<i16>,
    repetition: Vec<i16>,
    /// Number of lists.
    rows: usize,
    /// Index of the first entry of the last list.
    start: usize,
    /// `true` if the last list has an element that is not null.
    any_present: bool,
}

impl ListLevels {
    /// Definition levels of elements. Level 1 is that of an empty list.
    const NULL_ELEMENT: i16 = 2;
    const ELEMENT: i16 = 3;

    /// Adds null lists, until there are `rows` lists.
    fn pad(&mut self, rows: usize) {
        let lists = rows.saturating_sub(self.rows);
        let entries = self.definition.len().saturating_add(lists);
        self.definition.resize(entries, NULL);
        self.repetition.resize(entries, 0);
        self.rows = self.rows.max(rows);
    }

    /// Adds an element to the list of a row, which must be the last row.
    fn push(&mut self, row: usize, is_present: bool) {
        let is_first = self.rows <= row;
        if is_first {
            self.pad(row);
            self.start = self.definition.len();
            self.any_present = false;
            self.rows = row.saturating_add(1);
        }
        self.any_present |= is_present;
        self.definition.push(if is_present { Self::ELEMENT } else { Self::NULL_ELEMENT });
        self.repetition.push(i16::from(!is_first));
    }

    /// Ends the list of a row. A list without a value becomes null.
    fn end(&mut self, row: usize) {
        if self.rows > row && !self.any_present {
            self.definition.truncate(self.start);
            self.repetition.truncate(self.start);
            self.rows = row;
        }
    }

    /// Returns the size of the levels in bytes.
    fn size(&self) -> usize {
        self.definition.len().saturating_mul(size_of::<[i16; 2]>())
    }

    fn clear(&mut self) {
        self.definition.clear();
        self.repetition.clear();
        self.rows = 0;
    }
}

/// A column of lists of numbers.
pub struct NumberLists<T: DataType> {
    field: Field,
    values: Vec<T::T>,
    levels: ListLevels,
}

impl<T: DataType> NumberLists<T> {
    pub fn new(field: Field) -> Self {
        Self { field, values: Vec::new(), levels: ListLevels::default() }
    }

    /// Adds an element, or null, to the list of a row.
    pub fn push(&mut self, row: usize, element: Option<T::T>) {
        self.levels.push(row, element.is_some());
        self.values.extend(element);
    }

    /// Ends the list of a row. The row has no list if all elements are null.
    pub fn end(&mut self, row: usize) {
        self.levels.end(row);
    }
}

impl<T: DataType> Column for NumberLists<T> {
    fn field(&self) -> &Field {
        &self.field
    }

    fn physical(&self) -> Physical {
        T::get_physical_type()
    }

    fn size(&self) -> usize {
        mem::size_of_val(self.values.as_slice()).saturating_add(self.levels.size())
    }

    fn write(
        &mut self,
        rows: usize,
        writer: &mut SerializedColumnWriter<'_>,
    ) -> Result<(), ParquetError> {
        self.levels.pad(rows);
        let ListLevels { definition, repetition, .. } = &self.levels;
        writer.typed::<T>().write_batch(&self.values, Some(definition), Some(repetition))?;
        self.values.clear();
        self.levels.clear();
        Ok(())
    }
}

/// A column of lists of texts.
pub struct TextLists {
    field: Field,
    texts: Texts,
    levels: ListLevels,
}

impl TextLists {
    pub fn new(field: Field) -> Self {
        Self { field, texts: Texts::default(), levels: ListLevels::default() }
    }

    /// Adds an element, or null, to the list of a row.
    pub fn push(&mut self, row: usize, element: Option<&[u8]>) {
        self.levels.push(row, element.is_some());
        if let Some(text) = element {
            self.texts.push(text);
        }
    }

    /// Ends the list of a row. The row has no list if all elements are null.
    pub fn end(&mut self, row: usize) {
        self.levels.end(row);
    }
}

impl Column for TextLists {
    fn field(&self) -> &Field {
        &self.field
    }

    fn physical(&self) -> Physical {
        Physical::BYTE_ARRAY
    }

    fn size(&self) -> usize {
        self.texts.bytes.len().saturating_add(self.levels.size())
    }

    fn write(
        &mut self,
        rows: usize,
        writer: &mut SerializedColumnWriter<'_>,
    ) -> Result<(), ParquetError> {
        self.levels.pad(rows);
        let ListLevels { definition, repetition, .. } = &self.levels;
        let texts = self.texts.take();
        writer.typed::<ByteArrayType>().write_batch(&texts, Some(definition), Some(repetition))?;
        self.levels.clear();
        Ok(())
    }
}
