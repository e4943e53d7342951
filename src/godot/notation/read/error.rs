use crate::{buffer, godot};

/// Why a text is not read. The offset is in bytes, from the start of the text.
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

/// What went wrong; the [`Error`] around it says where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text goes on otherwise than the notation does.
    #[error("{0} was expected")]
    Expected(&'static str),
    /// A character that starts nothing.
    #[error("a character that stands for nothing here")]
    BadCharacter,
    /// A name that is no word and no type of the engine.
    #[error("a name that stands for no value and no type here")]
    UnknownName,
    /// A string without an end, or an escape that stands for no character.
    #[error("a string that does not end, or an escape that stands for no character")]
    BadString,
    /// A number that is none.
    #[error("a number that cannot be read")]
    BadNumber,
    /// An integer that its place has no room for.
    #[error("an integer that does not fit here")]
    OutOfRange,
    /// A colour of other than 3, 4, 6 or 8 digits.
    #[error("a colour needs 3, 4, 6 or 8 hexadecimal digits")]
    BadColor,
    /// Not base64 as the engine takes it.
    #[error("not base64")]
    BadBase64,
    /// Too many numbers for the type, or too few.
    #[error("numbers that do not make up a value of the type (left or missing: {0})")]
    PartCount(u32),
    /// An element that its typed container cannot take.
    #[error("a value that its typed container cannot take")]
    ElementType,
    /// A resource, which is in a file.
    #[error("a resource, which only an engine can load")]
    Resource,
    /// Text after the value.
    #[error("more after the value")]
    TrailingText,
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
