//! Compressed data: a container of blocks, each of which can be decompressed alone.

#[cfg(feature = "unreal-compression")]
mod codec;
mod package;

#[cfg(feature = "unreal-compression")]
pub use codec::standard_codec;
pub use package::CompressedPackage;

use super::layout::Layout;
use super::summary::TAG;
use super::text::Text;
use super::wire::{ByteOrder, Input};
use super::{Error, ErrorKind, Result};
#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};
use core::iter::FusedIterator;
use core::mem::take;

/// What is sensible to let compressed data grow to where nothing is known of them: 1 GiB.
pub const DECOMPRESSED_LIMIT: usize = 1 << 30;

/// How bytes are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method<'a> {
    /// Not at all.
    Stored,
    /// Deflate in zlib's frame.
    Zlib,
    /// Deflate in gzip's frame.
    Gzip,
    /// A block of LZ4, without a frame.
    Lz4,
    /// One of Oodle's.
    Oodle,
    /// LZO1X, or what else an engine was made to use.
    Lzo,
    /// One that the file tells by its name.
    Named(Text<'a>),
}

impl Method<'_> {
    /// By the number that version 2 of the container has, except 0, which a name follows.
    const fn of_number(number: u8) -> Option<Self> {
        match number {
            1 => Some(Self::Stored),
            2 => Some(Self::Oodle),
            3 => Some(Self::Zlib),
            4 => Some(Self::Gzip),
            5 => Some(Self::Lz4),
            _ => None,
        }
    }

    /// By [`Summary::compression_flags`](super::Summary::compression_flags).
    const fn of_flags(flags: u32) -> Option<Self> {
        match (flags & !0xFFF, flags & 0xF) {
            // What says nothing was zlib.
            (0, 0 | 1) => Some(Self::Zlib),
            (0, 2) => Some(Self::Gzip),
            (0, 4) => Some(Self::Lzo),
            _ => None,
        }
    }

    /// How many bytes so many can become at the most, where the method tells.
    ///
    /// The shortest code of Deflate for the longest repetition has 2 bits for 258 bytes; LZ4
    /// lengthens one by up to 255 bytes with each byte.
    const fn most(self, len: u64) -> u64 {
        match self {
            Self::Stored => len,
            Self::Zlib | Self::Gzip => len.saturating_mul(1032),
            Self::Lz4 => len.saturating_mul(255),
            _ => u64::MAX,
        }
    }
}

/// Who decompresses: fills the last from what the second decompresses to, by the method, and
/// says how many bytes those are. A function like this is one.
///
/// With the feature `unreal-compression` `standard_codec` is one for zlib and LZ4.
pub trait Codec: FnMut(Method<'_>, &[u8], &mut [u8]) -> Result<usize, CodecError> {}

impl<F: FnMut(Method<'_>, &[u8], &mut [u8]) -> Result<usize, CodecError>> Codec for F {}

/// Why bytes are not decompressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum CodecError {
    /// By a method that the codec does not know.
    #[error("the bytes are compressed by a method for which there is no codec")]
    Unsupported,
    /// They are not what the method makes, or become more than was declared.
    #[error("the compressed bytes are damaged")]
    Damaged,
}

/// How the numbers of a container are.
#[derive(Clone, Copy, Debug)]
struct Form {
    layout: Layout,
    /// 64 bits each; 32 in what engine 3 has made.
    wide: bool,
    /// Version 2: says its method.
    says_method: bool,
}

impl Form {
    /// By the tag, past which `from` moves.
    fn read(from: &mut Input<'_>) -> Result<Self> {
        const SWAPPED: u32 = TAG.swap_bytes();
        const SECOND: u32 = 0x2222_2222;
        let start = *from;
        let little = Layout::default();
        let words = (from.read::<u32>(&little)?, from.read::<u32>(&little)?);
        let (order, wide) = match words {
            (TAG, 0 | SECOND) => (ByteOrder::Little, true),
            (0 | SECOND, SWAPPED) | (SWAPPED, 0) => (ByteOrder::Big, true),
            (TAG, _) => (ByteOrder::Little, false),
            (SWAPPED, _) => (ByteOrder::Big, false),
            (found, _) => {
                let (expected, found) = (TAG.into(), found.into());
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
    fn signed(self, from: &mut Input<'_>) -> Result<i64> {
        match self.wide {
            true => from.read(&self.layout),
            false => from.read::<i32>(&self.layout).map(i64::from),
        }
    }

    fn size(self, from: &mut Input<'_>) -> Result<u64> {
        let start = *from;
        let size = self.signed(from)?;
        u64::try_from(size).map_err(|_| start.error(ErrorKind::BadSize(size)))
    }

    /// The size of blocks; the tag stands for what it was first.
    fn block_size(self, from: &mut Input<'_>) -> Result<u64> {
        let start = *from;
        match self.signed(from)? {
            size if size == i64::from(TAG) || size == i64::from(TAG.cast_signed()) => Ok(0x2_0000),
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
    fn open_at(bytes: &'a [u8], offset: u64, method: Method<'a>) -> Result<Self> {
        let mut from = Input::new(bytes, offset);
        let form = Form::read(&mut from)?;
        let block_size = form.block_size(&mut from)?;
        let method = match form.says_method {
            true => read_method(&mut from, &form.layout)?,
            false => method,
        };
        let start = from;
        let stored_size = form.size(&mut from)?;
        let size = form.size(&mut from)?;
        let table = from.window(size.div_ceil(block_size).saturating_mul(form.row()))?;
        check_table(table, form, method, block_size, [stored_size, size])
            .map_err(|kind| start.error(kind))?;
        let offset = from.offset();
        let Some(data) = usize::try_from(stored_size).ok().and_then(|len| from.rest().get(..len))
        else {
            let missing = stored_size.saturating_sub(from.remaining());
            let missing = u32::try_from(missing).unwrap_or(u32::MAX);
            return Err(from.error(ErrorKind::UnexpectedEnd { missing }));
        };
        let head = bytes.len().saturating_sub(from.rest().len()) as u64;
        let blocks = Blocks { table, data, offset, form, method };
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
    /// use gamewire::unreal::{Compressed, DECOMPRESSED_LIMIT, Method, standard_codec};
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
        let mut bytes = room(self.size, limit, self.blocks.offset)?;
        self.decompress_into(&mut bytes, codec)?;
        Ok(bytes)
    }
}

/// Room for that many bytes, if they are not too many.
#[cfg(feature = "alloc")]
fn room(size: u64, limit: usize, offset: u64) -> Result<Vec<u8>> {
    match usize::try_from(size) {
        Ok(size) if size <= limit => Ok(vec![0; size]),
        _ => Err(Error::new(ErrorKind::TooLarge { size, limit: limit as u64 }, offset)),
    }
}

fn read_method<'a>(from: &mut Input<'a>, layout: &Layout) -> Result<Method<'a>> {
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
    mut table: Input<'_>,
    form: Form,
    method: Method<'_>,
    block_size: u64,
    totals: [u64; 2],
) -> Result<(), ErrorKind> {
    let mut sums = [0u64; 2];
    while !table.is_empty() {
        let row = [form.size(&mut table), form.size(&mut table)];
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
    table: Input<'a>,
    data: &'a [u8],
    /// Of `data` in the file.
    offset: u64,
    form: Form,
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
        let stored = self.form.size(&mut self.table).ok()?;
        let size = self.form.size(&mut self.table).ok()?;
        let (bytes, rest) = self.data.split_at_checked(usize::try_from(stored).ok()?)?;
        let block = Block { method: self.method, bytes, size, offset: self.offset };
        (self.data, self.offset) = (rest, self.offset.wrapping_add(stored));
        Some(block)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let rows = self.table.remaining().checked_div(self.form.row()).unwrap_or(0);
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
