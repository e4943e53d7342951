//! Writes values into a Parquet file (`json --parquet`).

use super::{content, file_values, input, packet_lines, print};
use crate::args::Json;
use crate::parquet::{Column, Field, Numbers, Rows, Text, Writer, write_table};
use crate::ui::printable::escape_json;
use gamewire::godot::{Encoded, Limits, Reader};
use parquet::data_type::Int64Type;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

/// The table `values`.
struct Values {
    file: Text,
    index: Numbers<Int64Type>,
    size: Numbers<Int64Type>,
    kind: Text,
    value: Text,
    error: Text,
    offset: Numbers<Int64Type>,
}

impl Rows for Values {
    const NAME: &'static str = "values";
    const VERSION: u32 = 1;

    fn columns(&mut self) -> Vec<&mut dyn Column> {
        vec![
            &mut self.file,
            &mut self.index,
            &mut self.size,
            &mut self.kind,
            &mut self.value,
            &mut self.error,
            &mut self.offset,
        ]
    }
}

/// A row: the position of a value, and the value or its error.
struct Row<'a> {
    file: &'a str,
    index: usize,
    value: Result<Encoded<'a>, (u64, &'a dyn Display)>,
}

impl Values {
    fn new() -> Self {
        Self {
            file: Text::new(Field::new("file").text().dictionary()),
            index: Numbers::new(Field::new("index").delta()),
            size: Numbers::new(Field::new("size").nullable().delta()),
            kind: Text::new(Field::new("type").text().nullable().dictionary()),
            value: Text::new(Field::new("value").json().nullable()),
            error: Text::new(Field::new("error").text().nullable().dictionary()),
            offset: Numbers::new(Field::new("offset").nullable()),
        }
    }

    /// Adds a row. Returns the size of all texts.
    fn add(&mut self, at: usize, row: &Row<'_>, exact: bool) -> io::Result<usize> {
        self.file.push(at, row.file.as_bytes());
        self.index.push(at, i64::try_from(row.index).unwrap_or(i64::MAX));
        match row.value {
            Ok(value) => {
                let (bytes, dialect) = (value.as_bytes(), value.dialect());
                self.size.push(at, i64::try_from(bytes.len()).unwrap_or(i64::MAX));
                let kind = dialect.type_name(value.kind());
                self.kind.push_some(at, kind.map(str::as_bytes));
                self.value.print(at, |json| {
                    let start = json.len();
                    print(bytes, dialect, exact, &mut (&mut *json as &mut dyn Write))?;
                    escape_json(json, start)
                })?;
            }
            Err((offset, error)) => {
                self.error.print(at, |text| write!(text, "{error}"))?;
                self.offset.push(at, offset.cast_signed());
            }
        }
        let texts = [&self.file, &self.kind, &self.value, &self.error];
        Ok(texts.into_iter().map(Column::size).fold(0, usize::saturating_add))
    }
}

/// Writes the values of all files into a Parquet file. Returns `false` after an error.
pub fn write(args: &Json, path: &Path) -> bool {
    write_table(path, Values::new(), |rows| match args.lines {
        true => lines(args, rows),
        false => files(args, rows),
    })
}

/// Adds a row for each value in the files.
fn files(args: &Json, rows: &mut Writer<Values>) -> io::Result<bool> {
    input::for_each(&args.files, &mut io::sink(), |input, out| {
        let content = content::load(input, args.source)?;
        let (name, mut index) = (input.name(), 0_usize);
        file_values::each(input, &content.bytes, args.source, out, |value, _| {
            let row = Row { file: &name, index, value: Ok(value) };
            index = index.saturating_add(1);
            rows.add(|values, at| values.add(at, &row, args.exact))
        })
    })
}

/// Adds a row for each line of the files.
fn lines(args: &Json, rows: &mut Writer<Values>) -> io::Result<bool> {
    let (files, source) = (&args.files, args.source);
    packet_lines::each_line(files, source, args.max_line, &mut io::sink(), |line, _| {
        let name = line.input.name();
        let index = usize::try_from(line.number).unwrap_or(usize::MAX).saturating_sub(1);
        let add = |rows: &mut Writer<Values>, value: Result<_, (u64, &dyn Display)>| {
            let row = Row { file: &name, index, value };
            rows.add(|values, at| values.add(at, &row, args.exact))
        };
        let packet = match line.packet {
            Ok(packet) => packet,
            Err(error) => return add(rows, Err((error.offset(), &error))),
        };
        let limits = Limits { objects: args.objects, ..Limits::ENGINE };
        let mut reader = Reader::new(packet, source.format().dialect).limits(limits);
        match reader.read_encoded() {
            Ok(value) => add(rows, Ok(value)),
            Err(error) => add(rows, Err((error.offset(), error.kind()))),
        }
    })
}
