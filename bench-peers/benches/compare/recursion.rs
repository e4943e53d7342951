//! Compares three ways to read a packet: a recursion over the views of an index, a single pass
//! without views, and a recursion written by hand that uses no index and supports only the types in
//! these packets. The hand-written recursion shows the cost of one function call per container.

use crate::contents::{Content, STATE, WORLD};
use crate::eye::checksum::{self, Checksum};
use crate::rows::{Peer, Row};
use gamewire::godot::{IndexEntry, Kind};
use packets::{nested, over_index, reader, traverse};
use std::hint::black_box;

#[path = "../../../benches/support/packets.rs"]
mod packets;

/// Nested arrays, with the ints distributed evenly over them.
const NESTED: [(&str, usize); 6] = [
    ("ints_2_deep", 2),
    ("ints_4_deep", 4),
    ("ints_16_deep", 16),
    ("ints_64_deep", 64),
    ("ints_256_deep", 256),
    ("ints_1024_deep", 1024),
];

/// An upper bound on the number of containers in each packet of this comparison.
const CONTAINERS: usize = 2048;

pub fn rows(contents: &'static [Content]) -> Vec<Row> {
    let mut rows = Vec::new();
    let mixed = |content: &&Content| [STATE, WORLD].contains(&content.name);
    for content in contents.iter().filter(mixed) {
        of_packet(content.name, content.packet, &mut rows);
    }
    for (name, depth) in NESTED {
        of_packet(name, nested(depth, 4096).leak(), &mut rows);
    }
    rows
}

fn of_packet(content: &'static str, packet: &'static [u8], rows: &mut Vec<Row>) {
    let memory = vec![IndexEntry::default(); CONTAINERS].leak();
    let index = reader(packet).index(memory).expect("a packet");
    let over_index = move || over_index::<false>(black_box(&index));
    let in_one_pass = || traverse::<false>(black_box(packet)).expect("a packet");
    let by_hand = || by_hand(black_box(packet)).expect("of known types");
    assert_eq!([over_index(), by_hand()], [in_one_pass(); 2]);

    let mut peer = Peer::of(rows, content, "gamewire", packet.len());
    let mut memory = vec![IndexEntry::default(); CONTAINERS];
    peer.add("index", move || {
        let index = reader(black_box(packet)).index(black_box(&mut memory));
        u64::from(black_box(index).is_ok())
    });
    peer.add("one_pass", in_one_pass);
    peer.add("over_index", over_index);
    Peer::of(rows, content, "by hand", packet.len()).add("recursion", by_hand);
}

fn by_hand(packet: &[u8]) -> Option<u64> {
    let (rest, sum) = value(packet, Checksum::default())?;
    rest.is_empty().then_some(sum.0)
}

/// The bytes after a value, and the checksum of everything up to the end of the value.
type Behind<'a> = Option<(&'a [u8], Checksum)>;

/// The top bit of a count marks a shared container, or the form of a NodePath.
const TOP: u32 = 1 << 31;

#[inline(always)]
fn value(packet: &[u8], mut sum: Checksum) -> Behind<'_> {
    let (header, rest) = word(packet)?;
    match header {
        0x04 | 0x15 => text(rest, sum),
        0x1_0002 | 0x1_0003 => {
            let (bits, rest) = rest.split_first_chunk()?;
            sum.add(u64::from_le_bytes(*bits));
            Some((rest, sum))
        }
        0x03 => floats::<1>(rest, sum),
        0x01 => {
            let (value, rest) = word(rest)?;
            sum.add(value.into());
            Some((rest, sum))
        }
        0x05 => floats::<2>(rest, sum),
        0x09 => floats::<3>(rest, sum),
        0x14 => floats::<4>(rest, sum),
        0x1B => {
            let (count, rest) = word(rest)?;
            items(rest, count & !TOP, 2, sum)
        }
        0x1C => {
            let (count, rest) = word(rest)?;
            items(rest, count & !TOP, 1, sum)
        }
        _ => rarer(header, rest, sum),
    }
}

/// Reads the items of a container. Ints are the most frequent items and are tested first.
#[inline(never)]
fn items(mut rest: &[u8], count: u32, values: u32, mut sum: Checksum) -> Behind<'_> {
    sum.add(count.into());
    for _ in 0..count * values {
        if let Some(([0x02, int], behind)) = words(rest) {
            sum.add(i64::from(int.cast_signed()).cast_unsigned());
            rest = behind;
        } else {
            (rest, sum) = value(rest, sum)?;
        }
    }
    Some((rest, sum))
}

#[inline(never)]
fn rarer(header: u32, rest: &[u8], mut sum: Checksum) -> Behind<'_> {
    match header {
        0x06 => unread(rest.get(8..)?, Kind::Vector2i, sum),
        0x0F => unread(rest.get(16..)?, Kind::Quaternion, sum),
        0x16 => {
            let ([names, more, _], mut rest) = words(rest)?;
            for _ in 0..(names & !TOP) + more {
                (_, rest) = bytes(rest)?;
            }
            unread(rest, Kind::NodePath, sum)
        }
        0x1E => {
            let (count, rest) = word(rest)?;
            unread(rest.get(4 * count as usize..)?, Kind::PackedInt32Array, sum)
        }
        0x20 => {
            let (count, mut rest) = word(rest)?;
            for _ in 0..count {
                let (bits, behind) = word(rest)?;
                sum.add(bits.into());
                rest = behind;
            }
            Some((rest, sum))
        }
        _ => None,
    }
}

/// Adds the kind of a value to the checksum, and nothing else.
fn unread(rest: &[u8], kind: Kind, mut sum: Checksum) -> Behind<'_> {
    sum.add(kind as u64);
    Some((rest, sum))
}

#[inline(always)]
fn word(rest: &[u8]) -> Option<(u32, &[u8])> {
    let ([word], rest) = words(rest)?;
    Some((word, rest))
}

#[inline(always)]
fn words<const N: usize>(rest: &[u8]) -> Option<([u32; N], &[u8])> {
    let (words, _) = rest.as_chunks::<4>();
    let words: &[[u8; 4]; N] = words.first_chunk()?;
    Some((words.map(u32::from_le_bytes), rest.get(4 * N..)?))
}

#[inline(always)]
fn floats<const N: usize>(rest: &[u8], mut sum: Checksum) -> Behind<'_> {
    let (floats, rest) = words::<N>(rest)?;
    sum.parts(&floats.map(|bits| f32::from_bits(bits).into()));
    Some((rest, sum))
}

#[inline(always)]
fn text(rest: &[u8], mut sum: Checksum) -> Behind<'_> {
    let (bytes, rest) = bytes(rest)?;
    sum.text(bytes);
    Some((rest, sum))
}

/// Returns the bytes of a string, and the bytes after its padding.
#[inline(always)]
fn bytes(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, rest) = word(rest)?;
    let len = len as usize;
    Some((rest.get(..len)?, rest.get(len.next_multiple_of(4)..)?))
}
