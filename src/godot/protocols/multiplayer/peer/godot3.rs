//! The protocol of Godot 3. Methods are sent by name, and the transport of the engine tells clients
//! about each other and relays packets.

use super::event::Denied;
use super::events::Record;
use super::outbox::{Cause, QueueFull};
use super::receive::{Incoming, Verdict};
use super::send::Way;
use super::{NodeId, Peer, Recipients, Refusal, SERVER, SendError, Transport3};
use crate::godot::multiplayer::godot3::{Packet, PacketWriter};
use crate::godot::multiplayer::godot4::Method;
use crate::godot::multiplayer::transport::{
    EnetConfig, EnetPrefix, WebSocketBody, WebSocketMessage,
};
use crate::godot::multiplayer::{NodeRef, Run};
use crate::godot::{Dialect, StrRef, ToVariant};
use alloc::vec::Vec;

/// A packet with the peers in its prefix.
struct Prefixed<'a> {
    source: i32,
    target: i32,
    packet: &'a [u8],
}

impl Peer {
    /// Returns `true` if the other peers run Godot 3.
    pub(super) fn is_godot3(&self) -> bool {
        self.config.engine.dialect() == Dialect::Godot3
    }

    /// Sets a property of a node on other peers (`Node.rset` of Godot 3). The property is declared
    /// with [`Node::rset`](super::Node::rset).
    ///
    /// # Errors
    /// Returns the errors of [`call`](Self::call). Returns [`SendError::UnknownMethod`] for Godot 4,
    /// which has no such packet.
    pub fn set_remote(
        &mut self,
        to: impl Into<Recipients>,
        node: NodeId,
        property: &str,
        value: impl ToVariant,
    ) -> Result<(), SendError> {
        let entry = self.nodes.get(node).ok_or(SendError::UnknownNode)?;
        let number = entry.number_of_property(property.as_bytes());
        let number = number.filter(|_| self.is_godot3()).ok_or(SendError::UnknownMethod)?;
        self.send_call(to.into(), node, number, &(value,))
    }

    /// Writes a call or the new value of a property.
    pub(super) fn write_godot3(
        &self,
        packet: &mut Vec<u8>,
        target: NodeRef<'_>,
        node: NodeId,
        method: Method,
        arguments: &impl super::super::ToVariants,
    ) -> Result<(), SendError> {
        let name = self.method_name(node, method).ok_or(SendError::UnknownMethod)?;
        let mut writer = PacketWriter::new(packet);
        match method.is_of_node() {
            true => writer.set_ref(target, name, arguments)?,
            false => writer.call_ref(target, name, arguments)?,
        }
        Ok(())
    }

    /// Writes SIMPLIFY_PATH.
    pub(super) fn write_path_of_godot3(packet: &mut Vec<u8>, id: u32, path: StrRef<'_>) {
        // The sink does not fill up, and the number has no bit 31.
        let written = PacketWriter::new(packet).put(&Packet::SimplifyPath { id, path });
        debug_assert!(written.is_ok());
    }

    /// Appends a packet for each receiver. `target` is the receiver in the prefix, or `None` for the
    /// receiver of each packet itself.
    pub(super) fn send_godot3(
        &mut self,
        cause: Cause,
        (mode, _): Way,
        target: Option<i32>,
        receivers: &[i32],
        packet: &[u8],
    ) -> Result<(), QueueFull> {
        let way = (mode, mode.enet_channel_of_godot3());
        let Some(target) = target else {
            return receivers.iter().try_for_each(|receiver| {
                self.send_godot3(cause, way, Some(*receiver), &[*receiver], packet)
            });
        };
        let (prefix, len) = self.prefix(target);
        let prefix = prefix.get(..len).unwrap_or_default();
        match self.is_server() {
            true => self.outbox.push(cause, way, receivers, [prefix, packet]),
            false => self.outbox.push(cause, way, &[SERVER], [prefix, packet]),
        }
    }

    /// Returns the prefix of a packet of this peer, and its length.
    fn prefix(&self, target: i32) -> ([u8; 9], usize) {
        let [a, b, c, d] = self.id.to_le_bytes();
        let [e, f, g, h] = target.to_le_bytes();
        match self.config.transport {
            Transport3::Enet => ([a, b, c, d, e, f, g, h, 0], 8),
            Transport3::WebSocket => ([0, a, b, c, d, e, f, g, h], 9),
        }
    }

    /// Processes a packet from the transport.
    pub(super) fn process_godot3<'a>(&mut self, packet: &Incoming<'a>) -> Verdict<'a> {
        let Some(prefixed) = self.split(packet)? else { return Ok(()) };
        let Prefixed { source, target, packet: inner } = prefixed;
        if self.is_server() {
            // A client may not send packets in the name of another one.
            if source != packet.from {
                return Err(Refusal::WrongSender.into());
            }
            if !self.route(packet, target)? {
                return Ok(());
            }
        }
        if !self.remotes.is_connected(source) {
            return Err(Refusal::UnknownPeer.into());
        }
        let parsed = Packet::parse(inner).map_err(|_| Refusal::Malformed)?;
        self.deliver_godot3(source, &parsed)
    }

    /// Splits a packet into its prefix and the packet inside. Processes messages about peers, and
    /// returns `None` for them.
    fn split<'a>(&mut self, packet: &Incoming<'a>) -> Result<Option<Prefixed<'a>>, Denied<'a>> {
        let malformed = |_| Denied::new(Refusal::Malformed);
        match self.config.transport {
            Transport3::Enet if packet.channel == 0 => {
                match EnetConfig::parse(packet.bytes).map_err(malformed)? {
                    EnetConfig::AddPeer(peer) => {
                        self.peer_added(packet.from, peer.cast_signed())?;
                    }
                    EnetConfig::RemovePeer(peer) => {
                        self.peer_removed(packet.from, peer.cast_signed())?;
                    }
                }
                Ok(None)
            }
            Transport3::Enet => {
                let (prefix, inner) = EnetPrefix::split(packet.bytes).map_err(malformed)?;
                let source = prefix.source.get().cast_signed();
                Ok(Some(Prefixed { source, target: prefix.target.get(), packet: inner }))
            }
            Transport3::WebSocket => {
                let message = WebSocketMessage::parse(packet.bytes).map_err(malformed)?;
                match message.body {
                    WebSocketBody::Packet(inner) => {
                        let (source, target) = (message.from, message.to);
                        return Ok(Some(Prefixed { source, target, packet: inner }));
                    }
                    WebSocketBody::AddPeer(SERVER) => self.accepted(packet.from)?,
                    WebSocketBody::AddPeer(peer) => self.peer_added(packet.from, peer)?,
                    WebSocketBody::RemovePeer(peer) => self.peer_removed(packet.from, peer)?,
                    WebSocketBody::YourId(id) => self.named(packet.from, id)?,
                }
                Ok(None)
            }
        }
    }

    /// Sends a packet of a client to the other receivers. Returns `true` if the server itself is a
    /// receiver.
    fn route<'a>(&mut self, packet: &Incoming<'a>, target: i32) -> Result<bool, Denied<'a>> {
        if target == SERVER {
            return Ok(true);
        }
        if !self.config.relay {
            return Err(Refusal::NoRelay.into());
        }
        let from = packet.from;
        let is_receiver = |peer: i32| match target {
            1.. => peer == target,
            0 => peer != from,
            _ => peer != from && Some(peer) != target.checked_neg(),
        };
        let mut receivers = core::mem::take(&mut self.receivers);
        receivers.clear();
        receivers.extend(self.remotes.connected().iter().filter(|peer| is_receiver(**peer)));
        receivers.sort_unstable();
        let is_unknown = target > 0 && receivers.is_empty();
        let way = (packet.mode, packet.channel);
        let pushed = self.outbox.push(Cause::Answer, way, &receivers, [packet.bytes, &[]]);
        self.receivers = receivers;
        match pushed {
            Err(_) => Err(Refusal::OutgoingFull.into()),
            Ok(()) if is_unknown => Err(Refusal::UnknownReceiver.into()),
            Ok(()) => Ok(target <= 0 && target != -SERVER),
        }
    }

    fn deliver_godot3<'a>(&mut self, from: i32, packet: &Packet<'a>) -> Verdict<'a> {
        match packet {
            Packet::Call(call) => {
                let node = self.find_node(from, call.node)?;
                let entry = self.nodes.get(node).ok_or(Refusal::UnknownNode)?;
                let method = entry.number_of_script(call.method.as_bytes());
                self.called_by_name(from, node, method, &call.arguments)
            }
            Packet::Set(set) => {
                let node = self.find_node(from, set.node)?;
                let entry = self.nodes.get(node).ok_or(Refusal::UnknownNode)?;
                let property = entry.number_of_property(set.property.as_bytes());
                self.called_by_name(from, node, property, &set.value)
            }
            Packet::SimplifyPath { id, path } => self.path_announced_godot3(from, *id, *path),
            Packet::ConfirmPath { path } => {
                let node = self.find_path(*path)?;
                self.number_confirmed(from, node)
            }
            Packet::Raw(bytes) => self.report(Record::Bytes { from }, bytes),
        }
    }

    fn called_by_name<'a>(
        &mut self,
        from: i32,
        node: NodeId,
        method: Option<Method>,
        arguments: &Run<'a>,
    ) -> Verdict<'a> {
        let unknown = Denied { node: Some(node), ..Denied::new(Refusal::UnknownMethod) };
        self.called_method(from, node, method.ok_or(unknown)?, arguments)
    }

    /// Processes SIMPLIFY_PATH. The engine confirms every path; this peer confirms those of declared
    /// nodes.
    fn path_announced_godot3<'a>(&mut self, from: i32, id: u32, path: StrRef<'a>) -> Verdict<'a> {
        let node = self.find_path(path)?;
        let remote = self.remotes.get_mut(from).ok_or(Refusal::UnknownPeer)?;
        remote.received.retain(|other, known| *known != node && *other != id);
        remote.received.insert(id, node);
        let mut packet = self.take_packet();
        let written = PacketWriter::new(&mut packet).put(&Packet::ConfirmPath { path });
        let way = super::authenticate::SYSTEM;
        let sent = self.send_godot3(Cause::Answer, way, None, &[from], &packet);
        self.packet = packet;
        written.map_err(|_| Refusal::Malformed)?;
        sent.map_err(|_| Refusal::OutgoingFull.into())
    }
}
