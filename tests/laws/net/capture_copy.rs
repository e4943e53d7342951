//! Laws of copies of captures: a copy contains the packets of the capture, and the added comments
//! and packets.

use crate::support::net::captures::{self, LocatedPacket};
use gamewire::capture::{Additions, Copier, CopyError, ExportedPdu, Limits, Reader, Writer};
use std::io::Read;

/// Limits for reading copies, which have larger blocks and more interfaces than their originals.
const RECORD: u64 = 1 << 20;
const INTERFACES: usize = 1 << 12;

/// The fields of a packet, and its bytes.
type Fields<'a> = (Option<i64>, u16, u32, &'a [u8]);

/// Checks a copy of the capture `data`, which contains `packets` and is valid up to its end if
/// `is_valid` is `true`.
pub fn capture_copy(data: &[u8], limits: Limits, packets: &[LocatedPacket], is_valid: bool) {
    let expected: Vec<_> = packets.iter().map(|packet| fields(packet, data)).collect();
    let same = copy(data, limits, false);
    assert_eq!(read(&same, is_valid), expected);
    assert_eq!(copy(InPieces(data), limits, false), same);

    let added = copy(data, limits, true);
    let mut found = read(&added, is_valid).into_iter();
    for (number, (time, link_type, original_len, bytes)) in expected.into_iter().enumerate() {
        let mut copied = found.next().unwrap();
        // A block without a time has no place for a comment, so the copy uses a block with a time.
        copied.0 = time.and(copied.0);
        assert_eq!(copied, (time, link_type, original_len, bytes));
        let pdu = pdu(2 * number as u64 + 1);
        let time = Some(time.unwrap_or(0).max(0));
        assert_eq!(found.next(), Some((time, 252, pdu.len() as u32, &pdu[..])));
    }
    assert_eq!(found.next(), None);
}

fn fields<'a>(packet: &LocatedPacket, file: &'a [u8]) -> Fields<'a> {
    (packet.time, packet.link_type, packet.original_len, &file[packet.range.clone()])
}

/// Reads a copy with the oracle. The copy of a valid file must be valid.
fn read(file: &[u8], is_valid: bool) -> Vec<Fields<'_>> {
    let (packets, copy_is_valid) = captures::read(file, RECORD, INTERFACES);
    assert!(copy_is_valid || !is_valid);
    packets.iter().map(|packet| fields(packet, file)).collect()
}

/// Copies a capture. If `adds` is `true`, adds a comment and a PDU to each packet.
fn copy(input: impl Read, limits: Limits, adds: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let mut writer = Writer::new(&mut out);
    let mut copier = Copier::new(Reader::new(input).limits(limits), &mut writer);
    let mut additions = Additions::default();
    loop {
        let number = copier.next_number();
        let time = match copier.next_packet() {
            Ok(Some(packet)) => packet.time,
            Ok(None) | Err(CopyError::Read(_)) => break,
            Err(CopyError::Write(error)) => panic!("{error}"),
        };
        if adds {
            additions.comment("a comment, ähm");
            let pdu = pdu(number);
            additions.packet(time, &pdu, pdu.len() as u32);
            copier.add(&mut additions).unwrap();
        }
    }
    assert_eq!(copier.finish().unwrap(), 0);
    out
}

/// Returns the PDU that belongs to the packet with this number.
fn pdu(packet: u64) -> Vec<u8> {
    let pdu = ExportedPdu {
        dissector: "json",
        source: "[::1]:5".parse().unwrap(),
        destination: "10.0.0.1:6".parse().unwrap(),
        is_tcp: packet.is_multiple_of(2),
        packet: packet as u32,
        protocol: "Godot",
        info: "ähm",
    };
    let mut bytes = Vec::new();
    pdu.write_tags(&mut bytes);
    bytes.extend(packet.to_string().bytes());
    bytes
}

/// A reader that returns at most 7 bytes at a time.
struct InPieces<'a>(&'a [u8]);

impl Read for InPieces<'_> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let len = to.len().min(7);
        self.0.read(&mut to[..len])
    }
}
