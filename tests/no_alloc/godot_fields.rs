//! Asserts that structs that list their fields are read and written without allocating.

use crate::counting;
use gamewire::SliceSink;
use gamewire::godot::{Dialect, Reader, Writer};
use unit::{UNIT, packet, pairs, put};

#[path = "../godot/fields/unit.rs"]
mod unit;

#[test]
fn fields_do_not_allocate() {
    let in_order = put(UNIT, Dialect::Godot4);
    let mut others = pairs();
    others.reverse();
    let by_name = packet(&others, Dialect::Godot4);
    for packet in [&in_order, &by_name] {
        counting::without_allocating("read", || {
            assert_eq!(Reader::new(packet, Dialect::Godot4).read_fields(), Ok(UNIT));
        });
    }
    let mut memory = vec![0; in_order.len()];
    counting::without_allocating("written", || {
        Writer::new(SliceSink::new(&mut memory), Dialect::Godot4).put(UNIT).unwrap();
    });
    assert_eq!(memory, in_order);
}
