use alloc::vec::Vec;

/// Writes numbers of up to 32 bits, the low bits first.
pub(super) struct BitWriter<'o> {
    out: &'o mut Vec<u8>,
    bits: u64,
    /// Number of bits that are not written yet, less than 32.
    len: u32,
}

impl<'o> BitWriter<'o> {
    pub(super) fn new(out: &'o mut Vec<u8>) -> Self {
        Self { out, bits: 0, len: 0 }
    }

    /// Writes the low `len` bits of a number. The other bits must be zero.
    pub(super) fn put(&mut self, number: u32, len: u32) {
        debug_assert!(len <= 32 && u64::from(number) >> len == 0);
        self.bits |= u64::from(number) << self.len;
        self.len = self.len.wrapping_add(len);
        if self.len >= 32 {
            self.out.extend_from_slice(&(self.bits as u32).to_le_bytes());
            self.bits >>= 32;
            self.len = self.len.wrapping_sub(32);
        }
    }

    /// Writes the remaining bits, followed by zeros up to the end of the byte.
    pub(super) fn finish(self) {
        let bytes = self.bits.to_le_bytes();
        let len = self.len.div_ceil(8) as usize;
        self.out.extend_from_slice(bytes.get(..len).unwrap_or_default());
    }
}
