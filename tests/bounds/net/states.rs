//! Tests the bounds of restoring the state of conversations from arbitrary bytes.

use crate::measure::{Entry, Family, Memory, SMALL_INPUT, without_allocation};
use crate::support::hostile::states::shapes;
use gamewire::traffic::{Conversations, Options};
use std::hint::black_box;

fn family() -> Family {
    // The constant is the limit on the memory of conversations, and that of a pair of addresses that
    // is being restored.
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

#[test]
fn work() {
    family().assert_work("net::states::work");
}

#[test]
fn memory() {
    family().assert_memory();
}

/// All shapes but those that exceed a limit are valid states.
#[test]
fn shapes_are_restored() {
    for shape in shapes() {
        let is_valid = shape.name != "a false count";
        assert_eq!(restore(&(shape.make)(1000)).is_some(), is_valid, "{}", shape.name);
    }
}
