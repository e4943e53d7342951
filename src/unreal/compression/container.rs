//! Compressed data: a container of blocks, each of which can be decompressed alone.

use super::method::{Codec, Method};
use crate::unreal::format::{ByteOrder, CodecError, Error, ErrorKind, FileCursor, Layout, Result};
use crate::unreal::tables::PACKAGE_TAG;
#[cfg(feature = "alloc")]
use alloc::vec;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::iter::FusedIterator;
use core::mem::take;

/// What is sensible to let compressed data grow to where nothing is known of them: 1 GiB.
pub const DECOMPRESSED_LIMIT: usize = 1 << 30;

/// How the numbers of a container are.
#[derive(Clone, Copy, Debug)]
struct ContainerFormat {
    layout: Layout,
    /// 64 bits each; 32 in what engine 3 has made.
    wide: bool,
    /// Version 2: says its method.
    says_method: bool,
}

impl ContainerFormat {
    /// By the tag, past which `from` moves.
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

    /// A size, or the tag in its place.
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

    /// The size of blocks; the tag stands for what it was first.
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

    /// Bytes of a row of the table of blocks.
    const fn row(self) -> u64 {
        if self.wide { 16 } else { 8 }
    }
}

/// Compressed data: a head, a table of blocks, and these.
///
/// ```text
/// i64 tag              0x9E2A83C1, or 0x222222229E2A83C1 for version 2
/// i64 block size       the tag stands for 131072
/// u8 method            only version 2; a name follows 0
/// i64 × 2              bytes of all blocks, compressed and not
/// i64 × 2              the same of each block
/// the blocks
/// ```
///
/// In the other byte order, if the tag is in that; with 32-bit numbers in what engine 3 has made.
/// Bulk data with [`BulkFlags::ZLIB`](super::BulkFlags::ZLIB) are one, and each chunk of a
/// [compressed package](CompressedPackage).
///
/// Opening it checks that the sizes can be and add up, and that the bytes are there. Nothing is
/// decompressed or allocated before it is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Compressed<'a> {
    method: Method<'a>,
    block_size: u64,
    size: u64,
    stored_size: u64,
    blocks: Blocks<'a>,
}

impl<'a> Compressed<'a> {
    /// Opens what begins there; what is behind it is left alone. The method is what the
    /// context says; it counts where the container does not say another.
    ///
    /// # Errors
    /// If the bytes are not compressed data, have sizes that cannot be or do not add up, or end
    /// too early.
    pub fn open(bytes: &'a [u8], method: Method<'a>) -> Result<Self> {
        Self::open_at(bytes, 0, method)
    }

    /// The same, for bytes from that offset of a file.
    pub(super) fn open_at(bytes: &'a [u8], offset: u64, method: Method<'a>) -> Result<Self> {
        let mut from = FileCursor::new(bytes, offset);
        let format = ContainerFormat::read(&mut from)?;
        let block_size = format.block_size(&mut from)?;
        let method = match format.says_method {
            true => read_method(&mut from, &format.layout)?,
            false => method,
        };
        let start = from;
        let stored_size = format.size(&mut from)?;
        let size = format.size(&mut from)?;
        let table = from.window(size.div_ceil(block_size).saturating_mul(format.row()))?;
        check_table(table, format, method, block_size, [stored_size, size])
            .map_err(|kind| start.error(kind))?;
        let offset = from.offset();
        let Some(data) = usize::try_from(stored_size).ok().and_then(|len| from.rest().get(..len))
        else {
            let missing = stored_size.saturating_sub(from.remaining());
            let missing = u32::try_from(missing).unwrap_or(u32::MAX);
            return Err(from.error(ErrorKind::UnexpectedEnd { missing }));
        };
        let head = bytes.len().saturating_sub(from.rest().len()) as u64;
        let blocks = Blocks { table, data, offset, format, method };
        Ok(Self { method, block_size, size, stored_size: head.saturating_add(stored_size), blocks })
    }

    /// How the blocks are compressed.
    pub const fn method(&self) -> Method<'a> {
        self.method
    }

    /// Bytes that all blocks decompress to.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Bytes that one block decompresses to, at the most.
    pub const fn block_size(&self) -> u64 {
        self.block_size
    }

    /// Bytes of all this as it lies there, from the tag to the last block.
    pub const fn stored_size(&self) -> u64 {
        self.stored_size
    }

    /// The blocks.
    pub const fn blocks(&self) -> Blocks<'a> {
        self.blocks
    }

    /// Decompresses all blocks into a slice of just the [size](Self::size) that is needed.
    ///
    /// # Errors
    /// If the slice is of another size, or the codec fails or makes less than was declared.
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
    /// If that makes more bytes than the limit ([`DECOMPRESSED_LIMIT`] is a sensible one), or as
    /// [`decompress_into`](Self::decompress_into).
    #[cfg(feature = "alloc")]
    pub fn decompress(&self, limit: usize, codec: impl Codec) -> Result<Vec<u8>> {
        let mut bytes = allocate(self.size, limit, self.blocks.offset)?;
        self.decompress_into(&mut bytes, codec)?;
        Ok(bytes)
    }
}

/// Room for that many bytes, if they are not too many.
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

/// Whether the sizes of blocks can be, and add up to those of all.
fn check_table(
    mut table: FileCursor<'_>,
    format: ContainerFormat,
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
        // What does not fit is no total either.
        sums = [sums[0].saturating_add(stored), sums[1].saturating_add(size)];
    }
    for (declared, found) in totals.into_iter().zip(sums) {
        if declared != found {
            return Err(ErrorKind::SizesDiffer { declared, found });
        }
    }
    Ok(())
}

/// The blocks of [compressed data](Compressed), whose sizes were checked.
#[derive(Clone, Copy, Debug)]
pub struct Blocks<'a> {
    table: FileCursor<'a>,
    data: &'a [u8],
    /// Of `data` in the file.
    offset: u64,
    format: ContainerFormat,
    method: Method<'a>,
}

/// A block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block<'a> {
    /// How it is compressed.
    pub method: Method<'a>,
    /// Its bytes, compressed.
    pub bytes: &'a [u8],
    /// How many they are when decompressed.
    pub size: u64,
    /// Where it begins, counted from where the file or the container does.
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
    /// Decompresses it into a slice of just its [size](Self::size).
    ///
    /// # Errors
    /// If the slice is of another size, or the codec fails or makes less than was declared.
    #[allow(clippy::disallowed_methods, reason = "the lengths were compared")]
    pub fn decompress_into(&self, to: &mut [u8], mut codec: impl Codec) -> Result<()> {
        let error = |kind| Error::new(kind, self.offset);
        let differs = |found| error(ErrorKind::SizesDiffer { declared: self.size, found });
        if to.len() as u64 != self.size {
            return Err(differs(to.len() as u64));
        }
        let made = match self.method {
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
