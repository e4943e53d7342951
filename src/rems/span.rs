//! Byte ranges in a file.

use super::StrRef;

/// A byte range, together with the bytes after it. SWAR and SIMD code may load the bytes after the
/// range as well, so that it need not stop at the end of the range.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span<'a> {
    lookahead: &'a [u8],
    len: usize,
    /// See [`StrRef::has_escapes`].
    escapes: bool,
}

impl<'a> Span<'a> {
    #[inline(always)]
    pub(super) const fn with_lookahead(lookahead: &'a [u8], len: usize) -> Self {
        Self { lookahead, len, escapes: false }
    }

    #[inline(always)]
    pub(super) const fn exact(bytes: &'a [u8]) -> Self {
        Self::with_lookahead(bytes, bytes.len())
    }

    #[inline(always)]
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.lookahead.get(..self.len).unwrap_or_default()
    }

    #[inline(always)]
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Returns the bytes of the range and all bytes after it.
    #[inline(always)]
    pub(super) const fn lookahead(&self) -> &'a [u8] {
        self.lookahead
    }

    /// Removes bytes from the front.
    #[inline(always)]
    pub(super) fn advance(&mut self, bytes: usize) {
        self.lookahead = self.lookahead.get(bytes..).unwrap_or_default();
        self.len = self.len.saturating_sub(bytes);
    }

    /// See [`StrRef::has_escapes`].
    #[inline(always)]
    pub(super) const fn has_escapes(&self) -> bool {
        self.escapes
    }
}

impl<'a> From<StrRef<'a>> for Span<'a> {
    #[inline(always)]
    fn from(text: StrRef<'a>) -> Self {
        Self { escapes: text.has_escapes(), ..Self::exact(text.raw()) }
    }
}
