//! Fragments of IP packets, and a slow reassembler that was written independently of the library.

use gamewire::capture::{LinkType, Skipped, segment};

/// A fragment of an IP packet. All fragments have the same source and destination addresses.
#[derive(Clone, Debug, PartialEq)]
pub struct Fragment {
    pub is_v6: bool,
    pub id: u8,
    pub protocol: u8,
    /// Offset of the fragment's bytes in the packet. The offset is a multiple of 8.
    pub offset: u16,
    pub more: bool,
    pub bytes: Vec<u8>,
}

impl Fragment {
    /// Returns the fragment with its IP header.
    pub fn packet(&self) -> Vec<u8> {
        let Self { is_v6, id, protocol, offset, more, ref bytes } = *self;
        let more = u16::from(more);
        if is_v6 {
            let fields = (offset | more).to_be_bytes();
            let head = [&[protocol, 0], &fields[..], &[0, 0, 0, id]].concat();
            v6(44, &[&head, &bytes[..]].concat())
        } else {
            v4(u16::from(id), (offset / 8) | (more << 13), protocol, bytes)
        }
    }

    /// Splits the payload of an IP packet into fragments of at most `len` bytes each.
    pub fn split(is_v6: bool, id: u8, protocol: u8, payload: &[u8], len: usize) -> Vec<Self> {
        let len = len / 8 * 8;
        let last = payload.len().div_ceil(len) - 1;
        let fragment = |(index, bytes): (usize, &[u8])| Self {
            is_v6,
            id,
            protocol,
            offset: (index * len) as u16,
            more: index < last,
            bytes: bytes.to_vec(),
        };
        payload.chunks(len).enumerate().map(fragment).collect()
    }
}

fn v4(id: u16, fields: u16, protocol: u8, payload: &[u8]) -> Vec<u8> {
    let mut packet = vec![0x45, 0];
    packet.extend((payload.len() as u16).wrapping_add(20).to_be_bytes());
    packet.extend(id.to_be_bytes());
    packet.extend(fields.to_be_bytes());
    packet.extend([64, protocol, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]);
    [&packet, payload].concat()
}

fn v6(next: u8, payload: &[u8]) -> Vec<u8> {
    let mut packet = vec![0x60, 0, 0, 0];
    packet.extend((payload.len() as u16).to_be_bytes());
    packet.extend([next, 64]);
    packet.extend([[0; 15].as_slice(), &[1], &[0; 15], &[2]].concat());
    [&packet, payload].concat()
}

/// A reassembler that keeps all fragments and examines each byte.
pub struct Slow {
    limit: usize,
    packets: Vec<(Key, Timed)>,
    /// The number of fragments in incomplete packets that were dropped, and the number of fragments
    /// in contradictory packets that were dropped.
    dropped: [u64; 2],
}

type Key = (bool, u8, u8);
/// Fragments, each with the time of its capture.
type Timed = Vec<(Option<i64>, Fragment)>;

impl Slow {
    pub fn new(limit: usize) -> Self {
        Self { limit, packets: Vec::new(), dropped: [0; 2] }
    }

    /// Adds a fragment. Returns the segment that it completes.
    pub fn add(
        &mut self,
        time: Option<i64>,
        fragment: &Fragment,
    ) -> Result<Option<String>, Skipped> {
        let Fragment { is_v6, id, protocol, offset, more, ref bytes } = *fragment;
        if offset == 0 && !more {
            let found = segment(LinkType::RAW, &fragment.packet()).map(|it| format!("{it:?}"));
            return found.map(Some);
        }
        let end = usize::from(offset) + bytes.len();
        if bytes.is_empty() || end > 65_535 || more && bytes.len() % 8 != 0 {
            return Err(Skipped::Malformed);
        }
        let is_known = matches!(protocol, 6 | 17) || is_v6 && protocol == 60;
        if !is_known {
            return Err(Skipped::OtherProtocol(protocol));
        }
        let late = |first: &Option<i64>| {
            first.zip(time).is_some_and(|(first, time)| time - first > 60_000_000_000)
        };
        while self.packets.first().is_some_and(|(_, fragments)| late(&fragments[0].0)) {
            self.drop_first();
        }
        let key = (is_v6, id, if is_v6 { 0 } else { protocol });
        if !self.packets.iter().any(|(other, _)| *other == key) {
            if self.packets.len() == self.limit {
                self.drop_first();
            }
            self.packets.push((key, Vec::new()));
        }
        let index = self.packets.iter().position(|(other, _)| *other == key).unwrap();
        let fragments = &mut self.packets[index].1;
        fragments.push((time, fragment.clone()));
        if is_contradictory(fragments) {
            return Ok(None);
        }
        let Some(payload) = payload(fragments) else { return Ok(None) };
        let first = fragments.iter().find(|(_, fragment)| fragment.offset == 0).unwrap();
        let whole = match is_v6 {
            false => v4(0, 0, protocol, &payload),
            true => v6(first.1.protocol, &payload),
        };
        let count = fragments.len() as u64;
        self.packets.remove(index);
        // In a packet of the maximum length, the length field of IPv4 would overflow, so it is set
        // to 0.
        let whole = if is_v6 || payload.len() <= 65_515 { whole } else { without_length(whole) };
        let found = segment(LinkType::RAW, &whole).map(|it| Some(format!("{it:?}")));
        if found.is_err() {
            self.dropped[0] += count - 1;
        }
        found.map_err(|reason| match reason {
            Skipped::Fragment | Skipped::CutShort => Skipped::Malformed,
            other => other,
        })
    }

    /// Returns the number of fragments in incomplete packets, and the number of fragments in
    /// contradictory packets. Such fragments are not part of any segment.
    pub fn skipped(&self) -> [u64; 2] {
        let mut counts = self.dropped;
        for (_, fragments) in &self.packets {
            counts[usize::from(is_contradictory(fragments))] += fragments.len() as u64;
        }
        counts
    }

    fn drop_first(&mut self) {
        let (_, fragments) = self.packets.remove(0);
        self.dropped[usize::from(is_contradictory(&fragments))] += fragments.len() as u64;
    }
}

fn without_length(mut packet: Vec<u8>) -> Vec<u8> {
    packet[2..4].fill(0);
    packet
}

/// Returns `true` if the fragments, in this order, contradict each other: a fragment does not match
/// the end of the packet, or it contains known bytes together with new or different ones.
fn is_contradictory(fragments: &[(Option<i64>, Fragment)]) -> bool {
    let mut known: Vec<Option<u8>> = Vec::new();
    let mut len = None;
    for (_, Fragment { offset, more, bytes, .. }) in fragments {
        let range = usize::from(*offset)..usize::from(*offset) + bytes.len();
        if len.is_some_and(|len| if *more { range.end > len } else { range.end != len })
            || !more && known.len() > range.end
        {
            return true;
        }
        len = len.or((!more).then_some(range.end));
        known.resize(known.len().max(range.end), None);
        let old = &mut known[range.clone()];
        if old.iter().any(Option::is_some) {
            if !old.iter().zip(bytes).all(|(old, byte)| *old == Some(*byte)) {
                return true;
            }
        } else {
            old.iter_mut().zip(bytes).for_each(|(old, byte)| *old = Some(*byte));
        }
    }
    false
}

/// Joins the fragments of a packet. Returns its payload, or `None` if fragments are missing.
fn payload(fragments: &[(Option<i64>, Fragment)]) -> Option<Vec<u8>> {
    let last = fragments.iter().find(|(_, fragment)| !fragment.more)?;
    let len = usize::from(last.1.offset) + last.1.bytes.len();
    let byte = |at: usize| {
        fragments.iter().find_map(|(_, fragment)| {
            let index = at.checked_sub(usize::from(fragment.offset))?;
            fragment.bytes.get(index).copied()
        })
    };
    (0..len).map(byte).collect()
}
