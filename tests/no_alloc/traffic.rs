//! Asserts that decoding captures to packets, and writing replies, does not allocate once all
//! buffers have grown.

#[path = "../../examples/udp_server.rs"]
#[allow(dead_code)] // only `answer` is used
mod udp_server;

use crate::counting::{held, without_allocating};
use crate::support::corpus;
use crate::support::net::captures::{self, NAMES, ORDERS, OTHER_COMPRESSIONS, Packet, Pcap};
use gamewire::capture::{self, LinkType, Reader};
use gamewire::godot::Reader as Values;
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Content, Conversations, Ledger, Record};
use gamewire::transport::enet::{Body, CompressionMode, Datagram, DatagramCodec};
use std::collections::BTreeMap;

/// Offsets in a captured packet, which begins with Ethernet and IPv4 headers without options.
const PORTS: usize = 14 + 20;
const SEQUENCE: usize = PORTS + 4;
const UDP_PAYLOAD: usize = PORTS + 8;

/// Feeds all packets of a capture, and then feeds the same conversation twice more, between the
/// same addresses.
#[test]
fn conversations_do_not_allocate_after_warm_up() {
    for name in NAMES.into_iter().chain(OTHER_COMPRESSIONS) {
        let rounds =
            if captures::payloads(name)[0].is_tcp { tcp_rounds(name) } else { udp_rounds(name) };
        let file = captures::pcap(&rounds.concat(), Pcap::Micros, ORDERS[0]);
        let mut reader = Reader::new(&file[..]);
        let (mut conversations, mut ledger) = (Conversations::default(), Ledger::default());
        let names = MethodNames::default();
        let mut feed_round = |count| {
            let mut packets = 0;
            for _ in 0..count {
                let packet = reader.next_packet().unwrap().unwrap();
                let segment = packet.segment();
                ledger.packet(&packet, &segment.map(Some), conversations.breakdown());
                let mut listener = |record: &Record<'_>| {
                    ledger.record(record, &names);
                    packets += usize::from(is_packet(record));
                };
                conversations.segment(packet.time, &segment.unwrap(), &mut listener);
            }
            packets
        };
        let first = feed_round(rounds[0].len());
        let second = without_allocating(name, || feed_round(rounds[1].len()));
        let third = without_allocating(name, || feed_round(rounds[2].len()));
        assert!(second >= 40, "{name}: {second} packets");
        assert_eq!((second, third), (first, first), "{name}");
    }
}

/// Returns `true` unless the record only reports a control message of the transport. Panics if the
/// record is malformed.
fn is_packet(record: &Record<'_>) -> bool {
    assert!(!matches!(record.content, Content::Malformed { .. }), "{record:?}");
    !matches!(record.content, Content::Control(_))
}

/// Returns the packets of a capture three times, each time with different connection ids, so that
/// each round opens a new connection. Compressed datagrams are decompressed, changed and compressed
/// again. The packets of the capture `udp`, which is not ENet, are not changed.
fn udp_rounds(name: &str) -> [Vec<Packet>; 3] {
    let mode = match name {
        "enet_fastlz" | "godot3_enet_objects" => CompressionMode::FastLz,
        "enet_zstd" => CompressionMode::Zstd,
        "enet_zlib" => CompressionMode::Zlib,
        _ => CompressionMode::RangeCoder,
    };
    let mut codec = DatagramCodec::new();
    let packets = captures::packets(name);
    [0, 1, 2].map(|round| {
        let of_round = |packet: &Packet| match name {
            "udp" => packet.clone(), // not ENet
            _ => with_payload(
                packet,
                &with_offset_connection_id(&packet.data[UDP_PAYLOAD..], round, mode, &mut codec),
            ),
        };
        packets.iter().map(of_round).collect()
    })
}

/// Returns the datagram with `id_offset` added to the connection id.
fn with_offset_connection_id(
    payload: &[u8],
    id_offset: u32,
    mode: CompressionMode,
    codec: &mut DatagramCodec,
) -> Vec<u8> {
    let datagram = Datagram::parse(payload).unwrap();
    let head = datagram.header_len();
    let plain = match datagram.compressed {
        true => codec.decompress(mode, datagram.body, head).unwrap().to_vec(),
        false => datagram.body.to_vec(),
    };
    let mut body = Vec::new();
    for command in (Datagram { body: &plain, compressed: false, ..datagram }).commands() {
        let mut command = command.unwrap();
        match &mut command.body {
            Body::Connect(connect) => {
                connect.connect_id = connect.connect_id.wrapping_add(id_offset)
            }
            Body::VerifyConnect(answer) => {
                answer.connect_id = answer.connect_id.wrapping_add(id_offset)
            }
            _ => {}
        }
        command.write(&mut body).unwrap();
    }
    // Bodies without a connection id are not changed, so their datagram is returned as it is.
    // Compressing them again might not make them shorter.
    if datagram.compressed && body == plain {
        return payload.to_vec();
    }
    if datagram.compressed {
        body = codec
            .compress(mode, &body)
            .unwrap()
            .expect("compression makes the commands shorter")
            .to_vec();
    }
    [&payload[..head], &body].concat()
}

fn with_payload(packet: &Packet, payload: &[u8]) -> Packet {
    let mut data = [&packet.data[..UDP_PAYLOAD], payload].concat();
    let lengths = [(16, data.len() - 14), (PORTS + 4, data.len() - PORTS)];
    for (at, len) in lengths {
        data[at..at + 2].copy_from_slice(&(len as u16).to_be_bytes());
    }
    Packet { original_len: data.len() as u32, data, ..packet.clone() }
}

/// Returns the segments of a capture that have a payload, three times. All rounds belong to the
/// same connection, and the sequence numbers continue from round to round. The first round starts
/// with the handshake.
fn tcp_rounds(name: &str) -> [Vec<Packet>; 3] {
    let mut packets = captures::packets(name);
    let payloads = captures::payloads(name);
    // The number of packets in the TCP handshake. For a WebSocket, it includes the WebSocket
    // handshake and the message with the client's id.
    let handshake_len = if name == "ws" { 10 } else { 2 };
    let content = packets.split_off(handshake_len).into_iter().zip(&payloads[handshake_len..]);
    let content: Vec<_> = content
        .map(|(packet, payload)| (packet, payload.bytes.len() as u32))
        .filter(|(_, len)| *len > 0)
        .collect();
    // The range of sequence numbers of each side. Some segments are retransmitted.
    let mut sides = BTreeMap::new();
    for (packet, len) in &content {
        let first = sequence(packet);
        let (start, end) = sides.entry(port(packet)).or_insert((first, first));
        *end = first.wrapping_add(*len).max(*end);
        assert!(*start < *end, "wraps around");
    }
    [0, 1, 2].map(|round| {
        let of_round = |(packet, _): &(Packet, u32)| {
            let (mut packet, (start, end)) = (packet.clone(), sides[&port(packet)]);
            let sequence = sequence(&packet).wrapping_add((end - start) * round);
            packet.data[SEQUENCE..SEQUENCE + 4].copy_from_slice(&sequence.to_be_bytes());
            packet
        };
        let handshake = if round == 0 { &packets[..] } else { &[] };
        handshake.iter().cloned().chain(content.iter().map(of_round)).collect()
    })
}

fn port(packet: &Packet) -> [u8; 2] {
    packet.data[PORTS..PORTS + 2].try_into().unwrap()
}

fn sequence(packet: &Packet) -> u32 {
    u32::from_be_bytes(packet.data[SEQUENCE..SEQUENCE + 4].try_into().unwrap())
}

/// Checks that the memory that `Conversations` reports is close to the memory that it has
/// allocated, not including its initial tables.
#[test]
fn memory_use_is_reported() {
    for name in NAMES {
        let packets = captures::packets(name);
        let before = held();
        let mut conversations = Conversations::default();
        let tables = held() - before;
        assert_eq!(conversations.memory(), 0);
        for packet in &packets {
            let segment = capture::segment(LinkType(packet.link_type), &packet.data).unwrap();
            conversations.segment(None, &segment, &mut |_| ());
            let (held, reported) = (held() - before - tables, conversations.memory() as isize);
            assert!(
                (reported - held).abs() < 100 + held / 20,
                "{name}: {reported} reported, {held} held"
            );
        }
    }
}

/// The server of the example `udp_server` answers every packet of the corpus without allocating.
#[test]
fn udp_server_does_not_allocate() {
    let mut memory = [0; 1024];
    for (folder, dialect) in corpus::WRITTEN.into_iter().chain([corpus::HOSTILE]) {
        for (name, packet) in corpus::packets(folder) {
            let answered = without_allocating(&name, || {
                udp_server::answer(&packet, dialect, &mut memory).unwrap()
            });
            let answer = Values::new(&memory[..answered], dialect).read().unwrap();
            assert_eq!(answer.as_array().unwrap().len(), 2);
        }
    }
}
