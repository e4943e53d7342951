//! Nodes that this peer spawns.

use super::super::slots::{NodeId, SyncId};
use super::super::sorted::remove_unordered;
use super::super::{Peer, SendError};
use super::declare::{Scene, Spawner, Synchronizer};
use super::table::{Spawned, Sync};
use crate::godot::ToVariant;
use crate::godot::compact::CompactWriter;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A node to spawn.
pub(super) struct NewNode<'n> {
    pub spawner: NodeId,
    pub scene: Option<u8>,
    pub argument: Vec<u8>,
    pub name: &'n str,
    pub remote: i32,
}

impl Peer {
    /// Declares a spawner (`MultiplayerSpawner`).
    ///
    /// # Errors
    /// Returns the errors of [`add_node`](Self::add_node), and [`SendError::NoReplication`] for
    /// Godot 3, which has no spawners.
    pub fn add_spawner(&mut self, spawner: Spawner) -> Result<NodeId, SendError> {
        if self.is_godot3() {
            return Err(SendError::NoReplication);
        }
        let node = super::super::Node::new(spawner.path.clone()).authority(spawner.authority);
        let id = self.add_node(node)?;
        if let Some(entry) = self.nodes.get_mut(id) {
            entry.spawner = Some(Box::new(spawner));
        }
        Ok(id)
    }

    /// Declares a synchronizer (`MultiplayerSynchronizer`) of a node that is not spawned. Its path
    /// is relative to the node. The values of its properties are null until
    /// [`set_property`](Self::set_property) is called.
    ///
    /// # Errors
    /// Returns [`SendError::UnknownNode`] if the node is not declared, the errors of
    /// [`add_node`](Self::add_node), and [`SendError::NoReplication`] for Godot 3.
    pub fn add_synchronizer(
        &mut self,
        node: NodeId,
        synchronizer: &Synchronizer,
    ) -> Result<SyncId, SendError> {
        if self.is_godot3() {
            return Err(SendError::NoReplication);
        }
        self.synchronize(node, synchronizer, synchronizer.authority, false)
    }

    /// Creates a node of a spawner's scene. Set the properties of its synchronizers, and then call
    /// [`spawn`](Self::spawn).
    ///
    /// # Errors
    /// Returns [`SendError::UnknownNode`] if the spawner or the scene is not declared,
    /// [`SendError::Name`] if the name is not allowed, and the errors of
    /// [`add_node`](Self::add_node).
    pub fn create(&mut self, spawner: NodeId, scene: u8, name: &str) -> Result<NodeId, SendError> {
        let argument = Vec::new();
        self.create_node(NewNode { spawner, scene: Some(scene), argument, name, remote: 0 })
    }

    /// Creates a node by the spawn function of a spawner. `argument` is the argument of the function
    /// on the other peers; see [`create`](Self::create).
    ///
    /// # Errors
    /// Returns the errors of [`create`](Self::create). Also returns an error if the argument cannot
    /// be encoded.
    pub fn create_custom(
        &mut self,
        spawner: NodeId,
        argument: impl ToVariant,
        name: &str,
    ) -> Result<NodeId, SendError> {
        let mut bytes = Vec::new();
        CompactWriter::new(&mut bytes, self.config.engine).put(argument)?;
        self.create_node(NewNode { spawner, scene: None, argument: bytes, name, remote: 0 })
    }

    /// Declares a spawned node, its methods and its synchronizers.
    pub(super) fn create_node(&mut self, new: NewNode<'_>) -> Result<NodeId, SendError> {
        let NewNode { spawner, scene: index, argument, name, remote } = new;
        if !is_name(name) {
            return Err(SendError::Name);
        }
        let entry = self.nodes.get(spawner).ok_or(SendError::UnknownNode)?;
        let declared = entry.spawner.as_deref().ok_or(SendError::UnknownNode)?;
        let scene = declared.get(index).ok_or(SendError::UnknownNode)?.clone();
        let path = format!("{}/{name}", declared.spawn_path);
        let node = self.add_node(scene.node(path, root_authority(&scene, name)))?;
        let mut synchronizers = Vec::new();
        for synchronizer in &scene.synchronizers {
            let authority = authority(synchronizer, name);
            match self.synchronize(node, synchronizer, authority, true) {
                Ok(id) => synchronizers.push(id),
                Err(error) => {
                    synchronizers.iter().for_each(|id| self.remove_sync(*id));
                    self.forget(node);
                    return Err(error);
                }
            }
        }
        if let Some(entry) = self.nodes.get_mut(node) {
            let name = name.into();
            let spawned =
                Spawned { spawner, scene: index, argument, name, net_id: 0, synchronizers, remote };
            entry.spawned = Some(Box::new(spawned));
        }
        Ok(node)
    }

    /// Adds a synchronizer of a node.
    fn synchronize(
        &mut self,
        root: NodeId,
        declared: &Synchronizer,
        authority: i32,
        is_in_scene: bool,
    ) -> Result<SyncId, SendError> {
        let entry = self.nodes.get(root).ok_or(SendError::UnknownNode)?;
        let path = format!("{}/{}", entry.path, declared.path);
        let node = self.add_node(super::super::Node::new(path).authority(authority))?;
        // The tracked node of an inner synchronizer is not the root node of the scene.
        let is_of_root = !declared.is_by_path;
        let tracked = Some(root).filter(|_| is_of_root);
        let sync = self.syncs.add(Sync::new(declared, node, tracked, authority));
        if let Some(entry) = self.nodes.get_mut(node) {
            entry.synchronizer = Some(sync);
        }
        if let Some(entry) = self.nodes.get_mut(root).filter(|_| is_of_root) {
            entry.synchronizers.push(sync);
        }
        if !is_in_scene {
            self.update_sync_visibility(0, sync);
        }
        Ok(sync)
    }

    /// Returns the synchronizers of a node, in the order of their declaration. For a spawned node,
    /// these are all synchronizers of its scene.
    pub fn synchronizers(&self, node: NodeId) -> &[SyncId] {
        self.nodes.get(node).map_or(&[], |entry| match &entry.spawned {
            Some(spawned) => &spawned.synchronizers,
            None => &entry.synchronizers,
        })
    }

    /// Spawns a node that was [created](Self::create): peers that may see it get it now, and later
    /// ones when they connect.
    ///
    /// # Errors
    /// Returns [`SendError::UnknownNode`] if the node was not created, or was spawned already.
    /// Returns [`SendError::NotAuthority`] if this peer is not the authority of the spawner.
    pub fn spawn(&mut self, node: NodeId) -> Result<(), SendError> {
        let spawned = self.nodes.get(node).and_then(|entry| entry.spawned.as_deref());
        let spawned = spawned.filter(|spawned| spawned.remote == 0);
        let spawner = spawned.ok_or(SendError::UnknownNode)?.spawner;
        if self.spawned.contains(&node) {
            return Err(SendError::UnknownNode);
        }
        if self.nodes.get(spawner).map(|entry| entry.authority) != Some(self.id) {
            return Err(SendError::NotAuthority);
        }
        // In the engine, synchronizers start when they enter the tree, and the node is spawned when
        // it is ready.
        for index in 0..self.synchronizers(node).len() {
            if let Some(sync) = self.synchronizers(node).get(index).copied() {
                self.update_sync_visibility(0, sync);
            }
        }
        self.spawned.push(node);
        self.update_spawn_visibility(0, node);
        Ok(())
    }

    /// Removes a spawned node from this peer and from all peers that have it.
    ///
    /// # Errors
    /// Returns [`SendError::UnknownNode`] if the node was not created by this peer.
    pub fn despawn(&mut self, node: NodeId) -> Result<(), SendError> {
        let spawned = self.nodes.get(node).and_then(|entry| entry.spawned.as_deref());
        spawned.filter(|spawned| spawned.remote == 0).ok_or(SendError::UnknownNode)?;
        for index in 0..self.remotes.arrivals().len() {
            let Some(peer) = self.remotes.arrivals().get(index).copied() else { break };
            if self.remotes.get(peer).is_some_and(|remote| remote.has_spawned(node)) {
                self.send_despawn(node, peer);
            }
        }
        self.remove_spawned(node);
        Ok(())
    }

    /// Removes a spawned node and its synchronizers from the tables.
    pub(in super::super) fn remove_spawned(&mut self, node: NodeId) {
        let spawned = self.nodes.get_mut(node).and_then(|entry| entry.spawned.take());
        for sync in spawned.iter().flat_map(|spawned| &spawned.synchronizers) {
            self.remove_sync(*sync);
        }
        remove_unordered(&mut self.spawned, |other| *other == node);
        self.forget(node);
    }

    pub(in super::super) fn remove_sync(&mut self, id: SyncId) {
        if let Some(sync) = self.syncs.remove(id) {
            self.remotes.forget_sync(id);
            self.forget(sync.node);
        }
    }

    fn forget(&mut self, node: NodeId) {
        if self.nodes.remove(node).is_some() {
            self.remotes.forget_node(node);
        }
    }
}

/// Returns `true` if the engine accepts a name of a node in SPAWN.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['.', ':', '/', '"', '%', '\0'])
}

/// Returns the authority of the root node of a scene.
fn root_authority(scene: &Scene, name: &str) -> i32 {
    if scene.is_owned_by_name { peer_of_name(name) } else { 1 }
}

/// Returns the authority of a synchronizer in a scene.
pub(super) fn authority(synchronizer: &Synchronizer, name: &str) -> i32 {
    if synchronizer.is_owned_by_name { peer_of_name(name) } else { synchronizer.authority }
}

/// Returns the peer whose id is the name of a node, or the server.
fn peer_of_name(name: &str) -> i32 {
    name.parse().ok().filter(|peer| *peer > 0).unwrap_or(1)
}

/// Returns the name of a node as text.
pub(super) fn name_of(bytes: &[u8]) -> Option<String> {
    core::str::from_utf8(bytes).ok().filter(|name| is_name(name)).map(String::from)
}
