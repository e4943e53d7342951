use super::Unreadable;
use crate::buffer::{self, Full};
use crate::rems::{Error, Kind, Scalar};

/// Why something cannot be written; the offset counts in what was written.
pub type WriteError = buffer::Error<WriteErrorKind>;

pub(super) type Written<T = (), E = WriteErrorKind> = core::result::Result<T, E>;

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
    #[error("{0} cannot stand here")]
    OutOfTurn(&'static str),
    /// A value of another type than the property or list has.
    #[error("{found:?} where the type says {expected:?}")]
    OtherKind {
        /// What the property or list says; none if objects belong there.
        expected: Option<Kind>,
        /// What was to be written.
        found: Kind,
    },
    /// Parts that are not what the kind is made of, or not as many.
    #[error("{count} parts of {found:?} make no {kind:?}")]
    BadParts {
        /// What they were to be.
        kind: Kind,
        /// What they are.
        found: Scalar,
        /// How many.
        count: usize,
    },
    /// An object of another class than the property or list says.
    #[error("an object of another class than the property or list says")]
    OtherClass,
    /// An object without a number, where binary has to have one.
    #[error("an object in a binary stream needs a number")]
    NoNumber,
    /// A number of an object that is 0 or above 2³¹ - 1.
    #[error("{0} is no number of an object")]
    BadNumber(u32),
    /// More elements than a list declares.
    #[error("more elements than the list declares")]
    TooManyElements,
    /// Binary: fewer elements than a list declares.
    #[error("{0} elements of the list are missing")]
    MissingElements(u32),
    /// Binary: what a file declares and does not have takes more bytes than the limit.
    #[error("more than {limit} bytes for what is declared and not there")]
    TooMuchToFill {
        /// The limit.
        limit: u64,
    },
    /// Binary of that time has no such type.
    #[error("{kind:?} inside {dim} arrays cannot be said in that time's streams")]
    NoSuchType {
        /// The kind; none for lists of lists of objects.
        kind: Option<Kind>,
        /// How many arrays are around it.
        dim: u8,
    },
    /// A count or length above 2³¹ - 1.
    #[error("{0} is more than a count can be")]
    TooLong(usize),
    /// More objects and lists inside each other than the writer has room for.
    #[error("more than {limit} objects and lists inside each other")]
    TooDeep {
        /// The limit.
        limit: u32,
    },
    /// An earlier error has left something half-written.
    #[error("an earlier error has left something half-written")]
    HalfWritten,
    /// The end of the file, inside an object or list.
    #[error("{0} objects and lists have not ended")]
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
