//! Tests the bounds of the search for values in arbitrary bytes.

use crate::measure::Shape;
use crate::measure::{Family, consume, shape, without_allocation};
use crate::support::hostile::godot as shapes;
use crate::support::hostile::godot::{ARRAY, DICTIONARY, INT, STRING, string, words};
use gamewire::godot::find::Finder;

/// Header of a packed array of strings.
const STRINGS: u32 = 34;

/// Returns bytes in which many long values begin, none of which is complete.
fn broken_values() -> Vec<Shape> {
    let nested = |head: &[u32], size: usize| {
        let count = (size / 4) as u32;
        let head: Vec<u32> =
            head.iter().map(|word| if *word == 0 { count / 64 } else { *word }).collect();
        words(&head).repeat(size / 4 / head.len())
    };
    vec![
        shape("arrays that break off", move |size| nested(&[ARRAY, 0], size)),
        shape("dictionaries that break off", move |size| nested(&[DICTIONARY, 0, INT, 5], size)),
        shape("arrays of ints that break off", |size| {
            let head = words(&[ARRAY, (size / 16) as u32]).repeat(size / 32);
            [head, words(&[INT, 7]).repeat(size / 16)].concat()
        }),
        shape("packed strings that break off", |size| {
            let head = words(&[STRINGS, (size / 16) as u32, 3, 0x0063_6261]);
            head.repeat(size / 16)
        }),
        shape("long texts in texts", |size| words(&[STRING, (size / 4) as u32]).repeat(size / 8)),
        shape("long texts that are not UTF-8", |size| {
            let head = words(&[STRING, (size / 4) as u32]).repeat(size / 16);
            [head, vec![b'a'; size / 4], vec![0xFF; size / 4]].concat()
        }),
        shape("frames in frames", |size| {
            let lens = (0..size as u32 / 16)
                .map(|n| [(size as u32 - 16 * n).saturating_sub(20), ARRAY, 1, 1]);
            words(&lens.flatten().collect::<Vec<_>>())
        }),
        shape("frames of the same length", |size| {
            words(&[size as u32 / 4 * 2, ARRAY, size as u32 / 8, 0]).repeat(size / 16)
        }),
        shape("frames of ints", |size| words(&[8, INT, 5]).repeat(size / 12)),
        shape("small integers", |size| {
            let word = |n: usize| (n * n % 29) as u32;
            words(&(0..size / 4).map(word).collect::<Vec<_>>())
        }),
        shape("zeros", |size| vec![0; size]),
        shape("one long text", |size| string(&vec![b'a'; size])),
    ]
}

fn family() -> Family {
    let names = ["arrays that claim all the rest", "comb of dictionaries", "nulls"];
    let mut shapes = shapes::all();
    shapes.retain(|shape| names.contains(&shape.name));
    shapes.extend(broken_values());
    Family {
        entries: vec![without_allocation("Finder", |bytes| consume(Finder::new(bytes).count()))],
        shapes,
        max_instructions_per_byte: 30_000.0,
        small_input: 4 << 10,
    }
}

#[test]
fn work() {
    family().assert_work("godot::finding::work");
}

#[test]
fn memory() {
    family().assert_memory();
}
