//! Conversations through a WebSocket: packets of the multiplayer, or a value in each message.

#[cfg(feature = "serde")]
pub(super) mod state;

use super::builder::RecordBuilder;
use super::context::Context;
use super::multiplayer::{self, Godot3Packet};
use super::options::Options;
use super::peers::{MessageFormat, Peers};
use super::record::{Content, Control, Engine, Reason, Record, Transport};
use super::values;
use crate::godot::multiplayer::transport::{WebSocketBody, WebSocketMessage, peer_id};
use crate::transport::websocket::{self, Decoder, Event, Header, Kind, Message, Side};
use crate::transport::{Breakdown, Sum};

/// Length of the header that Godot 3 adds to a packet in a WebSocket.
pub(super) const GODOT3_HEADER: u64 = 9;

/// Length of a Godot 3 message that announces a peer.
const GODOT3_PEER_MESSAGE: usize = 13;

/// A decoder of one direction of a WebSocket.
#[derive(Clone, Debug)]
pub(super) struct Messages {
    decoder: Decoder,
    /// `true` if the connection is known to be a WebSocket, and not other HTTP traffic.
    upgraded: bool,
}

impl Messages {
    /// Returns a decoder if the bytes are the start of an HTTP upgrade, or frames with packets of
    /// a game.
    pub(super) fn detect(bytes: &[u8], peers: &mut Peers, context: &Context<'_>) -> Option<Self> {
        let begins = |head: &[u8]| head.iter().zip(bytes).all(|(a, b)| a == b);
        let limits = limits(context.options);
        if begins(b"GET ") || begins(b"HTTP/1.1 101") {
            return Some(Self { decoder: Decoder::new().limits(limits), upgraded: false });
        }
        let (mut messages, mut any_unknown, mut first) = (0_u32, false, None);
        let mut decoder = Decoder::frames().limits(limits);
        let fed = decoder.feed(bytes, |event| {
            if let Event::Message(message) = event {
                let binary = Some(message.payload).filter(|_| message.kind == Kind::Binary);
                let guessed = binary.and_then(|bytes| guess(bytes, context.options.engine));
                messages = messages.saturating_add(1);
                any_unknown |= guessed.is_none();
                first = first.or(guessed);
            }
        });
        // In other data, it is unlikely that a message ends exactly with the segment, or that the
        // segment contains several messages.
        let sure = messages > 1 || decoder.is_between_messages();
        let (engine, format) = first.filter(|_| fed.is_ok() && !any_unknown && sure)?;
        peers.format.get_or_insert(format);
        peers.engine.get_or_insert(engine);
        // Only clients mask their frames.
        let (header, _) = Header::read(bytes).ok()??;
        peers.server.get_or_insert(context.side == header.mask.is_none());
        Some(Self { decoder: Decoder::frames().limits(limits), upgraded: true })
    }

    /// Returns `true` if the bytes are the header of a frame without its payload. Godot 3 sends
    /// headers in separate segments.
    pub(super) fn is_bare_header(bytes: &[u8]) -> bool {
        let header = Header::read(bytes).ok().flatten();
        header.is_some_and(|(header, size)| header.len > 0 && size == bytes.len())
    }

    pub(super) fn memory(&self) -> usize {
        size_of::<Self>().saturating_add(self.decoder.memory())
    }

    pub(super) fn is_upgraded(&self) -> bool {
        self.upgraded
    }

    /// Returns `true` if bytes wait for the rest of a message.
    pub(super) fn is_waiting(&self) -> bool {
        !self.decoder.incomplete().is_empty()
    }

    /// Reports the bytes of an incomplete message.
    pub(super) fn give_up(
        &self,
        peers: &Peers,
        context: &Context<'_>,
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        let bytes = self.decoder.incomplete();
        if self.upgraded && !bytes.is_empty() {
            let builder = peers.builder(context, Transport::WebSocket);
            listener(&builder.record(Content::Bytes { offset: None }, bytes));
        }
    }

    /// Decodes the next bytes. Returns `false` after an error, which ends the stream. If the
    /// connection was upgraded before the error, all bytes have been reported.
    pub(super) fn feed(
        &mut self,
        peers: &mut Peers,
        context: &Context<'_>,
        bytes: &[u8],
        breakdown: &mut Breakdown,
        listener: &mut impl FnMut(&Record<'_>),
    ) -> bool {
        let Self { decoder, upgraded } = self;
        let start = decoder.offset();
        let mut handshake = Sum::default();
        // If the bytes turn out not to be those of a WebSocket, the caller accounts for them.
        let mut head = None;
        let counted = match *upgraded {
            true => &mut *breakdown,
            false => head.insert(Breakdown::default()),
        };
        let fed = decoder.feed_counting(bytes, counted, |event| match event {
            Event::Message(Message { kind: Kind::Binary, payload }) => {
                if !message(peers, context, payload, listener) {
                    handshake.add(payload.len());
                }
            }
            Event::Message(Message { kind: Kind::Text, payload }) => {
                text(peers, context, payload, listener);
            }
            Event::Upgrade(head) => {
                *upgraded = true;
                let server = head.side() == Side::Server;
                peers.server = Some(context.side == server);
                peers.id_due |= server;
                let control = if server { Control::Accept } else { Control::Connect };
                report_control(peers, context, control, listener);
            }
            Event::Close { .. } => report_control(peers, context, Control::Disconnect, listener),
            _ => report_control(peers, context, Control::Ping, listener),
        });
        if handshake.count > 0 {
            breakdown.claim_all(|parts| &mut parts.control, handshake);
        }
        if let Some(head) = head.filter(|_| *upgraded) {
            breakdown.add_all(&head);
        }
        let Err(error) = fed else { return true };
        if *upgraded {
            let (reason, offset) = (Reason::WebSocket(*error.kind()), error.offset());
            let builder = peers.builder(context, Transport::WebSocket);
            // Messages before the malformed frame have been reported, so only the bytes after them
            // are reported as malformed.
            let done = decoder.offset().saturating_sub(start);
            let rest = bytes.get(usize::try_from(done).unwrap_or(usize::MAX)..).unwrap_or(bytes);
            listener(&builder.record(Content::Malformed { reason, offset }, rest));
        }
        false
    }
}

fn limits(options: &Options) -> websocket::Limits {
    websocket::Limits { message: options.limits.message, ..websocket::Limits::default() }
}

fn report_control(
    peers: &Peers,
    context: &Context<'_>,
    control: Control,
    listener: &mut impl FnMut(&Record<'_>),
) {
    let builder = peers.builder(context, Transport::WebSocket);
    listener(&builder.record(Content::Control(control), &[]));
}

/// Reports a text message. Only scripts send such messages, not engines.
fn text(
    peers: &Peers,
    context: &Context<'_>,
    bytes: &[u8],
    listener: &mut impl FnMut(&Record<'_>),
) {
    let builder = peers.builder(context, Transport::WebSocket);
    let content = match core::str::from_utf8(bytes) {
        Ok(text) => Content::Text(text),
        Err(error) => {
            let reason = Reason::WebSocket(websocket::ErrorKind::NotUtf8);
            Content::Malformed { reason, offset: error.valid_up_to() as u64 }
        }
    };
    listener(&builder.record(content, bytes));
}

/// Reports a binary message. Returns `false` if the message is part of the handshake, and therefore
/// in no record.
fn message(
    peers: &mut Peers,
    context: &Context<'_>,
    bytes: &[u8],
    listener: &mut impl FnMut(&Record<'_>),
) -> bool {
    // The first message of the server contains the client's id, in Godot 4 as four bytes.
    let first = peers.is_server(context) && core::mem::take(&mut peers.id_due);
    let format = peers.format.or_else(|| detect_format(peers, context, bytes, first));
    let builder = peers.builder(context, Transport::WebSocket);
    let Some(format) = format else {
        listener(&builder.record(Content::Bytes { offset: None }, bytes));
        return true;
    };
    match (format, peers.engine) {
        (MessageFormat::Values, engine) => {
            let engine = peers.engine.insert(engine.unwrap_or(Engine::Godot4));
            values::report(&builder, engine, Content::Value(bytes), bytes, listener);
        }
        (MessageFormat::Packets, Some(Engine::Godot3)) => {
            return godot3(&builder, peers, bytes, listener);
        }
        (MessageFormat::Packets, _) => match peer_id(bytes) {
            Ok(id) if first && id > 1 => {
                peers.client = Some(id);
                listener(&builder.record(Content::Control(Control::Accept), &[]));
                return false;
            }
            _ => multiplayer::godot4(&builder, peers, bytes, listener),
        },
    }
    true
}

/// Detects the format and the engine from a message, and stores both in `peers`. Returns `None` if
/// the message is not recognised.
fn detect_format(
    peers: &mut Peers,
    context: &Context<'_>,
    bytes: &[u8],
    first: bool,
) -> Option<MessageFormat> {
    let given = context.options.engine;
    let your_id =
        |message| matches!(message, WebSocketMessage { body: WebSocketBody::YourId(_), .. });
    let (engine, format, sure) = match () {
        () if first && peer_id(bytes).is_ok_and(|id| id > 1) => {
            (Engine::Godot4, MessageFormat::Packets, true)
        }
        () if first && WebSocketMessage::parse(bytes).is_ok_and(your_id) => {
            (Engine::Godot3, MessageFormat::Packets, true)
        }
        () => {
            let fallback = given.map(|engine| (engine, MessageFormat::Packets));
            let (engine, format) = guess(bytes, given).or(fallback)?;
            (engine, format, false)
        }
    };
    peers.format = Some(format);
    peers.engine = given.or(Some(engine));
    peers.guessed = given.is_none() && !sure;
    Some(format)
}

/// Guesses engine and format from the bytes of a message.
fn guess(bytes: &[u8], given: Option<Engine>) -> Option<(Engine, MessageFormat)> {
    let may_be = |engine| given.is_none_or(|given| given == engine);
    let is_value = |engine: Engine| may_be(engine) && values::is_value(bytes, engine.dialect());
    let is_godot3 = || match WebSocketMessage::parse(bytes) {
        Ok(WebSocketMessage { from, to, body: WebSocketBody::Packet(packet) }) => {
            (from == 1 || matches!(to, 0 | 1)) && multiplayer::is_godot3(packet)
        }
        // SIMPLIFY_PATH of Godot 4 begins with the same byte as the announcement of a peer.
        Ok(message) => message.from == 1 && bytes.len() == GODOT3_PEER_MESSAGE,
        Err(_) => false,
    };
    match () {
        () if is_value(Engine::Godot4) => Some((Engine::Godot4, MessageFormat::Values)),
        () if is_value(Engine::Godot3) => Some((Engine::Godot3, MessageFormat::Values)),
        () if may_be(Engine::Godot3) && is_godot3() => {
            Some((Engine::Godot3, MessageFormat::Packets))
        }
        () if may_be(Engine::Godot4) && multiplayer::is_godot4(bytes) => {
            Some((Engine::Godot4, MessageFormat::Packets))
        }
        () => None,
    }
}

/// Reports a message of Godot 3. Returns `false` for a message of the handshake.
fn godot3(
    builder: &RecordBuilder<'_>,
    peers: &mut Peers,
    bytes: &[u8],
    listener: &mut impl FnMut(&Record<'_>),
) -> bool {
    let message = match WebSocketMessage::parse(bytes) {
        Ok(message) => message,
        Err(error) => {
            listener(&builder.malformed(&error, bytes));
            return true;
        }
    };
    let content = match message.body {
        WebSocketBody::Packet(packet) => {
            let (origin, source, target) = (GODOT3_HEADER, message.from, message.to);
            let packet = Godot3Packet { all: bytes, bytes: packet, origin, source, target };
            multiplayer::godot3(builder, peers, packet, listener);
            return true;
        }
        WebSocketBody::AddPeer(peer) => Content::AddPeer(peer),
        WebSocketBody::RemovePeer(peer) => Content::DelPeer(peer),
        WebSocketBody::YourId(peer) => {
            peers.client = Some(peer);
            listener(&builder.record(Content::Control(Control::Accept), &[]));
            return false;
        }
    };
    listener(&builder.record(content, bytes));
    true
}
