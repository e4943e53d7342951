//! What goes over UDP: ENet, or a value in each datagram.

use super::multiplayer;
use super::peers::Peers;
use super::record::{Content, Control, Engine, Reason, Record, Transport};
use super::{Options, Place};
use crate::godot::multiplayer::godot4;
use crate::godot::{Dialect, Limits, Reader};
use crate::net::enet::{Body, Command, Commands, Connect, Datagram, Event, RangeCoder, Session};
use alloc::boxed::Box;

/// A pair of addresses that exchanges datagrams.
#[derive(Debug, Default)]
pub(super) enum UdpFlow {
    /// Nothing that was known came yet.
    #[default]
    Unknown,
    Enet(Box<Connection>),
    Values(Engine),
}

impl UdpFlow {
    pub(super) fn datagram(
        &mut self,
        place: &Place<'_>,
        payload: &[u8],
        coder: &mut RangeCoder,
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        if matches!(self, Self::Unknown) {
            *self = Self::recognise(payload, place.options, coder);
        }
        match self {
            Self::Unknown => {}
            Self::Enet(connection) => connection.datagram(place, payload, coder, listener),
            Self::Values(engine) => value(place, *engine, payload, listener),
        }
    }

    pub(super) fn memory(&self) -> usize {
        match self {
            Self::Enet(connection) => size_of::<Connection>().saturating_add(connection.memory()),
            Self::Unknown | Self::Values(_) => 0,
        }
    }

    /// What a datagram looks like: a value from start to end, or ENet's commands.
    fn recognise(payload: &[u8], options: &Options, coder: &mut RangeCoder) -> Self {
        let engines = [Engine::Godot4, Engine::Godot3];
        let engine = engines.into_iter().find(|engine| {
            options.engine.is_none_or(|told| told == *engine) && is_value(payload, engine.dialect())
        });
        match engine {
            Some(engine) => Self::Values(engine),
            None if is_enet(payload, coder) => Self::Enet(Box::new(Connection::new(options))),
            None => Self::Unknown,
        }
    }
}

fn is_value(payload: &[u8], dialect: Dialect) -> bool {
    let mut reader = Reader::new(payload, dialect).limits(Limits::ENGINE);
    reader.skip().is_ok() && reader.is_empty()
}

/// Whether these are commands to the end.
fn is_enet(payload: &[u8], coder: &mut RangeCoder) -> bool {
    let Ok(datagram) = Datagram::parse(payload) else { return false };
    let body = match datagram.compressed {
        true => coder.decode_datagram(datagram.body, 0).unwrap_or_default(),
        false => datagram.body,
    };
    !body.is_empty() && Commands::new(body, 0).all(|command| command.is_ok())
}

fn value(
    place: &Place<'_>,
    engine: Engine,
    payload: &[u8],
    listener: &mut impl FnMut(&Record<'_>),
) {
    let record = Record {
        engine: Some(engine),
        guessed: place.options.engine.is_none(),
        ..place.record(Transport::Udp, Content::Value(payload), payload)
    };
    let mut reader = Reader::new(payload, engine.dialect()).limits(Limits::ENGINE);
    match reader.skip() {
        Ok(()) => listener(&record),
        Err(error) => listener(&multiplayer::malformed(record, &error)),
    }
}

/// Both directions of an ENet connection.
#[derive(Debug)]
pub(super) struct Connection {
    /// By the side that sends.
    sessions: [Session; 2],
    peers: Peers,
}

impl Connection {
    fn new(options: &Options) -> Self {
        let sessions = [options.limits.enet; 2].map(Session::new);
        Self { sessions, peers: Peers::new(options) }
    }

    fn memory(&self) -> usize {
        let paths = self.peers.paths.memory();
        self.sessions.iter().map(Session::memory).fold(paths, usize::saturating_add)
    }

    fn datagram(
        &mut self,
        place: &Place<'_>,
        payload: &[u8],
        coder: &mut RangeCoder,
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        let Self { sessions: [low, high], peers } = self;
        let session = if place.side { high } else { low };
        session.feed(payload, coder, |event| heard(peers, place, event, payload, listener));
    }
}

/// What came of a datagram.
fn heard(
    peers: &mut Peers,
    place: &Place<'_>,
    event: Event<'_>,
    datagram: &[u8],
    listener: &mut impl FnMut(&Record<'_>),
) {
    let control = |peers: &Peers, control| {
        peers.record(place, Transport::Enet, Content::Control(control), &[])
    };
    match event {
        Event::Delivery(packet) => {
            peers.engine.get_or_insert_with(|| recognise(packet.payload));
            let record = Record {
                channel: Some(packet.channel),
                delivery: Some(packet.mode),
                ..peers.record(place, Transport::Enet, Content::Raw, packet.payload)
            };
            match peers.engine {
                Some(Engine::Godot3) => {
                    multiplayer::godot3_enet(record, &mut peers.paths, listener)
                }
                _ => multiplayer::godot4(record, peers, listener),
            }
        }
        Event::Control(command) => {
            if let Body::Connect(connect) = command.body {
                begins(peers, place, connect);
            }
            listener(&control(peers, kind_of(&command)));
        }
        Event::Lost(_) => listener(&control(peers, Control::Lost)),
        Event::Malformed(error) => {
            let (reason, offset) = (Reason::Enet(*error.kind()), error.offset());
            let content = Content::Malformed { reason, offset };
            listener(&peers.record(place, Transport::Enet, content, datagram));
        }
    }
}

/// A connection begins, which says nearly all.
fn begins(peers: &mut Peers, place: &Place<'_>, connect: Connect) {
    peers.server = Some(!place.side);
    peers.client = Some(connect.data.cast_signed());
    peers.paths.clear();
    if place.options.engine.is_none() {
        // Godot 3 asks for as many channels as it has been given, 3 by default.
        let all = connect.channels >= 255;
        peers.engine = Some(if all { Engine::Godot4 } else { Engine::Godot3 });
        peers.guessed = false;
    }
}

/// Whose packet it looks like, where the beginning was not seen.
fn recognise(packet: &[u8]) -> Engine {
    match godot4::Packet::parse(packet) {
        Ok(packet) if multiplayer::check4(&packet).is_ok() => Engine::Godot4,
        _ => Engine::Godot3,
    }
}

fn kind_of(command: &Command<'_>) -> Control {
    match command.body {
        Body::Connect(_) => Control::Connect,
        Body::VerifyConnect(_) => Control::Accept,
        Body::Disconnect { .. } => Control::Disconnect,
        Body::Ping => Control::Ping,
        Body::Acknowledge(_) => Control::Acknowledge,
        _ => Control::Configure,
    }
}
