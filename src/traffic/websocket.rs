//! What goes through a WebSocket: a multiplayer's packets, or a value in each message.

use super::envelope::Envelope;
use super::multiplayer::{self, Inner};
use super::peers::Peers;
use super::record::{Content, Control, Engine, Reason, Record, Transport};
use super::{Place, values};
use crate::godot::multiplayer::transport::{WebSocketBody, WebSocketMessage, peer_id};
use crate::transport::websocket::{self, Decoder, Event, Header, Kind, Message, Side};

/// What Godot 3 puts in front of a packet in a WebSocket.
const GODOT3_PREFIX: u64 = 9;

/// The size of a message of Godot 3 that tells of a peer.
const GODOT3_PEER: usize = 13;

/// One direction.
#[derive(Debug)]
pub(super) struct Messages {
    decoder: Decoder,
    /// Whether it is a WebSocket already; any HTTP begins like one.
    upgraded: bool,
}

/// What the messages of a WebSocket are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Packets of the multiplayer.
    Packets,
    /// Values, as `put_var` sends them.
    Values,
}

impl Messages {
    /// If the bytes are the head of an HTTP message, or frames with packets of a game.
    pub(super) fn recognise(bytes: &[u8], peers: &mut Peers, place: &Place<'_>) -> Option<Self> {
        let begins = |head: &[u8]| head.iter().zip(bytes).all(|(a, b)| a == b);
        let message = place.options.limits.message;
        let limits = websocket::Limits { message, ..websocket::Limits::default() };
        if begins(b"GET ") || begins(b"HTTP/1.1 101") {
            return Some(Self { decoder: Decoder::new().limits(limits), upgraded: false });
        }
        let (mut messages, mut strange, mut first) = (0_u32, false, None);
        let mut decoder = Decoder::frames().limits(limits);
        let fed = decoder.feed(bytes, |event| {
            if let Event::Message(message) = event {
                let binary = Some(message.payload).filter(|_| message.kind == Kind::Binary);
                let guessed = binary.and_then(|bytes| guess(bytes, place.options.engine));
                messages = messages.saturating_add(1);
                strange |= guessed.is_none();
                first = first.or(guessed);
            }
        });
        // (One message that ends where the bytes do, or several, are hardly there by chance.)
        let sure = messages > 1 || decoder.is_between_messages();
        let (engine, form) = first.filter(|_| fed.is_ok() && !strange && sure)?;
        peers.form.get_or_insert(form);
        peers.engine.get_or_insert(engine);
        // Only clients mask what they send.
        let (header, _) = Header::read(bytes).ok()??;
        peers.server.get_or_insert(place.side == header.mask.is_none());
        Some(Self { decoder: Decoder::frames().limits(limits), upgraded: true })
    }

    /// Whether this is a frame's header, and nothing of what is to follow. (Godot 3 sends
    /// headers in segments of their own.)
    pub(super) fn is_bare_header(bytes: &[u8]) -> bool {
        let header = Header::read(bytes).ok().flatten();
        header.is_some_and(|(header, size)| header.len > 0 && size == bytes.len())
    }

    pub(super) fn memory(&self) -> usize {
        size_of::<Self>().saturating_add(self.decoder.memory())
    }

    /// Whether it can go on.
    pub(super) fn bytes(
        &mut self,
        peers: &mut Peers,
        place: &Place<'_>,
        bytes: &[u8],
        listener: &mut impl FnMut(&Record<'_>),
    ) -> bool {
        let Self { decoder, upgraded } = self;
        let fed = decoder.feed(bytes, |event| match event {
            // (Text is a script's own, never the engine's.)
            Event::Message(Message { kind: Kind::Binary, payload }) => {
                told(peers, place, payload, listener);
            }
            Event::Message(_) => {}
            Event::Upgrade(head) => {
                *upgraded = true;
                let server = head.side() == Side::Server;
                peers.server = Some(place.side == server);
                peers.id_due |= server;
                let control = if server { Control::Accept } else { Control::Connect };
                tell(peers, place, control, listener);
            }
            Event::Close { .. } => tell(peers, place, Control::Disconnect, listener),
            _ => tell(peers, place, Control::Ping, listener),
        });
        let Err(error) = fed else { return true };
        if *upgraded {
            let (reason, offset) = (Reason::WebSocket(*error.kind()), error.offset());
            let envelope = peers.envelope(place, Transport::WebSocket);
            listener(&envelope.record(Content::Malformed { reason, offset }, bytes));
        }
        false
    }
}

/// What carries packets says something of its own.
fn tell(
    peers: &Peers,
    place: &Place<'_>,
    control: Control,
    listener: &mut impl FnMut(&Record<'_>),
) {
    let envelope = peers.envelope(place, Transport::WebSocket);
    listener(&envelope.record(Content::Control(control), &[]));
}

/// One message.
fn told(
    peers: &mut Peers,
    place: &Place<'_>,
    bytes: &[u8],
    listener: &mut impl FnMut(&Record<'_>),
) {
    // The server's first message tells the client its id, in four bytes in Godot 4.
    let first = peers.is_server(place) && core::mem::take(&mut peers.id_due);
    let form = peers.form.or_else(|| begin(peers, place, bytes, first));
    let Some(form) = form else { return }; // nothing of a game's, as far as can be seen
    let envelope = peers.envelope(place, Transport::WebSocket);
    match (form, peers.engine) {
        (Form::Values, engine) => {
            let engine = peers.engine.insert(engine.unwrap_or(Engine::Godot4));
            values::tell(&envelope, engine, Content::Value(bytes), bytes, listener);
        }
        (Form::Packets, Some(Engine::Godot3)) => godot3(&envelope, peers, bytes, listener),
        (Form::Packets, _) => match peer_id(bytes) {
            Ok(id) if first && id > 1 => {
                peers.client = Some(id);
                listener(&envelope.record(Content::Control(Control::Accept), &[]));
            }
            _ => multiplayer::godot4(&envelope, peers, bytes, listener),
        },
    }
}

/// Finds out what the messages are, from the first one that is known.
fn begin(peers: &mut Peers, place: &Place<'_>, bytes: &[u8], first: bool) -> Option<Form> {
    let told = place.options.engine;
    let your_id =
        |message| matches!(message, WebSocketMessage { body: WebSocketBody::YourId(_), .. });
    let (engine, form, sure) = match () {
        () if first && peer_id(bytes).is_ok_and(|id| id > 1) => {
            (Engine::Godot4, Form::Packets, true)
        }
        () if first && WebSocketMessage::parse(bytes).is_ok_and(your_id) => {
            (Engine::Godot3, Form::Packets, true)
        }
        () => {
            let known = told.map(|engine| (engine, Form::Packets));
            let (engine, form) = guess(bytes, told).or(known)?;
            (engine, form, false)
        }
    };
    peers.form = Some(form);
    peers.engine = told.or(Some(engine));
    peers.guessed = told.is_none() && !sure;
    Some(form)
}

/// What a message looks like.
fn guess(bytes: &[u8], told: Option<Engine>) -> Option<(Engine, Form)> {
    let may_be = |engine| told.is_none_or(|told| told == engine);
    let is_value = |engine: Engine| may_be(engine) && values::is_value(bytes, engine.dialect());
    let is_godot3 = || match WebSocketMessage::parse(bytes) {
        Ok(WebSocketMessage { from, to, body: WebSocketBody::Packet(packet) }) => {
            (from == 1 || matches!(to, 0 | 1)) && multiplayer::is_godot3(packet)
        }
        // (Godot 4's SIMPLIFY_PATH begins with the same byte as the news of a peer.)
        Ok(message) => message.from == 1 && bytes.len() == GODOT3_PEER,
        Err(_) => false,
    };
    match () {
        () if is_value(Engine::Godot4) => Some((Engine::Godot4, Form::Values)),
        () if is_value(Engine::Godot3) => Some((Engine::Godot3, Form::Values)),
        () if may_be(Engine::Godot3) && is_godot3() => Some((Engine::Godot3, Form::Packets)),
        () if may_be(Engine::Godot4) && multiplayer::is_godot4(bytes) => {
            Some((Engine::Godot4, Form::Packets))
        }
        () => None,
    }
}

fn godot3(
    envelope: &Envelope<'_>,
    peers: &mut Peers,
    bytes: &[u8],
    listener: &mut impl FnMut(&Record<'_>),
) {
    let message = match WebSocketMessage::parse(bytes) {
        Ok(message) => message,
        Err(error) => return listener(&envelope.malformed(&error, bytes)),
    };
    let content = match message.body {
        WebSocketBody::Packet(packet) => {
            let (origin, source, target) = (GODOT3_PREFIX, message.from, message.to);
            let packet = Inner { all: bytes, bytes: packet, origin, source, target };
            return multiplayer::godot3(envelope, peers, packet, listener);
        }
        WebSocketBody::AddPeer(peer) => Content::AddPeer(peer),
        WebSocketBody::RemovePeer(peer) => Content::DelPeer(peer),
        WebSocketBody::YourId(peer) => {
            peers.client = Some(peer);
            return listener(&envelope.record(Content::Control(Control::Accept), &[]));
        }
    };
    listener(&envelope.record(content, bytes));
}
