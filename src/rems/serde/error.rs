use crate::buffer;
use crate::rems::ErrorKind;
use alloc::string::ToString;
use core::fmt;

/// Result of deserializing.
pub type Result<T> = core::result::Result<T, Error>;

/// Error of deserializing: a file is malformed or does not match a Rust type.
///
/// The error is one word in size, since its details are boxed.
///
/// ```
/// use gamewire::rems::{ErrorKind, TextReader, from_items};
/// use serde::Deserialize;
///
/// #[derive(Debug, Deserialize)]
/// struct Hero {
///     hp: u8,
/// }
///
/// let text = br#"[{"class":"Hero","i:hp":7},{"class":"Hero","i:hp":300}]"#;
/// let error = from_items::<Vec<Hero>>(&mut TextReader::new(text)).unwrap_err();
/// assert_eq!((error.path(), error.offset()), ("1/hp", 50));
/// assert_eq!(
///     error.to_string(),
///     "1/hp: invalid value: integer `300`, expected u8 at offset 50 (0x32)"
/// );
///
/// let error = from_items::<Vec<Hero>>(&mut TextReader::new(&text[..40])).unwrap_err();
/// assert!(matches!(error.kind(), Some(ErrorKind::UnexpectedEnd { .. })));
/// ```
pub type Error = buffer::typed::Error<ErrorKind>;

/// Approximate maximum length of a path. Without a limit, long and deeply nested names could make a
/// path longer than the file.
const LONG: usize = 1 << 12;

impl Error {
    /// Prepends a name or index to the path.
    #[cold]
    pub(super) fn within(self, step: impl fmt::Display) -> Self {
        if self.path().len() >= LONG {
            return self;
        }
        let mut step = step.to_string();
        if step.len() > LONG {
            step = "…".into();
        }
        let separator = if self.path().is_empty() { "" } else { "/" };
        let path = [&step, separator, self.path()].concat();
        self.with_path(path)
    }
}

/// Returns the error for a type that accepts fewer elements than the sequence has.
#[cold]
pub(super) fn too_many<N: fmt::Display>(len: N, taken: N) -> Error {
    serde::de::Error::custom(format_args!("{len} elements where the type accepts {taken}"))
}

/// Returns the error for an item that a correct reader does not return at this point.
#[cold]
pub(super) fn unexpected(offset: u64) -> Error {
    let error: Error = serde::de::Error::custom("not the item that is expected here");
    error.or_at(offset)
}
