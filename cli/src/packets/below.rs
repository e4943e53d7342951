//! What `--tree` and `--hex` print below a record's line. Offsets are in the packet, as
//! those of errors are.

use super::kind;
use super::line::Synchronizer;
use crate::godot::tree::{Hex, Options, Stop, Tree};
use crate::ui::style::{DIM, Styled};
use gamewire::godot::multiplayer::godot4::{Packet, Scene};
use gamewire::godot::multiplayer::{Run, godot3};
use gamewire::godot::{Dialect, Reader};
use gamewire::traffic::{Content, Record};
use std::fmt::{self, Display, Write as _};
use std::io::{self, Write};

/// How far all of it stands from the left.
const MARGIN: usize = 2;
/// How wide offsets are at the least, so that most packets look alike.
const OFFSET_COLUMNS: usize = 4;
/// How many bytes are on a line.
const ROW: usize = 16;
/// How wide they are, in groups of four.
const ROW_COLUMNS: usize = 35;

/// Prints the record's bytes.
pub fn bytes(record: &Record<'_>, out: &mut impl Write) -> io::Result<()> {
    Below::new(record, false, out).dump(record.bytes, 0)
}

/// Prints the record's values, with `hex` each beside its bytes.
pub fn tree(record: &Record<'_>, hex: bool, out: &mut impl Write) -> io::Result<()> {
    Below::new(record, hex, out).content(record)
}

struct Below<'o, W> {
    out: &'o mut W,
    options: Options,
}

impl<'o, W: Write> Below<'o, W> {
    fn new(record: &Record<'_>, hex: bool, out: &'o mut W) -> Self {
        let offset_columns = record.bytes.len().to_string().len().max(OFFSET_COLUMNS);
        Self { out, options: Options { full: true, hex, offset_columns, margin: MARGIN } }
    }

    fn content(&mut self, record: &Record<'_>) -> io::Result<()> {
        if let Some(values) = kind::arguments(record) {
            return self.values(values, 0);
        }
        if let Some(bytes) = kind::bytes(record) {
            // They go on to the packet's end.
            let offset = record.bytes.len().saturating_sub(bytes.len());
            return self.dump(bytes, offset as u64);
        }
        for state in kind::states(record) {
            let node = Synchronizer(record, state.node);
            match state.changed {
                None => self.part(node, state.values)?,
                Some(changed) => {
                    self.part(format_args!("{node}, {}", Changed(changed)), state.values)?;
                }
            }
        }
        match record.content {
            Content::Value(bytes) | Content::Debugger(bytes) => {
                let dialect = record.engine.map_or(Dialect::Godot4, |engine| engine.dialect());
                let mut tree = Tree::new(self.out, self.options, 0);
                let visited = Reader::new(bytes, dialect).visit(&mut tree);
                printed(visited)
            }
            Content::Godot3(godot3::Packet::Set(set)) => {
                let mut tree = Tree::new(self.out, self.options, 0);
                printed(set.value.iter().visit(&mut tree).map(drop))
            }
            Content::Godot4(Packet::Spawn(spawn)) => {
                if let Scene::Custom(argument) = spawn.scene {
                    self.part("argument", argument)?;
                }
                if spawn.state.as_bytes().is_empty() {
                    return Ok(());
                }
                self.part("state", spawn.state)
            }
            Content::Malformed { .. } => self.dump(record.bytes, 0),
            _ => Ok(()),
        }
    }

    /// Values below a heading.
    fn part(&mut self, heading: impl Display, values: Run<'_>) -> io::Result<()> {
        Tree::new(self.out, self.options, 0).label(heading)?;
        self.values(values, 1)
    }

    fn values(&mut self, values: Run<'_>, depth: usize) -> io::Result<()> {
        let mut tree = Tree::list(self.out, self.options, depth);
        let mut reader = values.iter();
        loop {
            match reader.visit(&mut tree) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(stop) => return printed(Err(stop)),
            }
        }
    }

    /// Prints bytes as such.
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

/// A conversation hands on only values that can be read.
fn printed(visited: Result<(), Stop>) -> io::Result<()> {
    match visited {
        Err(Stop::Output(error)) => Err(error),
        Err(Stop::Malformed(_)) | Ok(()) => Ok(()),
    }
}

/// Which properties are in a DELTA, by their numbers.
struct Changed(u64);

impl Display for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = (0..u64::BITS).filter(|bit| self.0.wrapping_shr(*bit) & 1 != 0);
        let names: Vec<_> = bits.map(|bit| bit.to_string()).collect();
        write!(f, "changed: {}", names.join(", "))
    }
}

/// Bytes as characters, as far as they are some.
struct Ascii<'a>(&'a [u8]);

impl Display for Ascii<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.0 {
            f.write_char(if (b' '..=b'~').contains(byte) { char::from(*byte) } else { '.' })?;
        }
        Ok(())
    }
}
