//! Strings and attributes that a stream has defined so far.

use crate::rems::binary::NameTree;
use crate::rems::write::scanned_str::last;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// All strings that have been written, with their indices.
#[derive(Clone, Debug)]
pub(super) struct Strings {
    /// The bytes of all strings, without separators.
    bytes: Vec<u8>,
    ends: Vec<usize>,
    names: NameTree,
    /// Cache of the indices of recent strings. Its hash function uses the first and last bytes of a
    /// string. Names of properties are looked up often, and a lookup in the tree is slow.
    recent: [u32; RECENT],
}

const RECENT: usize = 256;

impl Default for Strings {
    fn default() -> Self {
        let (bytes, ends, names) = (Vec::new(), Vec::new(), NameTree::default());
        Self { bytes, ends, names, recent: [0; RECENT] }
    }
}

/// Returns the cache slot of a string.
#[inline]
fn cache_slot(text: &[u8]) -> usize {
    let first = text.first_chunk().map_or(0, |first| u64::from_le_bytes(*first));
    let word = first ^ last(text).rotate_left(29);
    let word = word.wrapping_add(text.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (word >> 56) as usize % RECENT
}

impl Strings {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    fn text<'s>(bytes: &'s [u8], ends: &[usize], index: u32) -> &'s [u8] {
        let index = index as usize;
        let start = index.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
        let end = ends.get(index).copied().unwrap_or(start);
        bytes.get(start..end).unwrap_or_default()
    }

    pub(super) fn get(&self, index: u32) -> &[u8] {
        Self::text(&self.bytes, &self.ends, index)
    }

    /// Returns the index of a string, and `true` if the string is new.
    #[inline]
    pub(super) fn find_or_add(&mut self, text: &[u8]) -> (u32, bool) {
        let slot = cache_slot(text);
        let recent = self.recent.get(slot).copied().unwrap_or(0);
        if !self.ends.is_empty() && self.get(recent) == text {
            return (recent, false);
        }
        let (index, new) = self.find_in_tree(text);
        self.recent.get_mut(slot).into_iter().for_each(|recent| *recent = index);
        (index, new)
    }

    #[inline(never)]
    fn find_in_tree(&mut self, text: &[u8]) -> (u32, bool) {
        let Self { bytes, ends, names, .. } = self;
        let index = names.find_or_add(text, |index| Self::text(bytes, ends, index));
        let new = index as usize == ends.len();
        if new {
            bytes.extend_from_slice(text);
            ends.push(bytes.len());
        }
        (index, new)
    }
}

/// The attributes of all classes. Classes and names are represented by the indices of their
/// strings.
#[derive(Clone, Debug)]
pub(super) struct Attributes {
    indices: BTreeMap<Attribute, u32>,
    counts: BTreeMap<u32, u32>,
    /// Cache of recent attributes.
    recent: [Option<(Attribute, u32)>; RECENT],
}

/// Class, name and type id of an attribute.
type Attribute = (u32, u32, u8);

impl Default for Attributes {
    fn default() -> Self {
        Self { indices: BTreeMap::new(), counts: BTreeMap::new(), recent: [None; RECENT] }
    }
}

impl Attributes {
    /// Returns the index of an attribute. Adds the attribute and returns `None` if it is new.
    #[inline]
    pub(super) fn find_or_add(&mut self, class: u32, name: u32, id: u8) -> Option<u32> {
        let attribute = (class, name, id);
        let word =
            (class.rotate_left(16) ^ name.rotate_left(8) ^ u32::from(id)).wrapping_mul(0x9E37_79B9);
        let slot = self.recent.get_mut((word >> 24) as usize % RECENT)?;
        match slot {
            Some((recent, index)) if *recent == attribute => Some(*index),
            _ => {
                let index = Self::find_in_tree(&mut self.indices, &mut self.counts, attribute);
                *slot = Some((attribute, index.unwrap_or_else(|new| new)));
                index.ok()
            }
        }
    }

    /// Returns `Ok` with the index of an attribute that is known. If the attribute is new, adds it
    /// and returns `Err` with its index.
    #[inline(never)]
    fn find_in_tree(
        indices: &mut BTreeMap<Attribute, u32>,
        counts: &mut BTreeMap<u32, u32>,
        attribute: Attribute,
    ) -> Result<u32, u32> {
        use alloc::collections::btree_map::Entry;
        match indices.entry(attribute) {
            Entry::Occupied(index) => Ok(*index.get()),
            Entry::Vacant(entry) => {
                let count = counts.entry(attribute.0).or_default();
                let new = *entry.insert(*count);
                *count = count.wrapping_add(1);
                Err(new)
            }
        }
    }
}
