//! What the machine allows: copying each packet, a chain of multiplications (which tells the
//! clock), and the sum of floats that are a slice already.

use crate::contents::{Content, FLOATS};
use crate::rows::{Peer, Row};
use gamewire::godot::{AsNative, Dialect, F32, Reader, VariantRef};
use std::hint::black_box;

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
    }
    let run = Box::new(|| multiply(black_box(3)));
    rows.push(Row {
        content: "floors",
        peer: "multiplications",
        what: "1000",
        bytes: 0,
        also_after: &[],
        run,
    });
    rows
}

/// Each needs the result before; x86-64 takes 3 cycles for one since 2008.
fn multiply(mut factor: u64) -> u64 {
    for _ in 0..1000 {
        factor = factor.wrapping_mul(factor);
    }
    factor
}

/// The same memory as a native slice and as what is borrowed; and where it is not aligned.
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

/// The packet's floats, so many bytes behind the begin of a line of the cache.
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

/// In 16 sums, that none waits for the one before.
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
