//! Which numbers stand for which nodes, told by the packets that have come by.

use super::record::Node;
use crate::godot::StrRef;
use foldhash::fast::RandomState;
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
    nodes: HashMap<(Sender, u32), Entry, RandomState>,
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    path: Box<[u8]>,
    checksum: Option<[u8; 32]>,
}

/// How many bytes of paths a connection may make us keep, with what each takes besides.
const MOST_BYTES: usize = 1 << 18;
const OVERHEAD: usize = 128;
/// For so many nodes there stays room when all are forgotten.
const KEPT: usize = 32;

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
            self.clear();
        }
        self.bytes = self.bytes.saturating_add(cost);
        self.nodes.insert((sender, id), Entry { path: path.into(), checksum });
    }

    pub(super) fn known(&self) -> Known<'_> {
        Known(Some(self))
    }

    /// How many bytes of memory it has, about.
    pub(super) fn memory(&self) -> usize {
        self.bytes
    }

    /// Forgets all, and keeps some of the memory for what comes.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.shrink_to(KEPT);
        self.bytes = 0;
    }
}

/// To look numbers up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'a>(pub Option<&'a Paths>);

impl<'a> Known<'a> {
    /// What the sender has told of a number.
    pub(super) fn node(self, sender: Sender, id: u32) -> Node<'a> {
        let entry = self.0.and_then(|paths| paths.nodes.get(&(sender, id)));
        Node {
            id: Some(id),
            path: entry.map(|entry| StrRef::new(&entry.path)),
            checksum: entry.and_then(|entry| entry.checksum.as_ref()),
        }
    }
}
