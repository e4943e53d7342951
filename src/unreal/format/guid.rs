use super::cursor::FileCursor;
use super::error::Result;
use super::layout::Layout;
use super::value::Value;
use crate::buffer::{Full, Sink, hex_digits};
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

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Documents can have many GUIDs, and `{:08X}` is slower, since it writes leading zeros one
        // by one.
        let mut bytes = [0; 16];
        bytes
            .as_chunks_mut()
            .0
            .iter_mut()
            .zip(self.0)
            .for_each(|(to, word)| *to = word.to_be_bytes());
        let mut digits = hex_digits(bytes);
        digits.make_ascii_uppercase();
        f.write_str(core::str::from_utf8(&digits).unwrap_or_default())
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
