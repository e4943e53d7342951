//! Packets that the caller sends.

use super::outbox::Cause;
use super::remote::PathState;
use super::{NodeId, Peer, SERVER, SendError, TransferMode};
use crate::godot::StrRef;
use crate::godot::multiplayer::godot4::{Method, PacketWriter, relay_head};
use crate::godot::multiplayer::{NodeRef, ToVariants};
use alloc::vec::Vec;

/// The receivers of a call. As in the engine, the number 0 stands for all peers, and a negative
/// number `-n` for all peers except `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Recipients {
    /// All connected peers.
    All,
    /// All connected peers except one.
    AllExcept(i32),
    /// One peer.
    Peer(i32),
}

impl From<i32> for Recipients {
    fn from(target: i32) -> Self {
        match target {
            0 => Self::All,
            1.. => Self::Peer(target),
            _ => Self::AllExcept(target.saturating_neg()),
        }
    }
}

impl Recipients {
    /// Returns the number that stands for these receivers in packets.
    pub const fn target(self) -> i32 {
        match self {
            Self::All => 0,
            Self::AllExcept(peer) => peer.saturating_neg(),
            Self::Peer(peer) => peer,
        }
    }
}

/// The guarantees and the channel of a packet.
pub(super) type Way = (TransferMode, u8);

impl Peer {
    /// Calls a method of a node on other peers (`Node.rpc` and `Node.rpc_id`).
    ///
    /// `arguments` is a tuple of values, or anything else that implements [`ToVariants`]. The call
    /// is sent as the method is declared: with its guarantees, on its channel. A packet for many
    /// receivers is stored once. A receiver that has not confirmed the number of the node gets the
    /// path of the node with the call. No call is made on this peer itself.
    ///
    /// # Errors
    /// Returns an error if a receiver, the node or the method is not known, if the receiver may not
    /// see the node, if the arguments cannot
    /// be encoded for the engine, or if the queue is full.
    pub fn call(
        &mut self,
        to: impl Into<Recipients>,
        node: NodeId,
        method: &str,
        arguments: impl ToVariants,
    ) -> Result<(), SendError> {
        let entry = self.nodes.get(node).ok_or(SendError::UnknownNode)?;
        let number = match self.is_godot3() {
            true => entry.number_of_script(method.as_bytes()),
            false => entry.number(method.as_bytes()),
        };
        let number = number.ok_or(SendError::UnknownMethod)?;
        self.send_call(to.into(), node, number, &arguments)
    }

    /// Calls a method with a number.
    pub(super) fn send_call(
        &mut self,
        to: Recipients,
        node: NodeId,
        number: Method,
        arguments: &impl ToVariants,
    ) -> Result<(), SendError> {
        let entry = self.nodes.get(node).ok_or(SendError::UnknownNode)?;
        let found = entry.method(number).ok_or(SendError::UnknownMethod)?;
        let way = (found.rpc.mode, found.rpc.channel);
        let mut receivers = self.take_receivers(to)?;
        receivers.retain(|peer| self.is_callable(*peer, node));
        let sent = match to {
            Recipients::Peer(_) if receivers.is_empty() => Err(SendError::NotVisible),
            _ => self.call_each(to, &receivers, way, node, number, arguments),
        };
        self.receivers = receivers;
        sent
    }

    fn call_each(
        &mut self,
        to: Recipients,
        receivers: &[i32],
        way: Way,
        node: NodeId,
        method: Method,
        arguments: &impl ToVariants,
    ) -> Result<(), SendError> {
        if receivers.is_empty() {
            return Ok(());
        }
        let (id, are_confirmed) = self.announce(node, receivers)?;
        let mut packet = self.take_packet();
        let entry = self.nodes.get(node).ok_or(SendError::UnknownNode)?;
        let target = match are_confirmed {
            true => NodeRef::Cached(id),
            false => NodeRef::Path(StrRef::new(entry.path.as_bytes())),
        };
        let written = match self.is_godot3() {
            true => self.write_godot3(&mut packet, target, node, method, arguments),
            false => {
                let mut writer = PacketWriter::new(&mut packet, self.config.engine);
                writer.call_ref(target, method, arguments).map_err(SendError::from)
            }
        };
        let sent = match (written, are_confirmed) {
            (Err(error), _) => Err(error),
            (Ok(()), true) => self.send_to(to, way, receivers, &packet),
            (Ok(()), false) => self.send_two_forms(way, receivers, node, id, &mut packet),
        };
        self.packet = packet;
        sent
    }

    /// Sends a call with the path of the node, and the same call with the number of the node to
    /// those receivers that have confirmed it. As in the engine, the number then has 4 bytes.
    fn send_two_forms(
        &mut self,
        way: Way,
        receivers: &[i32],
        node: NodeId,
        id: u32,
        packet: &mut Vec<u8>,
    ) -> Result<(), SendError> {
        for peer in receivers {
            if self.path_state(*peer, node) != PathState::Confirmed {
                self.send(Cause::Caller, way, &[*peer], packet)?;
            }
        }
        let Some(place) = packet.get_mut(1..5) else { return Ok(()) };
        let Ok(number) = <&mut [u8; 4]>::try_from(place) else { return Ok(()) };
        let path = u32::from_le_bytes(*number) & !(1 << 31);
        *number = id.to_le_bytes();
        packet.truncate(path as usize);
        for peer in receivers {
            if self.path_state(*peer, node) == PathState::Confirmed {
                self.send(Cause::Caller, way, &[*peer], packet)?;
            }
        }
        Ok(())
    }

    /// Sends bytes that the receiver gets as [`Event::Bytes`](super::Event::Bytes), and a script
    /// with the signal `peer_packet` (`SceneMultiplayer.send_bytes`).
    ///
    /// # Errors
    /// Returns an error if there are no bytes, if the receiver is not known, or if the queue is
    /// full.
    pub fn send_bytes(
        &mut self,
        to: impl Into<Recipients>,
        bytes: &[u8],
        mode: TransferMode,
        channel: u8,
    ) -> Result<(), SendError> {
        if bytes.is_empty() {
            return Err(SendError::Empty);
        }
        let to = to.into();
        let receivers = self.take_receivers(to)?;
        let mut packet = self.take_packet();
        packet.push(if self.is_godot3() { RAW_OF_GODOT3 } else { RAW });
        packet.extend_from_slice(bytes);
        let way = (mode, channel);
        // A client leaves it to the server to find the receivers.
        let sent = match self.is_relaying() && to != Recipients::Peer(SERVER) {
            true => self.send(Cause::Caller, way, &[to.target()], &packet),
            false => self.send_to(to, way, &receivers, &packet),
        };
        self.packet = packet;
        self.receivers = receivers;
        sent
    }

    /// Returns `true` if this peer sends packets for other clients to the server in RELAY.
    fn is_relaying(&self) -> bool {
        self.config.relay && !self.is_server() && !self.is_godot3()
    }

    /// Appends a packet for all receivers. In Godot 3, it has one prefix for all of them.
    fn send_to(
        &mut self,
        to: Recipients,
        way: Way,
        receivers: &[i32],
        packet: &[u8],
    ) -> Result<(), SendError> {
        match self.is_godot3() {
            true => {
                let target = Some(to.target());
                Ok(self.send_godot3(Cause::Caller, way, target, receivers, packet)?)
            }
            false => self.send(Cause::Caller, way, receivers, packet),
        }
    }

    /// Appends a packet to the queue. A client packs those that are not for the server into RELAY.
    pub(super) fn send(
        &mut self,
        cause: Cause,
        way: Way,
        receivers: &[i32],
        packet: &[u8],
    ) -> Result<(), SendError> {
        if self.is_godot3() {
            return Ok(self.send_godot3(cause, way, None, receivers, packet)?);
        }
        if !self.is_relaying() {
            return Ok(self.outbox.push(cause, way, receivers, [packet, &[]])?);
        }
        for receiver in receivers {
            let head = relay_head(*receiver);
            let head: &[u8] = if *receiver == SERVER { &[] } else { &head };
            self.outbox.push(cause, way, &[SERVER], [head, packet])?;
        }
        Ok(())
    }

    /// Takes the list of receivers out of this peer, and fills it.
    pub(super) fn take_receivers(&mut self, to: Recipients) -> Result<Vec<i32>, SendError> {
        if let Recipients::Peer(peer) | Recipients::AllExcept(peer) = to
            && !self.remotes.is_connected(peer)
            && !(to == Recipients::AllExcept(peer) && peer == self.id)
        {
            return Err(SendError::UnknownPeer);
        }
        let mut receivers = core::mem::take(&mut self.receivers);
        receivers.clear();
        match to {
            Recipients::Peer(peer) => receivers.push(peer),
            Recipients::All => receivers.extend_from_slice(self.remotes.connected()),
            Recipients::AllExcept(one) => {
                let connected = self.remotes.connected().iter();
                receivers.extend(connected.filter(|peer| **peer != one));
            }
        }
        if self.is_godot3() {
            receivers.sort_unstable(); // The engine keeps them in a `Set`.
        }
        Ok(receivers)
    }

    /// Takes the buffer for a packet out of this peer, and empties it.
    pub(super) fn take_packet(&mut self) -> Vec<u8> {
        let mut packet = core::mem::take(&mut self.packet);
        packet.clear();
        packet
    }
}

/// The command of bytes that a script sends.
const RAW: u8 = 3;
const RAW_OF_GODOT3: u8 = 4;
