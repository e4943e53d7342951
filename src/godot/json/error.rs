use crate::buffer;
use crate::godot;

/// Why text is not read, or a packet not written from it. The offset is in bytes, from
/// the start of the text.
///
/// ```
/// use gamewire::godot::json::{Document, ErrorKind};
///
/// let error = Document::parse(r#"["i:1""#).unwrap_err();
/// assert_eq!(*error.kind(), ErrorKind::Expected("`,` or `]`"));
/// assert_eq!(error.offset(), 6);
/// ```
pub type Error = buffer::Error<ErrorKind>;

pub(super) type Result<T> = core::result::Result<T, Error>;

/// What went wrong; the [`Error`] around it says where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text goes on otherwise than JSON does.
    #[error("{0} was expected")]
    Expected(&'static str),
    /// A backslash in front of something that it does not escape, or half a surrogate
    /// pair.
    #[error("an escape that stands for no character")]
    BadEscape,
    /// Text after the value.
    #[error("more after the value")]
    TrailingText,
    /// A text of 4 GiB or more.
    #[error("a text of 4 GiB or more")]
    TooLong,
    /// A number that is none, or has a fraction where an integer is due.
    #[error("a number that cannot be read")]
    BadNumber,
    /// An integer that its place has no room for.
    #[error("an integer that does not fit here")]
    OutOfRange,
    /// A number where a value is due.
    #[error("a number that does not say its type (\"i:1\" is an int, \"f:1\" a float)")]
    BareNumber,
    /// A string that no type's prefix starts.
    #[error("a string without the prefix of its type (i: f: s: sn: np:)")]
    NoPrefix,
    /// No type or class is called so.
    #[error("no type of that name")]
    UnknownType,
    /// An object lacks a member.
    #[error("an object without {0:?}")]
    MissingMember(&'static str),
    /// Too many parts for the type, or too few.
    #[error("parts that do not make up a value of the type (left or missing: {0})")]
    PartCount(u32),
    /// Keys and values, or names and values, of which the last has no partner.
    #[error("a key or name without its value")]
    NoPartner,
    /// Not hexadecimal.
    #[error("not hexadecimal")]
    BadHex,
    /// Bytes that are said to be a value's, and are not.
    #[error("bytes that are no such value")]
    BadWire,
    /// The packet cannot say this.
    #[error(transparent)]
    Unwritable(godot::ErrorKind),
}

impl From<godot::Error> for Error {
    /// (The offset is the packet's, and is replaced by that of the value's text.)
    fn from(error: godot::Error) -> Self {
        Self::new(ErrorKind::Unwritable(*error.kind()), error.offset())
    }
}
