//! States of conversations that are expensive to restore, encoded by `postcard`.

use super::{Shape, shape};

pub fn shapes() -> Vec<Shape> {
    vec![
        shape("many pairs of addresses", |size| flows(size / 24, &[&UNKNOWN_UDP])),
        shape("channels without packets", |size| {
            let channels = [&number(size / 7)[..], &EMPTY_CHANNEL.repeat(size / 7)].concat();
            flows(1, &[&enet(&channels, &NO_PEERS)])
        }),
        shape("packets without bytes", |size| {
            // A channel with one command for each sequence number.
            let queued = |sequence: usize| [&number(sequence)[..], &[0, 0, 0]].concat();
            let queued: Vec<_> = (1..=size / 5).flat_map(queued).collect();
            let channel = [&[1, 1, 0][..], &number(size / 5), &queued, &[0, 0, 0, 0]].concat();
            flows(1, &[&enet(&channel, &NO_PEERS)])
        }),
        shape("paths of nodes", |size| {
            let node = |id: usize| [&[0, 0][..], &number(id), &[1, b'a', 0, 1]].concat();
            let nodes: Vec<_> = (1..=size / 8).flat_map(node).collect();
            let paths = [&number(size / 8)[..], &nodes, &number(200_000)].concat();
            let peers = [&NO_PEERS[..7], &paths].concat();
            flows(1, &[&enet(&[0], &peers)])
        }),
        shape("bytes far behind a gap", |size| {
            // Two streams, each with a byte at the end of the window.
            let early = [&number(262_000)[..], &[1, b'a']].concat();
            let stream = [&[1, 1, 0, 0, 0, 0, 1][..], &early, &UNKNOWN_CONTENT].concat();
            let flow = [&[1][..], &stream, &stream, &NO_PEERS, &[0, 64]].concat();
            flows(size / flow.len(), &[&flow])
        }),
        shape("a false count", |size| {
            [&[0, 0][..], &number(1 << 30), &UNKNOWN_UDP.repeat(size / 4)].concat()
        }),
    ]
}

/// Returns states of a reassembler.
pub fn fragments() -> Vec<Shape> {
    vec![
        shape("a fragment far from the start", |size| {
            ip_packets((size / 30).min(64), &[&[1][..], &number(65_520), &[8], &[0; 8]].concat())
        }),
        shape("fragments with gaps between them", |size| {
            let count = (size / 12).min(4000);
            let part = |index: usize| [&number(index * 16)[..], &[8], &[0; 8]].concat();
            let parts: Vec<_> = (1..=count).flat_map(part).collect();
            ip_packets(1, &[&number(count)[..], &parts].concat())
        }),
        shape("too many packets", |size| ip_packets(size / 20, &[0])),
    ]
}

/// Returns incomplete IP packets, each with these parts.
fn ip_packets(count: usize, parts: &[u8]) -> Vec<u8> {
    let addresses = [0, 10, 0, 0, 1, 0, 10, 0, 0, 2];
    let packet = |id: usize| [&addresses[..], &number(id), &[17, 0, 1, 0, 0, 0], parts].concat();
    number(count).into_iter().chain((0..count).flat_map(packet)).collect()
}

/// UDP of an unknown protocol.
const UNKNOWN_UDP: [u8; 4] = [0, 0, 0, 64];
const EMPTY_CHANNEL: [u8; 6] = [0; 6];
/// Peers about which nothing is known, without paths.
const NO_PEERS: [u8; 9] = [0; 9];
/// A stream of an unknown protocol.
const UNKNOWN_CONTENT: [u8; 5] = [0, 255, 0, 0, 0];

/// Returns a state with this number of pairs of addresses. Each pair gets the next element of
/// `kinds`, and the first one again after the last.
fn flows(count: usize, kinds: &[&[u8]]) -> Vec<u8> {
    let mut state = [&[0, 0][..], &number(count)].concat();
    for (index, kind) in (0..count as u32).zip(kinds.iter().cycle()) {
        let low = [0, 10, 0, 0, 1, 1, 0, 0];
        let [a, b, c, d] = (index | 11 << 24).to_be_bytes();
        let high = [0, a, b, c, d, 2, 0, 0];
        state.extend([&low[..], &high, &[1], kind].concat());
    }
    state
}

/// Returns a pair with an ENet connection. Only one direction has `channels`.
fn enet(channels: &[u8], peers: &[u8]) -> Vec<u8> {
    let low = [&[0, 0][..], channels, &[0, 0]].concat();
    [&[0, 1][..], &low, &[0, 0, 0, 0, 0], peers, &[0, 64]].concat()
}

/// Returns a number as `postcard` encodes it.
fn number(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 127 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}
