//! Clients that are connected through ENet.

use super::delivery::{delivery, transfer_mode};
use super::{Link, Server, TooSlow, id_of, set};
use crate::godot::multiplayer::peer::{Incoming, Outgoing};
use crate::godot::multiplayer::transport::script_channel;
use crate::transport::enet::{Delivery, Host, HostEvent, PeerKey, SendError, Transmit};
use core::net::SocketAddr;

impl Server {
    /// Processes a datagram, the payload of a UDP packet. `now` is the time in milliseconds since any
    /// moment, and must not decrease.
    pub fn receive_datagram(&mut self, now: u64, from: SocketAddr, datagram: &[u8]) {
        self.now = now;
        self.enet.receive(now, from, datagram);
        self.take_enet_events();
    }

    /// Returns the next datagram to send. Call this method in a loop until it returns `None`, after
    /// passing in what has arrived, after calls, and at [`next_timeout`](Self::next_timeout).
    pub fn poll_datagram(&mut self, now: u64) -> Option<Transmit<'_>> {
        self.now = now;
        self.flush();
        self.enet.poll_transmit(now)
    }

    pub(super) fn take_enet_events(&mut self) {
        let (now, mut connected) = (self.now, None);
        loop {
            if let Some((key, data)) = connected.take() {
                self.enet_connected(key, data);
            }
            match self.enet.poll_event() {
                None => return,
                Some(HostEvent::Connected { peer, data }) => connected = Some((peer, data)),
                Some(HostEvent::Received { peer, channel, delivery, payload }) => {
                    if let Some(from) = id_of(&self.enet_ids, peer.slot()) {
                        let mode = transfer_mode(delivery);
                        let channel = match self.is_godot3 {
                            true => channel,
                            false => script_channel(channel),
                        };
                        self.peer.receive(now, Incoming { from, mode, channel, bytes: payload });
                    }
                }
                Some(HostEvent::Disconnected { peer, .. }) => {
                    if let Some(id) = id_of(&self.enet_ids, peer.slot()) {
                        set(&mut self.enet_ids, peer.slot(), 0);
                        self.lose(id);
                    }
                }
            }
        }
    }

    /// Adds a client. Clients choose their own ids. As the engine's server, refuses those that no
    /// client can have; also refuses those that another client has.
    fn enet_connected(&mut self, key: PeerKey, data: u32) {
        match i32::try_from(data) {
            Ok(id) if self.connect(id, Link::Enet(key)) => {
                set(&mut self.enet_ids, key.slot(), id);
            }
            _ => self.enet.disconnect_now(key, 0),
        }
    }
}

/// Queues a packet on a channel of ENet. Drops an unreliable one if the client does not keep up.
pub(super) fn send_datagrams(
    host: &mut Host,
    key: PeerKey,
    channel: u8,
    packet: &Outgoing<'_>,
) -> Result<(), TooSlow> {
    let delivery = delivery(packet.mode);
    match host.send(key, channel, delivery, packet.bytes) {
        Err(SendError::PeerFull | SendError::HostFull) if delivery == Delivery::Reliable => {
            Err(TooSlow)
        }
        _ => Ok(()),
    }
}
