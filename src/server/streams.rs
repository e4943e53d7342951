//! Clients that are connected through WebSockets.

use super::{Link, Server, TooSlow, id_of, set};
use crate::godot::multiplayer::peer::{Incoming, Outgoing, TransferMode};
use crate::godot::multiplayer::transport::{client_id, put_peer_id};
use crate::transport::websocket::host::{Accepted, Event, HostFull, PeerKey, SendError};
use crate::transport::websocket::{Host, Kind};
use alloc::vec::Vec;

impl Server {
    /// Adds a TCP connection that was accepted. If the result contains a stream that was removed,
    /// the program closes that one.
    ///
    /// # Errors
    /// Returns an error if there is no room for it. The program then closes the connection.
    pub fn accept_stream(&mut self, now: u64) -> Result<Accepted, HostFull> {
        self.websocket.accept(now)
    }

    /// Processes bytes of a stream.
    pub fn receive_stream(&mut self, now: u64, stream: PeerKey, bytes: &[u8]) {
        self.now = now;
        let Self { peer, websocket, websocket_ids, .. } = self;
        let (mut opened, mut closed) = (false, false);
        websocket.receive(now, stream, bytes, |event| match event {
            // A client sends nothing before it has got its id.
            Event::Opened(_) => opened = true,
            Event::Message(message) => {
                if let Some(id) = id_of(websocket_ids, stream.slot().into()) {
                    peer.receive(now, Incoming::reliable(id, message.payload));
                }
            }
            Event::Closed(_) => closed = true,
        });
        if opened && !closed {
            self.welcome(stream);
        }
        if closed {
            self.ended.push_back(stream);
            self.forget(stream);
        }
    }

    /// Processes the end of a stream, and removes it. The program closes the connection. Has no
    /// effect if the stream was already removed.
    pub fn end_stream(&mut self, now: u64, stream: PeerKey) {
        self.now = now;
        self.websocket.end(stream, |_| {});
        self.forget(stream);
        self.websocket.remove(stream);
    }

    /// Returns a stream, and bytes to write to it. The program writes them, and calls
    /// [`stream_sent`](Self::stream_sent) with the number of bytes that the connection took. Call this method in a loop until it returns `None`, when
    /// [`poll_datagram`](Self::poll_datagram) is called, too.
    pub fn poll_stream(&mut self, now: u64) -> Option<(PeerKey, &[u8])> {
        self.now = now;
        self.flush();
        self.websocket.poll_transmit()
    }

    /// Returns bytes to write to a stream, for a stream that is writable again.
    pub fn stream_output(&self, stream: PeerKey) -> &[u8] {
        self.websocket.output(stream)
    }

    /// Tells that the first `n` bytes were written to a stream.
    pub fn stream_sent(&mut self, stream: PeerKey, n: usize) {
        self.websocket.sent(stream, n);
    }

    /// Returns a stream whose WebSocket has ended. The program writes what is left of its
    /// [output](Self::stream_output), closes the connection, and calls
    /// [`end_stream`](Self::end_stream).
    pub fn poll_ended_stream(&mut self) -> Option<PeerKey> {
        self.ended.pop_front()
    }

    pub(super) fn advance_streams(&mut self) {
        let before = self.ended.len();
        let Self { websocket, ended, now, .. } = self;
        websocket.advance(*now, |stream, event| {
            if let Event::Closed(_) = event {
                ended.push_back(stream);
            }
        });
        for index in before..self.ended.len() {
            if let Some(stream) = self.ended.get(index).copied() {
                self.forget(stream);
            }
        }
    }

    /// Removes the client of a stream. The slot of a stream that was removed may have another one.
    fn forget(&mut self, stream: PeerKey) {
        if self.websocket.connection(stream).is_none() {
            return;
        }
        let slot = stream.slot().into();
        if let Some(id) = id_of(&self.websocket_ids, slot) {
            set(&mut self.websocket_ids, slot, 0);
            self.lose(id);
        }
    }

    /// Chooses an id for a client. For a client of Godot 4, the id is the first message; that of
    /// Godot 3 gets it from the [`Peer`](crate::godot::multiplayer::peer::Peer).
    fn welcome(&mut self, stream: PeerKey) {
        let id = loop {
            let id = client_id(self.random.next() as u32);
            if !self.links.contains_key(&id) {
                break id;
            }
        };
        if !self.is_godot3 {
            let mut message = Vec::new();
            // Neither fails: a `Vec` grows, and the output has room after the handshake.
            let _ = put_peer_id(&mut message, id);
            let _ = self.websocket.send(stream, Kind::Binary, &message);
        }
        if self.connect(id, Link::WebSocket(stream)) {
            set(&mut self.websocket_ids, stream.slot().into(), id);
        } else {
            self.websocket.close(self.now, stream, CLOSE_TRY_LATER, "");
        }
    }
}

/// The status code of a WebSocket for which there is no room.
const CLOSE_TRY_LATER: u16 = 1013;

/// Queues a packet. Drops an unreliable one if the client does not keep up.
pub(super) fn send_message(
    host: &mut Host,
    key: PeerKey,
    packet: &Outgoing<'_>,
) -> Result<(), TooSlow> {
    match host.send(key, Kind::Binary, packet.bytes) {
        Err(SendError::Full(_)) if packet.mode == TransferMode::Reliable => Err(TooSlow),
        _ => Ok(()),
    }
}
