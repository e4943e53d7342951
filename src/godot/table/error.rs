//! The error type of all functions that read or write Variants.

mod fault;

pub use fault::{Fault, Message};

use crate::buffer::{self, Cursor, Full, UnexpectedEnd};
use crate::godot::{Deviation, Kind};

/// The error of reading a packet or writing a value: an [`ErrorKind`] and an offset.
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

/// The result of a function that reads or writes Variants.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// The reason for an [`Error`]. The error itself has the offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input ends inside a value. A program that reads a stream can wait for
    /// [`Error::missing`] more bytes and try again.
    #[error("the packet ends inside a value (bytes missing: {missing})")]
    UnexpectedEnd {
        /// Lower bound of the number of bytes that are missing.
        missing: u32,
    },
    /// A type id that does not exist in the dialect.
    #[error("{id} is not a type id of this dialect (expected the header of a value)")]
    UnknownType {
        /// The id in the header.
        id: u32,
    },
    /// A length or count with bit 31 set, which the engine reads as a negative number.
    #[error("expected a length, found {0:#010x}, which is negative")]
    NegativeLength(u32),
    /// A value that takes 2 GiB or more. Engines compute sizes in signed 32 bits.
    #[error("the value takes 2 GiB or more")]
    TooLarge,
    /// Containers are nested more deeply than the limit allows.
    #[error("more than {limit} nested containers")]
    TooDeep {
        /// The limit, such as [`Limits::depth`](crate::godot::Limits::depth).
        limit: u32,
    },
    /// A full object, with class and properties, although objects are not allowed.
    #[error("found a full object, but objects are not allowed")]
    ObjectNotAllowed,
    /// A NodePath in the old form, which Godot 3.1 and later reject.
    #[error(
        "a NodePath in the old form, which this dialect does not have (bit 31 of the count is clear)"
    )]
    OldNodePath,
    /// A container that declares the type of its elements, keys or values by an id that does not
    /// belong to any type.
    #[error("{id} is not an element type of a typed container")]
    UnknownElementType {
        /// The id on the wire.
        id: u32,
    },
    /// Text that the dialect's engine rejects.
    #[error("text that is not UTF-8")]
    BadText,
    /// Bytes after the value, where the input should end.
    #[error("unexpected bytes after the value: {count}")]
    TrailingBytes {
        /// Number of bytes, capped at `u32::MAX`.
        count: u32,
    },
    /// Reading a stream: a frame that is longer than
    /// [`Framing::max_len`](crate::godot::frame::Framing::max_len).
    #[error("a frame of {len} bytes is longer than allowed")]
    FrameTooLong {
        /// The length in the frame's prefix.
        len: u32,
    },
    /// [`Level::Strict`](crate::godot::Level::Strict): engines read this value, but would write it
    /// with different bytes.
    #[error("not canonical: {0}")]
    NotCanonical(Deviation),

    /// A value of an unexpected type.
    #[error("expected {expected:?}, found {found:?}")]
    WrongType {
        /// The expected type.
        expected: Kind,
        /// The type of the value.
        found: Kind,
    },
    /// A container with an unexpected number of items. The container is an array or, with serde,
    /// possibly a dictionary or a packed array.
    #[error("unexpected number of items: {found}")]
    WrongCount {
        /// Number of items in the container.
        found: u32,
    },
    /// Patching: there is no value at the path. The offset is that of the deepest value that
    /// the path reaches.
    #[error("there is no value at this path")]
    NoSuchPath,
    /// Patching: the path leads to a container. Only its items can be changed.
    #[error("the {0:?} at this path can only be changed item by item")]
    IsContainer(Kind),
    /// Patching: the new value cannot be written in place of the old one. Either it is a number
    /// that the width of the old number cannot represent, or one of the two values is a full object
    /// and the other one is the id of an object.
    #[error("the new number or object does not fit the bytes of the old one")]
    DoesNotFit,
    /// Patching: the new value has a different size from the old one.
    #[error("the new value does not have the size of the old one ({expected} bytes)")]
    WrongSize {
        /// Size of the old value in bytes.
        expected: u32,
    },
    /// Single-precision reals were requested as a slice of double-precision reals, or vice versa.
    #[error("the reals do not have the width of the borrowed type")]
    WrongWidth,
    /// A malformed packet of a multiplayer API.
    #[error(transparent)]
    Multiplayer(Fault),

    /// Writing: the target has no such type.
    #[error("the target has no {0:?}")]
    NoSuchType(Kind),
    /// Writing: the target has the type, but cannot represent this value.
    #[error("the target cannot write this {0:?}: {1}")]
    Unrepresentable(Kind, Unrepresentable),
    /// Writing: a count or length of 2^31 or more.
    #[error("the count or length does not fit in 31 bits")]
    TooLong,
    /// Writing: more items than the container announced.
    #[error("more items than the container announced")]
    TooManyItems,
    /// Writing: the container was finished before all announced items were written.
    #[error("{0} items fewer than the container announced")]
    MissingItems(u32),
    /// Writing: a property's value without its name, or a name where no name is expected.
    #[error("a property's name and value in the wrong order")]
    OutOfTurn,
    /// Writing: an earlier container was dropped before it was finished, on a sink that cannot
    /// rewind.
    #[error("an earlier value was left half-written")]
    HalfWritten,
    /// The sink, or the buffer for an index, is full.
    #[error("the buffer is full (bytes missing: {missing})")]
    BufferFull {
        /// Number of bytes by which the buffer is too small, or a lower bound of this number.
        missing: u32,
    },
}

/// The reason why a target cannot represent a value. It is part of [`ErrorKind::Unrepresentable`].
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
    /// A full object with an empty class name, which would be read as null.
    #[error("a full object needs a class")]
    NoClass,
    /// A container whose element type the target does not have.
    #[error("it has no such element type")]
    ElementType,
}

impl Error {
    /// Returns a lower bound of the number of missing bytes if the input ends inside a value.
    /// Returns `None` for any other error.
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

/// Returns an error at the offset of the word that was read last.
#[cold]
#[inline(never)]
pub(crate) fn fail_at_word(at: Cursor<'_>, kind: ErrorKind) -> Error {
    Error::new(kind, at.pos().saturating_sub(4) as u64)
}
