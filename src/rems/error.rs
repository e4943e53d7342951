use super::{Kind, Scalar};
use crate::buffer;

/// Why a file cannot be read; the offset counts from its start.
pub type Error = buffer::Error<ErrorKind>;

pub(crate) type Result<T, E = Error> = core::result::Result<T, E>;

/// What went wrong; the [`Error`] around it says where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file ends before it is complete.
    #[error("the data end here (bytes missing: {missing})")]
    UnexpectedEnd {
        /// How many more bytes are needed, at the least.
        missing: u32,
    },
    /// Text: something else stands here.
    #[error("{0} belongs here")]
    Expected(&'static str),
    /// Text: a backslash before what is no escape.
    #[error("not one of the escapes of a string")]
    BadEscape,
    /// Text: a key that has no colon between type and name.
    #[error("a key without a type: TYPE:NAME belongs here")]
    NoType,
    /// Text: an object of which nothing says the class.
    #[error("nothing says the class of this object")]
    NoClass,
    /// Text: an object says another class than the type of the property or list has.
    #[error("an object of another class than its type says")]
    OtherClass,
    /// What is no number of this kind.
    #[error("not a number of this kind")]
    BadNumber,
    /// A number that does not fit into as many bits as its kind has.
    #[error("a number too large for its kind")]
    Overflow,
    /// What is neither true nor false.
    #[error("neither true nor false")]
    BadBool,
    /// What is no single unit of UTF-16.
    #[error("not one unit of UTF-16")]
    BadChar,
    /// What is no colour.
    #[error("not a colour")]
    BadColor,
    /// A vector, matrix or the like of other than its number of parts.
    #[error("not as many parts as a {0:?} has")]
    BadParts(Kind),
    /// A count that is negative, or of more than there are bytes for.
    #[error("{0} is no count of what can follow")]
    BadCount(i64),
    /// More elements than an array declares.
    #[error("more elements than the array declares")]
    TooManyElements,
    /// A number of an object that is negative.
    #[error("{0} is no number of an object")]
    BadPointer(i64),
    /// More objects and lists inside each other than the reader has room for.
    #[error("more than {limit} objects and lists inside each other")]
    TooDeep {
        /// The limit.
        limit: u32,
    },
    /// A value was asked for as what it is not.
    #[error("a {kind:?} inside {dim} arrays is not what was asked for")]
    OtherKind {
        /// Its kind.
        kind: Kind,
        /// How many arrays are around it.
        dim: u8,
    },
    /// Parts were asked for as what they are not.
    #[error("parts of {kind:?} are no {asked:?}")]
    OtherScalar {
        /// The value's kind.
        kind: Kind,
        /// What was asked for.
        asked: Scalar,
    },
    /// Binary: what is not there in any known form.
    #[error("{what}: {value} is not known")]
    Unknown {
        /// What it is for.
        what: &'static str,
        /// As the file has it.
        value: i64,
    },
    /// Binary: a number of a string that was not there before.
    #[error("{0} is no number of a string so far")]
    NoSuchString(i32),
    /// Binary: a number of an attribute that the class did not have before.
    #[error("{0} is no number of an attribute of the class so far")]
    NoSuchAttribute(i32),
    /// Binary: no string where there has to be one.
    #[error("a class or name that is null")]
    NullName,
    /// Text that is not UTF-8, where text was asked for.
    #[error("not UTF-8")]
    NotUtf8,
    /// Elements that an array or list declares and does not write, and more than are wanted.
    #[error("{count} elements are declared and not written, and up to {limit} are put in")]
    NotWritten {
        /// How many they are.
        count: u32,
        /// Of how many that would be no error, in all that is read.
        limit: u32,
    },
    /// More objects than there is room for.
    #[error("more objects than the {room} that there is room for")]
    NoRoom {
        /// For how many there is.
        room: u64,
    },
    /// A file that does not begin as a container does.
    #[error("a container begins with RemsEngineZZ")]
    NotAContainer,
    /// A container whose bytes are damaged.
    #[error("the compressed bytes are damaged")]
    Damaged,
    /// A container that holds more bytes than the caller wants.
    #[error("more than the limit of {limit} bytes")]
    TooLarge {
        /// What is allowed.
        limit: u64,
    },
}

/// An error, made out of the way.
#[cold]
#[inline(never)]
pub(crate) const fn fail(kind: ErrorKind, offset: u64) -> Error {
    Error::new(kind, offset)
}
