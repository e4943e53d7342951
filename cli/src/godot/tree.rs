//! A visitor that prints values as a tree.
//!
//! It prints each value as soon as the value is read. The output for a malformed packet therefore
//! contains all values before the error, and deep nesting needs no recursion.

use crate::godot::value_display::{Heading, Key, Value};
use crate::ui::style::{BOLD, DIM, Styled};
use crate::ui::text::Name;
use gamewire::godot::{Error, Kind, Leaf, Open, Property, Role, Visitor};
use std::fmt::{self, Display, Write as _};
use std::io::{self, Write};

/// Deepest level up to which lines are indented by their level. Lines at deeper levels are not
/// indented further, because a packet may have a thousand levels. They print the number of their
/// level instead.
const INDENTED: usize = 16;
/// Number of bytes that are printed on one line.
const HEX_BYTES: usize = 12;
/// Width of [`HEX_BYTES`] bytes in hexadecimal, in groups of four.
const HEX_COLUMNS: usize = 26;

/// Options of a tree.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub full: bool,
    pub hex: bool,
    /// Width of the column of offsets.
    pub offset_columns: usize,
    /// Blank columns before the offset.
    pub margin: usize,
}

/// An error that ends a tree.
#[derive(Debug)]
pub enum Stop {
    Malformed(Error),
    Output(io::Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Malformed(error)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// The state of a tree that prints only one offset, in its first line.
#[derive(Clone, Copy)]
enum FirstOffset {
    Next(u64),
    Printed,
}

/// A visitor that prints values as trees.
pub struct Tree<'o, W> {
    out: &'o mut W,
    options: Options,
    /// Level of the root: 0, or 1 below a heading, such as that of a frame.
    base: usize,
    /// `true` if roots are numbered like elements of an array.
    list: bool,
    /// For each open container, the index of its next item.
    open: Vec<u64>,
    /// Key or property name of the next value.
    name: String,
    /// Offset of the name, or `None` if the next value has no name.
    named: Option<u64>,
    /// If present, the tree prints a single offset, in its first line, instead of the offset of
    /// each value.
    first_offset: Option<FirstOffset>,
}

impl<'o, W: Write> Tree<'o, W> {
    pub fn new(out: &'o mut W, options: Options, base: usize) -> Self {
        let (open, name) = (Vec::new(), String::new());
        Self { out, options, base, list: false, open, name, named: None, first_offset: None }
    }

    /// Creates a tree of one value with a name. The value was read from text, so the offsets in its
    /// packet have no meaning. The first line shows the offset of the name, and the other lines
    /// show no offset.
    pub fn named(
        out: &'o mut W,
        options: Options,
        base: usize,
        offset: u64,
        name: impl Display,
    ) -> Self {
        let name = Styled(BOLD, name).to_string();
        Self {
            name,
            named: Some(offset),
            first_offset: Some(FirstOffset::Next(offset)),
            ..Self::new(out, options, base)
        }
    }

    /// Prints text in place of the value whose name was given.
    pub fn text(&mut self, text: impl Display) -> io::Result<()> {
        self.item(0, &[], Role::Element, text)
    }

    /// Creates a tree of several roots, which are numbered like elements of an array.
    pub fn list(out: &'o mut W, options: Options, base: usize) -> Self {
        Self { list: true, open: vec![0], ..Self::new(out, options, base) }
    }

    /// Prints a heading line.
    pub fn heading(&mut self, offset: u64, bytes: &[u8], text: impl Display) -> io::Result<()> {
        self.line(offset, bytes, 0, Styled(BOLD, text))
    }

    /// Prints a heading without an offset.
    pub fn label(&mut self, text: impl Display) -> io::Result<()> {
        let Options { offset_columns, margin, hex, .. } = self.options;
        let hex = if hex { HEX_COLUMNS.saturating_add(3) } else { 0 };
        let columns = margin.saturating_add(offset_columns).saturating_add(hex);
        writeln!(self.out, "{:columns$}  {}", "", Styled(BOLD, text))
    }

    /// Ends the output for a malformed packet. If its last key has no value, prints the key.
    pub fn finish(&mut self) -> io::Result<()> {
        if let Some(offset) = self.named.take() {
            let name = std::mem::take(&mut self.name);
            self.line(offset, &[], self.depth(), format_args!("{name}:"))?;
        }
        Ok(())
    }

    fn depth(&self) -> usize {
        self.base.saturating_add(self.open.len()).saturating_sub(self.list.into())
    }

    /// Prints a value with its key, index or role in its container.
    fn item(
        &mut self,
        offset: u64,
        bytes: &[u8],
        role: Role,
        body: impl Display,
    ) -> io::Result<()> {
        let depth = self.depth();
        if self.named.take().is_some() {
            let name = std::mem::take(&mut self.name);
            self.line(offset, bytes, depth, format_args!("{name}: {body}"))?;
            self.name = name; // reuse the allocation
            return Ok(());
        }
        match (role, self.open.last_mut()) {
            (Role::Key, _) => self.line(offset, bytes, depth, format_args!("key: {body}")),
            (Role::Value, _) => self.line(offset, bytes, depth, format_args!("value: {body}")),
            (_, Some(next)) => {
                let index = *next;
                *next = next.saturating_add(1);
                let index = Styled(DIM, format_args!("[{index}]"));
                self.line(offset, bytes, depth, format_args!("{index} {body}"))
            }
            (_, None) => self.line(offset, bytes, depth, body),
        }
    }

    /// Stores a name for the next value.
    fn name(&mut self, offset: u64, bytes: &[u8], name: impl Display) -> io::Result<()> {
        self.name.clear();
        let _ = write!(self.name, "{}", Styled(BOLD, name)); // writing to a String cannot fail
        self.named = Some(offset);
        if self.options.hex && self.options.full {
            self.hex_rows(offset, bytes)?;
        }
        Ok(())
    }

    fn line(
        &mut self,
        offset: u64,
        bytes: &[u8],
        depth: usize,
        body: impl Display,
    ) -> io::Result<()> {
        let (first, rest) = bytes.split_at_checked(HEX_BYTES).unwrap_or((bytes, &[]));
        self.offset(offset)?;
        if self.options.hex {
            let more = if rest.is_empty() || self.options.full { ' ' } else { '…' };
            let hex = format!("{:<HEX_COLUMNS$}{more}", Hex(first).to_string());
            write!(self.out, "{}  ", Styled(DIM, hex))?;
        }
        writeln!(self.out, "{}{body}", Indent(depth))?;
        if self.options.hex && self.options.full {
            self.hex_rows(offset.saturating_add(HEX_BYTES as u64), rest)?;
        }
        Ok(())
    }

    /// Prints lines that contain only an offset and bytes.
    fn hex_rows(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        for (row, offset) in bytes.chunks(HEX_BYTES).zip((offset..).step_by(HEX_BYTES)) {
            self.offset(offset)?;
            writeln!(self.out, "{}", Styled(DIM, Hex(row)))?;
        }
        Ok(())
    }

    fn offset(&mut self, offset: u64) -> io::Result<()> {
        let Options { offset_columns: columns, margin, .. } = self.options;
        let offset = match self.first_offset.replace(FirstOffset::Printed) {
            None => {
                self.first_offset = None;
                offset
            }
            Some(FirstOffset::Next(first)) => first,
            Some(FirstOffset::Printed) => {
                let columns = columns.saturating_add(margin);
                return write!(self.out, "{:columns$}  ", "");
            }
        };
        write!(self.out, "{:margin$}{}  ", "", Styled(DIM, format_args!("{offset:>columns$}")))
    }
}

impl<'a, W: Write> Visitor<'a> for Tree<'_, W> {
    type Error = Stop;
    const CUT_OFF: bool = true;

    #[inline(never)]
    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Stop> {
        let value = Value { leaf, full: self.options.full, colours: true };
        let bytes = leaf.encoded.as_bytes();
        match leaf.role {
            Role::Key => self.name(leaf.offset, bytes, Key(value))?,
            role => self.item(leaf.offset, bytes, role, value)?,
        }
        Ok(())
    }

    #[inline(never)]
    fn open(&mut self, open: Open<'a>) -> Result<(), Stop> {
        let heading = Heading { container: open.container, dialect: open.dialect };
        self.item(open.offset, open.head, open.role, heading)?;
        self.open.push(0);
        Ok(())
    }

    #[inline(never)]
    fn property(&mut self, property: Property<'a>) -> Result<(), Stop> {
        self.name(property.offset, property.bytes, Name(property.name.as_bytes()))?;
        Ok(())
    }

    fn close(&mut self, _: Kind) -> Result<(), Stop> {
        self.open.pop();
        Ok(())
    }
}

/// The indentation of a line at a level.
struct Indent(usize);

impl Display for Indent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.0.min(INDENTED).saturating_mul(2);
        if self.0 <= INDENTED {
            return write!(f, "{:width$}", "");
        }
        let depth = format!("depth {} > ", self.0);
        Styled(DIM, format_args!("{depth:>width$}")).fmt(f)
    }
}

/// Bytes in hexadecimal, in groups of four, since the format aligns values to four bytes.
pub struct Hex<'a>(pub &'a [u8]);

impl Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, group) in self.0.chunks(4).enumerate() {
            if index > 0 {
                f.write_char(' ')?;
            }
            for byte in group {
                write!(f, "{byte:02x}")?;
            }
        }
        Ok(())
    }
}
