//! Numbers, strings and names as files of Unreal Engine store them.

use gamewire::unreal::{Guid, PropertyValue, StrBuf};

/// The bytes of a file, and how it stores numbers.
#[derive(Clone, Copy, Debug)]
pub struct Stored<'p> {
    pub bytes: &'p [u8],
    pub is_big: bool,
}

impl Stored<'_> {
    pub fn word(&self, at: usize) -> Option<i32> {
        let word = *self.bytes.get(at..)?.first_chunk()?;
        Some(if self.is_big { i32::from_be_bytes(word) } else { i32::from_le_bytes(word) })
    }

    /// Returns the end of the string at `at`, which begins with its length.
    pub fn end_of_string(&self, at: usize) -> Option<usize> {
        let count = self.word(at)?;
        let width = if count < 0 { 2 } else { 1 };
        let len = (count.unsigned_abs() as usize).checked_mul(width)?;
        (at + 4).checked_add(len).filter(|end| *end <= self.bytes.len())
    }

    pub fn number(&self, little_endian: &[u8]) -> Vec<u8> {
        let mut bytes = little_endian.to_vec();
        if self.is_big {
            bytes.reverse();
        }
        bytes
    }

    pub fn string(&self, text: &str) -> Vec<u8> {
        let text = StrBuf::new(text);
        let view = text.as_text();
        let (units, is_wide) = (view.bytes(), view.is_wide());
        let count = match (units.len() as i32, is_wide) {
            (0, _) => return vec![0; 4],
            (len, false) => len + 1,
            (len, true) => -(len / 2 + 1),
        };
        let mut bytes = self.number(&count.to_le_bytes());
        bytes.extend(units);
        if is_wide && self.is_big {
            bytes[4..].as_chunks_mut::<2>().0.iter_mut().for_each(|unit| unit.reverse());
        }
        bytes.resize(bytes.len() + if is_wide { 2 } else { 1 }, 0);
        bytes
    }

    /// Returns the bytes of a number, bool, string or GUID that replaces the value `old`, which has
    /// `size` bytes.
    pub fn encode(
        &self,
        old: &PropertyValue<'_>,
        size: usize,
        text: &str,
    ) -> Result<Vec<u8>, String> {
        let trimmed = text.trim();
        Ok(match old {
            PropertyValue::Bool(_) => {
                let value = match trimmed {
                    "true" => 1,
                    "false" => 0,
                    _ => return Err("the value must be true or false".into()),
                };
                self.sized(value, size, false)?
            }
            PropertyValue::Int(_) => self.sized(integer(trimmed)?, size, true)?,
            PropertyValue::UInt(_) => self.sized(integer(trimmed)?, size, false)?,
            PropertyValue::Enum(of) => {
                let entry = trimmed.rsplit("::").next().unwrap_or_default();
                let named = of.of.and_then(|of| of.value_of(entry));
                let value = named.map_or_else(|| integer(trimmed), |value| Ok(value.into()))?;
                self.sized(value, size, value < 0)?
            }
            PropertyValue::Float(_) => {
                let value: f32 = trimmed.parse().map_err(|_| "the value must be a number")?;
                self.number(&value.to_le_bytes())
            }
            PropertyValue::Double(_) => {
                let value: f64 = trimmed.parse().map_err(|_| "the value must be a number")?;
                self.number(&value.to_le_bytes())
            }
            PropertyValue::Guid(_) => {
                let guid = guid(trimmed).ok_or("the value must have 32 hexadecimal digits")?;
                guid.0.iter().flat_map(|word| self.number(&word.to_le_bytes())).collect()
            }
            PropertyValue::Utf8Str(_) => {
                let mut bytes = self.number(&(text.len() as i32).to_le_bytes());
                bytes.extend(text.as_bytes());
                bytes
            }
            _ => self.string(text),
        })
    }

    /// Returns an integer in `size` bytes.
    fn sized(&self, value: i128, size: usize, is_signed: bool) -> Result<Vec<u8>, String> {
        let bits = 8 * size.min(8) as u32;
        let (min, max) = match is_signed {
            true => (-(1_i128 << (bits.max(1) - 1)), (1_i128 << (bits.max(1) - 1)) - 1),
            false => (0, (1_i128 << bits) - 1),
        };
        if !(min..=max).contains(&value) {
            return Err(format!("the number must be from {min} to {max}"));
        }
        let bytes = value.to_le_bytes();
        Ok(self.number(bytes.get(..size).unwrap_or_default()))
    }
}

fn integer(text: &str) -> Result<i128, String> {
    text.parse::<i128>().map_err(|_| "the value must be a whole number".into())
}

fn guid(text: &str) -> Option<Guid> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b'-' | b'{' | b'}')).collect();
    let digits = std::str::from_utf8(&digits).ok().filter(|digits| digits.len() == 32)?;
    let word = |at: usize| u32::from_str_radix(digits.get(8 * at..8 * at + 8)?, 16).ok();
    Some(Guid([word(0)?, word(1)?, word(2)?, word(3)?]))
}
