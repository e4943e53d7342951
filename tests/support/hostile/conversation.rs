//! Floods of packets. A header of [`HEADER_LEN`] bytes precedes each packet.

use super::{Shape, shape};
use gamewire::transport::enet::{self, Body, Command, Flags, Fragment};
use gamewire::transport::tcp::Flags as TcpFlags;

/// Length of the header before each payload in the input. The header contains the client, the
/// protocol, the direction, the TCP flags, the sequence number and the length of the payload, and
/// is as long as the headers in a capture.
pub const HEADER_LEN: usize = 42;

pub struct Packet {
    client: u32,
    tcp: Option<(u8, u32)>,
    by_server: bool,
    payload: Vec<u8>,
}

pub fn udp(client: u32, payload: Vec<u8>) -> Packet {
    Packet { client, tcp: None, by_server: false, payload }
}

fn tcp(client: u32, sequence: u32, payload: &[u8]) -> Packet {
    Packet {
        client,
        tcp: Some((TcpFlags::ACK, sequence)),
        by_server: false,
        payload: payload.into(),
    }
}

fn packets(size: usize, packet: impl Fn(u32) -> Packet) -> Vec<u8> {
    let (mut packets, mut len) = (Vec::new(), 0);
    for number in 0.. {
        if len >= size {
            break;
        }
        let packet = packet(number);
        len += HEADER_LEN + packet.payload.len();
        packets.push(packet);
    }
    join(packets)
}

/// Returns the packets one after the other, each preceded by its header.
pub fn join(packets: Vec<Packet>) -> Vec<u8> {
    let mut input = Vec::new();
    for Packet { client, tcp, by_server, payload } in packets {
        let mut header = client.to_le_bytes().to_vec();
        let (flags, sequence) = tcp.unwrap_or_default();
        header.extend([u8::from(tcp.is_some()), u8::from(by_server), flags]);
        header.extend(sequence.to_le_bytes());
        header.extend((payload.len() as u16).to_le_bytes());
        header.resize(HEADER_LEN, 0);
        input.extend(header);
        input.extend(payload);
    }
    input
}

/// Returns an ENet datagram with one command.
fn datagram(command: Command<'_>) -> Vec<u8> {
    let mut datagram = vec![0, 0];
    command.write(&mut datagram).unwrap();
    datagram
}

/// Returns an ENet datagram with one reliable command.
pub fn reliable(channel: u8, sequence: u32, payload: &[u8]) -> Vec<u8> {
    let body = Body::Reliable { payload };
    datagram(Command { flags: Flags::ACKNOWLEDGE, channel, sequence: sequence as u16, body })
}

pub fn shapes() -> Vec<Shape> {
    vec![
        shape("a value from each address", |size| packets(size, |n| udp(n, vec![0; 4]))),
        shape("nothing from each address", |size| packets(size, |n| udp(n, Vec::new()))),
        shape("a stream from each address", |size| packets(size, |n| tcp(n, 5, b"GET "))),
        shape("the last channel from each address", |size| {
            packets(size, |n| udp(n, reliable(254, 7, &[0; 4])))
        }),
        shape("a window from each address", |size| {
            // Every second segment is far ahead, so that the stream allocates a window.
            packets(size, |n| tcp(n / 2, if n % 2 == 0 { 5 } else { 250_000 }, b"a"))
        }),
        shape("paths for ever new nodes", |size| {
            packets(size, |n| {
                let path = format!("root/{n:06}");
                let packet = [&[1][..], &[7; 32], &n.to_le_bytes(), path.as_bytes(), &[0]].concat();
                udp(0, reliable(0, n + 1, &packet))
            })
        }),
        shape("checksums that differ", |size| {
            packets(size, |n| {
                let (number, path) = ((n / 2).to_le_bytes(), format!("root/{n:06}"));
                let announce = [&[1][..], &[b'7'; 32], &[0], &number, path.as_bytes(), &[0]];
                let refuse = [&[2, 0][..], &number];
                let packet = if n % 2 == 0 { announce.concat() } else { refuse.concat() };
                Packet { by_server: n % 2 == 1, ..udp(0, reliable(0, n / 2 + 1, &packet)) }
            })
        }),
        shape("calls of ever new methods", |size| {
            packets(size, |n| {
                let path = [&[1][..], &[b'7'; 32], &[0, 1, 0, 0, 0, b'A', 0]].concat();
                let call = [&[0xC0, 1][..], &(n as u16 & 0x7FFF).to_le_bytes()].concat();
                udp(0, reliable(0, n + 1, if n == 0 { &path } else { &call }))
            })
        }),
        shape("ever new synchronizers", |size| {
            packets(size, |n| {
                let ids: Vec<u8> = (0..60).flat_map(|id| (60 * n + id).to_le_bytes()).collect();
                let fields = [1, n, 60, 2].map(u32::to_le_bytes).concat();
                udp(0, reliable(0, n + 1, &[&[4, 0][..], &fields, &ids, b"P\0"].concat()))
            })
        }),
        shape("gaps", |size| packets(size, |n| udp(0, reliable(0, 2 * n + 1, &[3; 5])))),
        shape("fragments", |size| {
            packets(size, |n| {
                let part = Fragment {
                    start: 1,
                    count: 60_000,
                    number: n,
                    total: 60_000,
                    offset: n,
                    payload: b"a",
                };
                let body = Body::Fragment(part);
                let sequence = (n + 1) as u16;
                udp(0, datagram(Command { flags: Flags::ACKNOWLEDGE, channel: 0, sequence, body }))
            })
        }),
        shape("what a coder has compressed", |size| {
            let plain = [0; 4000];
            let mut memory = [0; 8192];
            let coded = enet::RangeCoder::new().encode(&plain, &mut memory).unwrap().to_vec();
            packets(size, move |n| udp(n % 3, [&[0x40, 0][..], &coded].concat()))
        }),
        shape("a stream of bytes", |size| packets(size, |n| tcp(0, 5 + n, b"a"))),
        shape("a frame byte by byte", |size| {
            packets(size, |n| tcp(0, 5 + n, &[[0, 0, 1, 0][n.min(3) as usize]]))
        }),
        shape("a WebSocket byte by byte", |size| {
            const UPGRADE_REQUEST: &[u8] = b"GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n";
            packets(size, |n| {
                let frames = [0x82, 0x80, 1, 2, 3, 4];
                let at = n as usize;
                let byte = UPGRADE_REQUEST
                    .get(at)
                    .unwrap_or(&frames[at.wrapping_sub(UPGRADE_REQUEST.len()) % 6]);
                tcp(0, 5 + n, &[*byte])
            })
        }),
        shape("streams that nobody knows", |size| {
            packets(size, |n| tcp(n % 7, 5 + 500 * (n / 7), &[0xAA; 500]))
        }),
        shape("datagrams that nobody knows", |size| packets(size, |n| udp(n % 7, vec![0xAA; 500]))),
        shape("starts of values between other bytes", |size| {
            let starts = [28, 0, 0, 0, 0, 1, 0, 0].repeat(150);
            packets(size, move |n| match n % 2 {
                0 => udp(n / 2, starts.clone()),
                _ => tcp(n / 200, 5 + 1200 * (n / 2), &starts),
            })
        }),
        shape("JSON in a WebSocket", |size| {
            const UPGRADE: &[u8] = b"GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n";
            let frame = [&[0x81, 102][..], &[b'['; 50], b"{}", &[b']'; 50]].concat();
            packets(size, move |n| match n.checked_sub(1) {
                None => tcp(0, 5, UPGRADE),
                Some(n) => tcp(0, 5 + UPGRADE.len() as u32 + 104 * n, &frame),
            })
        }),
        shape("values of deep arrays", |size| {
            let deep = [[28, 0, 0, 0, 1, 0, 0, 0].repeat(60), vec![0; 4]].concat();
            packets(size, move |_| udp(0, deep.clone()))
        }),
    ]
}
