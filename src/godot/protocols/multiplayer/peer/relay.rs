//! Packets that a server passes from client to client.

use super::outbox::Cause;
use super::receive::{Incoming, Verdict};
use super::{Peer, Refusal, SERVER};
use crate::godot::Target;
use crate::godot::multiplayer::godot4::{Relay, relay_head};

impl Peer {
    /// Processes RELAY. A server sends the packet on, a client takes it as one of its sender.
    pub(super) fn relayed<'a>(&mut self, packet: &Incoming<'a>, relay: &Relay<'a>) -> Verdict<'a> {
        if !self.config.relay {
            return Err(Refusal::NoRelay.into());
        }
        let sender = match self.is_server() {
            true if self.forward(packet, relay)? => packet.from,
            true => return Ok(()),
            false if packet.from == SERVER => relay.peer(),
            false => return Err(Refusal::NotServer.into()),
        };
        if !self.remotes.is_connected(sender) {
            return Err(Refusal::UnknownPeer.into());
        }
        let inner = relay.packet().map_err(|_| Refusal::Malformed)?;
        self.deliver(sender, &inner)
    }

    /// Sends a packet of a client to its receivers, without parsing it. Returns `true` if the server
    /// itself is one of them.
    fn forward<'a>(&mut self, packet: &Incoming<'a>, relay: &Relay<'a>) -> Result<bool, Refusal> {
        let (from, to) = (packet.from, relay.peer());
        let mut receivers = core::mem::take(&mut self.receivers);
        receivers.clear();
        let connected = self.remotes.connected();
        receivers.extend(connected.iter().filter(|peer| self.is_receiver(**peer, from, to)));
        let parts = [&relay_head(from)[..], relay.as_bytes()];
        let way = (packet.mode, packet.channel);
        let pushed = self.outbox.push(Cause::Answer, way, &receivers, parts);
        let is_unknown = to > 0 && receivers.is_empty();
        self.receivers = receivers;
        match pushed {
            Err(_) => Err(Refusal::OutgoingFull),
            Ok(()) if is_unknown => Err(Refusal::UnknownReceiver),
            Ok(()) => Ok(self.is_for_server(to)),
        }
    }

    /// Returns `true` if the engine's server sends a packet of the client `from` with the target
    /// `to` to `peer`. It sends a packet back to a client that names itself as the target.
    fn is_receiver(&self, peer: i32, from: i32, to: i32) -> bool {
        match to {
            1.. => peer == to,
            _ if peer == from => false,
            0 => true,
            // Before 4.3, the engine had the condition reversed: only the excluded peer got it.
            _ if self.config.engine == Target::GODOT4_0 => Some(peer) == to.checked_neg(),
            _ => Some(peer) != to.checked_neg(),
        }
    }

    /// Returns `true` if the server itself takes a packet with the target `to`.
    fn is_for_server(&self, to: i32) -> bool {
        match to {
            0 => true,
            1.. => false,
            // Before 4.3, the condition was reversed, too.
            _ if self.config.engine == Target::GODOT4_0 => to == -SERVER,
            _ => to != -SERVER,
        }
    }
}
