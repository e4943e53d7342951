//! Paths into documents, and names in messages about them.

use crate::ui::text::clipped;
use std::fmt::Display;

pub use gamewire::path::{Segment, parse, quote_if_needed};

/// Maximum length of a name in a message, in bytes. A hostile file can contain a very long name,
/// and refer to it many times.
const LONG: usize = 256;

/// Formats a value, truncated after [`LONG`] bytes.
pub fn short(name: impl Display) -> String {
    clipped(name, LONG)
}
