//! Follows the ids of spawned nodes and of their synchronizers, to find state for unknown ids.

use super::findings::{Occurrence, Subject};
use super::scene::Scene;
use super::text::{MAX_TEXT, truncated};
use super::types::{Evidence, Fact, Problem, ReceivedState};
use crate::godot::multiplayer::godot4::{NetId, Spawn};
use crate::traffic::hash::RandomState;
use crate::traffic::record::Record;
use std::collections::HashMap;
use std::string::String;
use std::vec::Vec;

/// The peer that assigned an id: its side of the connection, and the peer id in the header of its
/// packets, or `None` if its packets are not relayed.
pub(super) type Owner = (bool, Option<i32>);

/// The spawned nodes of a connection.
#[derive(Debug, Default)]
pub(super) struct SpawnedNodes {
    nodes: HashMap<(Owner, u32), SpawnedNode, RandomState>,
    /// State of the synchronizers by id. An id may have several owners, and the owner of the id in
    /// a packet is not known, because a side may also synchronize what the other side has spawned.
    synchronizers: HashMap<u32, Vec<Synchronizer>, RandomState>,
}

#[derive(Debug)]
struct SpawnedNode {
    name: String,
    synchronizers: Vec<u32>,
}

#[derive(Debug)]
struct Synchronizer {
    owner: Owner,
    /// Id of the spawned node.
    node: u32,
    despawned: Option<Evidence>,
}

/// Maximum memory of a node in bytes, with the longest name and the maximum number of
/// synchronizers.
const NODE: usize = 160 + MAX_TEXT + 4 * MAX_SYNCHRONIZERS;
/// Memory of a synchronizer in bytes.
const SYNCHRONIZER: usize = 160;
/// Maximum number of synchronizers of a node. Further ones are not checked.
const MAX_SYNCHRONIZERS: usize = 64;
/// Maximum number of owners of an id.
const MAX_OWNERS: usize = 8;

impl SpawnedNodes {
    /// Adds a node. Returns the allocated memory.
    pub(super) fn spawn(
        &mut self,
        owner: Owner,
        spawn: &Spawn<'_>,
        scene: &mut Scene<'_, '_>,
    ) -> usize {
        let now = scene.now.evidence();
        let ids = spawn.synchronizers.iter().take(MAX_SYNCHRONIZERS).map(|id| id.get());
        let ids: Vec<u32> = ids.collect();
        let mut memory = 0_usize;
        for id in &ids {
            for subject in [Subject::Sync, Subject::Delta] {
                scene.findings.spawned(scene.key(subject, (*id).into()), now);
            }
            let owners = self.synchronizers.entry(*id).or_default();
            let is_full = owners.len() >= MAX_OWNERS;
            match owners.iter_mut().find(|known| known.owner == owner) {
                Some(known) => (known.node, known.despawned) = (spawn.net_id, None),
                None if !is_full => {
                    memory = memory.saturating_add(SYNCHRONIZER);
                    owners.push(Synchronizer { owner, node: spawn.net_id, despawned: None });
                }
                None => {}
            }
        }
        let name = truncated(spawn.name.as_bytes());
        let node = SpawnedNode { name, synchronizers: ids };
        match self.nodes.insert((owner, spawn.net_id), node) {
            Some(_) => memory,
            None => memory.saturating_add(NODE),
        }
    }

    /// Marks the synchronizers of a node as despawned.
    pub(super) fn despawn(&mut self, owner: Owner, net_id: u32, now: Evidence) {
        let Some(node) = self.nodes.get(&(owner, net_id)) else { return };
        for id in &node.synchronizers {
            let owners = self.synchronizers.get_mut(id).into_iter().flatten();
            for known in owners.filter(|known| known.owner == owner && known.node == net_id) {
                known.despawned = Some(now);
            }
        }
    }

    /// Reports the state in a SYNC or DELTA packet for ids that are not spawned.
    pub(super) fn state(
        &self,
        record: &Record<'_>,
        from_start: bool,
        knows_path: impl Fn(u32) -> bool,
        scene: &mut Scene<'_, '_>,
    ) {
        for state in record.node_states() {
            let (net_id, history) = match state.node {
                NetId::Synchronizer(id) => (id, self.history(id)),
                NetId::Cached(id) if knows_path(id) => continue,
                NetId::Cached(id) => (id | 1 << 31, History::Never),
            };
            let (received, despawned, name) = match history {
                History::Alive => continue,
                History::Despawned { at, name } => (ReceivedState::Despawned, Some(at), name),
                History::Never if from_start => (ReceivedState::NeverSpawned, None, None),
                History::Never => continue,
            };
            let is_delta = state.changed.is_some();
            let problem = Problem::UnknownNetId { net_id, state: received, is_delta };
            let despawned = despawned.map(|at| (Fact::Despawned, at));
            let sent = Some((Fact::State, scene.now.evidence()));
            let evidence: Vec<_> = [despawned, sent].into_iter().flatten().collect();
            let node = name.map(|name| truncated(name.as_bytes()));
            let once = Occurrence::once(problem, &evidence);
            let occurrence = Occurrence { peer: record.peer, node, ..once };
            let subject = if is_delta { Subject::Delta } else { Subject::Sync };
            scene.findings.add(scene.key(subject, net_id.into()), occurrence);
        }
    }

    fn history(&self, id: u32) -> History<'_> {
        let Some(owners) = self.synchronizers.get(&id) else { return History::Never };
        let mut newest = History::Never;
        for known in owners {
            let Some(at) = known.despawned else { return History::Alive };
            let node = self.nodes.get(&(known.owner, known.node));
            newest = History::Despawned { at, name: node.map(|node| node.name.as_str()) };
        }
        newest
    }
}

/// The history of a synchronizer.
enum History<'h> {
    Never,
    Alive,
    Despawned { at: Evidence, name: Option<&'h str> },
}
