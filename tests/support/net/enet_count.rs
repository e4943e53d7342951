//! Counts what the ENet datagrams of a capture consist of: slowly, and independently of the
//! library.

use super::enet_oracle::{Body, Command, commands, datagram};
use super::pcap::{self, Udp};
use super::range_coder;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A number of items, and their bytes.
pub type Sum = (u64, i64);

/// What all datagrams consist of.
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
    /// Complete packets by the low three bits of their first byte. For a relayed packet, the packet
    /// inside is counted.
    pub packets: BTreeMap<u8, Sum>,
    /// Headers of relayed packets.
    pub relays: Sum,
}

/// One direction between two addresses.
#[derive(Default)]
struct Direction {
    connection: Option<u32>,
    /// Type, channel and numbers of the commands that have arrived.
    seen: HashSet<(u8, u8, u16, u32, u32)>,
    /// The newest unreliable packet of each channel.
    newest: HashMap<u8, (u16, u32)>,
    /// The bytes of fragments by channel, start and number.
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
    for Udp { from, to, payload } in pcap::udp(capture) {
        let head = datagram(&payload, false).unwrap();
        let mut body = head.body.clone();
        if head.compressed {
            body = decompress(&body).or_else(|| range_coder::decode(&body, 4096).ok()).unwrap();
        }
        let (all, malformed) = commands(&body);
        if let Some(end) = malformed {
            // The padding of FastLZ.
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

    /// Returns `true` unless an unreliable packet is repeated or older than the newest one.
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

/// Counts a packet of Godot 4, which the server may relay.
fn packet(bytes: &[u8], count: &mut Count) {
    let mut inner = bytes;
    if let [7, 3, _, _, _, _, rest @ ..] = bytes {
        add(&mut count.relays, 6);
        inner = rest;
    }
    add(count.packets.entry(inner[0] & 7).or_default(), inner.len());
}
