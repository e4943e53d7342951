//! Reads captures. Rates are bytes of the file per second.
//!
//! The file is made in memory by repeating the captures of the corpus up to 64 MB. Packets are
//! short (83 bytes on average), so the time depends on their number. `read` parses only the file
//! format; `segments` also finds the UDP or TCP payload of each packet.
//!
//! ```text
//! cargo bench -p gamewire-benches --bench capture --features capture
//! ```

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gamewire::capture::{LinkType, Packet, Reader, Transport, segment};
use std::hint::black_box;

const CAPTURES: [&[u8]; 9] = [
    include_bytes!("../corpus/captures/enet.pcap"),
    include_bytes!("../corpus/captures/enet_rle.pcap"),
    include_bytes!("../corpus/captures/godot3_enet.pcap"),
    include_bytes!("../corpus/captures/godot3_enet_rle.pcap"),
    include_bytes!("../corpus/captures/pps.pcap"),
    include_bytes!("../corpus/captures/relay.pcap"),
    include_bytes!("../corpus/captures/tcp.pcap"),
    include_bytes!("../corpus/captures/udp.pcap"),
    include_bytes!("../corpus/captures/ws.pcap"),
];

const SIZE: usize = 64 << 20;

/// Joins and repeats the files until [`SIZE`] is reached. Each file has a header of 24 bytes, and
/// only the first of these headers is kept.
fn pcap() -> Vec<u8> {
    let mut file = CAPTURES[0][..24].to_vec();
    while file.len() < SIZE {
        CAPTURES.iter().for_each(|capture| file.extend(&capture[24..]));
    }
    file
}

/// Wraps the packets in pcapng blocks.
fn pcapng(pcap: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    block(&mut file, 0x0a0d_0d0a, b"\x4d\x3c\x2b\x1a\x01\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff");
    block(&mut file, 1, b"\x01\0\0\0\0\0\0\0");
    each(pcap, |packet| {
        let micros = packet.time.unwrap() as u64 / 1000;
        let words = [0, (micros >> 32) as u32, micros as u32, packet.data.len() as u32];
        let mut body: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        body.extend(packet.original_len.to_le_bytes());
        body.extend(packet.data);
        body.resize(body.len().next_multiple_of(4), 0);
        block(&mut file, 6, &body);
    });
    file
}

fn block(file: &mut Vec<u8>, kind: u32, body: &[u8]) {
    let len = (body.len() as u32 + 12).to_le_bytes();
    file.extend(kind.to_le_bytes());
    file.extend(len);
    file.extend(body);
    file.extend(len);
}

fn each(file: &[u8], mut then: impl FnMut(Packet<'_>)) {
    let mut reader = Reader::new(file);
    while let Some(packet) = reader.next_packet().unwrap() {
        then(packet);
    }
}

/// Combines parts of a segment into a number, so that the compiler cannot remove the decoding of
/// the segment.
fn look(link_type: LinkType, data: &[u8]) -> usize {
    let Ok(segment) = segment(link_type, data) else { return 0 };
    let ports = usize::from(segment.source.port() ^ segment.destination.port());
    match segment.transport {
        Transport::Udp { payload } => ports ^ payload.len(),
        Transport::Tcp(tcp) => ports ^ tcp.payload.len() ^ tcp.sequence as usize,
    }
}

fn reading(c: &mut Criterion) {
    let pcap = pcap();
    let pcapng = pcapng(&pcap);
    for (name, file) in [("pcap", &pcap), ("pcapng", &pcapng)] {
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Bytes(file.len() as u64));
        group.sample_size(20);
        group.bench_function("read", |b| {
            b.iter(|| each(file, |packet| _ = black_box(packet)));
        });
        group.bench_function("segments", |b| {
            b.iter(|| {
                let mut sum = 0_usize;
                each(file, |packet| sum = sum.wrapping_add(look(packet.link_type, packet.data)));
                sum
            });
        });
        group.finish();
    }
}

/// Measures [`segment`] without reading a file, on packets that stay in the cache.
fn segments(c: &mut Criterion) {
    let mut packets = Vec::new();
    for capture in CAPTURES {
        each(capture, |packet| packets.push((packet.link_type, packet.data.to_vec())));
    }
    let mut group = c.benchmark_group("segment");
    group.throughput(Throughput::Elements(packets.len() as u64));
    group.bench_function("segment", |b| {
        b.iter(|| {
            let each = packets.iter().map(|(link_type, data)| look(*link_type, black_box(data)));
            each.fold(0, usize::wrapping_add)
        });
    });
    group.finish();
}

criterion_group!(benches, reading, segments);
criterion_main!(benches);
