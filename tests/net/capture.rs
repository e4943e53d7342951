//! Reads the captures of the corpus, the same captures rewritten in every format and with every
//! link layer, and damaged captures.

use crate::laws;
use crate::support::net::captures::{self, Block, NAMES, ORDERS, Order, Pcap};
use gamewire::capture::{
    Error, ErrorKind, Limits, LinkType, Packet, Reader, Segment, Skipped, Transport, segment,
};
use gamewire::transport::tcp::{self, Flags};
use std::io::{self, Read, Write};

const LITTLE: Order = Order { big: false };

/// Calls `on_packet` with each packet of a capture.
fn for_each_packet(file: &[u8], mut on_packet: impl FnMut(Packet<'_>)) -> Result<(), Error> {
    let mut reader = Reader::new(file);
    while let Some(packet) = reader.next_packet()? {
        on_packet(packet);
    }
    Ok(())
}

fn read(file: &[u8]) -> Result<Vec<captures::Packet>, Error> {
    let mut packets = Vec::new();
    for_each_packet(file, |packet| {
        assert_eq!(packet.data, &file[packet.offset as usize..][..packet.data.len()]);
        packets.push(captures::Packet {
            time: packet.time,
            link_type: packet.link_type.0,
            original_len: packet.original_len,
            data: packet.data.to_vec(),
        });
    })?;
    Ok(packets)
}

/// Resumes at every position between two packets, and returns how many there are.
fn resume_everywhere(file: &[u8], expected: &[captures::Packet]) -> usize {
    let mut reader = Reader::new(file);
    let mut count = 0;
    loop {
        let position = reader.position();
        let rest = &file[position.offset() as usize..];
        let mut resumed = Reader::resume(rest, &position);
        for expected in expected[count..].iter().take(3) {
            let packet = resumed.next_packet().unwrap().unwrap();
            assert_eq!((packet.time, packet.data), (expected.time, &expected.data[..]));
            assert_eq!(packet.data, &file[packet.offset as usize..][..packet.data.len()]);
        }
        if reader.next_packet().unwrap().is_none() {
            assert_eq!(resumed.next_packet().unwrap(), None);
            return count;
        }
        count += 1;
    }
}

#[test]
fn a_reader_can_resume_between_packets() {
    for name in ["udp", "ws"] {
        let mut packets = captures::packets(name);
        packets.truncate(60);
        for order in ORDERS {
            for form in [Pcap::Micros, Pcap::Nanos, Pcap::Kuznetsov] {
                let file = captures::pcap(&packets, form, order);
                assert_eq!(resume_everywhere(&file, &packets), packets.len(), "{name}");
            }
            for resolution in [None, Some(9)] {
                let file = captures::pcapng(&packets, Block::Enhanced, resolution, order);
                assert_eq!(resume_everywhere(&file, &packets), packets.len(), "{name}");
                // A second section with its own byte order.
                let both = [&file[..], &captures::pcapng(&packets, Block::Enhanced, None, LITTLE)];
                let twice = [&packets[..], &packets].concat();
                assert_eq!(resume_everywhere(&both.concat(), &twice), twice.len(), "{name}");
            }
        }
    }
}

#[test]
fn all_packets_of_the_corpus_are_read() {
    let count = |name| read(&captures::file(name)).unwrap().len();
    assert_eq!(NAMES.map(count), [739, 737, 119, 119, 126, 1977, 242, 60, 1916]);
    for name in NAMES {
        assert!(read(&captures::file(name)).unwrap() == captures::packets(name), "{name}");
    }
}

/// The fields of the first packet of `udp` were worked out by hand from the hex dump of the file.
#[test]
fn all_fields_of_the_first_packet() {
    let file = captures::file("udp");
    let mut reader = Reader::new(&file[..]);
    let packet = reader.next_packet().unwrap().unwrap();
    assert_eq!(packet.time, Some(0x6b00_f546 * 1_000_000_000 + 0x000d_8e0b * 1000));
    assert_eq!((packet.link_type, packet.offset), (LinkType::ETHERNET, 40));
    assert_eq!((packet.data.len(), packet.original_len), (0x32, 0x32));
    let segment = packet.segment().unwrap();
    assert_eq!(segment.source.to_string(), "127.0.0.1:46170");
    assert_eq!(segment.destination.to_string(), "127.0.0.1:24604");
    assert_eq!(segment.transport, Transport::Udp { payload: &file[82..][..8] });
}

#[test]
fn all_file_formats_hold_the_same_packets() {
    for name in NAMES {
        let packets = captures::packets(name);
        for order in ORDERS {
            for form in [Pcap::Micros, Pcap::Nanos, Pcap::Kuznetsov] {
                let file = captures::pcap(&packets, form, order);
                assert!(read(&file).unwrap() == packets, "{name}");
            }
            // The units of the clock are 10⁻⁶ seconds (the default and the explicit value), 10⁻⁹,
            // 10⁻¹⁰ and 2⁻³² seconds.
            let resolutions = [None, Some(6), Some(9), Some(10), Some(128 + 32)];
            for (form, resolution) in resolutions
                .map(|resolution| (Block::Enhanced, resolution))
                .into_iter()
                .chain([(Block::Obsolete, None), (Block::Obsolete, Some(9)), (Block::Simple, None)])
            {
                let file = captures::pcapng(&packets, form, resolution, order);
                let mut expected = packets.clone();
                if form == Block::Simple {
                    expected.iter_mut().for_each(|packet| packet.time = None);
                }
                let read = read(&file).unwrap();
                assert!(read == expected, "{name}, {form:?}, {resolution:?}, big {}", order.big);
            }
        }
    }
}

/// Checks times that need nanoseconds.
#[test]
fn nanoseconds_are_kept() {
    let mut packets = captures::packets("udp");
    for (number, packet) in packets.iter_mut().enumerate() {
        *packet.time.as_mut().unwrap() += number as i64 * 7 + 1;
    }
    for order in ORDERS {
        assert!(read(&captures::pcap(&packets, Pcap::Nanos, order)).unwrap() == packets);
        for resolution in [9, 10, 128 + 33] {
            let file = captures::pcapng(&packets, Block::Enhanced, Some(resolution), order);
            assert!(read(&file).unwrap() == packets, "resolution {resolution}");
        }
    }
}

#[test]
fn timestamp_resolutions_and_offsets() {
    let time = |resolution: u8, time_offset: i64, ticks: u64| {
        let mut file = captures::section(LITTLE);
        file.extend(captures::interface_block(1, Some(resolution), time_offset, LITTLE));
        let mut body = [0; 20];
        body[4..8].copy_from_slice(&((ticks >> 32) as u32).to_le_bytes());
        body[8..12].copy_from_slice(&(ticks as u32).to_le_bytes());
        file.extend(captures::block(6, &body, LITTLE));
        read(&file).unwrap()[0].time.unwrap()
    };
    assert_eq!(time(0, 0, 3), 3_000_000_000, "whole seconds");
    assert_eq!(time(3, 10, 1), 10_001_000_000, "from the tenth on");
    assert_eq!(time(6, -10, 1), -9_999_999_000, "before 1970");
    assert_eq!(time(12, 0, 1999), 1);
    assert_eq!(time(28, 0, u64::MAX), 1);
    assert_eq!(time(127, 0, u64::MAX), 0);
    assert_eq!(time(128, 0, 3), 3_000_000_000);
    assert_eq!(time(128 + 1, 0, 3), 1_500_000_000);
    assert_eq!(time(255, 0, u64::MAX), 0);
    assert_eq!(time(0, 0, u64::MAX), i64::MAX, "no overflow");
    assert_eq!(time(0, i64::MAX, u64::MAX), i64::MAX);
    assert_eq!(time(6, i64::MIN, 0), i64::MIN);
}

/// Each section has its own byte order, interfaces and clocks.
#[test]
fn several_sections() {
    let packets = captures::packets("udp");
    let mut file = captures::pcapng(&packets, Block::Enhanced, Some(9), ORDERS[0]);
    file.extend(captures::pcapng(&packets, Block::Obsolete, None, ORDERS[1]));
    file.extend(captures::section(ORDERS[1]));
    assert!(read(&file).unwrap() == [&packets[..], &packets].concat());
    // A section that defines no interfaces cannot use those of the previous section.
    let lost = captures::pcapng(&packets, Block::Enhanced, None, ORDERS[1]);
    let first = captures::section(ORDERS[1]).len() + 2 * 20;
    let start = file.len() as u64;
    file.extend(&lost[first..]);
    let error = read(&file).unwrap_err();
    assert_eq!((*error.kind(), error.offset()), (ErrorKind::UnknownInterface(1), start));
}

#[test]
fn several_link_types() {
    let mut packets = captures::packets("udp");
    for (number, packet) in packets.iter_mut().enumerate() {
        let mut wrapped = captures::rewrap(&packet.data);
        (packet.link_type, packet.data) = wrapped.swap_remove(number % wrapped.len());
        packet.original_len = packet.data.len() as u32;
    }
    let file = captures::pcapng(&packets, Block::Enhanced, None, LITTLE);
    assert!(read(&file).unwrap() == packets);
}

#[test]
fn all_link_layers_hold_the_same_segment() {
    for name in NAMES {
        for packet in captures::packets(name) {
            let expected = segment(LinkType(packet.link_type), &packet.data).unwrap();
            for (link_type, data) in captures::rewrap(&packet.data) {
                assert_eq!(segment(LinkType(link_type), &data), Ok(expected));
                // A packet that is truncated before the end of its payload contains no segment.
                // Some of the packets end with 30 bytes of padding, which may be missing.
                let len = data.len() - if data.ends_with(&[0x5a; 30]) { 30 } else { 0 };
                for cut in (0..len).step_by(11).chain([len - 1]) {
                    let cut = segment(LinkType(link_type), &data[..cut]);
                    assert_eq!(cut, Err(Skipped::CutShort));
                }
            }
        }
    }
}

/// Returns an IPv4 packet that contains a UDP datagram.
fn v4(words: usize, total: u16, fragment: u16, protocol: u8, rest: &[u8]) -> Vec<u8> {
    let mut packet = vec![0; words * 4];
    packet[0] = 0x40 | words as u8;
    packet[2..4].copy_from_slice(&total.to_be_bytes());
    packet[6..8].copy_from_slice(&fragment.to_be_bytes());
    packet[9] = protocol;
    packet[12..20].copy_from_slice(&[10, 0, 0, 1, 10, 0, 0, 2]);
    [&packet, rest].concat()
}

fn udp(len: u16, payload: &[u8]) -> Vec<u8> {
    [&[0, 7, 0, 9], &len.to_be_bytes()[..], &[0xbe, 0xef], payload].concat()
}

fn payload<'a>(segment: &Result<Segment<'a>, Skipped>) -> Result<&'a [u8], Skipped> {
    segment.map(|segment| match segment.transport {
        Transport::Udp { payload } => payload,
        Transport::Tcp(tcp) => tcp.payload,
    })
}

#[test]
fn ipv4_packets() {
    let raw = |packet: &[u8]| payload(&segment(LinkType::RAW, packet)).map(<[u8]>::to_vec);
    let hi = udp(10, b"hi");
    let ok = Ok(b"hi".to_vec());
    assert_eq!(raw(&v4(5, 30, 0, 17, &hi)), ok);
    assert_eq!(raw(&v4(5, 30, 0x4000, 17, &hi)), ok, "not to be cut");
    assert_eq!(raw(&v4(15, 70, 0, 17, &hi)), ok, "options");
    assert_eq!(raw(&v4(5, 0, 0, 17, &hi)), ok, "the card is going to fill in the length");
    assert_eq!(raw(&v4(5, 30, 0, 17, &udp(0, b"hi"))), ok);
    assert_eq!(raw(&v4(5, 30, 0, 17, &udp(9, b"hi"))), Ok(b"h".to_vec()));
    assert_eq!(raw(&v4(5, 29, 0, 17, &hi)), Err(Skipped::Malformed), "UDP longer than IP");
    assert_eq!(raw(&v4(5, 30, 0, 17, &udp(7, b"hi"))), Err(Skipped::Malformed));
    assert_eq!(raw(&v4(5, 31, 0, 17, &hi)), Err(Skipped::CutShort));
    assert_eq!(raw(&v4(5, 30, 0x2000, 17, &hi)), Err(Skipped::Fragment), "the first");
    assert_eq!(raw(&v4(5, 30, 0x0001, 17, &hi)), Err(Skipped::Fragment), "the last");
    assert_eq!(raw(&v4(5, 30, 0, 1, &hi)), Err(Skipped::OtherProtocol(1)));
    assert_eq!(raw(&v4(5, 19, 0, 17, &hi)), Err(Skipped::Malformed));
    assert_eq!(raw(&[0x44; 40]), Err(Skipped::Malformed), "a header of 16 bytes");
    assert_eq!(raw(&[0x55; 40]), Err(Skipped::NotIp));
    assert_eq!(raw(&[]), Err(Skipped::CutShort));
}

fn v6(next: u8, len: u16, rest: &[u8]) -> Vec<u8> {
    let mut packet = vec![0x60, 0, 0, 0, 0, 0, next, 64];
    packet[4..6].copy_from_slice(&len.to_be_bytes());
    packet.extend([0; 15]);
    packet.push(1);
    packet.extend([0x20; 16]);
    packet.extend(rest);
    packet
}

#[test]
fn ipv6_packets() {
    let hi = udp(10, b"hi");
    let ok = Ok(b"hi".to_vec());
    let with = |link: LinkType, packet: &[u8]| {
        let segment = segment(link, packet);
        if let Ok(segment) = segment {
            assert_eq!(segment.source.to_string(), "[::1]:7");
            let to = "[2020:2020:2020:2020:2020:2020:2020:2020]:9";
            assert_eq!(segment.destination.to_string(), to);
        }
        payload(&segment).map(<[u8]>::to_vec)
    };
    let raw = |next: u8, rest: &[u8]| {
        with(LinkType::IPV6, &v6(next, rest.len() as u16, &[rest, &[0x5a; 9]].concat()))
    };
    assert_eq!(raw(17, &hi), ok);
    assert_eq!(with(LinkType::RAW, &v6(17, 0, &hi)), ok, "a length to be filled in");
    assert_eq!(with(LinkType::IPV6, &v6(17, 11, &hi)), Err(Skipped::CutShort));
    let ethernet = [&[0xEE; 12][..], &[0x86, 0xDD], &v6(17, 10, &hi)].concat();
    assert_eq!(with(LinkType::ETHERNET, &ethernet), ok);
    let tagged = [&[0xEE; 12][..], &[0x81, 0, 0, 5, 0x86, 0xDD], &v6(17, 10, &hi)].concat();
    assert_eq!(with(LinkType::ETHERNET, &tagged), ok);
    for family in [10, 24, 28, 30] {
        let packet = v6(17, 10, &hi);
        let little = [&[family, 0, 0, 0], &packet[..]].concat();
        assert_eq!(with(LinkType::NULL, &little), ok);
        assert_eq!(with(LinkType::LOOP, &[&[0, 0, 0, family], &packet[..]].concat()), ok);
    }
    let other = [&[7, 0, 0, 0], &v6(17, 10, &hi)[..]].concat();
    assert_eq!(with(LinkType::NULL, &other), Err(Skipped::NotIp));

    let head = |next: u8, len: u8, size: usize| {
        let mut head = vec![0; size];
        head[..2].copy_from_slice(&[next, len]);
        head
    };
    for kind in [0, 43, 60, 135, 139, 140] {
        assert_eq!(raw(kind, &[head(17, 0, 8), hi.clone()].concat()), ok);
        assert_eq!(raw(kind, &[head(17, 2, 24), hi.clone()].concat()), ok);
        assert_eq!(raw(kind, &[head(17, 9, 24), hi.clone()].concat()), Err(Skipped::Malformed));
    }
    assert_eq!(raw(51, &[head(17, 4, 24), hi.clone()].concat()), ok);
    assert_eq!(raw(0, &[head(60, 0, 8), head(43, 1, 16), head(17, 0, 8), hi.clone()].concat()), ok);
    let fragment = |bits: u16| {
        let [high, low] = bits.to_be_bytes();
        raw(44, &[&[17, 0, high, low, 1, 2, 3, 4], &hi[..]].concat())
    };
    assert_eq!(fragment(0), ok, "all of a packet");
    assert_eq!(fragment(1), Err(Skipped::Fragment), "the first");
    assert_eq!(fragment(8), Err(Skipped::Fragment), "the last");
    assert_eq!(raw(59, &hi), Err(Skipped::OtherProtocol(59)), "nothing follows");
    assert_eq!(raw(0, &hi[..1]), Err(Skipped::CutShort));
}

#[test]
fn all_fields_of_a_tcp_segment() {
    let header = [
        0x12, 0x34, 0x56, 0x78, 1, 2, 3, 4, 5, 6, 7, 8, 0x60, 0x19, 0, 9, 0xbe, 0xef, 0, 0, 1, 1,
        1, 0, b'x', b'y',
    ];
    let packet = v4(5, 46, 0, 6, &header);
    let tcp = tcp::Segment {
        sequence: 0x0102_0304,
        acknowledgement: 0x0506_0708,
        flags: Flags(Flags::FIN | Flags::ACK | 8),
        payload: b"xy",
    };
    let found = segment(LinkType::IPV4, &packet).unwrap();
    assert_eq!(found.source.to_string(), "10.0.0.1:4660");
    assert_eq!(found.destination.to_string(), "10.0.0.2:22136");
    assert_eq!(found.transport, Transport::Tcp(tcp));
    let plain = v4(5, 42, 0, 6, &[&header[..12], &[0x50], &header[13..20], b"xy"].concat());
    let found = segment(LinkType::IPV4, &plain).unwrap();
    assert_eq!(found.transport, Transport::Tcp(tcp), "without options");
    let short = v4(5, 46, 0, 6, &[&header[..12], &[0x40], &header[13..]].concat());
    assert_eq!(segment(LinkType::IPV4, &short), Err(Skipped::Malformed));
    let long = v4(5, 46, 0, 6, &[&header[..12], &[0xf0], &header[13..]].concat());
    assert_eq!(segment(LinkType::IPV4, &long), Err(Skipped::Malformed));
}

/// Files that are not captures, and files with invalid lengths, are errors.
#[test]
fn invalid_files_are_errors() {
    let fails = |file: &[u8]| {
        let error = read(file).unwrap_err();
        (*error.kind(), error.offset())
    };
    assert_eq!(fails(b""), (ErrorKind::CutOff { missing: 4 }, 0));
    assert_eq!(fails(b"\x1f\x8b\x08\0"), (ErrorKind::NotACapture(*b"\x1f\x8b\x08\0"), 0));
    let good = captures::file("udp");
    let change = |at: usize, with: &[u8]| {
        let mut file = good.clone();
        file[at..at + with.len()].copy_from_slice(with);
        fails(&file)
    };
    let version = ErrorKind::UnknownVersion { major: 3, minor: 4 };
    assert_eq!(change(4, &[3]), (version, 0));
    let second = 24 + 16 + 0x32;
    let long = ErrorKind::TooLong { len: u32::MAX, limit: 1 << 20 };
    assert_eq!(change(second + 8, &[0xff; 4]), (long, second as u64));

    let packets = captures::packets("udp");
    for order in ORDERS {
        let good = captures::pcapng(&packets[..3], Block::Enhanced, Some(9), order);
        let change = |at: usize, with: &[u8]| {
            let mut file = good.clone();
            file[at..at + with.len()].copy_from_slice(with);
            fails(&file)
        };
        let first = 28 + 20 + 52;
        assert_eq!(order.u32(6), good[first..first + 4]);
        let at = first as u64;
        assert_eq!(change(8, b"huh?"), (ErrorKind::BadByteOrder(*b"huh?"), 0));
        let version = ErrorKind::UnknownVersion { major: 2, minor: 0 };
        assert_eq!(change(12, &order.u16(2)), (version, 0));
        assert_eq!(change(4, &order.u32(24)), (ErrorKind::BadLength(24), 0));
        let differ = ErrorKind::LengthsDiffer { leading: 28, trailing: 32 };
        assert_eq!(change(24, &order.u32(32)), (differ, 24));
        // The error is the same if the trailing length is not a multiple of four.
        let differ = ErrorKind::LengthsDiffer { leading: 28, trailing: 6 };
        assert_eq!(change(24, &order.u32(6)), (differ, 24));
        assert_eq!(change(first + 4, &order.u32(11)), (ErrorKind::BadLength(11), at));
        assert_eq!(change(first + 4, &order.u32(102)), (ErrorKind::BadLength(102), at));
        let long = ErrorKind::TooLong { len: 1 << 30, limit: 1 << 20 };
        assert_eq!(change(first + 4, &order.u32(1 << 30)), (long, at));
        assert_eq!(change(first + 8, &order.u32(2)), (ErrorKind::UnknownInterface(2), at));
        let beyond = 0x32 + 2 + 16 + 1;
        assert_eq!(change(first + 20, &order.u32(beyond)), (ErrorKind::BadLength(beyond), at));
        // A skipped block may be long, because it needs no memory.
        let mut file = good.clone();
        file[first..first + 8].copy_from_slice(&[[0x7f; 4], order.u32(1 << 31)].concat());
        let missing = (1 << 31) - 4 - (good.len() - first) as u64;
        assert_eq!(fails(&file), (ErrorKind::CutOff { missing }, good.len() as u64));
    }
}

/// The error for a record that is truncated inside its header does not depend on the size of the
/// pieces in which the file is read.
#[test]
fn truncated_record_headers() {
    let packets = &captures::packets("udp")[..2];
    for form in [Pcap::Micros, Pcap::Kuznetsov] {
        let header = if form == Pcap::Kuznetsov { 24 } else { 16 };
        let whole = captures::pcap(packets, form, LITTLE);
        let second = whole.len() - packets[1].data.len() - header;
        for len in [0, 7, 15, 16, 23, 24].into_iter().filter(|len| *len <= header) {
            laws::capture(&whole[..second + len]);
            let mut long = whole[..second + len].to_vec();
            if let Some(place) = long.get_mut(second + 8..second + 12) {
                place.fill(0x7F);
            }
            laws::capture(&long);
        }
    }
}

/// Bytes after the end of a block are not read as its fields.
#[test]
fn blocks_too_short_for_their_fields() {
    for order in ORDERS {
        let section = captures::section(order);
        let described = [&section[..], &captures::interface_block(1, None, 0, order)].concat();
        for (kind, least, before) in
            [(1, 20, &section), (2, 32, &described), (3, 16, &described), (6, 32, &described)]
        {
            for len in (12..=least).step_by(4) {
                let block = captures::block(kind, &vec![0; len - 12], order);
                let end = read(&[&before[..], &block].concat());
                if len < least {
                    let error = end.unwrap_err();
                    let bad = ErrorKind::BadLength(len as u32);
                    assert_eq!((*error.kind(), error.offset()), (bad, before.len() as u64));
                } else {
                    assert!(end.is_ok(), "{kind}");
                }
            }
        }
    }
}

#[test]
fn limits() {
    let packets = captures::packets("udp");
    let read = |file: &[u8], limits: Limits| {
        let mut reader = Reader::new(file).limits(limits);
        let mut count = 0;
        loop {
            match reader.next_packet() {
                Ok(Some(_)) => count += 1,
                Ok(None) => return Ok(count),
                Err(error) => return Err(*error.kind()),
            }
        }
    };
    let default = Limits::default();
    let longest = packets.iter().map(|packet| packet.data.len() as u32).max().unwrap();
    let file = captures::pcap(&packets, Pcap::Nanos, LITTLE);
    assert_eq!(read(&file, Limits { record: longest + 16, ..default }), Ok(60));
    let tight = Limits { record: longest + 15, ..default };
    let too_long = ErrorKind::TooLong { len: longest, limit: longest + 15 };
    assert_eq!(read(&file, tight), Err(too_long));

    let file = captures::pcapng(&packets, Block::Simple, None, LITTLE);
    let block = longest.next_multiple_of(4) + 16;
    assert_eq!(read(&file, Limits { record: block, interfaces: 2 }), Ok(60));
    let too_long = ErrorKind::TooLong { len: block, limit: block - 1 };
    assert_eq!(read(&file, Limits { record: block - 1, ..default }), Err(too_long));
    let interfaces = Limits { interfaces: 1, ..default };
    assert_eq!(read(&file, interfaces), Err(ErrorKind::TooManyInterfaces(1)));
}

/// Reads records whose sizes nearly reach the limit. Some do not fit in the initial buffer of the
/// reader.
#[test]
fn long_packets() {
    let mut packets = captures::packets("udp");
    packets.truncate(9);
    let lens = [1, 300_000, 131_072, 5, 1_000_000, (1 << 20) - 100, 0, 262_144, 4];
    for (packet, len) in packets.iter_mut().zip(lens) {
        packet.data = (0..len).map(|at| (at % 251) as u8).collect();
    }
    for order in ORDERS {
        let pcap = captures::pcap(&packets, Pcap::Nanos, order);
        assert!(read(&pcap).unwrap() == packets);
        let pcapng = captures::pcapng(&packets, Block::Enhanced, None, order);
        assert!(read(&pcapng).unwrap() == packets);
    }
}

/// While another process writes the file, the reader returns each packet as soon as it is complete.
#[test]
fn output_does_not_wait_for_the_end_of_a_pipe() {
    let packets = captures::packets("udp");
    let pcap = captures::pcap(&packets, Pcap::Micros, LITTLE);
    let pcapng = captures::pcapng(&packets, Block::Enhanced, None, LITTLE);
    for file in [pcap, pcapng] {
        let located = captures::read(&file, 1 << 20, 10).0.into_iter();
        // In pcapng, the options and the trailing length follow the packet.
        let trailer_len = if file[0] == 0x0a { 2 + 16 + 4 } else { 0 };
        let (input, mut output) = io::pipe().unwrap();
        let mut reader = Reader::new(input);
        let mut written = 0;
        for (located, packet) in located.zip(&packets) {
            let end = located.range.end + trailer_len;
            output.write_all(&file[written..end]).unwrap();
            written = end;
            // A reader that requested more bytes would block forever.
            assert_eq!(reader.next_packet().unwrap().unwrap().data, packet.data);
        }
        output.write_all(&file[written..]).unwrap();
        drop(output);
        assert_eq!(reader.next_packet(), Ok(None));
    }
}

/// The reader reports an input error and can continue after it.
#[test]
fn input_errors_are_reported_and_reading_continues() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::PermissionDenied.into())
        }
    }
    let file = captures::file("udp");
    let mut reader = Reader::new(file[..100].chain(Failing));
    assert!(reader.next_packet().unwrap().is_some());
    for _ in 0..2 {
        let error = reader.next_packet().unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::Read(io::ErrorKind::PermissionDenied));
        assert_eq!(error.offset(), 90);
        assert_eq!(error.to_string(), "reading failed: permission denied at offset 90 (0x5a)");
    }
}

/// The reader repeats a read that a signal interrupted.
#[test]
fn interrupted_reads_are_repeated() {
    struct Interrupted<'a>(&'a [u8], bool);
    impl Read for Interrupted<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            self.0.read(to)
        }
    }
    let file = captures::file(NAMES[0]);
    let mut reader = Reader::new(Interrupted(&file, false));
    let mut count = 0;
    while reader.next_packet().unwrap().is_some() {
        count += 1;
    }
    assert_eq!(count, read(&file).unwrap().len());
}

/// Reads all packets of a file whose bytes arrive one at a time.
fn read_byte_by_byte(file: &[u8]) -> Result<(), Error> {
    struct Bytes<'a>(&'a [u8]);
    impl Read for Bytes<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            self.0.read(&mut to[..1])
        }
    }
    let mut reader = Reader::new(Bytes(file));
    while reader.next_packet()?.is_some() {}
    Ok(())
}

/// A truncated file yields its complete packets, and then an error if it ends inside a record.
#[test]
fn truncated_files() {
    let mut packets = captures::packets("udp");
    packets.truncate(12);
    let mut files: Vec<Vec<u8>> = Vec::new();
    for order in ORDERS {
        files.push(captures::pcap(&packets, Pcap::Micros, order));
        files.push(captures::pcapng(&packets, Block::Enhanced, Some(9), order));
        files.push(captures::pcapng(&packets, Block::Simple, None, order));
    }
    for file in files {
        let (packets, _) = captures::read(&file, 1 << 20, 10);
        for len in 0..file.len() {
            let mut count = 0;
            let end = for_each_packet(&file[..len], |_| count += 1);
            let complete = packets.iter().filter(|packet| packet.range.end <= len).count();
            assert_eq!(end, read_byte_by_byte(&file[..len]), "in one piece, and byte by byte");
            assert!(count == complete || count + 1 == complete && file[0] == 0x0a);
            match end {
                // The file ends with a complete record.
                Ok(()) => assert!(captures::read(&file[..len], 1 << 20, 10).1),
                Err(error) => {
                    let ErrorKind::CutOff { missing } = *error.kind() else { panic!("{error}") };
                    assert!(missing > 0 && error.offset() <= len as u64);
                }
            }
        }
    }
}

#[test]
fn generated_captures_satisfy_the_laws() {
    let packets = captures::packets("udp");
    let some = &packets[..5];
    let mut files = vec![captures::pcap(some, Pcap::Kuznetsov, ORDERS[1])];
    for order in ORDERS {
        for (form, resolution) in
            [(Block::Enhanced, Some(12)), (Block::Obsolete, Some(155)), (Block::Simple, None)]
        {
            files.push(captures::pcapng(some, form, resolution, order));
        }
    }
    let mut random = crate::support::random::Random(7);
    for file in files {
        laws::capture(&file);
        for _ in 0..60 {
            let mut file = file.clone();
            for _ in 0..1 + random.below(4) {
                let at = random.below(file.len());
                file[at] = random.one_of(&[0, 1, 2, 3, 4, 6, 8, 16, 127, 128, 255]);
            }
            laws::capture(&file);
        }
    }
    for packet in packets {
        for (_, mut data) in captures::rewrap(&packet.data) {
            for _ in 0..4 {
                laws::segments(&data);
                let at = random.below(data.len().min(60));
                data[at] = random.next() as u8;
            }
        }
    }
    for len in 0..200 {
        let data: Vec<u8> = (0..len).map(|_| random.next() as u8).collect();
        laws::capture(&data);
        laws::segments(&data);
    }
}
