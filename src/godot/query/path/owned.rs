//! Lookup of [paths](crate::godot::path) in owned values.

use super::resolve::index;
use super::segment::SegmentQuery;
use crate::godot::{Dictionary, StrRef, Variant};

impl Variant {
    /// Returns the value at a [path](crate::godot::path), which selects items of containers.
    /// Components of vectors and elements of packed arrays are not found, because they are not
    /// `Variant`s.
    ///
    /// ```
    /// use gamewire::godot::{Variant, Vector2};
    ///
    /// let mut state: Variant = r#"{"players": [{"name": "Ada", "hp": 5}]}"#.parse()?;
    /// assert_eq!(state.at("players/0/hp"), Some(&5.into()));
    /// *state.at_mut("players/-1/hp").unwrap() = 4.into();
    /// assert_eq!(state.at("players/0/hp"), Some(&4.into()));
    /// # Ok::<(), gamewire::godot::notation::Error>(())
    /// ```
    pub fn at(&self, path: &str) -> Option<&Self> {
        let mut at = self;
        let mut left = Some(path).filter(|path| !path.is_empty());
        while let Some(text) = left {
            let (query, after) = SegmentQuery::split(text).ok()?;
            let index = at.item_index(query)?;
            at = match at {
                Self::Leaf(_) => None,
                Self::Array(array) => array.items.get(index),
                Self::Dictionary(dictionary) => dictionary.pairs.get(index).map(|(_, value)| value),
                Self::Object(object) => object.properties.get(index).map(|(_, value)| value),
            }?;
            left = after;
        }
        Some(at)
    }

    /// Returns a mutable reference to the value that [`at`](Self::at) returns.
    pub fn at_mut(&mut self, path: &str) -> Option<&mut Self> {
        let mut at = self;
        let mut left = Some(path).filter(|path| !path.is_empty());
        while let Some(text) = left {
            let (query, after) = SegmentQuery::split(text).ok()?;
            let index = at.item_index(query)?;
            at = match at {
                Self::Leaf(_) => None,
                Self::Array(array) => array.items.get_mut(index),
                Self::Dictionary(dictionary) => {
                    dictionary.pairs.get_mut(index).map(|(_, value)| value)
                }
                Self::Object(object) => object.properties.get_mut(index).map(|(_, value)| value),
            }?;
            left = after;
        }
        Some(at)
    }

    /// Returns the index of the item that a segment selects.
    fn item_index(&self, query: SegmentQuery<'_>) -> Option<usize> {
        match (self, query) {
            (Self::Leaf(_), _) | (_, SegmentQuery::KeyOf(_)) => None,
            (Self::Array(array), _) => index(query.int()?, array.items.len()),
            (_, SegmentQuery::Pair(number)) => Some(number),
            (Self::Dictionary(dictionary), _) => pair(dictionary, query),
            (Self::Object(object), _) => {
                let mut names = object.properties.iter().map(|(name, _)| StrRef::new(name));
                names.rposition(|name| query.is_text(name))
            }
        }
    }
}

/// Returns the index of the last pair with the key. As in views, an int key has precedence over a
/// text key that looks like the int.
fn pair(dictionary: &Dictionary, query: SegmentQuery<'_>) -> Option<usize> {
    let is_key = |key: &Variant| match key {
        Variant::Leaf(leaf) => query.is_key(&leaf.get(), leaf.encoded().dialect()),
        _ => false,
    };
    let pairs = &dictionary.pairs;
    let by_int =
        query.int().and_then(|int| pairs.iter().rposition(|(k, _)| k.as_i64() == Some(int)));
    by_int.or_else(|| pairs.iter().rposition(|(key, _)| is_key(key)))
}
