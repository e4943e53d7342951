//! Summaries of values, which are printed as a part of a line. They are written as in a script, and
//! truncated after [`MAX_CHARS`] characters. Values are read only up to this length, so a very long
//! value takes no more time than one of [`MAX_CHARS`] characters.

use crate::godot::value_display::{Inline, Value};
use crate::ui::text::{Escaped, append_clipped};
use gamewire::godot::multiplayer::Run;
use gamewire::godot::{
    Container, Dialect, Error, Kind, Leaf, Open, Property, Reader, Role, Visitor,
};

/// The maximum length of a summary, in characters.
const MAX_CHARS: usize = 100;

/// A summary of several values, separated by commas.
pub struct Values<'a>(pub Run<'a>);

impl Values<'_> {
    pub fn write(&self, to: &mut String) {
        let mut summary = Summary::new(to);
        let mut reader = self.0.iter();
        while let Ok(true) = reader.visit_dyn(&mut summary) {}
    }
}

/// A summary of one value with a header.
pub struct One<'a>(pub &'a [u8], pub Dialect);

impl One<'_> {
    pub fn write(&self, to: &mut String) {
        let mut summary = Summary::new(to);
        let _ = Reader::new(self.0, self.1).visit_dyn(&mut summary); // an error ends the summary
    }
}

struct Summary<'t> {
    /// The summary, after other text.
    text: &'t mut String,
    /// Index of the start of the summary in `text`.
    start: usize,
    open: Vec<Level>,
    /// `true` if the next item is not the first one of its container.
    follows: bool,
}

/// An open container.
struct Level {
    close: &'static str,
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

impl<'t> Summary<'t> {
    fn new(text: &'t mut String) -> Self {
        Self { start: text.len(), text, open: Vec::new(), follows: false }
    }

    fn put(&mut self, text: &str) -> Result<(), Stop> {
        self.text.push_str(text);
        self.fit()
    }

    fn name(&mut self, name: &[u8]) -> Result<(), Stop> {
        // A character has at most 4 bytes.
        append_clipped(self.text, Escaped(name), MAX_CHARS * 4);
        self.fit()
    }

    /// Truncates the summary if it is too long.
    fn fit(&mut self) -> Result<(), Stop> {
        // A text has at most as many characters as bytes.
        if self.text.len().saturating_sub(self.start) <= MAX_CHARS {
            return Ok(());
        }
        let summary = self.text.get(self.start..).unwrap_or_default();
        let Some((end, _)) = summary.char_indices().nth(MAX_CHARS) else { return Ok(()) };
        self.text.truncate(self.start.saturating_add(end));
        self.text.push('…');
        Err(Stop::Full)
    }

    /// Writes the separator between the previous item and the next one.
    fn separate(&mut self, role: Role) -> Result<(), Stop> {
        match role {
            Role::Element | Role::Key if self.follows => self.put(", "),
            _ => Ok(()),
        }
    }

    fn end_item(&mut self, role: Role) -> Result<(), Stop> {
        self.follows = role != Role::Key;
        if role == Role::Key { self.put(": ") } else { Ok(()) }
    }
}

impl<'a> Visitor<'a> for Summary<'_> {
    type Error = Stop;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Stop> {
        self.separate(leaf.role)?;
        // Writing to a string cannot fail.
        let _ = Inline(Value { leaf, full: false, colours: false }).write(self.text);
        self.fit()?;
        self.end_item(leaf.role)
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Stop> {
        self.separate(open.role)?;
        let (start, close) = match open.container {
            Container::Array { .. } => ("[", "]"),
            Container::Dictionary { .. } => ("{", "}"),
            Container::Object { class, .. } => {
                self.name(class.as_bytes())?;
                self.put(" ")?;
                ("{", "}")
            }
        };
        self.open.push(Level { close, role: open.role });
        self.follows = false;
        self.put(start)
    }

    fn property(&mut self, property: Property<'a>) -> Result<(), Stop> {
        if self.follows {
            self.put(", ")?;
        }
        self.name(property.name.as_bytes())?;
        self.put(": ")
    }

    fn close(&mut self, _: Kind) -> Result<(), Stop> {
        let Some(Level { close, role }) = self.open.pop() else { return Ok(()) };
        self.put(close)?;
        self.end_item(role)
    }
}
