use crate::{buffer, godot};

/// An error in the text that was read. Its offset is in bytes from the start of the text.
///
/// ```
/// use gamewire::godot::Variant;
/// use gamewire::godot::notation::ErrorKind;
///
/// let error = "[1, 2".parse::<Variant>().unwrap_err();
/// assert_eq!(*error.kind(), ErrorKind::Expected("`,` or `]`"));
/// assert_eq!(error.offset(), 5);
/// ```
pub type Error = buffer::Error<ErrorKind>;

pub(super) type Result<T> = core::result::Result<T, Error>;

/// The kind of an [`Error`]. The error also contains an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text does not continue with the given token.
    #[error("{0} was expected")]
    Expected(&'static str),
    /// A character with which no token can start.
    #[error("a character that has no meaning here")]
    BadCharacter,
    /// A name that is neither a constant, such as `null`, nor a type of the engine.
    #[error("a name that is neither a value nor a type here")]
    UnknownName,
    /// A string without a closing quote or with an invalid escape.
    #[error("a string without a closing quote or with an invalid escape")]
    BadString,
    /// A malformed number, or a fraction in place of an integer.
    #[error("a number that cannot be read")]
    BadNumber,
    /// An integer outside the range of its type.
    #[error("an integer that does not fit here")]
    OutOfRange,
    /// A colour that does not have 3, 4, 6 or 8 digits.
    #[error("a colour needs 3, 4, 6 or 8 hexadecimal digits")]
    BadColor,
    /// Text that should encode bytes, but is not base64 in the form that the engine accepts.
    #[error("not base64")]
    BadBase64,
    /// Too many or too few arguments for the type. The field is the number of surplus or missing
    /// arguments.
    #[error("the wrong number of arguments for the type (surplus or missing: {0})")]
    PartCount(u32),
    /// An element that cannot be converted to the type that its container declares.
    #[error("a value that its typed container does not accept")]
    ElementType,
    /// A resource that must be loaded from a file.
    #[error("a resource, which only an engine can load")]
    Resource,
    /// The value is followed by text.
    #[error("unexpected text after the value")]
    TrailingText,
    /// A value that the dialect cannot represent, or that is nested too deeply.
    #[error(transparent)]
    Unwritable(godot::ErrorKind),
}

impl From<godot::Error> for Error {
    /// Converts an error that occurred while encoding a value. The caller replaces its offset with
    /// the offset of the value in the text.
    fn from(error: godot::Error) -> Self {
        Self::new(ErrorKind::Unwritable(*error.kind()), error.offset())
    }
}
