//! Converts the crate's datagrams, commands and events to those of the oracle.

use crate::support::net::enet_oracle::{self as plain, Event, Left, Mode};
use gamewire::transport::enet::{
    self, Body, Commands, Datagram, Fragment, Limits, RangeCoder, Session,
};
use std::collections::{BTreeMap, HashSet};

/// Compares a datagram and its commands.
pub fn datagram(bytes: &[u8]) {
    for (checksums, ours) in
        [(false, Datagram::parse(bytes)), (true, Datagram::parse_with_checksum(bytes))]
    {
        let theirs = plain::datagram(bytes, checksums);
        let ours = ours.ok().map(|datagram| plain::Datagram {
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
    assert_eq!((ours, (end < body.len()).then_some(end)), plain::commands(body));
}

fn command(command: enet::Command<'_>) -> plain::Command {
    plain::Command {
        acknowledge: command.flags.acknowledge(),
        unsequenced: command.flags.unsequenced(),
        channel: command.channel,
        sequence: command.sequence,
        body: body(command.body),
    }
}

fn body(body: Body<'_>) -> plain::Body {
    let numbers = match body {
        Body::Reliable { payload } => return plain::Body::Reliable(payload.to_vec()),
        Body::Unreliable { number, payload } => {
            return plain::Body::Unreliable { number, payload: payload.to_vec() };
        }
        Body::Fragment(part) => return plain::Body::Fragment(fragment(part)),
        Body::Unsequenced { group, payload } => {
            return plain::Body::Unsequenced { group, payload: payload.to_vec() };
        }
        Body::UnreliableFragment(part) => return plain::Body::UnreliableFragment(fragment(part)),
        Body::Acknowledge(it) => vec![it.sequence.into(), it.sent_time.into()],
        Body::Connect(it) => connect(it),
        Body::VerifyConnect(it) => verify(it),
        Body::Disconnect(it) => vec![it.data],
        Body::Ping => vec![],
        Body::BandwidthLimit(it) => vec![it.incoming, it.outgoing],
        Body::ThrottleConfigure(it) => vec![it.interval, it.acceleration, it.deceleration],
    };
    plain::Body::Control { kind: body.id(), numbers }
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

fn fragment(part: Fragment<'_>) -> plain::Fragment {
    plain::Fragment {
        start: part.start,
        count: part.count,
        number: part.number,
        total: part.total,
        offset: part.offset,
        payload: part.payload.to_vec(),
    }
}

/// A session since its start has the same events for each datagram, except on channels with
/// contradictory packets.
pub fn session<'a>(datagrams: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut ours = Session::new(Limits::default());
    let mut theirs = plain::Session::default();
    let mut coder = RangeCoder::new();
    let mut feed = |datagram: &[u8]| {
        let mut events = Vec::new();
        ours.feed(datagram, &mut coder, |told| events.push(event(told)));
        let mut second = theirs.feed(datagram);
        for events in [&mut events, &mut second] {
            events.retain(|event| is_certain(event, &theirs.odd));
        }
        assert_eq!(events, second);
    };
    feed(&connect_datagram());
    datagrams.for_each(feed);
    at_the_end(&mut ours, &theirs.left());
    theirs.odd.into_iter().collect()
}

/// Checks that waiting packets are delivered or reported lost at the end: reliable ones in order,
/// each number once.
fn at_the_end(session: &mut Session, left: &BTreeMap<u8, Left>) {
    let mut told: BTreeMap<u8, Left> = BTreeMap::new();
    session.flush(|happened| match event(happened) {
        Event::Delivery { channel, mode: Mode::Reliable, number, payload } => {
            told.entry(channel).or_default().reliable.push((number, payload));
        }
        Event::Lost { channel, mode: Mode::Reliable, first, count } => {
            let all = (0..count).map(|number| first.wrapping_add(number as u16));
            told.entry(channel).or_default().lost.extend(all);
        }
        Event::Delivery { channel, number, payload, .. } => {
            told.entry(channel).or_default().unreliable.push((number, Some(payload)));
        }
        Event::Lost { channel, first, .. } => {
            told.entry(channel).or_default().unreliable.push((first, None));
        }
        other => panic!("{other:?}"),
    });
    for (channel, left) in left {
        let told = told.remove(channel).unwrap_or_default();
        assert_eq!(told.reliable, left.reliable);
        assert!(told.lost.iter().all(|number| left.lost.contains(number)));
        // The other fragments of a packet whose first fragment is lost are not reported.
        assert!(left.lost.iter().all(|number| {
            told.lost.contains(number) || left.lost.contains(&number.wrapping_sub(1))
        }));
        assert_eq!(told.unreliable.len(), left.unreliable.len());
        // A packet may be dropped for one after a later reliable packet.
        for (number, packet) in &told.unreliable {
            assert!(left.unreliable.iter().any(|(other, whole)| {
                number == other && (packet.is_none() || packet == whole)
            }));
        }
    }
}

/// `true` if all receivers must agree on the event.
fn is_certain(event: &Event, odd: &HashSet<u8>) -> bool {
    match event {
        Event::Control(_) => true,
        Event::Delivery { mode: Mode::Unsequenced, .. } => true,
        Event::Delivery { channel, .. } | Event::Lost { channel, .. } => !odd.contains(channel),
        Event::Malformed => odd.is_empty(),
    }
}

/// A CONNECT with an improbable number.
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
