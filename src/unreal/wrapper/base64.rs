//! Bytes as base64 text, for serde.

use alloc::string::String;
use alloc::vec::Vec;
use serde::de::{Error, Visitor};
use serde::{Deserializer, Serializer};

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&encode(bytes))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    from.deserialize_str(Base64)
}

struct Base64;

impl Visitor<'_> for Base64 {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("base64")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Vec<u8>, E> {
        decode(text).ok_or_else(|| E::custom("invalid base64"))
    }
}

fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3).saturating_mul(4));
    let (groups, rest) = bytes.as_chunks::<3>();
    let digit = |bits: u32| char::from(DIGITS.get(bits as usize & 63).copied().unwrap_or(b'='));
    let mut put = |[a, b, c]: [u8; 3], count: u32| {
        let bits = u32::from_be_bytes([0, a, b, c]);
        let shifts = [18, 12, 6, 0].into_iter().zip(0..);
        text.extend(shifts.map(|(by, at)| if at < count { digit(bits >> by) } else { '=' }));
    };
    groups.iter().for_each(|group| put(*group, 4));
    match *rest {
        [a] => put([a, 0, 0], 2),
        [a, b] => put([a, b, 0], 3),
        _ => {}
    }
    text
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let (groups, []) = text.as_bytes().as_chunks::<4>() else { return None };
    let mut bytes = Vec::with_capacity(groups.len().saturating_mul(3));
    for (group, left) in groups.iter().zip((0..groups.len()).rev()) {
        let digits: usize = match group {
            [_, _, b'=', b'='] if left == 0 => 2,
            [_, _, _, b'='] if left == 0 => 3,
            _ => 4,
        };
        let mut bits = 0u32;
        for (at, digit) in group.iter().enumerate() {
            bits = bits << 6 | if at < digits { value(*digit)? } else { 0 };
        }
        let [_, group @ ..] = bits.to_be_bytes();
        bytes.extend(group.iter().take(digits.saturating_sub(1)));
    }
    Some(bytes)
}

fn value(digit: u8) -> Option<u32> {
    let number = |base: u8, from: u8| Some(u32::from(digit.wrapping_sub(base).wrapping_add(from)));
    match digit {
        b'A'..=b'Z' => number(b'A', 0),
        b'a'..=b'z' => number(b'a', 26),
        b'0'..=b'9' => number(b'0', 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};
    use alloc::vec::Vec;

    #[test]
    fn texts_are_read_back() {
        for (bytes, text) in [
            (&b""[..], ""),
            (b"f", "Zg=="),
            (b"fo", "Zm8="),
            (b"foo", "Zm9v"),
            (b"foob", "Zm9vYg=="),
        ] {
            assert_eq!(encode(bytes), text);
            assert_eq!(decode(text).as_deref(), Some(bytes));
        }
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(&encode(&all)), Some(all));
        for text in ["Zg", "Zg=", "Z===", "====", "Zg==Zg==", "Zm9v!", "Zm9-"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
