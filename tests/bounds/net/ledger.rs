//! Tests the bounds of a ledger during a flood of packets.

use super::conversation::for_each_segment;
use crate::measure::{Entry, Family, Memory, SMALL_INPUT, without_allocation};
use crate::support::hostile::conversation::shapes;
use gamewire::capture::{LinkType, Packet};
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Conversations, Ledger, LedgerLimits};
use std::hint::black_box;

fn family() -> Family {
    // The bound on memory is the bound of the conversations, plus the memory for the rows, peers
    // and buckets of the ledger.
    let conversations = (64 << 20) + (8 << 20);
    let ledger = (4 << 20) + (1 << 20);
    let entries = vec![Entry {
        memory: Memory::PerByte(0, conversations + ledger),
        ..without_allocation("Ledger", receive)
    }];
    Family {
        entries,
        shapes: shapes(),
        max_instructions_per_byte: 60_000.0,
        small_input: SMALL_INPUT,
    }
}

#[test]
fn work() {
    family().assert_work("net::ledger::work");
}

#[test]
fn memory() {
    family().assert_memory();
}

/// Passes the packets in the input to a ledger. The time of each packet is one second after that of
/// the previous packet, so that the buckets of the time series are merged, too.
fn receive(input: &[u8]) {
    let (mut conversations, mut ledger) =
        (Conversations::default(), Ledger::new(LedgerLimits::default()));
    let (names, mut time) = (MethodNames::default(), 0);
    for_each_segment(input, |segment| {
        let data = segment.transport.payload();
        let (link_type, original_len) = (LinkType::RAW, data.len() as u32);
        let packet = Packet { time: Some(time), link_type, data, original_len, offset: 0 };
        ledger.packet(&packet, &Ok(Some(*segment)), conversations.breakdown());
        conversations.segment(None, segment, &mut |record| ledger.record(record, &names));
        time += 1_000_000_000;
    });
    conversations.finish(&mut |record| ledger.record(record, &names));
    ledger.finish(conversations.breakdown(), 0);
    black_box(ledger.rows().len());
}
