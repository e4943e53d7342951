//! Bounds of capture files with many small or malformed records.

use crate::measure::{Entry, Family, Memory, SMALL_INPUT, consume, shape, without_allocation};
use crate::support::hostile::captures::{extension_headers, shapes};
use gamewire::capture::{Limits, LinkType, Reader, segment};
use std::hint::black_box;
use std::io::{self, Read};

fn family() -> Family {
    // The limit includes a buffer for the longest record (1 MiB), the buffer of 64 KiB that it
    // replaces, 32 bytes for each of 4,096 interfaces, and a reserve.
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
