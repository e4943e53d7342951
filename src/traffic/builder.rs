//! Builds records from the content of a packet and the fields that are known before the content is
//! read.

use super::context::Context;
use super::node::Node;
use super::paths::{PathLookup, Sender};
use super::record::{Content, Delivery, Engine, Reason, Record, Transport};
use crate::godot;

/// The fields that are known before the content of a packet is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordBuilder<'p> {
    pub context: &'p Context<'p>,
    pub transport: Transport,
    pub engine: Option<Engine>,
    pub guessed: bool,
    pub channel: Option<u8>,
    pub delivery: Option<Delivery>,
    /// Multiplayer id of the sender.
    pub peer: Option<i32>,
}

/// The fields of a record that only packets of the multiplayer have.
#[derive(Clone, Copy, Debug)]
pub(super) struct MultiplayerFields<'a> {
    pub relay: Option<i32>,
    /// The peer that assigned the node numbers in the packet.
    pub sender: Sender,
    pub node: Option<Node<'a>>,
    pub paths: PathLookup<'a>,
}

impl MultiplayerFields<'_> {
    pub(super) fn none(sender: Sender) -> Self {
        Self { relay: None, sender, node: None, paths: PathLookup(None) }
    }
}

impl<'p> RecordBuilder<'p> {
    pub(super) fn new(context: &'p Context<'p>, transport: Transport) -> Self {
        let (engine, guessed) = (context.options.engine, context.options.engine.is_none());
        let delivery = match transport {
            Transport::Tcp | Transport::WebSocket => Some(Delivery::Reliable),
            Transport::Enet | Transport::Udp => None,
        };
        Self { context, transport, engine, guessed, channel: None, delivery, peer: None }
    }

    /// Returns the sender of a packet that is not relayed.
    pub(super) fn sender(&self) -> Sender {
        Sender { side: self.context.side, peer: None }
    }

    /// Builds a record from its content and the bytes of the packet.
    pub(super) fn record<'a>(&self, content: Content<'a>, bytes: &'a [u8]) -> Record<'a> {
        self.multiplayer_record(content, bytes, MultiplayerFields::none(self.sender()))
    }

    #[inline(always)]
    pub(super) fn multiplayer_record<'a>(
        &self,
        content: Content<'a>,
        bytes: &'a [u8],
        fields: MultiplayerFields<'a>,
    ) -> Record<'a> {
        let MultiplayerFields { relay, sender, node, paths } = fields;
        Record {
            time: self.context.time,
            source: *self.context.source,
            destination: *self.context.destination,
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
            paths,
            sender,
        }
    }

    #[cold]
    pub(super) fn malformed<'a>(&self, error: &godot::Error, bytes: &'a [u8]) -> Record<'a> {
        let (reason, offset) = (Reason::Godot(*error.kind()), error.offset());
        self.record(Content::Malformed { reason, offset }, bytes)
    }
}
