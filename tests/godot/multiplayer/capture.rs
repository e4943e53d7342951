//! A minimal ENet decoder that extracts the packets of a capture.

use crate::support::corpus;
use crate::support::net::{pcap, range_coder};
use std::collections::BTreeMap;
use std::net::SocketAddrV4;

/// Addresses and ports of the source and the destination of a datagram.
pub type Link = (SocketAddrV4, SocketAddrV4);

/// A packet as ENet delivers it.
pub struct Delivered {
    pub link: Link,
    pub to_server: bool,
    pub channel: u8,
    pub bytes: Vec<u8>,
}

fn be16(bytes: &[u8]) -> usize {
    u16::from_be_bytes(bytes[..2].try_into().unwrap()).into()
}

fn be32(bytes: &[u8]) -> usize {
    u32::from_be_bytes(bytes[..4].try_into().unwrap()) as usize
}

/// Returns the payloads of all UDP datagrams in a file.
fn datagrams(file: &str) -> Vec<(Link, Vec<u8>)> {
    let capture = pcap::udp(&corpus::read(file));
    capture.into_iter().map(|udp| ((udp.from, udp.to), udp.payload)).collect()
}

/// A fragment from a reliable command. A packet that is not fragmented has a single fragment.
struct Reliable {
    bytes: Vec<u8>,
    fragment: usize,
    fragments: usize,
}

/// The state of one channel of a link: the next sequence number, the commands that arrived early,
/// the fragments joined so far, and the delivered groups of unsequenced packets.
#[derive(Default)]
struct Channel {
    next: u16,
    early: BTreeMap<u16, Reliable>,
    joined: Vec<u8>,
    groups: Vec<usize>,
}

/// Returns the packets of a capture in the order of their delivery.
pub fn packets(file: &str) -> Vec<Delivered> {
    let datagrams = datagrams(file);
    let mut channels: BTreeMap<(Link, u8), Channel> = BTreeMap::new();
    let mut delivered = Vec::new();
    // The first datagram is the client's CONNECT, so its destination is the server.
    let server = datagrams[0].0.1;
    for (link, datagram) in datagrams {
        let flags = be16(&datagram);
        let rest = &datagram[if flags & 1 << 15 != 0 { 4 } else { 2 }..];
        let plain = match flags & 1 << 14 {
            0 => rest.to_vec(),
            _ => range_coder::decode(rest, 4096).unwrap(),
        };
        let mut rest = &plain[..];
        while !rest.is_empty() {
            let (command, channel, sequence) = (rest[0] & 15, rest[1], be16(&rest[2..]) as u16);
            let (head, len) = match command {
                1 => (8, 0),
                2 => (48, 0),
                3 => (44, 0),
                4 => (8, 0),
                5 => (4, 0),
                6 => (6, be16(&rest[4..])),
                7 | 9 => (8, be16(&rest[6..])),
                8 => (24, be16(&rest[6..])),
                10 => (12, 0),
                11 => (16, 0),
                other => panic!("{file}: ENet command {other}"),
            };
            let (this, after) = rest.split_at(head + len);
            rest = after;
            let bytes = this[head..].to_vec();
            let state = channels
                .entry((link, channel))
                .or_insert_with(|| Channel { next: 1, ..Channel::default() });
            let (fragment, fragments) = match command {
                8 => (be32(&this[12..]), be32(&this[8..])),
                _ => (0, 1),
            };
            let mut deliver = |bytes| {
                let to_server = link.1 == server;
                delivered.push(Delivered { link, to_server, channel, bytes });
            };
            match command {
                9 if !state.groups.contains(&be16(&this[4..])) => {
                    state.groups.push(be16(&this[4..]));
                    deliver(bytes);
                }
                7 => deliver(bytes),
                6 | 8 => {
                    if sequence >= state.next {
                        state.early.insert(sequence, Reliable { bytes, fragment, fragments });
                    }
                    while let Some(command) = state.early.remove(&state.next) {
                        state.next += 1;
                        state.joined.extend(command.bytes);
                        if command.fragment + 1 == command.fragments {
                            deliver(std::mem::take(&mut state.joined));
                        }
                    }
                }
                _ => {}
            }
        }
    }
    delivered
}
