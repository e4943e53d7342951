//! Tests the bounds of TCP streams, WebSockets and frames that are fed in pieces.

use crate::measure::{
    Entry, Family, Memory, SMALL_INPUT, Shape, consume, shape, without_allocation,
};
use bytes::BytesMut;
use gamewire::godot::debugger::{self, godot3};
use gamewire::godot::frame::{FrameCodec, Framer, Frames, Framing};
use gamewire::transport::tcp::{Event, Flags, Segment, Stream};
use gamewire::transport::websocket::host::{Config, Connection};
use gamewire::transport::websocket::{self, Decoder, Kind};
use std::hint::black_box;
use tokio_util::codec::Decoder as _;

fn tcp() -> Family {
    // The stream needs up to three times the window of 256 KiB while the window grows, and up to
    // twice the size of 256 runs of 16 bytes.
    let memory = Memory::PerByte(0, (768 << 10) + (8 << 10));
    let entries = vec![Entry { memory, ..without_allocation("tcp::Stream", feed_segments) }];
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
    Family { entries, shapes, max_instructions_per_byte: 1_000.0, small_input: 8 * SMALL_INPUT }
}

#[test]
fn tcp_work() {
    tcp().assert_work("net::streams::tcp_work");
}

#[test]
fn tcp_memory() {
    tcp().assert_memory();
}

/// Returns an empty segment, and then segments with the sequence number, flags and length that
/// `each` returns. A segment takes 20 bytes of input in addition to its payload.
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

fn feed_segments(mut input: &[u8]) {
    let mut stream = Stream::new();
    let mut received = 0;
    let mut on_event = |event: Event<'_>| {
        if let Event::Bytes(bytes) = event {
            received += bytes.len();
        }
    };
    while let Some(([a, b, c, d, flags, len], rest)) = input.split_first_chunk() {
        let (sequence, len) = (u32::from_le_bytes([*a, *b, *c, *d]), usize::from(*len));
        let flags = Flags(*flags);
        let rest = rest.get(14..).unwrap_or_default();
        let (payload, rest) = rest.split_at(len.min(rest.len()));
        stream.feed(Segment { sequence, flags, payload, acknowledgement: 0 }, &mut on_event);
        input = rest;
    }
    stream.flush(&mut on_event);
    black_box(received);
}

fn websocket() -> Family {
    // The buffer of a message grows with the bytes that have arrived, up to 8 MiB.
    let memory = Memory::PerByte(2, 32 << 10);
    let in_pieces = |name, run| Entry { memory, ..without_allocation(name, run) };
    let entries = vec![
        in_pieces("websocket::Decoder", |bytes| decode_in_pieces(bytes, usize::MAX)),
        in_pieces("websocket::Decoder, byte by byte", |bytes| decode_in_pieces(bytes, 1)),
        // A message and the output are limited to 64 KiB each.
        Entry {
            memory: Memory::PerByte(0, 160 << 10),
            ..without_allocation("websocket::Connection", serve)
        },
    ];
    let after_head = |name, frame: fn() -> Vec<u8>| {
        shape(name, move |size| {
            let frame = frame();
            [UPGRADE_REQUEST.to_vec(), frame.repeat(size / frame.len())].concat()
        })
    };
    let shapes = vec![
        after_head("empty messages", || vec![0x82, 0]),
        after_head("empty messages, masked", || vec![0x82, 0x80, 1, 2, 3, 4]),
        after_head("pings", || vec![0x89, 0]),
        after_head("pings, masked", || vec![0x89, 0x80, 1, 2, 3, 4]),
        after_head("messages of a byte", || message(1)),
        after_head("messages of a KiB", || message(1 << 10)),
        shape("fragments of a byte", |size| fragmented(size, &[0x00, 0x81, 1, 2, 3, 4, 5])),
        shape("fragments of nothing", |size| fragmented(size, &[0x00, 0])),
        shape("one message", |size| [UPGRADE_REQUEST, &message(size)].concat()),
        shape("a length too high", |size| {
            [UPGRADE_REQUEST, &[0x82, 127, 0, 0, 0, 0, 0, 0x7F, 0, 0], &vec![0; size]].concat()
        }),
        shape("a head without an end", |size| [b"GET ", &vec![b'a'; size][..]].concat()),
        shape("a head of many fields", |size| {
            [&UPGRADE_REQUEST[..16], &b"a:\r\n".repeat(size / 4)].concat()
        }),
        shape("a head of returns", |size| [&UPGRADE_REQUEST[..16], &b"\r".repeat(size)].concat()),
    ];
    Family { entries, shapes, max_instructions_per_byte: 5_000.0, small_input: SMALL_INPUT }
}

#[test]
fn websocket_work() {
    websocket().assert_work("net::streams::websocket_work");
}

#[test]
fn websocket_memory() {
    websocket().assert_memory();
}

const UPGRADE_REQUEST: &[u8] = b"GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
    Host: a\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

fn message(len: usize) -> Vec<u8> {
    let mut frame = Vec::new();
    websocket::write(&mut frame, Kind::Binary, &vec![7; len], Some([1, 2, 3, 4])).unwrap();
    frame
}

fn fragmented(size: usize, frame: &[u8]) -> Vec<u8> {
    [UPGRADE_REQUEST, &[0x02, 0], &frame.repeat(size / frame.len()), &[0x80, 0]].concat()
}

fn decode_in_pieces(bytes: &[u8], piece: usize) {
    let mut decoder = Decoder::new();
    let mut events = 0;
    for piece in bytes.chunks(piece) {
        if decoder.feed(piece, |_| events += 1).is_err() {
            break;
        }
    }
    black_box(events);
}

/// Receives a client's bytes in pieces, and never sends the answers, so that the output fills.
fn serve(bytes: &[u8]) {
    let mut connection = Connection::server(Config::default(), 0);
    let mut events = 0;
    for piece in bytes.chunks(1000) {
        connection.receive(0, piece, |_| events += 1);
    }
    black_box(events);
}

fn frames() -> Family {
    let in_pieces =
        |name, run| Entry { memory: Memory::PerByte(3, 256), ..without_allocation(name, run) };
    let entries = vec![
        without_allocation("Frames", |bytes| {
            black_box(Frames::new(bytes).count());
        }),
        without_allocation("debugger::Message", |bytes| {
            Frames::new(bytes).flatten().for_each(|frame| parse_debugger_message(frame.bytes));
        }),
        without_allocation("debugger::godot3::Messages", |bytes| {
            let mut messages = godot3::Messages::new();
            Frames::new(bytes).flatten().for_each(|frame| consume(messages.feed(frame.bytes)));
        }),
        in_pieces("Framer, byte by byte", |bytes| frame_in_pieces(bytes, 1)),
        in_pieces("Framer", |bytes| frame_in_pieces(bytes, usize::MAX)),
        Entry {
            // The buffer of the stream grows with the bytes that have arrived.
            memory: Memory::PerByte(6, 64 << 10),
            ..without_allocation("FrameCodec", |bytes| {
                let (mut codec, mut stream) =
                    (FrameCodec::new(Framing::default()), BytesMut::new());
                for piece in bytes.chunks(3) {
                    stream.extend_from_slice(piece);
                    while let Ok(Some(frame)) = codec.decode(&mut stream) {
                        consume(frame);
                    }
                }
            })
        },
    ];
    Family {
        entries,
        shapes: framings(),
        max_instructions_per_byte: 5_000.0,
        small_input: SMALL_INPUT,
    }
}

fn framings() -> Vec<Shape> {
    let with_length = |frame: &[u8]| [&(frame.len() as u32).to_le_bytes()[..], frame].concat();
    let message = |items: usize| {
        let words: &[u32] = &[28, 3, 4, 1, u32::from(b'a'), 2, 7, 28, items as u32];
        let words = words.iter().chain([0].iter().cycle().take(items));
        words.flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>()
    };
    vec![
        shape("empty frames", move |size| with_length(&[]).repeat(size / 4)),
        shape("frames of a null", move |size| with_length(&[0; 4]).repeat(size / 8)),
        shape("one frame", move |size| with_length(&vec![0; size])),
        shape("a length too high", move |size| [&[255; 4], &vec![0; size][..]].concat()),
        shape("a length not there", move |size| [&[255, 255, 255, 0], &vec![0; size][..]].concat()),
        shape("a message of many items", move |size| with_length(&message(size / 4))),
        shape("messages without items", move |size| {
            let message = with_length(&message(0));
            message.repeat(size / message.len())
        }),
    ]
}

#[test]
fn frames_work() {
    frames().assert_work("net::streams::frames_work");
}

#[test]
fn frames_memory() {
    frames().assert_memory();
}

fn frame_in_pieces(bytes: &[u8], piece: usize) {
    let mut framer = Framer::new(Framing::default());
    let mut sum = 0;
    for mut piece in bytes.chunks(piece) {
        while let Ok(Some(frame)) = framer.next(&mut piece) {
            sum += frame.bytes.len();
        }
    }
    black_box(sum);
}

fn parse_debugger_message(frame: &[u8]) {
    if let Ok(message) = debugger::Message::parse(frame) {
        consume(message.body().is_ok());
    }
}
