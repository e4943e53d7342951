//! Values as a part of a line: as a script would write them, and no more than there is
//! room for. The walk ends where the room does, so that long values cost no time.

use crate::godot::value_display::{Inline, Value};
use crate::ui::text::Name;
use gamewire::godot::multiplayer::Run;
use gamewire::godot::{
    Container, Dialect, Error, Kind, Leaf, Open, Property, Reader, Role, Visitor,
};
use std::fmt::{self, Display, Write as _};

/// How many characters of them are shown.
const ROOM: usize = 100;

/// What colours begin with; they end with `m`.
const ESCAPE: char = '\u{1b}';

/// Values, separated by commas.
pub struct Values<'a>(pub Run<'a>);

impl Display for Values<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut brief = Brief::default();
        let mut reader = self.0.iter();
        while let Ok(true) = reader.visit(&mut brief) {}
        brief.fmt(f)
    }
}

/// One value in full form.
pub struct One<'a>(pub &'a [u8], pub Dialect);

impl Display for One<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut brief = Brief::default();
        let _ = Reader::new(self.0, self.1).visit(&mut brief); // what was read is shown
        brief.fmt(f)
    }
}

#[derive(Default)]
struct Brief {
    text: String,
    /// How many characters that is.
    len: usize,
    open: Vec<Level>,
    /// Whether an item comes behind another one.
    follows: bool,
    /// Whether not all was shown.
    cut: bool,
    /// Inside a colour.
    escape: bool,
}

/// A container that is open.
struct Level {
    close: char,
    role: Role,
}

/// Why the walk ends early.
enum Stop {
    /// There is no room left.
    Full,
    Malformed,
}

impl From<Error> for Stop {
    fn from(_: Error) -> Self {
        Self::Malformed
    }
}

impl Display for Brief {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        f.write_str(if self.cut { "…" } else { "" })
    }
}

/// What does not fit is an error, which ends whatever is being written.
impl fmt::Write for Brief {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = ROOM.saturating_sub(self.len);
        if text.len() <= room && text.is_ascii() && !text.contains(ESCAPE) && !self.escape {
            self.len = self.len.saturating_add(text.len());
            self.text.push_str(text);
            return Ok(());
        }
        text.chars().try_for_each(|c| self.push(c))
    }
}

impl Brief {
    /// Appends a character; colours are left out, since a cut would leave them on. (Nothing
    /// else begins like them: values are escaped.)
    fn push(&mut self, c: char) -> fmt::Result {
        if self.escape {
            self.escape = c != 'm';
        } else if c == ESCAPE {
            self.escape = true;
        } else if self.len >= ROOM {
            self.cut = true;
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

    /// What stands between an item and the one before.
    fn separate(&mut self, role: Role) -> Result<(), Stop> {
        let separator = match role {
            Role::Element | Role::Key if self.follows => ", ",
            _ => "",
        };
        self.put(separator)
    }

    fn done(&mut self, role: Role) -> Result<(), Stop> {
        self.follows = role != Role::Key;
        self.put(if role == Role::Key { ": " } else { "" })
    }
}

impl<'a> Visitor<'a> for Brief {
    type Error = Stop;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Stop> {
        self.separate(leaf.role)?;
        self.put(Inline(Value { leaf, full: false }))?;
        self.done(leaf.role)
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Stop> {
        self.separate(open.role)?;
        let (start, close) = match open.container {
            Container::Array { .. } => ('[', ']'),
            Container::Dictionary { .. } => ('{', '}'),
            Container::Object { class, .. } => {
                self.put(Name(class.as_bytes()))?;
                ('{', '}')
            }
        };
        self.open.push(Level { close, role: open.role });
        self.follows = false;
        self.put(start)
    }

    fn property(&mut self, property: Property<'a>) -> Result<(), Stop> {
        self.separate(Role::Key)?;
        self.put(format_args!("{}: ", Name(property.name.as_bytes())))
    }

    fn close(&mut self, _: Kind) -> Result<(), Stop> {
        let Some(Level { close, role }) = self.open.pop() else { return Ok(()) };
        self.put(close)?;
        self.done(role)
    }
}
