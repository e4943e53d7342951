//! Writes containers of compressed blocks.

use super::container::{ContainerFormat, ContainerVersion, Numbers};
use super::encoder::Encoder;
use super::method::Method;
use crate::unreal::format::{ByteOrder, Error, ErrorKind, Layout, Result, Value};
use crate::unreal::tables::PACKAGE_TAG;
use alloc::vec::Vec;

/// The upper half of the tag of version 2.
const SECOND: u64 = 0x2222_2222 << 32;

impl ContainerFormat<'_> {
    /// Compresses `plain` block by block, and appends a container of the blocks to `to`. A
    /// [named](Method::Named) method is [resolved](Method::resolved) before the encoder is called.
    ///
    /// ```
    /// # #[cfg(feature = "unreal-compression")] {
    /// use gamewire::unreal::ByteOrder;
    /// use gamewire::unreal::compression::{
    ///     Compressed, ContainerFormat, ContainerVersion, Method, standard_codec, standard_encoder,
    /// };
    ///
    /// let format = ContainerFormat {
    ///     version: ContainerVersion::Two,
    ///     order: ByteOrder::Little,
    ///     method: Method::Lz4,
    ///     block_size: 131_072,
    /// };
    /// let mut bytes = Vec::new();
    /// format.write(&[7; 1000], standard_encoder, &mut bytes)?;
    /// let container = Compressed::open(&bytes, Method::Stored)?;
    /// assert_eq!(container.format(), format);
    /// assert_eq!(container.decompress(1000, standard_codec)?, [7; 1000]);
    /// # }
    /// # Ok::<(), gamewire::unreal::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the size of the blocks is 0, if the encoder fails, if the version is 2 and the method is
    /// [`Method::Lzo`], which has no number in this version, or if a size does not fit in the
    /// numbers of the version. After an error, `to` contains a part of the container. The offset of
    /// the error is a position in `to`.
    #[allow(clippy::disallowed_methods, reason = "the size of a block is not 0")]
    pub fn write(&self, plain: &[u8], mut encoder: impl Encoder, to: &mut Vec<u8>) -> Result<()> {
        let block_size = usize::try_from(self.block_size).unwrap_or(usize::MAX);
        if block_size == 0 {
            return Err(Error::new(ErrorKind::BadSize(0), to.len() as u64));
        }
        let mut table = Table::begin(self, plain.len().div_ceil(block_size), to)?;
        table.size = plain.len() as u64;
        let method = self.method.resolved();
        for block in plain.chunks(block_size) {
            let start = to.len();
            encoder(method, block, to)
                .map_err(|cause| Error::new(ErrorKind::Codec(cause), start as u64))?;
            table.block(to.len().saturating_sub(start), block.len(), to)?;
        }
        table.finish(to)
    }
}

/// The sizes of a container, which are written after its blocks have been compressed.
struct Table {
    numbers: Numbers,
    /// Offset of the total sizes in the output.
    totals: usize,
    /// Offset of the next row in the output.
    row: usize,
    stored_size: u64,
    size: u64,
}

impl Table {
    /// Writes the header of a container, and zeros in place of its sizes.
    fn begin(format: &ContainerFormat<'_>, blocks: usize, to: &mut Vec<u8>) -> Result<Self> {
        let numbers = Numbers::of(format.version, format.order);
        let tag = u64::from(PACKAGE_TAG);
        let tag = if format.version == ContainerVersion::Two { tag | SECOND } else { tag };
        append(numbers, tag, to)?;
        append(numbers, format.block_size, to)?;
        if format.version == ContainerVersion::Two {
            write_method(format.method, to)?;
        }
        let totals = to.len();
        let row = usize::try_from(numbers.row()).unwrap_or(usize::MAX);
        let rows = row.saturating_mul(blocks.saturating_add(1));
        to.resize(totals.saturating_add(rows), 0);
        let row = totals.saturating_add(row);
        Ok(Self { numbers, totals, row, stored_size: 0, size: 0 })
    }

    /// Writes the row of a block.
    fn block(&mut self, stored: usize, size: usize, to: &mut [u8]) -> Result<()> {
        self.stored_size = self.stored_size.saturating_add(stored as u64);
        self.row = overwrite(self.numbers, self.row, [stored as u64, size as u64], to)?;
        Ok(())
    }

    /// Writes the total sizes.
    fn finish(self, to: &mut [u8]) -> Result<()> {
        overwrite(self.numbers, self.totals, [self.stored_size, self.size], to).map(drop)
    }
}

/// Writes the number of a method in version 2, or 0 and the name of the method.
fn write_method(method: Method<'_>, to: &mut Vec<u8>) -> Result<()> {
    let error = |kind| Error::new(kind, to.len() as u64);
    match (method.number(), method) {
        (Some(number), _) => to.push(number),
        (None, Method::Named(name)) => {
            to.push(0);
            let full = ErrorKind::SinkFull { missing: 0 };
            let start = to.len() as u64;
            name.write(to, &Layout::default()).map_err(|_| Error::new(full, start))?;
        }
        (None, _) => return Err(error(ErrorKind::DoesNotFit)),
    }
    Ok(())
}

fn append(numbers: Numbers, number: u64, to: &mut Vec<u8>) -> Result<()> {
    let (bytes, len) = encode(numbers, number, to.len())?;
    to.extend(bytes.iter().take(len));
    Ok(())
}

/// Overwrites the two numbers of a row at the offset `at`, and returns the offset after them.
fn overwrite(numbers: Numbers, at: usize, row: [u64; 2], to: &mut [u8]) -> Result<usize> {
    row.into_iter().try_fold(at, |at, number| {
        let (bytes, len) = encode(numbers, number, at)?;
        let place = to.get_mut(at..).unwrap_or_default();
        place.iter_mut().zip(bytes.iter().take(len)).for_each(|(to, from)| *to = *from);
        Ok(at.saturating_add(len))
    })
}

/// Returns the bytes of a number, and how many of them are stored.
fn encode(numbers: Numbers, number: u64, at: usize) -> Result<([u8; 8], usize)> {
    let error = || Error::new(ErrorKind::FieldTooSmall(number.cast_signed()), at as u64);
    let wide = numbers.row() == 16;
    // The tag of engine 3 is the only number that uses all 32 bits.
    let is_tag = number == u64::from(PACKAGE_TAG);
    let most = if wide { i64::MAX as u64 } else { i32::MAX as u64 };
    if number > most && !is_tag {
        return Err(error());
    }
    let word = u32::try_from(number).unwrap_or_default();
    let narrow = |word: [u8; 4]| {
        let [a, b, c, d] = word;
        ([a, b, c, d, 0, 0, 0, 0], 4)
    };
    Ok(match (numbers.order(), wide) {
        (ByteOrder::Little, true) => (number.to_le_bytes(), 8),
        (ByteOrder::Big, true) => (number.to_be_bytes(), 8),
        (ByteOrder::Little, false) => narrow(word.to_le_bytes()),
        (ByteOrder::Big, false) => narrow(word.to_be_bytes()),
    })
}
