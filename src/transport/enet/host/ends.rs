//! How connections end.

use super::commands::Kind;
use super::connections::{Connections, NEVER};
use super::event::DisconnectReason;
use super::peer::{Peer, State};

impl Connections {
    /// Ends a connection as [`Host::disconnect`](super::Host::disconnect) does.
    pub(super) fn disconnect(&mut self, slot: u16, data: u32) {
        let Some(state) = self.peer(slot).map(|peer| peer.state) else { return };
        match state {
            State::Connected | State::Draining => {
                self.clear_queues(slot, true);
                let Some((peer, arena)) = self.with_arena(slot) else { return };
                (peer.state, peer.data) = (State::Disconnecting, data);
                arena.queue_control(peer, Kind::Disconnect, true, 0);
                self.bandwidth.recalculate = true;
                self.set_ready(slot);
            }
            State::Connecting => self.disconnect_now(slot, data),
            _ => {}
        }
    }

    /// Ends a connection when everything that is queued has been acknowledged.
    pub(super) fn disconnect_later(&mut self, slot: u16, data: u32) {
        let Some(peer) = self.peers.get_mut(usize::from(slot)) else { return };
        if peer.is_connected() && peer.has_outgoing() {
            (peer.state, peer.data) = (State::Draining, data);
        } else {
            self.disconnect(slot, data);
        }
    }

    /// Ends a connection at once: a last DISCONNECT is sent once, and may be lost.
    pub(super) fn disconnect_now(&mut self, slot: u16, data: u32) {
        let Some(peer) = self.peers.get_mut(usize::from(slot)) else { return };
        match peer.state {
            State::Connecting | State::Connected | State::Draining => {
                peer.data = data;
                self.close(slot);
                self.announce_end(slot, DisconnectReason::Local);
            }
            State::Disconnecting | State::AcknowledgingDisconnect => {
                self.end(slot, DisconnectReason::Local);
            }
            _ => {}
        }
    }

    pub(super) fn close(&mut self, slot: u16) {
        self.clear_queues(slot, true);
        let Some((peer, arena)) = self.with_arena(slot) else { return };
        peer.state = State::Closing;
        arena.queue_control(peer, Kind::Disconnect, false, 0);
        self.set_ready(slot);
    }

    /// The connection has ended. Packets that have arrived can still be taken, unless this host
    /// ended it. (ENet drops them.)
    pub(super) fn end(&mut self, slot: u16, reason: DisconnectReason) {
        self.clear_queues(slot, reason == DisconnectReason::Local);
        if let Some(peer) = self.peers.get_mut(usize::from(slot)) {
            peer.state = State::Ended;
        }
        self.announce_end(slot, reason);
    }

    fn announce_end(&mut self, slot: u16, reason: DisconnectReason) {
        if let Some(peer) = self.peers.get_mut(usize::from(slot)) {
            peer.end = Some(reason);
        }
        self.bandwidth.recalculate = true;
        self.events.push(slot);
    }

    /// Frees the place of a peer whose last event and last datagram are gone.
    pub(super) fn free_if_done(&mut self, slot: u16) {
        let is_done = |peer: &Peer| peer.state == State::Ended && peer.end.is_none();
        if self.peer(slot).is_some_and(is_done) {
            self.free_slot(slot);
        }
    }

    pub(super) fn free_slot(&mut self, slot: u16) {
        match self.peer(slot).map(|peer| peer.state) {
            None | Some(State::Free) => return,
            Some(State::HalfOpen) => self.leave_half_open(slot),
            Some(_) => self.established = self.established.saturating_sub(1),
        }
        self.clear_queues(slot, true);
        self.endpoints.remove(slot.into());
        self.addresses.remove(slot.into());
        self.ready.remove(slot);
        self.events.remove(slot);
        if let Some(deadline) = self.deadlines.get_mut(usize::from(slot)) {
            *deadline = NEVER;
        }
        if let Some(peer) = self.peers.get_mut(usize::from(slot)) {
            peer.reset(&self.config);
        }
        self.free.put_back(slot);
    }

    /// Releases all queues of a peer. The packets for the application stay unless `received` is
    /// `true`.
    fn clear_queues(&mut self, slot: u16, received: bool) {
        if let Some((peer, arena)) = self.with_arena(slot) {
            arena.clear(peer);
            if received {
                arena.clear_dispatched(peer);
            }
        }
    }
}
