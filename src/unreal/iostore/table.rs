//! The blocks and compression methods that chunks share.

use super::header::Header;
use crate::unreal::compression::Method;
use crate::unreal::format::{Error, ErrorKind, Result, StrRef};
use crate::unreal::pak::trimmed;

/// The parts of a table of contents that describe the blocks of chunks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table<'a> {
    pub header: Header,
    pub blocks: &'a [[u8; 12]],
    pub methods: Methods<'a>,
}

impl<'a> Table<'a> {
    /// Returns the blocks of a chunk. `offset` and `size` are its place in the decompressed data of
    /// the container. Errors state the offset `at`.
    pub(super) fn blocks_of(&self, offset: u64, size: u64, at: u64) -> Result<&'a [[u8; 12]]> {
        let wrong = || Error::new(ErrorKind::BadOffset(offset.cast_signed()), at);
        if size == 0 {
            return Ok(&[]);
        }
        let each = u64::from(self.header.block_size);
        let first = offset.checked_div(each).filter(|_| offset.is_multiple_of(each));
        let first = first.and_then(|first| usize::try_from(first).ok()).ok_or_else(wrong)?;
        let count = usize::try_from(size.div_ceil(each.max(1))).map_err(|_| wrong())?;
        self.blocks.get(first..).and_then(|blocks| blocks.get(..count)).ok_or_else(wrong)
    }
}

/// The names of the compression methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Methods<'a> {
    pub names: &'a [u8],
    /// Size of a name in bytes.
    pub size: usize,
}

impl<'a> Methods<'a> {
    fn name(&self, index: usize) -> Option<&'a [u8]> {
        let start = index.checked_mul(self.size)?;
        let name = self.names.get(start..)?.get(..self.size)?;
        Some(trimmed(name)).filter(|name| !name.is_empty())
    }

    /// Returns the method for which this number stands in a block. Errors state the offset `at`.
    pub(super) fn method(&self, number: u8, at: u64) -> Result<Method<'a>> {
        let Some(index) = usize::from(number).checked_sub(1) else { return Ok(Method::Stored) };
        let name = self.name(index).ok_or_else(|| {
            let (what, value) = ("compression method of a container", number.into());
            Error::new(ErrorKind::Unknown { what, value }, at)
        })?;
        Ok(Method::Named(StrRef::latin1(name)).resolved())
    }
}
