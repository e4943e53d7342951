//! Paths of files in a pak, and their hashes.

use crate::unreal::format::{StrRef, display_eq, display_eq_ignore_case};
use core::fmt;

/// The maximum length of a path below version 10, and of a folder or a file name from version 10
/// on, in 8-bit or 16-bit units. Engines use at most 4,096 characters.
pub(in crate::unreal) const LONGEST: usize = 4096;

/// The path of a file in a pak, relative to the [mount point](super::Index::mount_point).
///
/// `Display` prints the path. It prints a hash as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EntryPath<'a> {
    /// A path.
    Name {
        /// The folder, which ends with `/`. It is `/` for the mount point itself, and empty below
        /// version 10.
        folder: StrRef<'a>,
        /// The name of the file. Below version 10, it is the whole path.
        name: StrRef<'a>,
    },
    /// The hash of a path, in a pak without paths.
    Hash(u64),
}

impl EntryPath<'_> {
    /// Returns `true` if `Display` prints this text.
    pub fn is(&self, text: &str) -> bool {
        display_eq(self, text)
    }

    /// Returns `true` if `Display` prints this text, ignoring ASCII case. Engines ignore the case
    /// of paths.
    pub fn is_ignoring_case(&self, text: &str) -> bool {
        display_eq_ignore_case(self, text)
    }

    /// Returns the hash of a path, as the index stores it from version 10 on.
    #[cfg(all(feature = "unreal-pak", feature = "std"))]
    pub(super) fn hash(&self, seed: u64, is_correct: bool) -> u64 {
        let mut hash = PathHash::new(seed, is_correct);
        let Self::Name { folder, name } = self else { return 0 };
        folder_units(*folder).chain(name.units()).for_each(|unit| hash.push(unit));
        hash.state
    }
}

/// Returns the hash of a path that is relative to the mount point.
pub(super) fn hash_of(path: &str, seed: u64, is_correct: bool) -> u64 {
    let mut hash = PathHash::new(seed, is_correct);
    path.encode_utf16().for_each(|unit| hash.push(unit));
    hash.state
}

/// Returns the part of a path after the mount point, or `None` if the path does not begin with the
/// mount point. The path can omit the leading `../../../`.
pub(in crate::unreal) fn relative<'p>(path: &'p str, mount_point: StrRef<'_>) -> Option<&'p str> {
    let mount_point = mount_point.as_str()?;
    let strip = |path: &'p str, mount_point: &str| {
        let (start, rest) = path.split_at_checked(mount_point.len())?;
        start.eq_ignore_ascii_case(mount_point).then_some(rest)
    };
    let mut short = mount_point;
    while let Some(rest) = short.strip_prefix("../") {
        short = rest;
    }
    strip(path, mount_point).or_else(|| strip(path, short).filter(|_| !short.is_empty()))
}

/// Returns the units of a folder without the `/` at its start.
fn folder_units(folder: StrRef<'_>) -> impl Iterator<Item = u16> {
    let starts_at_root = folder.units().next() == Some(u16::from(b'/'));
    folder.units().skip(usize::from(starts_at_root))
}

/// FNV-1a of the path in lower case, as UTF-16.
struct PathHash {
    state: u64,
    prime: u64,
}

impl PathHash {
    const OFFSET: u64 = 0xCBF2_9CE4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01B3;

    /// Begins a hash. If `is_correct` is `false`, the offset and the prime are swapped.
    const fn new(seed: u64, is_correct: bool) -> Self {
        let (offset, prime) = match is_correct {
            true => (Self::OFFSET, Self::PRIME),
            false => (Self::PRIME, Self::OFFSET),
        };
        Self { state: offset.wrapping_add(seed), prime }
    }

    fn push(&mut self, unit: u16) {
        for byte in lower_case(unit).to_le_bytes() {
            self.state = (self.state ^ u64::from(byte)).wrapping_mul(self.prime);
        }
    }
}

/// Returns the lower case of a Latin (ISO 8859-1), Greek or Cyrillic letter. Other units are
/// returned as they are. `char::to_lowercase` knows more letters, but the compiler cannot tell that
/// it never panics.
const fn lower_case(unit: u16) -> u16 {
    match unit {
        0x41..=0x5A | 0xC0..=0xD6 | 0xD8..=0xDE => unit.wrapping_add(0x20),
        0x391..=0x3A1 | 0x3A3..=0x3AB | 0x410..=0x42F => unit.wrapping_add(0x20),
        0x400..=0x40F => unit.wrapping_add(0x50),
        _ => unit,
    }
}

impl fmt::Display for EntryPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name { folder, name } => {
                let chars = char::decode_utf16(folder_units(*folder));
                for char in chars {
                    fmt::Write::write_char(f, char.unwrap_or('\u{FFFD}'))?;
                }
                write!(f, "{name}")
            }
            Self::Hash(hash) => write_hex(&hash.to_be_bytes(), f),
        }
    }
}

/// Prints bytes as lowercase hexadecimal digits.
pub(in crate::unreal) fn write_hex(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 0xF]).try_for_each(|digit| {
        let letter = if digit < 10 { b'0' } else { b'a'.wrapping_sub(10) };
        fmt::Write::write_char(f, letter.wrapping_add(digit).into())
    })
}
