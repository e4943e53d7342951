//! Calls the shared [fast paths](crate::godot::read::fast_path) with a position in the window
//! instead of a slice. A position is passed and returned in one register. This is important for
//! speed, because the start of each value depends on the end of the previous one.

use crate::godot::Kind;
use crate::godot::read::fast_path;
use crate::godot::table::dialect::Spec;
use crate::godot::types::text;

/// The position that a fast path returns if it does not apply.
pub(super) const OTHERWISE: usize = usize::MAX;

#[inline(always)]
fn at<'a, T: Default>(
    window: &'a [u8],
    pos: usize,
    read: impl FnOnce(&'a [u8]) -> Option<(T, &'a [u8])>,
) -> (T, usize) {
    match window.get(pos..).and_then(read) {
        Some((value, rest)) => (value, window.len().wrapping_sub(rest.len())),
        None => (T::default(), OTHERWISE),
    }
}

#[inline]
pub(super) fn int<D: Spec>(window: &[u8], pos: usize) -> (i64, usize) {
    at(window, pos, |rest| fast_path::int::<D>(rest))
}

#[inline]
pub(super) fn float<D: Spec>(window: &[u8], pos: usize) -> (f64, usize) {
    at(window, pos, |rest| fast_path::float::<D>(rest))
}

#[inline]
pub(super) fn bool<D: Spec>(window: &[u8], pos: usize) -> (bool, usize) {
    at(window, pos, |rest| fast_path::bool::<D>(rest))
}

/// Reads UTF-8 text without a byte order mark or NUL. A script sees all of this text.
#[inline]
pub(super) fn text<D: Spec>(window: &[u8], pos: usize) -> Option<&str> {
    let (text, _) = fast_path::text::<D>(window.get(pos..)?)?;
    text::fully_visible_str(text)
}

/// Returns the end of the String `text` that starts at `pos`.
#[inline(always)]
pub(super) fn after(pos: usize, text: &str) -> usize {
    pos.wrapping_add(fast_path::text_size(text.len()))
}

/// Returns the end of the key that starts at `pos`, if the key is `name`.
#[inline(always)]
pub(super) fn after_key<D: Spec>(window: &[u8], pos: usize, name: &str) -> Option<usize> {
    let rest = fast_path::after_key::<D>(window.get(pos..)?, name, 0)?;
    Some(window.len().wrapping_sub(rest.len()))
}

/// Returns the bytes of the numbers of a fixed-size value of `kind`, and the position after them.
#[inline(always)]
pub(super) fn numbers<D: Spec>(window: &[u8], pos: usize, kind: Kind) -> Option<(&[u8], usize)> {
    let (bytes, rest) = fast_path::numbers::<D>(window.get(pos..)?, kind)?;
    Some((bytes, window.len().wrapping_sub(rest.len())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::godot::table::dialect::Godot4;

    /// If a fast path does not apply, its callers use the general decoder and get the same result.
    /// Only this test therefore notices a fast path that never applies.
    #[test]
    fn positions_after_values() {
        let window =
            b"\x02\0\0\0\x05\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x06\0\0\0\x01\0\0\0\x02\0\0\0";
        assert_eq!(int::<Godot4>(window, 0), (5, 8));
        assert_eq!(int::<Godot4>(window, 8), (0, OTHERWISE));
        assert_eq!(text::<Godot4>(window, 8), Some("hp"));
        assert_eq!(after(8, "hp"), 20);
        assert_eq!(text::<Godot4>(window, 0), None);
        assert_eq!(after_key::<Godot4>(window, 8, "hp"), Some(20));
        assert_eq!(after_key::<Godot4>(window, 8, "mp"), None);
        assert_eq!(after_key::<Godot4>(window, 40, "hp"), None);
        let parts = (&window[24..32], 32);
        assert_eq!(numbers::<Godot4>(window, 20, Kind::Vector2i), Some(parts));
        assert_eq!(numbers::<Godot4>(window, 20, Kind::Vector2), None);
    }
}
