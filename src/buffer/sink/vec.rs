//! The sink for `Vec<u8>`. Only a little code is inlined into each write; usually, it calls
//! functions that consist of a few stores.

use super::{Full, InlineBytes, PatchSink, Sink, move_end_to, patch};
use alloc::vec::Vec;
use zerocopy::{Immutable, IntoBytes};

impl Sink for Vec<u8> {
    const REWINDS: bool = true;

    #[inline(always)]
    fn reserve(&mut self, n: usize) -> Result<(), Full> {
        Vec::reserve(self, n);
        Ok(())
    }

    #[inline(always)]
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }

    /// Stores values of 9 to 16 bytes from two registers, which is fastest for these sizes. Such a
    /// value is usually a header with a payload of up to 12 bytes.
    #[inline(always)]
    fn append<T: IntoBytes + Immutable>(&mut self, value: T) -> Result<(), Full> {
        match InlineBytes::of(&value) {
            Some(bytes) if (9..=16).contains(&bytes.len) => append_inline(self, bytes),
            _ => append_value(self, value),
        }
        Ok(())
    }

    #[inline(always)]
    fn append_here(&mut self, bytes: &[u8]) -> Result<(), Full> {
        self.extend_from_slice(bytes);
        Ok(())
    }

    /// Appends four zeros and then truncates the vector. This is faster than a call that appends a
    /// variable number of zeros.
    #[inline(always)]
    fn pad(&mut self, n: usize) {
        let end = self.len().saturating_add(n);
        self.extend_from_slice(&[0; 4]);
        self.truncate(end);
    }

    /// Copies short text in a few stores. Three appends of variable size would be three calls.
    #[inline(always)]
    fn append_terminated<const N: usize>(
        &mut self,
        head: [u8; N],
        bytes: &[u8],
        nul: bool,
        pad: usize,
    ) -> Result<(), Full> {
        append_text(self, head, bytes, pad.wrapping_add(usize::from(nul)));
        Ok(())
    }

    #[inline(always)]
    fn append_padded_here<const N: usize>(
        &mut self,
        head: [u8; N],
        bytes: &[u8],
        pad: usize,
    ) -> Result<(), Full> {
        match InlineBytes::padded(head, bytes, pad) {
            Some(inline) => append_words_here(self, inline.words(), inline.len),
            None => append_long(self, head, bytes, pad),
        }
        Ok(())
    }

    #[inline(always)]
    fn append_inline(&mut self, bytes: InlineBytes) -> Result<(), Full> {
        append_inline(self, bytes);
        Ok(())
    }

    #[inline(always)]
    fn position(&self) -> usize {
        self.len()
    }

    fn rewind(&mut self, position: usize) {
        self.truncate(position);
    }
}

/// Returns the number of bytes that fit without a new allocation.
#[inline(always)]
fn spare_capacity(sink: &Vec<u8>) -> usize {
    sink.capacity().wrapping_sub(sink.len())
}

/// Appends `value`. This function is compiled once for each type, so it copies the value with a few
/// stores. If it were inlined into each write, the compiler would emit a call to `memcpy` with a
/// variable size instead. The code that grows the vector is in [`append_slowly`]. If that code were
/// in this function, it would need more registers, which each call would have to save and restore.
#[inline(never)]
fn append_value<T: IntoBytes + Immutable>(sink: &mut Vec<u8>, value: T) {
    if spare_capacity(sink) >= size_of::<T>() {
        sink.extend_from_slice(value.as_bytes());
    } else {
        append_slowly(sink, value, size_of::<T>());
    }
}

/// Grows the vector, and appends `value`, truncated or padded with zeros to `len` bytes.
#[cold]
#[inline(never)]
fn append_slowly<T: IntoBytes + Immutable>(sink: &mut Vec<u8>, value: T, len: usize) {
    let end = sink.len().saturating_add(len);
    sink.extend_from_slice(value.as_bytes());
    sink.resize(end, 0);
}

/// Maximum length of text that [`append_text`] copies in words.
const SHORT: usize = 32;

/// Appends a head of at most 8 bytes, text, and at most 4 zeros. For short text, first appends zeros
/// in a constant number of stores, and then overwrites them. This function is not inlined, so that
/// less code is inlined into each write.
#[inline(never)]
fn append_text<const N: usize>(sink: &mut Vec<u8>, head: [u8; N], text: &[u8], zeros: usize) {
    const ROOM: usize = SHORT + 16;

    if text.len() > SHORT || spare_capacity(sink) < ROOM {
        return append_long(sink, head, text, zeros);
    }
    let end = sink.len().wrapping_add(N).wrapping_add(text.len()).wrapping_add(zeros);
    sink.extend_from_slice(&[0; ROOM]);
    if let Some((to, rest)) =
        sink.last_chunk_mut::<ROOM>().and_then(|to| to.split_first_chunk_mut())
    {
        *to = head;
        let copied = copy_short(rest, text);
        debug_assert!(copied.is_some(), "short text fits");
    }
    sink.truncate(end);
}

/// Copies at most [`SHORT`] bytes to the start of `to`, in two words that may overlap.
#[inline(always)]
fn copy_short(to: &mut [u8], text: &[u8]) -> Option<()> {
    #[inline(always)]
    fn ends<const W: usize>(to: &mut [u8], text: &[u8]) -> Option<()> {
        *to.first_chunk_mut()? = *text.first_chunk::<W>()?;
        *to.get_mut(..text.len())?.last_chunk_mut()? = *text.last_chunk::<W>()?;
        Some(())
    }
    match text.len() {
        16.. => ends::<16>(to, text),
        8.. => ends::<8>(to, text),
        4.. => ends::<4>(to, text),
        2.. => ends::<2>(to, text),
        1 => ends::<1>(to, text),
        0 => Some(()),
    }
}

/// Appends text of any length.
#[inline(never)]
fn append_long<const N: usize>(sink: &mut Vec<u8>, head: [u8; N], bytes: &[u8], zeros: usize) {
    sink.reserve(bytes.len().saturating_add(N).saturating_add(4));
    sink.extend_from_slice(&head);
    sink.extend_from_slice(bytes);
    sink.pad(zeros);
}

#[inline(always)]
fn append_inline(sink: &mut Vec<u8>, bytes: InlineBytes) {
    let [a, b, c, d] = bytes.words();
    append_words(sink, a, b, c, d, bytes.len);
}

/// Appends the first `len` bytes of four words, and zeros after them if `len` is above 32. As
/// separate arguments, the words stay in registers.
#[inline(never)]
fn append_words(sink: &mut Vec<u8>, a: u64, b: u64, c: u64, d: u64, len: usize) {
    append_words_here(sink, [a, b, c, d], len);
}

#[inline(always)]
fn append_words_here(sink: &mut Vec<u8>, words: [u64; 4], len: usize) {
    let words = words.map(u64::to_le_bytes);
    if len <= size_of_val(&words) && spare_capacity(sink) >= size_of_val(&words) {
        let start = sink.len();
        sink.extend_from_slice(words.as_flattened());
        sink.truncate(start.wrapping_add(len));
    } else {
        append_slowly(sink, words, len);
    }
}

impl PatchSink for Vec<u8> {
    fn patch(&mut self, position: usize, bytes: [u8; 4]) {
        patch(self, position, bytes);
    }

    fn insert(&mut self, position: usize, bytes: &[u8]) -> Result<(), Full> {
        self.extend_from_slice(bytes);
        move_end_to(self, position, bytes.len());
        Ok(())
    }
}
