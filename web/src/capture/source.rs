//! The bytes of a capture, which are read in blocks when they are needed.

use std::io::{self, Read};
use std::rc::Rc;

/// A file.
pub trait Source {
    /// Reads bytes at an offset. Returns their number, which is 0 only at the end of the file, or
    /// `None` if the file cannot be read.
    fn read_at(&self, offset: u64, to: &mut [u8]) -> Option<usize>;
}

/// Number of bytes that are read at once.
const BLOCK: usize = 512 << 10;

/// Reads a file from an offset to its end.
pub struct Input {
    source: Rc<dyn Source>,
    /// Offset of the first byte after the block.
    offset: u64,
    block: Vec<u8>,
    /// Number of bytes of the block that were returned.
    used: usize,
}

impl Input {
    pub fn new(source: Rc<dyn Source>, offset: u64) -> Self {
        Self { source, offset, block: Vec::new(), used: 0 }
    }
}

impl Read for Input {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.used == self.block.len() {
            self.block.resize(BLOCK, 0);
            let read = self.source.read_at(self.offset, &mut self.block);
            self.block.truncate(read.unwrap_or(0));
            self.used = 0;
            self.offset += self.block.len() as u64;
            if read.is_none() {
                return Err(io::ErrorKind::NotFound.into());
            }
        }
        let rest = &self.block[self.used..];
        let len = rest.len().min(to.len());
        to[..len].copy_from_slice(&rest[..len]);
        self.used += len;
        Ok(len)
    }
}
