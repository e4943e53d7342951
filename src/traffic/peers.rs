//! Two peers of the multiplayer that are connected.

use super::envelope::Envelope;
use super::paths::Paths;
use super::record::{Engine, Transport};
use super::websocket::Form;
use super::{Options, Place};

/// What is known of a connection.
#[derive(Debug)]
pub(super) struct Peers {
    pub engine: Option<Engine>,
    /// What the messages of a WebSocket are.
    pub form: Option<Form>,
    /// Whether the engine is what the bytes look like.
    pub guessed: bool,
    /// Which side is the server.
    pub server: Option<bool>,
    /// The client's multiplayer id.
    pub client: Option<i32>,
    /// Whether the server's next message in a WebSocket is its first.
    pub id_due: bool,
    /// ENet's number of the connection, if its beginning was seen.
    pub connect_id: Option<u32>,
    pub paths: Paths,
}

/// The server's multiplayer id.
const SERVER: i32 = 1;

impl Peers {
    pub(super) fn new(options: &Options) -> Self {
        let (engine, paths) = (options.engine, Paths::default());
        let guessed = engine.is_none();
        let (form, server, client, connect_id) = (None, None, None, None);
        let id_due = false;
        Self { engine, form, guessed, server, client, id_due, connect_id, paths }
    }

    /// A connection begins.
    pub(super) fn reset(&mut self, options: &Options) {
        let mut paths = core::mem::take(&mut self.paths);
        paths.clear();
        *self = Self { paths, ..Self::new(options) };
    }

    pub(super) fn is_server(&self, place: &Place<'_>) -> bool {
        self.server == Some(place.side)
    }

    /// What a header of Godot 3 tells of a packet that the server relays: from a client, for
    /// whom it is; from the server, who has sent it.
    pub(super) fn relay(&self, side: bool, source: i32, target: i32) -> Option<i32> {
        let other = if self.server? == side { source } else { target };
        (other != SERVER).then_some(other)
    }

    /// Of something that one of them sends.
    pub(super) fn envelope<'p>(&self, place: &'p Place<'p>, transport: Transport) -> Envelope<'p> {
        let peer = match self.server {
            Some(_) if self.is_server(place) => Some(SERVER),
            Some(_) => self.client,
            None => None,
        };
        let Self { engine, guessed, .. } = *self;
        Envelope { engine, guessed, peer, ..Envelope::new(place, transport) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::paths::Sender;
    use super::*;
    use crate::godot::StrRef;

    #[test]
    fn another_connection_has_the_memory_of_the_last() {
        let options = Options::default();
        let mut peers = Peers::new(&options);
        let sender = Sender { side: false, peer: None };
        peers.paths.learn(sender, 1, StrRef::new(b"Main"), None);
        let memory = peers.paths.memory();
        assert!(memory > 0);
        peers.reset(&options);
        assert_eq!(peers.paths.memory(), memory);
        assert_eq!(peers.paths.known().node(sender, 1).path, None);
    }
}
