//! What types ask for most, where just that is there: its value, and what comes after it.
//! Everything else, errors too, is for the long way round.

use crate::godot::table::dialect::{Spec, Width};
use crate::godot::table::kinds::Column;
use crate::godot::table::payload::{Header, Number};
use crate::godot::{Kind, VariantRef};

/// The header with bit 16, in a dialect where that means something.
const fn wide<D: Spec>(id: u32) -> u32 {
    if D::RULES.flags { id | Header::WIDE } else { u32::MAX }
}

/// The header, and what comes after it at the least, but for null.
#[inline(always)]
fn head(rest: &[u8]) -> Option<(u32, [u8; 4], &[u8])> {
    let ([a, b, c, d, payload @ ..], after) = rest.split_first_chunk::<8>()?;
    Some((u32::from_le_bytes([*a, *b, *c, *d]), *payload, after))
}

/// The payload of 64 bits, and what comes after it. (Read in one piece: the compiler would not
/// find out that two halves are.)
#[inline(always)]
fn wide_payload(rest: &[u8]) -> Option<([u8; 8], &[u8])> {
    let ([_, _, _, _, payload @ ..], after) = rest.split_first_chunk::<12>()?;
    Some((*payload, after))
}

#[inline(always)]
pub(crate) fn int<D: Spec>(rest: &[u8]) -> Option<(i64, &[u8])> {
    match head(rest)? {
        (header, payload, after) if header == D::INT => {
            Some((i32::from_le_bytes(payload).into(), after))
        }
        (header, ..) if header == wide::<D>(D::INT) => {
            let (payload, after) = wide_payload(rest)?;
            Some((i64::from_le_bytes(payload), after))
        }
        _ => None,
    }
}

#[inline(always)]
pub(crate) fn float<D: Spec>(rest: &[u8]) -> Option<(f64, &[u8])> {
    let id = const { D::Ids::IDS.of(Kind::Float) };
    match head(rest)? {
        (header, payload, after) if header == id => {
            Some((f32::from_le_bytes(payload).into(), after))
        }
        (header, ..) if header == wide::<D>(id) => {
            let (payload, after) = wide_payload(rest)?;
            Some((f64::from_le_bytes(payload), after))
        }
        _ => None,
    }
}

#[inline(always)]
pub(crate) fn truth<D: Spec>(rest: &[u8]) -> Option<(bool, &[u8])> {
    match head(rest)? {
        (header, payload, after) if header == const { D::Ids::IDS.of(Kind::Bool) } => {
            Some((payload != [0; 4], after))
        }
        _ => None,
    }
}

/// Text, where its pad is known to be there.
#[inline(always)]
pub(crate) fn text<D: Spec>(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let (header, len, _) = head(rest)?;
    if (header != D::STRING && header != D::STRING_NAME) || !D::RULES.text_pad {
        return None;
    }
    let len = u32::from_le_bytes(len) as usize;
    // Rounded up with the head, or, on a smaller machine, to something no window has.
    let (text, after) = rest.split_at_checked(len.checked_add(11)? & !3)?;
    Some((text.get(8..)?.get(..len)?, after))
}

/// How many bytes such text takes.
#[inline(always)]
pub(crate) const fn text_size(len: usize) -> usize {
    len.wrapping_add(11) & !3
}

/// Whether a key comes that is text, and just this. What follows then does not have to wait for
/// the length on the wire.
#[inline(always)]
pub(crate) fn is_key<D: Spec>(rest: &[u8], name: &str) -> bool {
    // Type and length in one comparison.
    let expected = u64::from(D::STRING) | (name.len() as u64) << 32;
    match rest.split_first_chunk::<8>() {
        Some((head, text)) if u64::from_le_bytes(*head) == expected && D::RULES.text_pad => {
            text.get(..name.len()).is_some_and(|text| same(text, name.as_bytes()))
        }
        _ => false,
    }
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

/// The numbers that a value of that kind is made of, and what comes after them.
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

/// Whoever asks goes the long way where there is nothing, so that only these tests can tell.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::godot::table::dialect::{DocsDouble, Godot2, Godot3, Godot4};

    /// The bytes of words of 32 bits, and one more.
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

        assert_eq!(of(truth::<Godot4>(&bytes([1, 1]))), Some((true, 8)));
        assert_eq!(of(truth::<Godot4>(&bytes([1, 0]))), Some((false, 8)));
        assert_eq!(truth::<Godot4>(&bytes([2, 1])), None);
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
            let mut packet = [0; 32];
            packet[0] = 4;
            packet[4] = len as u8;
            packet[8..8 + len].copy_from_slice(&name.as_bytes()[..len]);
            assert!(is_key::<Godot4>(&packet, &name[..len]), "{len}");
            assert!(!is_key::<Godot2>(&packet, &name[..len]), "{len}");
            assert!(!is_key::<Godot4>(&packet, &name[..len + 1]), "{len}");
            assert!(!is_key::<Godot4>(&packet[..7], &name[..len]), "{len}");
            for place in (8..8 + len).chain([0, 1, 5]) {
                let mut other = packet;
                other[place] ^= 1;
                assert!(!is_key::<Godot4>(&other, &name[..len]), "{len} {place}");
            }
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
