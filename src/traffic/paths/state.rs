//! The state of [`Paths`] in a form that can be stored.

use super::{MAX_BYTES, MAX_PATH, OVERHEAD, Paths, Sender};
use crate::godot::StrRef;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The stored state of [`Paths`].
#[derive(Deserialize, Serialize)]
pub(in super::super) struct PathsState {
    nodes: Vec<NodeState>,
    cost: u32,
}

/// A node, and the number that a peer has assigned to it.
#[derive(Deserialize, Serialize)]
struct NodeState {
    side: bool,
    peer: Option<i32>,
    id: u32,
    path: Vec<u8>,
    checksum: Option<[u8; 32]>,
    /// `true` if this number is the last one that was assigned to the path.
    is_last: bool,
}

impl Paths {
    /// Returns the nodes in the order of their senders and numbers.
    pub(in super::super) fn state(&self) -> PathsState {
        let mut nodes: Vec<_> = self.nodes.iter().collect();
        nodes.sort_unstable_by_key(|((sender, id), _)| (sender.side, sender.peer, *id));
        let node = |(&(sender, id), entry): (&(Sender, u32), &super::Entry)| {
            let path = self.path(entry);
            let last = self.numbers.get(&(sender, self.hash(path)));
            let (path, is_last) = (path.to_vec(), last == Some(&id));
            let Sender { side, peer } = sender;
            NodeState { side, peer, id, path, checksum: entry.checksum, is_last }
        };
        PathsState { nodes: nodes.into_iter().map(node).collect(), cost: self.cost as u32 }
    }

    /// Restores the paths. Returns `None` if they exceed a limit or the stated cost.
    pub(in super::super) fn restore(state: PathsState) -> Option<Self> {
        let PathsState { nodes, cost } = state;
        let cost = usize::try_from(cost).ok()?;
        let own = |node: &NodeState| node.path.len().saturating_add(OVERHEAD);
        let sum = nodes.iter().map(own).fold(0, usize::saturating_add);
        if sum > cost || cost > MAX_BYTES || nodes.iter().any(|node| node.path.len() > MAX_PATH) {
            return None;
        }
        let mut paths = Self::default();
        // The last number of each path is inserted last, and replaces the others.
        let (last, others): (Vec<_>, Vec<_>) = nodes.into_iter().partition(|node| node.is_last);
        for node in others.into_iter().chain(last) {
            let NodeState { side, peer, id, path, checksum, is_last } = node;
            let (sender, path) = (Sender { side, peer }, StrRef::new(&path));
            paths.insert(sender, id, path, checksum.as_ref());
            if !is_last {
                paths.numbers.remove(&(sender, paths.hash(path.as_bytes())));
            }
        }
        paths.cost = cost;
        Some(paths)
    }
}
