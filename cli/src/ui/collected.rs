//! Output that is collected in memory.

use gamewire::godot::json::PrintError;
use std::fmt;
use std::io::{self, Write};

/// Size of a buffer in bytes.
const SIZE: usize = 1 << 16;

/// The buffer of a [`Collected`].
#[derive(Debug, Default)]
pub struct Buffer(Vec<u8>);

/// A writer that collects text in a buffer, since a copy is much faster than a call of `out` for
/// each piece. Stores the first error of the output until [`finish`](Self::finish).
pub struct Collected<'o> {
    buffer: &'o mut [u8],
    /// Number of bytes of the buffer that contain text.
    len: usize,
    out: &'o mut dyn Write,
    written: io::Result<()>,
}

impl<'o> Collected<'o> {
    pub fn new(buffer: &'o mut Buffer, out: &'o mut dyn Write) -> Self {
        buffer.0.resize(SIZE, 0);
        Self { buffer: &mut buffer.0, len: 0, out, written: Ok(()) }
    }

    #[inline(always)]
    pub fn push(&mut self, text: &str) {
        let end = self.len.saturating_add(text.len());
        match self.buffer.get_mut(self.len..end) {
            Some(free) => {
                free.copy_from_slice(text.as_bytes());
                self.len = end;
            }
            None => self.push_after_writing(text),
        }
    }

    /// Writes the buffer, which has no space for the text. Then appends the text.
    #[cold]
    fn push_after_writing(&mut self, text: &str) {
        self.write_buffer();
        match self.buffer.get_mut(..text.len()) {
            Some(free) => {
                free.copy_from_slice(text.as_bytes());
                self.len = text.len();
            }
            None if self.written.is_ok() => self.written = self.out.write_all(text.as_bytes()),
            None => {}
        }
    }

    fn write_buffer(&mut self) {
        if self.written.is_ok() {
            self.written = self.out.write_all(self.buffer.get(..self.len).unwrap_or_default());
        }
        self.len = 0;
    }

    /// Appends a value. An error of its formatting is not an error of the output.
    pub fn display(&mut self, value: impl fmt::Display) {
        let _ = fmt::Write::write_fmt(self, format_args!("{value}"));
    }

    /// Stores the error of printing a value, unless an earlier error is stored.
    pub fn check(&mut self, printed: Result<(), PrintError>) {
        if let (Ok(()), Err(error)) = (&self.written, printed) {
            self.written = Err(io::Error::other(error));
        }
    }

    /// Writes the rest of the text. Returns the first error.
    pub fn finish(mut self) -> io::Result<()> {
        self.write_buffer();
        self.written
    }
}

impl fmt::Write for Collected<'_> {
    #[inline]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text);
        Ok(())
    }

    #[inline]
    fn write_char(&mut self, char: char) -> fmt::Result {
        self.write_str(char.encode_utf8(&mut [0; 4]))
    }
}
