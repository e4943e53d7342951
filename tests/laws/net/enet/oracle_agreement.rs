//! Compares the crate's datagrams, commands and events with those of the oracle.

use crate::support::net::enet_oracle::{self as oracle, Event, Mode, Undelivered};
use gamewire::transport::enet::{
    self, Body, Commands, CompressionMode, Datagram, DatagramCodec, Fragment, Limits, Session,
};
use std::collections::{BTreeMap, HashSet};

/// Compares the crate's reading of a datagram and its commands with that of the oracle.
pub fn datagram(bytes: &[u8]) {
    for (checksums, ours) in
        [(false, Datagram::parse(bytes)), (true, Datagram::parse_with_checksum(bytes))]
    {
        let theirs = oracle::datagram(bytes, checksums);
        let ours = ours.ok().map(|datagram| oracle::Datagram {
            peer: datagram.peer,
            session: datagram.session,
            compressed: datagram.compressed,
            sent_time: datagram.sent_time,
            checksum: datagram.checksum,
            body: datagram.body.to_vec(),
        });
        assert_eq!(ours, theirs);
        if let Some(datagram) = theirs {
            same_commands(&datagram.body);
        }
    }
}

fn same_commands(body: &[u8]) {
    let mut commands = Commands::new(body, 0);
    let ours: Vec<_> = commands.by_ref().map_while(Result::ok).map(command).collect();
    let end = commands.offset() as usize;
    assert_eq!((ours, (end < body.len()).then_some(end)), oracle::commands(body));
}

fn command(command: enet::Command<'_>) -> oracle::Command {
    oracle::Command {
        acknowledge: command.flags.acknowledge(),
        unsequenced: command.flags.unsequenced(),
        channel: command.channel,
        sequence: command.sequence,
        body: body(command.body),
    }
}

fn body(body: Body<'_>) -> oracle::Body {
    let numbers = match body {
        Body::Reliable { payload } => return oracle::Body::Reliable(payload.to_vec()),
        Body::Unreliable { number, payload } => {
            return oracle::Body::Unreliable { number, payload: payload.to_vec() };
        }
        Body::Fragment(part) => return oracle::Body::Fragment(fragment(part)),
        Body::Unsequenced { group, payload } => {
            return oracle::Body::Unsequenced { group, payload: payload.to_vec() };
        }
        Body::UnreliableFragment(part) => return oracle::Body::UnreliableFragment(fragment(part)),
        Body::Acknowledge(it) => vec![it.sequence.into(), it.sent_time.into()],
        Body::Connect(it) => connect(it),
        Body::VerifyConnect(it) => verify(it),
        Body::Disconnect(it) => vec![it.data],
        Body::Ping => vec![],
        Body::BandwidthLimit(it) => vec![it.incoming, it.outgoing],
        Body::ThrottleConfigure(it) => vec![it.interval, it.acceleration, it.deceleration],
    };
    oracle::Body::Control { kind: body.id(), numbers }
}

fn connect(it: enet::Connect) -> Vec<u32> {
    vec![
        it.outgoing_peer.into(),
        it.incoming_session.into(),
        it.outgoing_session.into(),
        it.mtu,
        it.window,
        it.channels,
        it.incoming_bandwidth,
        it.outgoing_bandwidth,
        it.throttle_interval,
        it.throttle_acceleration,
        it.throttle_deceleration,
        it.connect_id,
        it.data,
    ]
}

fn verify(it: enet::VerifyConnect) -> Vec<u32> {
    vec![
        it.outgoing_peer.into(),
        it.incoming_session.into(),
        it.outgoing_session.into(),
        it.mtu,
        it.window,
        it.channels,
        it.incoming_bandwidth,
        it.outgoing_bandwidth,
        it.throttle_interval,
        it.throttle_acceleration,
        it.throttle_deceleration,
        it.connect_id,
    ]
}

fn fragment(part: Fragment<'_>) -> oracle::Fragment {
    oracle::Fragment {
        start: part.start,
        count: part.count,
        number: part.number,
        total: part.total,
        offset: part.offset,
        payload: part.payload.to_vec(),
    }
}

/// Asserts that the crate's session and the oracle report the same events for each datagram, except
/// on channels with contradictory fragments. Returns these channels.
pub fn session<'a>(datagrams: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut ours = Session::new(Limits::default()).compression(CompressionMode::RangeCoder);
    let mut theirs = oracle::Session::default();
    let mut codec = DatagramCodec::new();
    let mut feed = |datagram: &[u8]| {
        let mut events = Vec::new();
        ours.feed(datagram, &mut codec, |happened| events.push(event(happened)));
        let mut second = theirs.feed(datagram);
        for events in [&mut events, &mut second] {
            events.retain(|event| is_certain(event, &theirs.contradictory));
        }
        assert_eq!(events, second);
    };
    feed(&connect_datagram());
    datagrams.for_each(feed);
    check_undelivered(&mut ours, &theirs.undelivered());
    theirs.contradictory.into_iter().collect()
}

/// Checks the packets that still wait at the end. Reliable packets must be delivered as expected,
/// in order, or reported lost. Each unreliable packet must be delivered or reported lost.
fn check_undelivered(session: &mut Session, expected: &BTreeMap<u8, Undelivered>) {
    let mut reported: BTreeMap<u8, Undelivered> = BTreeMap::new();
    session.flush(|happened| match event(happened) {
        Event::Delivery { channel, mode: Mode::Reliable, number, payload } => {
            reported.entry(channel).or_default().reliable.push((number, payload));
        }
        Event::Lost { channel, mode: Mode::Reliable, first, count } => {
            let all = (0..count).map(|number| first.wrapping_add(number as u16));
            reported.entry(channel).or_default().lost.extend(all);
        }
        Event::Delivery { channel, number, payload, .. } => {
            reported.entry(channel).or_default().unreliable.push((number, Some(payload)));
        }
        Event::Lost { channel, first, .. } => {
            reported.entry(channel).or_default().unreliable.push((first, None));
        }
        other => panic!("{other:?}"),
    });
    for (channel, expected) in expected {
        let reported = reported.remove(channel).unwrap_or_default();
        assert_eq!(reported.reliable, expected.reliable);
        assert!(reported.lost.iter().all(|number| expected.lost.contains(number)));
        // The other fragments of a packet whose first fragment is lost are not reported.
        assert!(expected.lost.iter().all(|number| {
            reported.lost.contains(number) || expected.lost.contains(&number.wrapping_sub(1))
        }));
        assert_eq!(reported.unreliable.len(), expected.unreliable.len());
        // The session may give up a complete packet if a packet after a later reliable packet is
        // delivered.
        for (number, packet) in &reported.unreliable {
            assert!(expected.unreliable.iter().any(|(other, complete)| {
                number == other && (packet.is_none() || packet == complete)
            }));
        }
    }
}

/// Returns `true` if every correct receiver must report this event.
fn is_certain(event: &Event, contradictory: &HashSet<u8>) -> bool {
    match event {
        Event::Control(_) => true,
        Event::Delivery { mode: Mode::Unsequenced, .. } => true,
        Event::Delivery { channel, .. } | Event::Lost { channel, .. } => {
            !contradictory.contains(channel)
        }
        Event::Malformed => contradictory.is_empty(),
    }
}

/// Returns a datagram with a CONNECT command and an improbable connection id.
fn connect_datagram() -> Vec<u8> {
    let mut bytes = vec![0; 2 + 48];
    bytes[2] = 2;
    bytes[3] = 255;
    bytes[42..46].copy_from_slice(&0x5eed_5eed_u32.to_be_bytes());
    bytes
}

fn event(event: enet::Event<'_>) -> Event {
    match event {
        enet::Event::Packet(packet) => Event::Delivery {
            channel: packet.channel,
            mode: mode(packet.delivery),
            number: packet.number,
            payload: packet.payload.to_vec(),
        },
        enet::Event::Control(command) => Event::Control(command.body.id()),
        enet::Event::Lost(lost) => Event::Lost {
            channel: lost.channel,
            mode: mode(lost.delivery),
            first: lost.first,
            count: lost.count,
        },
        enet::Event::Malformed(_) => Event::Malformed,
        other => panic!("{other:?}"),
    }
}

fn mode(mode: enet::Delivery) -> Mode {
    match mode {
        enet::Delivery::Reliable => Mode::Reliable,
        enet::Delivery::Unreliable => Mode::Unreliable,
        enet::Delivery::Unsequenced => Mode::Unsequenced,
    }
}
