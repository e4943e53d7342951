//! Tests captures of games that send text, or that use a protocol of their own. Each byte of each
//! stream must be in a record.

use crate::laws;
use crate::support::corpus;
use gamewire::capture::{Reader, Transport};
use gamewire::traffic::{Content, Conversations, Options, Record};
use gamewire::transport::tcp::Flags;
use std::collections::BTreeMap;
use std::net::SocketAddr;

const NAMES: [&str; 3] = ["tcp_be", "tcp_mixed", "ws_raw"];

fn capture(name: &str) -> Vec<u8> {
    corpus::read(&format!("captures-2/{name}.pcap"))
}

#[test]
fn captures_satisfy_the_laws() {
    for name in NAMES {
        laws::conversation(&[&[0xE0][..], &capture(name)].concat());
    }
}

/// Returns the bytes that each sender in a capture has sent, in the order of their sequence
/// numbers. The sequence numbers do not wrap around in these captures.
fn streams(capture: &[u8]) -> BTreeMap<SocketAddr, Vec<u8>> {
    let mut streams = BTreeMap::<_, (u32, Vec<u8>)>::new();
    let mut reader = Reader::new(capture);
    while let Some(packet) = reader.next_packet().unwrap() {
        let segment = packet.segment().unwrap();
        let Transport::Tcp(tcp) = segment.transport else { panic!("not TCP") };
        let (first, bytes) = streams.entry(segment.source).or_default();
        if tcp.flags.has(Flags::SYN) {
            *first = tcp.sequence + 1;
        } else if !tcp.payload.is_empty() {
            let start = (tcp.sequence - *first) as usize;
            bytes.resize(bytes.len().max(start + tcp.payload.len()), 0);
            bytes[start..][..tcp.payload.len()].copy_from_slice(tcp.payload);
        }
    }
    streams.into_iter().map(|(source, (_, bytes))| (source, bytes)).collect()
}

fn each_record(capture: &[u8], each: &mut impl FnMut(&Record<'_>)) {
    let mut reader = Reader::new(capture);
    let mut conversations = Conversations::new(Options::default());
    while let Some(packet) = reader.next_packet().unwrap() {
        conversations.segment(packet.time, &packet.segment().unwrap(), &mut *each);
    }
    conversations.finish(&mut *each);
    assert_eq!(conversations.other_protocols().bytes, 0);
}

/// In a stream that is not a WebSocket, the bytes of all records, one after the other, are the
/// bytes of the stream. The record of a value does not include the 4-byte length that precedes the
/// value.
#[test]
fn records_of_a_stream_are_its_bytes() {
    for name in ["tcp_be", "tcp_mixed"] {
        let capture = capture(name);
        let streams = streams(&capture);
        let mut reported = BTreeMap::<_, Vec<u8>>::new();
        each_record(&capture, &mut |record| {
            let stream = &streams[&record.source];
            let bytes = reported.entry(record.source).or_default();
            match record.content {
                Content::Value(_) => {
                    let length = &stream[bytes.len()..][..4];
                    let swapped = name == "tcp_be";
                    let len = record.bytes.len() as u32;
                    let expected = if swapped { len.to_be_bytes() } else { len.to_le_bytes() };
                    assert_eq!(length, expected);
                    bytes.extend(length);
                }
                Content::Bytes { offset } => assert_eq!(offset, Some(bytes.len() as u64)),
                ref other => panic!("{other:?}"),
            }
            bytes.extend(record.bytes);
        });
        let streams = streams.into_iter().filter(|(_, bytes)| !bytes.is_empty());
        assert!(streams.eq(reported), "{name}");
    }
}

/// The records of a WebSocket contain the same payloads as the messages that a slow decoder finds.
#[test]
fn records_of_a_websocket_are_its_messages() {
    let capture = capture("ws_raw");
    let mut reported = BTreeMap::<_, Vec<Vec<u8>>>::new();
    each_record(&capture, &mut |record| match record.content {
        Content::Value(bytes) => reported.entry(record.source).or_default().push(bytes.into()),
        Content::Text(text) => reported.entry(record.source).or_default().push(text.into()),
        Content::Control(_) => {}
        ref other => panic!("{other:?}"),
    });
    let expected: BTreeMap<_, _> = streams(&capture)
        .into_iter()
        .map(|(source, bytes)| (source, messages(&bytes)))
        .filter(|(_, messages)| !messages.is_empty())
        .collect();
    assert_eq!(reported, expected);
}

/// Returns the payloads of the text frames and binary frames in a stream. In these captures, no
/// message is split into several frames.
fn messages(stream: &[u8]) -> Vec<Vec<u8>> {
    let head = stream.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
    let (mut rest, mut messages) = (&stream[head..], Vec::new());
    while let [first, second, ..] = *rest {
        rest = &rest[2..];
        let mut take = |count: usize| {
            let (taken, after) = rest.split_at(count);
            rest = after;
            taken.to_vec()
        };
        let size = match second & 0x7F {
            126 => take(2),
            127 => take(8),
            size => vec![size],
        };
        let len = size.iter().fold(0, |len, byte| len << 8 | usize::from(*byte));
        let mask = if second & 0x80 == 0 { vec![0; 4] } else { take(4) };
        let payload = take(len);
        if matches!(first & 15, 1 | 2) {
            messages.push(payload.iter().zip(mask.iter().cycle()).map(|(a, b)| a ^ b).collect());
        }
    }
    messages
}
