//! A container of compressed blocks. Each block can be decompressed separately.

use super::method::{Codec, Method};
#[cfg(feature = "alloc")]
use crate::unreal::format::Versions;
use crate::unreal::format::{ByteOrder, CodecError, Error, ErrorKind, FileCursor, Layout, Result};
use crate::unreal::tables::PACKAGE_TAG;
#[cfg(feature = "alloc")]
use alloc::vec;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::iter::FusedIterator;
use core::mem::take;

/// A reasonable limit for the size of decompressed data: 1 GiB.
pub const DECOMPRESSED_LIMIT: usize = 1 << 30;

/// The version of a container, and the encoding of its numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    layout: Layout,
    /// `true` if numbers have 64 bits. Unreal Engine 3 wrote 32-bit numbers.
    wide: bool,
    /// `true` for version 2 of the container, which stores its compression method.
    says_method: bool,
}

impl Numbers {
    /// Detects the format by the tag at `from`, and moves `from` past the tag.
    fn read(from: &mut FileCursor<'_>) -> Result<Self> {
        const SWAPPED: u32 = PACKAGE_TAG.swap_bytes();
        const SECOND: u32 = 0x2222_2222;
        let start = *from;
        let little = Layout::default();
        let words = (from.read::<u32>(&little)?, from.read::<u32>(&little)?);
        let (order, wide) = match words {
            (PACKAGE_TAG, 0 | SECOND) => (ByteOrder::Little, true),
            (0 | SECOND, SWAPPED) | (SWAPPED, 0) => (ByteOrder::Big, true),
            (PACKAGE_TAG, _) => (ByteOrder::Little, false),
            (SWAPPED, _) => (ByteOrder::Big, false),
            (found, _) => {
                let (expected, found) = (PACKAGE_TAG.into(), found.into());
                return Err(start.error(ErrorKind::BadMark { expected, found }));
            }
        };
        if !wide {
            *from = start;
            from.bytes(4)?;
        }
        let says_method = wide && (words.0 == SECOND || words.1 == SECOND);
        Ok(Self { layout: Layout { order, ..little }, wide, says_method })
    }

    /// Returns the encoding of the numbers in a new container.
    #[cfg(feature = "alloc")]
    pub(super) const fn of(version: ContainerVersion, order: ByteOrder) -> Self {
        let mut layout = Layout::new(ByteOrder::Little, 0, Versions { ue4: 0, ue5: 0 });
        layout.order = order;
        let wide = !matches!(version, ContainerVersion::Engine3);
        Self { layout, wide, says_method: matches!(version, ContainerVersion::Two) }
    }

    #[cfg(feature = "alloc")]
    pub(super) const fn order(self) -> ByteOrder {
        self.layout.order
    }

    const fn version(self) -> ContainerVersion {
        match (self.wide, self.says_method) {
            (false, _) => ContainerVersion::Engine3,
            (true, false) => ContainerVersion::One,
            (true, true) => ContainerVersion::Two,
        }
    }

    /// Reads a signed number: a size, or the tag that can be stored instead of the block size.
    fn signed(self, from: &mut FileCursor<'_>) -> Result<i64> {
        match self.wide {
            true => from.read(&self.layout),
            false => from.read::<i32>(&self.layout).map(i64::from),
        }
    }

    fn size(self, from: &mut FileCursor<'_>) -> Result<u64> {
        let start = *from;
        let size = self.signed(from)?;
        u64::try_from(size).map_err(|_| start.error(ErrorKind::BadSize(size)))
    }

    /// Reads the maximum size of a block. If the tag of the container is stored instead of a size,
    /// the size is 131072.
    fn block_size(self, from: &mut FileCursor<'_>) -> Result<u64> {
        let start = *from;
        match self.signed(from)? {
            size if size == i64::from(PACKAGE_TAG)
                || size == i64::from(PACKAGE_TAG.cast_signed()) =>
            {
                Ok(0x2_0000)
            }
            size @ 1.. => Ok(size.unsigned_abs()),
            size => Err(start.error(ErrorKind::BadSize(size))),
        }
    }

    /// Returns the size in bytes of a row of the block table.
    pub(super) const fn row(self) -> u64 {
        if self.wide { 16 } else { 8 }
    }
}

/// A version of the format of containers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ContainerVersion {
    /// The format of engine 3: 32-bit numbers. The container does not store its compression method.
    Engine3,
    /// 64-bit numbers. The container does not store its compression method.
    One,
    /// 64-bit numbers. The container stores its compression method.
    Two,
}

/// The format of a [container](Compressed). With the feature `alloc`, `write` writes a container in
/// this format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContainerFormat<'a> {
    /// Version of the format.
    pub version: ContainerVersion,
    /// Byte order of the numbers.
    pub order: ByteOrder,
    /// Compression method of the blocks. Only [version 2](ContainerVersion::Two) stores it. To read
    /// a container of a different version, the caller must know the method.
    pub method: Method<'a>,
    /// Maximum size of a block in bytes, before compression. Engines write blocks of 131072 bytes.
    pub block_size: u64,
}

/// A container of compressed data: a header, a table of blocks, and the blocks.
///
/// ```text
/// i64 tag              0x9E2A83C1, or 0x222222229E2A83C1 for version 2
/// i64 block size       the tag as block size means 131072
/// u8 method            only in version 2; the name of the method follows method 0
/// i64 × 2              total size of the blocks: compressed, decompressed
/// i64 × 2              for each block, its size: compressed, decompressed
/// the blocks
/// ```
///
/// The byte order of the tag applies to all numbers. Unreal Engine 3 wrote 32-bit numbers. Bulk
/// data with [`BulkFlags::ZLIB`](crate::unreal::bulk::BulkFlags::ZLIB) and the chunks of a
/// [compressed package](super::CompressedPackage) are such containers.
///
/// Opening a container checks that the sizes are valid and consistent, and that all bytes are
/// present. It neither decompresses nor allocates.
#[derive(Clone, Copy, Debug)]
pub struct Compressed<'a> {
    method: Method<'a>,
    block_size: u64,
    size: u64,
    stored_size: u64,
    blocks: Blocks<'a>,
}

impl<'a> Compressed<'a> {
    /// Opens the container at the start of `bytes`, and ignores bytes after it. `method` is the
    /// method of the blocks if the container does not store one.
    ///
    /// # Errors
    /// If the bytes are not a container, if the number of its compression method is unknown, if its
    /// sizes are invalid or inconsistent, or if it is truncated.
    pub fn open(bytes: &'a [u8], method: Method<'a>) -> Result<Self> {
        Self::open_at(bytes, 0, method)
    }

    /// Opens a container that begins at `offset` of a file.
    pub(crate) fn open_at(bytes: &'a [u8], offset: u64, method: Method<'a>) -> Result<Self> {
        let mut from = FileCursor::new(bytes, offset);
        let format = Numbers::read(&mut from)?;
        let block_size = format.block_size(&mut from)?;
        let method = match format.says_method {
            true => read_method(&mut from, &format.layout)?,
            false => method,
        };
        let start = from;
        let blocks_size = format.size(&mut from)?;
        let size = format.size(&mut from)?;
        let table = from.window(size.div_ceil(block_size).saturating_mul(format.row()))?;
        check_table(table, format, method, block_size, [blocks_size, size])
            .map_err(|kind| start.error(kind))?;
        let offset = from.offset();
        let Some(data) = usize::try_from(blocks_size).ok().and_then(|len| from.rest().get(..len))
        else {
            let missing = blocks_size.saturating_sub(from.remaining());
            let missing = u32::try_from(missing).unwrap_or(u32::MAX);
            return Err(from.error(ErrorKind::UnexpectedEnd { missing }));
        };
        let head = bytes.len().saturating_sub(from.rest().len()) as u64;
        let blocks = Blocks { table, data, offset, format, method };
        Ok(Self { method, block_size, size, stored_size: head.saturating_add(blocks_size), blocks })
    }

    /// Returns the compression method of the blocks.
    pub const fn method(&self) -> Method<'a> {
        self.method
    }

    /// Returns the format of the container, which can be used to write another container in the
    /// same format.
    pub const fn format(&self) -> ContainerFormat<'a> {
        let numbers = self.blocks.format;
        ContainerFormat {
            version: numbers.version(),
            order: numbers.layout.order,
            method: self.method,
            block_size: self.block_size,
        }
    }

    /// Returns the size of all blocks after decompression.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Returns the maximum size of one block after decompression.
    pub const fn block_size(&self) -> u64 {
        self.block_size
    }

    /// Returns the size of the container in bytes, from the tag to the last block.
    pub const fn stored_size(&self) -> u64 {
        self.stored_size
    }

    /// Returns the blocks.
    pub const fn blocks(&self) -> Blocks<'a> {
        self.blocks
    }

    /// Decompresses all blocks into a slice of exactly [`size`](Self::size) bytes.
    ///
    /// # Errors
    /// If the slice has a different size, if the codec fails or returns fewer bytes than declared,
    /// or if the two sizes of a [`Method::Stored`] block differ.
    pub fn decompress_into(&self, to: &mut [u8], mut codec: impl Codec) -> Result<()> {
        if to.len() as u64 != self.size {
            let (declared, found) = (self.size, to.len() as u64);
            return Err(Error::new(ErrorKind::SizesDiffer { declared, found }, self.blocks.offset));
        }
        let mut rest = to;
        for block in self.blocks() {
            let size = usize::try_from(block.size).unwrap_or(usize::MAX);
            let Some((piece, behind)) = take(&mut rest).split_at_mut_checked(size) else {
                debug_assert!(false, "sizes were added up");
                break;
            };
            block.decompress_into(piece, &mut codec)?;
            rest = behind;
        }
        debug_assert!(rest.is_empty(), "sizes were added up");
        Ok(())
    }

    /// Decompresses all blocks.
    ///
    /// ```
    /// # #[cfg(feature = "unreal-compression")] {
    /// use gamewire::unreal::compression::{Compressed, DECOMPRESSED_LIMIT, Method, standard_codec};
    ///
    /// let mut bytes = vec![0xC1, 0x83, 0x2A, 0x9E, 0, 0, 0, 0]; // the tag
    /// for number in [131_072i64, 20, 12, 20, 12] {
    ///     bytes.extend(number.to_le_bytes());
    /// }
    /// bytes.extend(b"\x78\x9c\xf3\x48\xcd\xc9\xc9\xd7\x51\xa8\xca\xc9\x4c\x52\x04\x00\x1b\x65\x04\x13");
    /// let data = Compressed::open(&bytes, Method::Zlib)?;
    /// assert_eq!(data.decompress(DECOMPRESSED_LIMIT, standard_codec)?, b"Hello, zlib!");
    /// # }
    /// # Ok::<(), gamewire::unreal::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the data are larger than `limit` (for which [`DECOMPRESSED_LIMIT`] is a reasonable
    /// value), or if [`decompress_into`](Self::decompress_into) fails.
    #[cfg(feature = "alloc")]
    pub fn decompress(&self, limit: usize, codec: impl Codec) -> Result<Vec<u8>> {
        let mut bytes = allocate(self.size, limit, self.blocks.offset)?;
        self.decompress_into(&mut bytes, codec)?;
        Ok(bytes)
    }
}

/// Allocates `size` bytes, if `size` is within the limit.
#[cfg(feature = "alloc")]
pub(super) fn allocate(size: u64, limit: usize, offset: u64) -> Result<Vec<u8>> {
    match usize::try_from(size) {
        Ok(size) if size <= limit => Ok(vec![0; size]),
        _ => Err(Error::new(ErrorKind::TooLarge { size, limit: limit as u64 }, offset)),
    }
}

fn read_method<'a>(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Method<'a>> {
    let start = *from;
    match from.read::<u8>(layout)? {
        0 => from.read(layout).map(Method::Named),
        number => Method::of_number(number).ok_or_else(|| {
            let (what, value) = ("method of compression", number.into());
            start.error(ErrorKind::Unknown { what, value })
        }),
    }
}

/// Checks that the sizes of the blocks are valid and add up to the totals.
fn check_table(
    mut table: FileCursor<'_>,
    format: Numbers,
    method: Method<'_>,
    block_size: u64,
    totals: [u64; 2],
) -> Result<(), ErrorKind> {
    let mut sums = [0u64; 2];
    while !table.is_empty() {
        let row = [format.size(&mut table), format.size(&mut table)];
        let [stored, size] = match row {
            [Ok(stored), Ok(size)] => [stored, size],
            [Err(error), _] | [_, Err(error)] => return Err(*error.kind()),
        };
        if size > block_size || size > method.most(stored) {
            return Err(ErrorKind::BadSize(size.cast_signed()));
        }
        // A saturated sum is larger than any valid total.
        sums = [sums[0].saturating_add(stored), sums[1].saturating_add(size)];
    }
    for (declared, found) in totals.into_iter().zip(sums) {
        if declared != found {
            return Err(ErrorKind::SizesDiffer { declared, found });
        }
    }
    Ok(())
}

/// The blocks of a [container](Compressed). Their sizes have been checked.
#[derive(Clone, Copy, Debug)]
pub struct Blocks<'a> {
    table: FileCursor<'a>,
    data: &'a [u8],
    /// Offset of `data` in the file.
    offset: u64,
    format: Numbers,
    method: Method<'a>,
}

/// A compressed block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block<'a> {
    /// Compression method.
    pub method: Method<'a>,
    /// The compressed bytes.
    pub bytes: &'a [u8],
    /// Size in bytes after decompression.
    pub size: u64,
    /// Offset of the block. It counts from the start of the file in a [compressed
    /// package](super::CompressedPackage), and otherwise from the start of the container.
    pub offset: u64,
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Block<'a>;

    fn next(&mut self) -> Option<Block<'a>> {
        if self.table.is_empty() {
            return None;
        }
        let stored = self.format.size(&mut self.table).ok()?;
        let size = self.format.size(&mut self.table).ok()?;
        let (bytes, rest) = self.data.split_at_checked(usize::try_from(stored).ok()?)?;
        let block = Block { method: self.method, bytes, size, offset: self.offset };
        (self.data, self.offset) = (rest, self.offset.wrapping_add(stored));
        Some(block)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let rows = self.table.remaining().checked_div(self.format.row()).unwrap_or(0);
        let rows = usize::try_from(rows).unwrap_or(usize::MAX);
        (rows, Some(rows))
    }
}

impl ExactSizeIterator for Blocks<'_> {}
impl FusedIterator for Blocks<'_> {}

impl Block<'_> {
    /// Decompresses the block into a slice of exactly [`size`](Self::size) bytes. A
    /// [named](Method::Named) method is [resolved](Method::resolved) before the codec is called.
    ///
    /// # Errors
    /// If the slice has a different size, if the codec fails or returns fewer bytes than declared,
    /// or if the two sizes of a [`Method::Stored`] block differ.
    #[allow(clippy::disallowed_methods, reason = "the lengths were compared")]
    pub fn decompress_into(&self, to: &mut [u8], mut codec: impl Codec) -> Result<()> {
        let error = |kind| Error::new(kind, self.offset);
        let differs = |found| error(ErrorKind::SizesDiffer { declared: self.size, found });
        if to.len() as u64 != self.size {
            return Err(differs(to.len() as u64));
        }
        let made = match self.method.resolved() {
            Method::Stored if self.bytes.len() == to.len() => {
                to.copy_from_slice(self.bytes);
                Ok(to.len())
            }
            Method::Stored => Err(CodecError::Damaged),
            method => codec(method, self.bytes, to),
        };
        match made {
            Ok(made) if made == to.len() => Ok(()),
            Ok(made) => Err(differs(made as u64)),
            Err(cause) => Err(error(ErrorKind::Codec(cause))),
        }
    }
}
