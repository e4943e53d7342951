use core::fmt;

/// What went wrong (`K`, a kind of the format's own) and where.
///
/// `Copy`, made without allocating, and only on the failing path. `Display` ends
/// with the offset in decimal and in hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Error<K> {
    kind: K,
    offset: u64,
}

impl<K> Error<K> {
    /// An error of `kind` at `offset` bytes from the start of the input.
    #[cold]
    #[inline(never)]
    pub const fn new(kind: K, offset: u64) -> Self {
        Self { kind, offset }
    }

    /// The same without a call: its result would be written through a pointer, and so would
    /// the value that there is where there is no error.
    #[cfg(feature = "unreal")]
    #[inline(always)]
    pub(crate) const fn inline(kind: K, offset: u64) -> Self {
        Self { kind, offset }
    }

    /// What went wrong.
    pub const fn kind(&self) -> &K {
        &self.kind
    }

    /// Where, in bytes from the start of the input (of the output, for a writer).
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The same error, its offset counted from `base` bytes further ahead: for a
    /// window that does not start where the input does.
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

/// For the compiler, which takes every outcome for as likely as the others, and so what comes
/// after a few fields for code that hardly ever runs and is not worth to be inlined.
#[cfg(feature = "godot")]
#[cold]
#[inline(never)]
pub(crate) fn unlikely<E>(error: E) -> E {
    error
}

/// The input ends before what was to be read: the one way in which a cursor fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnexpectedEnd {
    /// How many more bytes are needed to read on, at the least.
    pub missing: u32,
}

impl fmt::Display for UnexpectedEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the input ends (bytes missing: {})", self.missing)
    }
}
