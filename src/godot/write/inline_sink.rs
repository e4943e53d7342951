//! Sinks that inline every write into the caller, for structs whose fields are written in one
//! function.

use crate::buffer::{Full, InlineBytes, Sink, SinkJob};
use zerocopy::{Immutable, IntoBytes};

/// A sink that forwards to `S`, with every append inlined into the caller (see
/// [`Sink::append_here`]).
pub(crate) struct InlineSink<'s, S>(pub &'s mut S);

impl<S: Sink> Sink for InlineSink<'_, S> {
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
    fn append_padded<const N: usize>(
        &mut self,
        head: [u8; N],
        bytes: &[u8],
        pad: usize,
    ) -> Result<(), Full> {
        self.0.append_padded_here(head, bytes, pad)
    }

    #[inline(always)]
    fn position(&self) -> usize {
        self.0.position()
    }

    fn rewind(&mut self, position: usize) {
        self.0.rewind(position);
    }
}

/// A sink that writes a constant name and then one value. The value must arrive in a single append.
/// A short value is joined with the name, and both are copied in one piece of constant size.
pub(crate) struct NamedValueSink<'b, 's, S> {
    pub name: InlineBytes,
    pub inner: &'b mut InlineSink<'s, S>,
}

impl<S: Sink> Sink for NamedValueSink<'_, '_, S> {
    const REWINDS: bool = S::REWINDS;

    /// Always fails. A value with `ONE_APPEND` never reserves separately.
    fn reserve(&mut self, n: usize) -> Result<(), Full> {
        Err(Full::short_of(n, 0))
    }

    fn put(&mut self, _: &[u8]) {}

    #[inline(always)]
    fn append<T: IntoBytes + Immutable>(&mut self, value: T) -> Result<(), Full> {
        match InlineBytes::of(&value).and_then(|value| value.after(self.name)) {
            Some(both) => self.inner.append_inline(both),
            None => {
                self.inner.append_inline(self.name)?;
                self.inner.append(value)
            }
        }
    }

    /// Appends the name and the text separately, because the compiler does not know the length of
    /// the text.
    #[inline(always)]
    fn append_padded<const N: usize>(
        &mut self,
        head: [u8; N],
        bytes: &[u8],
        pad: usize,
    ) -> Result<(), Full> {
        self.inner.append_inline(self.name)?;
        self.inner.append_padded(head, bytes, pad)
    }

    /// Runs the job without the name. Values with `ONE_APPEND` never call this method at run time.
    /// Without it, however, a recursive type would make the compiler wrap sinks in sinks without
    /// end.
    #[inline(always)]
    fn run<J: SinkJob>(&mut self, job: J) -> J::Output {
        self.inner.run(job)
    }

    #[inline(always)]
    fn position(&self) -> usize {
        self.inner.position()
    }

    fn rewind(&mut self, position: usize) {
        self.inner.rewind(position);
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn reserve_is_forwarded() {
        let mut bytes = Vec::new();
        InlineSink(&mut bytes).reserve(1000).unwrap();
        assert!(bytes.capacity() >= 1000);
    }
}
