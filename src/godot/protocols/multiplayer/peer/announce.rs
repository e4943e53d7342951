//! Numbers of nodes: SIMPLIFY_PATH and CONFIRM_PATH.

use super::authenticate::SYSTEM;
use super::event::Denied;
use super::events::Record;
use super::outbox::Cause;
use super::receive::Verdict;
use super::remote::PathState;
use super::slots::NodeId;
use super::{Peer, Refusal, SendError};
use crate::godot::multiplayer::NodeRef;
use crate::godot::multiplayer::godot4::{ConfirmPath, Packet, PacketWriter, SimplifyPath};
use crate::godot::{StrRef, Target};

impl Peer {
    /// Processes SIMPLIFY_PATH: a peer has assigned a number to a node. Answers whether the node has
    /// the same remote methods here.
    pub(super) fn path_announced<'a>(
        &mut self,
        from: i32,
        announcement: &SimplifyPath<'a>,
    ) -> Verdict<'a> {
        let SimplifyPath { checksum, id, path } = *announcement;
        let node = self.find_path(path)?;
        let is_same = self.nodes.get(node).is_some_and(|entry| entry.checksum == *checksum);
        let Some(remote) = self.remotes.get_mut(from) else {
            return Err(Refusal::UnknownPeer.into());
        };
        if remote.received.get(&id).is_some() {
            return Err(Denied { node: Some(node), ..Denied::new(Refusal::DuplicateNumber) });
        }
        // A peer assigns a second number to a path only if it has created the node anew. It no
        // longer uses the first one, so the table has at most one entry for each declared node.
        remote.received.retain(|_, other| *other != node);
        remote.received.insert(id, node);
        self.confirm_path(from, is_same, id, path)?;
        match is_same {
            true => Ok(()),
            false => self.report(Record::DifferentMethods { peer: from, node }, &[]),
        }
    }

    fn confirm_path<'a>(
        &mut self,
        to: i32,
        checksum_ok: bool,
        id: u32,
        path: StrRef<'_>,
    ) -> Verdict<'a> {
        let node = match self.config.engine == Target::GODOT4_0 {
            true => NodeRef::Path(path),
            false => NodeRef::Cached(id),
        };
        let mut packet = self.take_packet();
        let answer = Packet::ConfirmPath(ConfirmPath { checksum_ok, node });
        let written = PacketWriter::new(&mut packet, self.config.engine).put(&answer);
        let sent = self.send(Cause::Answer, SYSTEM, &[to], &packet);
        self.packet = packet;
        match (written, sent) {
            (Ok(()), Ok(())) => Ok(()),
            (Err(_), _) => Err(Refusal::Malformed.into()),
            (_, Err(_)) => Err(Refusal::OutgoingFull.into()),
        }
    }

    /// Processes CONFIRM_PATH: a peer knows the number of a node.
    pub(super) fn path_confirmed<'a>(
        &mut self,
        from: i32,
        answer: &ConfirmPath<'a>,
    ) -> Verdict<'a> {
        let node = match answer.node {
            NodeRef::Path(path) => self.find_path(path)?,
            // The node may have been removed in the meantime.
            NodeRef::Cached(id) => match self.nodes.by_cache_id(id) {
                None => return Ok(()),
                Some(node) => node,
            },
        };
        // As in the engine, the number is used even if the methods differ.
        self.number_confirmed(from, node)?;
        match answer.checksum_ok {
            true => Ok(()),
            false => self.report(Record::DifferentMethods { peer: from, node }, &[]),
        }
    }

    /// Stores that a peer knows the number of a node.
    pub(super) fn number_confirmed<'a>(&mut self, from: i32, node: NodeId) -> Verdict<'a> {
        let remote = self.remotes.get_mut(from).ok_or(Refusal::UnknownPeer)?;
        if remote.path(node) == PathState::Unknown {
            return Err(Denied { node: Some(node), ..Denied::new(Refusal::NotAnnounced) });
        }
        remote.set_path(node, PathState::Confirmed);
        Ok(())
    }

    /// Returns the declared node with a path from a packet.
    pub(super) fn find_path<'a>(&self, path: StrRef<'a>) -> Result<NodeId, Denied<'a>> {
        let found = self.nodes.by_path(path.as_bytes(), &self.config.root);
        found.ok_or(Denied { path, ..Denied::new(Refusal::UnknownNode) })
    }

    /// Announces a node to those receivers that do not know it yet. Returns its number, and `true`
    /// if all receivers have confirmed it.
    pub(super) fn announce(
        &mut self,
        node: NodeId,
        receivers: &[i32],
    ) -> Result<(u32, bool), SendError> {
        let id = self.nodes.cache_id(node).ok_or(SendError::NumbersExhausted)?;
        let mut are_confirmed = true;
        for peer in receivers {
            match self.path_state(*peer, node) {
                PathState::Confirmed => {}
                PathState::Sent => are_confirmed = false,
                PathState::Unknown => {
                    self.send_path(node, id, *peer)?;
                    are_confirmed = false;
                }
            }
        }
        Ok((id, are_confirmed))
    }

    /// Returns the progress of announcing a node to a peer.
    pub(super) fn path_state(&self, peer: i32, node: NodeId) -> PathState {
        self.remotes.get(peer).map(|remote| remote.path(node)).unwrap_or_default()
    }

    fn send_path(&mut self, node: NodeId, id: u32, peer: i32) -> Result<(), SendError> {
        let mut packet = core::mem::take(&mut self.announcement);
        packet.clear();
        let Some(entry) = self.nodes.get(node) else { return Err(SendError::UnknownNode) };
        let path = StrRef::new(entry.path.as_bytes());
        let written = if self.is_godot3() {
            Self::write_path_of_godot3(&mut packet, id, path);
            Ok(())
        } else {
            let announcement = SimplifyPath { checksum: &entry.checksum, id, path };
            let announcement = Packet::SimplifyPath(announcement);
            PacketWriter::new(&mut packet, self.config.engine).put(&announcement)
        };
        let sent = self.send(Cause::Caller, SYSTEM, &[peer], &packet);
        self.announcement = packet;
        written?;
        sent?;
        if let Some(remote) = self.remotes.get_mut(peer) {
            remote.set_path(node, PathState::Sent);
        }
        Ok(())
    }
}
