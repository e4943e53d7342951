//! Counts the headers, commands and packets in the ENet datagrams of a capture. The code is slow,
//! and independent of the library.

use super::enet_oracle::{Body, Command, commands, datagram};
use super::pcap::{self, Udp};
use super::range_coder;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A number of items, and their total length in bytes.
pub type Sum = (u64, i64);

/// The parts of all datagrams in a capture, counted by kind.
#[derive(Debug, Default, PartialEq)]
pub struct Count {
    pub datagrams: Sum,
    pub commands: Sum,
    pub acknowledgements: Sum,
    pub pings: Sum,
    pub control: Sum,
    pub repeated: Sum,
    pub late: Sum,
    /// Length of the compressed bodies minus their length after decompression.
    pub gain: i64,
    /// The complete packets, counted separately for each value of the low three bits of their first
    /// byte. For a relayed packet, these are the bits of the packet inside the relay header.
    pub packets: BTreeMap<u8, Sum>,
    /// Headers of relayed packets.
    pub relays: Sum,
}

/// The state of one direction of the traffic between two addresses.
#[derive(Default)]
struct Direction {
    connection: Option<u32>,
    /// The type, the channel and the numbers of each command that has arrived.
    seen: HashSet<(u8, u8, u16, u32, u32)>,
    /// The sequence numbers of the newest unreliable packet of each channel.
    newest: HashMap<u8, (u16, u32)>,
    /// The bytes of each fragment. The key of the outer map is the channel and the start of the
    /// packet. The key of the inner map is the number of the fragment.
    fragments: HashMap<(u8, u16), BTreeMap<u32, Vec<u8>>>,
}

fn add(sum: &mut Sum, bytes: usize) {
    sum.0 += 1;
    sum.1 += bytes as i64;
}

/// Counts all datagrams of a capture. `decompress` decompresses data that is not compressed by the
/// range coder.
pub fn count(capture: &[u8], decompress: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Count {
    let mut count = Count::default();
    let mut directions = HashMap::<_, Direction>::new();
    for Udp { from, to, payload, .. } in pcap::udp(capture) {
        let head = datagram(&payload, false).unwrap();
        let mut body = head.body.clone();
        if head.compressed {
            body = decompress(&body).or_else(|| range_coder::decode(&body, 4096).ok()).unwrap();
        }
        let (all, malformed) = commands(&body);
        if let Some(end) = malformed {
            // Godot pads bodies of fewer than 16 bytes with zeros before it compresses them with
            // FastLZ.
            assert!(body.len() == 16 && body[end..].iter().all(|byte| *byte == 0));
            body.truncate(end);
        }
        count.gain += head.body.len() as i64 - body.len() as i64;
        add(&mut count.datagrams, payload.len() - head.body.len());
        let direction = directions.entry((from, to)).or_default();
        all.into_iter().for_each(|command| direction.command(command, &mut count));
    }
    count
}

impl Direction {
    fn command(&mut self, command: Command, count: &mut Count) {
        let (channel, sequence) = (command.channel, command.sequence);
        match command.body {
            Body::Control { kind, numbers } => {
                let size = 4 + [0, 4, 44, 40, 4, 0, 0, 0, 0, 0, 8, 12][usize::from(kind)];
                match kind {
                    1 => add(&mut count.acknowledgements, size),
                    5 => add(&mut count.pings, size),
                    _ => add(&mut count.control, size),
                }
                if let (2 | 3, Some(id)) = (kind, numbers.get(11))
                    && self.connection != Some(*id)
                {
                    *self = Self { connection: Some(*id), ..Self::default() };
                }
            }
            Body::Reliable(payload) => {
                if self.is_new((6, channel, sequence, 0, 0), 6 + payload.len(), count) {
                    add(&mut count.commands, 6);
                    packet(&payload, count);
                }
            }
            Body::Unsequenced { group, payload } => {
                if self.is_new((9, channel, group, 0, 0), 8 + payload.len(), count) {
                    add(&mut count.commands, 8);
                    packet(&payload, count);
                }
            }
            Body::Unreliable { number, payload } => {
                let size = 8 + payload.len();
                if self.is_in_time(channel, sequence, number.into(), size, count) {
                    add(&mut count.commands, 8);
                    packet(&payload, count);
                }
            }
            Body::Fragment(part) | Body::UnreliableFragment(part) => {
                let key = (8, channel, part.start, part.number, 0);
                if self.is_new(key, 24 + part.payload.len(), count) {
                    add(&mut count.commands, 24);
                    let parts = self.fragments.entry((channel, part.start)).or_default();
                    parts.insert(part.number, part.payload);
                    if parts.len() as u32 == part.count {
                        let whole: Vec<u8> = parts.values().flatten().copied().collect();
                        packet(&whole, count);
                    }
                }
            }
        }
    }

    fn is_new(&mut self, key: (u8, u8, u16, u32, u32), size: usize, count: &mut Count) -> bool {
        let is_new = self.seen.insert(key);
        if !is_new {
            add(&mut count.repeated, size);
        }
        is_new
    }

    /// Returns `true` if an unreliable packet is newer than all earlier packets of its channel.
    /// Otherwise, counts the packet as repeated or late.
    fn is_in_time(
        &mut self,
        channel: u8,
        sequence: u16,
        number: u32,
        size: usize,
        count: &mut Count,
    ) -> bool {
        let newest = self.newest.entry(channel).or_default();
        let own = (sequence, number);
        if own == *newest {
            add(&mut count.repeated, size);
        } else if own < *newest {
            add(&mut count.late, size);
        }
        let is_newer = own > *newest;
        *newest = own.max(*newest);
        is_newer
    }
}

/// Counts a packet of Godot 4. If the server relays the packet, counts the relay header separately.
fn packet(bytes: &[u8], count: &mut Count) {
    let mut inner = bytes;
    if let [7, 3, _, _, _, _, rest @ ..] = bytes {
        add(&mut count.relays, 6);
        inner = rest;
    }
    add(count.packets.entry(inner[0] & 7).or_default(), inner.len());
}
