//! What goes over TCP: a WebSocket, or values behind their lengths.

use super::multiplayer;
use super::peers::Peers;
use super::record::{Content, Control, Engine, Reason, Record, Transport};
use super::{Options, Place, values};
use crate::godot::debugger;
use crate::godot::frame::{Frame, Framer, Framing};
use crate::godot::multiplayer::transport::{WebSocketBody, WebSocketMessage, peer_id};
use crate::godot::{Dialect, Limits, Reader};
use crate::net::tcp::{self, Segment, Stream};
use crate::net::websocket::{self, Decoder};
use alloc::boxed::Box;

/// Where a game that is run from the editor finds its debugger.
const DEBUGGER_PORT: u16 = 6007;

/// What Godot 3 puts in front of a packet in a WebSocket.
const GODOT3_PREFIX: u64 = 9;

/// Both directions of a TCP connection.
#[derive(Debug)]
pub(super) struct TcpFlow {
    /// By the side that sends.
    directions: [Direction; 2],
    peers: Peers,
}

#[derive(Debug, Default)]
struct Direction {
    stream: Stream,
    content: Inside,
}

/// What is in a stream.
#[derive(Debug, Default)]
enum Inside {
    /// Nothing came yet.
    #[default]
    Unknown,
    WebSocket(Box<Decoder>),
    Frames(Box<Frames>),
    /// Nothing of a game's.
    Other,
}

#[derive(Debug)]
struct Frames {
    framer: Framer,
    engine: Engine,
    debugger: bool,
}

impl TcpFlow {
    pub(super) fn new(options: &Options) -> Self {
        Self { directions: Default::default(), peers: Peers::new(options) }
    }

    pub(super) fn segment(
        &mut self,
        place: &Place<'_>,
        segment: Segment<'_>,
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        let Self { directions: [low, high], peers } = self;
        let Direction { stream, content } = if place.side { high } else { low };
        stream.feed(segment, |event| match event {
            tcp::Event::Start { .. } => *content = Inside::Unknown,
            tcp::Event::Bytes(bytes) => content.bytes(peers, place, bytes, listener),
            tcp::Event::Gap { .. } => {
                // Where the next frame starts is lost.
                let transport = content.transport();
                *content = Inside::Other;
                let lost = Content::Control(Control::Lost);
                listener(&place.record(transport, lost, &[]));
            }
            tcp::Event::End | tcp::Event::Reset => {}
        });
    }
}

impl Inside {
    fn transport(&self) -> Transport {
        match self {
            Self::WebSocket(_) => Transport::WebSocket,
            _ => Transport::Tcp,
        }
    }

    fn bytes(
        &mut self,
        peers: &mut Peers,
        place: &Place<'_>,
        bytes: &[u8],
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        if matches!(self, Self::Unknown) {
            *self = Self::recognise(bytes, place);
        }
        let whole = match self {
            Self::WebSocket(decoder) => websocket(decoder, peers, place, bytes, listener),
            Self::Frames(frames) => frames.bytes(place, bytes, listener),
            Self::Unknown | Self::Other => true,
        };
        if !whole {
            *self = Self::Other; // where it would go on is not known
        }
    }

    /// An HTTP head, or a first frame that is a value, or begins like one.
    fn recognise(bytes: &[u8], place: &Place<'_>) -> Self {
        if bytes.starts_with(b"GET ") || bytes.starts_with(b"HTTP/1.1 101") {
            return Self::WebSocket(Box::default());
        }
        let framings = [false, true].map(|big_endian| Framing { big_endian, ..Framing::default() });
        let found = framings.into_iter().find_map(|framing| {
            let mut engines = values::engines(place.options);
            let engine = engines.find(|engine| begins(bytes, engine.dialect(), framing))?;
            Some((engine, framing))
        });
        let Some((mut engine, framing)) = found else { return Self::Other };
        let first = frame_of(bytes, framing);
        let message = first.and_then(|frame| debugger::Message::parse(frame).ok());
        let on_port =
            [place.source, place.destination].map(|at| at.port()).contains(&DEBUGGER_PORT);
        let godot3 = || begins(bytes, Dialect::Godot3, framing) && place.options.engine.is_none();
        if on_port && first.is_some() && message.is_none() && godot3() {
            engine = Engine::Godot3; // whose messages begin with a frame that is a name
        }
        let debugger = on_port || message.is_some_and(|message| message.thread.is_some());
        Self::Frames(Box::new(Frames { framer: Framer::new(framing), engine, debugger }))
    }
}

/// The length of the first frame.
fn length(bytes: &[u8], framing: Framing) -> Option<(u32, &[u8])> {
    let (prefix, rest) = bytes.split_first_chunk()?;
    let read = if framing.big_endian { u32::from_be_bytes } else { u32::from_le_bytes };
    Some((read(*prefix), rest))
}

/// The first frame, if it is all there.
fn frame_of(bytes: &[u8], framing: Framing) -> Option<&[u8]> {
    let (len, rest) = length(bytes, framing)?;
    rest.get(..len as usize)
}

fn begins(bytes: &[u8], dialect: Dialect, framing: Framing) -> bool {
    let Some((len, rest)) = length(bytes, framing) else { return false };
    if len < 4 || len > framing.max_len || len & 3 != 0 {
        return false;
    }
    let judge = |frame| Reader::new(frame, dialect).limits(Limits::ENGINE).skip();
    match frame_of(bytes, framing) {
        Some(frame) => judge(frame).is_ok(),
        None => judge(rest).is_err_and(|error| error.missing().is_some()),
    }
}

impl Frames {
    /// Whether it can go on.
    fn bytes(
        &mut self,
        place: &Place<'_>,
        bytes: &[u8],
        listener: &mut impl FnMut(&Record<'_>),
    ) -> bool {
        let mut piece = bytes;
        loop {
            match self.framer.next(&mut piece) {
                Ok(Some(Frame { bytes, .. })) => {
                    let value = if self.debugger { Content::Debugger } else { Content::Value };
                    let engine = &mut self.engine;
                    values::tell(place, Transport::Tcp, engine, value(bytes), bytes, listener);
                }
                Ok(None) => return true,
                Err(error) => {
                    let record = place.record(Transport::Tcp, Content::Raw, bytes);
                    listener(&multiplayer::malformed(record, &error));
                    return false;
                }
            }
        }
    }
}

/// Whether it can go on.
fn websocket(
    decoder: &mut Decoder,
    peers: &mut Peers,
    place: &Place<'_>,
    bytes: &[u8],
    listener: &mut impl FnMut(&Record<'_>),
) -> bool {
    let record = |peers: &Peers, content| peers.record(place, Transport::WebSocket, content, &[]);
    let fed = decoder.feed(bytes, |event| match event {
        websocket::Event::Upgrade(_) => {
            let server = bytes.starts_with(b"HTTP");
            peers.server = Some(place.side == server);
            let control = if server { Control::Accept } else { Control::Connect };
            listener(&record(peers, Content::Control(control)));
        }
        websocket::Event::Message(message) => packet(peers, place, message.payload, listener),
        websocket::Event::Close { .. } => {
            listener(&record(peers, Content::Control(Control::Disconnect)));
        }
        _ => listener(&record(peers, Content::Control(Control::Ping))),
    });
    let Err(error) = fed else { return true };
    let (reason, offset) = (Reason::WebSocket(*error.kind()), error.offset());
    let content = Content::Malformed { reason, offset };
    listener(&Record { bytes, ..record(peers, content) });
    false
}

/// One message of a WebSocket.
fn packet(
    peers: &mut Peers,
    place: &Place<'_>,
    bytes: &[u8],
    listener: &mut impl FnMut(&Record<'_>),
) {
    // The server's first message tells the client its id, in four bytes in Godot 4.
    let first = peers.client.is_none() && peers.is_server(place);
    if peers.engine.is_none() {
        let godot3 = matches!(
            WebSocketMessage::parse(bytes),
            Ok(WebSocketMessage { body: WebSocketBody::YourId(_), .. }) if first
        );
        peers.engine = Some(if godot3 { Engine::Godot3 } else { Engine::Godot4 });
        peers.guessed = !(first && (godot3 || bytes.len() == 4));
    }
    let record = peers.record(place, Transport::WebSocket, Content::Raw, bytes);
    if peers.engine == Some(Engine::Godot3) {
        return godot3(record, peers, bytes, listener);
    }
    match peer_id(bytes) {
        Ok(id) if first && bytes.len() == 4 => {
            peers.client = Some(id);
            let accept = Content::Control(Control::Accept);
            listener(&Record { content: accept, bytes: &[], ..record });
        }
        _ => multiplayer::godot4(record, peers, listener),
    }
}

fn godot3(
    record: Record<'_>,
    peers: &mut Peers,
    bytes: &[u8],
    listener: &mut impl FnMut(&Record<'_>),
) {
    let message = match WebSocketMessage::parse(bytes) {
        Ok(message) => message,
        Err(error) => return listener(&multiplayer::malformed(record, &error)),
    };
    let content = match message.body {
        WebSocketBody::Packet(packet) => {
            let record = multiplayer::between(record, peers, message.from, message.to);
            let paths = &mut peers.paths;
            return multiplayer::godot3(record, paths, packet, GODOT3_PREFIX, listener);
        }
        WebSocketBody::AddPeer(peer) => Content::AddPeer(peer),
        WebSocketBody::RemovePeer(peer) => Content::DelPeer(peer),
        WebSocketBody::YourId(peer) => {
            peers.client = Some(peer);
            Content::Control(Control::Accept)
        }
    };
    listener(&Record { content, ..record });
}
