//! State of a multiplayer connection.

#[cfg(feature = "serde")]
pub(super) mod state;

use super::builder::RecordBuilder;
use super::context::Context;
use super::options::Options;
use super::paths::Paths;
use super::record::{Engine, Transport};

/// Facts about the two peers of a connection, learned from its packets.
#[derive(Clone, Debug)]
pub(super) struct Peers {
    pub engine: Option<Engine>,
    /// Format of the messages of a WebSocket.
    pub format: Option<MessageFormat>,
    /// `true` if the engine is a guess from the bytes of packets.
    pub guessed: bool,
    /// The side of the server.
    pub server: Option<bool>,
    /// Multiplayer id of the client.
    pub client: Option<i32>,
    /// `true` if the next message of the WebSocket server is its first, which contains the client's
    /// id.
    pub id_due: bool,
    /// ENet's id of the connection, if its start was captured.
    pub connect_id: Option<u32>,
    pub paths: Paths,
}

/// The format of the messages of a WebSocket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MessageFormat {
    /// Packets of the multiplayer.
    Packets,
    /// Values, as `put_var` sends them.
    Values,
}

/// Multiplayer id of the server.
const SERVER: i32 = 1;

impl Peers {
    pub(super) fn new(options: &Options) -> Self {
        let (engine, paths) = (options.engine, Paths::default());
        let guessed = engine.is_none();
        let (format, server, client, connect_id) = (None, None, None, None);
        let id_due = false;
        Self { engine, format, guessed, server, client, id_due, connect_id, paths }
    }

    /// Resets the state for a new connection.
    pub(super) fn reset(&mut self, options: &Options) {
        let mut paths = core::mem::take(&mut self.paths);
        paths.clear();
        *self = Self { paths, ..Self::new(options) };
    }

    pub(super) fn is_server(&self, context: &Context<'_>) -> bool {
        self.server == Some(context.side)
    }

    /// Returns the peer in the header of a relayed Godot 3 packet: the receiver if a client sends
    /// the packet, or the original sender if the server sends it. Returns `None` if the packet is
    /// not relayed, or if it is not known which side is the server.
    pub(super) fn relay(&self, side: bool, source: i32, target: i32) -> Option<i32> {
        let other = if self.server? == side { source } else { target };
        (other != SERVER).then_some(other)
    }

    /// Returns a builder of records for packets sent in this direction.
    pub(super) fn builder<'p>(
        &self,
        context: &'p Context<'p>,
        transport: Transport,
    ) -> RecordBuilder<'p> {
        let peer = match self.server {
            Some(_) if self.is_server(context) => Some(SERVER),
            Some(_) => self.client,
            None => None,
        };
        let Self { engine, guessed, .. } = *self;
        RecordBuilder { engine, guessed, peer, ..RecordBuilder::new(context, transport) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::paths::Sender;
    use super::*;
    use crate::godot::StrRef;

    #[test]
    fn reset_keeps_the_memory() {
        let options = Options::default();
        let mut peers = Peers::new(&options);
        let sender = Sender { side: false, peer: None };
        peers.paths.insert(sender, 1, StrRef::new(b"Main"), None);
        let memory = peers.paths.memory();
        assert!(memory > 0);
        peers.reset(&options);
        assert_eq!(peers.paths.memory(), memory);
        assert_eq!(peers.paths.lookup().node(sender, 1).path, None);
    }
}
