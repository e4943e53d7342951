//! Writing by code of the caller's.

use crate::buffer::{Full, Short, Sink, SinkJob};
use zerocopy::{Immutable, IntoBytes, Unaligned};

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

/// The same with a name that the compiler knows in front of the one append that follows. Short
/// values go there together with it, in one piece whose length the compiler knows, too.
pub(crate) struct BehindName<'b, 's, S> {
    pub name: Short,
    pub here: &'b mut Here<'s, S>,
}

impl<S: Sink> BehindName<'_, '_, S> {
    #[inline(always)]
    fn append_name(&mut self) -> Result<(), Full> {
        self.here.append_words(self.name.words(), self.name.len)
    }
}

impl<S: Sink> Sink for BehindName<'_, '_, S> {
    const REWINDS: bool = S::REWINDS;

    /// No value of one append asks for this.
    fn reserve(&mut self, n: usize) -> Result<(), Full> {
        Err(Full::short_of(n, 0))
    }

    fn put(&mut self, _: &[u8]) {}

    #[inline(always)]
    fn append_headed<T>(&mut self, header: [u8; 4], payload: T) -> Result<(), Full>
    where
        T: IntoBytes + Immutable + Unaligned,
    {
        match Short::headed(header, &payload).and_then(|value| value.behind(self.name)) {
            Some(both) => self.here.append_words(both.words(), both.len),
            None => {
                self.append_name()?;
                self.here.append_headed(header, payload)
            }
        }
    }

    /// (None of these does so. But a type that has itself inside is not to be compiled for a
    /// sink around a sink around a sink.)
    #[inline(always)]
    fn run<J: SinkJob>(&mut self, job: J) -> J::Output {
        self.here.run(job)
    }

    /// (Of text the compiler does not know the length.)
    #[inline(always)]
    fn append_padded(&mut self, head: [u8; 8], bytes: &[u8], pad: usize) -> Result<(), Full> {
        self.append_name()?;
        self.here.append_padded(head, bytes, pad)
    }

    #[inline(always)]
    fn position(&self) -> usize {
        self.here.position()
    }

    fn rewind(&mut self, position: usize) {
        self.here.rewind(position);
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn reserving_reserves_in_the_sink_behind_it() {
        let mut bytes = Vec::new();
        Here(&mut bytes).reserve(1000).unwrap();
        assert!(bytes.capacity() >= 1000);
    }
}
