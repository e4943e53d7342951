use super::Unreadable;
use crate::buffer::{self, Full};
use crate::rems::{Error, Kind, Scalar};

/// Why something cannot be written; the offset counts in what was written.
pub type WriteError = buffer::Error<WriteErrorKind>;

pub(super) type KindResult<T = (), E = WriteErrorKind> = core::result::Result<T, E>;

/// What went wrong; the [`WriteError`] around it says where in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The sink has no room left.
    #[error("{0}")]
    Full(Full),
    /// The engine could not read it back.
    #[error("the engine could not read this back: {0}")]
    Unreadable(Unreadable),
    /// What comes from a file is not what its type says.
    #[error("the value cannot be read: {0}")]
    Source(Error),
    /// An object, property, value or end where none can be.
    #[error("{0} is not allowed here")]
    OutOfTurn(&'static str),
    /// A value of another type than the property or list has.
    #[error("found {found:?} where the type is {expected:?}")]
    OtherKind {
        /// What the property or list says; none if objects belong there.
        expected: Option<Kind>,
        /// What was to be written.
        found: Kind,
    },
    /// Parts that are not what the kind is made of, or not as many.
    #[error("{count} components of {found:?} do not make a {kind:?}")]
    BadParts {
        /// What they were to be.
        kind: Kind,
        /// What they are.
        found: Scalar,
        /// How many.
        count: usize,
    },
    /// An object of another class than the property or list says.
    #[error("the class of the object is not that of its property or list")]
    OtherClass,
    /// An object without a number, where binary has to have one.
    #[error("an object in a binary stream needs a number")]
    NoNumber,
    /// A number of an object that is 0 or above 2³¹ - 1.
    #[error("{0} is not an object number")]
    BadNumber(u32),
    /// More elements than a list declares.
    #[error("more elements than the list declares")]
    TooManyElements,
    /// Binary: fewer elements than a list declares.
    #[error("the list lacks {0} elements")]
    MissingElements(u32),
    /// Binary: what a file declares and does not have takes more bytes than the limit.
    #[error("omitted elements would take more than {limit} bytes")]
    TooMuchToFill {
        /// The limit.
        limit: u64,
    },
    /// Binary of that time has no such type.
    #[error("streams of that time have no type for {kind:?} inside {dim} arrays")]
    NoSuchType {
        /// The kind; none for lists of lists of objects.
        kind: Option<Kind>,
        /// How many arrays are around it.
        dim: u8,
    },
    /// A count or length above 2³¹ - 1.
    #[error("{0} exceeds the largest possible count")]
    TooLong(usize),
    /// More objects and lists inside each other than the writer has room for.
    #[error("objects and lists are nested more than {limit} deep")]
    TooDeep {
        /// The limit.
        limit: u32,
    },
    /// An earlier error has left something half-written.
    #[error("an earlier error left the output incomplete")]
    HalfWritten,
    /// The end of the file, inside an object or list.
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
