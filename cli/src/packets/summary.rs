//! Summaries of values, which are printed as a part of a line. They are written as in a script, and
//! truncated after [`MAX_CHARS`] characters. Values are read only up to this length, so a very long
//! value takes no more time than one of [`MAX_CHARS`] characters.

use crate::godot::value_display::{Inline, Value};
use crate::ui::text::{ESCAPE, Escaped};
use gamewire::godot::multiplayer::Run;
use gamewire::godot::{
    Container, Dialect, Error, Kind, Leaf, Open, Property, Reader, Role, Visitor,
};
use std::fmt::{self, Display, Write as _};

/// The maximum length of a summary, in characters.
const MAX_CHARS: usize = 100;

/// A summary of several values, separated by commas.
pub struct Values<'a>(pub Run<'a>);

impl Display for Values<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut summary = Summary::default();
        let mut reader = self.0.iter();
        while let Ok(true) = reader.visit_dyn(&mut summary) {}
        summary.fmt(f)
    }
}

/// A summary of one value with a header.
pub struct One<'a>(pub &'a [u8], pub Dialect);

impl Display for One<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut summary = Summary::default();
        let _ = Reader::new(self.0, self.1).visit_dyn(&mut summary); // an error ends the summary
        summary.fmt(f)
    }
}

#[derive(Default)]
struct Summary {
    text: String,
    /// Length of the text in characters.
    len: usize,
    open: Vec<Level>,
    /// `true` if the next item is not the first one of its container.
    follows: bool,
    /// `true` if some text did not fit.
    truncated: bool,
    /// `true` if the text that was written so far ends in the middle of an escape sequence.
    in_escape: bool,
}

/// An open container.
struct Level {
    close: char,
    role: Role,
}

/// The reason why the visit of a value ends early.
enum Stop {
    /// The summary has reached its maximum length.
    Full,
    Malformed,
}

impl From<Error> for Stop {
    fn from(_: Error) -> Self {
        Self::Malformed
    }
}

impl Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        f.write_str(if self.truncated { "…" } else { "" })
    }
}

/// Writing fails if the text does not fit. The error ends the visit.
impl fmt::Write for Summary {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let left = MAX_CHARS.saturating_sub(self.len);
        if text.len() <= left && text.is_ascii() && !text.contains(ESCAPE) && !self.in_escape {
            self.len = self.len.saturating_add(text.len());
            self.text.push_str(text);
            return Ok(());
        }
        text.chars().try_for_each(|c| self.push(c))
    }
}

impl Summary {
    /// Appends a character. Removes the escape sequences of colours, since truncation could drop
    /// the sequence that switches a colour off. Values are escaped, so all other escape characters
    /// have been removed.
    fn push(&mut self, c: char) -> fmt::Result {
        if self.in_escape {
            self.in_escape = c != 'm';
        } else if c == ESCAPE {
            self.in_escape = true;
        } else if self.len >= MAX_CHARS {
            self.truncated = true;
            return Err(fmt::Error);
        } else {
            self.len = self.len.saturating_add(1);
            self.text.push(c);
        }
        Ok(())
    }

    fn put(&mut self, text: impl Display) -> Result<(), Stop> {
        write!(self, "{text}").map_err(|fmt::Error| Stop::Full)
    }

    /// Writes the separator between the previous item and the next one.
    fn separate(&mut self, role: Role) -> Result<(), Stop> {
        let separator = match role {
            Role::Element | Role::Key if self.follows => ", ",
            _ => "",
        };
        self.put(separator)
    }

    fn end_item(&mut self, role: Role) -> Result<(), Stop> {
        self.follows = role != Role::Key;
        self.put(if role == Role::Key { ": " } else { "" })
    }
}

impl<'a> Visitor<'a> for Summary {
    type Error = Stop;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Stop> {
        self.separate(leaf.role)?;
        self.put(Inline(Value { leaf, full: false }))?;
        self.end_item(leaf.role)
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Stop> {
        self.separate(open.role)?;
        let (start, close) = match open.container {
            Container::Array { .. } => ('[', ']'),
            Container::Dictionary { .. } => ('{', '}'),
            Container::Object { class, .. } => {
                self.put(format_args!("{} ", Escaped(class.as_bytes())))?;
                ('{', '}')
            }
        };
        self.open.push(Level { close, role: open.role });
        self.follows = false;
        self.put(start)
    }

    fn property(&mut self, property: Property<'a>) -> Result<(), Stop> {
        self.put(if self.follows { ", " } else { "" })?;
        self.put(format_args!("{}: ", Escaped(property.name.as_bytes())))
    }

    fn close(&mut self, _: Kind) -> Result<(), Stop> {
        let Some(Level { close, role }) = self.open.pop() else { return Ok(()) };
        self.put(close)?;
        self.end_item(role)
    }
}
