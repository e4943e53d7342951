//! Tests the bounds of ENet sessions, and of the decompression of datagrams.

use crate::measure::{
    Entry, Family, Memory, SMALL_INPUT, Shape, Work, consume, shape, without_allocation,
};
use gamewire::transport::enet::{
    Body, Command, CompressionMode, Connect, Datagram, DatagramCodec, Flags, Fragment, Limits,
    RangeCoder, Session,
};
use std::cell::RefCell;
use std::hint::black_box;

fn sessions() -> Family {
    // The memory of a session with the default limits, plus that of a `DatagramCodec`.
    let memory = Memory::PerByte(0, (19 << 20) + (1 << 20));
    let entries = vec![
        Entry {
            memory,
            ..without_allocation("enet::Session", |bytes| feed_all(bytes, Limits::default()))
        },
        Entry {
            memory,
            ..without_allocation("enet::Session, with little room", |bytes| {
                feed_all(bytes, LOW_LIMITS)
            })
        },
    ];
    Family {
        entries,
        shapes: shapes(),
        max_instructions_per_byte: 5_000.0,
        small_input: 4 * SMALL_INPUT,
    }
}

const LOW_LIMITS: Limits = Limits { buffered: 1 << 14, waiting: 64, packet: 1 << 12 };

/// Returns the entry points of sessions, with input that has gaps in all channels. A session
/// searches every channel for the oldest gap, so its work per byte has a higher limit.
fn channels() -> Family {
    let sessions = sessions().entries.into_iter();
    let entries = sessions.map(|entry| Entry { work: Work::AtMost(80_000.0), ..entry }).collect();
    let gaps = shape("gaps in all channels", |size| {
        datagrams(size, |n| reliable((n % 255) as u8, 2 * (n / 255) + 1))
    });
    Family {
        entries,
        shapes: vec![gaps],
        max_instructions_per_byte: 0.0,
        small_input: 2 * SMALL_INPUT,
    }
}

#[test]
fn channels_work() {
    channels().assert_work("net::enet::channels_work");
}

#[test]
fn channels_memory() {
    channels().assert_memory();
}

#[test]
fn work() {
    sessions().assert_work("net::enet::work");
}

#[test]
fn memory() {
    sessions().assert_memory();
}

thread_local! {
    /// The codec that all sessions use.
    static CODEC: RefCell<DatagramCodec> = RefCell::new(DatagramCodec::new());
}

fn feed_all(mut input: &[u8], limits: Limits) {
    let mut session = Session::new(limits);
    let mut events = 0;
    CODEC.with_borrow_mut(|codec| {
        while let Some((len, rest)) = input.split_first_chunk() {
            let (datagram, rest) = rest.split_at(usize::from(u16::from_le_bytes(*len)));
            session.feed(datagram, codec, |_| events += 1);
            input = rest;
        }
    });
    session.flush(|_| events += 1);
    black_box((events, session.memory()));
}

/// Returns datagrams of about 1 KiB, each preceded by its length.
pub(super) fn datagrams(size: usize, each: impl Fn(u32) -> Command<'static>) -> Vec<u8> {
    let (mut input, mut number) = (Vec::new(), 0);
    while input.len() < size {
        let mut datagram = vec![0, 0];
        while datagram.len() < 1000 {
            each(number).write(&mut datagram).unwrap();
            number += 1;
        }
        append(&mut input, &datagram);
    }
    input
}

fn append(input: &mut Vec<u8>, datagram: &[u8]) {
    input.extend((datagram.len() as u16).to_le_bytes());
    input.extend(datagram);
}

pub(super) fn command(channel: u8, sequence: u32, body: Body<'static>) -> Command<'static> {
    let flags = match body {
        Body::Unreliable { .. } | Body::UnreliableFragment(_) => Flags::NONE,
        Body::Unsequenced { .. } => Flags::UNSEQUENCED,
        _ => Flags::ACKNOWLEDGE,
    };
    Command { flags, channel, sequence: sequence as u16, body }
}

pub(super) fn reliable(channel: u8, sequence: u32) -> Command<'static> {
    command(channel, sequence, Body::Reliable { payload: b"a" })
}

fn fragment(start: u32, count: u32, number: u32) -> Fragment<'static> {
    Fragment { start: start as u16, count, number, total: count, offset: number, payload: b"a" }
}

pub(super) fn shapes() -> Vec<Shape> {
    let commands = |name, command: fn(u32) -> Command<'static>| {
        shape(name, move |size| datagrams(size, command))
    };
    vec![
        commands("in order", |n| reliable(0, n + 1)),
        commands("the same again", |_| reliable(0, 1)),
        commands("always one too early", |n| reliable(0, if n == 0 { 1 } else { n + 2 })),
        commands("from the end", |n| reliable(0, if n == 0 { 1 } else { 30_000 - n })),
        // Each packet is inserted between packets that already wait.
        commands("from both ends", |n| {
            let side = if n % 2 == 0 { 100 + n } else { 30_000 - n };
            reliable(0, if n == 0 { 1 } else { side })
        }),
        commands("connections", |n| {
            let connect = Connect { connect_id: n, ..Connect::default() };
            command(255, 1, Body::Connect(connect))
        }),
        commands("connections and the last channel", |n| match n % 2 {
            0 => command(255, 1, Body::Connect(Connect { connect_id: n, ..Connect::default() })),
            _ => reliable(254, 5),
        }),
        commands("fragments of a byte", |n| {
            command(0, n + 1, Body::Fragment(fragment(1, 60_000, n)))
        }),
        commands("fragments of a byte, from the end", |n| {
            command(0, 30_000 - n, Body::Fragment(fragment(1, 30_000, 29_999 - n)))
        }),
        commands("first fragments", |n| command(0, n + 1, Body::Fragment(fragment(n + 1, 9, 0)))),
        commands("unreliable fragments", |n| {
            command(0, 0, Body::UnreliableFragment(fragment(1, 60_000, n)))
        }),
        commands("unreliable fragments, from the end", |n| {
            command(0, 0, Body::UnreliableFragment(fragment(1, 60_000, 59_999 - n)))
        }),
        commands("unreliable packets that stay incomplete", |n| {
            command(0, 0, Body::UnreliableFragment(fragment(n + 1, 2, 0)))
        }),
        commands("unreliable packets that wait", |n| {
            let number = n as u16;
            match n {
                0 => reliable(0, 1),
                _ => command(0, 5, Body::Unreliable { number, payload: b"a" }),
            }
        }),
        commands("unreliable packets that wait, and what they wait for", |n| {
            let number = n as u16;
            match n % 3 {
                0 => reliable(0, n / 3 + 1),
                _ => command(0, n / 3 + 2, Body::UnreliableFragment(fragment(number.into(), 2, 0))),
            }
        }),
        commands("unsequenced", |n| {
            command(0, 0, Body::Unsequenced { group: (n * 7) as u16, payload: b"a" })
        }),
    ]
}

/// Decompresses all datagrams.
fn decompress(mode: CompressionMode, mut input: &[u8]) {
    CODEC.with_borrow_mut(|codec| {
        while let Some((len, rest)) = input.split_first_chunk() {
            let (datagram, rest) = rest.split_at(usize::from(u16::from_le_bytes(*len)));
            let datagram = Datagram::parse(datagram).unwrap();
            consume(codec.decompress(mode, datagram.body, 2).map(<[u8]>::len));
            input = rest;
        }
    });
}

fn codec() -> Family {
    // The bound is the memory of the codec's tables, whose size does not depend on the input.
    let entry = |name, run| {
        let memory = Memory::PerByte(0, 1 << 20);
        Entry { memory, ..without_allocation(name, run) }
    };
    let entries = vec![
        entry("range coder", |input| decompress(CompressionMode::RangeCoder, input)),
        entry("FastLZ", |input| decompress(CompressionMode::FastLz, input)),
        entry("zlib", |input| decompress(CompressionMode::Zlib, input)),
        entry("Zstandard", |input| decompress(CompressionMode::Zstd, input)),
        entry("detection", |input| feed_all(input, LOW_LIMITS)),
    ];
    let datagrams = |size, body: &[u8]| {
        let datagram = [&[0x40, 0][..], body].concat();
        let mut input = Vec::new();
        while input.len() < size {
            append(&mut input, &datagram);
        }
        input
    };
    let coded_in = move |mode, name, plain: fn(usize) -> u8| {
        shape(name, move |size| {
            let plain: Vec<u8> = (0..4090).map(plain).collect();
            datagrams(size, DatagramCodec::new().compress(mode, &plain).unwrap().unwrap())
        })
    };
    let coded = move |name, plain: fn(usize) -> u8| {
        shape(name, move |size| {
            let plain: Vec<u8> = (0..4090).map(plain).collect();
            let mut memory = [0; 8192];
            datagrams(size, RangeCoder::new().encode(&plain, &mut memory).unwrap())
        })
    };
    let shapes = vec![
        coded_in(CompressionMode::FastLz, "zeros in FastLZ", |_| 0),
        coded_in(CompressionMode::Zlib, "zeros in zlib", |_| 0),
        coded_in(CompressionMode::Zlib, "two values in zlib", |n| (n * n % 7 % 2) as u8),
        coded_in(CompressionMode::Zstd, "zeros in Zstandard", |_| 0),
        coded_in(CompressionMode::Zstd, "two values in Zstandard", |n| (n * n % 7 % 2) as u8),
        coded("nothing but zeros", |_| 0),
        coded("two values in turns", |n| (n % 2) as u8),
        coded("all values in turns", |n| n as u8),
        coded("all pairs", |n| (if n % 2 == 0 { n / 2 } else { n / 512 }) as u8),
        shape("what ends at once", move |size| datagrams(size, &[0])),
        shape("what no encoder writes", move |size| datagrams(size, &[0xFF; 60])),
        // Each body declares a window of 8 MiB, and contains a block of one byte.
        shape("large windows of Zstandard", move |size| {
            datagrams(size, b"\x28\xb5\x2f\xfd\x00\x68\x09\x00\x00a")
        }),
    ];
    // The limit is high because a datagram of 17 bytes can decode to 4,090 bytes, at about 700
    // instructions per decoded byte.
    Family { entries, shapes, max_instructions_per_byte: 200_000.0, small_input: SMALL_INPUT }
}

#[test]
fn codec_work() {
    codec().assert_work("net::enet::codec_work");
}

#[test]
fn codec_memory() {
    codec().assert_memory();
}
