//! Writing by code of the caller's.

use super::{Full, Sink, SinkJob};
use zerocopy::{Immutable, IntoBytes};

/// A sink that is written to by code of the caller's, see [`Sink::append_here`].
pub(crate) struct Here<'s, S>(pub &'s mut S);

impl<S: Sink> Sink for Here<'_, S> {
    const REWINDS: bool = S::REWINDS;

    #[inline(always)]
    fn reserve(&mut self, n: usize) -> Result<(), Full> {
        self.0.reserve(n)
    }

    #[inline(always)]
    fn put(&mut self, bytes: &[u8]) {
        self.0.put(bytes);
    }

    #[inline(always)]
    fn append<T: IntoBytes + Immutable>(&mut self, value: T) -> Result<(), Full> {
        self.0.append_here(value.as_bytes())
    }

    #[inline(always)]
    fn append_words(&mut self, words: [u64; 4], len: usize) -> Result<(), Full> {
        let bytes = words.map(u64::to_le_bytes);
        self.0.append_here(bytes.as_flattened().get(..len).unwrap_or_default())
    }

    #[inline(always)]
    fn append_here(&mut self, bytes: &[u8]) -> Result<(), Full> {
        self.0.append_here(bytes)
    }

    #[inline(always)]
    fn run<J: SinkJob>(&mut self, job: J) -> J::Output {
        self.0.run(job)
    }

    #[inline(always)]
    fn pad(&mut self, n: usize) {
        self.0.pad(n);
    }

    #[inline(always)]
    fn append_padded(&mut self, head: [u8; 8], bytes: &[u8], pad: usize) -> Result<(), Full> {
        self.0.append_padded(head, bytes, pad)
    }

    #[inline(always)]
    fn position(&self) -> usize {
        self.0.position()
    }

    fn rewind(&mut self, position: usize) {
        self.0.rewind(position);
    }
}
