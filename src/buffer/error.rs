use core::fmt;

/// An error: a kind `K`, which each format defines, and an offset.
///
/// It is `Copy` and does not allocate. `Display` ends with the offset in decimal and hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Error<K> {
    kind: K,
    offset: u64,
}

impl<K> Error<K> {
    /// Creates an error. `offset` counts bytes from the start of the input or, for an error of a
    /// writer, from the start of the output.
    #[cold]
    #[inline(never)]
    pub const fn new(kind: K, offset: u64) -> Self {
        Self { kind, offset }
    }

    /// Creates an error without a function call. A call would pass the caller's `Result` through
    /// memory, even if there is no error.
    #[cfg(feature = "unreal")]
    #[inline(always)]
    pub(crate) const fn inline(kind: K, offset: u64) -> Self {
        Self { kind, offset }
    }

    /// Returns the kind of the error.
    pub const fn kind(&self) -> &K {
        &self.kind
    }

    /// Returns the offset of the error in bytes. It counts from the start of the input or, for an
    /// error of a writer, from the start of the output.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Adds `base` to the offset. Use this method for an error in a window that starts at offset
    /// `base` of the input.
    #[must_use]
    pub fn shifted(self, base: u64) -> Self {
        Self { kind: self.kind, offset: self.offset.saturating_add(base) }
    }
}

impl<K: fmt::Display> fmt::Display for Error<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at offset {} ({:#x})", self.kind, self.offset, self.offset)
    }
}

impl<K: fmt::Debug + fmt::Display> core::error::Error for Error<K> {}

/// Marks an error path as unlikely. Without the mark, the compiler assumes that every second read
/// fails. It therefore treats code after a few successful reads as rarely executed, and does not
/// inline that code.
#[cfg(feature = "godot")]
#[cold]
#[inline(never)]
pub(crate) fn unlikely<E>(error: E) -> E {
    error
}

/// The input ends before the end of the value being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnexpectedEnd {
    /// Lower bound of the number of bytes that are missing.
    pub missing: u32,
}

impl fmt::Display for UnexpectedEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the input ends (bytes missing: {})", self.missing)
    }
}
