//! Fast paths for the most common encodings of values. The walk, views, the index, serde and
//! [fields](crate::godot::fields) share them. Anything else, including errors, falls back to the
//! general decoder, [`Spec::head`].
//!
//! | kind | header | payload |
//! |---|---|---|
//! | Nil | id | |
//! | Bool | id | `u32`, false if 0 |
//! | Int, Float | id | `i32`, `f32` |
//! | Int, Float | id and [`Header::WIDE`] | `i64`, `f64` |
//! | String, StringName | id | `u32` length, that many bytes, padding to a multiple of 4 |
//! | Array, Dictionary | id | `u32` count, items |
//! | fixed-size kinds | id | numbers of 4 bytes |
//! | fixed-size kinds of reals | id and [`Header::WIDE`] | numbers of 8 bytes |
//!
//! Most functions take bytes that begin with a header, and return the value and the bytes after it.

use crate::buffer::Cursor;
use crate::godot::table::dialect::{Spec, Width};
use crate::godot::table::kinds::Column;
use crate::godot::table::layouts::U32;
use crate::godot::table::payload::{Header, Number};
use crate::godot::types::container::COUNT;
use crate::godot::types::text::{self, StrRef};
use crate::godot::{Dialect, Kind, VariantRef};
use core::marker::PhantomData;
use zerocopy::FromBytes;

/// Type ids of a dialect. Each is also the complete header of a value without flags.
pub(crate) struct Id<D>(PhantomData<D>);

impl<D: Spec> Id<D> {
    const NIL: u32 = D::Ids::IDS.of(Kind::Nil);
    const BOOL: u32 = D::Ids::IDS.of(Kind::Bool);
    const FLOAT: u32 = D::Ids::IDS.of(Kind::Float);
    const OBJECT: u32 = D::Ids::IDS.of(Kind::Object);
    const DICTIONARY: u32 = D::Ids::IDS.of(Kind::Dictionary);
    const ARRAY: u32 = D::Ids::IDS.of(Kind::Array);
}

/// Header of a String in every dialect.
pub(crate) const STRING: u32 = in_all_dialects(Kind::String);
/// Header of a 32-bit Int in every dialect.
pub(crate) const INT: u32 = in_all_dialects(Kind::Int);
/// Header of a 64-bit Float in every dialect that has such Floats.
pub(crate) const WIDE_FLOAT: u32 = in_all_dialects(Kind::Float) | Header::WIDE;

/// Returns the id that a kind has in all dialects.
#[allow(clippy::indexing_slicing, reason = "at compile time")]
const fn in_all_dialects(kind: Kind) -> u32 {
    let id = Dialect::Godot4.rules().ids.of(kind);
    let mut dialect = 0;
    while dialect < Dialect::ALL.len() {
        assert!(Dialect::ALL[dialect].rules().ids.of(kind) == id);
        dialect = dialect.wrapping_add(1);
    }
    id
}

/// Returns the header of a type with the width flag. In a dialect without flags, returns a number
/// that no valid header has.
const fn wide<D: Spec>(id: u32) -> u32 {
    if D::RULES.flags { id | Header::WIDE } else { u32::MAX }
}

/// The header of a value and the next word. For most values, one bounds check covers both words.
/// Only Nil and a few other kinds without a payload have no second word.
pub(crate) type Start = [U32; 2];

/// Returns the [`Start`] of a value and the bytes after it.
#[inline(always)]
pub(crate) fn start(rest: &[u8]) -> Option<(u32, u32, &[u8])> {
    let (&[header, word], after) = Start::ref_from_prefix(rest).ok()?;
    Some((header.get(), word.get(), after))
}

/// Returns a 64-bit payload. Uses one load, because the compiler does not merge two loads of 32
/// bits.
#[inline(always)]
fn wide_payload(rest: &[u8]) -> Option<([u8; 8], &[u8])> {
    let ([_, _, _, _, payload @ ..], after) = rest.split_first_chunk::<12>()?;
    Some((*payload, after))
}

/// Reads a String or a 32-bit Int of any dialect. Iterators try this function before they call
/// [`Spec::head`], because most values have one of these two types, and two comparisons cost less
/// than the call.
#[inline(always)]
pub(crate) fn string_or_int<'a>(at: &mut Cursor<'a>) -> Option<VariantRef<'a>> {
    let (&[header, word], mut after) = at.peek::<Start>()?;
    let value = match header.get() {
        // Fails if the padding is missing, which only some dialects allow.
        STRING => VariantRef::String(StrRef::new(text::padded(&mut after, word.get()).ok()?)),
        INT => VariantRef::Int((word.get() as i32).into()),
        _ => return None,
    };
    at.set_rest(after.rest());
    Some(value)
}

#[inline(always)]
pub(crate) fn int<D: Spec>(rest: &[u8]) -> Option<(i64, &[u8])> {
    match start(rest)? {
        (header, word, after) if header == D::INT => Some(((word as i32).into(), after)),
        (header, ..) if header == wide::<D>(D::INT) => {
            let (payload, after) = wide_payload(rest)?;
            Some((i64::from_le_bytes(payload), after))
        }
        _ => None,
    }
}

#[inline(always)]
pub(crate) fn float<D: Spec>(rest: &[u8]) -> Option<(f64, &[u8])> {
    match start(rest)? {
        (header, word, after) if header == Id::<D>::FLOAT => {
            Some((f32::from_bits(word).into(), after))
        }
        (header, ..) if header == wide::<D>(Id::<D>::FLOAT) => {
            let (payload, after) = wide_payload(rest)?;
            Some((f64::from_le_bytes(payload), after))
        }
        _ => None,
    }
}

#[inline(always)]
pub(crate) fn bool<D: Spec>(rest: &[u8]) -> Option<(bool, &[u8])> {
    match start(rest)? {
        (header, word, after) if header == Id::<D>::BOOL => Some((word != 0, after)),
        _ => None,
    }
}

/// A value that may be null.
pub(crate) enum Null<'a> {
    /// Nil, with the bytes after it.
    Nil(&'a [u8]),
    /// Perhaps null: an object, a Nil with meaningless header bits, or too few bytes for a header.
    /// Only the general decoder can tell.
    Unclear,
    /// Never null: a value of any other kind.
    Never,
}

#[inline(always)]
pub(crate) fn null<D: Spec>(rest: &[u8]) -> Null<'_> {
    let Some((header, after)) = rest.split_first_chunk::<4>() else { return Null::Unclear };
    let header = Header(u32::from_le_bytes(*header));
    if header.0 == Id::<D>::NIL {
        return Null::Nil(after);
    }
    let id = header.id(D::RULES);
    if id == Id::<D>::OBJECT || id == Id::<D>::NIL { Null::Unclear } else { Null::Never }
}

/// Reads the count of an Array that has no element type. Its items follow.
#[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "only serde reads arrays this way"))]
#[inline(always)]
pub(crate) fn array<D: Spec>(rest: &[u8]) -> Option<(u32, &[u8])> {
    count(rest, Id::<D>::ARRAY)
}

/// Reads the number of pairs of a Dictionary that has no types. Its keys and values follow.
#[inline(always)]
pub(crate) fn dictionary<D: Spec>(rest: &[u8]) -> Option<(u32, &[u8])> {
    count(rest, Id::<D>::DICTIONARY)
}

#[inline(always)]
fn count(rest: &[u8], id: u32) -> Option<(u32, &[u8])> {
    let (header, word, after) = start(rest)?;
    (header == id).then_some((word & COUNT, after))
}

/// Reads a String or StringName in a dialect in which padding is never missing.
#[inline(always)]
pub(crate) fn text<D: Spec>(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let (header, len, _) = start(rest)?;
    if (header != D::STRING && header != D::STRING_NAME) || !D::RULES.text_pad {
        return None;
    }
    let len = len as usize;
    // Computes the same size as `text_size`, but checks the sum, which can overflow on a 32-bit
    // machine.
    let (text, after) = rest.split_at_checked(len.checked_add(11)? & !3)?;
    Some((text.get(8..)?.get(..len)?, after))
}

/// Returns the size of a String: header, length, text and padding. Rounds up the sum: rounding up
/// only the length of the text would require one more addition before the position of the next
/// value is known.
#[inline(always)]
pub(crate) const fn text_size(len: usize) -> usize {
    len.wrapping_add(11) & !3
}

/// Returns the bytes after the key, if `rest` begins with the key `name` and at least `min` bytes
/// follow. The position after the key is computed from `name` and not from the length in the
/// packet, so the processor need not wait for that length to be loaded. With a larger `min`, the
/// compiler removes the bounds check of the next value.
#[inline(always)]
pub(crate) fn after_key<'a, D: Spec>(rest: &'a [u8], name: &str, min: usize) -> Option<&'a [u8]> {
    let size = text_size(name.len());
    if rest.len() < size.wrapping_add(min) {
        return None;
    }
    // Compares the type and the length in one step.
    let expected = u64::from(D::STRING) | (name.len() as u64) << 32;
    match rest.split_first_chunk::<8>() {
        Some((start, text))
            if u64::from_le_bytes(*start) == expected
                && D::RULES.text_pad
                && text.get(..name.len()).is_some_and(|text| equal(text, name.as_bytes())) =>
        {
            rest.get(size..)
        }
        _ => None,
    }
}

/// Compares two strings of the same length in overlapping words. For most names, a call to `memcmp`
/// costs more than this comparison.
#[inline(always)]
fn equal(a: &[u8], b: &[u8]) -> bool {
    #[inline(always)]
    fn ends<const N: usize>(a: &[u8], b: &[u8]) -> Option<bool> {
        let first = a.first_chunk::<N>()? == b.first_chunk::<N>()?;
        Some(first && a.last_chunk::<N>()? == b.last_chunk::<N>()?)
    }
    match a.len() {
        0..2 => a.first() == b.first(),
        2..4 => ends::<2>(a, b).unwrap_or_default(),
        4..8 => ends::<4>(a, b).unwrap_or_default(),
        8..=16 => ends::<8>(a, b).unwrap_or_default(),
        _ => a == b,
    }
}

/// Reads a fixed-size value of `kind`, and returns the bytes of its numbers.
#[inline(always)]
pub(crate) fn numbers<D: Spec>(rest: &[u8], kind: Kind) -> Option<(&[u8], &[u8])> {
    let numbers = VariantRef::numbers(kind)?;
    let (header, rest) = rest.split_first_chunk::<4>()?;
    let header = u32::from_le_bytes(*header);
    let id = D::Ids::IDS.of(kind);
    let size = match (numbers.number, D::RULES.reals) {
        (Number::Real { .. }, Width::Double) if header == id => 8,
        (Number::Real { flagged: true }, Width::Flagged) if header == id | Header::WIDE => 8,
        _ if header == id => 4,
        _ => return None,
    };
    rest.split_at_checked(numbers.each.wrapping_mul(size))
}

/// If a fast path does not apply, its callers use the general decoder and get the same result. Only
/// these tests therefore notice a fast path that never applies.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::godot::table::dialect::{DocsDouble, Godot2, Godot3, Godot4};

    /// Returns the words as bytes, followed by other bytes.
    fn bytes<const N: usize>(words: [u32; N]) -> [u8; 64] {
        let mut bytes = [7; 64];
        for (to, word) in bytes.chunks_exact_mut(4).zip(words) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    fn of<T>(read: Option<(T, &[u8])>) -> Option<(T, usize)> {
        read.map(|(value, after)| (value, 64 - after.len()))
    }

    #[test]
    fn single_numbers() {
        let [narrow, wide] = [bytes([2, 5]), bytes([0x1_0002, 5, 1])];
        assert_eq!(of(int::<Godot4>(&narrow)), Some((5, 8)));
        assert_eq!(of(int::<Godot4>(&wide)), Some(((1 << 32) + 5, 12)));
        assert_eq!(int::<Godot4>(&wide[..11]), None);
        assert_eq!(int::<Godot2>(&wide), None);
        assert_eq!(int::<Godot4>(&bytes([3, 5])), None);
        assert_eq!(int::<Godot4>(&bytes([0x1_0003, 5])), None);

        let bits = 1.5_f64.to_bits();
        let [narrow, wide] =
            [bytes([3, 1.5_f32.to_bits(), 0]), bytes([0x1_0003, bits as u32, (bits >> 32) as u32])];
        assert_eq!(of(float::<Godot4>(&narrow)), Some((1.5, 8)));
        assert_eq!(of(float::<Godot4>(&wide)), Some((1.5, 12)));
        assert_eq!(float::<Godot2>(&wide), None);
        assert_eq!(float::<Godot4>(&bytes([2, 5])), None);

        assert_eq!(of(super::bool::<Godot4>(&bytes([1, 1]))), Some((true, 8)));
        assert_eq!(of(super::bool::<Godot4>(&bytes([1, 0]))), Some((false, 8)));
        assert_eq!(super::bool::<Godot4>(&bytes([2, 1])), None);
    }

    #[test]
    fn texts() {
        for (len, size) in [(0, 8), (1, 12), (3, 12), (4, 12), (5, 16)] {
            for header in [4, 21] {
                let packet = bytes([header, len, u32::from_le_bytes(*b"abcd"), 0x65]);
                let text = &b"abcde"[..len as usize];
                assert_eq!(of(super::text::<Godot4>(&packet)), Some((text, size)));
                assert_eq!(super::text::<Godot2>(&packet), None);
                assert_eq!(super::text::<Godot4>(&packet[..size - 1]), None);
            }
            assert_eq!(text_size(len as usize), size);
        }
        assert_eq!(super::text::<Godot4>(&bytes([5, 1])), None);
    }

    #[test]
    fn keys() {
        let name = "abcdefghijklmnopqrst";
        for len in 0..name.len() {
            let mut packet = [0; 36];
            packet[0] = 4;
            packet[4] = len as u8;
            packet[8..8 + len].copy_from_slice(&name.as_bytes()[..len]);
            let size = text_size(len);
            let after =
                |packet: &[u8], name: &str| after_key::<Godot4>(packet, name, 4).map(<[u8]>::len);
            assert_eq!(after(&packet, &name[..len]), Some(36 - size), "{len}");
            assert_eq!(after(&packet, &name[..len + 1]), None, "{len}");
            assert_eq!(after(&packet[..size + 4], &name[..len]), Some(4), "{len}");
            assert_eq!(after(&packet[..size + 3], &name[..len]), None, "{len}");
            assert!(after_key::<Godot2>(&packet, &name[..len], 4).is_none(), "{len}");
            for place in (8..8 + len).chain([0, 1, 5]) {
                let mut other = packet;
                other[place] ^= 1;
                assert_eq!(after(&other, &name[..len]), None, "{len} {place}");
            }
        }
    }

    #[test]
    fn strings_and_ints_of_any_dialect() {
        let read = |bytes: &[u8]| {
            let mut at = Cursor::new(bytes);
            string_or_int(&mut at).map(|value| (value.kind(), at.pos()))
        };
        assert_eq!(read(b"\x02\0\0\0\x05\0\0\0"), Some((Kind::Int, 8)));
        assert_eq!(read(b"\x04\0\0\0\x01\0\0\0a\0\0\0"), Some((Kind::String, 12)));
        assert_eq!(read(b"\x04\0\0\0\x01\0\0\0a\0\0"), None);
        assert_eq!(read(b"\x01\0\0\0\x01\0\0\0"), None);
    }

    #[test]
    fn counts() {
        let [plain, shared, typed] =
            [bytes([0x1c, 3]), bytes([0x1c, 0x8000_0003]), bytes([0x1_001c, 3])];
        assert_eq!(of(array::<Godot4>(&plain)), Some((3, 8)));
        assert_eq!(of(array::<Godot4>(&shared)), Some((3, 8)));
        assert_eq!(array::<Godot4>(&typed), None);
        assert_eq!(dictionary::<Godot4>(&plain), None);
        assert_eq!(of(dictionary::<Godot4>(&bytes([0x1b, 2]))), Some((2, 8)));
    }

    #[test]
    fn nulls() {
        let null = |packet: &[u8]| match super::null::<Godot4>(packet) {
            Null::Nil(after) => Some(after.len()),
            Null::Unclear => None,
            Null::Never => Some(usize::MAX),
        };
        assert_eq!(null(&bytes([0])), Some(60));
        assert_eq!(null(&bytes([1])), Some(usize::MAX));
        for unclear in [&[0; 3][..], &bytes([0x1_0000]), &bytes([24])] {
            assert_eq!(null(unclear), None);
        }
    }

    #[test]
    fn rows_of_numbers() {
        let size = |read: Option<(&[u8], &[u8])>| read.map(|(numbers, _)| numbers.len());
        let [narrow, wide] = [bytes([5]), bytes([0x1_0005])];
        assert_eq!(size(numbers::<Godot4>(&narrow, Kind::Vector2)), Some(8));
        assert_eq!(size(numbers::<Godot4>(&wide, Kind::Vector2)), Some(16));
        assert_eq!(size(numbers::<Godot3>(&narrow, Kind::Vector2)), Some(8));
        assert_eq!(size(numbers::<Godot3>(&wide, Kind::Vector2)), None);
        assert_eq!(size(numbers::<Godot4>(&narrow, Kind::Vector2i)), None);
        let id = <DocsDouble as Spec>::Ids::IDS.of(Kind::Vector2);
        assert_eq!(size(numbers::<DocsDouble>(&bytes([id]), Kind::Vector2)), Some(16));
        let [narrow, wide] = [bytes([6]), bytes([0x1_0006])];
        assert_eq!(size(numbers::<Godot4>(&narrow, Kind::Vector2i)), Some(8));
        assert_eq!(size(numbers::<Godot4>(&wide, Kind::Vector2i)), None);
        assert_eq!(numbers::<Godot4>(&narrow[..11], Kind::Vector2i), None);
    }
}
