use crate::rems::{self, ErrorKind};
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use core::fmt;

/// Why a file is not what a Rust type asks for.
///
/// One word; what it says is behind a `Box`.
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
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    reason: Reason,
    /// Not known yet where serde has made the error.
    offset: Option<u64>,
    path: String,
}

#[derive(Debug)]
enum Reason {
    File(ErrorKind),
    Message(String),
}

/// About how long a path becomes: names can be as long as the file, and one in another.
const LONG: usize = 1 << 12;

impl Error {
    /// What is wrong with the file; `None` where it is well-formed and does not suit the type
    /// ([`Display`](fmt::Display) says why).
    pub fn kind(&self) -> Option<&ErrorKind> {
        match &self.0.reason {
            Reason::File(kind) => Some(kind),
            Reason::Message(_) => None,
        }
    }

    /// Where, in bytes from the start of the file.
    pub fn offset(&self) -> u64 {
        self.0.offset.unwrap_or_default()
    }

    /// Names and indices that lead to the value at that offset, with `/` between them, from what
    /// was asked for; empty for that itself.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    #[cold]
    pub(super) fn new(kind: ErrorKind, offset: u64) -> Self {
        Self::with(Reason::File(kind), Some(offset))
    }

    #[cold]
    fn with(reason: Reason, offset: Option<u64>) -> Self {
        Self(Box::new(Inner { reason, offset, path: String::new() }))
    }

    /// The same, at `offset` where no place was known: the innermost value that fails is the
    /// first to say.
    #[cold]
    pub(super) fn or_at(mut self, offset: u64) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// The same, in what has that name or index.
    #[cold]
    pub(super) fn inside(mut self, step: impl fmt::Display) -> Self {
        let path = &mut self.0.path;
        if path.len() < LONG {
            let mut step = step.to_string();
            if step.len() > LONG {
                step = "…".into();
            }
            let separator = if path.is_empty() { "" } else { "/" };
            *path = [&step, separator, path].concat();
        }
        self
    }
}

impl From<rems::Error> for Error {
    #[cold]
    fn from(error: rems::Error) -> Self {
        Self::new(*error.kind(), error.offset())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path().is_empty() {
            write!(f, "{}: ", self.path())?;
        }
        match &self.0.reason {
            Reason::File(kind) => kind.fmt(f)?,
            Reason::Message(message) => f.write_str(message)?,
        }
        write!(f, " at offset {} ({:#x})", self.offset(), self.offset())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { reason, offset, path } = &*self.0;
        let mut fields = f.debug_struct("Error");
        match reason {
            Reason::File(kind) => fields.field("kind", kind),
            Reason::Message(message) => fields.field("message", message),
        };
        fields.field("offset", offset).field("path", path).finish()
    }
}

impl core::error::Error for Error {}

impl serde::de::Error for Error {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::with(Reason::Message(message.to_string()), None)
    }
}

const _: () = assert!(size_of::<Error>() == size_of::<usize>());
