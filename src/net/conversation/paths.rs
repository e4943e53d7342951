//! Which numbers stand for which nodes, told by the packets that have come by.

use crate::godot::StrRef;
use core::ops::Range;
use std::collections::HashMap;
use std::vec::Vec;

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
    /// All paths that were told, one behind the other.
    text: Vec<u8>,
}

#[derive(Debug)]
struct Entry {
    path: Range<usize>,
    checksum: Option<[u8; 32]>,
}

/// How many bytes of paths a connection may make us keep, with what each takes besides.
const MOST_BYTES: usize = 1 << 18;
const OVERHEAD: usize = 128;

impl Paths {
    pub(super) fn learn(
        &mut self,
        sender: Sender,
        id: u32,
        path: StrRef<'_>,
        checksum: Option<&[u8; 32]>,
    ) {
        let (path, checksum) = (path.as_bytes(), checksum.copied());
        let same = |entry: &Entry| self.path(entry) == path && entry.checksum == checksum;
        if self.nodes.get(&(sender, id)).is_some_and(same) {
            return; // told again, as it is until it is confirmed
        }
        let cost = path.len().saturating_add(OVERHEAD);
        if cost > MOST_BYTES {
            return;
        }
        // No game has so many nodes that call: somebody fills memory. Start again.
        if self.cost().saturating_add(cost) > MOST_BYTES {
            self.clear();
        }
        let start = self.text.len();
        self.text.extend_from_slice(path);
        let path = start..self.text.len();
        self.nodes.insert((sender, id), Entry { path, checksum });
    }

    /// Forgets everything, and keeps the memory for another connection.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.text.clear();
    }

    pub(super) fn memory(&self) -> usize {
        self.text.capacity().saturating_add(super::table(&self.nodes))
    }

    fn cost(&self) -> usize {
        self.nodes.len().saturating_mul(OVERHEAD).saturating_add(self.text.len())
    }

    fn path(&self, entry: &Entry) -> &[u8] {
        self.text.get(entry.path.clone()).unwrap_or_default()
    }

    pub(super) fn known(&self) -> Known<'_> {
        Known(Some(self))
    }
}

/// To look numbers up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'a>(pub Option<&'a Paths>);

impl<'a> Known<'a> {
    fn entry(self, sender: Sender, id: u32) -> Option<(&'a Paths, &'a Entry)> {
        Some((self.0?, self.0?.nodes.get(&(sender, id))?))
    }

    pub(super) fn path(self, sender: Sender, id: u32) -> Option<StrRef<'a>> {
        self.entry(sender, id).map(|(paths, entry)| StrRef::new(paths.path(entry)))
    }

    pub(super) fn checksum(self, sender: Sender, id: u32) -> Option<&'a [u8; 32]> {
        self.entry(sender, id)?.1.checksum.as_ref()
    }
}
