//! Compares names without regard to ASCII case, as the engine does, and prints them.

use core::cmp::Ordering;
use core::fmt::{self, Write};

/// Compares two names without regard to ASCII case.
pub(super) fn compare(a: &[u8], b: &[u8]) -> Ordering {
    match a.iter().zip(b).find(|(a, b)| !a.eq_ignore_ascii_case(b)) {
        Some((a, b)) => a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase()),
        None => a.len().cmp(&b.len()),
    }
}

/// Maximum length of a printed name in bytes. Engines use names of up to 1,023 characters.
const LONGEST: usize = 4096;

/// The printed text of a name, such as one that is stored as a text and a number.
pub(super) struct Printed {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Printed {
    /// Prints a name. Returns `None` if the text does not fit in [`LONGEST`] bytes.
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
