use crate::buffer;
use crate::godot;

/// An error in parsing JSON text or in writing the parsed text to a packet. Its offset is in bytes
/// from the start of the text.
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

/// The kind of an [`Error`]. The error also contains an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text does not continue with the given token or the given type of JSON value.
    #[error("{0} was expected")]
    Expected(&'static str),
    /// An unknown escape, or an unpaired surrogate.
    #[error("an invalid escape")]
    BadEscape,
    /// The value is followed by text.
    #[error("unexpected text after the value")]
    TrailingText,
    /// Text of 4 GiB or more.
    #[error("text of 4 GiB or more")]
    TooLong,
    /// A malformed number, or a fraction in place of an integer.
    #[error("a number that cannot be read")]
    BadNumber,
    /// An integer outside the range of its type.
    #[error("an integer that does not fit here")]
    OutOfRange,
    /// A number in place of a value. Ints and floats must be strings with a prefix.
    #[error("a number that does not say its type (\"i:1\" is an int, \"f:1\" a float)")]
    BareNumber,
    /// A string that does not start with the prefix of a type.
    #[error("a string without the prefix of its type (i: f: s: sn: np:)")]
    NoPrefix,
    /// A name that is not the name of a type.
    #[error("no type of that name")]
    UnknownType,
    /// An object lacks the member with this name.
    #[error("an object without {0:?}")]
    MissingMember(&'static str),
    /// Too many or too few parts for the type. The field is the number of surplus or missing parts.
    #[error("the wrong number of parts for the type (surplus or missing: {0})")]
    PartCount(u32),
    /// A list of keys and values, or of names and values, whose last key or name has no value.
    #[error("a key or name without its value")]
    NoPartner,
    /// Text that should encode bytes, but is not hexadecimal.
    #[error("not hexadecimal")]
    BadHex,
    /// The bytes in a `wire` or `head` member do not match the object that contains them.
    #[error("bytes that do not encode this value")]
    BadWire,
    /// A value that cannot be written: the target cannot represent it, it is nested too deeply, or
    /// it does not fit in the sink.
    #[error(transparent)]
    Unwritable(godot::ErrorKind),
}

impl From<godot::Error> for Error {
    /// Converts an error that occurred while writing a packet. The caller replaces its offset with
    /// the offset of the value in the text.
    fn from(error: godot::Error) -> Self {
        Self::new(ErrorKind::Unwritable(*error.kind()), error.offset())
    }
}
