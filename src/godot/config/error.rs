use crate::buffer;
use crate::godot::{self, notation};

/// An error in a configuration file. Its offset is in bytes from the start of the file, or of the
/// text of a value that was passed to [`ConfigEditor::set_text`](super::ConfigEditor::set_text).
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
    /// A key that the engine does not read back: an empty key, or a key that contains a NUL.
    #[error("a key that is empty or that the engine does not read back")]
    UnwritableKey,
    /// A name of a section that the engine does not read back: a name that contains a NUL or has
    /// spaces around it; in Godot 3, a name that contains `]`; in Godot 4, a name that ends with a
    /// backslash.
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
