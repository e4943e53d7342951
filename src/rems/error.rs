use super::{Kind, Scalar, Type};
use crate::buffer;

/// Error of a reader. The offset counts from the start of the file.
pub type Error = buffer::Error<ErrorKind>;

pub(crate) type Result<T, E = Error> = core::result::Result<T, E>;

/// Reason for an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file ends too early.
    #[error("the input ends (bytes missing: {missing})")]
    UnexpectedEnd {
        /// Minimum number of bytes that are missing.
        missing: u32,
    },
    /// Text: a token other than the expected one. The field describes the expected token.
    #[error("expected {0}")]
    Expected(&'static str),
    /// Text: an unknown escape sequence.
    #[error("unknown escape sequence")]
    BadEscape,
    /// Text: a key without a colon between type and name.
    #[error("expected a key of the form TYPE:NAME")]
    NoType,
    /// Text: an object that has no class, and whose declared type does not name one either.
    #[error("the object has no class")]
    NoClass,
    /// Text: an object whose class differs from the class in the type of its property or list.
    #[error("the class of the object is not that of its property or list")]
    OtherClass,
    /// A malformed number.
    #[error("malformed number")]
    BadNumber,
    /// A number that is out of range for its kind.
    #[error("number out of range for its kind")]
    Overflow,
    /// A malformed boolean.
    #[error("expected true or false")]
    BadBool,
    /// A character that is not a single UTF-16 code unit.
    #[error("expected a single UTF-16 code unit")]
    BadChar,
    /// A malformed colour.
    #[error("malformed colour")]
    BadColor,
    /// A vector, matrix or box with a wrong number of components.
    #[error("wrong number of components for a {0:?}")]
    BadParts(Kind),
    /// A count that is negative, or greater than the remaining bytes allow.
    #[error("invalid count {0}: it is negative, or exceeds the remaining bytes")]
    BadCount(i64),
    /// More elements than an array declares.
    #[error("more elements than the array declares")]
    TooManyElements,
    /// A negative object number.
    #[error("{0} is not an object number")]
    BadPointer(i64),
    /// Objects and lists are nested deeper than the limit of the reader.
    #[error("objects and lists are nested more than {limit} deep")]
    TooDeep {
        /// The limit.
        limit: u32,
    },
    /// The caller requested a value of one kind as a different kind.
    #[error("a value of type {} is not of the requested type", Type::Kind(*kind, *dim))]
    OtherKind {
        /// Kind of the value.
        kind: Kind,
        /// Number of array dimensions of the value.
        dim: u8,
    },
    /// The caller requested components of one type as a different type.
    #[error("components of {kind:?} are not {requested:?}")]
    OtherScalar {
        /// Kind of the value.
        kind: Kind,
        /// The requested type.
        requested: Scalar,
    },
    /// Binary: an unknown type id or marker.
    #[error("unknown {what}: {value}")]
    Unknown {
        /// Description of the id or marker.
        what: &'static str,
        /// The id or marker in the file.
        value: i64,
    },
    /// Binary: an index for which the stream has not defined a string yet.
    #[error("no string has the index {0}")]
    NoSuchString(i32),
    /// Binary: an index for which the stream has not defined an attribute of the class yet.
    #[error("the class has no attribute with the index {0}")]
    NoSuchAttribute(i32),
    /// Binary: null in place of a class or name.
    #[error("the class or name is null")]
    NullName,
    /// Text that is not UTF-8, where UTF-8 was requested.
    #[error("the text is not UTF-8")]
    NotUtf8,
    /// The file declares and omits more elements than the caller accepts.
    #[error("the file omits {count} declared elements, which exceeds the limit of {limit}")]
    NotWritten {
        /// Number of omitted elements.
        count: u32,
        /// The limit that was exceeded. Usually it applies to all omitted elements of a call
        /// together. Printing JSON also limits each array or list, and this field contains that
        /// limit if `count` alone exceeds it.
        limit: u32,
    },
    /// More objects than the caller provided [slots](super::Slot) for.
    #[error("more objects than the {capacity} slots provided")]
    TooManyObjects {
        /// Number of slots.
        capacity: u64,
    },
    /// More items than the limit of [`Tape::collect`](super::Tape::collect).
    #[error("more than {limit} objects and values")]
    TooManyItems {
        /// The limit.
        limit: u64,
    },
    /// A file without the signature of a container.
    #[error("a container must begin with RemsEngineZZ")]
    NotAContainer,
    /// A container with damaged data.
    #[error("the compressed data is damaged")]
    Damaged,
    /// A container whose content exceeds the limit that the caller set.
    #[error("the content exceeds the limit of {limit} bytes")]
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
}

/// Creates an error. Not inlined, to keep the code of the callers small.
#[cold]
#[inline(never)]
pub(crate) const fn fail(kind: ErrorKind, offset: u64) -> Error {
    Error::new(kind, offset)
}
