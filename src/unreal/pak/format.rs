//! The parts of the format of a pak that depend on its version.

use crate::unreal::compression::Method;
use crate::unreal::format::{
    ByteOrder, Error, ErrorKind, Layout, NEWEST as VERSIONS, Result, StrRef,
};

/// The newest version that is supported.
pub(super) const NEWEST: u32 = 11;

/// The first version in which files can be compressed in blocks, and encrypted.
pub(super) const BLOCKS: u32 = 3;
/// The first version in which offsets of blocks count from the entry instead of the start of the
/// pak.
pub(super) const RELATIVE_BLOCKS: u32 = 5;
/// The first version in which compression methods have names instead of flags.
pub(super) const NAMED_METHODS: u32 = 8;
/// The first version in which the index consists of entries, hashes of paths, and directories.
pub(super) const PATH_HASHES: u32 = 10;
/// The first version in which engines hash paths with standard FNV. In version 10, engines swap the
/// offset and the prime of FNV, but other programs write the hashes of version 11 in paks of
/// version 10, too.
pub(super) const CORRECT_HASHES: u32 = 11;

/// The layout of the numbers in a pak, which are little-endian.
pub(in crate::unreal) const LAYOUT: &Layout = &Layout::new(ByteOrder::Little, -9, VERSIONS);

/// The name of a compression method, padded with zeros.
pub(super) type MethodName = [u8; 32];

/// The version of a pak, and the names of its compression methods.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format<'a> {
    pub version: u32,
    /// `true` if the compression method of an entry takes one byte, as in paks of engine 4.22.
    pub has_narrow_methods: bool,
    pub methods: &'a [MethodName],
}

impl<'a> Format<'a> {
    /// Returns the size of the header before the data of a file. `blocks` is the number of
    /// compressed blocks, or `None` if the file is not compressed.
    pub(super) const fn header_size(&self, blocks: Option<u32>) -> u64 {
        let method = if self.has_narrow_methods { 1 } else { 4 };
        let timestamp = if self.version == 1 { 8 } else { 0 };
        let flags = if self.version >= BLOCKS { 5 } else { 0 };
        let blocks = match blocks {
            Some(count) if self.version >= BLOCKS => {
                (count as u64).saturating_mul(16).saturating_add(4)
            }
            _ => 0,
        };
        blocks
            .saturating_add(24 + 20)
            .saturating_add(method)
            .saturating_add(timestamp)
            .saturating_add(flags)
    }

    /// Returns the compression method for the number in an entry.
    pub(super) fn method(&self, number: u32, offset: u64) -> Result<Method<'a>> {
        let unknown = || {
            let (what, value) = ("compression method of a pak", number.into());
            Error::new(ErrorKind::Unknown { what, value }, offset)
        };
        if number == 0 {
            return Ok(Method::Stored);
        }
        if self.version >= NAMED_METHODS {
            let name = self.methods.get(number.saturating_sub(1) as usize);
            let name = name.map(|name| trimmed(name)).filter(|name| !name.is_empty());
            return name
                .map(|name| Method::Named(StrRef::latin1(name)).resolved())
                .ok_or_else(unknown);
        }
        // Two flags only state whether speed or a small size was preferred.
        match number & !0x30 {
            1 => Ok(Method::Zlib),
            2 => Ok(Method::Gzip),
            4 => Ok(Method::Lzo),
            _ => Err(unknown()),
        }
    }
}

/// Returns the name without the zeros after it.
pub(in crate::unreal) fn trimmed(name: &[u8]) -> &[u8] {
    let len = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
    name.get(..len).unwrap_or_default()
}

/// Rounds a size up to whole blocks of AES.
pub(in crate::unreal) const fn aligned(size: u64) -> u64 {
    size.saturating_add(15) & !15
}
