//! Reads numbers, texts and similar fields in either byte order.

use super::node::Node;

/// The error for malformed bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bad;

pub type Out<T> = Result<T, Bad>;

/// A position in a file (header and `.uexp` concatenated), and the end of the bytes that may be
/// read.
#[derive(Clone, Copy)]
pub struct Cursor<'a> {
    pub file: &'a [u8],
    pub at: usize,
    pub end: usize,
    pub big: bool,
}

impl<'a> Cursor<'a> {
    pub fn new(file: &'a [u8], big: bool) -> Self {
        Self { file, at: 0, end: file.len(), big }
    }

    pub fn left(&self) -> usize {
        self.end - self.at
    }

    pub fn bytes(&mut self, count: usize) -> Out<&'a [u8]> {
        if count > self.left() {
            return Err(Bad);
        }
        let bytes = &self.file[self.at..self.at + count];
        self.at += count;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Out<[u8; N]> {
        let mut bytes: [u8; N] =
            self.bytes(N)?.try_into().expect("this number of items was requested");
        if self.big {
            bytes.reverse();
        }
        Ok(bytes)
    }

    pub fn u8(&mut self) -> Out<u8> {
        self.array().map(u8::from_le_bytes)
    }

    pub fn i8(&mut self) -> Out<i8> {
        self.array().map(i8::from_le_bytes)
    }

    pub fn u16(&mut self) -> Out<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub fn i16(&mut self) -> Out<i16> {
        self.array().map(i16::from_le_bytes)
    }

    pub fn u32(&mut self) -> Out<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn i32(&mut self) -> Out<i32> {
        self.array().map(i32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Out<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn i64(&mut self) -> Out<i64> {
        self.array().map(i64::from_le_bytes)
    }

    /// Reads a bool of four bytes, which is 0 or 1.
    pub fn bool32(&mut self) -> Out<bool> {
        match self.u32()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Bad),
        }
    }

    pub fn guid(&mut self) -> Out<[u32; 4]> {
        Ok([self.u32()?, self.u32()?, self.u32()?, self.u32()?])
    }

    /// Reads a count of elements that take at least `least` bytes each.
    pub fn count(&mut self, least: usize) -> Out<usize> {
        let count = usize::try_from(self.i32()?).map_err(|_| Bad)?;
        if count.checked_mul(least).is_none_or(|bytes| bytes > self.left()) {
            return Err(Bad);
        }
        Ok(count)
    }

    /// Reads a count, and that many elements.
    pub fn list(&mut self, mut one: impl FnMut(&mut Self) -> Out<Node>) -> Out<Node> {
        let count = self.count(1)?;
        let mut nodes = Vec::new();
        for _ in 0..count {
            nodes.push(one(self)?);
        }
        Ok(Node::List(nodes))
    }

    /// Reads an `FString`: a length that includes the NUL and is negative for 16-bit units, and the
    /// units.
    pub fn text(&mut self) -> Out<Text> {
        let count = self.i32()?;
        let len = usize::try_from(count.unsigned_abs()).map_err(|_| Bad)?;
        let wide = count < 0;
        let mut units = Vec::new();
        if count == i32::MIN
            || len.checked_mul(1 + usize::from(wide)).is_none_or(|l| l > self.left())
        {
            return Err(Bad);
        }
        for _ in 0..len {
            units.push(if wide { self.u16()? } else { self.u8()?.into() });
        }
        // A text without a NUL at its end is kept whole.
        if units.last() == Some(&0) {
            units.pop();
        }
        Ok(Text { wide, units })
    }

    /// Reads an `FUtf8String` or `FAnsiString`: a length, and that many bytes.
    pub fn utf8(&mut self) -> Out<Node> {
        let count = self.count(1)?;
        Ok(Node::Utf8(self.bytes(count)?.to_vec()))
    }

    /// Reads a number as a node.
    pub fn number(&mut self) -> Out<Node> {
        self.i32().map(Node::number)
    }

    pub fn unsigned(&mut self) -> Out<Node> {
        self.u32().map(Node::number)
    }

    pub fn wide_number(&mut self) -> Out<Node> {
        self.i64().map(Node::number)
    }

    pub fn truth(&mut self) -> Out<Node> {
        self.bool32().map(Node::Truth)
    }

    pub fn single(&mut self) -> Out<Node> {
        self.u32().map(Node::Single)
    }

    pub fn double(&mut self) -> Out<Node> {
        self.u64().map(Node::Double)
    }

    pub fn string(&mut self) -> Out<Node> {
        self.text().map(Text::node)
    }

    /// Reads a name: an index into the names of the package, and a number.
    pub fn name(&mut self) -> Out<Node> {
        Ok(Node::Name(self.i32()?, self.i32()?))
    }

    pub fn id(&mut self) -> Out<Node> {
        self.guid().map(Node::Guid)
    }
}

/// A text without the NUL at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    pub wide: bool,
    pub units: Vec<u16>,
}

impl Text {
    pub fn node(self) -> Node {
        Node::Text(self.wide, self.units)
    }
}
