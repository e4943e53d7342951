//! A key and its value in one append.

use crate::buffer::{Full, Short, Sink};
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

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::buffer::{SinkJob, SliceSink};
    use crate::godot::write::inline_sink::{BehindName, Here};
    use alloc::vec::Vec;

    /// A job that appends a byte.
    struct Byte;

    impl SinkJob for Byte {
        type Output = Result<(), Full>;

        fn run<S: Sink>(self, sink: &mut S) -> Self::Output {
            sink.append(7_u8)
        }
    }

    /// A key that comes piece by piece is none, and what wants to stand behind one does not begin
    /// without it.
    #[test]
    fn pieces() {
        let mut key = Key::default();
        key.append_headed([4, 0, 0, 0], 5_u32.to_le_bytes()).unwrap();
        let short = key.0.unwrap();
        assert_eq!(short.len, 8);
        key.reserve(1).unwrap();
        key.put(b"x");
        key.rewind(1);
        assert!(key.0.is_none());
        assert_eq!(key.position(), 0);

        let mut out = Vec::new();
        let mut behind = Behind { key: short, sink: &mut out };
        assert!(behind.reserve(3).is_err());
        behind.put(b"x");
        assert_eq!(behind.position(), 0);
        behind.append_padded([4, 0, 0, 0, 1, 0, 0, 0], b"a", 3).unwrap();
        assert_eq!(behind.position(), 20);
        behind.rewind(8);
        assert_eq!(out, b"\x04\0\0\0\x05\0\0\0");

        let mut here = Here(&mut out);
        let mut behind = BehindName { name: short, here: &mut here };
        assert!(behind.reserve(3).is_err());
        behind.put(b"x");
        behind.run(Byte).unwrap();
        assert_eq!(behind.position(), 9);
        behind.append_headed([2, 0, 0, 0], [6_u8; 4]).unwrap();
        assert_eq!(behind.position(), 25);
        behind.rewind(1);
        here.append_here(b"y").unwrap();
        assert_eq!(out, b"\x04y");
    }

    /// Both, or nothing: of long ones, too.
    #[test]
    fn both_or_nothing() {
        let mut key = Key::default();
        key.append_padded([4, 0, 0, 0, 3, 0, 0, 0], b"key", 1).unwrap();
        let short = key.0.unwrap();
        let text = [b'a'; 40];
        for room in 0..70 {
            let mut bytes = [0; 70];
            let mut sink = SliceSink::new(&mut bytes[..room]);
            let head = [4, 0, 0, 0, 40, 0, 0, 0];
            let written = Behind { key: short, sink: &mut sink }.append_padded(head, &text, 0);
            assert_eq!(written.is_ok(), room >= 60);
            assert_eq!(sink.position(), if room >= 60 { 60 } else { 0 });

            let mut sink = SliceSink::new(&mut bytes[..room]);
            let written =
                Behind { key: short, sink: &mut sink }.append_headed([2, 0, 0, 0], [1_u8; 32]);
            assert_eq!(written.is_ok(), room >= 48);
            assert_eq!(sink.position(), if room >= 48 { 48 } else { 0 });
        }
    }
}
