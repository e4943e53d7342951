//! Text from packets, of limited length.

use std::string::String;

/// Maximum length of a path or name in bytes.
pub(super) const MAX_TEXT: usize = 256;

/// Returns the beginning of a text of a packet.
pub(super) fn truncated(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text.get(..MAX_TEXT).unwrap_or(text));
    text.into_owned()
}
