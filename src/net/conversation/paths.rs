//! Which numbers stand for which nodes, told by the packets that have come by.

use crate::godot::StrRef;
use core::hash::BuildHasher;
use std::boxed::Box;
use std::collections::HashMap;

/// Who gives numbers: in one direction of a connection its sender, or a peer whose
/// packets the sender relays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Sender {
    /// Which side of the connection.
    pub side: bool,
    pub peer: Option<i32>,
}

/// Numbers of one connection.
#[derive(Debug, Default)]
pub(super) struct Paths {
    nodes: HashMap<(Sender, u32), Entry>,
    /// The number that a path got last, by the path's hash.
    numbers: HashMap<(Sender, u64), u32>,
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    path: Box<[u8]>,
    checksum: Option<[u8; 32]>,
}

/// How many bytes of paths a connection may make us keep, with what each takes besides.
const MOST_BYTES: usize = 1 << 18;
const OVERHEAD: usize = 160;

impl Paths {
    pub(super) fn learn(
        &mut self,
        sender: Sender,
        id: u32,
        path: StrRef<'_>,
        checksum: Option<&[u8; 32]>,
    ) {
        let (path, checksum) = (path.as_bytes(), checksum.copied());
        let same = |entry: &Entry| *entry.path == *path && entry.checksum == checksum;
        if self.nodes.get(&(sender, id)).is_some_and(same) {
            return; // told again, as it is until it is confirmed
        }
        let cost = path.len().saturating_add(OVERHEAD);
        if cost > MOST_BYTES {
            return;
        }
        // No game has so many nodes that call: somebody fills memory. Start again.
        if self.bytes.saturating_add(cost) > MOST_BYTES {
            *self = Self::default();
        }
        self.bytes = self.bytes.saturating_add(cost);
        self.numbers.insert((sender, self.hash(path)), id);
        self.nodes.insert((sender, id), Entry { path: path.into(), checksum });
    }

    fn hash(&self, path: &[u8]) -> u64 {
        self.numbers.hasher().hash_one(path)
    }

    pub(super) fn known(&self) -> Known<'_> {
        Known(Some(self))
    }
}

/// To look numbers up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'a>(pub Option<&'a Paths>);

impl<'a> Known<'a> {
    fn entry(self, sender: Sender, id: u32) -> Option<&'a Entry> {
        self.0?.nodes.get(&(sender, id))
    }

    pub(super) fn id(self, sender: Sender, path: StrRef<'_>) -> Option<u32> {
        let paths = self.0?;
        let path = path.as_bytes();
        let id = *paths.numbers.get(&(sender, paths.hash(path)))?;
        (*self.entry(sender, id)?.path == *path).then_some(id)
    }

    pub(super) fn path(self, sender: Sender, id: u32) -> Option<StrRef<'a>> {
        self.entry(sender, id).map(|entry| StrRef::new(&entry.path))
    }

    pub(super) fn checksum(self, sender: Sender, id: u32) -> Option<&'a [u8; 32]> {
        self.entry(sender, id)?.checksum.as_ref()
    }
}
