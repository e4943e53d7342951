//! Values of owned containers by their [paths](crate::godot::path).

use super::segment::Asked;
use super::step::index;
use crate::godot::{Dictionary, StrRef, Variant};

impl Variant {
    /// The value at that [path](crate::godot::path), of a container's items. (Numbers of
    /// vectors and elements of packed arrays are no values of their own here.)
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
            let (asked, after) = Asked::split(text).ok()?;
            let place = at.place(asked)?;
            at = match at {
                Self::Leaf(_) => None,
                Self::Array(array) => array.items.get(place),
                Self::Dictionary(dictionary) => dictionary.pairs.get(place).map(|(_, value)| value),
                Self::Object(object) => object.properties.get(place).map(|(_, value)| value),
            }?;
            left = after;
        }
        Some(at)
    }

    /// The same, to change.
    pub fn at_mut(&mut self, path: &str) -> Option<&mut Self> {
        let mut at = self;
        let mut left = Some(path).filter(|path| !path.is_empty());
        while let Some(text) = left {
            let (asked, after) = Asked::split(text).ok()?;
            let place = at.place(asked)?;
            at = match at {
                Self::Leaf(_) => None,
                Self::Array(array) => array.items.get_mut(place),
                Self::Dictionary(dictionary) => {
                    dictionary.pairs.get_mut(place).map(|(_, value)| value)
                }
                Self::Object(object) => object.properties.get_mut(place).map(|(_, value)| value),
            }?;
            left = after;
        }
        Some(at)
    }

    /// Where the value is among the items that a segment leads to.
    fn place(&self, asked: Asked<'_>) -> Option<usize> {
        match (self, asked) {
            (Self::Leaf(_), _) | (_, Asked::KeyOf(_)) => None,
            (Self::Array(array), _) => index(asked.int()?, array.items.len()),
            (_, Asked::Pair(number)) => Some(number),
            (Self::Dictionary(dictionary), _) => pair(dictionary, asked),
            (Self::Object(object), _) => {
                let mut names = object.properties.iter().map(|(name, _)| StrRef::new(name));
                names.rposition(|name| asked.is_text(name))
            }
        }
    }
}

/// An int key comes before a text that looks like one; of those that are the same, the last
/// counts, as for views.
fn pair(dictionary: &Dictionary, asked: Asked<'_>) -> Option<usize> {
    let is_key = |key: &Variant| match key {
        Variant::Leaf(leaf) => asked.is_key(&leaf.get(), leaf.encoded().dialect()),
        _ => false,
    };
    let pairs = &dictionary.pairs;
    let by_int =
        asked.int().and_then(|int| pairs.iter().rposition(|(k, _)| k.as_i64() == Some(int)));
    by_int.or_else(|| pairs.iter().rposition(|(key, _)| is_key(key)))
}
