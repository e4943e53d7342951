//! Tests the blocks of copies of captures. The laws of captures test their packets.

use crate::support::net::captures::{self, ORDERS, Order, block, interface_block, section};
use gamewire::capture::{Additions, Copier, Interface, LinkType, PacketRecord, Reader, Writer};

/// Copies a capture, and calls `add` after each packet.
fn copy(file: &[u8], mut add: impl FnMut(usize, &mut Additions)) -> Vec<u8> {
    let mut out = Vec::new();
    let mut writer = Writer::new(&mut out);
    let mut copier = Copier::new(Reader::new(file), &mut writer);
    let mut additions = Additions::default();
    let mut packets = 0;
    while copier.next_packet().unwrap().is_some() {
        add(packets, &mut additions);
        copier.add(&mut additions).unwrap();
        packets += 1;
    }
    copier.finish().unwrap();
    out
}

fn option(code: u16, value: &[u8], order: Order) -> Vec<u8> {
    let mut option = [order.u16(code), order.u16(value.len() as u16)].concat();
    option.extend(value);
    option.resize(option.len().next_multiple_of(4), 0);
    option
}

/// Returns a block with a packet of 5 bytes. `interface` is the bytes of the first field.
fn packet(kind: u32, interface: [u8; 4], options: &[u8], order: Order) -> Vec<u8> {
    let words = [7, 8, 5, 9].map(|word| order.u32(word)).concat();
    block(kind, &[&interface[..], &words, b"bytes\0\0\0", options].concat(), order)
}

/// Returns the interface of a block of kind 2, and its number of dropped packets.
fn interface_and_drops(interface: u16, order: Order) -> [u8; 4] {
    let [a, b] = order.u16(interface);
    let [c, d] = order.u16(3);
    [a, b, c, d]
}

/// A comment precedes the options that a block already has. An added packet gets an interface, so
/// the numbers of later interfaces change. All other bytes stay the same.
#[test]
fn all_blocks_are_kept() {
    for order in ORDERS {
        let flags = [option(2, &order.u32(1), order), option(0, &[], order)].concat();
        let names = block(4, b"names of addresses  ", order);
        let statistics =
            |interface| block(5, &[order.u32(interface), [1; 4], [2; 4]].concat(), order);
        let file = [
            section(order),
            interface_block(1, None, 0, order),
            packet(6, order.u32(0), &flags, order),
            names.clone(),
            interface_block(1, Some(9), 0, order),
            packet(6, order.u32(1), &[], order),
            packet(2, interface_and_drops(1, order), &[], order),
            statistics(0),
            statistics(1),
        ];
        assert_eq!(copy(&file.concat(), |_, _| {}), file.concat());

        let comment = |text: &str| option(1, text.as_bytes(), order);
        let end = option(0, &[], order);
        let pdu_interface = {
            let mut body = [order.u16(252), order.u16(0)].concat();
            body.extend(order.u32(0));
            body.extend([option(9, &[9], order), end.clone()].concat());
            block(1, &body, order)
        };
        let pdu = [order.u32(1), order.u32(0), order.u32(5), order.u32(3), order.u32(4)].concat();
        let expected = [
            section(order),
            interface_block(1, None, 0, order),
            packet(6, order.u32(0), &[comment("0"), flags].concat(), order),
            pdu_interface,
            block(6, &[&pdu[..], b"pdu\0"].concat(), order),
            names,
            interface_block(1, Some(9), 0, order),
            packet(6, order.u32(2), &[comment("1"), comment("again"), end.clone()].concat(), order),
            packet(2, interface_and_drops(2, order), &[comment("2"), end].concat(), order),
            statistics(0),
            statistics(2),
        ];
        let copied = copy(&file.concat(), |packet, additions| {
            additions.comment(&packet.to_string());
            match packet {
                0 => additions.packet(Some(5), b"pdu", 4),
                1 => additions.comment("again"),
                _ => {}
            }
        });
        assert_eq!(copied, expected.concat());
    }
}

/// If a section states its length, its copy does not. Each section has its own interface for added
/// packets.
#[test]
fn sections() {
    let order = ORDERS[1];
    let mut first =
        captures::pcapng(&captures::packets("udp")[..2], captures::Block::Enhanced, None, order);
    let whole = first.clone();
    let len = first.len() as u64 - 28;
    first[16..24].copy_from_slice(&order.u64(len));
    assert_eq!(copy(&first, |_, _| {}), whole);

    let two = [first.clone(), first].concat();
    let copied = copy(&two, |_, additions| additions.packet(None, b"added", 5));
    let (packets, is_valid) = captures::read(&copied, 1 << 20, 8);
    let links: Vec<_> = packets.iter().map(|packet| packet.link_type).collect();
    assert!(is_valid);
    assert_eq!(links, [1, 252, 1, 252, 1, 252, 1, 252]);
}

/// A comment that is too long for an option is truncated between two characters. Comments that are
/// too long for a block are dropped.
#[test]
fn long_comments() {
    let mut out = Vec::new();
    let mut writer = Writer::new(&mut out);
    writer.section().unwrap();
    writer.interface(&Interface::new(LinkType::ETHERNET)).unwrap();
    let start = writer.get_mut().len();
    let text = "ä".repeat(40_000);
    let record = PacketRecord { time: 0, data: b"", original_len: 0 };
    writer.packet(0, &record, [&text[..]].into_iter()).unwrap();
    assert_eq!(out[start + 28..start + 32], [1, 0, 0xFE, 0xFF]);
    let (packets, is_valid) = captures::read(&out, 1 << 20, 8);
    assert!(packets.len() == 1 && is_valid);

    let mut additions = Additions::default();
    (0..10).for_each(|_| additions.comment(&text));
    assert_eq!(additions.dropped(), 4);
}

/// If the capture ends within a block, the copy contains the blocks before it. Comments that are
/// added at the end belong to the last packet.
#[test]
fn truncated_captures() {
    let file = captures::pcapng(
        &captures::packets("udp")[..2],
        captures::Block::Enhanced,
        None,
        ORDERS[0],
    );
    let mut out = Vec::new();
    let mut writer = Writer::new(&mut out);
    let mut copier = Copier::new(Reader::new(&file[..file.len() - 1]), &mut writer);
    assert!(copier.next_packet().unwrap().is_some());
    assert!(copier.next_packet().is_err());
    let mut additions = Additions::default();
    additions.comment("found at the end");
    copier.add(&mut additions).unwrap();
    assert_eq!(copier.finish().unwrap(), 0);
    let (packets, is_valid) = captures::read(&out, 1 << 20, 8);
    assert!(packets.len() == 1 && is_valid);
    assert!(out.windows(16).any(|bytes| bytes == b"found at the end"));
}

/// After the last packet has been written, its comments are dropped, and packets are added.
#[test]
fn additions_after_a_flush() {
    let file = captures::pcap(&captures::packets("udp")[..1], captures::Pcap::Nanos, ORDERS[0]);
    let mut out = Vec::new();
    let mut writer = Writer::new(&mut out);
    let mut copier = Copier::new(Reader::new(&file[..]), &mut writer);
    assert!(copier.next_packet().unwrap().is_some() && copier.is_drained());
    copier.flush().unwrap();
    let mut additions = Additions::default();
    additions.comment("too late");
    additions.packet(None, b"added", 5);
    copier.add(&mut additions).unwrap();
    assert_eq!(copier.next_number(), 3);
    assert_eq!(copier.finish().unwrap(), 1);
    let (packets, is_valid) = captures::read(&out, 1 << 20, 8);
    assert!(packets.len() == 2 && is_valid);
}

/// A packet cannot be added in the middle of a block, so it is dropped and counted.
#[test]
fn additions_in_a_truncated_block() {
    let order = ORDERS[0];
    let packets = &captures::packets("udp")[..1];
    let mut file = captures::pcapng(packets, captures::Block::Enhanced, None, order);
    file.extend(block(0xBAD, &vec![0; 200 << 10], order));
    file.truncate(file.len() - 1);
    let mut out = Vec::new();
    let mut writer = Writer::new(&mut out);
    let mut copier = Copier::new(Reader::new(&file[..]), &mut writer);
    assert!(copier.next_packet().unwrap().is_some());
    assert!(copier.next_packet().is_err());
    let mut additions = Additions::default();
    additions.packet(None, b"added", 5);
    copier.add(&mut additions).unwrap();
    assert_eq!(copier.finish().unwrap(), 1);
    assert!(!out.windows(5).any(|bytes| bytes == b"added"));
}
