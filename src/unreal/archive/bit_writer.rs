use super::bit_archive::{BitArchive, bits_in_byte, bytes_of, low_bits};
use super::number::Number;
use crate::buffer::{Full, Sink};
use crate::unreal::format::{ByteOrder, Error, ErrorKind, Result};
use core::fmt;

/// Writes values bit by bit, without padding (`FBitWriter`).
///
/// The first bit becomes the lowest bit of the first byte. Call [`finish`](Self::finish) at the
/// end, which writes the last byte if it is incomplete.
pub struct BitWriter<'s, S> {
    sink: &'s mut S,
    /// The bits that do not fill a byte yet.
    pending: u8,
    pending_len: u32,
    len: u64,
    order: ByteOrder,
}

impl<'s, S: Sink> BitWriter<'s, S> {
    /// Creates a writer that appends to `sink`. Numbers are written in the given byte order.
    pub fn new(sink: &'s mut S, order: ByteOrder) -> Self {
        Self { sink, pending: 0, pending_len: 0, len: 0, order }
    }

    /// Returns the number of bits written so far.
    pub const fn position(&self) -> u64 {
        self.len
    }

    /// Pads an incomplete last byte with zeros and writes it. Returns the number of bits without
    /// this padding.
    ///
    /// # Errors
    /// If the sink is full.
    pub fn finish(self) -> Result<u64> {
        if self.pending_len > 0 {
            let written = self.sink.append(self.pending);
            written.map_err(|full| sink_full(full, self.sink.position() as u64))?;
        }
        Ok(self.len)
    }

    /// Writes the lowest `count` bits of `bits`. `count` is at most 8.
    fn put(&mut self, bits: u8, count: u32) -> Result<()> {
        let bits = u16::from(bits & low_bits(count)).wrapping_shl(self.pending_len);
        let [full, rest] = (u16::from(self.pending) | bits).to_le_bytes();
        let pending_len = self.pending_len.saturating_add(count);
        if pending_len < 8 {
            (self.pending, self.pending_len) = (full, pending_len);
        } else {
            self.sink.append(full).map_err(|full| sink_full(full, self.offset()))?;
            (self.pending, self.pending_len) = (rest, pending_len.saturating_sub(8));
        }
        self.len = self.len.saturating_add(count.into());
        Ok(())
    }
}

/// Converts the error of a full sink.
#[cold]
pub(super) fn sink_full(Full { missing }: Full, offset: u64) -> Error {
    Error::new(ErrorKind::SinkFull { missing }, offset)
}

impl<S: Sink> BitArchive for BitWriter<'_, S> {
    fn is_loading(&self) -> bool {
        false
    }

    fn offset(&self) -> u64 {
        self.sink.position() as u64
    }

    fn bits(&mut self, bits: &mut [u8], count: u64) -> Result<()> {
        let Some(bytes) = bytes_of(bits, count) else {
            return Err(self.error(ErrorKind::DoesNotFit));
        };
        for (index, byte) in bytes.iter().enumerate() {
            self.put(*byte, bits_in_byte(count, index))?;
        }
        Ok(())
    }

    fn int(&mut self, value: &mut u32, max: u32) -> Result<()> {
        if *value >= max.max(1) {
            return Err(self.error(ErrorKind::DoesNotFit));
        }
        let (mut written, mut mask) = (0u32, 1u32);
        while mask != 0 && written.saturating_add(mask) < max {
            self.put(u8::from(*value & mask != 0), 1)?;
            written |= *value & mask;
            mask = mask.wrapping_shl(1) & !1;
        }
        Ok(())
    }

    fn number<N: Number>(&mut self, value: &mut N) -> Result<()> {
        let mut bytes = value.to_bytes(self.order);
        self.bits(&mut bytes, (N::SIZE as u64).saturating_mul(8))
    }
}

impl<S: Sink> fmt::Debug for BitWriter<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BitWriter({} bits)", self.len)
    }
}
