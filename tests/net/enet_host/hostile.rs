//! Senders that keep no rules: they cost the host and other peers nothing but their own share.

use super::network::Seen;
use super::raw_client::{RawClient, command, connect, fragment, poll, reliable};
use gamewire::transport::enet::{
    Acknowledge, Body, Command, Config, Delivery, DisconnectReason, Flags, Fragment, Host, PeerInfo,
};
use std::net::SocketAddr;

fn address(client: u32) -> SocketAddr {
    SocketAddr::from(((0x0A00_0000 + client).to_be_bytes(), 4000))
}

fn host() -> Host {
    Host::new(Config { peers: 8, half_open: 16, seed: 5, memory: 1 << 20, ..Config::default() })
}

fn clients(count: u32) -> Vec<RawClient> {
    (0..count).map(|client| RawClient::new(address(client))).collect()
}

fn request(client: &mut RawClient, host: &mut Host, now: u64, id: u32) {
    let body = Body::Connect(connect(id));
    client.send_as(host, now, 0xFFF, 0, &[command(255, 1, body)]);
}

/// Sends commands from a client that has joined, and returns what the host's application gets.
fn received(commands: &[Command<'_>]) -> (Vec<Vec<u8>>, RawClient, PeerInfo) {
    let mut host = host();
    let mut client = RawClient::new(address(1));
    let key = client.join(&mut host, 0, 77);
    let mut payloads = Vec::new();
    for command in commands {
        client.send(&mut host, 1, &[*command]);
        for event in poll(&mut host, 1, std::slice::from_mut(&mut client)) {
            let Seen::Received(_, _, _, bytes) = event else { panic!("{event:?}") };
            payloads.push(bytes);
        }
    }
    let info = host.peer(key).unwrap();
    (payloads, client, info)
}

#[test]
fn spoofed_clients_get_no_more_bytes_than_they_sent() {
    let mut host = host();
    let mut clients = clients(1);
    for id in 0..200 {
        // The request repeats itself, and a datagram with a guessed place follows.
        for now in 0..300 {
            if now % 50 == 0 {
                request(&mut clients[0], &mut host, now, id);
            }
            if now == 120 {
                clients[0].send_as(
                    &mut host,
                    now,
                    0,
                    (id % 4) as u8,
                    &[command(255, 2, Body::Ping)],
                );
            }
            let events = poll(&mut host, now, &mut clients);
            assert!(events.is_empty());
            assert!(clients[0].received <= clients[0].sent);
        }
    }
    for now in (300..60_000).step_by(10) {
        poll(&mut host, now, &mut clients);
    }
    let RawClient { received, sent, .. } = clients[0];
    assert!(received > 0 && received <= sent, "{received} of {sent}");
    assert_eq!(host.peers().count(), 0);
}

#[test]
fn floods_of_requests_do_not_touch_connected_peers() {
    let mut host = host();
    let memory = host.memory();
    let mut member = RawClient::new(address(1 << 20));
    let key = member.join(&mut host, 0, 1);
    let mut flood = clients(3000);
    for (client, now) in flood.iter_mut().zip(1..) {
        request(client, &mut host, now, 2);
        assert!(poll(&mut host, now, std::slice::from_mut(client)).is_empty());
        assert!(client.answer.is_some(), "each gets an answer");
    }
    // Only the last ones can still prove their address. There are 7 places.
    let mut joined = 0;
    for client in &mut flood {
        client.prove(&mut host, 3001);
        let events = poll(&mut host, 3001, std::slice::from_mut(client));
        joined += events.len();
        assert!(events.iter().all(|event| matches!(event, Seen::Connected(..))));
    }
    assert_eq!(joined, 7);
    host.send(key, 0, Delivery::Reliable, b"still here").unwrap();
    let before = member.received;
    poll(&mut host, 3002, std::slice::from_mut(&mut member));
    assert!(member.received > before);
    assert_eq!(host.memory(), memory);
}

#[test]
fn the_oldest_request_goes_first() {
    let mut host = host();
    let mut clients = clients(17);
    for (client, id) in clients.iter_mut().zip(0..) {
        request(client, &mut host, 1, id);
        poll(&mut host, 1, std::slice::from_mut(client));
    }
    for client in &mut clients[..2] {
        client.prove(&mut host, 2);
    }
    // The place of the first client now belongs to the last one, whose proof is another.
    let events = poll(&mut host, 2, &mut clients);
    assert_eq!(events.len(), 1);
}

/// Somebody who does not see the answers guesses the time in them.
#[test]
fn guessed_proofs_are_counted() {
    let mut host = host();
    let mut client = RawClient::new(address(1));
    request(&mut client, &mut host, 0, 1);
    poll(&mut host, 0, std::slice::from_mut(&mut client));
    let right = client.answered_at.unwrap();
    for guess in 1..=8 {
        let sent_time = right.wrapping_add(guess);
        let proof = Body::Acknowledge(Acknowledge { sequence: 1, sent_time });
        client.send(&mut host, 0, &[command(255, 1, proof)]);
    }
    client.prove(&mut host, 0);
    assert!(poll(&mut host, 0, std::slice::from_mut(&mut client)).is_empty());
}

#[test]
fn times_and_session_bits_differ_between_clients_and_seeds() {
    let mut seen = std::collections::HashSet::new();
    for seed in 0..20 {
        let mut host = Host::new(Config { seed, ..Config::default() });
        for client in &mut clients(20) {
            request(client, &mut host, 0, 1);
            poll(&mut host, 0, std::slice::from_mut(client));
            seen.insert((client.answered_at, client.answer.unwrap().outgoing_session));
        }
    }
    assert!(seen.len() > 390, "{}", seen.len());
}

#[test]
fn datagrams_from_elsewhere_are_ignored() {
    let mut host = host();
    let mut client = RawClient::new(address(1));
    client.join(&mut host, 0, 1);
    let answer = client.answer.unwrap();
    let packet = [reliable(0, 1, b"not from the peer")];
    let mut other = RawClient::new(address(2));
    other.send_as(&mut host, 1, answer.outgoing_peer, answer.outgoing_session, &packet);
    let session = answer.outgoing_session ^ 1;
    client.send_as(&mut host, 1, answer.outgoing_peer, session, &packet);
    client.send_as(&mut host, 1, 9, answer.outgoing_session, &packet);
    client.send_as(&mut host, 1, 4000, answer.outgoing_session, &packet);
    assert!(poll(&mut host, 1, std::slice::from_mut(&mut client)).is_empty());
    assert!(client.acknowledged.is_empty());
}

#[test]
fn acknowledgements_of_what_was_not_sent_are_ignored() {
    let acknowledge = |channel, sequence, sent_time| {
        command(channel, sequence, Body::Acknowledge(Acknowledge { sequence, sent_time }))
    };
    let (_, _, before) = received(&[]);
    let all: Vec<_> = (0..500).map(|n| acknowledge((n % 256) as u8, n * 7, n)).collect();
    let (payloads, _, after) = received(&all);
    assert!(payloads.is_empty());
    assert_eq!(before.round_trip_time, after.round_trip_time);
}

#[test]
fn numbers_beyond_the_window_are_neither_delivered_nor_acknowledged() {
    // The window ends with number 0x6FFF; numbers after 0x8FFF count as old ones.
    let commands = [0x7000, 0x8FFF, 0x9000, 0xFFFF].map(|sequence| reliable(0, sequence, b"far"));
    let (payloads, client, info) = received(&commands);
    assert!(payloads.is_empty() && info.received == 0);
    assert_eq!(client.acknowledged, [(0, 0x9000), (0, 0xFFFF)], "old ones are, as in ENet");
}

#[test]
fn lying_fragments_are_refused() {
    let bytes = [7; 600];
    for wrong in [
        fragment(0, 0, 600, 0, &bytes),
        fragment(2, 2, 1200, 600, &bytes),
        fragment(0, 2, 600, 0, &bytes),
        fragment(0, 3, 1200, 0, &bytes),
        fragment(0, 2, 1201, 0, &bytes),
        fragment(0, 2, 1000, 100, &bytes),
        fragment(1, 2, 1200, 500, &bytes),
        fragment(1, 2, 1200, 601, &bytes),
        fragment(1, 2, 1200, 0, &bytes),
        fragment(0, 1, 700, 0, &bytes),
        fragment(0, 1 << 21, 1 << 22, 0, &bytes[..2]),
        fragment(0, 2, u32::MAX, 0, &bytes),
        fragment(0, 2, 1, 0, &[]),
    ] {
        let (payloads, client, info) = received(&[wrong]);
        assert!(payloads.is_empty() && info.received <= 128, "{wrong:?}");
        assert!(client.acknowledged.is_empty(), "{wrong:?}");
    }
}

#[test]
fn contradictory_fragments_are_refused() {
    let bytes = [7; 600];
    let first = fragment(0, 3, 1500, 0, &bytes);
    for wrong in [
        fragment(1, 3, 1501, 600, &bytes),
        fragment(1, 4, 2000, 600, &bytes),
        fragment(1, 3, 1500, 500, &bytes[..500]),
        fragment(2, 3, 1500, 1000, &bytes[..500]),
    ] {
        let right = [fragment(1, 3, 1500, 600, &bytes), fragment(2, 3, 1500, 1200, &bytes[..300])];
        let (payloads, client, _) = received(&[first, wrong, right[1], first, right[0]]);
        assert_eq!(payloads, [vec![7; 1500]], "{wrong:?}");
        assert_eq!(client.acknowledged.len(), 4, "{wrong:?}");
    }
    let Body::Fragment(part) = first.body else { unreachable!() };
    let elsewhere = command(0, 5, Body::Fragment(part));
    assert!(received(&[elsewhere]).1.acknowledged.is_empty(), "its number is that of another");
}

/// A peer that begins packets and never finishes them fills its own share only.
#[test]
fn unfinished_packets_take_a_share_only() {
    let mut host = host();
    let mut greedy: Vec<RawClient> = clients(7);
    let mut keys = Vec::new();
    for client in &mut greedy {
        keys.push(client.join(&mut host, 0, 3));
    }
    let payload = [1; 100];
    for now in 1..300_u64 {
        for client in &mut greedy {
            let start = (now as u16).wrapping_mul(60);
            for (channel, number) in [(0, 0), (1, 1), (2, 2)] {
                let offset = 100 * number;
                let part =
                    Fragment { start, count: 50, number, total: 4901, offset, payload: &payload };
                let sequence = start.wrapping_add(number as u16);
                client.send(&mut host, now, &[command(channel, sequence, Body::Fragment(part))]);
                let unreliable =
                    command(3, 0, Body::UnreliableFragment(Fragment { start: now as u16, ..part }));
                client.send(&mut host, now, &[unreliable]);
            }
        }
        poll(&mut host, now, &mut greedy);
    }
    let held: usize = keys.iter().filter_map(|key| host.peer(*key)).map(|info| info.received).sum();
    assert!(held > 100_000 && held < 1 << 20, "{held}");
    // Another peer still gets its packets through, in and out.
    let mut member = RawClient::new(address(99));
    let key = member.join(&mut host, 300, 4);
    for sequence in 1..200 {
        member.send(&mut host, 301, &[reliable(0, sequence, &[5; 1000])]);
        assert_eq!(poll(&mut host, 301, std::slice::from_mut(&mut member)).len(), 1);
    }
    host.send(key, 0, Delivery::Reliable, &[6; 1000]).unwrap();
    for key in keys {
        host.disconnect_now(key, 0);
    }
    poll(&mut host, 302, &mut greedy);
    assert_eq!(host.peers().count(), 1);
}

/// Early packets never take the space of the packet for which they wait.
#[test]
fn early_packets_leave_space_for_the_next_one() {
    let mut host = host();
    let mut client = RawClient::new(address(1));
    client.join(&mut host, 0, 3);
    for sequence in 2..3000 {
        client.send(&mut host, 1, &[reliable(0, sequence, &[5; 1000])]);
        poll(&mut host, 1, std::slice::from_mut(&mut client));
    }
    let early = client.acknowledged.len();
    assert!(early < 2000, "not all fit: {early}");
    client.send(&mut host, 2, &[reliable(0, 1, &[9; 4000])]);
    let events = poll(&mut host, 2, std::slice::from_mut(&mut client));
    assert_eq!(events.len(), early + 1);
}

#[test]
fn limits_per_address_hold() {
    let mut host = Host::new(Config { peers_per_address: 2, ..Config::default() });
    let mut joined = 0;
    for port in 0..5 {
        let mut client = RawClient::new(SocketAddr::from(([10, 0, 0, 1], 4000 + port)));
        request(&mut client, &mut host, 0, 9);
        poll(&mut host, 0, std::slice::from_mut(&mut client));
        if client.answer.is_some() {
            client.prove(&mut host, 0);
            joined += poll(&mut host, 0, std::slice::from_mut(&mut client)).len();
        }
    }
    assert_eq!(joined, 2);
    RawClient::new(address(2)).join(&mut host, 0, 9);
}

#[test]
fn bad_requests_are_ignored() {
    let wrong = [
        Body::Connect(gamewire::transport::enet::Connect { channels: 0, ..connect(1) }),
        Body::Connect(gamewire::transport::enet::Connect { channels: 256, ..connect(1) }),
        Body::Connect(gamewire::transport::enet::Connect { outgoing_peer: 0xFFF, ..connect(1) }),
        Body::Connect(gamewire::transport::enet::Connect { outgoing_peer: 0xFFFF, ..connect(1) }),
        Body::Ping,
        Body::Reliable { payload: b"" },
    ];
    let mut host = host();
    for body in wrong {
        let mut client = RawClient::new(address(1));
        client.send_as(&mut host, 0, 0xFFF, 0, &[command(255, 1, body)]);
        poll(&mut host, 0, std::slice::from_mut(&mut client));
        assert_eq!(client.received, 0, "{body:?}");
    }
}

#[test]
fn commands_after_the_end_are_ignored() {
    let mut host = host();
    let mut client = RawClient::new(address(1));
    let key = client.join(&mut host, 0, 1);
    let end = Body::Disconnect(gamewire::transport::enet::Disconnect { data: 3 });
    let last = Command { flags: Flags::UNSEQUENCED, channel: 255, sequence: 2, body: end };
    client.send(&mut host, 1, &[reliable(0, 1, b"before"), last, reliable(0, 2, b"after")]);
    let events = poll(&mut host, 1, std::slice::from_mut(&mut client));
    let reason = DisconnectReason::Remote { data: 3 };
    let before = Seen::Received(key, 0, Delivery::Reliable, b"before".to_vec());
    assert_eq!(events, [before, Seen::Disconnected(key, reason)]);
}

/// All places that datagrams can name.
#[test]
fn a_host_can_have_4095_peers() {
    let mut host = Host::new(Config { peers: 4095, memory: 64 << 20, ..Config::default() });
    let mut clients = clients(4096);
    for client in &mut clients[..4095] {
        client.join(&mut host, 0, 1);
    }
    assert_eq!(host.peers().count(), 4095);
    request(&mut clients[4095], &mut host, 0, 1);
    poll(&mut host, 0, &mut clients[4095..]);
    assert!(clients[4095].answer.is_none());
    let keys: Vec<_> = host.peers().collect();
    host.send_to_many(keys, 0, Delivery::Unreliable, b"all", |_, error| panic!("{error}"));
    let mut count = 0;
    while host.poll_transmit(1).is_some() {
        count += 1;
    }
    assert_eq!(count, 4095);
}

/// The memory of a server as in `examples/enet_load.rs`.
#[test]
fn a_thousand_peers_take_at_most_64_kib_each() {
    let config = Config { peers: 1000, half_open: 1000, memory: 48_000 << 10, ..Config::default() };
    let host = Host::new(Config { max_packet: 64 << 10, ..config });
    assert!(host.memory() <= 1000 * (64 << 10), "{}", host.memory());
}
