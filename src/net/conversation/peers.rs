//! Two peers of the multiplayer that are connected.

use super::paths::Paths;
use super::record::{Content, Engine, Record, Transport};
use super::{Options, Place};

/// What is known of a connection.
#[derive(Debug)]
pub(super) struct Peers {
    pub engine: Option<Engine>,
    /// Whether the engine is what the bytes look like.
    pub guessed: bool,
    /// Which side is the server.
    pub server: Option<bool>,
    /// The client's multiplayer id.
    pub client: Option<i32>,
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
        Self { engine, guessed, server: None, client: None, connect_id: None, paths }
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

    /// A record of something that one of them sends.
    pub(super) fn record<'a>(
        &self,
        place: &Place<'_>,
        transport: Transport,
        content: Content<'a>,
        bytes: &'a [u8],
    ) -> Record<'a> {
        Record {
            engine: self.engine,
            guessed: self.guessed,
            peer: match self.server {
                Some(_) if self.is_server(place) => Some(SERVER),
                Some(_) => self.client,
                None => None,
            },
            ..place.record(transport, content, bytes)
        }
    }
}
