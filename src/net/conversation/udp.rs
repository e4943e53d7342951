//! What goes over UDP: ENet, or a value in each datagram.

use super::multiplayer;
use super::paths::Paths;
use super::peers::Peers;
use super::record::{Content, Control, Engine, Reason, Record, Transport};
use super::{Options, Place, values};
use crate::godot::multiplayer::transport::{EnetConfig, EnetPrefix};
use crate::godot::multiplayer::{godot3, godot4};
use crate::net::enet::{
    Body, Command, Commands, Connect, Datagram, Delivery, Event, RangeCoder, Session,
};
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
            Self::Values(engine) => {
                let content = Content::Value(payload);
                values::tell(place, Transport::Udp, engine, content, payload, listener);
            }
        }
    }

    /// What a datagram looks like: a value from start to end, or ENet's commands.
    fn recognise(payload: &[u8], options: &Options, coder: &mut RangeCoder) -> Self {
        let mut engines = values::engines(options);
        match engines.find(|engine| values::is_value(payload, engine.dialect())) {
            Some(engine) => Self::Values(engine),
            None if is_enet(payload, coder) => Self::Enet(Box::new(Connection::new(options))),
            None => Self::Unknown,
        }
    }
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
            let client = peers.client;
            peers.engine.get_or_insert_with(|| recognise(&packet, client));
            let record = Record {
                channel: Some(packet.channel),
                delivery: Some(packet.mode),
                ..peers.record(place, Transport::Enet, Content::Raw, packet.payload)
            };
            match peers.engine {
                Some(Engine::Godot3) => multiplayer::godot3_enet(record, peers, listener),
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

/// A connection begins, which says nearly all. (It is said until it is answered.)
fn begins(peers: &mut Peers, place: &Place<'_>, connect: Connect) {
    if peers.connect_id.replace(connect.connect_id) == Some(connect.connect_id) {
        return;
    }
    peers.server = Some(!place.side);
    peers.client = Some(connect.data.cast_signed());
    peers.paths = Paths::default();
    if place.options.engine.is_none() {
        // All channels: Godot 4, unless it was told a number. Godot 3 asks for 3, unless it
        // was. With a number the first packet tells, now that the client's id is known.
        peers.engine = (connect.channels >= 255).then_some(Engine::Godot4);
        peers.guessed = false;
    }
}

/// Whose packet it is, of a `client` that may be known.
fn recognise(packet: &Delivery<'_>, client: Option<i32>) -> Engine {
    let payload = packet.payload;
    if packet.channel == 0 && EnetConfig::parse(payload).is_ok() && payload.len() == 8 {
        return Engine::Godot3;
    }
    let godot3 = match (EnetPrefix::split(payload), client) {
        _ if packet.channel == 0 => false,
        (Err(_), _) => false,
        // The client itself, or the server, or somebody whose packet the server relays.
        (Ok((prefix, _)), Some(client)) => {
            let source = prefix.source.get().cast_signed();
            source == client || source == 1 || prefix.target.get() == client
        }
        (Ok((prefix, packet)), None) => {
            let ends = prefix.source.get() == 1 || matches!(prefix.target.get(), 0 | 1);
            let packet = godot3::Packet::parse(packet);
            ends && packet.is_ok_and(|packet| multiplayer::check3(&packet).is_ok())
        }
    };
    match godot4::Packet::parse(payload) {
        _ if godot3 => Engine::Godot3,
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
