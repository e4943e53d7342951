//! Reads and writes Godot 4 packets. Rates are bytes per second.
//!
//! `state_simple` is the state of a game, written by Godot 4.6.3: a dictionary with 25 keys, which
//! contains four players with 8 keys each. For comparison, `minicbor` reads and writes the same
//! content, encoded as CBOR.
//!
//! ```text
//! cargo bench -p gamewire-benches --bench godot
//! ```

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gamewire::godot::json::{Document, Printer};
use gamewire::godot::{Dialect, DictionaryRef, Level, VariantRef, Writer};
use std::hint::black_box;

#[path = "support/cbor.rs"]
mod cbor;
#[path = "support/checksum.rs"]
mod checksum;
#[cfg(feature = "serde")]
#[path = "support/derived.rs"]
mod derived;
#[path = "support/packets.rs"]
mod packets;
#[path = "support/state.rs"]
mod state;

use checksum::Checksum;
use packets::{FLOATS, PACKETS, STATE, at_level, nested, reader, through_views, traverse};

fn each_packet(c: &mut Criterion) {
    for (name, packet) in PACKETS {
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Bytes(packet.len() as u64));
        group.bench_function("skip", |b| {
            b.iter(|| at_level(black_box(packet), Level::Structure).unwrap());
        });
        group.bench_function("validate", |b| {
            b.iter(|| at_level(black_box(packet), Level::Engine).unwrap());
        });
        group.bench_function("traverse", |b| {
            b.iter(|| traverse::<true>(black_box(packet)).unwrap());
        });
        group.bench_function("read", |b| b.iter(|| reader(black_box(packet)).read().unwrap()));
    }
}

/// Measures `state_simple`, and the same content as CBOR.
fn state(c: &mut Criterion) {
    let cbor = cbor::from_packet(STATE);
    let mut group = c.benchmark_group("state_simple");
    group.throughput(Throughput::Bytes(STATE.len() as u64));
    let strict = |b: &mut criterion::Bencher<'_>| {
        b.iter(|| at_level(black_box(STATE), Level::Strict).unwrap());
    };
    group.bench_function("validate strictly", strict);
    let VariantRef::Dictionary(dictionary) = reader(STATE).read().unwrap() else { panic!() };
    let get = |dictionary: DictionaryRef<'_>| dictionary.get("ping_ms").and_then(|v| v.as_i64());
    assert_eq!(get(dictionary), Some(43));
    group.bench_function("one key", |b| b.iter(|| get(black_box(dictionary))));
    for (what, key) in [("find the first key", "match_id"), ("find one key", "ping_ms")] {
        group.bench_function(what, |b| b.iter(|| reader(black_box(STATE)).find(black_box(key))));
    }
    group.bench_function("views", |b| {
        b.iter(|| {
            let mut sum = Checksum::default();
            through_views(VariantRef::Dictionary(black_box(dictionary)), &mut sum);
            sum.0
        });
    });
    let state = state::sample();
    let mut packet = Vec::with_capacity(4096);
    let mut encode = |state: &state::State| {
        packet.clear();
        state::write(state, &mut Writer::new(&mut packet, Dialect::Godot4)).unwrap();
        packet == STATE
    };
    assert!(encode(&state), "the same bytes as the engine's");
    group.bench_function("encode", |b| b.iter(|| encode(black_box(&state))));
    group.finish();

    let mut group = c.benchmark_group("minicbor");
    group.throughput(Throughput::Bytes(cbor.len() as u64));
    group.bench_function("traverse", |b| {
        b.iter(|| {
            let mut sum = Checksum::default();
            cbor::traverse(black_box(&cbor), &mut sum);
            sum.0
        });
    });
    group.bench_function("skip", |b| b.iter(|| cbor::skip(black_box(&cbor))));
    group.bench_function("one key", |b| b.iter(|| cbor::get(black_box(&cbor), "ping_ms")));
    let mut written = Vec::with_capacity(4096);
    let mut encode = |state: &state::State| {
        written.clear();
        state::write_cbor(state, &mut minicbor::Encoder::new(&mut written)).unwrap();
        written == cbor
    };
    assert!(encode(&state), "the same content");
    group.bench_function("encode", |b| b.iter(|| encode(black_box(&state))));
}

/// Measures the cost of nested levels, in one pass and through nested views.
fn depth(c: &mut Criterion) {
    let mut group = c.benchmark_group("depth");
    for depth in [2, 4, 8, 16] {
        let packet = nested(depth, 1024);
        group.bench_function(format!("visit/{depth}"), |b| {
            b.iter(|| traverse::<true>(black_box(&packet)).unwrap());
        });
        group.bench_function(format!("views/{depth}"), |b| {
            let value = reader(&packet).read().unwrap();
            b.iter(|| {
                let mut sum = Checksum::default();
                through_views(black_box(value), &mut sum);
                sum.0
            });
        });
    }
}

/// Measures the JSON notation. Throughput is in bytes of the packet.
fn notation(c: &mut Criterion) {
    for (name, packet) in [("state_simple", STATE), ("f32_1m", FLOATS)] {
        let mut group = c.benchmark_group(format!("json/{name}"));
        group.throughput(Throughput::Bytes(packet.len() as u64));
        let mut text = String::new();
        for exact in [false, true] {
            group.bench_function(if exact { "print exactly" } else { "print" }, |b| {
                b.iter(|| {
                    text.clear();
                    let mut printer = Printer::new(&mut text).exact(exact);
                    reader(black_box(packet)).visit(&mut printer).unwrap();
                });
            });
        }
        let mut bytes = Vec::new();
        let mut encode = |text: &str| {
            bytes.clear();
            let document = Document::parse(text).unwrap();
            document.write(&mut Writer::new(&mut bytes, Dialect::Godot4)).unwrap();
            bytes == packet
        };
        text.clear();
        reader(packet).visit(&mut Printer::new(&mut text).exact(true)).unwrap();
        assert!(encode(&text));
        group.bench_function("encode", |b| b.iter(|| encode(black_box(&text))));
    }
}

/// Reads and writes the state as a struct that derives `Deserialize` and `Serialize`, with strings
/// borrowed from the packet. The four players, `p0` to `p3`, are a struct of four fields.
#[cfg(feature = "serde")]
fn serde(c: &mut Criterion) {
    use gamewire::godot::{from_bytes, to_writer};

    let mut group = c.benchmark_group("serde");
    group.throughput(Throughput::Bytes(STATE.len() as u64));
    group.bench_function("decode", |b| {
        // `black_box` gets a reference, because the value would be copied twice if it were returned
        // to criterion.
        b.iter(|| {
            black_box(&from_bytes::<derived::State<'_>>(black_box(STATE)).unwrap());
        });
    });
    let state: derived::State<'_> = from_bytes(STATE).unwrap();
    let mut packet = Vec::with_capacity(4096);
    let mut encode = |state: &derived::State<'_>| {
        packet.clear();
        to_writer(&mut Writer::new(&mut packet, Dialect::Godot4), state).unwrap();
        packet == STATE
    };
    assert!(encode(&state), "the same bytes as the engine's");
    group.bench_function("encode", |b| b.iter(|| encode(black_box(&state))));
}

#[cfg(not(feature = "serde"))]
fn serde(_: &mut Criterion) {}

criterion_group!(benches, each_packet, state, depth, notation, serde);
criterion_main!(benches);
