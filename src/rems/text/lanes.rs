//! Many bytes looked at at once: which of them are something.

use wide::{u8x16, u8x32, u8x64};

/// How many bytes are looked at.
pub(super) const LANES: usize = 16;

/// Bytes; or, of those that are something, all bits.
#[derive(Clone, Copy)]
pub(super) struct Lanes(u8x16);

impl Lanes {
    /// The next bytes, if there are as many.
    #[inline(always)]
    pub(super) fn at(bytes: &[u8], at: usize) -> Option<Self> {
        let bytes: &[u8; LANES] = bytes.get(at..)?.first_chunk()?;
        Some(Self(u8x16::new(*bytes)))
    }

    /// Which are that byte.
    #[inline(always)]
    pub(super) fn eq(self, byte: u8) -> Self {
        Self(self.0.simd_eq(u8x16::splat(byte)))
    }

    /// Which are that byte or less.
    #[inline(always)]
    pub(super) fn at_most(self, byte: u8) -> Self {
        Self(self.0.min(u8x16::splat(byte)).simd_eq(self.0))
    }

    /// With these bits set in each.
    #[inline(always)]
    pub(super) fn set_bits(self, bits: u8) -> Self {
        Self(self.0 | u8x16::splat(bits))
    }

    /// Which are one or the other.
    #[inline(always)]
    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// A bit for each byte, the first one the lowest.
    #[inline(always)]
    pub(super) fn bits(self) -> u32 {
        self.0.to_bitmask()
    }

    /// Which of 32 bytes are no digits; behind them none is.
    #[inline(always)]
    #[allow(clippy::arithmetic_side_effects, reason = "of each byte alone, and it wraps")]
    pub(super) fn non_digits(bytes: &[u8; 32]) -> u64 {
        let digits = u8x32::new(*bytes) - u8x32::splat(b'0');
        !u64::from(digits.min(u8x32::splat(9)).simd_eq(digits).to_bitmask())
    }
}

/// As many bytes as there are bits in a word.
#[derive(Clone, Copy)]
pub(super) struct Block(u8x64);

impl Block {
    /// How many bytes are looked at.
    pub(super) const LEN: usize = 64;

    /// The next bytes, if there are as many.
    #[inline(always)]
    pub(super) fn at(bytes: &[u8], at: usize) -> Option<Self> {
        let bytes: &[u8; Self::LEN] = bytes.get(at..)?.first_chunk()?;
        Some(Self(u8x64::new(*bytes)))
    }

    /// Which are that byte.
    #[inline(always)]
    pub(super) fn eq(self, byte: u8) -> u64 {
        self.0.simd_eq(u8x64::splat(byte)).to_bitmask()
    }

    /// Which are one or the other.
    #[inline(always)]
    pub(super) fn eq_either(self, one: u8, other: u8) -> u64 {
        let (one, other) = (u8x64::splat(one), u8x64::splat(other));
        (self.0.simd_eq(one) | self.0.simd_eq(other)).to_bitmask()
    }

    /// Whether any is that byte.
    #[inline(always)]
    pub(super) fn has(self, byte: u8) -> bool {
        self.0.simd_eq(u8x64::splat(byte)).any()
    }

    /// With these bits set in each.
    #[inline(always)]
    pub(super) fn set_bits(self, bits: u8) -> Self {
        Self(self.0 | u8x64::splat(bits))
    }
}
