//! Captures: an independent reader, and writers of every format.

use crate::support::corpus;
use std::ops::Range;

/// A packet in a capture of any format.
#[derive(Clone, Debug, PartialEq)]
pub struct Packet {
    /// Time in nanoseconds.
    pub time: Option<i64>,
    pub link_type: u16,
    pub original_len: u32,
    pub data: Vec<u8>,
}

/// A packet with its offset in the file, as a reader returns it.
#[derive(Clone, Debug, PartialEq)]
pub struct LocatedPacket {
    pub time: Option<i64>,
    pub link_type: u16,
    pub original_len: u32,
    pub range: Range<usize>,
}

/// The captures of the corpus.
pub const NAMES: [&str; 9] =
    ["enet", "enet_rle", "godot3_enet", "godot3_enet_rle", "pps", "relay", "tcp", "udp", "ws"];

/// Captures in the folder `captures-2` that contain ENet traffic compressed with FastLZ, zlib or
/// Zstandard.
pub const OTHER_COMPRESSIONS: [&str; 4] =
    ["enet_fastlz", "enet_zlib", "enet_zstd", "godot3_enet_objects"];

pub fn file(name: &str) -> Vec<u8> {
    let folder = match name {
        _ if OTHER_COMPRESSIONS.contains(&name) => "captures-2",
        _ if PROBLEMS.contains(&name) => "captures-diagnosis",
        _ => "captures",
    };
    corpus::read(&format!("{folder}/{name}.pcap"))
}

/// Captures in the folder `captures-diagnosis` in which something does not work.
pub const PROBLEMS: [&str; 9] = [
    "godot3_stall",
    "late",
    "missing_node",
    "never_spawned",
    "not_authority",
    "over_mtu",
    "removed_method",
    "spawn_lost",
    "stall_at_sender",
];

pub fn packets(name: &str) -> Vec<Packet> {
    of_file(&file(name))
}

/// Returns the packets of a valid file.
pub fn of_file(file: &[u8]) -> Vec<Packet> {
    let (packets, is_valid) = read(file, 1 << 20, 4096);
    assert!(is_valid, "a damaged capture");
    let packet = |packet: LocatedPacket| Packet {
        time: packet.time,
        link_type: packet.link_type,
        original_len: packet.original_len,
        data: file[packet.range].to_vec(),
    };
    packets.into_iter().map(packet).collect()
}

/// The payload of a captured packet.
pub struct Payload {
    pub is_tcp: bool,
    pub from_server: bool,
    pub bytes: Vec<u8>,
}

/// Returns the payloads of a capture. Expects complete packets in Ethernet and IPv4, and a port of
/// the client that is higher than the port of the server.
pub fn payloads(name: &str) -> Vec<Payload> {
    let payload = |packet: Packet| {
        let ip = ip_packet(&packet.data);
        let is_tcp = ip[9] == 6;
        let from_server = ip[20..22] < ip[22..24];
        let start = 20 + if is_tcp { usize::from(ip[32] >> 4) * 4 } else { 8 };
        let end = usize::from(u16::from_be_bytes([ip[2], ip[3]]));
        Payload { is_tcp, from_server, bytes: ip[start..end].to_vec() }
    };
    packets(name).into_iter().map(payload).collect()
}

/// A byte order.
#[derive(Clone, Copy, PartialEq)]
pub struct Order {
    pub big: bool,
}

pub const ORDERS: [Order; 2] = [Order { big: false }, Order { big: true }];

impl Order {
    fn number(self, bytes: &[u8]) -> u64 {
        let add = |sum, byte: &u8| sum << 8 | u64::from(*byte);
        match self.big {
            true => bytes.iter().fold(0, add),
            false => bytes.iter().rev().fold(0, add),
        }
    }

    /// Reads a number of `len` bytes at `at`. Returns `None` if the input is shorter.
    fn at(self, file: &[u8], at: usize, len: usize) -> Option<u64> {
        Some(self.number(file.get(at..at.checked_add(len)?)?))
    }

    pub fn u16(self, value: u16) -> [u8; 2] {
        if self.big { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    pub fn u32(self, value: u32) -> [u8; 4] {
        if self.big { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    pub fn u64(self, value: u64) -> [u8; 8] {
        if self.big { value.to_be_bytes() } else { value.to_le_bytes() }
    }
}

/// Returns the packets of a file, and `true` if it is valid up to its end.
pub fn read(file: &[u8], record: u64, interfaces: usize) -> (Vec<LocatedPacket>, bool) {
    let mut packets = Vec::new();
    let end = match file {
        [0x0a, 0x0d, 0x0d, 0x0a, ..] => read_pcapng(file, record, interfaces, &mut packets),
        _ => read_pcap(file, record, &mut packets),
    };
    (packets, end.is_some())
}

fn read_pcap(file: &[u8], record: u64, packets: &mut Vec<LocatedPacket>) -> Option<()> {
    let order = Order { big: *file.first()? == 0xa1 };
    let (unit, extra) = match order.at(file, 0, 4)? {
        0xa1b2_c3d4 => (1000, 0),
        0xa1b2_3c4d => (1, 0),
        0xa1b2_cd34 => (1000, 8),
        _ => return None,
    };
    let link_type = order.at(file, 20, 4)? as u16;
    if order.at(file, 4, 2)? != 2 {
        return None;
    }
    let mut at = 24;
    while at < file.len() {
        let word = |n: usize| order.at(file, at + 4 * n, 4);
        let (seconds, part, len, original_len) = (word(0)?, word(1)?, word(2)?, word(3)?);
        let start = at + 16 + extra;
        at = start + len as usize;
        if file.len() < at || 16 + extra as u64 + len > record {
            return None;
        }
        packets.push(LocatedPacket {
            time: Some(seconds as i64 * 1_000_000_000 + part as i64 * unit),
            link_type,
            original_len: original_len as u32,
            range: start..at,
        });
    }
    Some(())
}

/// An interface. The elements are the link type, the maximum length of a packet, the resolution of
/// times, and the number of seconds to add to times.
type Interface = (u16, u32, u8, i64);

fn read_pcapng(
    file: &[u8],
    record: u64,
    max_interfaces: usize,
    packets: &mut Vec<LocatedPacket>,
) -> Option<()> {
    let mut order = Order { big: false };
    let mut interfaces: Vec<Interface> = Vec::new();
    let mut at = 0;
    while at < file.len() {
        let section = file[at..].starts_with(b"\n\r\r\n");
        if section {
            order = match file.get(at + 8..at + 12)? {
                [0x4d, 0x3c, 0x2b, 0x1a] => Order { big: false },
                [0x1a, 0x2b, 0x3c, 0x4d] => Order { big: true },
                _ => return None,
            };
        }
        let kind = order.at(file, at, 4)?;
        let len = order.at(file, at + 4, 4)?;
        let known = [1, 2, 3, 6].contains(&kind);
        let min_len = if section { 28 } else { 12 };
        if len < min_len || len % 4 != 0 || known && len > record {
            return None;
        }
        if section && order.at(file, at + 12, 2)? != 1 {
            return None;
        }
        let end = at.checked_add(len as usize)?;
        if order.at(file, end - 4, 4)? != len {
            return None;
        }
        // Fields must not extend into the trailing length.
        let body = &file[..end - 4];
        match kind {
            _ if section => interfaces.clear(),
            1 if interfaces.len() == max_interfaces => return None,
            1 => interfaces.push(interface(body, at, order)?),
            2 | 3 | 6 => packets.push(packet(body, at, kind, order, &interfaces)?),
            _ => {}
        }
        at = end;
    }
    // An empty file is not a capture.
    (at > 0).then_some(())
}

fn interface(body: &[u8], block: usize, order: Order) -> Option<Interface> {
    let link_type = order.at(body, block + 8, 2)? as u16;
    let longest = order.at(body, block + 12, 4)? as u32;
    let (mut resolution, mut time_offset) = (6, 0);
    let mut at = block + 16;
    // An option that extends past the end of the block ends the options.
    while let (Some(code), Some(len)) = (order.at(body, at, 2), order.at(body, at + 2, 2)) {
        let (start, len) = (at + 4, len as usize);
        let Some(value) = body.get(start..start + len) else { break };
        match (code, len) {
            (0, _) => break,
            (9, 1) => resolution = value[0],
            (14, 8..) => time_offset = order.number(&value[..8]) as i64,
            _ => {}
        }
        at = start + len.div_ceil(4) * 4;
    }
    Some((link_type, longest, resolution, time_offset))
}

fn packet(
    body: &[u8],
    block: usize,
    kind: u64,
    order: Order,
    interfaces: &[Interface],
) -> Option<LocatedPacket> {
    let word = |n: usize| order.at(body, block + 8 + 4 * n, 4);
    let number = match kind {
        2 => order.at(body, block + 8, 2)?,
        3 => 0,
        _ => word(0)?,
    };
    let (link_type, longest, resolution, time_offset) = *interfaces.get(number as usize)?;
    let (time, original_len, len, start) = if kind == 3 {
        let original_len = word(0)?;
        let longest = if longest == 0 { u32::MAX } else { longest };
        (None, original_len, original_len.min(longest.into()), block + 12)
    } else {
        let ticks = u128::from(word(1)? << 32 | word(2)?);
        let scaled = ticks.checked_mul(1_000_000_000).unwrap();
        let nanos = match resolution {
            0..128 => scaled.checked_div(10_u128.checked_pow(resolution.into()).unwrap_or(0)),
            128.. => scaled.checked_shr(u32::from(resolution - 128)),
        };
        let nanos = i64::try_from(nanos.unwrap_or(0)).unwrap_or(i64::MAX);
        let time_offset = time_offset.saturating_mul(1_000_000_000);
        (Some(nanos.saturating_add(time_offset)), word(4)?, word(3)?, block + 28)
    };
    let end = start.checked_add(len as usize)?;
    (end <= body.len()).then_some(LocatedPacket {
        time,
        link_type,
        original_len: original_len as u32,
        range: start..end,
    })
}

/// The variants of pcap.
#[derive(Clone, Copy, PartialEq)]
pub enum Pcap {
    Micros,
    Nanos,
    Kuznetsov,
}

pub fn pcap(packets: &[Packet], form: Pcap, order: Order) -> Vec<u8> {
    let (magic, unit) = match form {
        Pcap::Micros => (0xa1b2_c3d4, 1000),
        Pcap::Nanos => (0xa1b2_3c4d, 1),
        Pcap::Kuznetsov => (0xa1b2_cd34, 1000),
    };
    let mut file = order.u32(magic).to_vec();
    file.extend(order.u16(2));
    file.extend(order.u16(4));
    let link_type = packets.first().map_or(1, |packet| packet.link_type);
    // The last word is the link type; its high bits state the length of the frame checksum.
    for word in [0, 0, 262_144, 0x2400_0000 | u32::from(link_type)] {
        file.extend(order.u32(word));
    }
    for packet in packets {
        assert_eq!(packet.link_type, link_type);
        let time = packet.time.unwrap() as u64;
        file.extend(order.u32((time / 1_000_000_000) as u32));
        file.extend(order.u32((time % 1_000_000_000 / unit) as u32));
        file.extend(order.u32(packet.data.len() as u32));
        file.extend(order.u32(packet.original_len));
        if form == Pcap::Kuznetsov {
            file.extend([7; 8]);
        }
        file.extend(&packet.data);
    }
    file
}

/// The blocks that can contain a packet in pcapng.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Block {
    Enhanced,
    Obsolete,
    Simple,
}

/// Writes a section with two interfaces per link type and unknown blocks in between. Packets use
/// the second interface, unless the block type supports only the first.
pub fn pcapng(packets: &[Packet], form: Block, resolution: Option<u8>, order: Order) -> Vec<u8> {
    let mut file = section(order);
    let mut links: Vec<u16> = packets.iter().map(|packet| packet.link_type).collect();
    links.sort();
    links.dedup();
    assert!(form != Block::Simple || links.len() == 1);
    for link in &links {
        let unused = if form == Block::Simple { *link } else { 147 };
        file.extend(interface_block(unused, None, 0, order));
        file.extend(interface_block(*link, resolution, 0, order));
    }
    for (number, packet) in packets.iter().enumerate() {
        let link = links.iter().position(|link| *link == packet.link_type).unwrap();
        let body = body(packet, form, link * 2 + 1, resolution.unwrap_or(6), order);
        let kind = match form {
            Block::Enhanced => 6,
            Block::Obsolete => 2,
            Block::Simple => 3,
        };
        file.extend(block(kind, &body, order));
        if number % 7 == 0 {
            file.extend(block(0x0bad_beef, &vec![0x0a; number % 64 * 4], order));
        }
    }
    file
}

fn body(packet: &Packet, form: Block, interface: usize, resolution: u8, order: Order) -> Vec<u8> {
    let time = packet.time.unwrap() as u128;
    let ticks = match resolution {
        0..128 => time * 10_u128.pow(resolution.into()) / 1_000_000_000,
        // Rounds up, so that reading rounds to the original time.
        128.. => (time << (resolution - 128)).div_ceil(1_000_000_000),
    };
    let mut body = match form {
        Block::Enhanced => order.u32(interface as u32).to_vec(),
        Block::Obsolete => [order.u16(interface as u16), order.u16(9)].concat(),
        Block::Simple => Vec::new(),
    };
    if form != Block::Simple {
        body.extend(order.u32((ticks >> 32) as u32));
        body.extend(order.u32(ticks as u32));
        body.extend(order.u32(packet.data.len() as u32));
    }
    body.extend(order.u32(packet.original_len));
    body.extend(&packet.data);
    body.resize(body.len().next_multiple_of(4), 0);
    if form == Block::Enhanced {
        body.extend([order.u16(1), order.u16(5)].concat());
        body.extend(b"hello\0\0\0\0\0\0\0");
    }
    body
}

pub fn section(order: Order) -> Vec<u8> {
    let version = [order.u16(1), order.u16(0)].concat();
    block(0x0a0d_0d0a, &[&order.u32(0x1a2b_3c4d)[..], &version, &[0xff; 8]].concat(), order)
}

pub fn interface_block(
    link: u16,
    resolution: Option<u8>,
    time_offset: i64,
    order: Order,
) -> Vec<u8> {
    let mut body = [order.u16(link), [0; 2]].concat();
    body.extend(order.u32(0));
    if let Some(resolution) = resolution {
        body.extend([order.u16(2), order.u16(3)].concat());
        body.extend(b"lo0\0");
        body.extend([order.u16(9), order.u16(1)].concat());
        body.extend([resolution, 0, 0, 0]);
        body.extend([order.u16(14), order.u16(8)].concat());
        body.extend(order.u64(time_offset as u64));
        body.extend([0; 4]);
    }
    block(1, &body, order)
}

pub fn block(kind: u32, body: &[u8], order: Order) -> Vec<u8> {
    let len = order.u32(body.len() as u32 + 12);
    [&order.u32(kind)[..], &len, body, &len].concat()
}

/// Returns the IP packet inside an Ethernet frame.
pub fn ip_packet(ethernet: &[u8]) -> &[u8] {
    assert_eq!(ethernet[12..14], [8, 0]);
    &ethernet[14..]
}

/// Wraps the IPv4 packet of an Ethernet frame in several link layers. Returns the link type and the
/// bytes of each result.
pub fn rewrap(ethernet: &[u8]) -> Vec<(u16, Vec<u8>)> {
    let ip = ip_packet(ethernet);
    let with = |link: u16, head: &[u8]| (link, [head, ip].concat());
    let mac = [0; 12];
    let tagged = |tags: &[u8]| with(1, &[&mac, tags, &[8, 0]].concat());
    let sll = [0, 0, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0, 8, 0];
    let sll2 = [8, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0];
    let padded = [ethernet, &[0x5a; 30]].concat();
    vec![
        (1, padded),
        tagged(&[0x81, 0, 0, 7]),
        tagged(&[0x88, 0xa8, 0, 7, 0x81, 0, 0, 8]),
        tagged(&[0x91, 0, 0, 7, 0x92, 0, 0, 7, 0x81, 0, 0, 8]),
        with(113, &sll),
        with(276, &sll2),
        with(0, &[2, 0, 0, 0]),
        with(0, &[0, 0, 0, 2]),
        with(108, &[0, 0, 0, 2]),
        with(101, &[]),
        with(12, &[]),
        with(14, &[]),
        with(228, &[]),
    ]
}
