//! A file as the values in it: one behind the other, or in frames.

use crate::godot::format::Format;
use crate::ui::input::Stop;
use crate::ui::report;
use gamewire::godot::frame::Frames;
use gamewire::godot::{Dialect, Encoded, Error, Reader};
use std::io::{self, Write};
use std::iter;

/// A value of a file.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'b> {
    pub value: Encoded<'b>,
    /// What follows it in its frame, where nothing belongs.
    pub rest: &'b [u8],
    /// Where that is in the file.
    end: u64,
}

/// A frame, or the value in it, that is malformed.
struct Fault<'b> {
    context: String,
    error: Error,
    /// From where the value starts, if it is one.
    value: &'b [u8],
    start: u64,
    dialect: Dialect,
}

impl Fault<'_> {
    /// What is wrong, and in which part of the value.
    fn tell(&self, name: &str) {
        let Self { context, error, .. } = self;
        let within = Error::new(*error.kind(), error.offset().saturating_sub(self.start));
        match within.path_in(self.value, self.dialect).to_string() {
            path if path.is_empty() => report::malformed(name, context, error),
            path => report::malformed(name, &format!("{context}in {path}: "), error),
        }
    }
}

/// Gives `print` the values of the file of that name as they come, and goes on behind a frame
/// that is malformed. Whether all of the file was fine.
pub fn each<W: Write>(
    name: &str,
    bytes: &[u8],
    format: Format,
    out: &mut W,
    mut print: impl FnMut(Encoded<'_>, &mut W) -> io::Result<()>,
) -> Result<bool, Stop> {
    let mut fine = true;
    for (index, piece) in read(bytes, format).enumerate() {
        if let Ok(piece) = &piece {
            print(piece.value, out).map_err(Stop::Output)?;
            if piece.rest.is_empty() {
                continue;
            }
        }
        out.flush().map_err(Stop::Output)?; // what was printed before is to be seen before
        match piece {
            Ok(Piece { rest, end, .. }) => report::left_over(name, &frame(index), rest, end),
            Err(fault) => {
                fault.tell(name);
                fine = false;
            }
        }
    }
    if !fine {
        hint_at_formats(bytes, format);
    }
    Ok(fine)
}

/// The values of a file, if all of it is well-formed; otherwise it is said why not.
pub fn of<'b>(name: &str, bytes: &'b [u8], format: Format) -> Option<Vec<Piece<'b>>> {
    let pieces = read(bytes, format).collect::<Result<_, _>>();
    let said = pieces.map_err(|fault| {
        fault.tell(name);
        hint_at_formats(bytes, format);
    });
    said.ok()
}

fn hint_at_formats(bytes: &[u8], format: Format) {
    report::other_formats(bytes, format).into_iter().for_each(report::hint);
}

type Read<'b> = Result<Piece<'b>, Fault<'b>>;

fn read(bytes: &[u8], format: Format) -> Box<dyn Iterator<Item = Read<'_>> + '_> {
    match format.frames {
        true => Box::new(frames(bytes, format.dialect)),
        false => Box::new(values(bytes, format.dialect)),
    }
}

/// Ends behind what is no value. (Nothing at all is none.)
fn values(bytes: &[u8], dialect: Dialect) -> impl Iterator<Item = Read<'_>> {
    let mut next = Some(Reader::new(bytes, dialect));
    iter::from_fn(move || {
        let mut reader = next.take()?;
        let value = value(&mut reader, String::new());
        let end = reader.offset();
        next = Some(reader).filter(|reader| value.is_ok() && !reader.is_empty());
        Some(value.map(|value| Piece { value, rest: &[], end }))
    })
}

fn frames(bytes: &[u8], dialect: Dialect) -> impl Iterator<Item = Read<'_>> {
    Frames::new(bytes).enumerate().map(move |(index, content)| {
        let context = frame(index);
        let content = match content {
            Ok(content) => content,
            Err(error) => return Err(Fault { context, error, value: &[], start: 0, dialect }),
        };
        let mut reader = Reader::new(content.bytes, dialect).origin(content.offset);
        let value = value(&mut reader, context)?;
        Ok(Piece { value, rest: reader.rest(), end: reader.offset() })
    })
}

fn value<'b>(reader: &mut Reader<'b, '_>, context: String) -> Result<Encoded<'b>, Fault<'b>> {
    let (value, start, dialect) = (reader.rest(), reader.offset(), reader.dialect());
    reader.read_encoded().map_err(|error| Fault { context, error, value, start, dialect })
}

fn frame(index: usize) -> String {
    format!("frame {index}: ")
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
        (true, _) => frame(index),
        (false, 1) => String::new(),
        (false, _) => format!("value {index}: "),
    }
}
