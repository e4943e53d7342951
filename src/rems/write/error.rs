use crate::buffer::{self, Full};
use crate::rems::print::Unreadable;
use crate::rems::{Error, Kind, Scalar, Type};

/// Result of a writer.
pub(super) type Result<T = (), E = WriteError> = core::result::Result<T, E>;

/// Error of a writer. The offset is a position in the output.
pub type WriteError = buffer::Error<WriteErrorKind>;

pub(super) type KindResult<T = (), E = WriteErrorKind> = core::result::Result<T, E>;

/// Reason for a [`WriteError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The sink is full.
    #[error("{0}")]
    Full(Full),
    /// An item that the engine could not read back.
    #[error("the engine could not read this back: {0}")]
    Unreadable(Unreadable),
    /// A malformed value of the source file.
    #[error("the value cannot be read: {0}")]
    Source(Error),
    /// An object, property, value or end that is not allowed at this point.
    #[error("{0} is not allowed here")]
    OutOfTurn(&'static str),
    /// A value whose type differs from that of the property or list.
    #[error("found {found:?} where the type is {expected:?}")]
    OtherKind {
        /// Kind of the property or list, or `None` if it contains objects.
        expected: Option<Kind>,
        /// Kind of the value.
        found: Kind,
    },
    /// Components whose type or number does not match the kind.
    #[error("{count} components of {found:?} do not make a {kind:?}")]
    BadParts {
        /// The kind.
        kind: Kind,
        /// Type of the components.
        found: Scalar,
        /// Number of components.
        count: usize,
    },
    /// An object whose class differs from that of the property or list.
    #[error("the class of the object is not that of its property or list")]
    OtherClass,
    /// An object without a number in a binary stream, which requires one.
    #[error("an object in a binary stream needs a number")]
    NoNumber,
    /// An object number above 2³¹ − 1.
    #[error("{0} is not an object number")]
    BadNumber(u64),
    /// More elements than a list declares.
    #[error("more elements than the list declares")]
    TooManyElements,
    /// Binary: fewer elements than a list of one class declares.
    #[error("the list lacks {0} elements")]
    MissingElements(u32),
    /// Binary: the bytes written in place of omitted elements exceed the limit.
    #[error("omitted elements would take more than {limit} bytes")]
    TooMuchToFill {
        /// The limit in bytes.
        limit: u64,
    },
    /// A type that binary streams of this era cannot represent.
    #[error("streams of that time have no type {}", kind.map_or(Type::Mixed(*dim), |kind| Type::Kind(kind, *dim)))]
    NoSuchType {
        /// The kind, or `None` for lists of lists of objects.
        kind: Option<Kind>,
        /// Number of array dimensions.
        dim: u8,
    },
    /// A count or length above 2³¹ − 1.
    #[error("{0} exceeds the largest possible count")]
    TooLong(usize),
    /// Objects and lists are nested deeper than the limit of the writer.
    #[error("objects and lists are nested more than {limit} deep")]
    TooDeep {
        /// The limit.
        limit: u32,
    },
    /// An earlier error left the output incomplete.
    #[error("an earlier error left the output incomplete")]
    HalfWritten,
    /// The file was ended while objects or lists were open. The field is the number of open objects
    /// and lists.
    #[error("{0} objects and lists are still open")]
    Unfinished(u32),
}

impl From<Full> for WriteErrorKind {
    #[cold]
    fn from(full: Full) -> Self {
        Self::Full(full)
    }
}

impl From<Unreadable> for WriteErrorKind {
    #[cold]
    fn from(reason: Unreadable) -> Self {
        Self::Unreadable(reason)
    }
}

impl From<Error> for WriteErrorKind {
    #[cold]
    fn from(error: Error) -> Self {
        Self::Source(error)
    }
}
