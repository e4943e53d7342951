//! Bounds of TCP, WebSockets and frames, fed in pieces.

use crate::measure::{Entry, Family, Memory, SMALL, Shape, plain, see, shape};
use bytes::BytesMut;
use gamewire::godot::debugger::{self, godot3};
use gamewire::godot::frame::{FrameCodec, Framer, Frames, Framing};
use gamewire::transport::tcp::{Event, Flags, Segment, Stream};
use gamewire::transport::websocket::{self, Decoder, Kind};
use std::hint::black_box;
use tokio_util::codec::Decoder as _;

fn tcp() -> Family {
    // Twice 256 KiB plus half of it during growth, and 256 runs of 16 bytes.
    let memory = Memory::Each(0, (768 << 10) + (8 << 10));
    let entries = vec![Entry { memory, ..plain("tcp::Stream", fed) }];
    let shapes = vec![
        shape("a byte at a time", |size| segments(size, |n| (n, 0, 1))),
        shape("nothing at a time", |size| segments(size, |n| (n, 0, 0))),
        shape("from the end", |size| segments(size, |n| (200_000 - n, 0, 1))),
        shape("every other byte", |size| segments(size, |n| (2 * n + 10, 0, 1))),
        shape("every other byte, from the end", |size| segments(size, |n| (200_000 - 2 * n, 0, 1))),
        shape("always further away", |size| segments(size, |n| (n << 17, 0, 1))),
        shape("more and more of the same", |size| segments(size, |n| (10, 0, n % 60))),
        shape("far away", |size| segments(size, |n| (n << 26, 0, 1))),
        shape("beginnings", |size| segments(size, |n| (n << 8, Flags::SYN, 1))),
        shape("an end before all", |size| {
            segments(size, |n| (200_000 - n, if n == 0 { Flags::FIN } else { 0 }, 1))
        }),
    ];
    Family { entries, shapes, most: 1_000.0, small: 8 * SMALL }
}

#[test]
fn tcp_work() {
    tcp().work("net::streams::tcp_work");
}

#[test]
fn tcp_memory() {
    tcp().assert_memory();
}

/// Segments after a first one: number, flags and length of each. A header counts as 20 bytes of
/// input.
fn segments(size: usize, each: impl Fn(u32) -> (u32, u8, u32)) -> Vec<u8> {
    let mut input = vec![0; 6];
    for number in 0.. {
        if input.len() >= size {
            break;
        }
        let (sequence, flags, len) = each(number);
        input.extend(sequence.to_le_bytes());
        input.extend([flags, len as u8]);
        input.extend(vec![7; 14 + len as usize]);
    }
    input
}

fn fed(mut input: &[u8]) {
    let mut stream = Stream::new();
    let mut seen = 0;
    let mut hear = |event: Event<'_>| {
        if let Event::Bytes(bytes) = event {
            seen += bytes.len();
        }
    };
    while let Some(([a, b, c, d, flags, len], rest)) = input.split_first_chunk() {
        let (sequence, len) = (u32::from_le_bytes([*a, *b, *c, *d]), usize::from(*len));
        let flags = Flags(*flags);
        let rest = rest.get(14..).unwrap_or_default();
        let (payload, rest) = rest.split_at(len.min(rest.len()));
        stream.feed(Segment { sequence, flags, payload, acknowledgement: 0 }, &mut hear);
        input = rest;
    }
    stream.flush(&mut hear);
    black_box(seen);
}

fn websocket() -> Family {
    // At most 8 MiB of a message, and at most the bytes that have arrived.
    let memory = Memory::Each(2, 32 << 10);
    let in_pieces = |name, run| Entry { memory, ..plain(name, run) };
    let entries = vec![
        in_pieces("websocket::Decoder", |bytes| decoded(bytes, usize::MAX)),
        in_pieces("websocket::Decoder, byte by byte", |bytes| decoded(bytes, 1)),
    ];
    let behind = |name, frame: fn() -> Vec<u8>| {
        shape(name, move |size| {
            let frame = frame();
            [HEAD.to_vec(), frame.repeat(size / frame.len())].concat()
        })
    };
    let shapes = vec![
        behind("empty messages", || vec![0x82, 0]),
        behind("empty messages, masked", || vec![0x82, 0x80, 1, 2, 3, 4]),
        behind("pings", || vec![0x89, 0]),
        behind("messages of a byte", || message(1)),
        behind("messages of a KiB", || message(1 << 10)),
        shape("fragments of a byte", |size| continued(size, &[0x00, 0x81, 1, 2, 3, 4, 5])),
        shape("fragments of nothing", |size| continued(size, &[0x00, 0])),
        shape("one message", |size| [HEAD, &message(size)].concat()),
        shape("a length too high", |size| {
            [HEAD, &[0x82, 127, 0, 0, 0, 0, 0, 0x7F, 0, 0], &vec![0; size]].concat()
        }),
        shape("a head without an end", |size| [b"GET ", &vec![b'a'; size][..]].concat()),
        shape("a head of many fields", |size| [&HEAD[..16], &b"a:\r\n".repeat(size / 4)].concat()),
        shape("a head of returns", |size| [&HEAD[..16], &b"\r".repeat(size)].concat()),
    ];
    Family { entries, shapes, most: 5_000.0, small: SMALL }
}

#[test]
fn websocket_work() {
    websocket().work("net::streams::websocket_work");
}

#[test]
fn websocket_memory() {
    websocket().assert_memory();
}

const HEAD: &[u8] = b"GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n";

fn message(len: usize) -> Vec<u8> {
    let mut frame = Vec::new();
    websocket::write(&mut frame, Kind::Binary, &vec![7; len], Some([1, 2, 3, 4])).unwrap();
    frame
}

fn continued(size: usize, frame: &[u8]) -> Vec<u8> {
    [HEAD, &[0x02, 0], &frame.repeat(size / frame.len()), &[0x80, 0]].concat()
}

fn decoded(bytes: &[u8], piece: usize) {
    let mut decoder = Decoder::new();
    let mut events = 0;
    for piece in bytes.chunks(piece) {
        if decoder.feed(piece, |_| events += 1).is_err() {
            break;
        }
    }
    black_box(events);
}

fn frames() -> Family {
    let split = |name, run| Entry { memory: Memory::Each(3, 256), ..plain(name, run) };
    let entries = vec![
        plain("Frames", |bytes| {
            black_box(Frames::new(bytes).count());
        }),
        plain("debugger::Message", |bytes| {
            Frames::new(bytes).flatten().for_each(|frame| debugged(frame.bytes));
        }),
        plain("debugger::godot3::Messages", |bytes| {
            let mut messages = godot3::Messages::new();
            Frames::new(bytes).flatten().for_each(|frame| see(messages.feed(frame.bytes)));
        }),
        split("Framer, byte by byte", |bytes| framed(bytes, 1)),
        split("Framer", |bytes| framed(bytes, usize::MAX)),
        Entry {
            // The buffer is tokio's and as long as the bytes that have arrived.
            memory: Memory::Each(6, 64 << 10),
            ..plain("FrameCodec", |bytes| {
                let (mut codec, mut stream) =
                    (FrameCodec::new(Framing::default()), BytesMut::new());
                for piece in bytes.chunks(3) {
                    stream.extend_from_slice(piece);
                    while let Ok(Some(frame)) = codec.decode(&mut stream) {
                        see(frame);
                    }
                }
            })
        },
    ];
    Family { entries, shapes: framings(), most: 5_000.0, small: SMALL }
}

fn framings() -> Vec<Shape> {
    let framed = |frame: &[u8]| [&(frame.len() as u32).to_le_bytes()[..], frame].concat();
    let message = |items: usize| {
        let words: &[u32] = &[28, 3, 4, 1, u32::from(b'a'), 2, 7, 28, items as u32];
        let words = words.iter().chain([0].iter().cycle().take(items));
        words.flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>()
    };
    vec![
        shape("empty frames", move |size| framed(&[]).repeat(size / 4)),
        shape("frames of a null", move |size| framed(&[0; 4]).repeat(size / 8)),
        shape("one frame", move |size| framed(&vec![0; size])),
        shape("a length too high", move |size| [&[255; 4], &vec![0; size][..]].concat()),
        shape("a length not there", move |size| [&[255, 255, 255, 0], &vec![0; size][..]].concat()),
        shape("a message of many items", move |size| framed(&message(size / 4))),
        shape("messages without items", move |size| {
            let message = framed(&message(0));
            message.repeat(size / message.len())
        }),
    ]
}

#[test]
fn frames_work() {
    frames().work("net::streams::frames_work");
}

#[test]
fn frames_memory() {
    frames().assert_memory();
}

fn framed(bytes: &[u8], piece: usize) {
    let mut framer = Framer::new(Framing::default());
    let mut sum = 0;
    for mut piece in bytes.chunks(piece) {
        while let Ok(Some(frame)) = framer.next(&mut piece) {
            sum += frame.bytes.len();
        }
    }
    black_box(sum);
}

fn debugged(frame: &[u8]) {
    if let Ok(message) = debugger::Message::parse(frame) {
        see(message.body().is_ok());
    }
}
