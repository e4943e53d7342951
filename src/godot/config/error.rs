use crate::buffer;
use crate::godot::{self, notation};

/// An error in a configuration file. It contains an offset in bytes from the start of the file. In
/// an error of [`ConfigEditor::set_text`](super::ConfigEditor::set_text), the offset can also count
/// from the start of the text that was passed.
///
/// ```
/// use gamewire::godot::Dialect;
/// use gamewire::godot::config::{ConfigReader, ErrorKind};
///
/// let mut reader = ConfigReader::new(b"[player", Dialect::Godot4)?;
/// let error = reader.next().unwrap().unwrap_err();
/// assert_eq!((*error.kind(), error.offset()), (ErrorKind::UnclosedSection, 0));
/// # Ok::<(), gamewire::godot::config::Error>(())
/// ```
pub type Error = buffer::Error<ErrorKind>;

pub(super) type Result<T> = core::result::Result<T, Error>;

/// The kind of an [`Error`]. The error also contains an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file contains bytes that are not UTF-8.
    #[error("bytes that are not UTF-8")]
    NotUtf8,
    /// The file ends inside the name of a section.
    #[error("the name of a section without a closing `]`")]
    UnclosedSection,
    /// A value, or a key in quotes, is malformed.
    #[error(transparent)]
    Notation(notation::ErrorKind),
    /// A key that the engine does not read back, because it is empty or contains a NUL.
    #[error("a key that is empty or that the engine does not read back")]
    UnwritableKey,
    /// A section name that the engine does not read back. Such a name contains a NUL, begins or
    /// ends with a space, contains `]` (in Godot 3), or ends with a backslash (in Godot 4).
    #[error("a name of a section that the engine does not read back")]
    UnwritableSection,
    /// The section `""` after another section. Its entries would belong to that other section.
    #[error("entries outside of all sections must come first")]
    RootNotFirst,
    /// A value that the dialect cannot represent.
    #[error(transparent)]
    Value(godot::ErrorKind),
}

impl From<notation::Error> for Error {
    fn from(error: notation::Error) -> Self {
        Self::new(ErrorKind::Notation(*error.kind()), error.offset())
    }
}
