//! Properties without tags (`PKG_UnversionedProperties`). A header lists the properties that are
//! present. Only a schema of the class gives their names and types.

use crate::unreal::format::{FileCursor, Layout, Result};

/// Properties without tags: the decoded header, and the bytes of the values.
///
/// ```text
/// u16 fragments     bits 0-6: slots to skip, 7: has zeros, 8: is last, 9-15: slots with values
/// zero mask         a bit for each value of fragments with zeros; a u8, a u16, or one or more u32
/// values            in the order of the slots; a value whose bit is set is zero and has no bytes
/// ```
///
/// Slots are numbered: first the properties of the class of the object, then those of its super
/// class, and so on. Each element of a fixed-size array is a slot.
#[derive(Clone, Copy, Debug)]
pub struct Unversioned<'p> {
    fragments: FileCursor<'p>,
    count: u32,
    mask: FileCursor<'p>,
    layout: Layout,
    values: FileCursor<'p>,
}

/// A run of slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// Number of slots without a value before the run.
    pub skip: u8,
    /// Number of slots with a value.
    pub values: u8,
    /// `true` if the zero mask has bits for the values of the run.
    pub has_zeros: bool,
}

/// A slot with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Number of the slot.
    pub index: u32,
    /// `true` if the value is zero and has no bytes.
    pub is_zero: bool,
}

impl Fragment {
    const LAST: u16 = 0x100;

    // Both numbers have seven bits.
    const fn of(bits: u16) -> Self {
        Self { skip: (bits & 0x7F) as u8, values: (bits >> 9) as u8, has_zeros: bits & 0x80 != 0 }
    }
}

impl<'p> Unversioned<'p> {
    /// Reads the header at `from`. The values follow it.
    pub(crate) fn read(mut from: FileCursor<'p>, layout: &Layout) -> Result<Self> {
        let start = from;
        let (mut count, mut zeros) = (0u32, 0u32);
        loop {
            let bits: u16 = from.read(layout)?;
            count = count.wrapping_add(1);
            let fragment = Fragment::of(bits);
            if fragment.has_zeros {
                zeros = zeros.saturating_add(fragment.values.into());
            }
            if bits & Fragment::LAST != 0 {
                break;
            }
        }
        let fragments = start.until(&from);
        let start = from;
        let size = match zeros {
            0 => 0,
            1..=8 => 1,
            9..=16 => 2,
            more => u64::from(more.div_ceil(32)).wrapping_mul(4),
        };
        from.bytes(size)?;
        Ok(Self { fragments, count, mask: start.until(&from), layout: *layout, values: from })
    }

    /// Returns the fragments of the header.
    pub fn fragments(&self) -> impl Iterator<Item = Fragment> + use<'p> {
        let (mut from, layout, mut left) = (self.fragments, self.layout, self.count);
        core::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            from.read(&layout).ok().map(Fragment::of)
        })
    }

    /// Returns a cursor that is limited to the header, the offset of the zero mask in the header,
    /// and the values. `start` is the position of the header.
    pub(super) fn parts(&self, start: &FileCursor<'p>) -> (FileCursor<'p>, u32, FileCursor<'p>) {
        let header = start.until(&self.values);
        let mask = header.remaining().saturating_sub(self.mask.remaining());
        (header, u32::try_from(mask).unwrap_or(u32::MAX), self.values)
    }

    /// Returns the slots with a value, in order.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + use<'p> {
        let (mut index, mut bit, this) = (0u32, 0u32, *self);
        self.fragments().flat_map(move |fragment| {
            index = index.saturating_add(fragment.skip.into());
            let (first, zero) = (index, bit);
            index = index.saturating_add(fragment.values.into());
            if fragment.has_zeros {
                bit = bit.saturating_add(fragment.values.into());
            }
            (0..u32::from(fragment.values)).map(move |at| Slot {
                index: first.saturating_add(at),
                is_zero: fragment.has_zeros && this.zero(zero.saturating_add(at)),
            })
        })
    }

    /// Returns a bit of the zero mask.
    fn zero(&self, bit: u32) -> bool {
        zero(self.mask, bit, &self.layout)
    }

    /// Returns the bytes of the values and all bytes after them. Only a schema determines the end
    /// of the values.
    pub fn bytes(&self) -> &'p [u8] {
        self.values.rest()
    }

    /// Returns the offset of the values in the file.
    pub fn offset(&self) -> u64 {
        self.values.offset()
    }
}

/// Returns a bit of the zero mask that consists of all bytes of `mask`.
#[inline]
pub(super) fn zero(mut mask: FileCursor<'_>, bit: u32, layout: &Layout) -> bool {
    let wide = u64::from(bit.wrapping_shr(5)).wrapping_mul(4);
    let word = match mask.remaining() {
        1 => mask.read::<u8>(layout).map(u32::from),
        2 => mask.read::<u16>(layout).map(u32::from),
        _ => mask.bytes(wide).and_then(|_| mask.read(layout)),
    };
    word.is_ok_and(|word| word.wrapping_shr(bit) & 1 == 1)
}
