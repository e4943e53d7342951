//! Reads keys and strings in their most common form: without whitespace and escapes.

use super::close::find_quote_or_backslash;
use super::lanes::{LANES, Lanes};
use super::scan::Scan;
use crate::rems::StrRef;

/// The key of a property: its type and its name.
pub(crate) struct Key<'a> {
    pub(crate) ty: StrRef<'a>,
    pub(crate) name: StrRef<'a>,
    /// Offset of the opening quote.
    pub(crate) offset: u64,
}

impl<'a> Scan<'a> {
    /// Reads a comma, a key and a colon. Returns `None`, and does not move, if they do not have the
    /// most common form. A key whose type and name may be swapped does not have it.
    #[inline(always)]
    pub(crate) fn next_key(&mut self) -> Option<Key<'a>> {
        let [b',', b'"', rest @ ..] = self.rest() else { return None };
        let first = Lanes::at(rest, 0)?;
        let colon = first.eq(b':').bits().trailing_zeros() as usize;
        let end = match end_of_string(first) {
            Some(end) => end,
            None => end_of_string(Lanes::at(rest, LANES)?)?.wrapping_add(LANES),
        };
        let (key, [b'"', b':', b'!'..=b'\xFF', ..]) = rest.split_at_checked(end)? else {
            return None;
        };
        let (ty, name) = key.split_at_checked(colon)?;
        let name = name.get(1..)?;
        if let [b'v', b'2'..=b'4', b'i'] = name {
            return None;
        }
        let offset = self.offset().wrapping_add(1);
        // The comma, the quotes and the colon.
        self.advance(key.len().wrapping_add(4));
        Some(Key { ty: StrRef::new(ty), name: StrRef::new(name), offset })
    }

    /// Reads a string without escapes. Returns `None`, and does not move, if there is none.
    #[inline(always)]
    pub(crate) fn plain_string(&mut self) -> Option<StrRef<'a>> {
        let [b'"', rest @ ..] = self.rest() else { return None };
        let len = find_quote_or_backslash(rest)?;
        let (text, [b'"', ..]) = rest.split_at_checked(len)? else { return None };
        self.advance(len.wrapping_add(2));
        Some(StrRef::new(text))
    }
}

/// Returns the index of the first quote or backslash.
#[inline(always)]
fn end_of_string(lanes: Lanes) -> Option<usize> {
    let found = lanes.eq(b'"').or(lanes.eq(b'\\')).bits();
    (found != 0).then(|| found.trailing_zeros() as usize)
}
