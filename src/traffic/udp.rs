//! Decodes conversations over UDP: ENet, a value in each datagram, or encrypted datagrams.

#[cfg(feature = "serde")]
pub(super) mod state;

use super::builder::RecordBuilder;
use super::context::Context;
use super::encryption::{self, Dtls, Encryption};
use super::multiplayer;
use super::observed::{EnetCommand, Observed};
use super::options::Options;
use super::other::Unread;
use super::peers::Peers;
use super::record::{Content, Control, Engine, Reason, Record, Transport};
use super::values;
use crate::godot::multiplayer::transport::{EnetConfig, EnetPrefix};
use crate::transport::Breakdown;
use crate::transport::enet::{
    Arrival, Body, Command, Commands, Connect, Datagram, DatagramCodec, Event, Packet, Session,
    VerifyConnect,
};
use alloc::boxed::Box;

/// The datagrams between a pair of addresses.
#[derive(Clone, Debug, Default)]
pub(super) struct UdpFlow {
    protocol: Protocol,
    unread: Unread,
}

/// The protocol of datagrams.
#[derive(Clone, Debug, Default)]
enum Protocol {
    /// Not detected yet.
    #[default]
    Unknown,
    Enet(Box<Connection>),
    Values(Engine),
}

impl UdpFlow {
    /// Processes a datagram. Returns an upper bound of the growth in memory.
    pub(super) fn datagram(
        &mut self,
        context: &Context<'_>,
        payload: &[u8],
        codec: &mut DatagramCodec,
        breakdown: &mut Breakdown,
        observer: &mut impl FnMut(Observed<'_, '_>),
    ) -> usize {
        if let Protocol::Enet(connection) = &mut self.protocol {
            return connection.datagram(context, payload, codec, breakdown, observer);
        }
        let mut listener = |record: &Record<'_>| observer(Observed::Record(record));
        let listener = &mut listener;
        let builder = RecordBuilder::new(context, Transport::Udp);
        if let Protocol::Values(engine) = &mut self.protocol {
            let checked = values::check(engine, payload, context.options);
            let builder = RecordBuilder { engine: Some(*engine), ..builder };
            if checked == Ok(0) {
                breakdown.accepted.add(payload.len());
                listener(&builder.record(Content::Value(payload), payload));
                return 0;
            }
            // An ENet connection can follow a single value on the same ports: games send such a
            // value to open a path through NAT.
            match Protocol::detect(payload, context.options, codec) {
                Detected::Protocol(protocol @ Protocol::Enet(_)) => self.protocol = protocol,
                Detected::Message(content) => listener(&builder.record(content, payload)),
                Detected::Protocol(_) => match checked {
                    Ok(_) => listener(&builder.record(Content::Value(payload), payload)),
                    Err(error) => values::report_other(&builder, &error, payload, listener),
                },
            }
        } else {
            match Protocol::detect(payload, context.options, codec) {
                Detected::Protocol(Protocol::Unknown) => {
                    self.unread(&builder, payload, breakdown, listener);
                }
                Detected::Protocol(protocol) => {
                    self.protocol = protocol;
                    self.unread.is_game = true;
                    return self.datagram(context, payload, codec, breakdown, observer);
                }
                Detected::Message(content) => listener(&builder.record(content, payload)),
            }
        }
        match &mut self.protocol {
            Protocol::Enet(connection) => {
                connection.datagram(context, payload, codec, breakdown, observer)
            }
            Protocol::Unknown | Protocol::Values(_) => {
                breakdown.accepted.add(payload.len());
                0
            }
        }
    }

    /// Reports a datagram of an unknown protocol if its addresses belong to a game, or if all
    /// unknown protocols are to be reported. Otherwise only counts its bytes.
    fn unread(
        &mut self,
        builder: &RecordBuilder<'_>,
        payload: &[u8],
        breakdown: &mut Breakdown,
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        let options = builder.context.options;
        self.unread.search(payload, options);
        match self.unread.is_game || options.other_protocols {
            true => listener(&builder.record(Content::Bytes { offset: None }, payload)),
            false => {
                self.unread.add(payload.len());
                breakdown.claim(|parts| &mut parts.unrecognised, payload.len());
            }
        }
    }

    pub(super) fn memory(&self) -> usize {
        match &self.protocol {
            Protocol::Enet(connection) => {
                size_of::<Connection>().saturating_add(connection.memory())
            }
            Protocol::Unknown | Protocol::Values(_) => 0,
        }
    }

    /// Returns the number of bytes that are in no record.
    pub(super) fn unread_bytes(&self) -> u64 {
        self.unread.bytes
    }

    /// Starts the count of unread bytes anew, and returns the old count.
    pub(super) fn restart_count(&mut self) -> u64 {
        core::mem::take(&mut self.unread.bytes)
    }

    /// Returns `true` if a packet waits for missing commands.
    pub(super) fn is_waiting(&self) -> bool {
        match &self.protocol {
            Protocol::Enet(connection) => connection.sessions.iter().any(Session::is_waiting),
            Protocol::Unknown | Protocol::Values(_) => false,
        }
    }

    /// Reports packets that wait for missing datagrams.
    pub(super) fn finish(&mut self, context: &Context<'_>, listener: &mut impl FnMut(&Record<'_>)) {
        if let Protocol::Enet(connection) = &mut self.protocol {
            connection.finish(context, listener);
        }
    }
}

/// The result of detecting the protocol from a datagram.
enum Detected {
    Protocol(Protocol),
    /// A message that can occur alongside any protocol.
    Message(Content<'static>),
}

impl Protocol {
    /// Detects the protocol from a datagram: exactly one value, or commands of ENet.
    fn detect(payload: &[u8], options: &Options, codec: &mut DatagramCodec) -> Detected {
        if let Some(dtls) = Dtls::parse(payload) {
            return Detected::Message(Content::Encrypted(Encryption::Dtls(dtls)));
        }
        if encryption::is_stun(payload) {
            return Detected::Message(Content::Stun);
        }
        let mut engines = values::engines(options);
        let engine = engines.find(|engine| values::is_value(payload, engine.dialect()));
        Detected::Protocol(match engine {
            Some(engine) => Self::Values(engine),
            None if is_enet(payload, options, codec) => {
                Self::Enet(Box::new(Connection::new(options)))
            }
            None => Self::Unknown,
        })
    }
}

/// Returns `true` if the datagram consists of plausible commands.
fn is_enet(payload: &[u8], options: &Options, codec: &mut DatagramCodec) -> bool {
    let Ok(datagram) = Datagram::parse(payload) else { return false };
    let body = match (datagram.compressed, options.enet_compression) {
        (false, _) => datagram.body,
        (true, Some(mode)) => codec.decompress(mode, datagram.body, 0).unwrap_or_default(),
        (true, None) => {
            codec.detect(datagram.body, 0, None).map_or(&[][..], |opened| opened.commands)
        }
    };
    let plausible = |command: Result<Command<'_>, _>| command.is_ok_and(|it| it.is_plausible());
    !body.is_empty() && Commands::new(body, 0).all(plausible)
}

/// Both directions of an ENet connection.
#[derive(Clone, Debug)]
pub(super) struct Connection {
    /// Indexed by the side of the sender.
    sessions: [Session; 2],
    peers: Peers,
}

impl Connection {
    fn new(options: &Options) -> Self {
        let session = |limits| match options.enet_compression {
            Some(mode) => Session::new(limits).compression(mode),
            None => Session::new(limits),
        };
        Self { sessions: [options.limits.enet; 2].map(session), peers: Peers::new(options) }
    }

    fn memory(&self) -> usize {
        let sessions = self.sessions.iter().map(Session::memory);
        sessions.fold(self.peers.paths.memory(), usize::saturating_add)
    }

    fn datagram(
        &mut self,
        context: &Context<'_>,
        payload: &[u8],
        codec: &mut DatagramCodec,
        breakdown: &mut Breakdown,
        observer: &mut impl FnMut(Observed<'_, '_>),
    ) -> usize {
        let (session, peers) = self.direction(context);
        let (connected, memory) = (peers.connect_id, session.shared_memory());
        let known = session.compression_mode();
        session.report_arrivals(context.commands);
        session.feed_counting(payload, codec, breakdown, |event| {
            if context.commands {
                report_command(context, &event, observer);
            }
            let mut listener = |record: &Record<'_>| observer(Observed::Record(record));
            report_event(peers, context, event, payload, &mut listener);
        });
        // A datagram of a few bytes can make the session allocate much memory, for example for all
        // channels up to 254.
        let growth = session.shared_memory().saturating_sub(memory);
        let mode = session.compression_mode();
        let has_ended = connected.is_some() && peers.connect_id.is_none();
        if mode != known
            && let Some(mode) = mode
        {
            // Both sides use the same compression.
            self.sessions.iter_mut().for_each(|session| session.learn_compression(mode));
        }
        if has_ended {
            self.sessions.iter_mut().for_each(Session::end);
        }
        growth.saturating_add(payload.len())
    }

    fn finish(&mut self, context: &Context<'_>, listener: &mut impl FnMut(&Record<'_>)) {
        let (session, peers) = self.direction(context);
        session.flush(|event| report_event(peers, context, event, &[], listener));
    }

    #[inline(always)]
    fn direction(&mut self, context: &Context<'_>) -> (&mut Session, &mut Peers) {
        let Self { sessions: [low, high], peers } = self;
        (if context.side { high } else { low }, peers)
    }
}

/// Reports a command.
fn report_command(
    context: &Context<'_>,
    event: &Event<'_>,
    observer: &mut impl FnMut(Observed<'_, '_>),
) {
    let (command, sent_time, arrival) = match *event {
        Event::Arrived { command, sent_time, arrival } => (command, sent_time, arrival),
        Event::Control(command) => (command, None, Arrival::InOrder),
        _ => return,
    };
    let Context { time, source, destination, .. } = *context;
    let (source, destination) = (*source, *destination);
    let command = EnetCommand { time, source, destination, command, sent_time, arrival };
    observer(Observed::Command(&command));
}

/// Reports an event of the session.
#[inline(always)]
fn report_event(
    peers: &mut Peers,
    context: &Context<'_>,
    event: Event<'_>,
    datagram: &[u8],
    listener: &mut impl FnMut(&Record<'_>),
) {
    match event {
        Event::Packet(packet) => report_packet(peers, context, packet, listener),
        Event::Arrived { .. } => {}
        other => report_other(peers, context, other, datagram, listener),
    }
}

/// Reports a packet of the multiplayer.
fn report_packet(
    peers: &mut Peers,
    context: &Context<'_>,
    packet: Packet<'_>,
    listener: &mut impl FnMut(&Record<'_>),
) {
    if peers.engine.is_none()
        && let Some((engine, sure)) = detect_engine(&packet, peers.client)
    {
        peers.engine = Some(engine);
        peers.guessed &= !sure;
    }
    // If the packet is valid in neither engine, the reader of Godot 4 reports it as malformed.
    let engine = peers.engine.unwrap_or(Engine::Godot4);
    let builder = RecordBuilder {
        engine: Some(engine),
        channel: Some(packet.channel),
        delivery: Some(packet.delivery),
        ..peers.builder(context, Transport::Enet)
    };
    match engine {
        Engine::Godot3 => multiplayer::godot3_enet(&builder, peers, packet.payload, listener),
        Engine::Godot4 => multiplayer::godot4(&builder, peers, packet.payload, listener),
    }
}

/// Reports control commands, errors and losses.
fn report_other(
    peers: &mut Peers,
    context: &Context<'_>,
    event: Event<'_>,
    datagram: &[u8],
    listener: &mut impl FnMut(&Record<'_>),
) {
    let (content, bytes) = match event {
        Event::Control(command) => {
            match command.body {
                Body::Connect(connect) => connect_sent(peers, context, connect),
                Body::VerifyConnect(verify) => connect_verified(peers, context, verify),
                Body::Disconnect(_) => peers.connect_id = None,
                _ => {}
            }
            (Content::Control(control(&command)), &[][..])
        }
        Event::Malformed(error) => {
            let (reason, offset) = (Reason::Enet(*error.kind()), error.offset());
            (Content::Malformed { reason, offset }, datagram)
        }
        _ => (Content::Control(Control::Lost), &[][..]),
    };
    listener(&peers.builder(context, Transport::Enet).record(content, bytes));
}

/// Stores what a CONNECT command states about its connection. The command is repeated until it is
/// answered.
fn connect_sent(peers: &mut Peers, context: &Context<'_>, connect: Connect) {
    if peers.connect_id.replace(connect.connect_id) == Some(connect.connect_id) {
        return;
    }
    peers.server = Some(!context.side);
    peers.client = Some(connect.data.cast_signed());
    peers.paths.clear();
    if context.options.engine.is_none() {
        // By default, Godot 4 requests all channels, Godot 3 only 3. If a game sets the number of
        // channels, the engine is detected from the first packet instead, which is possible because
        // the client's id is now known.
        peers.engine = (connect.channels >= 255).then_some(Engine::Godot4);
        peers.guessed = peers.engine.is_none();
    }
}

/// Resets the state if the server accepts a connection whose CONNECT was not captured.
fn connect_verified(peers: &mut Peers, context: &Context<'_>, verify: VerifyConnect) {
    if peers.connect_id != Some(verify.connect_id) {
        peers.reset(context.options);
        peers.connect_id = Some(verify.connect_id);
        peers.server = Some(context.side);
    }
}

/// Detects the engine of a packet. The flag is `true` if the engine is certain, which is possible
/// only if the id of the `client` is known.
fn detect_engine(packet: &Packet<'_>, client: Option<i32>) -> Option<(Engine, bool)> {
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

fn control(command: &Command<'_>) -> Control {
    match command.body {
        Body::Connect(_) => Control::Connect,
        Body::VerifyConnect(_) => Control::Accept,
        Body::Disconnect { .. } => Control::Disconnect,
        Body::Ping => Control::Ping,
        Body::Acknowledge(_) => Control::Acknowledge,
        _ => Control::Configure,
    }
}
