//! A file as the values in it: one behind the other, or in frames.

use crate::format::Format;
use crate::report;
use gamewire::godot::frame::Frames;
use gamewire::godot::{Dialect, Encoded, Error, Reader};
use std::ops::Range;

/// A value of a file.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Where it is.
    pub value: Range<usize>,
    /// What follows it in its frame, where nothing belongs.
    pub rest: Range<usize>,
}

impl Piece {
    /// The value's bytes in those of the file.
    pub fn encoded<'b>(&self, bytes: &'b [u8], dialect: Dialect) -> Option<Encoded<'b>> {
        let value = bytes.get(self.value.clone())?;
        Reader::new(value, dialect).read_encoded().ok()
    }
}

/// The values of a file, if all of it is well-formed; otherwise it is said why not.
pub fn of(name: &str, bytes: &[u8], format: Format) -> Option<Vec<Piece>> {
    let pieces =
        if format.frames { frames(name, bytes, format) } else { values(name, bytes, format) };
    if pieces.is_none() {
        report::other_formats(bytes, format).into_iter().for_each(report::hint);
    }
    pieces
}

fn values(name: &str, bytes: &[u8], format: Format) -> Option<Vec<Piece>> {
    let mut reader = Reader::new(bytes, format.dialect);
    let mut pieces = Vec::new();
    // (Nothing at all is no value.)
    while pieces.is_empty() || !reader.is_empty() {
        let start = reader.offset();
        if let Err(error) = reader.skip() {
            malformed(name, "", &error, start, bytes, format.dialect);
            return None;
        }
        let value = reader.range();
        pieces.push(Piece { rest: value.end..value.end, value });
    }
    Some(pieces)
}

fn frames(name: &str, bytes: &[u8], format: Format) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    for (index, frame) in Frames::new(bytes).enumerate() {
        let context = format!("frame {index}: ");
        let frame = match frame {
            Ok(frame) => frame,
            Err(error) => {
                report::malformed(name, &context, &error);
                return None;
            }
        };
        let mut reader = Reader::new(frame.bytes, format.dialect).origin(frame.offset);
        if let Err(error) = reader.skip() {
            malformed(name, &context, &error, frame.offset, bytes, format.dialect);
            return None;
        }
        let start = usize::try_from(frame.offset).ok()?;
        let at = |offset: usize| start.saturating_add(offset);
        let end = reader.range().end;
        pieces.push(Piece { value: start..at(end), rest: at(end)..at(frame.bytes.len()) });
    }
    Some(pieces)
}

/// What is wrong with the value at `start`, and in which part of it.
fn malformed(name: &str, context: &str, error: &Error, start: u64, bytes: &[u8], dialect: Dialect) {
    let value = usize::try_from(start).ok().and_then(|start| bytes.get(start..));
    let within = Error::new(*error.kind(), error.offset().saturating_sub(start));
    match within.path_in(value.unwrap_or_default(), dialect).to_string() {
        path if path.is_empty() => report::malformed(name, context, error),
        path => report::malformed(name, &format!("{context}in {path}: "), error),
    }
}

/// That there is none, or none of that number, if it is asked for.
pub fn lacking(format: Format, count: usize, asked: Option<usize>) -> Result<(), String> {
    let what = if format.frames { "frame" } else { "value" };
    match asked {
        Some(index) if index >= count => {
            Err(format!("no {what} {index} ({what}s: {count}, counted from 0)"))
        }
        _ if count == 0 => Err("there is no value in it".into()),
        _ => Ok(()),
    }
}

/// `frame 3: `, where a file may have several values.
pub fn context(format: Format, count: usize, index: usize) -> String {
    match (format.frames, count) {
        (true, _) => format!("frame {index}: "),
        (false, 1) => String::new(),
        (false, _) => format!("value {index}: "),
    }
}
