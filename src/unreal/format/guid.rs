use super::cursor::FileCursor;
use super::error::Result;
use super::layout::Layout;
use super::value::Value;
use crate::buffer::{Full, Sink};
use core::fmt;

/// A GUID: four 32-bit words, each in the byte order of the file.
///
/// ```
/// use gamewire::unreal::Guid;
///
/// let guid = Guid([0x375EC13C, 0x06E448FB, 0xB50084F0, 0x262A717E]);
/// assert_eq!(guid.to_string(), "375EC13C06E448FBB50084F0262A717E");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Guid(pub [u32; 4]);

impl<'a> Value<'a> for Guid {
    const LEAST: u64 = 16;

    #[inline]
    fn size(_: &Layout) -> Option<u64> {
        Some(Self::LEAST)
    }

    #[inline(always)]
    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        from.row(layout).map(Self)
    }

    #[inline]
    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.0.iter().try_for_each(|word| word.write(to, layout))
    }
}

/// Returns the hexadecimal digit for a number below 16.
const fn hex_digit(number: u32) -> u8 {
    let number = number.to_le_bytes()[0];
    number.wrapping_add(if number < 10 { b'0' } else { b'A'.wrapping_sub(10) })
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Documents have many GUIDs, and `{:08X}` writes each leading zero on its own.
        let mut text = [0; 32];
        for (digits, word) in text.chunks_exact_mut(8).zip(self.0) {
            for (digit, place) in digits.iter_mut().zip((0..8u32).rev()) {
                *digit = hex_digit(word.wrapping_shr(place.wrapping_mul(4)) & 0xF);
            }
        }
        f.write_str(core::str::from_utf8(&text).unwrap_or_default())
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
