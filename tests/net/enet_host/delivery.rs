//! What arrives, over good and bad networks.

use super::network::{BAD, Faults, Network, PERFECT, Seen};
use crate::support::random::Random;
use gamewire::transport::enet::{CompressionMode, Config, Delivery, Host, SendError};
use std::collections::HashMap;

fn hosts(clients: usize, config: &Config) -> Vec<Host> {
    let host = |index: usize| {
        let peers = if index == 0 { clients as u16 } else { 1 };
        // On such networks, ENet's limits would end a connection once in a while.
        let (timeout_limit, timeout_maximum) = (1 << 20, 60_000);
        let seed = index as u64 + 7;
        Host::new(Config { peers, seed, timeout_limit, timeout_maximum, ..config.clone() })
    };
    (0..=clients).map(host).collect()
}

/// A packet that states its sender, its channel and its number.
fn packet(sender: usize, channel: u8, number: u32, len: usize) -> Vec<u8> {
    let mut bytes = vec![sender as u8, channel];
    bytes.extend(number.to_be_bytes());
    let filler = (0..len.saturating_sub(6)).map(|at| (at as u32 ^ number) as u8);
    bytes.extend(filler);
    bytes
}

fn number_of(bytes: &[u8]) -> u32 {
    u32::from_be_bytes(bytes[2..6].try_into().unwrap())
}

fn length(random: &mut Random) -> usize {
    match random.below(20) {
        0 => 6 + random.below(12_000),
        1 | 2 => 6 + random.below(1500),
        _ => 6 + random.below(200),
    }
}

/// Sender, receiver and channel.
type Line = (usize, usize, u8);

/// Every host sends packets of all kinds on several channels.
fn exchange(seed: u64, faults: Faults, config: &Config) {
    const CLIENTS: usize = 3;
    const ROUNDS: u32 = 300;
    let mut network = Network::new(seed, faults, hosts(CLIENTS, config));
    let keys = network.join(4);
    let mut random = Random::new(seed + 1);
    let mut sent: HashMap<Line, Vec<Vec<u8>>> = HashMap::new();
    let mut received: HashMap<Line, Vec<(Delivery, Vec<u8>)>> = HashMap::new();
    let mut note = |network: &mut Network, milliseconds| {
        for (host, seen) in network.run(milliseconds) {
            let Seen::Received(key, channel, delivery, bytes) = seen else { panic!("{seen:?}") };
            let from = match host {
                0 => 1 + keys.iter().position(|both| both[1] == key).unwrap(),
                _ => 0,
            };
            received.entry((from, host, channel)).or_default().push((delivery, bytes));
        }
    };
    for number in 0..ROUNDS {
        for (client, [to_server, to_client]) in keys.iter().enumerate() {
            for (host, to, key) in [(0, client + 1, *to_client), (client + 1, 0, *to_server)] {
                let channel = random.below(3) as u8;
                let delivery = [Delivery::Reliable, Delivery::Unreliable, Delivery::Unsequenced]
                    [usize::from(channel)];
                let bytes = packet(host, channel, number, length(&mut random));
                network.hosts[host].send(key, channel, delivery, &bytes).unwrap();
                sent.entry((host, to, channel)).or_default().push(bytes);
            }
        }
        note(&mut network, 16);
    }
    note(&mut network, 20_000);
    for (line, sent) in &sent {
        let received = received.remove(line).unwrap_or_default();
        let whole = received.iter().all(|(_, bytes)| sent.contains(bytes));
        assert!(whole, "no packet is damaged: {line:?}");
        let numbers: Vec<u32> = received.iter().map(|(_, bytes)| number_of(bytes)).collect();
        match line.2 {
            0 => {
                let expected: Vec<u32> = sent.iter().map(|bytes| number_of(bytes)).collect();
                assert_eq!(numbers, expected, "{line:?}");
                assert!(received.iter().all(|(delivery, _)| *delivery == Delivery::Reliable));
            }
            1 => assert!(numbers.is_sorted_by(|a, b| a < b), "{line:?} {numbers:?}"),
            _ => {
                let mut unique = numbers.clone();
                unique.sort_unstable();
                unique.dedup();
                assert_eq!(unique.len(), numbers.len(), "{line:?}");
            }
        }
        if faults.lost == 0 && faults.jitter == 0 {
            assert_eq!(numbers.len(), sent.len(), "{line:?}");
        }
    }
    // Incomplete unreliable packets wait until a later packet of their channel arrives.
    for channel in [1, 2] {
        for (client, [to_server, to_client]) in keys.iter().enumerate() {
            for (host, key) in [(client + 1, to_server), (0, to_client)] {
                network.hosts[host].send(*key, channel, Delivery::Reliable, b"end").unwrap();
            }
        }
    }
    network.run(10_000);
    for host in &network.hosts {
        for key in host.peers() {
            let info = host.peer(key).unwrap();
            // A ping may be under way.
            assert!(info.queued <= 128 && info.received == 0, "everything is released: {info:?}");
        }
    }
}

#[test]
fn perfect_networks_deliver_everything() {
    exchange(1, PERFECT, &Config::default());
}

#[test]
fn bad_networks_deliver_reliable_packets_once_and_in_order() {
    for seed in 0..8 {
        exchange(seed * 10, BAD, &Config::default());
    }
}

#[test]
fn checksums_and_compression_change_nothing() {
    for (seed, compression) in (50..).zip(CompressionMode::ALL) {
        exchange(seed, BAD, &Config { compression, checksums: true, ..Config::default() });
    }
}

/// Reliable sequence numbers wrap around after 65,536 packets, and unreliable ones run out.
#[test]
fn numbers_wrap_around() {
    let mut network = Network::new(3, PERFECT, hosts(1, &Config::default()));
    let [to_server, _] = network.join(2)[0];
    let mut expected = [0_u32; 2];
    let mut next = [0_u32; 2];
    while next[0] < 150_000 {
        for channel in [0_u8, 1] {
            for _ in 0..400 {
                let bytes = next[usize::from(channel)].to_be_bytes();
                let delivery = [Delivery::Reliable, Delivery::Unreliable][usize::from(channel)];
                match network.hosts[1].send(to_server, channel, delivery, &bytes) {
                    Ok(()) => next[usize::from(channel)] += 1,
                    Err(error) => assert_eq!(error, SendError::PeerFull),
                }
            }
        }
        for (_, seen) in network.run(2) {
            let Seen::Received(_, channel, _, bytes) = seen else { panic!("{seen:?}") };
            let expected = &mut expected[usize::from(channel)];
            assert_eq!(bytes, expected.to_be_bytes());
            *expected += 1;
        }
    }
    network.run(3000);
    assert!(expected[0] > 140_000 && expected[1] > 140_000, "{expected:?}");
}

/// A packet for many peers is stored once.
#[test]
fn packets_for_many_peers_share_their_bytes() {
    let mut network = Network::new(4, BAD, hosts(40, &Config::default()));
    let keys: Vec<_> = network.join(1).into_iter().map(|[_, key]| key).collect();
    let bytes = packet(0, 0, 9, 3000);
    network.hosts[0]
        .send_to_many(keys, 0, Delivery::Reliable, &bytes, |_, error| panic!("{error}"));
    let seen = network.run(10_000);
    assert_eq!(seen.len(), 40);
    let is_packet = |seen: &Seen| matches!(seen, Seen::Received(_, 0, _, got) if *got == bytes);
    assert!(seen.iter().all(|(_, seen)| is_packet(seen)));
}
