//! Packets that arrive.

use super::event::Denied;
use super::events::Record;
use super::remote::Phase;
use super::{Outgoing, Peer, Refusal};
use crate::godot::multiplayer::godot4::{Packet, PacketReader, System};
use crate::godot::multiplayer::transport::TransferMode;

/// A packet from the transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incoming<'a> {
    /// The peer from which the transport has received the packet.
    pub from: i32,
    /// The guarantees of delivery with which the packet was sent. A server relays a packet with the
    /// same guarantees.
    pub mode: TransferMode,
    /// The channel as scripts count it; for Godot 3, the channel of ENet.
    pub channel: u8,
    /// The bytes.
    pub bytes: &'a [u8],
}

impl<'a> Incoming<'a> {
    /// Creates a reliable packet on channel 0, as all packets are that come through a WebSocket.
    pub const fn reliable(from: i32, bytes: &'a [u8]) -> Self {
        Self { from, mode: TransferMode::Reliable, channel: 0, bytes }
    }

    /// Creates the packet that arrives if `from` sends `packet`.
    pub const fn of(from: i32, packet: &Outgoing<'a>) -> Self {
        Self { from, mode: packet.mode, channel: packet.channel, bytes: packet.bytes }
    }
}

/// The result of processing a packet.
pub(super) type Verdict<'a> = Result<(), Denied<'a>>;

impl Peer {
    /// Processes a packet from the transport. The results are events, and packets to send.
    ///
    /// A packet that the protocol or the declarations do not allow has no effect, and is reported as
    /// [`Event::Refused`](super::Event::Refused). The work is linear in the length of the packet. If
    /// this peer relays packets, it also grows with the number of receivers.
    pub fn receive(&mut self, now: u64, packet: Incoming<'_>) {
        self.now = now;
        if let Err(denied) = self.process(&packet) {
            self.refuse(packet.from, denied);
        }
    }

    fn process<'a>(&mut self, packet: &Incoming<'a>) -> Verdict<'a> {
        let Incoming { from, bytes, .. } = *packet;
        if bytes.len() > self.config.limits.packet {
            return Err(Refusal::TooLong.into());
        }
        match self.remotes.get(from).map(|remote| remote.phase) {
            None => return Err(Refusal::UnknownPeer.into()),
            Some(_) if self.is_godot3() => return self.process_godot3(packet),
            Some(Phase::Connected) => {}
            // As in the engine, the first packet after this peer has completed the authentication
            // also completes it for the other peer, whatever packet it is.
            Some(Phase::Authenticating { local: true, .. }) => self.admit(from),
            Some(Phase::Authenticating { local: false, .. }) => return self.auth(from, bytes),
        }
        match self.parse(bytes)? {
            Packet::System(system) => self.system(packet, system),
            other => self.deliver(from, &other),
        }
    }

    /// Reads a packet.
    pub(super) fn parse<'a>(&self, bytes: &'a [u8]) -> Result<Packet<'a>, Denied<'a>> {
        let read = PacketReader::new(bytes).target(self.config.engine).read();
        read.map_err(|_| Refusal::Malformed.into())
    }

    fn system<'a>(&mut self, packet: &Incoming<'a>, system: System<'a>) -> Verdict<'a> {
        match system {
            // The peer was admitted before its notification arrived.
            System::Auth([]) => Ok(()),
            System::Auth(_) => Err(Refusal::NotServer.into()),
            System::AddPeer(peer) => self.peer_added(packet.from, peer),
            System::DelPeer(peer) => self.peer_removed(packet.from, peer),
            System::Relay(relay) => self.relayed(packet, &relay),
        }
    }

    /// Processes a packet from its original sender.
    pub(super) fn deliver<'a>(&mut self, from: i32, packet: &Packet<'a>) -> Verdict<'a> {
        match packet {
            Packet::Call(call) => self.called(from, call),
            Packet::SimplifyPath(announcement) => self.path_announced(from, announcement),
            Packet::ConfirmPath(answer) => self.path_confirmed(from, answer),
            Packet::Raw(bytes) => self.report(Record::Bytes { from }, bytes),
            Packet::Spawn(spawn) => self.spawn_received(from, spawn),
            Packet::Despawn { net_id } => self.despawn_received(from, *net_id),
            Packet::Sync(sync) => self.sync_received(from, sync),
            Packet::Delta(delta) => self.delta_received(from, delta),
            Packet::System(_) => Err(Refusal::NotServer.into()),
        }
    }

    /// Appends an event that the packet of a peer causes.
    pub(super) fn report<'a>(&mut self, record: Record, bytes: &[u8]) -> Verdict<'a> {
        if !self.has_room(bytes.len()) {
            return Err(Refusal::EventsFull.into());
        }
        self.events.push(record, bytes);
        Ok(())
    }

    /// Returns `true` if an event with this number of bytes fits into the queue.
    pub(super) fn has_room(&self, len: usize) -> bool {
        self.events.used().saturating_add(len) <= self.config.limits.events
    }
}
