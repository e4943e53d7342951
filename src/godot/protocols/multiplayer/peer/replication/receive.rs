//! Nodes and properties that other peers send.

use super::super::event::{Denied, Refusal};
use super::super::events::Record;
use super::super::receive::Verdict;
use super::super::slots::{NodeId, SyncId};
use super::super::{Peer, SendError};
use super::declare::{Replication, Scene};
use super::spawn::{NewNode, authority, name_of};
use crate::godot::Kind;
use crate::godot::multiplayer::Run;
use crate::godot::multiplayer::godot4::{Delta, NetId, Scene as SceneRef, Spawn, Sync};
use alloc::vec::Vec;

impl Peer {
    /// Processes SPAWN: declares the node, and reports it with its values.
    pub(in super::super) fn spawn_received<'a>(
        &mut self,
        from: i32,
        spawn: &Spawn<'a>,
    ) -> Verdict<'a> {
        let remote = self.remotes.get(from).ok_or(Refusal::UnknownPeer)?;
        let spawner = *remote.received.get(&spawn.spawner).ok_or(Refusal::UnknownNode)?;
        let denied = |why| Denied { node: Some(spawner), ..Denied::new(why) };
        let is_full = remote.received_nodes.len() >= self.config.limits.spawned as usize;
        if is_full || remote.received_nodes.get(&spawn.net_id).is_some() {
            return Err(denied(Refusal::NetId));
        }
        let scene = self.scene(from, spawner, spawn).map_err(denied)?;
        let name = name_of(spawn.name.as_bytes()).ok_or(denied(Refusal::Malformed))?;
        let own = |sync: &&super::declare::Synchronizer| {
            !sync.is_by_path && authority(sync, &name) == from
        };
        if scene.synchronizers.iter().filter(own).count() != spawn.synchronizers.len() {
            return Err(denied(Refusal::NetId));
        }
        let properties = scene.synchronizers.iter().filter(own).flat_map(|sync| &sync.properties);
        let kinds = properties.filter(|property| property.is_spawned).map(|property| property.kind);
        check_state(&spawn.state, kinds).map_err(denied)?;
        let (scene, argument) = match spawn.scene {
            SceneRef::Index(index) => (Some(index), None),
            SceneRef::Custom(argument) => (None, Some(argument)),
        };
        let argument_bytes = argument.map_or(&[][..], |argument| argument.as_bytes());
        if !self.has_room(argument_bytes.len().saturating_add(spawn.state.as_bytes().len())) {
            return Err(denied(Refusal::EventsFull));
        }
        let new = NewNode { spawner, scene, argument: Vec::new(), name: &name, remote: from };
        let node = self.create_node(new).map_err(|error| match error {
            SendError::TooManyNodes => denied(Refusal::TooManyNodes),
            _ => denied(Refusal::NetId),
        })?;
        self.take_net_ids(from, node, spawn);
        let argument = argument.map(|argument| (argument.stored(), argument_bytes.len()));
        let state = spawn.state.stored();
        let record = Record::Spawned { from, spawner, node, scene, argument, state };
        self.events.push_two(record, argument_bytes, spawn.state.as_bytes());
        self.show_own_synchronizers(node);
        Ok(())
    }

    /// Starts sending those synchronizers of a node whose authority is this peer, such as the input
    /// of a player.
    fn show_own_synchronizers(&mut self, node: NodeId) {
        for index in 0..self.synchronizers(node).len() {
            if let Some(sync) = self.synchronizers(node).get(index).copied() {
                self.update_sync_visibility(0, sync);
            }
        }
    }

    /// Returns the scene of a node to spawn, if the sender may spawn it.
    fn scene(&self, from: i32, spawner: NodeId, spawn: &Spawn<'_>) -> Result<&Scene, Refusal> {
        let entry = self.nodes.get(spawner).ok_or(Refusal::UnknownNode)?;
        let declared = entry.spawner.as_deref().ok_or(Refusal::UnknownNode)?;
        if entry.authority != from {
            return Err(Refusal::NotAuthority);
        }
        let index = match spawn.scene {
            SceneRef::Index(index) => Some(index),
            SceneRef::Custom(_) => None,
        };
        declared.get(index).ok_or(Refusal::UnknownNode)
    }

    /// Stores the net ids of a spawned node and of its synchronizers.
    fn take_net_ids(&mut self, from: i32, node: NodeId, spawn: &Spawn<'_>) {
        let Some(remote) = self.remotes.get_mut(from) else { return };
        remote.received_nodes.insert(spawn.net_id, node);
        let Some(entry) = self.nodes.get_mut(node) else { return };
        let mut ids = spawn.synchronizers.iter();
        for id in &entry.synchronizers {
            let Some(sync) = self.syncs.get_mut(*id).filter(|sync| sync.authority == from) else {
                continue;
            };
            let Some(net_id) = ids.next() else { return };
            sync.net_id = net_id.get();
            // A number that the peer uses twice stays with the first synchronizer.
            if remote.received_syncs.get(&net_id.get()).is_none() {
                remote.received_syncs.insert(net_id.get(), *id);
            }
        }
        if let Some(spawned) = entry.spawned.as_deref_mut() {
            spawned.net_id = spawn.net_id;
        }
    }

    /// Processes DESPAWN.
    pub(in super::super) fn despawn_received<'a>(&mut self, from: i32, net_id: u32) -> Verdict<'a> {
        let remote = self.remotes.get(from).ok_or(Refusal::UnknownPeer)?;
        let node = *remote.received_nodes.get(&net_id).ok_or(Refusal::NetId)?;
        self.report(Record::Despawned { from, node }, &[])?;
        self.remove_spawned(node);
        Ok(())
    }

    /// Removes all nodes that a peer has spawned, as the engine does when the peer leaves.
    pub(in super::super) fn remove_spawned_by(&mut self, peer: i32) {
        while let Some(node) =
            self.remotes.get(peer).and_then(|remote| remote.received_nodes.last())
        {
            self.events.push(Record::Despawned { from: peer, node }, &[]);
            self.remove_spawned(node);
            if let Some(remote) = self.remotes.get_mut(peer) {
                remote.received_nodes.retain(|_, other| *other != node);
            }
        }
    }

    /// Processes SYNC. As in the engine, records of unknown synchronizers are ignored, because the
    /// packet may arrive before the node is spawned.
    pub(in super::super) fn sync_received<'a>(
        &mut self,
        from: i32,
        sync: &Sync<'a>,
    ) -> Verdict<'a> {
        let mut verdict = Ok(());
        for record in sync.records {
            let record = record.map_err(|_| Refusal::Malformed)?;
            let Some(id) = self.find_sync(from, record.node) else { continue };
            let Some(entry) = self.syncs.get_mut(id) else { continue };
            if entry.authority != from {
                verdict = Err(denied_sync(entry.node, Refusal::NotAuthority));
                continue;
            }
            if !entry.is_newer(sync.time) {
                continue;
            }
            let kinds = entry.with_mode(Replication::Always).map(|value| value.kind);
            let node = entry.node;
            check_state(&record.state, kinds).map_err(|why| denied_sync(node, why))?;
            let values = record.state.stored();
            let record = (Record::Synchronized { from, sync: id, values }, record.state.as_bytes());
            self.report(record.0, record.1)?;
        }
        verdict
    }

    /// Processes the form of SYNC for changed properties.
    pub(in super::super) fn delta_received<'a>(
        &mut self,
        from: i32,
        delta: &Delta<'a>,
    ) -> Verdict<'a> {
        let mut verdict = Ok(());
        for record in delta.records {
            let record = record.map_err(|_| Refusal::Malformed)?;
            let Some(id) = self.find_sync(from, record.node) else {
                verdict = Err(Refusal::NetId.into());
                continue;
            };
            let Some(entry) = self.syncs.get(id) else { continue };
            let denied = |why| denied_sync(entry.node, why);
            if entry.authority != from {
                verdict = Err(denied(Refusal::NotAuthority));
                continue;
            }
            let all = entry.with_mode(Replication::OnChange).map(|value| value.kind);
            let known = all.clone().count();
            let changed = record.changed;
            if changed == 0 || known < 64 && changed >> known != 0 {
                return Err(denied(Refusal::Malformed));
            }
            let kinds = (0..64).zip(all).filter(|(index, _)| changed >> index & 1 != 0);
            check_state(&record.state, kinds.map(|(_, kind)| kind)).map_err(denied)?;
            let values = record.state.stored();
            let event = Record::Changed { from, sync: id, changed, values };
            self.report(event, record.state.as_bytes())?;
        }
        verdict
    }

    /// Returns the synchronizer that a record of a peer refers to.
    fn find_sync(&self, from: i32, id: NetId) -> Option<SyncId> {
        let remote = self.remotes.get(from)?;
        match id {
            NetId::Synchronizer(id) => remote.received_syncs.get(&id).copied(),
            NetId::Cached(id) => self.nodes.get(*remote.received.get(&id)?)?.synchronizer,
        }
    }
}

fn denied_sync<'a>(node: NodeId, why: Refusal) -> Denied<'a> {
    Denied { node: Some(node), ..Denied::new(why) }
}

/// Checks that a run has a value for each property, and that the values have the declared types.
fn check_state(state: &Run<'_>, kinds: impl Iterator<Item = Option<Kind>>) -> Result<(), Refusal> {
    let mut values = state.iter();
    for kind in kinds {
        match values.read_encoded() {
            Ok(Some(value)) if kind.is_none_or(|kind| kind == value.kind()) => {}
            Ok(Some(_)) => return Err(Refusal::WrongArguments),
            Ok(None) | Err(_) => return Err(Refusal::Malformed),
        }
    }
    Ok(())
}
