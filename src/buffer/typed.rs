use super::Error as Broken;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use core::fmt;

/// Why an input is not what a Rust type asks for, or a Rust value cannot be written: with `K`,
/// what a format can say is wrong, with the place, and with the path that leads there.
///
/// One word; what it says is behind a `Box`.
pub struct Error<K>(Option<Box<Inner<K>>>);

struct Inner<K> {
    reason: Reason<K>,
    /// Not known yet where serde has made the error.
    offset: Option<u64>,
    path: String,
}

enum Reason<K> {
    Broken(K),
    Message(String),
}

impl<K> Error<K> {
    /// What is wrong with the input, or with what is to be written; `None` where it is
    /// well-formed and does not suit the type ([`Display`](fmt::Display) says why).
    pub fn kind(&self) -> Option<&K> {
        match &self.0.as_ref()?.reason {
            Reason::Broken(kind) => Some(kind),
            Reason::Message(_) => None,
        }
    }

    /// Where, in bytes from the start of the input, or of the output.
    pub fn offset(&self) -> u64 {
        self.0.as_ref().and_then(|inner| inner.offset).unwrap_or_default()
    }

    /// Names, keys and indices that lead to the value at that offset, with `/` between them;
    /// empty for what was asked for itself, and for what is written.
    pub fn path(&self) -> &str {
        self.0.as_ref().map_or("", |inner| &inner.path)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn at(kind: K, offset: u64) -> Self {
        Self::with(Reason::Broken(kind), Some(offset))
    }

    #[cold]
    pub(crate) fn message(message: impl fmt::Display) -> Self {
        Self::with(Reason::Message(message.to_string()), None)
    }

    #[cold]
    fn with(reason: Reason<K>, offset: Option<u64>) -> Self {
        Self(Some(Box::new(Inner { reason, offset, path: String::new() })))
    }

    /// No error that anybody sees: what was tried first does not suit, and the other way is
    /// to be taken. Allocates nothing, since packets may come so all day.
    #[cfg(feature = "godot")]
    pub(crate) const fn other_way() -> Self {
        Self(None)
    }

    /// The same, at `offset` where no place was known: the innermost value that fails is the
    /// first to say.
    #[cold]
    #[inline(never)]
    pub(crate) fn or_at(mut self, offset: u64) -> Self {
        if let Some(inner) = &mut self.0 {
            inner.offset.get_or_insert(offset);
        }
        self
    }

    /// The same, to which that path leads.
    #[cold]
    #[inline(never)]
    pub(crate) fn with_path(mut self, path: String) -> Self {
        if let Some(inner) = &mut self.0 {
            inner.path = path;
        }
        self
    }

    /// The same, its offset counted from `base` bytes further ahead.
    #[cold]
    #[cfg(feature = "godot")]
    pub(crate) fn shifted(mut self, base: u64) -> Self {
        let offset = self.offset().saturating_add(base);
        if let Some(inner) = &mut self.0 {
            inner.offset = Some(offset);
        }
        self
    }
}

impl<K: Copy> From<Broken<K>> for Error<K> {
    #[cold]
    fn from(error: Broken<K>) -> Self {
        Self::at(*error.kind(), error.offset())
    }
}

impl<K: fmt::Display> fmt::Display for Error<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path().is_empty() {
            write!(f, "{}: ", self.path())?;
        }
        match self.0.as_ref().map(|inner| &inner.reason) {
            Some(Reason::Broken(kind)) => kind.fmt(f)?,
            Some(Reason::Message(message)) => f.write_str(message)?,
            None => f.write_str("to be read in another way")?,
        }
        write!(f, " at offset {} ({:#x})", self.offset(), self.offset())
    }
}

impl<K: fmt::Debug> fmt::Debug for Error<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("Error");
        let Some(Inner { reason, offset, path }) = self.0.as_deref() else {
            return fields.finish_non_exhaustive();
        };
        match reason {
            Reason::Broken(kind) => fields.field("kind", kind),
            Reason::Message(message) => fields.field("message", message),
        };
        fields.field("offset", offset).field("path", path).finish()
    }
}

impl<K: fmt::Debug + fmt::Display> core::error::Error for Error<K> {}

impl<K: fmt::Debug + fmt::Display> serde::de::Error for Error<K> {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::message(message)
    }
}

impl<K: fmt::Debug + fmt::Display> serde::ser::Error for Error<K> {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::message(message)
    }
}

const _: () = assert!(size_of::<Error<[u64; 4]>>() == size_of::<usize>());
