//! What is known of a packet before it is read.

use super::Place;
use super::paths::{Known, Sender};
use super::record::{Content, Delivery, Engine, Node, Reason, Record, Transport};
use crate::godot;

/// What a packet came in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Envelope<'p> {
    pub place: &'p Place<'p>,
    pub transport: Transport,
    pub engine: Option<Engine>,
    pub guessed: bool,
    pub channel: Option<u8>,
    pub delivery: Option<Delivery>,
    /// The sender's multiplayer id.
    pub peer: Option<i32>,
}

/// What a packet of the multiplayer is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct About<'a> {
    pub relay: Option<i32>,
    /// Whose numbers are in it.
    pub sender: Sender,
    pub node: Option<Node<'a>>,
    pub known: Known<'a>,
}

impl About<'_> {
    pub(super) fn nothing(sender: Sender) -> Self {
        Self { relay: None, sender, node: None, known: Known(None) }
    }
}

impl<'p> Envelope<'p> {
    /// Of which nothing is known but where it was seen.
    pub(super) fn new(place: &'p Place<'p>, transport: Transport) -> Self {
        let (engine, guessed) = (place.options.engine, place.options.engine.is_none());
        let delivery = match transport {
            Transport::Tcp | Transport::WebSocket => Some(Delivery::Reliable),
            Transport::Enet | Transport::Udp => None,
        };
        Self { place, transport, engine, guessed, channel: None, delivery, peer: None }
    }

    /// Whose numbers are in it, if it is not relayed.
    pub(super) fn sender(&self) -> Sender {
        Sender { side: self.place.side, peer: None }
    }

    /// The record of `content`, which `bytes` are.
    pub(super) fn record<'a>(&self, content: Content<'a>, bytes: &'a [u8]) -> Record<'a> {
        self.record_about(content, bytes, About::nothing(self.sender()))
    }

    /// The same, and what there is to say about it.
    #[inline(always)]
    pub(super) fn record_about<'a>(
        &self,
        content: Content<'a>,
        bytes: &'a [u8],
        about: About<'a>,
    ) -> Record<'a> {
        let About { relay, sender, node, known } = about;
        Record {
            time: self.place.time,
            source: *self.place.source,
            destination: *self.place.destination,
            transport: self.transport,
            engine: self.engine,
            guessed: self.guessed,
            channel: self.channel,
            delivery: self.delivery,
            peer: self.peer,
            relay,
            node,
            content,
            bytes,
            known,
            sender,
        }
    }

    #[cold]
    pub(super) fn malformed<'a>(&self, error: &godot::Error, bytes: &'a [u8]) -> Record<'a> {
        let (reason, offset) = (Reason::Godot(*error.kind()), error.offset());
        self.record(Content::Malformed { reason, offset }, bytes)
    }
}
