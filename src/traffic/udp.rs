//! What goes over UDP: ENet, or a value in each datagram.

use super::envelope::Envelope;
use super::multiplayer;
use super::peers::Peers;
use super::record::{Content, Control, Engine, Reason, Record, Transport};
use super::{Options, Place, values};
use crate::godot::multiplayer::transport::{EnetConfig, EnetPrefix};
use crate::transport::enet::{
    Body, Command, Commands, Connect, Datagram, Delivery, Event, Flags, RangeCoder, Session,
    VerifyConnect,
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
    /// How many bytes more it may keep now.
    pub(super) fn datagram(
        &mut self,
        place: &Place<'_>,
        payload: &[u8],
        coder: &mut RangeCoder,
        listener: &mut impl FnMut(&Record<'_>),
    ) -> usize {
        if let Self::Values(engine) = self {
            let read = values::judge(engine, payload, place.options);
            let envelope = Envelope::new(place, Transport::Udp);
            let envelope = Envelope { engine: Some(*engine), ..envelope };
            let Err(error) = read else {
                listener(&envelope.record(Content::Value(payload), payload));
                return 0;
            };
            // (A value may have made a way for a connection on the same ports.)
            let other = Self::recognise(payload, place.options, coder);
            if !matches!(other, Self::Enet(_)) {
                listener(&envelope.malformed(&error, payload));
                return 0;
            }
            *self = other;
        }
        if matches!(self, Self::Unknown) {
            *self = Self::recognise(payload, place.options, coder);
            if matches!(self, Self::Values(_)) {
                return self.datagram(place, payload, coder, listener);
            }
        }
        match self {
            Self::Enet(connection) => connection.datagram(place, payload, coder, listener),
            Self::Unknown | Self::Values(_) => 0,
        }
    }

    pub(super) fn memory(&self) -> usize {
        match self {
            Self::Enet(connection) => size_of::<Connection>().saturating_add(connection.memory()),
            Self::Unknown | Self::Values(_) => 0,
        }
    }

    /// What waits for datagrams that will not come.
    pub(super) fn finish(&mut self, place: &Place<'_>, listener: &mut impl FnMut(&Record<'_>)) {
        if let Self::Enet(connection) = self {
            connection.finish(place, listener);
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
    let plausible = |command: &Command<'_>| is_plausible(command);
    !body.is_empty() && Commands::new(body, 0).all(|command| command.as_ref().is_ok_and(plausible))
}

/// Whether a command is one that ENet sends so. (It would read others, too; but here they
/// are more likely something else.)
fn is_plausible(command: &Command<'_>) -> bool {
    const ALL: u8 = 255;
    let of_all = command.channel == ALL;
    match command.body {
        Body::Acknowledge(_) => command.flags == Flags::NONE,
        Body::Reliable { .. } | Body::Fragment(_) => command.flags == Flags::ACKNOWLEDGE && !of_all,
        Body::Unreliable { .. } | Body::UnreliableFragment(_) => {
            command.flags == Flags::NONE && !of_all
        }
        Body::Unsequenced { .. } => command.flags == Flags::UNSEQUENCED && !of_all,
        Body::Disconnect(_) => of_all,
        _ => command.flags == Flags::ACKNOWLEDGE && of_all,
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
        let sessions = self.sessions.iter().map(Session::memory);
        sessions.fold(self.peers.paths.memory(), usize::saturating_add)
    }

    fn datagram(
        &mut self,
        place: &Place<'_>,
        payload: &[u8],
        coder: &mut RangeCoder,
        listener: &mut impl FnMut(&Record<'_>),
    ) -> usize {
        let (session, peers) = self.of(place);
        let (connected, memory) = (peers.connect_id, session.quick_memory());
        session.feed(payload, coder, |event| heard(peers, place, event, payload, listener));
        // (Of a datagram of a few bytes much may be kept: all channels up to 254, say.)
        let growth = session.quick_memory().saturating_sub(memory);
        if connected.is_some() && peers.connect_id.is_none() {
            self.sessions.iter_mut().for_each(Session::end);
        }
        growth.saturating_add(payload.len())
    }

    fn finish(&mut self, place: &Place<'_>, listener: &mut impl FnMut(&Record<'_>)) {
        let (session, peers) = self.of(place);
        session.flush(|event| heard(peers, place, event, &[], listener));
    }

    #[inline(always)]
    fn of(&mut self, place: &Place<'_>) -> (&mut Session, &mut Peers) {
        let Self { sessions: [low, high], peers } = self;
        (if place.side { high } else { low }, peers)
    }
}

/// What came of a datagram.
#[inline(always)]
fn heard(
    peers: &mut Peers,
    place: &Place<'_>,
    event: Event<'_>,
    datagram: &[u8],
    listener: &mut impl FnMut(&Record<'_>),
) {
    match event {
        Event::Delivery(packet) => delivery(peers, place, packet, listener),
        other => rare(peers, place, other, datagram, listener),
    }
}

fn delivery(
    peers: &mut Peers,
    place: &Place<'_>,
    packet: Delivery<'_>,
    listener: &mut impl FnMut(&Record<'_>),
) {
    if peers.engine.is_none()
        && let Some((engine, sure)) = recognise(&packet, peers.client)
    {
        peers.engine = Some(engine);
        peers.guessed &= !sure;
    }
    // (A packet of neither is malformed in both.)
    let engine = peers.engine.unwrap_or(Engine::Godot4);
    let envelope = Envelope {
        engine: Some(engine),
        channel: Some(packet.channel),
        delivery: Some(packet.mode),
        ..peers.envelope(place, Transport::Enet)
    };
    match engine {
        Engine::Godot3 => multiplayer::godot3_enet(&envelope, peers, packet.payload, listener),
        Engine::Godot4 => multiplayer::godot4(&envelope, peers, packet.payload, listener),
    }
}

/// What is not a packet.
fn rare(
    peers: &mut Peers,
    place: &Place<'_>,
    event: Event<'_>,
    datagram: &[u8],
    listener: &mut impl FnMut(&Record<'_>),
) {
    let (content, bytes) = match event {
        Event::Control(command) => {
            match command.body {
                Body::Connect(connect) => begins(peers, place, connect),
                Body::VerifyConnect(verify) => verified(peers, place, verify),
                Body::Disconnect(_) => peers.connect_id = None,
                _ => {}
            }
            (Content::Control(kind_of(&command)), &[][..])
        }
        Event::Malformed(error) => {
            let (reason, offset) = (Reason::Enet(*error.kind()), error.offset());
            (Content::Malformed { reason, offset }, datagram)
        }
        _ => (Content::Control(Control::Lost), &[][..]),
    };
    listener(&peers.envelope(place, Transport::Enet).record(content, bytes));
}

/// A connection begins, which says nearly all. (It is said until it is answered.)
fn begins(peers: &mut Peers, place: &Place<'_>, connect: Connect) {
    if peers.connect_id.replace(connect.connect_id) == Some(connect.connect_id) {
        return;
    }
    peers.server = Some(!place.side);
    peers.client = Some(connect.data.cast_signed());
    peers.paths.clear();
    if place.options.engine.is_none() {
        // All channels: Godot 4, unless it was told a number. Godot 3 asks for 3, unless it
        // was. With a number the first packet tells, now that the client's id is known.
        peers.engine = (connect.channels >= 255).then_some(Engine::Godot4);
        peers.guessed = peers.engine.is_none();
    }
}

/// A connection that was not seen to begin is agreed to.
fn verified(peers: &mut Peers, place: &Place<'_>, verify: VerifyConnect) {
    if peers.connect_id != Some(verify.connect_id) {
        peers.reset(place.options);
        peers.connect_id = Some(verify.connect_id);
        peers.server = Some(place.side);
    }
}

/// Whose packet it is, of a `client` that may be known; and whether that is sure.
fn recognise(packet: &Delivery<'_>, client: Option<i32>) -> Option<(Engine, bool)> {
    let payload = packet.payload;
    if packet.channel == 0 && EnetConfig::parse(payload).is_ok() && payload.len() == 8 {
        return Some((Engine::Godot3, client.is_some()));
    }
    if packet.channel != 0
        && let Ok((prefix, inner)) = EnetPrefix::split(payload)
    {
        let (source, target) = (prefix.source.get().cast_signed(), prefix.target.get());
        let sure = client == Some(source) || client == Some(target);
        let likely = source == 1 || matches!(target, 0 | 1);
        if sure || likely && multiplayer::is_godot3(inner) {
            return Some((Engine::Godot3, sure));
        }
    }
    multiplayer::is_godot4(payload).then_some((Engine::Godot4, false))
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
