//! The other peers.

use super::event::Refusal;
use super::node::Rate;
use super::slots::{NodeId, SyncId};
use super::sorted::{Sorted, remove_unordered};
use alloc::vec::Vec;

/// The progress of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    #[default]
    Connected,
    /// `local`: this peer has completed the authentication. `remote`: the other peer has.
    Authenticating { local: bool, remote: bool },
}

/// The progress of announcing a path to a peer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum PathState {
    #[default]
    Unknown,
    /// SIMPLIFY_PATH was sent.
    Sent,
    /// CONFIRM_PATH has arrived.
    Confirmed,
}

/// A synchronizer whose properties are sent to a peer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    pub sync: SyncId,
    /// The frame and the time of the last packet with changed properties, or 0.
    pub last_frame: u64,
    pub last_time: u64,
}

/// The state of another peer.
#[derive(Debug, Default)]
pub(super) struct Remote {
    pub id: i32,
    pub phase: Phase,
    /// The time at which the connection began.
    pub since: u64,
    /// The paths announced to the peer, by node.
    sent: Vec<PathState>,
    /// The nodes that the peer has announced, by its numbers.
    pub received: Sorted<u32, NodeId>,
    /// For each limited method, the time in microseconds at which the next call is due if the peer
    /// calls at the highest rate. This is the generic cell rate algorithm.
    due: Vec<u64>,
    pub refused: Refused,
    /// `true` for each node that was spawned on the peer, by node.
    spawned: Vec<bool>,
    /// The synchronizers whose properties are sent to the peer, in the order of the engine's
    /// `HashSet`.
    pub watched: Vec<Watch>,
    /// The counter of the last SYNC to the peer.
    pub sync_time: u16,
    /// The nodes and the synchronizers that the peer has spawned, by net id.
    pub received_nodes: Sorted<u32, NodeId>,
    pub received_syncs: Sorted<u32, SyncId>,
}

/// Counts of refused packets.
#[derive(Debug, Default)]
pub(super) struct Refused {
    /// The reasons that have been reported since the last flush.
    reported: u32,
    counts: [u32; Refusal::COUNT],
}

impl Refused {
    /// Counts a refused packet. Returns `true` if it is the first one for this reason since the
    /// last flush, which is reported at once.
    pub(super) fn count(&mut self, why: Refusal) -> bool {
        let bit = 1 << why as u32;
        if self.reported & bit == 0 {
            self.reported |= bit;
            return true;
        }
        if let Some(count) = self.counts.get_mut(why as usize) {
            *count = count.saturating_add(1);
        }
        false
    }

    /// Returns `true` if no packet was refused since the last flush.
    pub(super) fn is_flushed(&self) -> bool {
        self.reported == 0
    }

    /// Resets the counts, and calls `report` for each that is not 0.
    pub(super) fn flush(&mut self, mut report: impl FnMut(Refusal, u32)) {
        if self.is_flushed() {
            return;
        }
        for (why, count) in Refusal::ALL.into_iter().zip(&mut self.counts) {
            if *count != 0 {
                report(why, *count);
                *count = 0;
            }
        }
        self.reported = 0;
    }
}

impl Remote {
    /// Resets a slot for a new peer, and keeps its memory.
    fn reset(&mut self, id: i32, phase: Phase, since: u64) {
        self.id = id;
        self.phase = phase;
        self.since = since;
        self.sent.fill(PathState::Unknown);
        self.received.retain(|_, _| false);
        self.due.fill(0);
        self.refused = Refused::default();
        self.spawned.fill(false);
        self.watched.clear();
        self.sync_time = 0;
        self.received_nodes.retain(|_, _| false);
        self.received_syncs.retain(|_, _| false);
    }

    /// Makes room for a number of nodes and of rate limiters.
    fn reserve(&mut self, nodes: usize, limiters: usize) {
        let (nodes, limiters) = (nodes.max(self.sent.len()), limiters.max(self.due.len()));
        self.sent.resize(nodes, PathState::Unknown);
        self.due.resize(limiters, 0);
        self.spawned.resize(nodes, false);
    }

    /// Returns `true` if a node was spawned on the peer.
    pub(super) fn has_spawned(&self, node: NodeId) -> bool {
        self.spawned.get(node.index()).is_some_and(|is_spawned| *is_spawned)
    }

    pub(super) fn set_spawned(&mut self, node: NodeId, is_spawned: bool) {
        if let Some(place) = self.spawned.get_mut(node.index()) {
            *place = is_spawned;
        }
    }

    /// Starts or stops sending a synchronizer to the peer.
    pub(super) fn watch(&mut self, sync: SyncId, is_watched: bool) {
        let has = self.watched.iter().any(|watch| watch.sync == sync);
        match (has, is_watched) {
            (false, true) => self.watched.push(Watch { sync, last_frame: 0, last_time: 0 }),
            (true, false) => drop(remove_unordered(&mut self.watched, |watch| watch.sync == sync)),
            _ => {}
        }
    }

    pub(super) fn path(&self, node: NodeId) -> PathState {
        self.sent.get(node.index()).copied().unwrap_or_default()
    }

    pub(super) fn set_path(&mut self, node: NodeId, state: PathState) {
        if let Some(place) = self.sent.get_mut(node.index()) {
            *place = state;
        }
    }

    /// Forgets a node that is removed.
    fn forget_node(&mut self, node: NodeId) {
        self.set_path(node, PathState::Unknown);
        self.set_spawned(node, false);
        self.received.retain(|_, other| *other != node);
        self.received_nodes.retain(|_, other| *other != node);
    }

    /// Returns `true` if a call is within the rate, and counts it. `now` is in milliseconds.
    pub(super) fn is_within_rate(&mut self, limiter: usize, rate: Rate, now: u64) -> bool {
        let Some(due) = self.due.get_mut(limiter) else { return false };
        let now = now.saturating_mul(1000);
        // After the end of time, no call is within the rate.
        if *due > now.saturating_add(rate.tolerance) || *due == u64::MAX {
            return false;
        }
        *due = (*due).max(now).saturating_add(rate.interval);
        true
    }
}

/// All other peers.
#[derive(Debug, Default)]
pub(super) struct Remotes {
    slots: Vec<Remote>,
    free: Vec<usize>,
    by_id: Sorted<i32, usize>,
    /// Connected peers in the order in which the engine sends to them. The engine keeps them in a
    /// `HashSet`: a new peer is appended, and the last one takes the place of a removed one.
    connected: Vec<i32>,
    /// Connected peers in the order in which the engine sends them properties: that of a `HashMap`,
    /// in which they keep the order of their arrival.
    arrivals: Vec<i32>,
}

impl Remotes {
    pub(super) fn len(&self) -> usize {
        self.by_id.len()
    }

    pub(super) fn get(&self, id: i32) -> Option<&Remote> {
        self.slots.get(*self.by_id.get(&id)?)
    }

    pub(super) fn get_mut(&mut self, id: i32) -> Option<&mut Remote> {
        self.slots.get_mut(*self.by_id.get(&id)?)
    }

    /// Adds a peer that is not in the table.
    pub(super) fn add(
        &mut self,
        id: i32,
        phase: Phase,
        now: u64,
        (nodes, limiters): (usize, usize),
    ) {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Remote::default());
            self.slots.len().saturating_sub(1)
        });
        self.by_id.insert(id, slot);
        if let Some(remote) = self.slots.get_mut(slot) {
            remote.reset(id, phase, now);
            remote.reserve(nodes, limiters);
        }
    }

    pub(super) fn remove(&mut self, id: i32) {
        if let Some(slot) = self.by_id.get(&id).copied() {
            self.by_id.retain(|other, _| *other != id);
            self.free.push(slot);
        }
        remove_unordered(&mut self.connected, |other| *other == id);
        self.arrivals.retain(|other| *other != id);
    }

    /// Marks a peer in the table as connected.
    pub(super) fn connect(&mut self, id: i32) {
        if let Some(remote) = self.get_mut(id) {
            remote.phase = Phase::Connected;
        }
        self.connected.push(id);
        self.arrivals.push(id);
    }

    pub(super) fn connected(&self) -> &[i32] {
        &self.connected
    }

    pub(super) fn arrivals(&self) -> &[i32] {
        &self.arrivals
    }

    pub(super) fn is_connected(&self, id: i32) -> bool {
        self.get(id).is_some_and(|remote| remote.phase == Phase::Connected)
    }

    /// Iterates over all peers, connected or not.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Remote> {
        self.by_id.values().filter_map(|slot| self.slots.get(*slot))
    }

    /// Makes room in all peers for a number of nodes and of rate limiters.
    pub(super) fn reserve(&mut self, nodes: usize, limiters: usize) {
        self.slots.iter_mut().for_each(|remote| remote.reserve(nodes, limiters));
    }

    pub(super) fn forget_node(&mut self, node: NodeId) {
        self.slots.iter_mut().for_each(|remote| remote.forget_node(node));
    }

    pub(super) fn forget_sync(&mut self, sync: SyncId) {
        for remote in &mut self.slots {
            remote.watch(sync, false);
            remote.received_syncs.retain(|_, other| *other != sync);
        }
    }

    /// Stops sending a synchronizer to all peers.
    pub(super) fn forget_watch(&mut self, sync: SyncId) {
        self.slots.iter_mut().for_each(|remote| remote.watch(sync, false));
    }

    pub(super) fn clear(&mut self) {
        self.by_id.retain(|_, _| false);
        self.connected.clear();
        self.arrivals.clear();
        self.free.clear();
        self.free.extend(0..self.slots.len());
    }
}
