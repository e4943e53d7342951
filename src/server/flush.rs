//! Packets from the multiplayer state to the transports.

use super::datagrams::send_datagrams;
use super::streams::send_message;
use super::{Link, Server, TooSlow, set};

/// The status code of a WebSocket that is closed on purpose.
const CLOSE_NORMAL: u16 = 1000;

impl Server {
    /// Passes the packets of the multiplayer state to the transports, and then disconnects the
    /// clients that it wants to disconnect.
    pub(super) fn flush(&mut self) {
        while let Some(packet) = self.peer.poll_transmit() {
            let channel = match self.is_godot3 {
                true => packet.channel,
                false => packet.mode.enet_channel(packet.channel),
            };
            let sent = match self.links.get(&packet.to) {
                Some(Link::Enet(key)) => send_datagrams(&mut self.enet, *key, channel, &packet),
                Some(Link::WebSocket(key)) => send_message(&mut self.websocket, *key, &packet),
                None => Ok(()),
            };
            if let Err(TooSlow) = sent {
                let to = packet.to;
                self.peer.disconnect(to);
            }
        }
        while let Some(id) = self.peer.poll_disconnect() {
            self.disconnect(id);
        }
    }

    /// Ends the connection of a client after the packets that are queued for it.
    fn disconnect(&mut self, id: i32) {
        match self.links.remove(&id) {
            Some(Link::Enet(key)) => {
                self.enet.disconnect_later(key, 0);
                set(&mut self.enet_ids, key.slot(), 0);
            }
            Some(Link::WebSocket(key)) => {
                self.websocket.close(self.now, key, CLOSE_NORMAL, "");
                set(&mut self.websocket_ids, key.slot().into(), 0);
            }
            None => {}
        }
        self.peer.disconnected(self.now, id);
    }
}
