//! Tests the bounds of capture files with many small or malformed records.

use crate::measure::{
    Entry, Family, Memory, SMALL_INPUT, consume, shape, with_memory, without_allocation,
};
use crate::support::hostile::captures::{FRAGMENT_LEN, extension_headers, fragments, shapes};
use gamewire::capture::{
    Additions, Copier, Limits, LinkType, Packet, Reader, Reassembler, Writer, segment,
};
use std::hint::black_box;
use std::io::{self, Read};

fn family() -> Family {
    // The limit includes a buffer for the longest record (1 MiB), the buffer of 64 KiB that it
    // replaces, 32 bytes for each of 4,096 interfaces, and a margin.
    let memory = Memory::PerByte(0, (1 << 20) + (256 << 10));
    let entries = vec![
        Entry { memory, ..without_allocation("capture::Reader", |bytes| read_all(bytes)) },
        Entry {
            memory,
            ..without_allocation("capture::Reader, byte by byte", |bytes| {
                read_all(ByteByByte(bytes))
            })
        },
    ];
    Family {
        entries,
        shapes: shapes(),
        max_instructions_per_byte: 5_000.0,
        small_input: SMALL_INPUT,
    }
}

#[test]
fn work() {
    family().assert_work("net::files::work");
}

#[test]
fn memory() {
    family().assert_memory();
}

/// A reader that returns one byte at a time.
struct ByteByByte<'a>(&'a [u8]);

impl Read for ByteByByte<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let len = to.len().min(1);
        self.0.read(&mut to[..len])
    }
}

fn read_all(input: impl Read) {
    let mut reader = Reader::new(input).limits(Limits::default());
    let mut found = 0;
    while let Ok(Some(packet)) = reader.next_packet() {
        found += usize::from(packet.segment().is_ok());
    }
    black_box(found);
}

/// Returns the entry point that copies a capture, and adds a comment and a packet to each packet.
fn copies() -> Family {
    let copy = with_memory("capture::Copier", 0, |bytes| {
        let mut writer = Writer::new(io::sink());
        let mut copier = Copier::new(Reader::new(bytes), &mut writer);
        let mut additions = Additions::default();
        while let Ok(Some(packet)) = copier.next_packet() {
            let time = packet.time;
            additions.comment("a comment");
            additions.packet(time, b"a packet", 8);
            consume(copier.add(&mut additions).is_ok());
        }
        consume(copier.finish().is_ok());
    });
    // The reader's memory, a second record of 1 MiB, and a block of 64 KiB.
    let memory = Memory::PerByte(0, (2 << 20) + (512 << 10));
    Family {
        entries: vec![Entry { memory, ..copy }],
        shapes: shapes(),
        max_instructions_per_byte: 5_000.0,
        small_input: SMALL_INPUT,
    }
}

#[test]
fn copies_work() {
    copies().assert_work("net::files::copies_work");
}

#[test]
fn copies_memory() {
    copies().assert_memory();
}

/// Returns the entry point that parses a single packet, and the shapes of such packets.
fn segments() -> Family {
    let entries = vec![without_allocation("capture::segment", |bytes| {
        consume(segment(LinkType(1), bytes).is_ok())
    })];
    let shapes = vec![
        shape("extension headers", extension_headers),
        shape("tags", |size| [vec![0; 12], [0x81, 0, 0, 7].repeat(size / 4)].concat()),
    ];
    Family { entries, shapes, max_instructions_per_byte: 1_000.0, small_input: SMALL_INPUT }
}

#[test]
fn segments_work() {
    segments().assert_work("net::files::segments_work");
}

#[test]
fn segments_memory() {
    segments().assert_memory();
}

/// Returns the entry point that puts fragments together, and the shapes of its input. The bound on
/// memory is the limit of the reassembler, plus memory for the table of packets and for the packet
/// that was completed last.
fn reassembly() -> Family {
    let entries = vec![Entry {
        memory: Memory::PerByte(0, (4 << 20) + (160 << 10)),
        ..without_allocation("capture::Reassembler", |bytes| {
            let mut reassembler = Reassembler::default();
            let mut complete = 0;
            for data in bytes.chunks_exact(FRAGMENT_LEN) {
                let link_type = LinkType::RAW;
                let packet = Packet { time: None, link_type, data, original_len: 0, offset: 0 };
                complete += usize::from(matches!(reassembler.segment(&packet), Ok(Some(_))));
            }
            black_box(complete);
        })
    }];
    let shapes = vec![
        shape("the ends of many packets", |size| fragments(size, |n| (n as u16, 8190))),
        shape("the blocks of a packet", |size| {
            fragments(size, |n| ((n / 8191) as u16, (n % 8191) as u16))
        }),
        shape("the blocks of a packet from its end", |size| {
            fragments(size, |n| ((n / 8191) as u16, 8190 - (n % 8191) as u16))
        }),
        shape("a fragment again and again", |size| fragments(size, |_| (1, 8190))),
        shape("fragments of packets in turn", |size| {
            fragments(size, |n| ((n % 64) as u16, (n / 64) as u16 % 8191))
        }),
    ];
    Family { entries, shapes, max_instructions_per_byte: 5_000.0, small_input: SMALL_INPUT }
}

#[test]
fn reassembly_work() {
    reassembly().assert_work("net::files::reassembly_work");
}

#[test]
fn reassembly_memory() {
    reassembly().assert_memory();
}
