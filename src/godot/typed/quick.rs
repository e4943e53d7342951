//! What types ask for most, where just that is there. These take the position in a register
//! and give it back in one: what comes next waits for it. Everything else, errors too, is
//! for the long way round.

use crate::base::Cursor;
use crate::godot::dialect::{Spec, Width};
use crate::godot::kinds::Column;
use crate::godot::payload::{Header, Number};
use crate::godot::text;
use crate::godot::wire::U32;
use crate::godot::{Kind, VariantRef};

/// In place of the position after it: something else is there.
pub(super) const OTHERWISE: usize = usize::MAX;

/// The header with bit 16, in a dialect where that means something.
const fn wide<D: Spec>(id: u32) -> u32 {
    if D::RULES.flags { id | Header::WIDE } else { u32::MAX }
}

/// The header and as many bytes as come after it at the least, of all but null.
#[inline(always)]
fn head(window: &[u8], pos: usize) -> Option<(u32, [u8; 4], &[u8])> {
    let rest = window.get(pos..)?;
    let ([a, b, c, d, payload @ ..], _) = rest.split_first_chunk::<8>()?;
    Some((u32::from_le_bytes([*a, *b, *c, *d]), *payload, rest))
}

/// The payload of 64 bits.
#[inline(always)]
fn wide_payload(value: &[u8]) -> Option<[u8; 8]> {
    let [_, _, _, _, payload @ ..] = value.first_chunk::<12>()?;
    Some(*payload)
}

#[inline]
pub(super) fn int<D: Spec>(window: &[u8], pos: usize) -> (i64, usize) {
    match head(window, pos) {
        Some((header, payload, _)) if header == D::INT => {
            (i32::from_le_bytes(payload).into(), pos.wrapping_add(8))
        }
        Some((header, _, value)) if header == wide::<D>(D::INT) => match wide_payload(value) {
            Some(payload) => (i64::from_le_bytes(payload), pos.wrapping_add(12)),
            None => (0, OTHERWISE),
        },
        _ => (0, OTHERWISE),
    }
}

#[inline]
pub(super) fn float<D: Spec>(window: &[u8], pos: usize) -> (f64, usize) {
    let id = const { D::Ids::IDS.of(Kind::Float) };
    match head(window, pos) {
        Some((header, payload, _)) if header == id => {
            (f32::from_le_bytes(payload).into(), pos.wrapping_add(8))
        }
        Some((header, _, value)) if header == wide::<D>(id) => match wide_payload(value) {
            Some(payload) => (f64::from_le_bytes(payload), pos.wrapping_add(12)),
            None => (0.0, OTHERWISE),
        },
        _ => (0.0, OTHERWISE),
    }
}

#[inline]
pub(super) fn truth<D: Spec>(window: &[u8], pos: usize) -> (bool, usize) {
    match head(window, pos) {
        Some((header, payload, _)) if header == const { D::Ids::IDS.of(Kind::Bool) } => {
            (payload != [0; 4], pos.wrapping_add(8))
        }
        _ => (false, OTHERWISE),
    }
}

/// The position after text of that length.
#[inline(always)]
fn after_text(pos: usize, len: usize) -> usize {
    pos.wrapping_add(len.wrapping_add(11) & !3)
}

/// Text of which a script sees all, where its pad is known to be there.
#[inline]
pub(super) fn text<D: Spec>(window: &[u8], pos: usize) -> Option<&str> {
    let (header, len, value) = head(window, pos)?;
    if (header != D::STRING && header != D::STRING_NAME) || !D::RULES.text_pad {
        return None;
    }
    let len = u32::from_le_bytes(len) as usize;
    // Rounded up with the head, or, on a smaller machine, to something no window has.
    let text = value.get(..len.checked_add(11)? & !3)?.get(8..)?.get(..len)?;
    text::whole(text)
}

/// The position after such text, which is at `pos`.
#[inline(always)]
pub(super) fn after(pos: usize, text: &str) -> usize {
    after_text(pos, text.len())
}

/// The position after a key that is text, if it is `name`. What follows then does not have
/// to wait for the length on the wire.
#[inline(always)]
pub(super) fn after_key<D: Spec>(window: &[u8], pos: usize, name: &str) -> Option<usize> {
    let (head, text) = window.get(pos..)?.split_first_chunk::<8>()?;
    // Type and length in one comparison.
    let expected = u64::from(D::STRING) | (name.len() as u64) << 32;
    if u64::from_le_bytes(*head) != expected || !D::RULES.text_pad {
        return None;
    }
    let text = text.get(..name.len())?;
    same(text, name.as_bytes()).then_some(after_text(pos, name.len()))
}

/// Whether two texts of the same length are the same: by words that overlap, since a call
/// costs more than most names do.
#[inline(always)]
fn same(a: &[u8], b: &[u8]) -> bool {
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

/// The numbers that a value of that kind is made of, and the position after them.
#[inline(always)]
pub(super) fn numbers<D: Spec>(window: &[u8], pos: usize, kind: Kind) -> Option<(&[u8], usize)> {
    let numbers = VariantRef::numbers(kind)?;
    let mut at = Cursor::new_at(window, pos);
    let header = at.read::<U32>().ok()?.get();
    let id = D::Ids::IDS.of(kind);
    let size = match (numbers.number, D::RULES.reals) {
        (Number::Real { .. }, Width::Double) if header == id => 8,
        (Number::Real { flagged: true }, Width::Flagged) if header == id | Header::WIDE => 8,
        _ if header == id => 4,
        _ => return None,
    };
    let bytes = at.slice::<u8>(numbers.each.wrapping_mul(size) as u32).ok()?;
    Some((bytes, at.pos()))
}
