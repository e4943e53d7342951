//! Laws of capture files: the reader agrees with the oracle, its results do not depend on the sizes
//! of the pieces, and the packets are slices of the file.

use super::capture_copy::capture_copy;
use crate::support::net::captures::{self, LocatedPacket, Pcap};
use gamewire::capture::{Error, ErrorKind, Limits, LinkType, Reader, Skipped, Transport, segment};
use std::io::{self, Read};

pub fn capture(data: &[u8]) {
    check_file(data);
    // Also checks a file that consists of a valid header and the input as its records.
    for order in captures::ORDERS {
        check_file(&[captures::pcap(&[], Pcap::Micros, order), data.to_vec()].concat());
        let section = captures::section(order);
        let interface = captures::interface_block(1, Some(9), 0, order);
        check_file(&[section, interface, data.to_vec()].concat());
    }
    segments(data);
}

fn check_file(data: &[u8]) {
    let limits = Limits { record: 1 << 16, interfaces: 3 };
    let (packets, end) = read(data, data, limits);
    let (expected, is_valid) =
        captures::read(data, limits.record.into(), limits.interfaces as usize);
    assert_eq!(packets, expected);
    assert_eq!(end.is_ok(), is_valid, "{end:?}");
    if let Err(error) = end {
        assert!(error.offset() <= data.len() as u64);
    }
    for piece in [1, 7, 64] {
        let reader = ReaderInPieces { rest: data, piece, fails: true };
        assert_eq!(read(reader, data, limits), (packets.clone(), end), "in pieces of {piece}");
    }
    check_truncated(data, limits, &packets);
    capture_copy(data, limits, &packets, is_valid);
}

/// Returns all packets, and an error if the file is not valid. Continues reading after an input
/// error.
fn read(input: impl Read, data: &[u8], limits: Limits) -> (Vec<LocatedPacket>, Result<(), Error>) {
    let mut reader = Reader::new(input).limits(limits);
    let mut packets = Vec::new();
    let end = loop {
        let packet = match reader.next_packet() {
            Ok(Some(packet)) => packet,
            Ok(None) => break Ok(()),
            Err(error) if matches!(error.kind(), ErrorKind::Read(_)) => continue,
            Err(error) => break Err(error),
        };
        let start = packet.offset as usize;
        let range = start..start + packet.data.len();
        assert_eq!(packet.data, &data[range.clone()]);
        let (time, original_len) = (packet.time, packet.original_len);
        packets.push(LocatedPacket { time, link_type: packet.link_type.0, original_len, range });
    };
    assert_eq!(reader.next_packet(), Ok(None), "nothing after the end");
    (packets, end)
}

/// A reader that returns a few bytes at a time, and an error between any two pieces.
struct ReaderInPieces<'a> {
    rest: &'a [u8],
    piece: usize,
    fails: bool,
}

impl Read for ReaderInPieces<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.fails = !self.fails;
        if self.fails {
            let interrupted = self.rest.len().is_multiple_of(2);
            let kinds = [io::ErrorKind::WouldBlock, io::ErrorKind::Interrupted];
            return Err(kinds[usize::from(interrupted)].into());
        }
        let len = self.piece.min(to.len());
        self.rest.read(&mut to[..len])
    }
}

/// Asserts that a truncated file yields only packets before the cut, and yields all of these
/// packets if there is no error.
fn check_truncated(data: &[u8], limits: Limits, packets: &[LocatedPacket]) {
    for len in (0..data.len()).step_by(data.len() / 6 + 1) {
        let (before_cut, end) = read(&data[..len], data, limits);
        let complete = packets.iter().filter(|packet| packet.range.end <= len).count();
        assert!(before_cut.len() <= complete && packets.starts_with(&before_cut));
        // A pcapng block continues after the bytes of its packet. If the block is cut there, the
        // packet is not returned, and the reader returns an error.
        assert!(before_cut.len() == complete || end.is_err());
        if let Err(error) = end
            && let ErrorKind::CutOff { missing } = *error.kind()
        {
            assert!(missing > 0 && error.offset() <= len as u64);
        }
    }
}

/// Parses arbitrary bytes as a packet, with each of several link types.
pub fn segments(data: &[u8]) {
    for link_type in [0, 1, 12, 14, 101, 108, 113, 228, 229, 276, 147] {
        match segment(LinkType(link_type), data) {
            Ok(segment) => {
                let payload = match segment.transport {
                    Transport::Udp { payload } => payload,
                    Transport::Tcp(tcp) => tcp.payload,
                };
                let outside = data.as_ptr_range();
                let inside = payload.as_ptr_range();
                assert!(outside.start <= inside.start && inside.end <= outside.end);
                let (from, to) = (segment.source, segment.destination);
                assert_eq!(from.is_ipv4(), to.is_ipv4());
            }
            Err(Skipped::UnknownLink(other)) => assert_eq!((other.0, link_type), (147, 147)),
            Err(_) => {}
        }
    }
}
