//! ENet: datagrams of two captured sessions, in bytes of plain body a second.
//!
//! ```text
//! cargo bench --bench enet --features net
//! ```

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gamewire::net::enet::{Datagram, RangeCoder};
use std::hint::black_box;

#[path = "../tests/support/pcap.rs"]
#[allow(dead_code)]
mod pcap;

/// Small messages of a Godot 4 session, and of a Godot 3 session with larger ones.
const CAPTURES: [(&str, &[u8]); 2] = [
    ("godot4", include_bytes!("../corpus/captures/enet_rle.pcap")),
    ("godot3", include_bytes!("../corpus/captures/godot3_enet_rle.pcap")),
];

/// The compressed bodies of a capture, and what they were made from.
fn bodies(capture: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut coder = RangeCoder::new();
    let datagrams = pcap::udp(capture).into_iter();
    let bodies = datagrams.filter_map(|datagram| {
        let datagram = Datagram::parse(&datagram.payload).unwrap();
        let mut memory = [0; 4096];
        let plain = datagram.compressed.then(|| coder.decode(datagram.body, &mut memory))?;
        Some((datagram.body.to_vec(), plain.unwrap().to_vec()))
    });
    bodies.collect()
}

fn range_coder(criterion: &mut Criterion) {
    let mut coder = RangeCoder::new();
    let mut memory = [0; 4096];
    for (name, capture) in CAPTURES {
        let bodies = bodies(capture);
        let bytes: usize = bodies.iter().map(|(_, plain)| plain.len()).sum();
        let mut group = criterion.benchmark_group(format!("range_coder/{name}"));
        group.throughput(Throughput::Bytes(bytes as u64));
        group.bench_function("decode", |bencher| {
            bencher.iter(|| {
                for (coded, _) in &bodies {
                    black_box(coder.decode(coded, &mut memory).unwrap());
                }
            });
        });
        group.bench_function("encode", |bencher| {
            bencher.iter(|| {
                for (_, plain) in &bodies {
                    black_box(coder.encode(plain, &mut memory).unwrap());
                }
            });
        });
        group.finish();
    }
}

criterion_group!(benches, range_coder);
criterion_main!(benches);
