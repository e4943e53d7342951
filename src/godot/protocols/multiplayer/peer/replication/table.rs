//! The table of synchronizers.

use super::super::slots::{NodeId, Slots, SyncId};
use super::super::sorted::remove_unordered;
use super::declare::{Property, Replication, Synchronizer};
use crate::godot::Kind;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// How a node was spawned.
#[derive(Debug)]
pub(in super::super) struct Spawned {
    pub spawner: NodeId,
    /// The index of the scene, or `None` for the spawn function.
    pub scene: Option<u8>,
    /// The encoded argument of the spawn function.
    pub argument: Vec<u8>,
    pub name: Box<str>,
    pub net_id: u32,
    /// All synchronizers of the scene, also those of inner nodes.
    pub synchronizers: Vec<SyncId>,
    /// The peer that has spawned the node, or 0 for this peer.
    pub remote: i32,
}

/// A synchronizer with the values of its properties.
#[derive(Debug)]
pub(in super::super) struct Sync {
    /// The node of the synchronizer itself.
    pub node: NodeId,
    /// The spawned node to which it belongs.
    pub root: Option<NodeId>,
    pub authority: i32,
    pub interval: u64,
    pub delta_interval: u64,
    pub properties: Vec<Value>,
    /// The id from SPAWN, or 0.
    pub net_id: u32,
    pub is_public: bool,
    /// The peers to which it is visible in any case.
    pub visible_to: Vec<i32>,
    /// The frame and the time of the last update.
    pub last_frame: u64,
    pub last_time: u64,
    /// The last frame in which changed properties were looked for.
    pub watched_frame: u64,
    /// The counter in the last accepted SYNC.
    pub inbound_time: u16,
}

/// A property and its encoded value.
#[derive(Debug)]
pub(in super::super) struct Value {
    pub name: Box<str>,
    pub is_spawned: bool,
    pub mode: Replication,
    pub kind: Option<Kind>,
    pub bytes: Vec<u8>,
    /// The first frame that sends the value.
    pub changed: u64,
}

impl Value {
    fn new(property: &Property) -> Self {
        let Property { is_spawned, mode, kind, .. } = *property;
        let name = property.name.as_str().into();
        Self { name, is_spawned, mode, kind, bytes: Vec::from([0; 4]), changed: 1 }
    }
}

impl Sync {
    pub(in super::super) fn new(
        declared: &Synchronizer,
        node: NodeId,
        root: Option<NodeId>,
        authority: i32,
    ) -> Self {
        Self {
            node,
            root,
            authority,
            interval: declared.interval,
            delta_interval: declared.delta_interval,
            properties: declared.properties.iter().map(Value::new).collect(),
            net_id: 0,
            is_public: declared.is_public,
            visible_to: Vec::new(),
            last_frame: 0,
            last_time: 0,
            watched_frame: 0,
            inbound_time: 0,
        }
    }

    /// Returns `true` if a peer may see the synchronizer.
    pub(in super::super) fn is_visible_to(&self, peer: i32) -> bool {
        self.is_public || self.visible_to.contains(&peer)
    }

    /// Returns the properties with this mode.
    pub(in super::super) fn with_mode(
        &self,
        mode: Replication,
    ) -> impl Iterator<Item = &Value> + Clone {
        self.properties.iter().filter(move |value| value.mode == mode)
    }

    /// Returns `true` if the properties that are always sent are due in this frame. As in the engine,
    /// a frame that has begun to send them sends them to all peers.
    pub(in super::super) fn is_due(&mut self, frame: u64, now: u64) -> bool {
        if self.last_frame == frame {
            return true;
        }
        if self.last_frame != 0 && now < self.last_time.saturating_add(self.interval) {
            return false;
        }
        (self.last_frame, self.last_time) = (frame, now);
        true
    }

    /// Returns `true` if a SYNC with this counter is newer than the last one, and stores it.
    pub(in super::super) fn is_newer(&mut self, time: u16) -> bool {
        let last = self.inbound_time;
        if time <= last && last.wrapping_sub(time) < 0x7FFF {
            return false;
        }
        self.inbound_time = time;
        true
    }
}

/// The declared synchronizers.
#[derive(Debug, Default)]
pub(in super::super) struct Syncs {
    slots: Slots<Sync>,
    /// All synchronizers in the order of the engine's `HashSet`.
    pub order: Vec<SyncId>,
}

impl Syncs {
    pub(in super::super) fn add(&mut self, sync: Sync) -> SyncId {
        let id = SyncId(self.slots.add(sync));
        self.order.push(id);
        id
    }

    pub(in super::super) fn remove(&mut self, id: SyncId) -> Option<Sync> {
        remove_unordered(&mut self.order, |other| *other == id);
        self.slots.remove(id.0)
    }

    pub(in super::super) fn get(&self, id: SyncId) -> Option<&Sync> {
        self.slots.get(id.0)
    }

    pub(in super::super) fn get_mut(&mut self, id: SyncId) -> Option<&mut Sync> {
        self.slots.get_mut(id.0)
    }

    /// Forgets net ids and counters of updates.
    pub(in super::super) fn reset(&mut self) {
        for sync in self.slots.iter_mut() {
            (sync.net_id, sync.inbound_time) = (0, 0);
            (sync.last_frame, sync.last_time) = (0, 0);
        }
    }
}
