//! The packets SPAWN and DESPAWN.

use super::super::Peer;
use super::super::authenticate::SYSTEM;
use super::super::outbox::Cause;
use super::super::slots::NodeId;

/// The command of SPAWN, the index that stands for a spawn function, and the command of DESPAWN.
const SPAWN: u8 = 4;
const CUSTOM: u8 = 0xFF;
const DESPAWN: u8 = 5;

impl Peer {
    /// Sends SPAWN to peers. The packet is written once.
    pub(super) fn send_spawn(&mut self, node: NodeId, peers: &[i32]) {
        let Some(spawner) = self.write_spawn(node) else { return };
        let packet = core::mem::take(&mut self.packet);
        for peer in peers {
            let sent = self.announce(spawner, &[*peer]).is_ok()
                && self.send(Cause::Caller, SYSTEM, &[*peer], &packet).is_ok();
            if let Some(remote) = self.remotes.get_mut(*peer).filter(|_| sent) {
                remote.set_spawned(node, true);
            }
        }
        self.packet = packet;
    }

    /// Writes SPAWN to the buffer, and returns the spawner. Assigns net ids to the node and to those
    /// of its synchronizers whose authority is this peer, if they have none.
    fn write_spawn(&mut self, node: NodeId) -> Option<NodeId> {
        let entry = self.nodes.get_mut(node)?;
        let spawned = entry.spawned.as_deref_mut()?;
        if spawned.net_id == 0 {
            self.last_net_id = self.last_net_id.wrapping_add(1);
            spawned.net_id = self.last_net_id;
        }
        let spawner = spawned.spawner;
        let id = self.nodes.cache_id(spawner)?;
        let mut packet = self.take_packet();
        let entry = self.nodes.get(node)?;
        let spawned = entry.spawned.as_deref()?;
        let count_at = packet.len().saturating_add(10);
        packet.extend_from_slice(&[SPAWN, spawned.scene.unwrap_or(CUSTOM)]);
        packet.extend_from_slice(&id.to_le_bytes());
        packet.extend_from_slice(&spawned.net_id.to_le_bytes());
        packet.extend_from_slice(&[0; 4]);
        let name_len = spawned.name.len().saturating_add(1);
        packet.extend_from_slice(&length(name_len));
        let mut count = 0_u32;
        for sync in &entry.synchronizers {
            let Some(sync) = self.syncs.get_mut(*sync) else { continue };
            if sync.authority != self.id {
                continue;
            }
            if sync.net_id == 0 {
                self.last_net_id = self.last_net_id.wrapping_add(1);
                sync.net_id = self.last_net_id;
            }
            packet.extend_from_slice(&sync.net_id.to_le_bytes());
            count = count.wrapping_add(1);
        }
        if let Some(place) = packet.get_mut(count_at..).and_then(<[u8]>::first_chunk_mut::<4>) {
            *place = count.to_le_bytes();
        }
        packet.extend_from_slice(spawned.name.as_bytes());
        packet.push(0);
        if spawned.scene.is_none() {
            packet.extend_from_slice(&length(spawned.argument.len()));
            packet.extend_from_slice(&spawned.argument);
        }
        for sync in entry.synchronizers.iter().filter_map(|sync| self.syncs.get(*sync)) {
            let values = sync.properties.iter().filter(|value| value.is_spawned);
            values
                .filter(|_| sync.authority == self.id)
                .for_each(|value| packet.extend_from_slice(&value.bytes));
        }
        self.packet = packet;
        Some(spawner)
    }

    /// Sends DESPAWN to a peer.
    pub(super) fn send_despawn(&mut self, node: NodeId, peer: i32) {
        let entry = self.nodes.get(node);
        let net_id = entry.and_then(|entry| entry.spawned.as_deref()).map_or(0, |at| at.net_id);
        let [a, b, c, d] = net_id.to_le_bytes();
        let sent = self.send(Cause::Answer, SYSTEM, &[peer], &[DESPAWN, a, b, c, d]);
        if let Some(remote) = self.remotes.get_mut(peer).filter(|_| sent.is_ok()) {
            remote.set_spawned(node, false);
        }
    }
}

/// Returns the bytes of a length. A packet with a longer part would not fit into the queue.
fn length(len: usize) -> [u8; 4] {
    u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes()
}
