//! The table of rows for the packets of a game. A row is found without an allocation.

use crate::traffic::RecordKind;
use crate::traffic::hash::RandomState;
use crate::transport::Sum;
use core::hash::{BuildHasher, Hasher};
use core::net::SocketAddr;
use std::boxed::Box;
use std::vec::Vec;

/// Maximum length of a path or a name in a row, in bytes. Further bytes are ignored.
const MAX_NAME: usize = 256;

/// Maximum number of properties of a node that have rows. The values of further properties are
/// added to the sum of their kind in `others`.
const MAX_PROPERTIES: usize = 256;

/// Number of kinds of records.
pub(super) const KINDS: usize = RecordKind::ALL.len();

/// The node of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RowNode<'l> {
    /// A path, of which at most 256 bytes are kept.
    Path(&'l [u8]),
    /// A node whose path is not known, identified by the number that the sender assigned to it.
    Number {
        /// The number.
        number: u32,
        /// The sender. `None` for all senders beyond the limit together.
        sender: Option<SocketAddr>,
        /// The peer that sent the packet, if the sender only relays it.
        relay: Option<i32>,
    },
    /// A spawned synchronizer, identified by the id that the sender gave it.
    NetId {
        /// The id.
        id: u32,
        /// The sender. `None` for all senders beyond the limit together.
        sender: Option<SocketAddr>,
    },
    /// All nodes that have no separate row because the limit of rows was reached.
    Others,
}

/// The member of a node that a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RowMember<'l> {
    /// The name of a called method or of a property that is set, cut after 256 bytes. If the name
    /// of a method is not known, this is `#` and its number.
    Name(&'l [u8]),
    /// A replicated property, by its index among the properties that the synchronizer sends with
    /// this kind of packet.
    Property(usize),
}

/// The bit of [`Key::checksum`] that is set if the low half contains a relayed peer. A checksum
/// never sets this bit, because it is ASCII.
const RELAYED: u64 = 1 << 63;

/// The identity of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key<'k> {
    pub kind: RecordKind,
    pub node: Node<'k>,
    pub method: u16,
    /// The start of the checksum of the node's methods, or the peer set by
    /// [`relayed_by`](Self::relayed_by).
    pub checksum: u64,
    /// Name of the method or property, if the packet contains it.
    pub name: &'k [u8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node<'k> {
    None,
    Path(&'k [u8]),
    /// A number, and the index of the peer that assigned it.
    Number(u32, u32),
    NetId(u32, u32),
}

impl<'k> Key<'k> {
    /// Creates the key of a row that has neither a node nor a member.
    pub(super) const fn new(kind: RecordKind) -> Self {
        Self { kind, node: Node::None, method: 0, checksum: 0, name: &[] }
    }

    /// Marks the key as that of a packet which a server relays for the peer `relay`.
    pub(super) fn relayed_by(mut self, relay: Option<i32>) -> Self {
        if let (Node::Number(..), Some(peer)) = (self.node, relay) {
            self.checksum = RELAYED | u64::from(peer.cast_unsigned());
        }
        self
    }

    /// Returns the parts of the key other than its name: three numbers, and the path of the node.
    #[inline(always)]
    fn parts(&self) -> ([u64; 3], &'k [u8]) {
        let (tag, number, path) = match self.node {
            Node::None => (0, 0, &[][..]),
            Node::Path(path) => (1, 0, path),
            Node::Number(number, peer) => (2, u64::from(peer) << 32 | u64::from(number), &[][..]),
            Node::NetId(id, peer) => (3, u64::from(peer) << 32 | u64::from(id), &[][..]),
        };
        let first = self.kind as u64 | tag << 8 | u64::from(self.method) << 16;
        ([first, number, self.checksum], clipped(path))
    }
}

fn clipped(name: &[u8]) -> &[u8] {
    name.get(..MAX_NAME).unwrap_or(name)
}

/// A row with the rows of its properties.
#[derive(Debug)]
pub(super) struct Entry {
    hash: u32,
    numbers: [u64; 3],
    path: Box<[u8]>,
    name: Box<[u8]>,
    pub kind: RecordKind,
    /// The printed name of the member.
    pub label: Option<Box<[u8]>>,
    pub sum: Sum,
    pub properties: Vec<Sum>,
}

impl Entry {
    #[inline(always)]
    fn is(&self, hash: u32, numbers: &[u64; 3], path: &[u8], name: &[u8]) -> bool {
        self.hash == hash && self.numbers == *numbers && *self.path == *path && *self.name == *name
    }

    /// Returns the node. `address` returns the address of a peer.
    pub(super) fn node(
        &self,
        address: impl Fn(usize) -> Option<SocketAddr>,
    ) -> Option<RowNode<'_>> {
        let [first, number, checksum] = self.numbers;
        let relay = (checksum & RELAYED != 0).then_some((checksum as u32).cast_signed());
        let sender = address((number >> 32) as usize);
        match first >> 8 & 0xff {
            1 => Some(RowNode::Path(&self.path)),
            2 => Some(RowNode::Number { number: number as u32, sender, relay }),
            3 => Some(RowNode::NetId { id: number as u32, sender }),
            _ => None,
        }
    }
}

#[derive(Debug)]
pub(super) struct Rows {
    limit: usize,
    hasher: RandomState,
    entries: Vec<Entry>,
    /// Open addressing with linear probing: an index into `entries`, or [`FREE`].
    slots: Vec<u32>,
    /// A direct-mapped cache of the rows that were used last.
    recent: Box<[Recent; RECENT]>,
    /// Number of rows, including those of properties.
    used: usize,
    others: [Sum; KINDS],
}

const FREE: u32 = u32::MAX;

const RECENT: usize = 256;

/// The index of a row, and the numbers that identify it until a sender renumbers its nodes.
#[derive(Clone, Copy, Debug, Default)]
struct Recent {
    numbers: Numbers,
    /// The index plus 1, or 0 for no row.
    row: u32,
}

/// The numbers in a packet that identify its row. Two packets with the same numbers belong to the
/// same row until a sender renumbers its nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Numbers {
    /// The kind of the packet, the kind of the number, and the method.
    pub what: u64,
    /// The sender, and the number that it assigned to the node.
    pub node: u64,
}

impl Numbers {
    #[inline(always)]
    pub(super) fn new(kind: RecordKind, node: Node<'_>, method: u16) -> Self {
        let what = kind as u64 | u64::from(method) << 16;
        match node {
            Node::Number(number, sender) => {
                Self { what: what | 2 << 8, node: u64::from(sender) << 32 | u64::from(number) }
            }
            Node::NetId(id, sender) => {
                Self { what: what | 3 << 8, node: u64::from(sender) << 32 | u64::from(id) }
            }
            Node::None | Node::Path(_) => Self { what, node: 0 },
        }
    }

    #[inline(always)]
    fn slot(self) -> usize {
        let mixed = self.what.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ self.node ^ self.node >> 27;
        (mixed ^ mixed >> 32 ^ mixed >> 56) as usize % RECENT
    }
}

impl Rows {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit: limit.min(1 << 24),
            hasher: RandomState::default(),
            entries: Vec::new(),
            slots: Vec::new(),
            recent: Box::new([Recent::default(); RECENT]),
            used: 0,
            others: [Sum::default(); KINDS],
        }
    }

    /// Adds a packet to the row of these numbers, if that row was used recently. Returns the index
    /// of the row.
    #[inline(always)]
    pub(super) fn add_recent(&mut self, numbers: Numbers, bytes: usize) -> Option<usize> {
        let recent = self.recent.get(numbers.slot())?;
        if recent.numbers != numbers {
            return None;
        }
        let row = (recent.row as usize).wrapping_sub(1);
        self.entries.get_mut(row)?.sum.add(bytes);
        Some(row)
    }

    /// Remembers the row of these numbers for [`add_recent`](Self::add_recent).
    pub(super) fn remember(&mut self, numbers: Numbers, row: Option<usize>) {
        let Some(row) = row else { return };
        if let Some(recent) = self.recent.get_mut(numbers.slot()) {
            *recent = Recent { numbers, row: u32::try_from(row.wrapping_add(1)).unwrap_or(0) };
        }
    }

    /// Forgets which numbers belong to which rows, because a sender renumbers its nodes.
    #[cold]
    pub(super) fn forget_numbers(&mut self) {
        *self.recent = [Recent::default(); RECENT];
    }

    /// Adds a packet to its row. For a new row, `label` returns the printed name of its member.
    /// Returns the index of the row, or `None` if there are too many rows.
    #[inline(never)]
    pub(super) fn add(
        &mut self,
        key: &Key<'_>,
        bytes: usize,
        label: impl FnOnce() -> Option<Box<[u8]>>,
    ) -> Option<usize> {
        let index = self.find(key, label);
        match index.and_then(|index| self.entries.get_mut(index)) {
            Some(entry) => entry.sum.add(bytes),
            None => self.add_other(key.kind, bytes),
        }
        index
    }

    /// Adds a value to the row of a property of the node whose row has the index `index`. If
    /// `index` is `None` because there are too many rows, adds the value to `others`, under `kind`.
    #[inline(always)]
    pub(super) fn add_property(
        &mut self,
        index: Option<usize>,
        kind: RecordKind,
        property: usize,
        bytes: usize,
    ) {
        let entry = index.and_then(|index| self.entries.get_mut(index));
        let sum = entry.and_then(|entry| entry.properties.get_mut(property));
        match sum.filter(|sum| sum.count > 0) {
            Some(sum) => sum.add(bytes),
            None => self.new_property(index, kind, property, bytes),
        }
    }

    #[cold]
    fn new_property(
        &mut self,
        index: Option<usize>,
        kind: RecordKind,
        property: usize,
        bytes: usize,
    ) {
        let entry = index.and_then(|index| self.entries.get_mut(index));
        match entry {
            Some(entry) if self.used < self.limit && property < MAX_PROPERTIES => {
                let added = property.saturating_add(1).saturating_sub(entry.properties.len());
                if added > 0 {
                    entry.properties.resize(property.saturating_add(1), Sum::default());
                    self.used = self.used.saturating_add(added);
                }
                if let Some(sum) = entry.properties.get_mut(property) {
                    sum.add(bytes);
                }
            }
            _ => self.add_other(kind, bytes),
        }
    }

    /// Adds bytes to a row without counting a packet.
    #[inline(always)]
    pub(super) fn add_bytes(&mut self, index: Option<usize>, kind: RecordKind, bytes: usize) {
        match index.and_then(|index| self.entries.get_mut(index)) {
            Some(entry) => entry.sum.bytes = entry.sum.bytes.wrapping_add(bytes as u64),
            None if bytes > 0 => self.add_other(kind, bytes),
            None => {}
        }
    }

    #[cold]
    fn add_other(&mut self, kind: RecordKind, bytes: usize) {
        if let Some(sum) = self.others.get_mut(kind as usize) {
            sum.add(bytes);
        }
    }

    #[inline(always)]
    fn find(&mut self, key: &Key<'_>, label: impl FnOnce() -> Option<Box<[u8]>>) -> Option<usize> {
        let (numbers, path) = key.parts();
        let name = clipped(key.name);
        let mut hasher = self.hasher.build_hasher();
        numbers.iter().for_each(|number| hasher.write_u64(*number));
        hasher.write(path);
        hasher.write(name);
        let hash = hasher.finish() as u32;
        let mut slot = hash as usize & self.mask();
        while let Some(&index) = self.slots.get(slot).filter(|index| **index != FREE) {
            if let Some(entry) = self.entries.get(index as usize)
                && entry.is(hash, &numbers, path, name)
            {
                return Some(index as usize);
            }
            slot = slot.wrapping_add(1) & self.mask();
        }
        self.insert(hash, key, label)
    }

    #[inline(always)]
    fn mask(&self) -> usize {
        self.slots.len().wrapping_sub(1)
    }

    #[inline(never)]
    fn insert(
        &mut self,
        hash: u32,
        key: &Key<'_>,
        label: impl FnOnce() -> Option<Box<[u8]>>,
    ) -> Option<usize> {
        if self.used >= self.limit {
            return None;
        }
        self.used = self.used.wrapping_add(1);
        let (numbers, path) = key.parts();
        let (path, name) = (path.into(), clipped(key.name).into());
        let (kind, label) = (key.kind, label().map(|label| clipped(&label).into()));
        let (sum, properties) = (Sum::default(), Vec::new());
        let index = self.entries.len();
        self.entries.push(Entry { hash, numbers, path, name, kind, label, sum, properties });
        if self.entries.len().saturating_mul(2) > self.slots.len() {
            self.grow();
        } else {
            self.place(hash, index);
        }
        Some(index)
    }

    /// Doubles the number of slots, and distributes the entries anew.
    fn grow(&mut self) {
        let slots = self.slots.len().saturating_mul(2).max(64);
        self.slots.clear();
        self.slots.resize(slots, FREE);
        for index in 0..self.entries.len() {
            let hash = self.entries.get(index).map_or(0, |entry| entry.hash);
            self.place(hash, index);
        }
    }

    fn place(&mut self, hash: u32, index: usize) {
        let mut slot = hash as usize & self.mask();
        // At least half of all slots are free.
        while self.slots.get(slot).is_some_and(|index| *index != FREE) {
            slot = slot.wrapping_add(1) & self.mask();
        }
        if let Some(free) = self.slots.get_mut(slot) {
            *free = index as u32;
        }
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the sums, by kind, of the packets and values that have no row because of the limit.
    pub(super) fn others(&self) -> &[Sum; KINDS] {
        &self.others
    }

    /// Returns the allocated memory in bytes.
    pub(super) fn memory(&self) -> usize {
        let entry = |entry: &Entry| {
            let label = entry.label.as_ref().map_or(0, |label| label.len());
            let properties = entry.properties.capacity().saturating_mul(size_of::<Sum>());
            [entry.path.len(), entry.name.len(), label, properties]
                .into_iter()
                .fold(size_of::<Entry>(), usize::saturating_add)
        };
        let entries = self.entries.iter().map(entry).fold(0, usize::saturating_add);
        entries.saturating_add(self.slots.capacity().saturating_mul(size_of::<u32>()))
    }
}
