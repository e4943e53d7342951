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
        flushed: false,
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

fn sums(content: &Content, rows: &mut Vec<Row>) {
    let packet = content.packet.to_vec().leak();
    let VariantRef::PackedFloat32Array(floats) =
        Reader::new(packet, Dialect::Godot4).read().unwrap()
    else {
        unreachable!("it holds floats")
    };
    let native = &*floats.iter().map(|float| float.get()).collect::<Vec<f32>>().leak();
    let expected = sum(native, |float| float);
    assert_eq!(sum(floats, F32::get), expected);
    let mut peer = Peer::new(rows, content, "native slice", size_of_val(native));
    peer.add("sum", || sum(black_box(native), |float| float).to_bits().into());
    let mut peer = Peer::new(rows, content, "gamewire", packet.len());
    peer.add("sum", || sum(black_box(floats), F32::get).to_bits().into());
    // Where it is aligned and the machine little-endian, it is a native slice as well.
    if floats.as_native().is_some_and(|native| sum(native, |float| float) == expected) {
        peer.add("sum_as_native", move || {
            sum(black_box(floats).as_native().unwrap(), |float| float).to_bits().into()
        });
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
