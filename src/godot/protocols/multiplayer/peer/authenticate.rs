//! Authentication, and the list of connected peers.

use super::event::Denied;
use super::events::Record;
use super::outbox::Cause;
use super::receive::Verdict;
use super::remote::Phase;
use super::{Peer, Refusal, SERVER, SendError, TransferMode};
use crate::godot::multiplayer::godot4::{Packet, System, add_peer_packet, del_peer_packet};

/// The guarantees and the channel of system packets.
pub(super) const SYSTEM: (TransferMode, u8) = (TransferMode::Reliable, 0);

/// A packet with bytes of a script, and, without bytes, the notification that the authentication is
/// complete.
const AUTH: [u8; 2] = [7, 0];

impl Peer {
    /// Sends bytes to a peer that must authenticate (`SceneMultiplayer.send_auth`).
    ///
    /// # Errors
    /// Returns [`SendError::NotAuthenticating`] if the peer is not authenticating, or if one side
    /// has completed the authentication. Returns [`SendError::Empty`] if there are no bytes, and
    /// [`SendError::QueueFull`] if the queue is full.
    pub fn send_auth(&mut self, peer: i32, data: &[u8]) -> Result<(), SendError> {
        let phase = self.remotes.get(peer).map(|remote| remote.phase);
        let expected = Some(Phase::Authenticating { local: false, remote: false });
        if phase != expected || self.is_godot3() {
            return Err(SendError::NotAuthenticating);
        }
        if data.is_empty() {
            return Err(SendError::Empty);
        }
        self.outbox.push(Cause::Caller, SYSTEM, &[peer], [&AUTH, data])?;
        Ok(())
    }

    /// Completes the authentication of a peer on this side (`SceneMultiplayer.complete_auth`). The
    /// peer is connected when both sides have completed it.
    ///
    /// # Errors
    /// Returns [`SendError::NotAuthenticating`] if the peer is not authenticating, or if this side
    /// has completed the authentication. Returns [`SendError::QueueFull`] if the queue is full.
    pub fn complete_auth(&mut self, peer: i32) -> Result<(), SendError> {
        let is_godot3 = self.is_godot3();
        let Some(remote) = self.remotes.get_mut(peer).filter(|_| !is_godot3) else {
            return Err(SendError::NotAuthenticating);
        };
        let Phase::Authenticating { local: false, remote: is_done } = remote.phase else {
            return Err(SendError::NotAuthenticating);
        };
        self.outbox.push(Cause::Answer, SYSTEM, &[peer], [&AUTH, &[]])?;
        remote.phase = Phase::Authenticating { local: true, remote: is_done };
        if is_done {
            self.admit(peer);
        }
        Ok(())
    }

    /// Processes a packet of a peer that has not authenticated yet. The engine accepts only AUTH.
    pub(super) fn auth<'a>(&mut self, peer: i32, bytes: &'a [u8]) -> Verdict<'a> {
        match self.parse(bytes) {
            Ok(Packet::System(System::Auth([]))) => {
                if let Some(remote) = self.remotes.get_mut(peer) {
                    remote.phase = Phase::Authenticating { local: false, remote: true };
                }
                Ok(())
            }
            Ok(Packet::System(System::Auth(data))) => self.report(Record::Auth { peer }, data),
            _ => Err(Refusal::NotAuthenticated.into()),
        }
    }

    /// Disconnects peers whose time to authenticate has run out.
    pub(super) fn expire_authentications(&mut self) {
        if self.next_timeout().is_none_or(|timeout| timeout > self.now) {
            return;
        }
        let (now, timeout) = (self.now, self.config.auth_timeout);
        let mut expired = core::mem::take(&mut self.receivers);
        let pending = self.remotes.iter().filter(|remote| remote.phase != Phase::Connected);
        let late = pending.filter(|remote| remote.since.saturating_add(timeout) <= now);
        expired.clear();
        expired.extend(late.map(|remote| remote.id));
        for peer in &expired {
            self.disconnects.push_back(*peer);
            self.events.push(Record::AuthFailed { peer: *peer }, &[]);
            self.remotes.remove(*peer);
            self.outbox.forget(*peer);
        }
        self.receivers = expired;
    }

    /// Connects a peer. A server tells all connected peers about it, and it about all of them, in
    /// the engine's order.
    pub(super) fn admit(&mut self, peer: i32) {
        if self.is_godot3() {
            self.introduce_godot3(peer);
        } else if self.is_server() && self.config.relay {
            for index in 0..self.remotes.connected().len() {
                let Some(other) = self.remotes.connected().get(index).copied() else { break };
                self.notify(other, &add_peer_packet(peer));
                self.notify(peer, &add_peer_packet(other));
            }
        }
        self.remotes.connect(peer);
        self.show_all(peer);
        self.events.push(Record::Connected { peer }, &[]);
    }

    /// Tells a new client of Godot 3 about all others, and them about it. The engine keeps peers
    /// sorted by their ids, and tells the new client first.
    fn introduce_godot3(&mut self, peer: i32) {
        if !self.is_server() {
            return;
        }
        self.welcome_godot3(peer);
        if self.config.relay {
            self.for_each_sorted(|this, other| {
                this.notify_godot3(peer, other, true);
                this.notify_godot3(other, peer, true);
            });
        }
    }

    /// Calls a function with each connected peer, in the order of their ids.
    fn for_each_sorted(&mut self, mut each: impl FnMut(&mut Self, i32)) {
        let mut peers = core::mem::take(&mut self.receivers);
        peers.clear();
        peers.extend_from_slice(self.remotes.connected());
        peers.sort_unstable();
        peers.iter().for_each(|peer| each(self, *peer));
        self.receivers = peers;
    }

    /// Tells the other peers that a connected peer has left.
    pub(super) fn dismiss(&mut self, peer: i32) {
        if self.is_godot3() {
            if self.is_server() && self.config.relay {
                self.for_each_sorted(|this, other| {
                    if other != peer {
                        this.notify_godot3(other, peer, false);
                    }
                });
            }
        } else if self.is_server() && self.config.relay {
            for index in 0..self.remotes.connected().len() {
                match self.remotes.connected().get(index).copied() {
                    Some(other) if other != peer => self.notify(other, &del_peer_packet(peer)),
                    _ => {}
                }
            }
        }
        self.remove_spawned_by(peer);
        self.events.push(Record::Disconnected { peer }, &[]);
    }

    fn notify(&mut self, peer: i32, packet: &[u8]) {
        if self.outbox.push(Cause::Answer, SYSTEM, &[peer], [packet, &[]]).is_err() {
            self.refuse(peer, Denied::new(Refusal::OutgoingFull));
        }
    }

    /// Processes ADD_PEER: the server knows another client.
    pub(super) fn peer_added<'a>(&mut self, from: i32, peer: i32) -> Verdict<'a> {
        if self.is_server() || from != SERVER || !self.config.relay {
            return Err(Refusal::NotServer.into());
        }
        if peer <= 0 || peer == self.id || self.remotes.get(peer).is_some() {
            return Err(Refusal::UnknownPeer.into());
        }
        if self.remotes.len() >= self.config.limits.peers as usize {
            return Err(Refusal::TooManyPeers.into());
        }
        let room = (self.nodes.slots(), self.nodes.limiters());
        self.remotes.add(peer, Phase::Connected, self.now, room);
        self.admit(peer);
        Ok(())
    }

    /// Processes DEL_PEER: another client has left the server.
    pub(super) fn peer_removed<'a>(&mut self, from: i32, peer: i32) -> Verdict<'a> {
        if self.is_server() || from != SERVER || !self.config.relay {
            return Err(Refusal::NotServer.into());
        }
        if peer == SERVER || !self.remotes.is_connected(peer) {
            return Err(Refusal::UnknownPeer.into());
        }
        self.dismiss(peer);
        self.remotes.remove(peer);
        Ok(())
    }
}
