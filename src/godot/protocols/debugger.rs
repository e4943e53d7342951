//! Messages between a running game and the editor, over TCP (port 6007 by default). They consist of
//! values in [frames](super::frame) of at most 8 MiB.
//!
//! | engines | a message is |
//! |---|---|
//! | 4.2 and later | an array: name, id of the thread, array of data |
//! | 4.0 and 4.1 | an array: name, array of data |
//! | 3.x, from the editor | an array: command, its arguments |
//! | 3.x, from the game | a name, a count n and n values, each in a separate frame |
//!
//! [`Message`] reads the messages of Godot 4, the module [`godot3`] those of Godot 3.
//!
//! ```
//! use gamewire::godot::debugger::{Body, Message};
//!
//! // ["debug_enter", 1, [true, "", false, 1]], thread 1 being the main one
//! let frame = b"\x1c\0\0\0\x03\0\0\0\x04\0\0\0\x0b\0\0\0debug_enter\0\x02\0\0\0\x01\0\0\0\
//!     \x1c\0\0\0\x04\0\0\0\x01\0\0\0\x01\0\0\0\x04\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\
//!     \x02\0\0\0\x01\0\0\0";
//! let message = Message::parse(frame)?;
//! assert_eq!(message.thread, Some(1));
//! let Body::DebugEnter(enter) = message.body()? else { unreachable!() };
//! assert!(enter.can_continue && !enter.has_stack);
//! # Ok::<(), gamewire::godot::Error>(())
//! ```

mod body;
pub mod godot3;

pub use body::{
    Body, DebugEnter, ErrorReport, Output, StackDump, StackFrame, StackFrameVar, StackFrames,
    Thread,
};

use crate::godot::{
    ArrayRef, Dialect, Encoded, EncodedValues, Error, ErrorKind, Kind, Limits, Reader, Result,
    StrRef, VariantRef,
};

/// A message of Godot 4, in either direction.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// The name. A plugin's messages are called `capture:name`; see [`capture`](Self::capture).
    pub name: StrRef<'a>,
    /// The thread that the message refers to (4.2 and later).
    pub thread: Option<i64>,
    /// The data.
    pub data: ArrayRef<'a>,
    input: MessageBytes<'a>,
}

/// The bytes of a message, and their offset in the input. The offset is added to the offsets of
/// errors.
#[derive(Clone, Copy, Debug)]
struct MessageBytes<'a> {
    bytes: &'a [u8],
    origin: u64,
}

impl<'a> MessageBytes<'a> {
    /// Reads an array. Full objects in it are errors. In a message of Godot 4, bytes after the
    /// array are an error. In a message of Godot 3, they are ignored.
    fn array(&self, dialect: Dialect) -> Result<ArrayRef<'a>> {
        let limits = Limits { objects: false, ..Limits::default() };
        let mut reader = Reader::new(self.bytes, dialect).limits(limits).origin(self.origin);
        match reader.read()? {
            VariantRef::Array(array) if dialect == Dialect::Godot3 => Ok(array),
            VariantRef::Array(array) => reader.finish().map(|()| array),
            other => {
                let kind = ErrorKind::WrongType { expected: Kind::Array, found: other.kind() };
                Err(Error::new(kind, self.origin))
            }
        }
    }

    fn items(self, array: ArrayRef<'a>) -> Items<'a> {
        Items { values: array.iter().encoded(), input: self, array }
    }

    /// Returns the offset in the input of `part`, a part of the message.
    fn offset(&self, part: &[u8]) -> u64 {
        let range = Reader::new(self.bytes, Dialect::Godot4).range_of(part);
        self.origin.saturating_add(range.map_or(0, |range| range.start as u64))
    }
}

/// The items of an array, which are read in order and whose types are checked.
#[derive(Clone, Debug)]
struct Items<'a> {
    values: EncodedValues<'a>,
    input: MessageBytes<'a>,
    array: ArrayRef<'a>,
}

impl<'a> Items<'a> {
    fn left(&self) -> usize {
        self.values.len()
    }

    /// Returns an error if the array does not have `count` items.
    fn expect(&self, count: usize) -> Result<()> {
        if self.array.len() == count { Ok(()) } else { Err(self.wrong_count()) }
    }

    #[cold]
    fn wrong_count(&self) -> Error {
        let found = u32::try_from(self.array.len()).unwrap_or(u32::MAX);
        let offset = self.input.offset(self.array.encoded().as_bytes());
        Error::new(ErrorKind::WrongCount { found }, offset)
    }

    #[cold]
    fn wrong_type(&self, found: Encoded<'a>, expected: Kind) -> Error {
        let offset = self.input.offset(found.as_bytes());
        Error::new(ErrorKind::WrongType { expected, found: found.kind() }, offset)
    }

    fn next(&mut self) -> Result<Encoded<'a>> {
        self.values.next().ok_or_else(|| self.wrong_count())
    }

    fn next_as<T>(
        &mut self,
        expected: Kind,
        take: impl FnOnce(VariantRef<'a>) -> Option<T>,
    ) -> Result<T> {
        let found = self.next()?;
        take(found.decode()).ok_or_else(|| self.wrong_type(found, expected))
    }

    fn text(&mut self) -> Result<StrRef<'a>> {
        self.next_as(Kind::String, |value| value.as_str())
    }

    fn int(&mut self) -> Result<i64> {
        self.next_as(Kind::Int, |value| value.as_i64())
    }

    fn bool(&mut self) -> Result<bool> {
        self.next_as(Kind::Bool, |value| value.as_bool())
    }

    fn array(&mut self) -> Result<ArrayRef<'a>> {
        self.next_as(Kind::Array, |value| value.as_array())
    }
}

impl<'a> Message<'a> {
    /// Reads the message in a frame. As in the engine, full objects and trailing bytes are errors.
    ///
    /// # Errors
    /// Returns an error if the frame is not an array that contains a name, the id of a thread
    /// (optional) and an array of data.
    pub fn parse(frame: &'a [u8]) -> Result<Self> {
        Self::parse_at(frame, 0)
    }

    /// Reads the message in a frame. Adds `origin`, the offset of the frame in the input, to the
    /// offsets in errors.
    ///
    /// # Errors
    /// Returns the errors of [`parse`](Self::parse).
    pub fn parse_at(frame: &'a [u8], origin: u64) -> Result<Self> {
        let input = MessageBytes { bytes: frame, origin };
        let array = input.array(Dialect::Godot4)?;
        let mut items = input.items(array);
        let threads = match array.len() {
            2 => false,
            3 => true,
            _ => return Err(items.wrong_count()),
        };
        let name = items.text()?;
        let thread = if threads { Some(items.int()?) } else { None };
        Ok(Self { name, thread, data: items.array()?, input })
    }

    /// Splits the name of a plugin's message at its first colon. Returns the prefix that the plugin
    /// captures, and the rest of the name. Returns `None` for a name without a colon.
    ///
    /// ```
    /// use gamewire::godot::debugger::Message;
    ///
    /// let frame = b"\x1c\0\0\0\x02\0\0\0\x04\0\0\0\x03\0\0\0a:b\0\x1c\0\0\0\0\0\0\0";
    /// let message = Message::parse(frame)?;
    /// assert_eq!(message.capture(), Some(("a".into(), "b".into())));
    /// # Ok::<(), gamewire::godot::Error>(())
    /// ```
    pub fn capture(&self) -> Option<(StrRef<'a>, StrRef<'a>)> {
        let name = self.name.visible();
        let (capture, rest) = name.split_at_checked(memchr::memchr(b':', name)?)?;
        Some((StrRef::new(capture), StrRef::new(rest.get(1..)?)))
    }

    /// Decodes the data if the name of the message is known. Otherwise returns [`Body::Other`].
    ///
    /// # Errors
    /// Returns [`ErrorKind::WrongType`] or [`ErrorKind::WrongCount`] if the data does not match the
    /// name.
    pub fn body(&self) -> Result<Body<'a>> {
        Body::read(self.name, self.input.items(self.data))
    }
}
