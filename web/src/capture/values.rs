//! Values on one line, written as in a script. Long text is cut off.

use super::text::{Escaped, append, clip};
use gamewire::godot::multiplayer::Run;
use gamewire::godot::{
    Container, Dialect, Error, Kind, Leaf, Open, Property, Reader, Role, Visitor,
};

/// Number of bytes after which values are cut off.
const SHORT: usize = 100;

/// Appends several values, separated by commas.
pub fn append_all(to: &mut String, values: Run<'_>) {
    let mut summary = Summary::new(to);
    let mut reader = values.iter();
    while let Ok(true) = reader.visit_dyn(&mut summary) {}
}

/// Appends the value at the start of `bytes`.
pub fn append_one(to: &mut String, bytes: &[u8], dialect: Dialect) {
    // An error ends the text.
    let _ = Reader::new(bytes, dialect).visit_dyn(&mut Summary::new(to));
}

struct Summary<'t> {
    text: &'t mut String,
    /// Where the values begin in `text`.
    start: usize,
    /// The closing brackets and the roles of open containers.
    open: Vec<(&'static str, Role)>,
    /// `true` if the next item is not the first one of its container.
    follows: bool,
}

/// Ends the visit early, because the text is long enough or the value is malformed.
struct Stop;

impl From<Error> for Stop {
    fn from(_: Error) -> Self {
        Self
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

    fn fit(&mut self) -> Result<(), Stop> {
        if self.text.len() - self.start <= SHORT {
            return Ok(());
        }
        clip(self.text, self.start, SHORT);
        Err(Stop)
    }

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
        append(self.text, &leaf.value.printed_as(leaf.encoded.dialect()), SHORT);
        self.fit()?;
        self.end_item(leaf.role)
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Stop> {
        self.separate(open.role)?;
        let (start, close) = match open.container {
            Container::Array { .. } => ("[", "]"),
            Container::Dictionary { .. } => ("{", "}"),
            Container::Object { class, .. } => {
                append(self.text, &Escaped(class.as_bytes()), SHORT);
                (" {", "}")
            }
        };
        self.open.push((close, open.role));
        self.follows = false;
        self.put(start)
    }

    fn property(&mut self, property: Property<'a>) -> Result<(), Stop> {
        if self.follows {
            self.put(", ")?;
        }
        append(self.text, &Escaped(property.name.as_bytes()), SHORT);
        self.put(": ")
    }

    fn close(&mut self, _: Kind) -> Result<(), Stop> {
        let Some((close, role)) = self.open.pop() else { return Ok(()) };
        self.put(close)?;
        self.end_item(role)
    }
}
