//! The debugger's messages in Godot 3.

use super::MessageBytes;
use crate::godot::{
    ArrayRef, Dialect, Error, ErrorKind, Kind, Reader, Result, StrRef, Values, VariantRef,
};

/// A command from the editor to the game: an array of the command's name and its arguments.
///
/// ```
/// use gamewire::godot::debugger::godot3::Command;
///
/// let frame = b"\x13\0\0\0\x01\0\0\0\x04\0\0\0\x05\0\0\0break\0\0\0"; // ["break"]
/// let command = Command::parse(frame)?;
/// assert!(command.name == "break" && command.arguments().len() == 0);
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Command<'a> {
    /// The command.
    pub name: StrRef<'a>,
    array: ArrayRef<'a>,
}

impl<'a> Command<'a> {
    /// Reads the command in a frame. As in the engine, trailing bytes are ignored.
    ///
    /// # Errors
    /// Returns an error if the frame is not an array whose first element is a name, or if it
    /// contains a full object.
    pub fn parse(frame: &'a [u8]) -> Result<Self> {
        Self::parse_at(frame, 0)
    }

    /// Reads the command in a frame. Adds `origin`, the offset of the frame in the input, to the
    /// offsets in errors.
    ///
    /// # Errors
    /// Returns the errors of [`parse`](Self::parse).
    pub fn parse_at(frame: &'a [u8], origin: u64) -> Result<Self> {
        let input = MessageBytes { bytes: frame, origin };
        let array = input.array(Dialect::Godot3)?;
        Ok(Self { name: input.items(array).text()?, array })
    }

    /// Returns the arguments of the command.
    pub fn arguments(&self) -> Values<'a> {
        let mut values = self.array.iter();
        values.next();
        values
    }
}

/// Reads the messages from the game to the editor. A message consists of a name, a count and that
/// many values, each in a separate frame. Stores only the count.
///
/// ```
/// use gamewire::godot::debugger::godot3::{Event, Messages};
///
/// let mut messages = Messages::new();
/// let Event::Name(name) = messages.feed(b"\x04\0\0\0\x04\0\0\0kill")? else { unreachable!() };
/// assert!(name == "kill");
/// assert!(matches!(messages.feed(b"\x02\0\0\0\x01\0\0\0")?, Event::Count(1)));
/// let Event::Value { index, value, is_last } = messages.feed(&[0; 4])? else { unreachable!() };
/// assert!(index == 0 && value.is_nil() && is_last);
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Messages {
    state: State,
}

/// The expected content of the next frame.
#[derive(Clone, Copy, Debug, Default)]
enum State {
    #[default]
    Name,
    Count,
    Value {
        index: u32,
        count: u32,
    },
}

/// The content of a frame.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A message begins.
    Name(StrRef<'a>),
    /// Number of values that follow. A message without values ends here.
    Count(u32),
    /// A value.
    Value {
        /// Index of the value, from 0.
        index: u32,
        /// The value.
        value: VariantRef<'a>,
        /// `true` for the last value of the message.
        is_last: bool,
    },
}

impl Messages {
    /// Creates a reader at the start of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns `true` if the next frame starts a message.
    pub fn is_between(&self) -> bool {
        matches!(self.state, State::Name)
    }

    /// Reads the next frame.
    ///
    /// # Errors
    /// Returns an error if the frame does not contain a value of the expected type, or if a count
    /// is negative or does not fit in 32 bits. The state then does not change.
    pub fn feed<'a>(&mut self, frame: &'a [u8]) -> Result<Event<'a>> {
        self.feed_at(frame, 0)
    }

    /// Reads the next frame. Adds `origin`, the offset of the frame in the input, to the offsets in
    /// errors.
    ///
    /// # Errors
    /// Returns the errors of [`feed`](Self::feed).
    pub fn feed_at<'a>(&mut self, frame: &'a [u8], origin: u64) -> Result<Event<'a>> {
        let value = Reader::new(frame, Dialect::Godot3).origin(origin).read()?;
        let wrong =
            |expected| Error::new(ErrorKind::WrongType { expected, found: value.kind() }, origin);
        let event = match self.state {
            State::Name => Event::Name(value.as_str().ok_or_else(|| wrong(Kind::String))?),
            State::Count => {
                let count = value.as_i64().ok_or_else(|| wrong(Kind::Int))?;
                // As in the engine's error message, only the low 32 bits of the count are reported.
                let negative = || Error::new(ErrorKind::NegativeLength(count as u32), origin);
                Event::Count(u32::try_from(count).ok().ok_or_else(negative)?)
            }
            State::Value { index, count } => {
                let is_last = index.saturating_add(1) >= count;
                Event::Value { index, value, is_last }
            }
        };
        self.state = match event {
            Event::Name(_) => State::Count,
            Event::Count(0) | Event::Value { is_last: true, .. } => State::Name,
            Event::Count(count) => State::Value { index: 0, count },
            Event::Value { index, .. } => match self.state {
                State::Value { count, .. } => {
                    State::Value { index: index.saturating_add(1), count }
                }
                other => other,
            },
        };
        Ok(event)
    }
}
