//! Lookup of paths in values that have not been checked.

use super::Found;
use super::resolve::index;
use super::segment::SegmentQuery;
use crate::godot::lazy::{Entered, LazyArray, LazyDictionary, LazyObject, LazyRef, Place};
use crate::godot::{Reader, Result, VariantRef};

impl<'a> Reader<'a, '_> {
    /// Returns the value at a [path](crate::godot::path) in the next value. The reader keeps its
    /// position. This method checks the values before the answer and the answer itself, and then
    /// stops. A lookup near the start of a large packet therefore takes only tens of nanoseconds.
    ///
    /// Returns `None` if there is no value at the path, or if `path` is malformed.
    /// [`VariantRef::find`] states the reason, after [`read`](Self::read).
    ///
    /// If a dictionary contains a key more than once, this method finds the first pair, because it
    /// does not look further. [`VariantRef::find`] finds the last, which an engine keeps. A packet
    /// that an engine wrote contains no key twice.
    ///
    /// ```
    /// use gamewire::godot::{Dialect, Reader};
    ///
    /// // {"a": [5, 6], …}: the last byte of the second pair is missing.
    /// let packet = b"\x1b\0\0\0\x02\0\0\0\x04\0\0\0\x01\0\0\0a\0\0\0\
    ///     \x1c\0\0\0\x02\0\0\0\x02\0\0\0\x05\0\0\0\x02\0\0\0\x06\0\0\0\
    ///     \x04\0\0\0\x01\0\0\0b\0\0\0\x02\0\0\0\x03\0\0";
    /// let reader = Reader::new(packet, Dialect::Godot4);
    /// assert_eq!(reader.find("a/1")?.unwrap().as_i64(), Some(6));
    /// assert_eq!(reader.find("b").unwrap_err().offset(), 60);
    /// # Ok::<(), gamewire::godot::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns the error of [`read`](Self::read) if it is in the answer or before it. The level of
    /// strictness is always [`Structure`](crate::godot::Level::Structure).
    pub fn find(&self, path: &str) -> Result<Option<VariantRef<'a>>> {
        let (mut place, mut left) = (Place::of(self), Some(path).filter(|path| !path.is_empty()));
        // Nearly all segments are names of keys. They need neither a view nor the parser of
        // segments.
        while let Some((name, after)) = left.and_then(plain_name) {
            match place.enter(name)? {
                Entered::Value => left = after,
                Entered::NoSuchKey => return Ok(None),
                Entered::NotPlain => break,
            }
        }
        match left {
            None => place.read().map(Some),
            Some(_) => follow(place.open()?, left)?.map(|found| found.read()).transpose(),
        }
    }
}

/// Splits the first segment from a path, if it is a name without quotes and does not look like an
/// int. Returns the name and the rest of the path after the separator.
#[inline]
fn plain_name(path: &str) -> Option<(&str, Option<&str>)> {
    if matches!(path.as_bytes().first(), None | Some(b'"' | b'[' | b'/' | b'-' | b'0'..=b'9')) {
        return None;
    }
    // Names are short, so a loop over their bytes costs less than a call to `memchr`.
    match path.bytes().position(|byte| byte == b'/') {
        Some(end) => Some((path.get(..end)?, path.get(end.saturating_add(1)..))),
        None => Some((path, None)),
    }
}

impl<'a> LazyRef<'a> {
    /// Returns the value at a [path](crate::godot::path) in this value. Checks the values before
    /// it. If it is a container, its items are not checked. Otherwise, this method does the same as
    /// [`Reader::find`].
    ///
    /// # Errors
    /// Returns the error of the first malformed value up to the answer.
    pub fn find(&self, path: &str) -> Result<Option<Self>> {
        follow(*self, Some(path).filter(|path| !path.is_empty()))
    }
}

/// Returns the value at the path `left` in the value `at`.
#[inline(never)]
fn follow<'a>(mut at: LazyRef<'a>, mut left: Option<&str>) -> Result<Option<LazyRef<'a>>> {
    while let Some(path) = left {
        if let LazyRef::Leaf(leaf) = at {
            return Ok(leaf_part(leaf, path).map(LazyRef::Leaf));
        }
        let Ok((query, after)) = SegmentQuery::split(path) else { return Ok(None) };
        let Some(found) = item(at, query)? else { return Ok(None) };
        (at, left) = (found, after);
    }
    Ok(Some(at))
}

/// Returns the component of a vector or the element of a packed array at `path`.
fn leaf_part<'a>(leaf: VariantRef<'a>, path: &str) -> Option<VariantRef<'a>> {
    super::find(Found::part(leaf, &[]), path).ok().map(|found| found.value)
}

fn item<'a>(container: LazyRef<'a>, query: SegmentQuery<'_>) -> Result<Option<LazyRef<'a>>> {
    match container {
        LazyRef::Leaf(_) => Ok(None),
        LazyRef::Array(array) => element(array, query),
        LazyRef::Dictionary(dictionary) => pair(dictionary, query),
        LazyRef::Object(object) => property(object, query),
    }
}

fn element<'a>(array: LazyArray<'a>, query: SegmentQuery<'_>) -> Result<Option<LazyRef<'a>>> {
    match query.int().and_then(|int| index(int, array.len())) {
        Some(index) => array.get(index),
        None => Ok(None),
    }
}

fn pair<'a>(
    dictionary: LazyDictionary<'a>,
    query: SegmentQuery<'_>,
) -> Result<Option<LazyRef<'a>>> {
    let flat = |pair: usize, item: usize| {
        let number = pair.checked_mul(2).and_then(|number| number.checked_add(item));
        number.map_or(Ok(None), |number| dictionary.flat_at(number))
    };
    match (query, query.int()) {
        (SegmentQuery::Pair(number), _) => flat(number, 1),
        (SegmentQuery::KeyOf(number), _) => flat(number, 0),
        (SegmentQuery::Plain(text), None) => dictionary.get(text),
        (_, int) => by_any_key(dictionary, query, int),
    }
}

/// Returns the first value whose key the segment selects. An int key has precedence over a text key
/// that looks like the int, even if the text key comes first.
fn by_any_key<'a>(
    dictionary: LazyDictionary<'a>,
    query: SegmentQuery<'_>,
    int: Option<i64>,
) -> Result<Option<LazyRef<'a>>> {
    let mut by_text = None;
    for pair in dictionary.iter() {
        let (key, value) = pair?;
        let Some(key) = key.as_leaf() else { continue };
        if int.is_some() && key.as_i64() == int {
            return Ok(Some(value));
        }
        if by_text.is_none() && query.is_key(&key, dictionary.dialect()) {
            if int.is_none() {
                return Ok(Some(value));
            }
            by_text = Some(value);
        }
    }
    Ok(by_text)
}

fn property<'a>(object: LazyObject<'a>, query: SegmentQuery<'_>) -> Result<Option<LazyRef<'a>>> {
    for (number, property) in object.iter().enumerate() {
        let (name, value) = property?;
        let is_it = match query {
            SegmentQuery::Pair(wanted) => number == wanted,
            _ => query.is_text(name),
        };
        if is_it {
            return Ok(Some(value));
        }
    }
    Ok(None)
}
