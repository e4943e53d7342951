//! The wire types of numbers.

use crate::godot::VariantRef;
use crate::godot::table::layouts::narrow;

/// The wire type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Byte,
    Int32,
    Int64,
    Float32,
    Float64,
}

/// The encoded bytes of a number, and how many of them are used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes([u8; 8], usize);

impl core::ops::Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0.get(..self.1).unwrap_or_default()
    }
}

impl<const N: usize> From<[u8; N]> for Bytes {
    fn from(bytes: [u8; N]) -> Self {
        let mut all = [0; 8];
        all.iter_mut().zip(bytes).for_each(|(target, byte)| *target = byte);
        Self(all, N)
    }
}

impl Number {
    /// Returns the wire type of numbers that have the type of `value` and are `width` bytes long.
    pub(super) fn of(value: &VariantRef<'_>, width: usize) -> Option<Self> {
        match (value, width) {
            (VariantRef::Int(_), 1) => Some(Self::Byte),
            (VariantRef::Int(_), 4) => Some(Self::Int32),
            (VariantRef::Int(_), 8) => Some(Self::Int64),
            (VariantRef::Float(_), 4) => Some(Self::Float32),
            (VariantRef::Float(_), 8) => Some(Self::Float64),
            _ => None,
        }
    }

    /// Encodes a value in this type. Returns `None` if it does not fit, or if `exact` is set and
    /// rounding would change it.
    pub(super) fn bytes_of(self, value: &VariantRef<'_>, exact: bool) -> Option<Bytes> {
        match (self, value) {
            (Self::Byte, VariantRef::Int(int)) => {
                Some(u8::try_from(*int).ok()?.to_le_bytes().into())
            }
            (Self::Int32, VariantRef::Int(int)) => {
                Some(i32::try_from(*int).ok()?.to_le_bytes().into())
            }
            (Self::Int64, VariantRef::Int(int)) => Some(int.to_le_bytes().into()),
            (Self::Float32 | Self::Float64, VariantRef::Int(int)) => {
                self.bytes_of(&VariantRef::Float(whole_float(*int)?), exact)
            }
            (Self::Float32, VariantRef::Float(float)) => {
                let narrow = narrow(*float);
                let is_same = float.is_nan() || f64::from(narrow).to_bits() == float.to_bits();
                (is_same || !exact).then(|| narrow.to_le_bytes().into())
            }
            (Self::Float64, VariantRef::Float(float)) => Some(float.to_le_bytes().into()),
            _ => None,
        }
    }
}

/// Returns the float that is equal to `int`, if there is one.
fn whole_float(int: i64) -> Option<f64> {
    let float = int as f64;
    // i64::MAX rounds to 2^63, and the cast back saturates to i64::MAX.
    (float as i64 == int && int != i64::MAX).then_some(float)
}
