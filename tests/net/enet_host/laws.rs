//! The laws of hosts, on the datagrams of captures, damaged ones, and random input.

use crate::laws;
use crate::support::corpus;
use crate::support::net::pcap;
use crate::support::random::Random;
use gamewire::transport::enet::{Body, Command, Flags, Fragment};

fn random_bytes(random: &mut Random, len: usize) -> Vec<u8> {
    (0..len).map(|_| random.next() as u8).collect()
}

#[test]
fn captures_in_any_state() {
    let mut random = Random::new(8);
    for name in ["enet", "enet_rle", "godot3_enet", "relay"] {
        let capture = pcap::udp(&corpus::read(&format!("captures/{name}.pcap")));
        for run in capture.chunks(150) {
            let mut datagrams: Vec<Vec<u8>> = run.iter().map(|udp| udp.payload.clone()).collect();
            laws::enet_host(&laws::enet_input(datagrams.iter().map(Vec::as_slice)));
            for datagram in &mut datagrams {
                let at = random.below(datagram.len());
                datagram[at] = random.next() as u8;
            }
            laws::enet_host(&laws::enet_input(datagrams.iter().map(Vec::as_slice)));
        }
    }
}

/// Returns a command with random fields, most of them small.
fn random_command(random: &mut Random, payload: &[u8], bytes: &mut Vec<u8>) {
    let small = |random: &mut Random| match random.below(8) {
        0 => random.next() as u16,
        _ => random.below(6) as u16,
    };
    let payload = &payload[..random.below(payload.len())];
    let part = Fragment {
        start: small(random),
        count: small(random).into(),
        number: small(random).into(),
        total: (payload.len() * random.below(4)) as u32,
        offset: (payload.len() * random.below(3)) as u32,
        payload,
    };
    let mut sequence = small(random);
    let body = match random.below(8) {
        0 => Body::Ping,
        1 => Body::Unreliable { number: small(random), payload },
        2 => Body::Unsequenced { group: small(random), payload },
        3 | 4 => {
            sequence = part.start.wrapping_add(part.number as u16);
            Body::Fragment(part)
        }
        5 => Body::UnreliableFragment(part),
        _ => Body::Reliable { payload },
    };
    let flags = if random.below(2) == 0 { Flags::ACKNOWLEDGE } else { Flags::NONE };
    let channel = random.below(4) as u8;
    Command { flags, channel, sequence, body }.write(bytes).unwrap();
}

#[test]
fn random_commands() {
    let mut random = Random::new(9);
    let payload = random_bytes(&mut random, 400);
    for _ in 0..40 {
        let mut datagrams = Vec::new();
        for _ in 0..400 {
            let mut datagram = vec![0x80, 0, 0, 1];
            for _ in 0..1 + random.below(4) {
                random_command(&mut random, &payload, &mut datagram);
            }
            // The last byte chooses the client, of which the first has joined, and the time.
            datagram.push(if random.below(4) == 0 { random.next() as u8 } else { 0 });
            datagrams.push(datagram);
        }
        laws::enet_host(&laws::enet_input(datagrams.iter().map(Vec::as_slice)));
    }
}

#[test]
fn random_bytes_in_any_state() {
    let mut random = Random::new(10);
    for len in 0..800 {
        laws::enet_host(&random_bytes(&mut random, len));
    }
}

#[test]
fn hosts_and_sessions_deliver_the_same() {
    let mut random = Random::new(11);
    for len in 0..20 {
        laws::enet_host_agreement(&random_bytes(&mut random, len * 60));
    }
}
