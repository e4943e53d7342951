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
    pub paths: Paths,
}

impl Peers {
    pub(super) fn new(options: &Options) -> Self {
        let (engine, paths) = (options.engine, Paths::default());
        let guessed = engine.is_none();
        Self { engine, form: None, guessed, server: None, client: None, paths }
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

    /// Of something that one of them sends.
    pub(super) fn envelope<'p>(&self, place: &'p Place<'p>, transport: Transport) -> Envelope<'p> {
        let peer = match self.server {
            Some(_) if self.is_server(place) => Some(1),
            Some(_) => self.client,
            None => None,
        };
        let Self { engine, guessed, .. } = *self;
        Envelope { engine, guessed, peer, ..Envelope::new(place, transport) }
    }
}
