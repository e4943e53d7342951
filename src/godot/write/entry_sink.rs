//! Sinks that write a dictionary's key and value with one append.

use crate::buffer::{Full, InlineBytes, Sink};
use zerocopy::{Immutable, IntoBytes};

/// A sink that captures a key written with one short append. Holds `None` if the key is longer than
/// 32 bytes or was written in several pieces.
#[derive(Default)]
pub(crate) struct KeyCapture(pub Option<InlineBytes>);

impl Sink for KeyCapture {
    const REWINDS: bool = true;

    fn reserve(&mut self, _: usize) -> Result<(), Full> {
        self.0 = None;
        Ok(())
    }

    fn put(&mut self, _: &[u8]) {}

    #[inline(always)]
    fn append<T: IntoBytes + Immutable>(&mut self, value: T) -> Result<(), Full> {
        self.0 = InlineBytes::of(&value);
        Ok(())
    }

    #[inline(always)]
    fn append_padded<const N: usize>(
        &mut self,
        head: [u8; N],
        bytes: &[u8],
        pad: usize,
    ) -> Result<(), Full> {
        self.0 = InlineBytes::padded(head, bytes, pad);
        Ok(())
    }

    fn position(&self) -> usize {
        0
    }

    fn rewind(&mut self, _: usize) {}
}

/// A sink that writes `key` before the value that follows. The value must arrive in one append. If
/// key and value are short, they are joined into one append. Either both are written or neither.
pub(crate) struct EntrySink<'s, S> {
    pub key: InlineBytes,
    pub sink: &'s mut S,
}

impl<S: Sink> EntrySink<'_, S> {
    /// Appends key and value in one piece. Returns `None` if they take more than 32 bytes together,
    /// or if `value` is `None`.
    #[inline(always)]
    fn append_joined(&mut self, value: Option<InlineBytes>) -> Option<Result<(), Full>> {
        let both = value?.after(self.key)?;
        Some(self.sink.append_inline(both))
    }
}

/// Appends the key, after reserving space for it and for the `n` bytes of its value.
#[inline(always)]
fn append_key<S: Sink>(sink: &mut S, key: InlineBytes, n: usize) -> Result<(), Full> {
    sink.reserve(key.len.saturating_add(n))?;
    sink.append_inline(key)
}

/// Appends the key, then the value. Takes the fields of [`EntrySink`] separately, because a
/// reference to an `EntrySink` would force it into memory.
#[inline(never)]
fn append_key_and_value<S: Sink, T: IntoBytes + Immutable>(
    sink: &mut S,
    key: InlineBytes,
    value: T,
) -> Result<(), Full> {
    append_key(sink, key, size_of::<T>())?;
    sink.append(value)
}

#[inline(never)]
fn append_key_and_text<S: Sink, const N: usize>(
    sink: &mut S,
    key: InlineBytes,
    head: [u8; N],
    bytes: &[u8],
    pad: usize,
) -> Result<(), Full> {
    append_key(sink, key, bytes.len().saturating_add(pad).saturating_add(N))?;
    sink.append_padded(head, bytes, pad)
}

impl<S: Sink> Sink for EntrySink<'_, S> {
    const REWINDS: bool = S::REWINDS;

    /// Always fails. A value with `ONE_APPEND` never reserves separately.
    fn reserve(&mut self, n: usize) -> Result<(), Full> {
        Err(Full::short_of(n, 0))
    }

    fn put(&mut self, _: &[u8]) {}

    #[inline(always)]
    fn append<T: IntoBytes + Immutable>(&mut self, value: T) -> Result<(), Full> {
        match self.append_joined(InlineBytes::of(&value)) {
            Some(appended) => appended,
            None => append_key_and_value(self.sink, self.key, value),
        }
    }

    #[inline(always)]
    fn append_padded<const N: usize>(
        &mut self,
        head: [u8; N],
        bytes: &[u8],
        pad: usize,
    ) -> Result<(), Full> {
        match self.append_joined(InlineBytes::padded(head, bytes, pad)) {
            Some(appended) => appended,
            None => append_key_and_text(self.sink, self.key, head, bytes, pad),
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
    use crate::godot::write::inline_sink::{InlineSink, NamedValueSink};
    use alloc::vec::Vec;

    /// A job that appends one byte.
    struct AppendByte;

    impl SinkJob for AppendByte {
        type Output = Result<(), Full>;

        fn run<S: Sink>(self, sink: &mut S) -> Self::Output {
            sink.append(7_u8)
        }
    }

    #[test]
    fn values_in_pieces_are_not_joined() {
        let mut key = KeyCapture::default();
        key.append([4_u32.to_le_bytes(), 5_u32.to_le_bytes()]).unwrap();
        let captured = key.0.unwrap();
        assert_eq!(captured.len, 8);
        key.reserve(1).unwrap();
        key.put(b"x");
        key.rewind(1);
        assert!(key.0.is_none());
        assert_eq!(key.position(), 0);

        let mut out = Vec::new();
        let mut entry = EntrySink { key: captured, sink: &mut out };
        assert!(entry.reserve(3).is_err());
        entry.put(b"x");
        assert_eq!(entry.position(), 0);
        entry.append_padded([4, 0, 0, 0, 1, 0, 0, 0], b"a", 3).unwrap();
        assert_eq!(entry.position(), 20);
        entry.rewind(8);
        assert_eq!(out, b"\x04\0\0\0\x05\0\0\0");

        let mut inner = InlineSink(&mut out);
        let mut named = NamedValueSink { name: captured, inner: &mut inner };
        assert!(named.reserve(3).is_err());
        named.put(b"x");
        named.run(AppendByte).unwrap();
        assert_eq!(named.position(), 9);
        named.append([2_u32.to_le_bytes(), [6; 4]]).unwrap();
        assert_eq!(named.position(), 25);
        named.rewind(1);
        inner.append_here(b"y").unwrap();
        assert_eq!(out, b"\x04y");
    }

    #[test]
    fn long_entries_are_written_whole_or_not_at_all() {
        let mut key = KeyCapture::default();
        key.append_padded([4, 0, 0, 0, 3, 0, 0, 0], b"key", 1).unwrap();
        let key = key.0.unwrap();
        let text = [b'a'; 40];
        for capacity in 0..70 {
            let mut bytes = [0; 70];
            let mut sink = SliceSink::new(&mut bytes[..capacity]);
            let head = [4, 0, 0, 0, 40, 0, 0, 0];
            let written = EntrySink { key, sink: &mut sink }.append_padded(head, &text, 0);
            assert_eq!(written.is_ok(), capacity >= 60);
            assert_eq!(sink.position(), if capacity >= 60 { 60 } else { 0 });

            let mut sink = SliceSink::new(&mut bytes[..capacity]);
            let written = EntrySink { key, sink: &mut sink }.append([1_u8; 36]);
            assert_eq!(written.is_ok(), capacity >= 48);
            assert_eq!(sink.position(), if capacity >= 48 { 48 } else { 0 });
        }
    }
}
