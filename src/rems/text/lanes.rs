//! SIMD comparisons of 16, 32 and 64 bytes.

use wide::{CmpEq, u8x16, u8x32};

/// Number of bytes in [`Lanes`].
pub(super) const LANES: usize = 16;

/// Sixteen bytes, or a mask in which each byte is 0xFF if a comparison was true for it, and 0
/// otherwise.
#[derive(Clone, Copy)]
pub(super) struct Lanes(u8x16);

impl Lanes {
    /// Loads the bytes from index `at` on. Returns `None` if fewer bytes remain.
    #[inline(always)]
    pub(super) fn at(bytes: &[u8], at: usize) -> Option<Self> {
        let bytes: &[u8; LANES] = bytes.get(at..)?.first_chunk()?;
        Some(Self(u8x16::new(*bytes)))
    }

    /// Returns the mask of the bytes that equal `byte`.
    #[inline(always)]
    pub(super) fn eq(self, byte: u8) -> Self {
        Self(self.0.simd_eq(u8x16::splat(byte)))
    }

    /// Returns the mask of the bytes that are at most `byte`.
    #[inline(always)]
    pub(super) fn at_most(self, byte: u8) -> Self {
        Self(self.0.min(u8x16::splat(byte)).simd_eq(self.0))
    }

    /// Returns the bytes with these bits set in each of them.
    #[inline(always)]
    pub(super) fn set_bits(self, bits: u8) -> Self {
        Self(self.0 | u8x16::splat(bits))
    }

    /// Returns the union of two masks.
    #[inline(always)]
    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Packs a mask into one bit for each byte. The lowest bit is that of the first byte.
    #[inline(always)]
    pub(super) fn bits(self) -> u32 {
        self.0.to_bitmask()
    }

    /// Returns the bitmask of the bytes that are not digits, in the lower 32 bits. The upper 32
    /// bits are set.
    #[inline(always)]
    #[allow(clippy::arithmetic_side_effects, reason = "lane arithmetic wraps")]
    pub(super) fn non_digits(bytes: &[u8; 32]) -> u64 {
        let digits = u8x32::new(*bytes) - u8x32::splat(b'0');
        !u64::from(digits.min(u8x32::splat(9)).simd_eq(digits).to_bitmask())
    }
}

/// Sixty-four bytes, one for each bit of a bitmask. They are stored in two halves, because the
/// versions of `wide` that have a type for 64 bytes take three times as long to compile.
#[derive(Clone, Copy)]
pub(super) struct Block([u8x32; 2]);

impl Block {
    /// Number of bytes.
    pub(super) const LEN: usize = 64;

    /// Loads the bytes from index `at` on. Returns `None` if fewer bytes remain.
    #[inline(always)]
    pub(super) fn at(bytes: &[u8], at: usize) -> Option<Self> {
        let bytes: &[u8; Self::LEN] = bytes.get(at..)?.first_chunk()?;
        let (low, high) = bytes.split_first_chunk()?;
        Some(Self([u8x32::new(*low), u8x32::new(*high.first_chunk()?)]))
    }

    /// Returns the bitmask of the bytes that equal `byte`.
    #[inline(always)]
    pub(super) fn eq(self, byte: u8) -> u64 {
        let byte = u8x32::splat(byte);
        bitmask(self.0.map(|half| half.simd_eq(byte)))
    }

    /// Returns the bitmask of the bytes that equal one of two bytes.
    #[inline(always)]
    pub(super) fn eq_either(self, one: u8, other: u8) -> u64 {
        let (one, other) = (u8x32::splat(one), u8x32::splat(other));
        bitmask(self.0.map(|half| half.simd_eq(one) | half.simd_eq(other)))
    }

    /// Returns `true` if any byte equals `byte`.
    #[inline(always)]
    pub(super) fn has(self, byte: u8) -> bool {
        let [low, high] = self.0;
        let byte = u8x32::splat(byte);
        (low.simd_eq(byte) | high.simd_eq(byte)).any()
    }

    /// Returns the bytes with these bits set in each of them.
    #[inline(always)]
    pub(super) fn set_bits(self, bits: u8) -> Self {
        Self(self.0.map(|half| half | u8x32::splat(bits)))
    }
}

/// Packs the masks of both halves into one bit for each byte. The lowest bit is that of the first
/// byte.
#[inline(always)]
fn bitmask([low, high]: [u8x32; 2]) -> u64 {
    u64::from(low.to_bitmask()) | u64::from(high.to_bitmask()) << 32
}
