//! Comparison of names. Names ignore ASCII case, as in engines.

use core::cmp::Ordering;
use core::fmt::{self, Write};

/// Compares two names without regard to ASCII case.
pub(super) fn compare(a: &[u8], b: &[u8]) -> Ordering {
    match a.iter().zip(b).find(|(a, b)| !a.eq_ignore_ascii_case(b)) {
        Some((a, b)) => a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase()),
        None => a.len().cmp(&b.len()),
    }
}

/// Maximum length of a printed name. Engines use names of up to 1,023 characters.
const LONGEST: usize = 4096;

/// The text of a name that is not stored in one piece.
pub(super) struct Printed {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Printed {
    /// Prints a name. Returns `None` if it is too long for the name of a struct.
    pub(super) fn new(name: impl fmt::Display) -> Option<Self> {
        let mut printed = Self { bytes: [0; LONGEST], len: 0 };
        write!(printed, "{name}").ok()?;
        Some(printed)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

impl Write for Printed {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len.saturating_add(text.len());
        let room = self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?;
        room.iter_mut().zip(text.bytes()).for_each(|(to, from)| *to = from);
        self.len = end;
        Ok(())
    }
}
