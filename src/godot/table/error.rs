use crate::buffer::{self, Cursor, Full, UnexpectedEnd};
mod fault;

pub use fault::{Fault, Message};

use crate::godot::{Deviation, Kind};

/// Why a packet cannot be read, or a value cannot be written.
///
/// ```
/// use gamewire::godot::{Dialect, ErrorKind, Reader};
///
/// let packet = [39, 0, 0, 0]; // ids end at 38
/// let error = Reader::new(&packet, Dialect::Godot4).read().unwrap_err();
/// assert_eq!(*error.kind(), ErrorKind::UnknownType { id: 39 });
/// assert_eq!(error.offset(), 0);
/// assert!(error.to_string().ends_with("at offset 0 (0x0)"));
/// ```
pub type Error = buffer::Error<ErrorKind>;

pub(crate) type Result<T> = core::result::Result<T, Error>;

/// What went wrong; the [`Error`] around it says where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input ends inside a value. A server that reads a stream can wait for
    /// [`Error::missing`] more bytes and try again.
    #[error("the packet ends inside a value (bytes missing: {missing})")]
    UnexpectedEnd {
        /// How many more bytes are needed, at the least.
        missing: u32,
    },
    /// A type id that the dialect does not have.
    #[error("{id} is no type id here (a value's header was expected)")]
    UnknownType {
        /// As the header has it.
        id: u32,
    },
    /// A length or count that is negative as the engine reads it (bit 31).
    #[error("a length was expected, found {0:#010x}, which is negative")]
    NegativeLength(u32),
    /// A value that would span 2 GiB or more; engines count in signed 32 bits.
    #[error("a value of 2 GiB or more")]
    TooLarge,
    /// More containers inside each other than the limit allows.
    #[error("more than {limit} containers inside each other")]
    TooDeep {
        /// The limit, see [`Limits::depth`](crate::godot::Limits::depth).
        limit: u32,
    },
    /// A full object, and objects are not allowed.
    #[error("a full object, and objects are not allowed")]
    ObjectNotAllowed,
    /// A NodePath in the form that was given up before Godot 3.1.
    #[error("a NodePath in the old form (bit 31 of its count is clear)")]
    OldNodePath,
    /// A typed container whose element type is no type id.
    #[error("{id} is no element type of a typed container")]
    UnknownElementType {
        /// As on the wire.
        id: u32,
    },
    /// Text that the dialect's engine refuses.
    #[error("text that is not UTF-8")]
    BadText,
    /// Bytes after the value, where none may be.
    #[error("more after the value (bytes: {count})")]
    TrailingBytes {
        /// How many (at the most `u32::MAX` is told).
        count: u32,
    },
    /// A frame of a stream that is longer than [allowed](crate::godot::frame::Framing::max_len).
    #[error("a frame of {len} bytes, which is more than allowed")]
    FrameTooLong {
        /// As its prefix says.
        len: u32,
    },
    /// [`Level::Strict`](crate::godot::Level::Strict): legal, but not as an engine writes it.
    #[error("not canonical: {0}")]
    NotCanonical(Deviation),

    /// A value of another type than belongs there.
    #[error("expected {expected:?}, found {found:?}")]
    WrongType {
        /// What belongs there.
        expected: Kind,
        /// What is there.
        found: Kind,
    },
    /// An array with more or fewer items than belong in it.
    #[error("an array of {found} items, which is not as many as belong there")]
    WrongCount {
        /// How many there are.
        found: u32,
    },
    /// Changing in place: nothing is at that path; the offset is that of the value in which
    /// it would be.
    #[error("nothing is at that path")]
    NoSuchPath,
    /// Changing in place: a container, which is changed by its items.
    #[error("the {0:?} there is changed by its items")]
    IsContainer(Kind),
    /// Changing in place: a number that the one there has no bits for; or an object where the
    /// id of one is, or the other way round.
    #[error("what does not fit the one there, or not exactly")]
    DoesNotFit,
    /// Changing in place: a value that takes more or fewer bytes.
    #[error("a value that does not take as many bytes as what is there ({there})")]
    WrongSize {
        /// How many are there.
        there: u32,
    },
    /// Vectors or the like in single precision that are to be borrowed in double, or the
    /// other way round.
    #[error("reals of another width than those that are to be borrowed")]
    WrongWidth,
    /// A packet of a multiplayer API that breaks the rules of one.
    #[error(transparent)]
    Multiplayer(Fault),

    /// Writing: the target has no such type.
    #[error("the target has no {0:?}")]
    NoSuchType(Kind),
    /// Writing: the target cannot say this of a value of that type.
    #[error("the target cannot write this {0:?}: {1}")]
    Unrepresentable(Kind, Unrepresentable),
    /// Writing: too many items, or text of 2 GiB.
    #[error("a count or length that does not fit 31 bits")]
    TooLong,
    /// Writing: a container has all the items that were announced.
    #[error("one item more than the container announced")]
    TooManyItems,
    /// Writing: a container was finished before all its items came.
    #[error("{0} items fewer than the container announced")]
    MissingItems(u32),
    /// Writing: a property's value without its name, or a name where none is due.
    #[error("a property's name and value out of turn")]
    OutOfTurn,
    /// Writing: an earlier value was given up half-way on a sink that cannot take
    /// it back.
    #[error("an earlier value was left half-written")]
    HalfWritten,
    /// Writing: the sink is full.
    #[error("no room left (bytes missing: {missing})")]
    BufferFull {
        /// How many more bytes the sink would have to hold.
        missing: u32,
    },
}

/// What a target dialect has no bytes for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Unrepresentable {
    /// An integer that needs 64 bits.
    #[error("it has no 64-bit integers")]
    WideInt,
    /// A real in double precision.
    #[error("it has no double-precision reals")]
    DoubleReal,
    /// A typed array or dictionary.
    #[error("it has no typed containers of this kind")]
    TypedContainer,
    /// A RID other than 0.
    #[error("its RIDs carry no id")]
    RidId,
    /// An object other than null.
    #[error("its objects are always null")]
    Object,
    /// A full object without a class: that is how null is written.
    #[error("a full object needs a class")]
    NoClass,
    /// An element type that the target does not have.
    #[error("it has no such element type")]
    ElementType,
}

impl Error {
    /// Where more input might help: how many bytes are missing at the least.
    ///
    /// ```
    /// use gamewire::godot::{Dialect, Reader};
    ///
    /// let half = [2, 0, 0, 0, 7]; // an int's header and one of its four bytes
    /// let error = Reader::new(&half, Dialect::Godot4).read().unwrap_err();
    /// assert_eq!(error.missing(), Some(3));
    /// ```
    pub fn missing(&self) -> Option<u32> {
        match *self.kind() {
            ErrorKind::UnexpectedEnd { missing } => Some(missing),
            _ => None,
        }
    }
}

impl From<buffer::Error<UnexpectedEnd>> for Error {
    #[cold]
    fn from(end: buffer::Error<UnexpectedEnd>) -> Self {
        let UnexpectedEnd { missing } = *end.kind();
        Self::new(ErrorKind::UnexpectedEnd { missing }, end.offset())
    }
}

impl From<Full> for ErrorKind {
    fn from(full: Full) -> Self {
        Self::BufferFull { missing: full.missing }
    }
}

impl From<Fault> for ErrorKind {
    fn from(fault: Fault) -> Self {
        Self::Multiplayer(fault)
    }
}

const _: () = assert!(size_of::<Error>() == 16);

/// An error about the word that was read last.
#[cold]
#[inline(never)]
pub(crate) fn fail_at_word(at: Cursor<'_>, kind: ErrorKind) -> Error {
    Error::new(kind, at.pos().saturating_sub(4) as u64)
}
