//! Datagrams that arrive: to which peer they belong, and the processing of their commands.

use super::checksum::crc32;
use super::commands::{Acknowledgement, Kind};
use super::connections::Connections;
use super::event::DisconnectReason;
use super::incoming::Outcome;
use super::peer::State;
use crate::transport::enet::{Body, Command, Commands, Datagram};
use core::net::SocketAddr;

impl Connections {
    /// Returns the peer that a datagram is from. `Some(None)` stands for a client without a place.
    #[allow(clippy::option_option, reason = "the outer option is the verdict")]
    pub(super) fn sender(&self, datagram: &Datagram<'_>, from: SocketAddr) -> Option<Option<u16>> {
        if datagram.peer == Datagram::NO_PEER {
            return Some(None);
        }
        self.is_from(datagram.peer, from, datagram.session).then_some(Some(datagram.peer))
    }

    /// Returns `true` if the checksum of a datagram is right, or hosts use none. It is that of the
    /// uncompressed datagram, with the connect id in place of the checksum.
    pub(super) fn has_checksum(
        &self,
        datagram: &[u8],
        checksum: Option<u32>,
        commands: &[u8],
        slot: Option<u16>,
    ) -> bool {
        let Some(checksum) = checksum else { return true };
        let connect_id = slot.and_then(|slot| self.peer(slot)).map_or(0, |peer| peer.connect_id);
        let has_time = datagram.first().is_some_and(|first| first & 0x80 != 0);
        let head = datagram.get(..if has_time { 4 } else { 2 }).unwrap_or_default();
        crc32(&[head, &connect_id.to_be_bytes(), commands]) == checksum
    }

    /// Processes the commands of a datagram of `len` bytes.
    pub(super) fn process(
        &mut self,
        from: SocketAddr,
        mut sender: Option<u16>,
        sent_time: Option<u16>,
        commands: &[u8],
        len: usize,
    ) {
        let has_place = sender.is_some();
        if let Some(slot) = sender {
            self.add_credit(slot, len);
        }
        self.process_commands(from, &mut sender, sent_time, commands, len);
        if let Some(slot) = sender.filter(|_| has_place) {
            self.ask_for_proof(slot);
        }
    }

    /// A client that knows its place has received VERIFY_CONNECT. If its acknowledgement was lost,
    /// there may be too little credit to send VERIFY_CONNECT again. A ping is shorter, and its
    /// acknowledgement proves as much.
    fn ask_for_proof(&mut self, slot: u16) {
        let Some((peer, arena)) = self.with_arena(slot) else { return };
        if peer.state == State::HalfOpen && !peer.half_open.is_pinged {
            peer.half_open.is_pinged = arena.queue_control(peer, Kind::Ping, true, 0);
        }
    }

    fn process_commands(
        &mut self,
        from: SocketAddr,
        sender: &mut Option<u16>,
        sent_time: Option<u16>,
        commands: &[u8],
        len: usize,
    ) {
        for command in Commands::new(commands, 0) {
            let Ok(command) = command else { return };
            let Some(slot) = *sender else {
                let Body::Connect(connect) = &command.body else { return };
                *sender = self.accept(from, connect, len);
                if sender.is_none() {
                    return;
                }
                continue;
            };
            if self.command(slot, &command) == Outcome::Refused {
                return;
            }
            if command.flags.acknowledge() {
                let Some(sent_time) = sent_time else { return };
                self.acknowledge(slot, &command, sent_time);
            }
        }
    }

    /// Counts the bytes that arrived from a half-open peer: so many may be sent to it.
    pub(super) fn add_credit(&mut self, slot: u16, len: usize) {
        if let Some(peer) = self.peers.get_mut(usize::from(slot))
            && peer.state == State::HalfOpen
        {
            let len = u32::try_from(len).unwrap_or(u32::MAX);
            peer.half_open.credit = peer.half_open.credit.saturating_add(len);
            self.set_ready(slot);
        }
    }

    fn command(&mut self, slot: u16, command: &Command<'_>) -> Outcome {
        match &command.body {
            Body::Acknowledge(fields) => self.acknowledged(slot, command.channel, fields),
            Body::Connect(_) => Outcome::Refused,
            Body::VerifyConnect(fields) => self.verified(slot, fields),
            Body::Disconnect(fields) => self.disconnected(slot, command, fields.data),
            Body::Ping => self.when_connected(slot),
            Body::BandwidthLimit(fields) => self.bandwidth_limited(slot, fields),
            Body::ThrottleConfigure(fields) => self.throttle_configured(slot, fields),
            _ => self.packet(slot, command),
        }
    }

    pub(super) fn when_connected(&self, slot: u16) -> Outcome {
        match self.peer(slot) {
            Some(peer) if peer.is_connected() => Outcome::Done,
            _ => Outcome::Refused,
        }
    }

    /// Processes a command with a packet or a fragment.
    fn packet(&mut self, slot: u16, command: &Command<'_>) -> Outcome {
        let max_packet = self.max_packet;
        let Command { channel, sequence, .. } = *command;
        let Some((peer, arena)) = self.with_arena(slot) else { return Outcome::Refused };
        let payload = command.body.payload();
        if !peer.is_connected()
            || u16::from(channel) >= peer.channels
            || payload.len() as u64 > max_packet.into()
        {
            return Outcome::Refused;
        }
        let outcome = match &command.body {
            Body::Reliable { .. } => arena.receive_reliable(peer, channel, sequence, payload),
            Body::Unreliable { number, .. } => {
                arena.receive_unreliable(peer, channel, [sequence, *number], payload)
            }
            Body::Unsequenced { group, .. } => {
                arena.receive_unsequenced(peer, channel, *group, payload)
            }
            Body::Fragment(part) => {
                arena.receive_fragment(peer, channel, sequence, part, max_packet)
            }
            Body::UnreliableFragment(part) => {
                arena.receive_unreliable_fragment(peer, channel, sequence, part, max_packet)
            }
            _ => Outcome::Refused,
        };
        if !peer.dispatched.is_empty() {
            self.events.push(slot);
        }
        outcome
    }

    /// Queues the acknowledgement of a command. As in ENet, a command just beyond the window is not
    /// acknowledged, and neither is one of a connection that has not begun or has ended.
    fn acknowledge(&mut self, slot: u16, command: &Command<'_>, sent_time: u16) {
        let Some((peer, arena)) = self.with_arena(slot) else { return };
        let is_disconnect = matches!(command.body, Body::Disconnect(_));
        let is_wanted = match peer.state {
            State::Connecting | State::Connected | State::Draining => true,
            State::AcknowledgingDisconnect => is_disconnect,
            _ => false,
        };
        let Command { channel, sequence, .. } = *command;
        let is_near = |peer| {
            let channel = arena.channel(peer, channel);
            channel.is_none_or(|channel| channel.is_acknowledged(sequence))
        };
        if is_wanted && is_near(peer) {
            let acknowledgement = Acknowledgement { sequence, sent_time, channel, is_disconnect };
            arena.acknowledge(peer, acknowledgement);
            self.set_ready(slot);
        }
    }

    /// Processes a DISCONNECT of the peer.
    fn disconnected(&mut self, slot: u16, command: &Command<'_>, data: u32) -> Outcome {
        let Some((peer, arena)) = self.with_arena(slot) else { return Outcome::Refused };
        let reason = DisconnectReason::Remote { data };
        match peer.state {
            State::HalfOpen => self.free_slot(slot),
            State::Connected | State::Draining if command.flags.acknowledge() => {
                // The event follows when the acknowledgement is sent, as in ENet.
                arena.clear(peer);
                (peer.state, peer.data) = (State::AcknowledgingDisconnect, data);
                self.bandwidth.recalculate = true;
            }
            State::Connected | State::Draining | State::Connecting => self.end(slot, reason),
            State::Disconnecting => self.end(slot, DisconnectReason::Local),
            _ => {}
        }
        Outcome::Done
    }
}
