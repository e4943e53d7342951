use super::number::Number;
use crate::unreal::format::{Error, ErrorKind, Result};

/// The operations that archives of bytes and archives of bits share.
///
/// [`ArchiveReader`](super::ArchiveReader) and [`ArchiveWriter`](super::ArchiveWriter) store whole
/// bytes, as the archives of the engine do for files. [`BitReader`](super::BitReader) and
/// [`BitWriter`](super::BitWriter) store single bits without padding, as `FBitReader` and
/// `FBitWriter` do for network packets. After an error, the position of an archive is unspecified.
///
/// ```
/// use gamewire::unreal::archive::{BitArchive, BitReader, BitWriter};
/// use gamewire::unreal::{ByteOrder, Result};
///
/// #[derive(Debug, Default, PartialEq)]
/// struct Shot {
///     is_hit: bool,
///     weapon: u32,
///     target: u32,
/// }
///
/// impl Shot {
///     fn serialize(&mut self, ar: &mut impl BitArchive) -> Result<()> {
///         ar.bit(&mut self.is_hit)?;
///         ar.int(&mut self.weapon, 6)?; // 0 to 5
///         ar.int_packed(&mut self.target)
///     }
/// }
///
/// let mut bytes = Vec::new();
/// let mut writer = BitWriter::new(&mut bytes, ByteOrder::Little);
/// let mut shot = Shot { is_hit: true, weapon: 5, target: 200 };
/// shot.serialize(&mut writer)?;
/// assert_eq!(writer.finish()?, 1 + 3 + 16); // in bits
///
/// let mut read = Shot::default();
/// let mut reader = BitReader::new(&bytes, 20, ByteOrder::Little)?;
/// read.serialize(&mut reader)?;
/// assert_eq!(read, shot);
/// assert!(reader.is_at_end());
/// # Ok::<(), gamewire::unreal::Error>(())
/// ```
pub trait BitArchive {
    /// Returns `true` if values are read (`IsLoading`), and `false` if they are written
    /// (`IsSaving`).
    fn is_loading(&self) -> bool;

    /// Returns the current offset in bytes (`Tell`). A reader of a file counts from the start of
    /// the file, and a writer from the start of its sink. An archive of bits returns the offset of
    /// the byte that contains the next bit; a [`BitReader`](super::BitReader) counts from the start
    /// of its bytes.
    fn offset(&self) -> u64;

    /// Reads or writes the first `count` bits of `bits`, beginning with the lowest bit of the first
    /// byte (`SerializeBits`). If these bits end within a byte, reading sets the other bits of that
    /// byte to 0. An archive of bytes stores ⌈`count` / 8⌉ bytes.
    ///
    /// # Errors
    /// If `bits` has fewer than `count` bits, if the archive ends too early, or if the sink is
    /// full.
    fn bits(&mut self, bits: &mut [u8], count: u64) -> Result<()>;

    /// Reads or writes an integer below `max` (`SerializeInt`).
    ///
    /// An archive of bits stores the integer from its lowest bit on, and stops at the first bit
    /// that cannot be set because the integer would reach `max`. An archive of bytes stores 32 bits
    /// and does not use `max`, as in the engine. The integer that it reads or writes is therefore
    /// not always below `max`.
    ///
    /// # Errors
    /// If the integer to write to an archive of bits is not below `max` (0 is always accepted), if
    /// the archive ends too early, or if the sink is full.
    fn int(&mut self, value: &mut u32, max: u32) -> Result<()>;

    /// Reads or writes a number in the byte order of the archive.
    ///
    /// # Errors
    /// If the bytes end too early, or if the sink is full.
    fn number<N: Number>(&mut self, value: &mut N) -> Result<()>;

    /// Reads or writes a single bit (`SerializeBits` with a length of 1).
    ///
    /// # Errors
    /// See [`bits`](Self::bits).
    fn bit(&mut self, value: &mut bool) -> Result<()> {
        let mut byte = [u8::from(*value)];
        self.bits(&mut byte, 1)?;
        *value = byte != [0];
        Ok(())
    }

    /// Reads or writes an integer in one to five bytes (`SerializeIntPacked`). The upper seven bits
    /// of each byte are seven bits of the integer, and the first byte has the lowest ones. The
    /// lowest bit of each byte is 1 if another byte follows.
    ///
    /// A reader accepts more bytes than the integer needs, as the engine does. A writer always
    /// writes as few bytes as possible.
    ///
    /// # Errors
    /// If there are more than five bytes, if the integer has more than 32 bits, if the archive ends
    /// too early, or if the sink is full.
    fn int_packed(&mut self, value: &mut u32) -> Result<()> {
        let mut wide = u64::from(*value);
        packed(self, &mut wide, u32::BITS)?;
        *value = u32::try_from(wide).unwrap_or(u32::MAX);
        Ok(())
    }

    /// Reads or writes an integer in one to ten bytes (`SerializeIntPacked64`); see
    /// [`int_packed`](Self::int_packed).
    ///
    /// # Errors
    /// If there are more than ten bytes, if the integer has more than 64 bits, if the archive ends
    /// too early, or if the sink is full.
    fn int_packed_64(&mut self, value: &mut u64) -> Result<()> {
        packed(self, value, u64::BITS)
    }

    /// Creates an error at the current offset.
    fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.offset())
    }
}

fn packed<A: BitArchive + ?Sized>(ar: &mut A, value: &mut u64, width: u32) -> Result<()> {
    match ar.is_loading() {
        true => {
            *value = read_packed(ar, width)?;
            Ok(())
        }
        false => write_packed(ar, *value),
    }
}

fn read_packed<A: BitArchive + ?Sized>(ar: &mut A, width: u32) -> Result<u64> {
    let start = ar.offset();
    let max = u64::MAX.wrapping_shr(u64::BITS.saturating_sub(width));
    let (mut value, mut shift) = (0, 0u32);
    loop {
        let mut byte = 0u8;
        ar.number(&mut byte)?;
        let part = u64::from(byte >> 1);
        if shift >= width || part > max.wrapping_shr(shift) {
            return Err(Error::new(ErrorKind::BadPackedInt { width }, start));
        }
        value |= part.wrapping_shl(shift);
        if byte & 1 == 0 {
            return Ok(value);
        }
        shift = shift.saturating_add(7);
    }
}

fn write_packed<A: BitArchive + ?Sized>(ar: &mut A, mut rest: u64) -> Result<()> {
    loop {
        let [part, ..] = (rest & 0x7F).wrapping_shl(1).to_le_bytes();
        rest >>= 7;
        ar.number(&mut (part | u8::from(rest != 0)))?;
        if rest == 0 {
            return Ok(());
        }
    }
}

/// Returns a byte whose lowest `count` bits are set. `count` is at most 8.
pub(super) const fn low_bits(count: u32) -> u8 {
    match count {
        0 => 0,
        _ => u8::MAX.wrapping_shr(8u32.wrapping_sub(count)),
    }
}

/// Returns how many of `count` stored bits are in the byte at `index`.
pub(super) fn bits_in_byte(count: u64, index: usize) -> u32 {
    let before = (index as u64).saturating_mul(8);
    u32::try_from(count.saturating_sub(before).min(8)).unwrap_or(8)
}

/// Returns the first bytes of a buffer, as many as `count` bits need. Returns `None` if the buffer
/// is too short.
pub(super) fn bytes_of(bits: &mut [u8], count: u64) -> Option<&mut [u8]> {
    bits.get_mut(..usize::try_from(count.div_ceil(8)).ok()?)
}
