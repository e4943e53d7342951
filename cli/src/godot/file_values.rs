//! Splits a file into values. The values follow one another directly, or each value is in a frame.

use super::format::Format;
use super::messages;
use super::region::Region;
use crate::args::Source;
use crate::ui::input::{Input, Stop};
use crate::ui::report;
use gamewire::godot::{Dialect, Encoded, Error, Reader};
use std::io::{self, Write};
use std::iter;

/// A value in a file.
#[derive(Clone, Copy, Debug)]
pub struct FileValue<'b> {
    pub value: Encoded<'b>,
    /// Bytes after the value in its frame. A frame should have none.
    pub rest: &'b [u8],
    /// Offset of `rest` in the file.
    end: u64,
}

/// The error of a malformed frame or value, and its position.
struct Fault<'b> {
    context: String,
    error: Error,
    /// Bytes from the start of the value to the end of its frame, or to the end of a file without
    /// frames. Empty if the frame itself is malformed.
    value: &'b [u8],
    start: u64,
    dialect: Dialect,
}

impl Fault<'_> {
    /// Reports the error with the path of the malformed part.
    fn report(&self, name: &str) {
        let Self { context, error, .. } = self;
        let within = Error::new(*error.kind(), error.offset().saturating_sub(self.start));
        match within.path_in(self.value, self.dialect).to_string() {
            path if path.is_empty() => messages::malformed(name, context, error),
            path => messages::malformed(name, &format!("{context}in {path}: "), error),
        }
    }
}

/// Calls `process` for each value of a file. Reports malformed values, and warns about bytes after
/// the value of a frame. Continues after a frame with a malformed value. If the file is recognised
/// as a different kind of file, only reports this. Returns `false` if a frame or a value is
/// malformed, or if the file is recognised as a different kind.
pub fn each<W: Write>(
    input: Input<'_>,
    bytes: &[u8],
    source: Source,
    out: &mut W,
    mut process: impl FnMut(Encoded<'_>, &mut W) -> io::Result<()>,
) -> Result<bool, Stop> {
    let name = &*input.name();
    if let Some(kind) = messages::foreign(input, bytes, source) {
        out.flush().map_err(Stop::Output)?;
        messages::report_foreign(name, kind);
        return Ok(false);
    }
    let region = Region::select(input, bytes, source)?;
    let mut ok = true;
    for (index, piece) in read(region).enumerate() {
        if let Ok(piece) = &piece {
            process(piece.value, out).map_err(Stop::Output)?;
            if piece.rest.is_empty() {
                continue;
            }
        }
        out.flush().map_err(Stop::Output)?; // print earlier values before the message
        match piece {
            Ok(FileValue { rest, end, .. }) => messages::left_over(name, &frame(index), rest, end),
            Err(fault) => {
                fault.report(name);
                ok = false;
            }
        }
    }
    if !ok {
        messages::hint_at_formats(input, region, source);
    }
    Ok(ok)
}

/// The values of a file, and where they are in it.
pub struct FileValues<'b> {
    pub values: Vec<FileValue<'b>>,
    pub region: Region<'b>,
}

impl<'b> FileValues<'b> {
    /// Returns the bytes after the last value or frame that `--count` selects.
    pub fn behind(&self) -> &'b [u8] {
        let end = |last: &FileValue<'_>| last.end.saturating_add(last.rest.len() as u64);
        self.region.from(self.values.last().map_or(self.region.start(), end))
    }
}

/// Returns the values of a file. If the file is malformed or of a different kind, reports this and
/// returns `None`.
pub fn read_all<'b>(input: Input<'_>, bytes: &'b [u8], source: Source) -> Option<FileValues<'b>> {
    if let Some(kind) = messages::foreign(input, bytes, source) {
        messages::report_foreign(&input.name(), kind);
        return None;
    }
    let region = Region::select(input, bytes, source);
    let region = region.map_err(|stop| report::error(&input.name(), stop)).ok()?;
    let values = read(region).collect::<Result<_, _>>();
    let reported = values.map_err(|fault| {
        fault.report(&input.name());
        messages::hint_at_formats(input, region, source);
    });
    reported.ok().map(|values| FileValues { values, region })
}

type Read<'b> = Result<FileValue<'b>, Fault<'b>>;

fn read(region: Region<'_>) -> Box<dyn Iterator<Item = Read<'_>> + '_> {
    match region.format.frames {
        true => Box::new(frames(region)),
        false => Box::new(values(region)),
    }
}

/// Reads values that follow one another directly, up to the first malformed value. An empty file is
/// malformed.
fn values(region: Region<'_>) -> impl Iterator<Item = Read<'_>> {
    let mut next = Some(region.reader());
    let values = iter::from_fn(move || {
        let mut reader = next.take()?;
        let value = value(&mut reader, String::new());
        let end = reader.offset();
        next = Some(reader).filter(|reader| value.is_ok() && !reader.is_empty());
        Some(value.map(|value| FileValue { value, rest: &[], end }))
    });
    values.take(region.limit())
}

fn frames(region: Region<'_>) -> impl Iterator<Item = Read<'_>> {
    let dialect = region.format.dialect;
    region.frames().enumerate().map(move |(index, content)| {
        let context = frame(index);
        let content = match content {
            Ok(content) => content,
            Err(error) => return Err(Fault { context, error, value: &[], start: 0, dialect }),
        };
        let mut reader = Reader::new(content.bytes, dialect).origin(content.offset);
        let value = value(&mut reader, context)?;
        Ok(FileValue { value, rest: reader.rest(), end: reader.offset() })
    })
}

fn value<'b>(reader: &mut Reader<'b, '_>, context: String) -> Result<Encoded<'b>, Fault<'b>> {
    let (value, start, dialect) = (reader.rest(), reader.offset(), reader.dialect());
    reader.read_encoded().map_err(|error| Fault { context, error, value, start, dialect })
}

fn frame(index: usize) -> String {
    format!("frame {index}: ")
}

/// Returns an error message if a file has no values, or no value at the requested index.
pub fn check_frame(format: Format, count: usize, requested: Option<usize>) -> Result<(), String> {
    let what = if format.frames { "frame" } else { "value" };
    match requested {
        Some(index) if index >= count => {
            Err(format!("there is no {what} {index}; the file has {count}, counted from 0"))
        }
        _ if count == 0 => Err("the file has no values".into()),
        _ => Ok(()),
    }
}

/// Returns the start of a message: `frame 3: ` in a format with frames, otherwise `value 3: `, or
/// an empty string if the file has only one value.
pub fn context(format: Format, count: usize, index: usize) -> String {
    match (format.frames, count) {
        (true, _) => frame(index),
        (false, 1) => String::new(),
        (false, _) => format!("value {index}: "),
    }
}
