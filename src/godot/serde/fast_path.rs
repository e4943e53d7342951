//! The [quick](crate::godot::read::fast_path) values at a position of a window. The position comes in a
//! register and is given back in one: what comes next waits for it.

use crate::godot::Kind;
use crate::godot::read::fast_path;
use crate::godot::table::dialect::Spec;
use crate::godot::types::text;

/// In place of the position after it: something else is there.
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
pub(super) fn truth<D: Spec>(window: &[u8], pos: usize) -> (bool, usize) {
    at(window, pos, |rest| fast_path::truth::<D>(rest))
}

/// Text of which a script sees all.
#[inline]
pub(super) fn text<D: Spec>(window: &[u8], pos: usize) -> Option<&str> {
    let (text, _) = fast_path::text::<D>(window.get(pos..)?)?;
    text::fully_visible_str(text)
}

/// The position after such text, which is at `pos`.
#[inline(always)]
pub(super) fn after(pos: usize, text: &str) -> usize {
    pos.wrapping_add(fast_path::text_size(text.len()))
}

/// The position after a key, if it is `name`.
#[inline(always)]
pub(super) fn after_key<D: Spec>(window: &[u8], pos: usize, name: &str) -> Option<usize> {
    let is_key = fast_path::is_key::<D>(window.get(pos..)?, name);
    is_key.then_some(after(pos, name))
}

/// The numbers that a value of that kind is made of, and the position after them.
#[inline(always)]
pub(super) fn numbers<D: Spec>(window: &[u8], pos: usize, kind: Kind) -> Option<(&[u8], usize)> {
    let (bytes, rest) = fast_path::numbers::<D>(window.get(pos..)?, kind)?;
    Some((bytes, window.len().wrapping_sub(rest.len())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::godot::table::dialect::Godot4;

    /// Whoever asks goes the long way where there is nothing, so that only this test can tell.
    #[test]
    fn what_is_mostly_there() {
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
