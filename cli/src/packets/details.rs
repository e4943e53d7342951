//! Prints the values (`--tree`) and bytes (`--hex`) of a record below its line. Offsets count from
//! the start of the packet, like the offsets in error messages.

use super::json_text::Json;
use super::line::NodeName;
use crate::godot::tree::{Hex, Options, Stop, Tree};
use crate::ui::style::{DIM, Styled};
use crate::ui::text::{Count, Escaped};
use gamewire::godot::Reader;
use gamewire::godot::multiplayer::godot4::{Packet, Scene};
use gamewire::godot::multiplayer::{Run, godot3};
use gamewire::traffic::{Content, Record};
use std::fmt::{self, Display, Write as _};
use std::io::{self, Write};

/// Width of the margin before each line.
const MARGIN: usize = 2;
/// Minimum width of offsets. Few packets have wider offsets, so most packets are printed with the
/// same layout.
const OFFSET_COLUMNS: usize = 4;
/// Number of bytes in a row of a hex dump.
const ROW: usize = 16;
/// Width of [`ROW`] bytes in hexadecimal, in groups of four bytes.
const ROW_COLUMNS: usize = 35;

/// Prints the record's bytes.
pub fn bytes(record: &Record<'_>, out: &mut dyn Write) -> io::Result<()> {
    Details::new(record, false, out).dump(record.bytes, 0)
}

/// Prints the record's values; with `hex`, also the bytes of each value.
pub fn tree(record: &Record<'_>, hex: bool, out: &mut dyn Write) -> io::Result<()> {
    Details::new(record, hex, out).content(record)
}

struct Details<'o> {
    out: &'o mut dyn Write,
    options: Options,
}

impl<'o> Details<'o> {
    fn new(record: &Record<'_>, hex: bool, out: &'o mut dyn Write) -> Self {
        let offset_columns = record.bytes.len().to_string().len().max(OFFSET_COLUMNS);
        Self { out, options: Options { full: true, hex, offset_columns, margin: MARGIN } }
    }

    fn content(&mut self, record: &Record<'_>) -> io::Result<()> {
        if let Some(values) = record.arguments() {
            return self.values(values, 0);
        }
        if let Some(bytes) = record.raw_bytes() {
            let offset = record.bytes.len().saturating_sub(bytes.len());
            return self.dump(bytes, offset as u64);
        }
        if let Some(bytes) = record.value() {
            let mut tree = Tree::new(&mut self.out, self.options, 0);
            output_error(Reader::new(bytes, record.dialect()).visit_dyn(&mut tree))?;
            let unread = record.after_value();
            return self.dump(unread, bytes.len().saturating_sub(unread.len()) as u64);
        }
        match record.content {
            Content::Godot4(packet) => self.godot4(record, packet),
            Content::Godot3(godot3::Packet::Set(set)) => {
                let mut tree = Tree::new(&mut self.out, self.options, 0);
                output_error(set.value.iter().visit_dyn(&mut tree).map(drop))
            }
            Content::Text(text) => self.text(text),
            Content::Bytes { offset } => self.unknown_bytes(record, offset.unwrap_or(0)),
            Content::Malformed { .. } => self.dump(record.bytes, 0),
            _ => Ok(()),
        }
    }

    /// Prints a text message. JSON is indented.
    fn text(&mut self, text: &str) -> io::Result<()> {
        if let Some(json) = Json::new(text) {
            return writeln!(self.out, "{}", json.indented(MARGIN));
        }
        text.lines()
            .try_for_each(|line| writeln!(self.out, "{:MARGIN$}{}", "", Escaped(line.as_bytes())))
    }

    /// Prints the values in bytes of a game's own protocol, and the bytes around the values.
    fn unknown_bytes(&mut self, record: &Record<'_>, start: u64) -> io::Result<()> {
        let bytes = record.bytes;
        let last = start.saturating_add(bytes.len() as u64);
        self.options.offset_columns = last.to_string().len().max(OFFSET_COLUMNS);
        let mut done = 0_usize;
        for found in record.values_inside() {
            let at = usize::try_from(found.offset).unwrap_or(usize::MAX);
            self.dump(bytes.get(done..at).unwrap_or_default(), start.saturating_add(done as u64))?;
            let offset = start.saturating_add(found.offset);
            let size = Count(found.len, "byte");
            let frame = if found.framing.is_some() { ", with its length" } else { "" };
            let confidence = found.confidence.name();
            let heading = format_args!("value at {offset}, {size}{frame}, {confidence}");
            Tree::new(&mut self.out, self.options, 0).label(heading)?;
            let mut tree = Tree::new(&mut self.out, self.options, 1);
            output_error(
                Reader::new(found.value.as_bytes(), found.dialect()).visit_dyn(&mut tree),
            )?;
            done = at.saturating_add(usize::try_from(found.len).unwrap_or(usize::MAX));
        }
        self.dump(bytes.get(done..).unwrap_or_default(), start.saturating_add(done as u64))
    }

    fn godot4(&mut self, record: &Record<'_>, packet: &Packet<'_>) -> io::Result<()> {
        for state in record.node_states() {
            let node = NodeName { record, id: state.node };
            match state.changed {
                None => self.section(node, state.values)?,
                Some(changed) => {
                    self.section(format_args!("{node}, {}", Changed(changed)), state.values)?;
                }
            }
        }
        let Packet::Spawn(spawn) = packet else { return Ok(()) };
        if let Scene::Custom(argument) = spawn.scene {
            self.section("argument", argument)?;
        }
        if spawn.state.as_bytes().is_empty() {
            return Ok(());
        }
        self.section("state", spawn.state)
    }

    /// Prints values under a heading.
    fn section(&mut self, heading: impl Display, values: Run<'_>) -> io::Result<()> {
        Tree::new(&mut self.out, self.options, 0).label(heading)?;
        self.values(values, 1)
    }

    fn values(&mut self, values: Run<'_>, depth: usize) -> io::Result<()> {
        let mut tree = Tree::list(&mut self.out, self.options, depth);
        let mut reader = values.iter();
        loop {
            match reader.visit_dyn(&mut tree) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(stop) => return output_error(Err(stop)),
            }
        }
    }

    /// Prints a hex dump.
    fn dump(&mut self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let columns = self.options.offset_columns;
        for (row, offset) in bytes.chunks(ROW).zip((offset..).step_by(ROW)) {
            let hex = Hex(row).to_string();
            let offset = Styled(DIM, format_args!("{offset:>columns$}"));
            writeln!(self.out, "{:MARGIN$}{offset}  {hex:<ROW_COLUMNS$}  {}", "", Ascii(row))?;
        }
        Ok(())
    }
}

/// Returns only errors of the output. Values in a record are never malformed, since the
/// conversation has checked them.
fn output_error(visited: Result<(), Stop>) -> io::Result<()> {
    match visited {
        Err(Stop::Output(error)) => Err(error),
        Err(Stop::Malformed(_)) | Ok(()) => Ok(()),
    }
}

/// The indices of the changed properties in a DELTA packet, given as a bit set.
struct Changed(u64);

impl Display for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = (0..u64::BITS).filter(|bit| self.0.wrapping_shr(*bit) & 1 != 0);
        let indices: Vec<_> = bits.map(|bit| bit.to_string()).collect();
        write!(f, "changed: {}", indices.join(", "))
    }
}

/// Bytes as printable ASCII, with a dot in place of any other byte.
struct Ascii<'a>(&'a [u8]);

impl Display for Ascii<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.0 {
            f.write_char(if (b' '..=b'~').contains(byte) { char::from(*byte) } else { '.' })?;
        }
        Ok(())
    }
}
