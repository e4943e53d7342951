use super::cursor::FileCursor;
use super::error::Result;
use super::layout::Layout;
use super::value::{Value, put};
use crate::buffer::{Full, Sink};
use core::fmt;

/// A string that is stored with its length and without a NUL (`FUtf8String`, `FAnsiString`).
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Utf8StrRef<'a>(&'a [u8]);

impl<'a> Utf8StrRef<'a> {
    /// Creates a string for writing.
    pub const fn new(text: &'a str) -> Self {
        Self(text.as_bytes())
    }

    /// Creates a string from bytes that should be UTF-8.
    pub(crate) const fn of_bytes(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes, which should be UTF-8.
    pub const fn bytes(&self) -> &'a [u8] {
        self.0
    }

    /// Returns the string, if it is valid UTF-8.
    pub fn as_str(&self) -> Option<&'a str> {
        core::str::from_utf8(self.0).ok()
    }
}

impl fmt::Display for Utf8StrRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            f.write_str(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                f.write_str("\u{FFFD}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Utf8StrRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

impl<'a> Value<'a> for Utf8StrRef<'a> {
    const LEAST: u64 = 4;

    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        let count = from.count(1, layout)?;
        from.bytes(count.into()).map(Self)
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        i32::try_from(self.0.len()).unwrap_or(i32::MAX).write(to, layout)?;
        put(to, self.0)
    }
}
