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
    pub paths: Paths,
}

impl Peers {
    pub(super) fn new(options: &Options) -> Self {
        let (engine, paths) = (options.engine, Paths::default());
        Self { engine, guessed: engine.is_none(), server: None, client: None, paths }
    }

    pub(super) fn is_server(&self, place: &Place<'_>) -> bool {
        self.server == Some(place.side)
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
                Some(_) if self.is_server(place) => Some(1),
                Some(_) => self.client,
                None => None,
            },
            ..place.record(transport, content, bytes)
        }
    }
}
