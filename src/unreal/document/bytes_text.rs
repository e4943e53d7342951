//! Byte strings as hexadecimal or base64.

use crate::unreal::format::Hex;
use crate::unreal::properties::BytesForm;
use core::fmt;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Bytes that are serialized as an object.
pub(crate) struct BytesObject<'b>(pub &'b [u8], pub BytesForm);

impl Serialize for BytesObject<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(1))?;
        match self.1 {
            BytesForm::Base64 => map.serialize_entry("base64", &Base64(self.0))?,
            _ => map.serialize_entry("hex", &Hex(self.0))?,
        }
        map.end()
    }
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes that are printed in base64.
struct Base64<'b>(&'b [u8]);

impl fmt::Display for Base64<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |word: u32, shift: u32| {
            let index = (word.wrapping_shr(shift) & 63) as usize;
            DIGITS.get(index).copied().unwrap_or_default()
        };
        let mut text = [0; 256];
        for part in self.0.chunks(192) {
            let mut len = 0;
            for (bytes, four) in part.chunks(3).zip(text.as_chunks_mut::<4>().0) {
                let byte = |index: usize| u32::from(bytes.get(index).copied().unwrap_or_default());
                let word = byte(0).wrapping_shl(16) | byte(1).wrapping_shl(8) | byte(2);
                let [third, fourth] = match bytes.len() {
                    1 => [b'='; 2],
                    2 => [digit(word, 6), b'='],
                    _ => [digit(word, 6), digit(word, 0)],
                };
                *four = [digit(word, 18), digit(word, 12), third, fourth];
                len += 4;
            }
            let text = text.get(..len).and_then(|text| core::str::from_utf8(text).ok());
            f.write_str(text.unwrap_or_default())?;
        }
        Ok(())
    }
}

impl Serialize for Base64<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// Reads the bytes that a string in base64 stands for. Returns `None` if it is not base64.
pub(crate) fn from_base64(text: &str) -> Option<alloc::vec::Vec<u8>> {
    let value = |digit: u8| match digit {
        b'A'..=b'Z' => Some(digit.wrapping_sub(b'A')),
        b'a'..=b'z' => Some(digit.wrapping_sub(b'a').wrapping_add(26)),
        b'0'..=b'9' => Some(digit.wrapping_sub(b'0').wrapping_add(52)),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let (groups, rest) = text.as_bytes().as_chunks::<4>();
    let mut bytes = alloc::vec::Vec::new();
    let last = groups.len().checked_sub(1);
    for (index, group) in groups.iter().enumerate() {
        let digits = match group {
            [_, _, b'=', b'='] if Some(index) == last => 2,
            [_, _, _, b'='] if Some(index) == last => 3,
            _ => 4,
        };
        let mut word = 0u32;
        for digit in group.iter().take(digits) {
            word = word.wrapping_shl(6) | u32::from(value(*digit)?);
        }
        word = word.wrapping_shl(match digits {
            2 => 12,
            3 => 6,
            _ => 0,
        });
        let [_, three @ ..] = word.to_be_bytes();
        bytes.extend(three.iter().take(digits.saturating_sub(1)));
    }
    rest.is_empty().then_some(bytes)
}
