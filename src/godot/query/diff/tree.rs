//! A value and where everything in it is, so that no part of it has to be walked again, and
//! for each part a number that is the same where the bytes are.

use super::super::path::Found;
use crate::godot::{
    Container, Dialect, Encoded, Error, Kind, Leaf, Open, Property, Reader, Visitor,
};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// One value of a tree, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node(u32);

impl Node {
    pub(super) const ROOT: Self = Self(0);
}

/// Numbers for bytes: the same for the same.
#[derive(Debug, Default)]
pub(super) struct Words<'a> {
    leaves: BTreeMap<&'a [u8], u32>,
    containers: BTreeMap<Vec<u32>, u32>,
    /// From where on they count.
    from: u32,
}

impl<'a> Words<'a> {
    /// As many again, which are none of those given so far.
    pub(super) fn strange(self) -> Self {
        Self { from: self.next(), ..Self::default() }
    }

    fn next(&self) -> u32 {
        let given = self.leaves.len().saturating_add(self.containers.len());
        self.from.saturating_add(u32::try_from(given).unwrap_or(u32::MAX))
    }

    fn of_bytes(&mut self, bytes: &'a [u8]) -> u32 {
        let next = self.next();
        *self.leaves.entry(bytes).or_insert(next)
    }

    fn of_items(&mut self, items: Vec<u32>) -> u32 {
        let next = self.next();
        *self.containers.entry(items).or_insert(next)
    }
}

/// A value and all that is in it, in the order of the bytes.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    root: Encoded<'a>,
    entries: Vec<Entry>,
}

/// Places are counted from the start of the value, which has less than 2 GiB.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Where a property's name starts; for anything else, as the value.
    name: u32,
    start: u32,
    /// Where its items start, if it has any.
    items: u32,
    end: u32,
    /// The first entry that is not in it.
    next: u32,
    word: u32,
    container: bool,
}

impl<'a> Tree<'a> {
    pub(super) fn new(root: Encoded<'a>, words: &mut Words<'a>) -> Self {
        let mut tree = Self { root, entries: Vec::new() };
        let mut build = Build { entries: Vec::new(), open: Vec::new(), name: None, at: 0 };
        let is_built = !root.is_compact()
            && Reader::new(root.as_bytes(), root.dialect()).visit_dyn(&mut build).is_ok();
        tree.entries = match is_built {
            true => build.entries,
            // In a short form, or too deep: one piece.
            false => Vec::from([Entry::leaf(0, 0, place(root.as_bytes().len()))]),
        };
        tree.give_words(words);
        tree
    }

    /// From the last to the first, so that what is inside comes before.
    fn give_words(&mut self, words: &mut Words<'a>) {
        for at in (0..self.entries.len()).rev() {
            let node = Node(place(at));
            let bytes = self.encoded(node).as_bytes();
            let word = if self.entry(node).is_some_and(|entry| entry.container) {
                let mut items = Vec::from([words.of_bytes(self.head(node))]);
                for child in self.children(node) {
                    let name = self.name(child).map(|name| words.of_bytes(name));
                    items.extend(name);
                    items.push(self.word(child));
                }
                words.of_items(items)
            } else {
                words.of_bytes(bytes)
            };
            if let Some(entry) = self.entries.get_mut(at) {
                entry.word = word;
            }
        }
    }

    fn entry(&self, node: Node) -> Option<&Entry> {
        self.entries.get(node.0 as usize)
    }

    fn bytes(&self, start: u32, end: u32) -> &'a [u8] {
        self.root.as_bytes().get(start as usize..end as usize).unwrap_or_default()
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.root.dialect()
    }

    pub(super) fn word(&self, node: Node) -> u32 {
        self.entry(node).map_or(0, |entry| entry.word)
    }

    pub(super) fn encoded(&self, node: Node) -> Encoded<'a> {
        match self.entry(node) {
            Some(entry) if node != Node::ROOT => {
                Encoded::trusted(self.bytes(entry.start, entry.end), self.dialect())
            }
            _ => self.root,
        }
    }

    pub(super) fn found(&self, node: Node) -> Found<'a> {
        Found::whole(self.encoded(node))
    }

    /// The name of a property, with length and pad.
    pub(super) fn name(&self, node: Node) -> Option<&'a [u8]> {
        let entry = self.entry(node).filter(|entry| entry.name < entry.start)?;
        Some(self.bytes(entry.name, entry.start))
    }

    /// Returns the bytes before a container's items.
    pub(super) fn head(&self, node: Node) -> &'a [u8] {
        self.entry(node).map_or(&[], |entry| self.bytes(entry.start, entry.items))
    }

    pub(super) fn container(&self, node: Node) -> Option<Container<'a>> {
        self.entry(node).filter(|entry| entry.container)?;
        Container::parse(self.head(node), self.dialect())
    }

    /// Returns the number of items.
    pub(super) fn len(&self, node: Node) -> u32 {
        self.container(node).map_or(0, |container| container.len())
    }

    /// The items: of a dictionary, keys and values in turns.
    pub(super) fn children(&self, node: Node) -> impl Iterator<Item = Node> {
        let end = self.entry(node).map_or(0, |entry| entry.next);
        let first = Some(Node(node.0.saturating_add(1))).filter(|first| first.0 < end);
        core::iter::successors(first, move |node| {
            self.entry(*node).map(|entry| Node(entry.next)).filter(|next| next.0 < end)
        })
    }
}

fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl Entry {
    fn leaf(name: u32, start: u32, end: u32) -> Self {
        Self { name, start, items: end, end, next: 1, word: 0, container: false }
    }
}

/// Makes the entries of what a walk meets.
struct Build {
    entries: Vec<Entry>,
    /// Those of the containers that are open.
    open: Vec<usize>,
    /// Where the name of the property is whose value comes next.
    name: Option<u32>,
    /// Offset after the last visited bytes.
    at: u32,
}

impl Build {
    fn add(&mut self, start: u64, bytes: &[u8], container: bool) {
        let start = place(usize::try_from(start).unwrap_or(usize::MAX));
        self.at = start.saturating_add(place(bytes.len()));
        let next = place(self.entries.len()).saturating_add(1);
        let leaf = Entry::leaf(self.name.take().unwrap_or(start), start, self.at);
        self.entries.push(Entry { next, container, ..leaf });
    }
}

impl<'a> Visitor<'a> for Build {
    type Error = Error;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Error> {
        self.add(leaf.offset, leaf.encoded.as_bytes(), false);
        Ok(())
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Error> {
        self.open.push(self.entries.len());
        self.add(open.offset, open.head, true);
        Ok(())
    }

    fn property(&mut self, property: Property<'a>) -> Result<(), Error> {
        self.name = Some(place(usize::try_from(property.offset).unwrap_or(usize::MAX)));
        Ok(())
    }

    fn close(&mut self, _: Kind) -> Result<(), Error> {
        let next = place(self.entries.len());
        if let Some(entry) = self.open.pop().and_then(|at| self.entries.get_mut(at)) {
            entry.end = self.at;
            entry.next = next;
        }
        Ok(())
    }
}
