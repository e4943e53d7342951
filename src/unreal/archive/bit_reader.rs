use super::bit_archive::{BitArchive, bits_in_byte, bytes_of, low_bits};
use super::number::Number;
use crate::unreal::format::{ByteOrder, Error, ErrorKind, Result};
use core::fmt;

/// Reads values that are stored bit by bit, without padding (`FBitReader`).
///
/// The first bit is the lowest bit of the first byte. Offsets in errors are in bytes, from the
/// start of the first byte.
#[derive(Clone, Copy)]
pub struct BitReader<'a> {
    bytes: &'a [u8],
    position: u64,
    len: u64,
    order: ByteOrder,
}

impl<'a> BitReader<'a> {
    /// Creates a reader for the first `len` bits of `bytes`. Numbers are in the given byte order.
    ///
    /// # Errors
    /// If `bytes` has fewer than `len` bits.
    pub fn new(bytes: &'a [u8], len: u64, order: ByteOrder) -> Result<Self> {
        let missing = len.div_ceil(8).saturating_sub(bytes.len() as u64);
        match missing {
            0 => Ok(Self { bytes, position: 0, len, order }),
            _ => Err(unexpected_end(missing, bytes.len() as u64)),
        }
    }

    /// Returns the current position in bits (`GetPosBits`).
    pub const fn position(&self) -> u64 {
        self.position
    }

    /// Returns the number of bits that have not been read (`GetBitsLeft`).
    pub const fn remaining(&self) -> u64 {
        self.len.saturating_sub(self.position)
    }

    /// Returns `true` if all bits have been read (`AtEnd`).
    pub const fn is_at_end(&self) -> bool {
        self.remaining() == 0
    }

    /// Moves to a position, in bits.
    ///
    /// # Errors
    /// If the position is beyond the end of the bits.
    pub fn seek(&mut self, position: u64) -> Result<()> {
        if position > self.len {
            let kind = ErrorKind::BadOffset(position.wrapping_shr(3).cast_signed());
            return Err(self.error(kind));
        }
        self.position = position;
        Ok(())
    }

    fn require(&self, count: u64) -> Result<()> {
        match count.saturating_sub(self.remaining()) {
            0 => Ok(()),
            missing => Err(unexpected_end(missing.div_ceil(8), self.offset())),
        }
    }

    /// Reads `count` bits, at most 8. The caller has checked that they exist.
    fn take(&mut self, count: u32) -> u8 {
        let at = usize::try_from(self.position.wrapping_shr(3)).unwrap_or(usize::MAX);
        let shift = u32::from(self.position.to_le_bytes()[0] & 7);
        let byte = |at: usize| self.bytes.get(at).copied().unwrap_or_default();
        let both = u16::from_le_bytes([byte(at), byte(at.saturating_add(1))]);
        let [bits, _] = both.wrapping_shr(shift).to_le_bytes();
        self.position = self.position.saturating_add(count.into());
        bits & low_bits(count)
    }
}

#[cold]
fn unexpected_end(missing: u64, offset: u64) -> Error {
    let missing = u32::try_from(missing).unwrap_or(u32::MAX);
    Error::new(ErrorKind::UnexpectedEnd { missing }, offset)
}

impl BitArchive for BitReader<'_> {
    fn is_loading(&self) -> bool {
        true
    }

    fn offset(&self) -> u64 {
        self.position.wrapping_shr(3)
    }

    fn bits(&mut self, bits: &mut [u8], count: u64) -> Result<()> {
        self.require(count)?;
        let Some(bytes) = bytes_of(bits, count) else {
            return Err(self.error(ErrorKind::DoesNotFit));
        };
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = self.take(bits_in_byte(count, index));
        }
        Ok(())
    }

    fn int(&mut self, value: &mut u32, max: u32) -> Result<()> {
        let (mut read, mut mask) = (0u32, 1u32);
        while mask != 0 && read.saturating_add(mask) < max {
            self.require(1)?;
            if self.take(1) != 0 {
                read |= mask;
            }
            mask = mask.wrapping_shl(1) & !1;
        }
        *value = read;
        Ok(())
    }

    fn number<N: Number>(&mut self, value: &mut N) -> Result<()> {
        let mut bytes = [0; 8];
        self.bits(&mut bytes, (N::SIZE as u64).saturating_mul(8))?;
        *value = N::from_bytes(bytes, self.order);
        Ok(())
    }
}

impl fmt::Debug for BitReader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BitReader({}+{} bits)", self.position, self.remaining())
    }
}
