//! The names of a package that is being changed.

use crate::unreal::format::{Name, NameEntry, Records, StrBuf};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The names of the package, with the names that the editor has replaced or added.
#[derive(Clone, Debug)]
pub(crate) struct EditedNames<'a> {
    read: Records<'a, NameEntry<'a>>,
    replaced: BTreeMap<usize, StrBuf>,
    pub added: Vec<StrBuf>,
}

impl<'a> EditedNames<'a> {
    pub fn new(read: Records<'a, NameEntry<'a>>) -> Self {
        Self { read, replaced: BTreeMap::new(), added: Vec::new() }
    }

    pub fn iter(&self) -> impl Iterator<Item = NameEntry<'_>> {
        let read = self.read.clone().flatten().enumerate();
        let read = read.map(|(index, entry)| match self.replaced.get(&index) {
            Some(text) => NameEntry::new(text.as_text()),
            None => entry,
        });
        read.chain(self.added.iter().map(|text| NameEntry::new(text.as_text())))
    }

    pub fn len(&self) -> usize {
        self.read.len().saturating_add(self.added.len())
    }

    /// Returns the text of the name with this index, if the name was replaced or added.
    pub fn changed(&self, index: usize) -> Option<&StrBuf> {
        match index.checked_sub(self.read.len()) {
            Some(index) => self.added.get(index),
            None => self.replaced.get(&index),
        }
    }

    /// Splits `text` into a base and the number at its end, and returns the name that consists of
    /// both. Adds the base to the names if none of them is the same text in the same letter case.
    pub fn find_or_add(&mut self, text: &str) -> Name {
        let (base, number) = split(text);
        let found = self.iter().position(|entry| entry.text == *base);
        let index = found.unwrap_or_else(|| {
            self.added.push(StrBuf::new(base));
            self.len().saturating_sub(1)
        });
        Name { index: i32::try_from(index).unwrap_or(i32::MAX), number }
    }

    /// Replaces the text of the name with this index. Returns `false` if there is no such name.
    pub fn replace(&mut self, index: usize, text: &str) -> bool {
        let text = StrBuf::new(text);
        match index.checked_sub(self.read.len()) {
            None => {
                self.replaced.insert(index, text);
                true
            }
            Some(index) => match self.added.get_mut(index) {
                Some(place) => {
                    *place = text;
                    true
                }
                None => false,
            },
        }
    }
}

/// Splits a name into its base and the number at its end, and adds one to the number: `Actor_5` is
/// `Actor` with the number 6. A name without such a number, like `Actor_05`, gets the number 0.
pub(crate) fn split(text: &str) -> (&str, i32) {
    let Some((base, digits)) = text.rsplit_once('_') else { return (text, 0) };
    let plain = digits == "0" || !digits.starts_with('0');
    if base.is_empty() || !plain || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return (text, 0);
    }
    match digits.parse::<i32>().ok().and_then(|number| number.checked_add(1)) {
        Some(number) => (base, number),
        None => (text, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn numbers() {
        assert_eq!(split("Actor_5"), ("Actor", 6));
        assert_eq!(split("Actor_0"), ("Actor", 1));
        assert_eq!(split("A_1_2"), ("A_1", 3));
        assert_eq!(split("Actor_2147483646"), ("Actor", i32::MAX));
        for whole in ["Actor_05", "Actor_", "_5", "Actor_2147483647", "Actor5", "Actor_+5", ""] {
            assert_eq!(split(whole), (whole, 0));
        }
    }
}
