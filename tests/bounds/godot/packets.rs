//! Tests the bounds of multiplayer packets, and of the compact values in them.

use crate::measure::{Family, SMALL_INPUT, Shape, consume, shape, without_allocation};
use crate::support::hostile::godot::{ARRAY, NIL, words};
use gamewire::godot::compact::CompactReader;
use gamewire::godot::multiplayer::{Run, godot3, godot4};
use std::hint::black_box;

fn family() -> Family {
    let entries = vec![
        without_allocation("CompactReader", |bytes| {
            black_box(CompactReader::new(bytes).flatten().count());
        }),
        without_allocation("Run::check", |bytes| {
            let run = Run::compact(bytes);
            consume((run.check().is_ok(), run.leaked(), run.iter().has_next()));
        }),
        without_allocation("multiplayer::godot4", |bytes| {
            let Ok(packet) = godot4::Packet::parse(bytes) else { return };
            consume(match &packet {
                godot4::Packet::Call(call) => call.arguments.check().is_ok(),
                godot4::Packet::Spawn(spawn) => spawn.state.check().is_ok(),
                godot4::Packet::Sync(sync) => {
                    sync.records.into_iter().flatten().all(|record| record.state.check().is_ok())
                }
                godot4::Packet::Delta(delta) => {
                    delta.records.into_iter().flatten().all(|record| record.state.check().is_ok())
                }
                godot4::Packet::System(godot4::System::Relay(relay)) => relay.packet().is_ok(),
                _ => true,
            });
        }),
        without_allocation("multiplayer::godot3", |bytes| {
            let Ok(packet) = godot3::Packet::parse(bytes) else { return };
            consume(match packet {
                godot3::Packet::Call(call) => call.arguments.check().is_ok(),
                godot3::Packet::Set(set) => set.value.check().is_ok(),
                _ => true,
            });
        }),
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
    family().assert_work("godot::packets::work");
}

#[test]
fn memory() {
    family().assert_memory();
}

fn shapes() -> Vec<Shape> {
    let after_head = |name, head: &'static [u8], piece: &'static [u8]| {
        shape(name, move |size| [head, &piece.repeat(size / piece.len())].concat())
    };
    let deep = |name, head: &'static [u8]| {
        shape(name, move |size| {
            let depth = (size / 8).min(1000);
            let one = [words(&[ARRAY, 1]).repeat(depth), words(&[NIL])].concat();
            [head.to_vec(), one.repeat((size / one.len()).max(1))].concat()
        })
    };
    vec![
        after_head("truths", b"", &[0x81]),
        after_head("ints of a byte", b"", &[2, 5]),
        after_head("nulls", b"", &[0, 0, 0, 0]),
        after_head("a call with many arguments", &[0x00, 1, 2, 255], &[0x81]),
        after_head("a call with raw arguments", &[0x08, 1, 2, 255], &[2, 5]),
        after_head("relays in relays", b"", &[0x07, 4, 2, 0, 0, 0]),
        after_head("a spawn with much state", &[0x04, 5, 0, 0, 0, 1, 0, 0, 0, 1], &[0; 4]),
        after_head("records of nothing", &[0x06, 1, 0], &[1, 0, 0, 0, 0, 0, 0, 0]),
        after_head("records of a byte", &[0x06, 1, 0], &[1, 0, 0, 0, 1, 0, 0, 0, 0x81]),
        after_head("changes of nothing", &[0x16, 1, 0], &[0; 20]),
        after_head("a path of Godot 3", &[0x01, 5, 0, 0, 0], b"a/"),
        after_head(
            "a call of Godot 3",
            &[0x00, 0, 0, 0, 0, b'a', 0, 255],
            &[2, 0, 0, 0, 5, 0, 0, 0],
        ),
        after_head("a long name", &[0x00, 0, 0, 0, 0x80], b"a"),
        deep("deep arrays", b""),
        deep("deep arrays in a call", &[0x00, 1, 2, 1]),
    ]
}
