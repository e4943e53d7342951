//! Measures lower bounds on this machine: the time to copy each packet, to sum a native slice of
//! floats, and to do the least work that any reader of the strings in the state message must do.

use crate::contents::{Content, FLOATS, STATE};
use crate::eye::Eye;
use crate::formats::gamewire;
use crate::rows::{Peer, Row};
use ::gamewire::godot::{AsNative, Dialect, F32, Reader, VariantRef};
use std::hint::black_box;
use std::ops::Range;

pub fn rows(contents: &'static [Content]) -> Vec<Row> {
    let mut rows = Vec::new();
    for content in contents {
        let packet = content.packet;
        let mut copy = packet.to_vec();
        let mut peer = Peer::new(&mut rows, content, "memcpy", packet.len());
        peer.add("copy", move || {
            copy.copy_from_slice(black_box(packet));
            black_box(&copy).len() as u64
        });
        if content.name == FLOATS {
            sums(content, &mut rows);
        }
        if content.name == STATE {
            texts(content, &mut rows);
        }
    }
    rows
}

/// Adds rows for three lower bounds. The first is the time to go from string to string by their
/// lengths, to the end of the packet. A reader must do this, since each length gives the position
/// of the next value. The second is the time to go only as far as `content.key`. The third is the
/// time that the standard library takes to check that every string is UTF-8.
fn texts(content: &'static Content, rows: &mut Vec<Row>) {
    let packet = content.packet;
    let texts = gamewire::traverse_bytes::<Places>(packet).0;
    let texts: Vec<&[u8]> = texts
        .iter()
        .map(|place| {
            let start = place.start - packet.as_ptr().addr();
            &packet[start..][..place.len()]
        })
        .collect();
    let gaps = gaps(packet, &texts);
    let key = content.key.map(|(key, _)| key.as_bytes());
    let before_key = texts.iter().take_while(|text| Some(**text) != key).count();
    let to_key = gaps[..=before_key].to_vec();
    let mut peer = Peer::new(rows, content, "lengths", packet.len());
    peer.add("skip", move || follow(black_box(packet), black_box(&gaps)) as u64);
    peer.add("get_in_view", move || follow(black_box(packet), black_box(&to_key)) as u64);
    let mut peer = Peer::new(rows, content, "from_utf8", packet.len());
    peer.add("traverse", move || {
        let texts = black_box(&texts).iter();
        texts.map(|text| u64::from(black_box(str::from_utf8(text)).is_ok())).sum()
    });
}

/// The addresses of all strings of a packet, including keys.
#[derive(Default)]
struct Places(Vec<Range<usize>>);

impl Eye for Places {
    fn null(&mut self) {}
    fn int(&mut self, _: i64) {}
    fn float(&mut self, _: f64) {}
    fn bool(&mut self, _: bool) {}
    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }
    fn bytes(&mut self, text: &[u8]) {
        let start = text.as_ptr().addr();
        self.0.push(start..start + text.len());
    }
}

/// Returns the number of bytes between the length of each string and the string before it.
fn gaps(packet: &[u8], texts: &[&[u8]]) -> Vec<usize> {
    let mut end = 0;
    let gap = |text: &&[u8]| {
        let start = text.as_ptr().addr() - packet.as_ptr().addr();
        let gap = start - 4 - end;
        end = start + text.len().next_multiple_of(4);
        gap
    };
    let gaps: Vec<usize> = texts.iter().map(gap).collect();
    assert_eq!(follow(packet, &gaps), end);
    gaps
}

/// Returns the position after the last string.
fn follow(packet: &[u8], gaps: &[usize]) -> usize {
    gaps.iter().fold(0, |at, gap| {
        let (at, len) = (at + gap + 4, &packet[at + gap..][..4]);
        let len = u32::from_le_bytes(len.try_into().expect("four bytes"));
        at + (len as usize).next_multiple_of(4)
    })
}

/// Measures the sum of the same floats in three forms: a native slice, a view of the same memory,
/// and a view of an unaligned copy.
fn sums(content: &Content, rows: &mut Vec<Row>) {
    let (floats, odd) = (placed(content.packet, 0), placed(content.packet, 1));
    let native = floats.as_native().expect("a little-endian machine");
    assert!(odd.as_native().is_none());
    let mut peer = Peer::new(rows, content, "native slice", size_of_val(native));
    peer.add("sum", || sum(black_box(native), |float| float).to_bits().into());
    let mut peer = Peer::new(rows, content, "gamewire", content.packet.len());
    peer.add("sum", || sum(black_box(floats), F32::get).to_bits().into());
    peer.add("sum_odd", || sum(black_box(odd), F32::get).to_bits().into());
}

/// Copies the packet, and returns the floats of the copy. They begin `behind` bytes after the start
/// of a cache line.
fn placed(packet: &[u8], behind: usize) -> &'static [F32] {
    const HEAD: usize = 8;
    let memory = vec![0; packet.len() + 128].leak();
    let line = memory[HEAD..].as_ptr().align_offset(64);
    let place = &mut memory[line + behind..][..packet.len()];
    place.copy_from_slice(packet);
    match Reader::new(place, Dialect::Godot4).read() {
        Ok(VariantRef::PackedFloat32Array(floats)) => floats,
        _ => unreachable!("it holds floats"),
    }
}

/// Sums floats in 16 accumulators, so that additions do not wait for each other.
#[inline(always)]
fn sum<T: Copy>(floats: &[T], get: impl Fn(T) -> f32) -> f32 {
    let mut sums = [0.0; 16];
    let (rows, rest) = floats.as_chunks::<16>();
    for row in rows {
        for (sum, float) in sums.iter_mut().zip(row) {
            *sum += get(*float);
        }
    }
    sums.iter().sum::<f32>() + rest.iter().map(|float| get(*float)).sum::<f32>()
}
