//! The peers that may see a spawned node or a synchronizer.

use super::super::Peer;
use super::super::slots::{NodeId, SyncId};
use super::table::Sync;

impl Peer {
    /// Makes a synchronizer visible to all peers, or only to those for which
    /// [`set_visible_for`](Self::set_visible_for) makes it visible (`public_visibility`). A spawned
    /// node exists on the peers that may see one of its synchronizers.
    pub fn set_public(&mut self, sync: SyncId, is_public: bool) {
        match self.syncs.get_mut(sync) {
            Some(entry) if entry.is_public != is_public => entry.is_public = is_public,
            _ => return,
        }
        self.visibility_changed(0, sync);
    }

    /// Makes a synchronizer visible to a peer, or undoes this (`set_visibility_for`). If the
    /// synchronizer is public, all peers see it in any case.
    pub fn set_visible_for(&mut self, sync: SyncId, peer: i32, is_visible: bool) {
        let Some(entry) = self.syncs.get_mut(sync) else { return };
        if peer <= 0 || entry.visible_to.contains(&peer) == is_visible {
            return;
        }
        match is_visible {
            true => entry.visible_to.push(peer),
            false => entry.visible_to.retain(|other| *other != peer),
        }
        self.visibility_changed(peer, sync);
    }

    /// Returns `true` if a peer may see a synchronizer.
    pub fn is_visible_to(&self, sync: SyncId, peer: i32) -> bool {
        self.syncs.get(sync).is_some_and(|sync| sync.is_visible_to(peer))
    }

    fn visibility_changed(&mut self, peer: i32, sync: SyncId) {
        let root = self.syncs.get(sync).and_then(|sync| sync.root);
        let is_connected = peer == 0 || self.remotes.is_connected(peer);
        if let Some(root) = root.filter(|root| is_connected && self.spawned.contains(root)) {
            self.update_spawn_visibility(peer, root);
        }
        self.update_sync_visibility(peer, sync);
    }

    /// Shows a peer everything that it may see.
    pub(in super::super) fn show_all(&mut self, peer: i32) {
        for index in 0..self.spawned.len() {
            if let Some(node) = self.spawned.get(index).copied() {
                self.update_spawn_visibility(peer, node);
            }
        }
        for index in 0..self.syncs.order.len() {
            if let Some(sync) = self.syncs.order.get(index).copied() {
                self.update_sync_visibility(peer, sync);
            }
        }
    }

    /// Returns `true` if a peer may see a node that this peer has spawned: if it may see one of its
    /// synchronizers whose authority is this peer, or if there are none.
    fn may_see(&self, peer: i32, node: NodeId) -> bool {
        let Some(entry) = self.nodes.get(node) else { return false };
        let mut own = entry.synchronizers.iter().filter_map(|sync| self.syncs.get(*sync));
        let mut has_own = false;
        let is_visible = own.any(|sync| {
            let is_own = sync.authority == self.id;
            has_own |= is_own;
            is_own && sync.is_visible_to(peer)
        });
        is_visible || !has_own
    }

    /// Spawns or despawns a node on a peer, or on all peers if `peer` is 0, after its visibility may
    /// have changed.
    pub(super) fn update_spawn_visibility(&mut self, peer: i32, node: NodeId) {
        let mut peers = core::mem::take(&mut self.visible_peers);
        peers.clear();
        let arrivals = self.remotes.arrivals().iter().copied();
        peers.extend(arrivals.filter(|other| peer == 0 || *other == peer));
        let has = |remotes: &super::super::remote::Remotes, peer: i32| {
            remotes.get(peer).is_some_and(|remote| remote.has_spawned(node))
        };
        for peer in &peers {
            if has(&self.remotes, *peer) && !self.may_see(*peer, node) {
                self.send_despawn(node, *peer);
            }
        }
        peers.retain(|peer| !has(&self.remotes, *peer) && self.may_see(*peer, node));
        if !peers.is_empty() {
            self.send_spawn(node, &peers);
        }
        self.visible_peers = peers;
    }

    /// Starts or stops sending the properties of a synchronizer to a peer, or to all peers if `peer`
    /// is 0.
    pub(super) fn update_sync_visibility(&mut self, peer: i32, id: SyncId) {
        let Some(sync) = self.syncs.get(id) else { return };
        if sync.authority != self.id {
            return;
        }
        for index in 0..self.remotes.arrivals().len() {
            let other = self.remotes.arrivals().get(index).copied();
            let Some(other) = other.filter(|other| peer == 0 || *other == peer) else { continue };
            let is_visible = sync.is_visible_to(other);
            if let Some(remote) = self.remotes.get_mut(other) {
                remote.watch(id, is_visible);
            }
        }
    }

    /// Returns `true` if a peer may be called on a node: if it may see a synchronizer of it, or if
    /// there are none. For a node that this peer has spawned, it must have been sent to the peer.
    pub(in super::super) fn is_callable(&self, peer: i32, node: NodeId) -> bool {
        let Some(entry) = self.nodes.get(node) else { return false };
        if entry.synchronizers.is_empty() {
            return true;
        }
        match &entry.spawned {
            Some(spawned) if spawned.remote == peer => true,
            Some(spawned) if spawned.remote == 0 => {
                self.remotes.get(peer).is_some_and(|remote| remote.has_spawned(node))
            }
            _ => {
                let mut syncs = entry.synchronizers.iter().filter_map(|sync| self.syncs.get(*sync));
                syncs.any(|sync: &Sync| sync.is_visible_to(peer))
            }
        }
    }

    /// Changes the authority of a synchronizer. This sends nothing: scripts make the same change on
    /// each side.
    pub fn set_sync_authority(&mut self, sync: SyncId, peer: i32) {
        if let Some(entry) = self.syncs.get_mut(sync) {
            entry.authority = peer;
        }
        if peer != self.id {
            self.remotes.forget_watch(sync);
        }
        self.update_sync_visibility(0, sync);
    }
}
