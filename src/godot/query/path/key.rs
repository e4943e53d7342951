//! Dictionary keys in Godot's text notation. To compare a key with text, the key is printed in
//! pieces, and each piece is compared immediately. The text is not parsed, and at most 80 bytes are
//! stored.

use super::segment::is_printable;
use crate::godot::types::text::StrRef;
use crate::godot::{Dialect, ObjectRef, VariantRef, notation};
use core::fmt::{self, Write};

/// Maximum length in bytes of a key or name in a path. For a longer one, the path contains the
/// number of its pair.
const LONGEST: usize = 80;

/// Returns `true` if `text` is the printed form of the key in Godot's text notation.
pub(super) fn prints_as(key: &VariantRef<'_>, dialect: Dialect, text: &str) -> bool {
    let mut expected = Expected(text);
    print(key, dialect, &mut expected).is_ok() && expected.0.is_empty()
}

/// A writer that fails at the first difference from the expected text.
struct Expected<'t>(&'t str);

impl Write for Expected<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(text).ok_or(fmt::Error)?;
        Ok(())
    }
}

/// Returns `true` if a path can contain the key because it is short and printable.
pub(super) fn is_printable_key(key: &VariantRef<'_>, dialect: Dialect) -> bool {
    match (key.as_str(), key.as_i64()) {
        (Some(text), _) => is_short(text),
        (None, Some(_)) => true,
        (None, None) => print(key, dialect, &mut LengthLimit(LONGEST)).is_ok(),
    }
}

/// Returns `true` if a name is short enough for a path. A search compares the name with every later
/// key of the container, and this limit bounds the time of each comparison. Bytes after a NUL are
/// included in the length, although scripts do not see them.
pub(super) fn is_short(text: StrRef<'_>) -> bool {
    text.as_bytes().len() <= LONGEST
}

/// A writer that stores nothing. It fails if it receives more bytes than its field still allows, or
/// a character that is not printable.
struct LengthLimit(usize);

impl Write for LengthLimit {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.checked_sub(text.len()).ok_or(fmt::Error)?;
        if text.chars().all(is_printable) { Ok(()) } else { Err(fmt::Error) }
    }
}

/// Returns `true` if the same segment describes both keys.
pub(super) fn same(a: &VariantRef<'_>, b: &VariantRef<'_>, dialect: Dialect) -> bool {
    match (a.as_str(), b.as_str(), a.as_i64(), b.as_i64()) {
        (Some(a), Some(b), ..) => a == b,
        (_, _, Some(a), Some(b)) => a == b,
        (None, None, None, None) => {
            let mut text = TextBuffer { bytes: [0; LONGEST], len: 0 };
            print(a, dialect, &mut text).is_ok() && prints_as(b, dialect, text.as_str())
        }
        _ => false,
    }
}

/// A buffer for text of at most [`LONGEST`] bytes.
struct TextBuffer {
    bytes: [u8; LONGEST],
    len: usize,
}

impl TextBuffer {
    fn as_str(&self) -> &str {
        let text = self.bytes.get(..self.len).unwrap_or_default();
        core::str::from_utf8(text).unwrap_or_default()
    }
}

impl Write for TextBuffer {
    #[allow(clippy::disallowed_methods, reason = "the slice is as long as the text")]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len.saturating_add(text.len());
        let free = self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?;
        free.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

/// Prints a leaf in Godot's text notation. Containers are errors: a path cannot contain them.
pub(super) fn print(key: &VariantRef<'_>, dialect: Dialect, out: &mut impl Write) -> fmt::Result {
    match key {
        VariantRef::Array(_) | VariantRef::Dictionary(_) => Err(fmt::Error),
        VariantRef::Object(ObjectRef::Full(_)) => Err(fmt::Error),
        leaf => notation::leaf(out, leaf, dialect),
    }
}
