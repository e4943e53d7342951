//! Reading and writing Godot 4 packets, in bytes a second.
//!
//! `state_simple` is a game's state: 25 keys, four players of 8 keys each, written by
//! Godot 4.6.3. Beside it runs `minicbor` over the same content as CBOR.
//!
//! ```text
//! cargo bench --bench godot
//! ```

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gamewire::godot::json::{Document, Printer};
use gamewire::godot::{
    Dialect, DictionaryRef, Error, Kind, Layout, Leaf, Level, Limits, Open, Property, Reader,
    VariantRef, Visitor, Writer,
};
use std::hint::black_box;

#[path = "support/cbor.rs"]
mod cbor;
#[path = "support/checksum.rs"]
mod checksum;
#[cfg(feature = "serde")]
#[path = "support/derived.rs"]
mod derived;
#[path = "support/state.rs"]
mod state;

use checksum::Checksum;

const STATE: &[u8] = include_bytes!("../corpus/bench/state_simple.bin");
const INTS: &[u8] = include_bytes!("../corpus/bench/ints10k.bin");
const STRINGS: &[u8] = include_bytes!("../corpus/bench/str10k.bin");
const PACKED_STRINGS: &[u8] = include_bytes!("../corpus/bench/pstr10k.bin");
const FLOATS: &[u8] = include_bytes!("../corpus/bench/f32_1m.bin");
const WORLD: &[u8] = include_bytes!("../corpus/godot4/game_state_500.bin");

const PACKETS: [(&str, &[u8]); 6] = [
    ("state_simple", STATE),
    ("world", WORLD),
    ("ints10k", INTS),
    ("str10k", STRINGS),
    ("pstr10k", PACKED_STRINGS),
    ("f32_1m", FLOATS),
];

fn reader(packet: &[u8]) -> Reader<'_, 'static> {
    Reader::new(packet, Dialect::Godot4)
}

/// Every leaf into a checksum, every text handed out as `&str`.
impl<'a> Visitor<'a> for Checksum {
    type Error = Error;

    #[inline(always)]
    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Error> {
        match leaf.value {
            VariantRef::String(text) | VariantRef::StringName(text) => {
                self.text(text.to_str().unwrap_or_default());
            }
            VariantRef::Int(int) => self.add(int as u64),
            VariantRef::Float(float) => self.add(float.to_bits()),
            VariantRef::Bool(value) => self.add(u64::from(value)),
            VariantRef::Vector2(v) => self.parts(&v.get().parts()),
            VariantRef::Vector3(v) => self.parts(&v.get().parts()),
            VariantRef::Color(v) => self.parts(&v.get().parts()),
            VariantRef::PackedStringArray(texts) => {
                texts.iter().for_each(|text| self.text(text.to_str().unwrap_or_default()));
            }
            VariantRef::PackedFloat32Array(floats) => {
                floats.iter().for_each(|float| self.add(float.get().to_bits().into()));
            }
            other => self.add(other.kind() as u64),
        }
        Ok(())
    }

    #[inline(always)]
    fn open(&mut self, open: Open<'a>) -> Result<(), Error> {
        self.add(u64::from(open.container.len()));
        Ok(())
    }

    fn property(&mut self, _: Property<'a>) -> Result<(), Error> {
        Ok(())
    }

    #[inline(always)]
    fn close(&mut self, _: Kind) -> Result<(), Error> {
        Ok(())
    }
}

fn traverse(packet: &[u8]) -> u64 {
    let mut sum = Checksum::default();
    reader(packet).visit(&mut sum).unwrap();
    sum.0
}

fn at_level(packet: &[u8], level: Level) {
    reader(packet).limits(Limits { level, ..Limits::default() }).skip().unwrap();
}

/// Every leaf through views of views.
fn through_views(value: VariantRef<'_>, sum: &mut Checksum) {
    match value {
        VariantRef::Array(array) => array.iter().for_each(|value| through_views(value, sum)),
        VariantRef::Dictionary(dictionary) => {
            dictionary.flat().for_each(|value| through_views(value, sum));
        }
        VariantRef::String(text) => sum.text(text.to_str().unwrap_or_default()),
        VariantRef::Int(int) => sum.add(int as u64),
        other => sum.add(other.kind() as u64),
    }
}

fn packets(c: &mut Criterion) {
    for (name, packet) in PACKETS {
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Bytes(packet.len() as u64));
        group.bench_function("skip", |b| {
            b.iter(|| at_level(black_box(packet), Level::Structure));
        });
        group.bench_function("validate", |b| {
            b.iter(|| at_level(black_box(packet), Level::Engine));
        });
        group.bench_function("traverse", |b| b.iter(|| traverse(black_box(packet))));
        group.bench_function("read", |b| b.iter(|| reader(black_box(packet)).read().unwrap()));
    }
}

/// One message, and the same as CBOR.
fn state(c: &mut Criterion) {
    let cbor = cbor::from_packet(STATE);
    let mut group = c.benchmark_group("state_simple");
    group.throughput(Throughput::Bytes(STATE.len() as u64));
    let strict = |b: &mut criterion::Bencher<'_>| {
        b.iter(|| at_level(black_box(STATE), Level::Strict));
    };
    group.bench_function("validate strictly", strict);
    let VariantRef::Dictionary(dictionary) = reader(STATE).read().unwrap() else { panic!() };
    let get = |dictionary: DictionaryRef<'_>| dictionary.get("ping_ms").and_then(|v| v.as_i64());
    assert_eq!(get(dictionary), Some(43));
    group.bench_function("one key", |b| b.iter(|| get(black_box(dictionary))));
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

/// 1,024 ints in arrays inside each other, as many in each.
fn nested(depth: usize) -> Vec<u8> {
    fn level(writer: &mut Writer<&mut Vec<u8>>, levels: usize, ints: usize) {
        let deeper = levels > 1;
        let mut items = writer.array(ints + usize::from(deeper)).unwrap();
        (0..ints).for_each(|int| items.put(int as i64).unwrap());
        if deeper {
            level(&mut items, levels - 1, ints);
        }
        items.finish().unwrap();
    }
    let mut packet = Vec::new();
    level(&mut Writer::new(&mut packet, Dialect::Godot4), depth, 1024 / depth);
    packet
}

/// What depth costs: one pass, and views of views.
fn depth(c: &mut Criterion) {
    let mut group = c.benchmark_group("depth");
    for depth in [2, 4, 8, 16] {
        let packet = nested(depth);
        group.bench_function(format!("visit/{depth}"), |b| {
            b.iter(|| traverse(black_box(&packet)));
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

/// The JSON notation; throughput in bytes of the packet.
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

/// A derived struct for the state, its texts borrowed from the packet. The four players,
/// keyed `p0` to `p3`, are a struct of four fields.
#[cfg(feature = "serde")]
fn serde(c: &mut Criterion) {
    use gamewire::godot::{from_bytes, to_writer};

    let mut group = c.benchmark_group("serde");
    group.throughput(Throughput::Bytes(STATE.len() as u64));
    group.bench_function("decode", |b| {
        // Looked at where it is: to hand it to criterion would copy it twice.
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

criterion_group!(benches, packets, state, depth, notation, serde);
criterion_main!(benches);
