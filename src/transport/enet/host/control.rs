//! Control commands that arrive: requests and answers of connections, acknowledgements, settings.

use super::commands::{Kind, Outgoing, outgoing_key};
use super::config::{MAX_MTU, MIN_MTU};
use super::connections::Connections;
use super::event::DisconnectReason;
use super::incoming::Outcome;
use super::list::NIL;
use super::peer::{MAX_WINDOW, MIN_WINDOW, State};
use crate::transport::enet::{
    Acknowledge, BandwidthLimit, Connect, ThrottleConfigure, VerifyConnect,
};
use core::net::SocketAddr;

/// A half-open peer that acknowledges with so many wrong times is dropped.
const MAX_WRONG: u8 = 8;

impl Connections {
    /// Processes a client's request for a connection, which came in a datagram of `len` bytes.
    /// Returns the client's place. A repeated request only adds credit for the answer.
    pub(super) fn accept(
        &mut self,
        from: SocketAddr,
        connect: &Connect,
        len: usize,
    ) -> Option<u16> {
        if let Some(slot) = self.find(from, connect.connect_id) {
            self.add_credit(slot, len);
            return None;
        }
        // ENet checks only the number of channels. A number of a place that datagrams cannot carry
        // would change their flags.
        if !(1..=255).contains(&connect.channels) || connect.outgoing_peer >= 0xFFF {
            return None;
        }
        let slot = self.open(from, connect.connect_id)?;
        let last = self.peer(slot).map(|peer| [peer.incoming_session, peer.outgoing_session])?;
        let incoming_session = self.next_session([connect.outgoing_session, last[0]]);
        let outgoing_session = self.next_session([connect.incoming_session, last[1]]);
        let window = self.window(self.config.outgoing_bandwidth, connect.incoming_bandwidth);
        let offered = self.window(0, self.config.incoming_bandwidth).min(connect.window);
        let channels = connect.channels.min(self.config.channels.into()) as u16;
        let (peer, arena) = self.with_arena(slot)?;
        peer.channels = channels;
        peer.outgoing_peer = connect.outgoing_peer;
        (peer.incoming_session, peer.outgoing_session) = (incoming_session, outgoing_session);
        peer.incoming_bandwidth = connect.incoming_bandwidth;
        peer.outgoing_bandwidth = connect.outgoing_bandwidth;
        peer.throttle.interval = connect.throttle_interval;
        peer.throttle.acceleration = connect.throttle_acceleration;
        peer.throttle.deceleration = connect.throttle_deceleration;
        peer.mtu = peer.mtu.min(mtu(connect.mtu));
        peer.window = window;
        peer.offered_window = offered.clamp(MIN_WINDOW, MAX_WINDOW);
        peer.data = connect.data;
        arena.queue_control(peer, Kind::VerifyConnect, true, 0);
        self.add_credit(slot, len);
        Some(slot)
    }

    /// Processes a server's answer to a request.
    pub(super) fn verified(&mut self, slot: u16, answer: &VerifyConnect) -> Outcome {
        let Some((peer, arena)) = self.with_arena(slot) else { return Outcome::Refused };
        if peer.state != State::Connecting {
            return Outcome::Done;
        }
        let throttle = &peer.throttle;
        let is_same = answer.connect_id == peer.connect_id
            && answer.throttle_interval == throttle.interval
            && answer.throttle_acceleration == throttle.acceleration
            && answer.throttle_deceleration == throttle.deceleration;
        if !is_same || !(1..=255).contains(&answer.channels) || answer.outgoing_peer >= 0xFFF {
            self.end(slot, DisconnectReason::BadAnswer);
            return Outcome::Refused;
        }
        let connect = outgoing_key(slot, super::commands::CONTROL, 1);
        if let Some(id) = arena.outgoing_index.find(connect) {
            arena.outgoing_acknowledged(peer, id);
        }
        peer.channels = peer.channels.min(answer.channels as u16);
        peer.outgoing_peer = answer.outgoing_peer;
        (peer.incoming_session, peer.outgoing_session) =
            (answer.incoming_session & 3, answer.outgoing_session & 3);
        peer.mtu = peer.mtu.min(mtu(answer.mtu));
        peer.window = peer.window.min(answer.window.clamp(MIN_WINDOW, MAX_WINDOW));
        peer.incoming_bandwidth = answer.incoming_bandwidth;
        peer.outgoing_bandwidth = answer.outgoing_bandwidth;
        peer.data = 0;
        self.establish(slot);
        Outcome::Done
    }

    /// Processes an acknowledgement. One for a command that was not sent is ignored.
    pub(super) fn acknowledged(&mut self, slot: u16, channel: u8, fields: &Acknowledge) -> Outcome {
        let now = self.now;
        let Some((peer, arena)) = self.with_arena(slot) else { return Outcome::Refused };
        let key = outgoing_key(slot, channel, fields.sequence);
        let command = arena.outgoing_index.find(key);
        let command = command.and_then(|id| Some((id, *arena.outgoing.get(id)?)));
        let Some((id, command)) = command.filter(|(_, command)| command.attempts > 0) else {
            return self.acknowledged_nothing(slot);
        };
        if peer.state == State::HalfOpen && !peer.half_open.was_sent_at(fields.sent_time) {
            return self.acknowledged_nothing(slot);
        }
        let Some(sample) = elapsed(peer.wire_time(now), fields.sent_time) else {
            return Outcome::Done;
        };
        let is_first = peer.last_receive.is_none();
        if !is_first {
            peer.throttle.adapt(sample, &peer.round_trip);
        }
        peer.round_trip.add(sample, is_first);
        peer.round_trip.advance(now, peer.throttle.interval);
        (peer.last_receive, peer.earliest_timeout) = (Some(now), None);
        arena.outgoing_acknowledged(peer, id);
        self.set_ready(slot);
        self.after_acknowledgement(slot, &command)
    }

    fn after_acknowledgement(&mut self, slot: u16, command: &Outgoing) -> Outcome {
        let Some(peer) = self.peer(slot) else { return Outcome::Refused };
        match (peer.state, command.kind) {
            (State::HalfOpen, _) => self.establish(slot),
            (State::Disconnecting, Kind::Disconnect) => self.end(slot, DisconnectReason::Local),
            (State::Draining, _) if !peer.has_outgoing() => self.disconnect(slot, peer.data),
            _ => {}
        }
        Outcome::Done
    }

    /// Counts the wrong guesses of somebody who wants to prove an address that is not theirs.
    fn acknowledged_nothing(&mut self, slot: u16) -> Outcome {
        let Some(peer) = self.peers.get_mut(usize::from(slot)) else { return Outcome::Refused };
        if peer.state != State::HalfOpen {
            return Outcome::Done;
        }
        peer.half_open.wrong = peer.half_open.wrong.saturating_add(1);
        if peer.half_open.wrong >= MAX_WRONG {
            self.free_slot(slot);
        }
        Outcome::Refused
    }

    pub(super) fn bandwidth_limited(&mut self, slot: u16, fields: &BandwidthLimit) -> Outcome {
        let own = self.config.outgoing_bandwidth;
        let window = self.window(own, fields.incoming);
        let Some(peer) = self.peers.get_mut(usize::from(slot)).filter(|peer| peer.is_connected())
        else {
            return Outcome::Refused;
        };
        (peer.incoming_bandwidth, peer.outgoing_bandwidth) = (fields.incoming, fields.outgoing);
        peer.window = window;
        Outcome::Done
    }

    pub(super) fn throttle_configured(&mut self, slot: u16, fields: &ThrottleConfigure) -> Outcome {
        let Some(peer) = self.peers.get_mut(usize::from(slot)).filter(|peer| peer.is_connected())
        else {
            return Outcome::Refused;
        };
        peer.throttle.interval = fields.interval;
        peer.throttle.acceleration = fields.acceleration;
        peer.throttle.deceleration = fields.deceleration;
        Outcome::Done
    }
}

impl super::arena::Arena {
    /// Removes a reliable command that was acknowledged.
    pub(super) fn outgoing_acknowledged(&mut self, peer: &mut super::peer::Peer, id: u32) {
        let Some(command) = self.outgoing.get(id).copied() else { return };
        let is_data = command.packet != NIL;
        // A command whose time is over is queued again, and no longer in transit.
        let list = match (command.is_in_transit, is_data) {
            (true, _) => &mut peer.sent,
            (false, true) => &mut peer.reliable,
            (false, false) => &mut peer.commands,
        };
        self.outgoing.links.remove(list, id);
        if command.is_in_transit {
            peer.in_transit = peer.in_transit.saturating_sub(command.len.into());
        }
        if is_data && let Some(channel) = self.channel_mut(peer, command.channel) {
            channel.acknowledged(command.sequence);
        }
        self.release_outgoing(peer, id);
    }
}

impl super::peer::HalfOpen {
    /// Returns `true` if a command was sent at this time. Only who has received it knows.
    fn was_sent_at(&self, time: u16) -> bool {
        let times = self.sent_at.iter().take(self.sent_count.into());
        times.into_iter().any(|sent| *sent == time)
    }
}

fn mtu(mtu: u32) -> u16 {
    mtu.clamp(MIN_MTU.into(), MAX_MTU.into()) as u16
}

/// Returns the milliseconds since a time that a datagram stated, at least 1. Returns `None` for a
/// time in the future. As in ENet, times are compared modulo 2¹⁶.
fn elapsed(now: u16, sent: u16) -> Option<u32> {
    let is_past = sent <= now || sent & 0x8000 > now & 0x8000;
    is_past.then(|| u32::from(now.wrapping_sub(sent)).max(1))
}
