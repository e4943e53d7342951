//! A key and its value in one append.

use super::short::Short;
use super::{Full, Sink};
use zerocopy::{Immutable, IntoBytes, Unaligned};

/// Takes the one append with which a key is written; nothing if that is a long one, or if it
/// comes piece by piece.
#[derive(Default)]
pub(crate) struct Key(pub Option<Short>);

impl Sink for Key {
    const REWINDS: bool = true;

    fn reserve(&mut self, _: usize) -> Result<(), Full> {
        self.0 = None;
        Ok(())
    }

    fn put(&mut self, _: &[u8]) {}

    #[inline(always)]
    fn append_headed<T>(&mut self, header: [u8; 4], payload: T) -> Result<(), Full>
    where
        T: IntoBytes + Immutable + Unaligned,
    {
        self.0 = Short::headed(header, &payload);
        Ok(())
    }

    #[inline(always)]
    fn append_padded(&mut self, head: [u8; 8], bytes: &[u8], pad: usize) -> Result<(), Full> {
        self.0 = Short::padded(head, bytes, pad);
        Ok(())
    }

    fn position(&self) -> usize {
        0
    }

    fn rewind(&mut self, _: usize) {}
}

/// Puts a key in front of the value that follows, which comes in one append: a single one for
/// both where they are short. Both are appended, or nothing.
pub(crate) struct Behind<'s, S> {
    pub key: Short,
    pub sink: &'s mut S,
}

impl<S: Sink> Behind<'_, S> {
    #[inline(always)]
    fn short(&mut self, value: Option<Short>) -> Option<Result<(), Full>> {
        let both = value?.behind(self.key)?;
        Some(self.sink.append_words(both.words(), both.len))
    }
}

/// A key that is known, with room for `n` bytes behind it.
#[inline(always)]
fn append_key<S: Sink>(sink: &mut S, key: [u64; 4], len: usize, n: usize) -> Result<(), Full> {
    sink.reserve(len.saturating_add(n))?;
    sink.append_words(key, len)
}

/// Not with the sink that has the key: it would have to lie in memory.
#[inline(never)]
fn append_number_behind<S: Sink, T>(
    sink: &mut S,
    key: [u64; 4],
    len: usize,
    header: [u8; 4],
    payload: T,
) -> Result<(), Full>
where
    T: IntoBytes + Immutable + Unaligned,
{
    append_key(sink, key, len, size_of::<T>().saturating_add(4))?;
    sink.append_headed(header, payload)
}

#[inline(never)]
fn append_text_behind<S: Sink>(
    sink: &mut S,
    key: [u64; 4],
    len: usize,
    head: [u8; 8],
    bytes: &[u8],
    pad: usize,
) -> Result<(), Full> {
    append_key(sink, key, len, bytes.len().saturating_add(pad).saturating_add(8))?;
    sink.append_padded(head, bytes, pad)
}

impl<S: Sink> Sink for Behind<'_, S> {
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
        match self.short(Short::headed(header, &payload)) {
            Some(appended) => appended,
            None => {
                append_number_behind(self.sink, self.key.words(), self.key.len, header, payload)
            }
        }
    }

    #[inline(always)]
    fn append_padded(&mut self, head: [u8; 8], bytes: &[u8], pad: usize) -> Result<(), Full> {
        match self.short(Short::padded(head, bytes, pad)) {
            Some(appended) => appended,
            None => append_text_behind(self.sink, self.key.words(), self.key.len, head, bytes, pad),
        }
    }

    #[inline(always)]
    fn position(&self) -> usize {
        self.sink.position()
    }

    fn rewind(&mut self, position: usize) {
        self.sink.rewind(position);
    }
}
