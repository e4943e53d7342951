use super::Error as FormatError;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use core::fmt;

/// An error from reading or writing a Rust type with serde. Its reason is either a kind `K`, which
/// the format defines, or a message from serde. The error also holds the offset and the path of the
/// value.
///
/// It has the size of a pointer, because its content is boxed.
pub struct Error<K>(Option<Box<Inner<K>>>);

struct Inner<K> {
    reason: Reason<K>,
    /// `None` if serde has created the error and the offset is not known yet.
    offset: Option<u64>,
    path: String,
}

enum Reason<K> {
    Format(K),
    Message(String),
}

impl<K> Error<K> {
    /// Returns the kind of the error if the input or the value to be written is invalid. Returns
    /// `None` if the input is well-formed but does not match the Rust type;
    /// [`Display`](fmt::Display) explains why.
    pub fn kind(&self) -> Option<&K> {
        match &self.0.as_ref()?.reason {
            Reason::Format(kind) => Some(kind),
            Reason::Message(_) => None,
        }
    }

    /// Returns the offset of the error in bytes. It counts from the start of the input, or of the
    /// output if the error occurred during writing. Returns 0 if the offset is not known.
    pub fn offset(&self) -> u64 {
        self.0.as_ref().and_then(|inner| inner.offset).unwrap_or_default()
    }

    /// Returns the path of the value in which the error occurred. A path consists of names, keys
    /// and indices separated by `/`. The path is empty for the outermost value. It is also empty if
    /// the error occurred during writing.
    pub fn path(&self) -> &str {
        self.0.as_ref().map_or("", |inner| &inner.path)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn at(kind: K, offset: u64) -> Self {
        Self::with(Reason::Format(kind), Some(offset))
    }

    #[cold]
    pub(crate) fn message(message: impl fmt::Display) -> Self {
        Self::with(Reason::Message(message.to_string()), None)
    }

    #[cold]
    fn with(reason: Reason<K>, offset: Option<u64>) -> Self {
        Self(Some(Box::new(Inner { reason, offset, path: String::new() })))
    }

    /// Returns the error with which a fast path signals that it does not apply. The caller then
    /// takes the general path, so the error never reaches the user of the library. It does not
    /// allocate, because it can occur for each packet.
    #[cfg(feature = "godot")]
    pub(crate) const fn fallback() -> Self {
        Self(None)
    }

    /// Sets the offset if it is not known yet. The innermost failing value sets it first.
    #[cold]
    #[inline(never)]
    pub(crate) fn or_at(mut self, offset: u64) -> Self {
        if let Some(inner) = &mut self.0 {
            inner.offset.get_or_insert(offset);
        }
        self
    }

    /// Sets the path.
    #[cold]
    #[inline(never)]
    pub(crate) fn with_path(mut self, path: String) -> Self {
        if let Some(inner) = &mut self.0 {
            inner.path = path;
        }
        self
    }

    /// Adds `base` to the offset.
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

impl<K: Copy> From<FormatError<K>> for Error<K> {
    #[cold]
    fn from(error: FormatError<K>) -> Self {
        Self::at(*error.kind(), error.offset())
    }
}

impl<K: fmt::Display> fmt::Display for Error<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path().is_empty() {
            write!(f, "{}: ", self.path())?;
        }
        match self.0.as_ref().map(|inner| &inner.reason) {
            Some(Reason::Format(kind)) => kind.fmt(f)?,
            Some(Reason::Message(message)) => f.write_str(message)?,
            None => f.write_str("the fast path does not apply")?,
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
            Reason::Format(kind) => fields.field("kind", kind),
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
