//! A tree of all values inside a value. For each value, it stores an id and the position, so no
//! bytes are walked twice. Values with equal bytes have equal ids.

use super::super::path::Found;
use crate::godot::{
    Container, Dialect, Encoded, Error, Kind, Leaf, Open, Property, Reader, Visitor,
};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The index of a value in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node(u32);

impl Node {
    pub(super) const ROOT: Self = Self(0);
}

/// Assigns an id to each value. Equal values get the same id. A leaf is identified by its bytes,
/// and a container by the ids of its head (the bytes before its items), its property names and its
/// items.
#[derive(Debug, Default)]
pub(super) struct Interner<'a> {
    leaves: BTreeMap<&'a [u8], u32>,
    containers: BTreeMap<Vec<u32>, u32>,
    /// The first id.
    first: u32,
}

impl<'a> Interner<'a> {
    /// Returns an empty interner. Its ids are different from all ids of this interner.
    pub(super) fn with_new_ids(self) -> Self {
        Self { first: self.next(), ..Self::default() }
    }

    fn next(&self) -> u32 {
        let count = self.leaves.len().saturating_add(self.containers.len());
        self.first.saturating_add(u32::try_from(count).unwrap_or(u32::MAX))
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

/// A value and all values inside it, in the order of their bytes.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    root: Encoded<'a>,
    entries: Vec<Entry>,
}

/// A value in the tree. Offsets count from the start of the root, which is shorter than 2 GiB.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Offset of the name, if the value is a property. Otherwise equal to `start`.
    name: u32,
    start: u32,
    /// Offset of the items of a container.
    items: u32,
    end: u32,
    /// Index of the first entry after this value and the values inside it.
    next: u32,
    id: u32,
    container: bool,
}

impl<'a> Tree<'a> {
    pub(super) fn new(root: Encoded<'a>, interner: &mut Interner<'a>) -> Self {
        let mut tree = Self { root, entries: Vec::new() };
        let mut build = Build { entries: Vec::new(), open: Vec::new(), name: None, at: 0 };
        let is_built = !root.is_compact()
            && Reader::new(root.as_bytes(), root.dialect()).visit_dyn(&mut build).is_ok();
        tree.entries = match is_built {
            true => build.entries,
            // The value has a compact encoding or is nested too deeply, so it becomes a single
            // leaf.
            false => Vec::from([Entry::leaf(0, 0, saturate(root.as_bytes().len()))]),
        };
        tree.assign_ids(interner);
        tree
    }

    /// Assigns ids from the last entry to the first. The items of a container then have ids when
    /// the id of the container is computed from them.
    fn assign_ids(&mut self, interner: &mut Interner<'a>) {
        for at in (0..self.entries.len()).rev() {
            let node = Node(saturate(at));
            let bytes = self.encoded(node).as_bytes();
            let id = if self.entry(node).is_some_and(|entry| entry.container) {
                let mut items = Vec::from([interner.of_bytes(self.head(node))]);
                for child in self.children(node) {
                    let name = self.name(child).map(|name| interner.of_bytes(name));
                    items.extend(name);
                    items.push(self.id(child));
                }
                interner.of_items(items)
            } else {
                interner.of_bytes(bytes)
            };
            if let Some(entry) = self.entries.get_mut(at) {
                entry.id = id;
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

    pub(super) fn id(&self, node: Node) -> u32 {
        self.entry(node).map_or(0, |entry| entry.id)
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

    /// Returns the name of a property, with length prefix and padding.
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

    /// Returns the items. For a dictionary, keys and values alternate.
    pub(super) fn children(&self, node: Node) -> impl Iterator<Item = Node> {
        let end = self.entry(node).map_or(0, |entry| entry.next);
        let first = Some(Node(node.0.saturating_add(1))).filter(|first| first.0 < end);
        core::iter::successors(first, move |node| {
            self.entry(*node).map(|entry| Node(entry.next)).filter(|next| next.0 < end)
        })
    }
}

fn saturate(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl Entry {
    fn leaf(name: u32, start: u32, end: u32) -> Self {
        Self { name, start, items: end, end, next: 1, id: 0, container: false }
    }
}

/// Visitor that creates the entries.
struct Build {
    entries: Vec<Entry>,
    /// Indices of the open containers.
    open: Vec<usize>,
    /// Offset of the name of the property whose value is next.
    name: Option<u32>,
    /// Offset after the last visited bytes.
    at: u32,
}

impl Build {
    fn add(&mut self, start: u64, bytes: &[u8], container: bool) {
        let start = saturate(usize::try_from(start).unwrap_or(usize::MAX));
        self.at = start.saturating_add(saturate(bytes.len()));
        let next = saturate(self.entries.len()).saturating_add(1);
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
        self.name = Some(saturate(usize::try_from(property.offset).unwrap_or(usize::MAX)));
        Ok(())
    }

    fn close(&mut self, _: Kind) -> Result<(), Error> {
        let next = saturate(self.entries.len());
        if let Some(entry) = self.open.pop().and_then(|at| self.entries.get_mut(at)) {
            entry.end = self.at;
            entry.next = next;
        }
        Ok(())
    }
}
