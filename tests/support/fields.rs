//! A cursor over consecutive fields, for oracles. Its methods return `None` if the input ends
//! before the end of the field.

/// A position in an input with little-endian or big-endian fields.
#[derive(Clone, Copy)]
pub struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
    big: bool,
}

impl<'a> Fields<'a> {
    pub fn little(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, big: false }
    }

    pub fn big(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, big: true }
    }

    /// Returns the current offset in the input.
    pub fn at(&self) -> usize {
        self.at
    }

    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(len)?)?;
        self.at += len;
        Some(taken)
    }

    pub fn rest(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        self.at = self.bytes.len();
        rest
    }

    fn number(&mut self, len: usize) -> Option<u64> {
        let big = self.big;
        let bytes = self.take(len)?.iter();
        let add = |sum, byte: &u8| sum << 8 | u64::from(*byte);
        Some(if big { bytes.fold(0, add) } else { bytes.rev().fold(0, add) })
    }

    pub fn u8(&mut self) -> Option<u8> {
        self.number(1).map(|number| number as u8)
    }

    pub fn u16(&mut self) -> Option<u16> {
        self.number(2).map(|number| number as u16)
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.number(4).map(|number| number as u32)
    }

    pub fn i32(&mut self) -> Option<i32> {
        self.u32().map(|number| number as i32)
    }

    pub fn u64(&mut self) -> Option<u64> {
        self.number(8)
    }

    /// Reads text up to its NUL, and skips the NUL.
    pub fn text(&mut self) -> Option<&'a [u8]> {
        let len = self.bytes[self.at..].iter().position(|&byte| byte == 0)?;
        let text = self.take(len);
        self.at += 1;
        text
    }
}
