//! Messages of the transports of Godot 3 about peers.

use super::event::Denied;
use super::outbox::Cause;
use super::receive::Verdict;
use super::remote::Phase;
use super::{Peer, Refusal, SERVER, Transport3};
use crate::godot::multiplayer::transport::{EnetConfig, WebSocketBody, WebSocketMessage};
use alloc::vec::Vec;

impl Peer {
    /// Tells a client that another one has connected or left. Config messages are on channel 0.
    pub(super) fn notify_godot3(&mut self, to: i32, peer: i32, is_added: bool) {
        let body = match is_added {
            true => WebSocketBody::AddPeer(peer),
            false => WebSocketBody::RemovePeer(peer),
        };
        let message = match (self.config.transport, is_added) {
            (Transport3::WebSocket, _) => return self.send_system_message(to, body),
            (Transport3::Enet, true) => EnetConfig::AddPeer(peer.cast_unsigned()),
            (Transport3::Enet, false) => EnetConfig::RemovePeer(peer.cast_unsigned()),
        };
        let mut packet = self.take_packet();
        let written = message.write(&mut packet);
        debug_assert!(written.is_ok());
        self.push_config(to, packet);
    }

    /// Sends a message about peers through a WebSocket. The server is its sender, and the receiver
    /// is always 0.
    fn send_system_message(&mut self, to: i32, body: WebSocketBody<'_>) {
        let mut packet = self.take_packet();
        let written = WebSocketMessage { from: SERVER, to: 0, body }.write(&mut packet);
        debug_assert!(written.is_ok());
        self.push_config(to, packet);
    }

    fn push_config(&mut self, to: i32, packet: Vec<u8>) {
        let way = super::authenticate::SYSTEM;
        let pushed = self.outbox.push(Cause::Answer, way, &[to], [&packet, &[]]);
        self.packet = packet;
        if pushed.is_err() {
            self.refuse(to, Denied::new(Refusal::OutgoingFull));
        }
    }

    /// Tells a new client over a WebSocket its id, and that it is connected to the server.
    pub(super) fn welcome_godot3(&mut self, peer: i32) {
        if self.config.transport == Transport3::WebSocket {
            self.send_system_message(peer, WebSocketBody::YourId(peer));
            self.send_system_message(peer, WebSocketBody::AddPeer(SERVER));
        }
    }

    /// Takes the id that the server has assigned to this client.
    pub(super) fn named<'a>(&mut self, from: i32, id: i32) -> Verdict<'a> {
        let is_waiting = self.remotes.get(from).is_some_and(|at| at.phase != Phase::Connected);
        if self.is_server() || from != SERVER || id <= SERVER || !is_waiting {
            return Err(Refusal::NotServer.into());
        }
        self.id = id;
        Ok(())
    }

    /// Connects this client to the server, which has accepted it.
    pub(super) fn accepted<'a>(&mut self, from: i32) -> Verdict<'a> {
        let is_waiting = self.remotes.get(from).is_some_and(|at| at.phase != Phase::Connected);
        if self.is_server() || from != SERVER || !is_waiting {
            return Err(Refusal::NotServer.into());
        }
        self.admit(SERVER);
        Ok(())
    }
}
