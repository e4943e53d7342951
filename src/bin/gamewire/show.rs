use crate::args;
use crate::input;
use crate::report::{DIM, NAME, Report, TYPE, Verdict, place};
use crate::text::{Escaped, Hex, LeafText, Limit, Quoted, TypeName, plural, type_name};
use gamewire::godot::frame::Frame;
use gamewire::godot::{
    Container, Departure, Dialect, Error, Kind, Leaf, Open, Property, Reader, Role, TypeRef,
    VariantRef, Visitor,
};
use std::fmt::Display;
use std::io::{self, Write};

/// Beyond this many levels lines are no longer moved to the right.
const INDENTED: usize = 24;

pub fn run(args: &args::Show, report: &mut Report) -> io::Result<Verdict> {
    let mut verdict = Verdict::Fine;
    for (index, path) in args.input.files.iter().enumerate() {
        let name = input::name(path);
        if args.input.files.len() > 1 {
            let gap = if index > 0 { "\n" } else { "" };
            writeln!(report.out, "{gap}{NAME}{name}{NAME:#}")?;
        }
        match input::read(path) {
            Ok(file) => verdict = verdict.max(show(args, &name, &file, report)?),
            Err(error) => {
                report.error(&name, &error);
                verdict = Verdict::Malformed;
            }
        }
    }
    Ok(verdict)
}

fn show(args: &args::Show, name: &str, file: &[u8], report: &mut Report) -> io::Result<Verdict> {
    let format = args.input.format;
    let mut verdict = Verdict::Fine;
    for (index, frame) in format.packets(file).enumerate() {
        match frame {
            Ok(frame) => {
                if format.frames {
                    let size = frame.bytes.len();
                    let bytes = plural("byte", size);
                    writeln!(report.out, "{DIM}frame {index}, {size} {bytes}{DIM:#}")?;
                }
                verdict = verdict.max(show_packet(args, name, file, frame, report)?);
            }
            Err(error) => {
                report.error(name, &crate::report::reason(&error));
                verdict = Verdict::Malformed;
            }
        }
    }
    Ok(verdict)
}

fn show_packet(
    args: &args::Show,
    name: &str,
    file: &[u8],
    frame: Frame<'_>,
    report: &mut Report,
) -> io::Result<Verdict> {
    let dialect = args.input.format.dialect;
    let mut reader = Reader::new(frame.bytes, dialect).origin(frame.offset);
    loop {
        let mut tree = Tree {
            out: &mut report.out,
            dialect,
            limit: if args.full { Limit::NONE } else { Limit::SHORT },
            hex: args.hex,
            digits: format!("{:x}", file.len()).len().max(4),
            levels: Vec::new(),
            label: String::new(),
        };
        match reader.visit(&mut tree) {
            Ok(()) if args.all && !reader.is_empty() => {}
            Ok(()) => break,
            Err(Stop::Io(error)) => return Err(error),
            Err(Stop::Malformed(error)) => {
                report.malformed(name, &error, frame.bytes, dialect);
                return Ok(Verdict::Malformed);
            }
        }
    }
    if !reader.is_empty() {
        let left = reader.rest().len();
        let (bytes, place) = (plural("byte", left), place(reader.offset()));
        report.warning(name, &format_args!("{place}: {left} {bytes} after the value"));
    }
    Ok(Verdict::Fine)
}

/// Why a tree ends early.
enum Stop {
    Malformed(Error),
    Io(io::Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Malformed(error)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Prints what the walk meets, a line a value.
struct Tree<'o, W> {
    out: &'o mut W,
    dialect: Dialect,
    limit: Limit,
    hex: bool,
    /// Of offsets.
    digits: usize,
    /// The open containers, each with the number of items met.
    levels: Vec<u64>,
    /// A dictionary's key or a property's name, to stand before its value.
    label: String,
}

impl<W: Write> Tree<'_, W> {
    /// Everything in front of a value's type.
    fn start(&mut self, offset: u64, role: Role) -> io::Result<()> {
        let depth = self.levels.len();
        let digits = self.digits;
        write!(self.out, "{DIM}{offset:0digits$x}{DIM:#}  ")?;
        let indent = depth.min(INDENTED).saturating_mul(2);
        write!(self.out, "{:indent$}", "")?;
        if depth > INDENTED {
            write!(self.out, "{DIM}(level {depth}){DIM:#} ")?;
        }
        let label = std::mem::take(&mut self.label);
        let index = self.next_index();
        match (role, index) {
            (Role::Element, None) => Ok(()),
            (Role::Element, Some(index)) => write!(self.out, "{NAME}[{index}]{NAME:#} "),
            (Role::Key, _) => write!(self.out, "key: "),
            (Role::Value, _) if label.is_empty() => write!(self.out, "value: "),
            (Role::Value | Role::Property, _) => write!(self.out, "{NAME}{label}{NAME:#}: "),
        }
    }

    /// Counts an item of the innermost container.
    fn next_index(&mut self) -> Option<u64> {
        let count = self.levels.last_mut()?;
        let index = *count;
        *count = count.saturating_add(1);
        Some(index)
    }

    fn end(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.hex {
            write!(self.out, "  {DIM}| {}{DIM:#}", Hex(bytes, self.limit))?;
        }
        writeln!(self.out)
    }

    fn leaf_text<'a>(&self, value: VariantRef<'a>) -> LeafText<'a> {
        LeafText { value, limit: self.limit }
    }
}

impl<'a, W: Write> Visitor<'a> for Tree<'_, W> {
    type Error = Stop;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Stop> {
        if leaf.role == Role::Key && !self.hex {
            // It stands on the line of its value.
            self.label = key(leaf.value, self.leaf_text(leaf.value), self.dialect);
            self.next_index();
            return Ok(());
        }
        self.start(leaf.offset, leaf.role)?;
        let kind = leaf.value.kind();
        if kind != Kind::Nil {
            write!(self.out, "{TYPE}{}{TYPE:#} ", type_name(kind, self.dialect))?;
        }
        write!(self.out, "{}", self.leaf_text(leaf.value))?;
        if let Some(note) = note(&leaf) {
            write!(self.out, " {DIM}({note}){DIM:#}")?;
        }
        self.end(leaf.encoded.as_bytes())?;
        Ok(())
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Stop> {
        self.start(open.offset, open.role)?;
        let dialect = self.dialect;
        let name = type_name(open.container.kind(), dialect);
        let count = open.container.len() as usize;
        match open.container {
            Container::Array { element, shared, .. } => {
                write!(self.out, "{TYPE}{name}{TYPE:#}{}", in_brackets(&[element], dialect))?;
                write!(self.out, ", {count} {}", plural("element", count))?;
                write!(self.out, "{}", if shared { ", shared" } else { "" })?;
            }
            Container::Dictionary { key, value, shared, .. } => {
                write!(self.out, "{TYPE}{name}{TYPE:#}{}", in_brackets(&[key, value], dialect))?;
                write!(self.out, ", {count} {}", plural("pair", count))?;
                write!(self.out, "{}", if shared { ", shared" } else { "" })?;
            }
            Container::Object { class, .. } => {
                let properties = if count == 1 { "property" } else { "properties" };
                write!(self.out, "{TYPE}{name}{TYPE:#} {}", Escaped(class))?;
                write!(self.out, ", {count} {properties}")?;
            }
        }
        self.end(open.head)?;
        self.levels.push(0);
        Ok(())
    }

    fn property(&mut self, property: Property<'a>) -> Result<(), Stop> {
        self.label = Escaped(property.name).to_string();
        Ok(())
    }

    fn close(&mut self, _: Kind) -> Result<(), Stop> {
        self.levels.pop();
        Ok(())
    }
}

/// A dictionary's key: text in quotes, anything else with its type where that does
/// not show.
fn key(value: VariantRef<'_>, text: impl Display, dialect: Dialect) -> String {
    match value {
        VariantRef::String(text) | VariantRef::StringName(text) => {
            let quoted =
                anstream::adapter::strip_str(&Quoted(text, Limit::SHORT).to_string()).to_string();
            let mark = if matches!(value, VariantRef::StringName(_)) { "&" } else { "" };
            format!("{mark}{quoted}")
        }
        VariantRef::Nil | VariantRef::Bool(_) | VariantRef::Int(_) | VariantRef::Float(_) => {
            text.to_string()
        }
        other => format!("{} {text}", type_name(other.kind(), dialect)),
    }
}

/// The stated types of a container, if any.
fn in_brackets(types: &[TypeRef<'_>], dialect: Dialect) -> String {
    if types.iter().all(|of| *of == TypeRef::Untyped) {
        return String::new();
    }
    let names: Vec<_> = types.iter().map(|of| TypeName(*of, dialect).to_string()).collect();
    format!("[{}]", names.join(", "))
}

/// What the value does not show about its bytes.
fn note(leaf: &Leaf<'_>) -> Option<&'static str> {
    if leaf.value.is_double() {
        return Some("double precision");
    }
    let mut width = false;
    if leaf.encoded.is_wide() && matches!(leaf.value.kind(), Kind::Int | Kind::Float) {
        let note = |departure| width |= departure == Departure::Width;
        leaf.encoded.departures(note);
    }
    width.then_some("in 64 bits, though 32 would do")
}
