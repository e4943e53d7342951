//! Tests the bounds of restoring states from arbitrary bytes.

use crate::measure::{Entry, Family, Memory, SMALL_INPUT, without_allocation};
use crate::support::hostile::states::{fragments, shapes};
use gamewire::capture::{Reassembler, ReassemblyLimits};
use gamewire::traffic::{Conversations, Options};
use std::hint::black_box;

fn family() -> Family {
    // The constant is the memory limit of conversations, plus the memory of one pair of addresses
    // that is being restored.
    let memory = Memory::PerByte(60, (64 << 20) + (2 << 20));
    let restoring = without_allocation("Conversations::restore", |bytes| {
        black_box(restore(bytes));
    });
    Family {
        entries: vec![Entry { memory, ..restoring }],
        shapes: shapes(),
        max_instructions_per_byte: 20_000.0,
        small_input: SMALL_INPUT,
    }
}

fn restore(bytes: &[u8]) -> Option<usize> {
    let mut deserializer = postcard::Deserializer::from_bytes(bytes);
    let restored = Conversations::restore(Options::default(), &mut deserializer);
    restored.ok().map(|conversations| conversations.memory())
}

/// States of a reassembler.
fn fragment_family() -> Family {
    let memory = Memory::PerByte(60, (4 << 20) + (128 << 10));
    let restoring = without_allocation("Reassembler::restore", |bytes| {
        black_box(restore_fragments(bytes));
    });
    let entries = vec![Entry { memory, ..restoring }];
    Family { entries, shapes: fragments(), ..family() }
}

fn restore_fragments(bytes: &[u8]) -> Option<usize> {
    let mut deserializer = postcard::Deserializer::from_bytes(bytes);
    let restored = Reassembler::restore(ReassemblyLimits::default(), &mut deserializer);
    restored.ok().map(|reassembler| reassembler.memory())
}

#[test]
fn fragments_work() {
    fragment_family().assert_work("net::states::fragments_work");
}

#[test]
fn fragments_memory() {
    fragment_family().assert_memory();
}

#[test]
fn work() {
    family().assert_work("net::states::work");
}

#[test]
fn memory() {
    family().assert_memory();
}

/// With few bytes, all shapes except a false count are valid states within the limits.
#[test]
fn shapes_are_restored() {
    for shape in shapes() {
        let is_valid = shape.name != "a false count";
        assert_eq!(restore(&(shape.make)(1000)).is_some(), is_valid, "{}", shape.name);
    }
    for shape in fragments() {
        assert!(restore_fragments(&(shape.make)(1000)).is_some(), "{}", shape.name);
    }
}
