//! Properties that this peer sends.

use super::super::authenticate::SYSTEM;
use super::super::outbox::Cause;
use super::super::remote::{PathState, Watch};
use super::super::slots::SyncId;
use super::super::{Peer, SendError, TransferMode};
use super::declare::Replication;
use crate::godot::ToVariant;
use crate::godot::compact::CompactWriter;
use alloc::vec::Vec;

/// The commands of SYNC and of its form for changed properties.
const SYNC: u8 = 6;
const DELTA: u8 = 0x16;

/// Sizes of the headers of both packets.
const SYNC_HEAD: usize = 3;
const DELTA_HEAD: usize = 1;

impl Peer {
    /// Sets the value of a property of a synchronizer. `property` is its index in the declaration.
    /// The value is sent at the next tick.
    ///
    /// # Errors
    /// Returns [`SendError::UnknownNode`] if there is no such property, and an error if the value
    /// cannot be encoded.
    pub fn set_property(
        &mut self,
        sync: SyncId,
        property: usize,
        value: impl ToVariant,
    ) -> Result<(), SendError> {
        let mut bytes = self.take_packet();
        let written = CompactWriter::new(&mut bytes, self.config.engine).put(value);
        let frame = self.frame.saturating_add(1);
        let entry = self.syncs.get_mut(sync).and_then(|sync| sync.properties.get_mut(property));
        let is_known = entry.is_some();
        if let Some(entry) = entry.filter(|entry| written.is_ok() && entry.bytes != bytes) {
            entry.bytes.clear();
            entry.bytes.extend_from_slice(&bytes);
            entry.changed = frame;
        }
        self.packet = bytes;
        written?;
        if is_known { Ok(()) } else { Err(SendError::UnknownNode) }
    }

    /// Returns the index of a property by its name.
    pub fn property(&self, sync: SyncId, name: &str) -> Option<usize> {
        self.syncs.get(sync)?.properties.iter().position(|value| &*value.name == name)
    }

    /// Sends the properties that are due to all peers.
    pub(in super::super) fn replicate(&mut self) {
        self.frame = self.frame.saturating_add(1);
        for index in 0..self.remotes.arrivals().len() {
            let Some(peer) = self.remotes.arrivals().get(index).copied() else { break };
            let Some(remote) = self.remotes.get_mut(peer) else { continue };
            if remote.watched.is_empty() {
                continue;
            }
            remote.sync_time = remote.sync_time.wrapping_add(1);
            let time = remote.sync_time;
            let mut watched = core::mem::take(&mut remote.watched);
            self.send_sync(peer, time, &watched);
            self.send_delta(peer, &mut watched);
            if let Some(remote) = self.remotes.get_mut(peer) {
                remote.watched = watched;
            }
        }
    }

    /// Sends the properties that are always sent. A packet is not longer than
    /// [`Limits::sync`](super::super::Limits::sync), and a synchronizer that does not fit into one is
    /// not sent.
    fn send_sync(&mut self, peer: i32, time: u16, watched: &[Watch]) {
        let most = self.config.limits.sync;
        let [low, high] = time.to_le_bytes();
        let mut packet = core::mem::take(&mut self.update);
        packet.clear();
        packet.extend_from_slice(&[SYNC, low, high]);
        let mode = (TransferMode::Unreliable, 0);
        for watch in watched {
            let (frame, now) = (self.frame, self.now);
            let sync = self.syncs.get_mut(watch.sync);
            if !sync.is_some_and(|sync| sync.is_due(frame, now)) {
                continue;
            }
            let Some(net_id) = self.verified_net_id(peer, watch.sync) else { continue };
            let Some(sync) = self.syncs.get(watch.sync) else { continue };
            let size = sync.with_mode(Replication::Always).map(|value| value.bytes.len()).sum();
            if size == 0 || size > most {
                continue;
            }
            if packet.len().saturating_add(8).saturating_add(size) > most {
                self.send(Cause::Caller, mode, &[peer], &packet).ok();
                packet.truncate(SYNC_HEAD);
            }
            packet.extend_from_slice(&net_id.to_le_bytes());
            packet.extend_from_slice(&u32::try_from(size).unwrap_or(u32::MAX).to_le_bytes());
            let values = self.syncs.get(watch.sync).into_iter();
            values
                .flat_map(|sync| sync.with_mode(Replication::Always))
                .for_each(|value| packet.extend_from_slice(&value.bytes));
        }
        if packet.len() > SYNC_HEAD {
            self.send(Cause::Caller, mode, &[peer], &packet).ok();
        }
        self.update = packet;
    }

    /// Sends the properties that have changed since the last such packet to this peer.
    fn send_delta(&mut self, peer: i32, watched: &mut [Watch]) {
        let most = self.config.limits.delta;
        let mut packet = core::mem::take(&mut self.update);
        packet.clear();
        packet.push(DELTA);
        for watch in watched {
            let Some(net_id) = self.verified_net_id(peer, watch.sync) else { continue };
            let Some((changed, size)) = self.changes(watch) else { continue };
            if size > most {
                continue;
            }
            if packet.len().saturating_add(16).saturating_add(size) > most {
                self.send(Cause::Caller, SYSTEM, &[peer], &packet).ok();
                packet.truncate(DELTA_HEAD);
            }
            packet.extend_from_slice(&net_id.to_le_bytes());
            packet.extend_from_slice(&changed.to_le_bytes());
            packet.extend_from_slice(&u32::try_from(size).unwrap_or(u32::MAX).to_le_bytes());
            self.put_changes(watch, &mut packet);
            (watch.last_frame, watch.last_time) = (self.frame, self.now);
        }
        if packet.len() > DELTA_HEAD {
            self.send(Cause::Caller, SYSTEM, &[peer], &packet).ok();
        }
        self.update = packet;
    }

    /// Returns the bits of the changed properties and the size of their values, if there are any and
    /// if they are due.
    fn changes(&mut self, watch: &Watch) -> Option<(u64, usize)> {
        let (frame, now) = (self.frame, self.now);
        let sync = self.syncs.get_mut(watch.sync)?;
        // As in the engine, the interval is not checked for a peer if another peer has already got
        // changes in this frame.
        let is_early =
            watch.last_frame != 0 && now < watch.last_time.saturating_add(sync.delta_interval);
        if sync.watched_frame != frame && is_early {
            return None;
        }
        sync.watched_frame = frame;
        let (mut changed, mut size) = (0_u64, 0_usize);
        let values = sync.with_mode(Replication::OnChange);
        for (index, value) in (0..64).zip(values) {
            if value.changed > watch.last_frame {
                changed |= 1 << index;
                size = size.saturating_add(value.bytes.len());
            }
        }
        (changed != 0).then_some((changed, size))
    }

    fn put_changes(&self, watch: &Watch, packet: &mut Vec<u8>) {
        let Some(sync) = self.syncs.get(watch.sync) else { return };
        let values = sync.with_mode(Replication::OnChange).take(64);
        values
            .filter(|value| value.changed > watch.last_frame)
            .for_each(|value| packet.extend_from_slice(&value.bytes));
    }

    /// Returns the id of a synchronizer in packets. A synchronizer that was not spawned is announced
    /// by its path first. Returns `None` until the peer has confirmed the path.
    fn verified_net_id(&mut self, peer: i32, id: SyncId) -> Option<u32> {
        let sync = self.syncs.get(id)?;
        let (net_id, node) = (sync.net_id, sync.node);
        if net_id != 0 && net_id & HIGH_BIT == 0 {
            return Some(net_id);
        }
        if self.path_state(peer, node) != PathState::Confirmed {
            self.announce(node, &[peer]).ok()?;
            return None;
        }
        let number = self.nodes.cache_id(node)?;
        self.syncs.get_mut(id)?.net_id = number | HIGH_BIT;
        Some(number | HIGH_BIT)
    }
}

/// The bit that marks the number of a path instead of an id from SPAWN.
const HIGH_BIT: u32 = 1 << 31;
