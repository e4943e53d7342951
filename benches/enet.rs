//! Decodes the datagrams of captured ENet sessions. The rates of the range coder, ENet's
//! compression, are in bytes of uncompressed datagram bodies per second. The rates of sessions are
//! in bytes of UDP payloads per second.
//!
//! ```text
//! cargo bench -p gamewire-benches --bench enet --features transport
//! ```

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gamewire::transport::enet::{Datagram, DatagramCodec, Event, Limits, RangeCoder, Session};
use std::hint::black_box;

#[path = "../tests/support/net/pcap.rs"]
#[allow(dead_code)]
mod pcap;

/// Captures of a Godot 4 session, of a Godot 3 session with larger datagrams, and of an
/// uncompressed session. The bench compresses the bodies of the uncompressed session.
const CAPTURES: [(&str, &[u8]); 3] = [
    ("godot4", include_bytes!("../corpus/captures/enet_rle.pcap")),
    ("godot3", include_bytes!("../corpus/captures/godot3_enet_rle.pcap")),
    ("relay", include_bytes!("../corpus/captures/relay.pcap")),
];

/// Returns two forms of the body of each datagram: compressed by the range coder, and uncompressed.
/// If a capture has compressed datagrams, its uncompressed datagrams are left out.
fn bodies(capture: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut coder = RangeCoder::new();
    let datagrams = pcap::udp(capture);
    let datagrams = datagrams.iter().map(|udp| Datagram::parse(&udp.payload).unwrap());
    let all_plain = datagrams.clone().all(|datagram| !datagram.compressed);
    let wanted = datagrams.filter(|datagram| datagram.compressed || all_plain);
    let bodies = wanted.map(|datagram| {
        let mut memory = [0; 4096];
        if datagram.compressed {
            let plain = coder.decode(datagram.body, &mut memory).unwrap();
            return (datagram.body.to_vec(), plain.to_vec());
        }
        let coded = coder.encode(datagram.body, &mut memory).unwrap();
        (coded.to_vec(), datagram.body.to_vec())
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

/// Feeds the datagrams of a capture to sessions, one for each pair of sender and receiver. Each run
/// starts with empty sessions.
fn session(criterion: &mut Criterion) {
    let mut codec = DatagramCodec::new();
    let mut group = criterion.benchmark_group("session");
    for (name, capture) in CAPTURES {
        let capture = pcap::udp(capture);
        let bytes: usize = capture.iter().map(|udp| udp.payload.len()).sum();
        group.throughput(Throughput::Bytes(bytes as u64));
        let mut sides: Vec<_> = capture.iter().map(|udp| (udp.from, udp.to)).collect();
        sides.sort();
        sides.dedup();
        let mut sessions: Vec<_> = sides.iter().map(|_| Session::new(Limits::default())).collect();
        let datagrams: Vec<_> = capture
            .iter()
            .map(|udp| (sides.binary_search(&(udp.from, udp.to)).unwrap(), &udp.payload))
            .collect();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let mut payloads = 0;
                sessions.iter_mut().for_each(Session::reset);
                for &(side, datagram) in &datagrams {
                    sessions[side].feed(datagram, &mut codec, |event| {
                        if let Event::Packet(packet) = event {
                            payloads += packet.payload.len();
                        }
                    });
                }
                black_box(payloads)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, range_coder, session);
criterion_main!(benches);
