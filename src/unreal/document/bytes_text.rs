//! Byte strings as hexadecimal or base64.

use crate::unreal::format::Hex;
use crate::unreal::properties::BytesForm;
use alloc::string::String;
use alloc::vec::Vec;
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

/// Number of characters that are passed to a formatter at once.
const PART: usize = 1024;

impl fmt::Display for Base64<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |word: u32, shift: u32| {
            let index = (word.wrapping_shr(shift) & 63) as usize;
            char::from(DIGITS.get(index).copied().unwrap_or_default())
        };
        let (groups, rest) = self.0.as_chunks::<3>();
        let mut text = String::with_capacity(PART);
        for [a, b, c] in groups {
            let word = u32::from_be_bytes([0, *a, *b, *c]);
            text.extend([18, 12, 6, 0].map(|shift| digit(word, shift)));
            if text.len() >= PART {
                f.write_str(&text)?;
                text.clear();
            }
        }
        match *rest {
            [a, b] => {
                let word = u32::from_be_bytes([0, a, b, 0]);
                text.extend([digit(word, 18), digit(word, 12), digit(word, 6), '=']);
            }
            [a] => {
                let word = u32::from_be_bytes([0, a, 0, 0]);
                text.extend([digit(word, 18), digit(word, 12), '=', '=']);
            }
            _ => {}
        }
        f.write_str(&text)
    }
}

impl Serialize for Base64<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// Reads the bytes that a string in base64 stands for. Returns `None` if it is not base64.
pub(crate) fn from_base64(text: &str) -> Option<Vec<u8>> {
    let value = |digit: u8| match digit {
        b'A'..=b'Z' => Some(digit.wrapping_sub(b'A')),
        b'a'..=b'z' => Some(digit.wrapping_sub(b'a').wrapping_add(26)),
        b'0'..=b'9' => Some(digit.wrapping_sub(b'0').wrapping_add(52)),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let (groups, rest) = text.as_bytes().as_chunks::<4>();
    let mut bytes = Vec::new();
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
