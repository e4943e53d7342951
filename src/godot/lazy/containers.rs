//! Lazy views of the three containers.

use super::place::Unchecked;
use super::{LazyItems, LazyPairs, LazyProperties, LazyRef};
use crate::godot::types::container::Container;
use crate::godot::{Dialect, Result, StrRef, TypeRef};

/// An Array whose elements have not been checked.
#[derive(Clone, Copy, Debug)]
pub struct LazyArray<'a>(pub(super) Unchecked<'a>);

impl<'a> LazyArray<'a> {
    /// Returns the number of elements. The packet is long enough for as many of the smallest
    /// values.
    pub const fn len(&self) -> usize {
        self.0.len as usize
    }

    /// Returns `true` if there are no elements.
    pub const fn is_empty(&self) -> bool {
        self.0.len == 0
    }

    /// Returns the declared type of the elements (Godot 4.3 and later).
    pub fn element_type(&self) -> TypeRef<'a> {
        match self.0.container(Container::array) {
            Some(Container::Array { element, .. }) => element,
            _ => TypeRef::Untyped,
        }
    }

    /// Iterates over the elements.
    pub fn iter(&self) -> LazyItems<'a> {
        LazyItems::new(self.0.first(), self.len())
    }

    /// Returns the element at `index`. Checks the elements before it.
    ///
    /// # Errors
    /// Returns the error of the first malformed element up to this one.
    pub fn get(&self, index: usize) -> Result<Option<LazyRef<'a>>> {
        if index >= self.len() {
            return Ok(None);
        }
        self.0.first().pass(index)?.open().map(Some)
    }
}

/// A Dictionary whose pairs have not been checked.
#[derive(Clone, Copy, Debug)]
pub struct LazyDictionary<'a>(pub(super) Unchecked<'a>);

impl<'a> LazyDictionary<'a> {
    /// Returns the number of pairs. The packet is long enough for as many pairs of the smallest
    /// values.
    pub const fn len(&self) -> usize {
        self.0.len as usize
    }

    /// Returns `true` if there are no pairs.
    pub const fn is_empty(&self) -> bool {
        self.0.len == 0
    }

    /// Returns the declared type of the keys (Godot 4.4 and later).
    pub fn key_type(&self) -> TypeRef<'a> {
        match self.0.container(Container::dictionary) {
            Some(Container::Dictionary { key, .. }) => key,
            _ => TypeRef::Untyped,
        }
    }

    /// Returns the declared type of the values (Godot 4.4 and later).
    pub fn value_type(&self) -> TypeRef<'a> {
        match self.0.container(Container::dictionary) {
            Some(Container::Dictionary { value, .. }) => value,
            _ => TypeRef::Untyped,
        }
    }

    /// Iterates over the pairs.
    pub fn iter(&self) -> LazyPairs<'a> {
        LazyPairs(self.flat())
    }

    /// Iterates over keys and values alternately, two items for each pair.
    pub fn flat(&self) -> LazyItems<'a> {
        LazyItems::new(self.0.first(), self.len().saturating_mul(2))
    }

    /// Returns the item of [`flat`](Self::flat) with this number. Checks the items before it.
    pub(crate) fn flat_at(&self, number: usize) -> Result<Option<LazyRef<'a>>> {
        if number >= self.len().saturating_mul(2) {
            return Ok(None);
        }
        self.0.first().pass(number)?.open().map(Some)
    }

    pub(crate) const fn dialect(&self) -> Dialect {
        self.0.dialect()
    }

    /// Returns the value of the first String or StringName key that equals `key`. Checks the pairs
    /// before it and the head of the value, and stops. If there is no such key, checks all pairs.
    ///
    /// An engine keeps the value of the last pair with a key. A packet that an engine wrote contains
    /// no key twice.
    ///
    /// ```
    /// use gamewire::godot::{Dialect, Reader};
    ///
    /// // {"a": 1, …}: the second pair is damaged.
    /// let packet = b"\x1b\0\0\0\x02\0\0\0\x04\0\0\0\x01\0\0\0a\0\0\0\x02\0\0\0\x01\0\0\0";
    /// let packet = [&packet[..], b"damaged bytes..."].concat();
    /// let dictionary = Reader::new(&packet, Dialect::Godot4).lazy()?.as_dictionary().unwrap();
    /// assert_eq!(dictionary.get("a")?.unwrap().read()?.as_i64(), Some(1));
    /// assert_eq!(dictionary.get("b").unwrap_err().offset(), 28);
    /// # Ok::<(), gamewire::godot::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns the error of the first malformed key or value up to this one.
    pub fn get(&self, key: &str) -> Result<Option<LazyRef<'a>>> {
        self.0.first().value_of(self.0.len, key)
    }
}

/// An Object whose properties have not been checked.
#[derive(Clone, Copy, Debug)]
pub struct LazyObject<'a>(pub(super) Unchecked<'a>);

impl<'a> LazyObject<'a> {
    /// Returns the name of the native class.
    pub fn class(&self) -> StrRef<'a> {
        match self.0.container(Container::full_object) {
            Some(Container::Object { class, .. }) => class,
            _ => StrRef::new(&[]),
        }
    }

    /// Returns the number of properties. The packet is long enough for as many of the smallest
    /// properties.
    pub const fn len(&self) -> usize {
        self.0.len as usize
    }

    /// Returns `true` if there are no properties.
    pub const fn is_empty(&self) -> bool {
        self.0.len == 0
    }

    /// Iterates over names and values.
    pub fn iter(&self) -> LazyProperties<'a> {
        LazyProperties::new(self.0.first(), self.len())
    }

    /// Returns the value of the first property with this name. Checks the properties before it.
    ///
    /// # Errors
    /// Returns the error of the first malformed property up to this one.
    pub fn get(&self, property: &str) -> Result<Option<LazyRef<'a>>> {
        for item in self.iter() {
            let (name, value) = item?;
            if name == property {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }
}
