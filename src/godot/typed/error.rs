use crate::godot::{self, ErrorKind};
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use core::fmt;

/// Why a packet is not what a Rust type asks for, or a Rust value cannot be written.
///
/// One word; what it says is behind a `Box`.
///
/// ```
/// use gamewire::godot::{self, ErrorKind};
///
/// let packet = godot::to_vec(&[("hp", 100), ("mana", 300)])?;
/// let error = godot::from_bytes::<Vec<(String, u8)>>(&packet).unwrap_err();
/// assert_eq!(error.path(), "1/1");
/// assert_eq!(error.offset(), 56);
/// assert_eq!(
///     error.to_string(),
///     "1/1: invalid value: integer `300`, expected u8 at offset 56 (0x38)"
/// );
///
/// let error = godot::from_bytes::<i64>(&packet[..7]).unwrap_err();
/// assert_eq!(error.kind(), Some(&ErrorKind::UnexpectedEnd { missing: 1 }));
/// # Ok::<(), godot::typed::Error>(())
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
    Packet(ErrorKind),
    Message(String),
}

impl Error {
    /// What is wrong with the packet, or with what is to be written; `None` where it is
    /// well-formed and does not suit the type ([`Display`](fmt::Display) says why).
    pub fn kind(&self) -> Option<&ErrorKind> {
        match &self.0.reason {
            Reason::Packet(kind) => Some(kind),
            Reason::Message(_) => None,
        }
    }

    /// Where, in bytes from the start of the input, or of the output.
    pub fn offset(&self) -> u64 {
        self.0.offset.unwrap_or_default()
    }

    /// Keys and indices that lead to the value at that offset, with `/` between them;
    /// empty for the packet's value itself, and for what is written.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// An error at a place of the window.
    #[cold]
    #[inline(never)]
    pub(super) fn new(kind: ErrorKind, offset: usize) -> Self {
        Self::packet(godot::Error::new(kind, offset as u64))
    }

    #[cold]
    #[inline(never)]
    pub(super) fn packet(error: godot::Error) -> Self {
        Self::with(Reason::Packet(*error.kind()), Some(error.offset()))
    }

    #[cold]
    pub(super) fn message(message: impl fmt::Display) -> Self {
        Self::with(Reason::Message(message.to_string()), None)
    }

    #[cold]
    fn with(reason: Reason, offset: Option<u64>) -> Self {
        Self(Box::new(Inner { reason, offset, path: String::new() }))
    }

    /// The same, at `offset` of the window where no place was known: the innermost value
    /// that fails is the first to say.
    #[cold]
    #[inline(never)]
    pub(super) fn or_at(mut self, offset: usize) -> Self {
        self.0.offset.get_or_insert(offset as u64);
        self
    }

    /// The same, counted from the start of the input, with the path to there.
    #[cold]
    #[inline(never)]
    pub(super) fn placed(mut self, origin: u64, path: impl FnOnce(u64) -> String) -> Self {
        let offset = self.offset();
        self.0.path = path(offset);
        self.0.offset = Some(offset.saturating_add(origin));
        self
    }
}

impl From<godot::Error> for Error {
    fn from(error: godot::Error) -> Self {
        Self::packet(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path().is_empty() {
            write!(f, "{}: ", self.path())?;
        }
        match &self.0.reason {
            Reason::Packet(kind) => kind.fmt(f)?,
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
            Reason::Packet(kind) => fields.field("kind", kind),
            Reason::Message(message) => fields.field("message", message),
        };
        fields.field("offset", offset).field("path", path).finish()
    }
}

impl core::error::Error for Error {}

impl serde::de::Error for Error {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::message(message)
    }
}

impl serde::ser::Error for Error {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::message(message)
    }
}

const _: () = assert!(size_of::<Error>() == size_of::<usize>());
