//! Tests the bounds of conversations during a flood of packets.

use crate::measure::{Entry, Family, Memory, SMALL_INPUT, without_allocation};
use crate::support::hostile::conversation::{HEADER_LEN, shapes};
use gamewire::capture::{Segment, Transport};
use gamewire::traffic::diagnosis::Diagnoser;
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Conversations, Limits, Options};
use gamewire::transport::tcp::{self, Flags as TcpFlags};
use std::hint::black_box;
use std::net::SocketAddr;

fn family() -> Family {
    // The bound on memory is the limit for waiting data, plus the memory that this limit does not
    // include: the tables, a range coder, and the state of each pair of addresses.
    let entries = vec![
        Entry {
            memory: Memory::PerByte(0, (64 << 20) + (8 << 20)),
            ..without_allocation("Conversations", |bytes| receive(bytes, Limits::default()))
        },
        Entry {
            memory: Memory::PerByte(0, LOW_MEMORY + (1 << 20)),
            ..without_allocation("Conversations, with little room", |bytes| {
                receive(bytes, Limits { memory: LOW_MEMORY, flows: 16, ..Limits::default() })
            })
        },
        Entry { memory: Memory::PerByte(0, 24 << 20), ..without_allocation("Diagnoser", diagnose) },
    ];
    Family {
        entries,
        shapes: shapes(),
        max_instructions_per_byte: 60_000.0,
        small_input: SMALL_INPUT,
    }
}

const LOW_MEMORY: usize = 1 << 20;

#[test]
fn work() {
    family().assert_work("net::conversation::work");
}

#[test]
fn memory() {
    family().assert_memory();
}

fn receive(input: &[u8], limits: Limits) {
    let mut options = Options::default();
    options.limits = limits;
    let mut conversations = Conversations::new(options);
    let mut records = 0;
    for_each_segment(input, |segment| {
        conversations.segment(None, segment, &mut |_| records += 1);
    });
    conversations.finish(&mut |_| records += 1);
    black_box(records);
}

/// Diagnoses the input with ten lists of method names. Each list has one name more than the list
/// before it.
fn diagnose(input: &[u8]) {
    let mut names = MethodNames::default();
    for number in 0..10 {
        names.add(None, (0..number).map(|name| format!("method_{name}")));
    }
    let mut diagnoser = Diagnoser::new(&names);
    let mut options = Options::default();
    options.limits.memory = LOW_MEMORY;
    let mut conversations = Conversations::new(options);
    let mut time = 0;
    for_each_segment(input, |segment| {
        time += 1_000_000;
        diagnoser.packet(Some(time), &Ok(*segment));
        conversations.observe(Some(time), segment, &mut |observed| diagnoser.observed(observed));
    });
    conversations.finish(&mut |record| diagnoser.record(record));
    black_box(diagnoser.finish());
}

/// Passes each segment of the input to `each`.
pub fn for_each_segment(mut input: &[u8], mut each: impl FnMut(&Segment<'_>)) {
    while let Some((header, rest)) = input.split_first_chunk::<HEADER_LEN>() {
        let word = |at: usize| u32::from_le_bytes(header[at..][..4].try_into().unwrap());
        let (payload, rest) = rest.split_at(usize::from(header[11]) | usize::from(header[12]) << 8);
        let client =
            SocketAddr::from(((word(0) >> 12 | 10 << 24).to_be_bytes(), word(0) as u16 | 1 << 12));
        let server = SocketAddr::from(([10, 255, 0, 1], 7000));
        let transport = match header[4] {
            0 => Transport::Udp { payload },
            _ => Transport::Tcp(tcp::Segment {
                sequence: word(7),
                flags: TcpFlags(header[6]),
                payload,
                acknowledgement: 0,
            }),
        };
        let (source, destination) =
            if header[5] == 0 { (client, server) } else { (server, client) };
        each(&Segment { source, destination, transport });
        input = rest;
    }
}
