//! Limits the length of text from packets.

use std::string::String;

/// Maximum length of a path or name in bytes.
pub(super) const MAX_TEXT: usize = 256;

/// Returns text from a packet, cut after [`MAX_TEXT`] bytes.
pub(super) fn truncated(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text.get(..MAX_TEXT).unwrap_or(text));
    text.into_owned()
}
