//! The packets of each panel, and the operations measured on them.

use super::checksum::Checksum;
use super::packets::{WAYS, Way, nested, reader, through_views};
use super::shapes;
use gamewire::godot::{Dialect, NodePath, VariantRef, Writer};
use std::hint::black_box;

/// A panel of the plot: packets that differ in only one number, such as the depth.
pub struct Panel {
    pub name: &'static str,
    /// Name of the number that differs.
    pub number: &'static str,
    pub numbers: &'static [usize],
    /// Base of the logarithmic axis.
    pub base: f64,
    pub packet: fn(usize) -> Vec<u8>,
    pub ways: &'static [(&'static str, Way)],
}

const SKIP: (&str, Way) = WAYS[0];
const VALIDATE: (&str, Way) = WAYS[1];
const TRAVERSE: (&str, Way) = WAYS[3];
const VIEWS: (&str, Way) = ("nested views", views);
const LAST_KEY: (&str, Way) = ("read, get the last key", last_key);

/// Operations that pass over the packet once.
pub const PASSES: [(&str, Way); 3] = [SKIP, VALIDATE, TRAVERSE];

/// All operations, in the order of the legend.
pub const ALL: [(&str, Way); 5] = [SKIP, VALIDATE, TRAVERSE, VIEWS, LAST_KEY];

const LENGTHS: &[usize] =
    &[0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 32, 64, 128, 256, 1024, 4096, 16_384, 65_536];

pub const PANELS: [Panel; 8] = [
    Panel {
        name: "1,024 ints in nested arrays",
        number: "levels",
        base: 2.0,
        numbers: &[1, 2, 4, 8, 16, 31, 32, 33, 34, 48, 64, 128, 256, 512, 1024],
        packet: |levels| nested(levels, 1024),
        ways: &[SKIP, VALIDATE, TRAVERSE, VIEWS],
    },
    Panel {
        name: "An array at a level, full of one-item arrays",
        number: "level",
        base: 2.0,
        numbers: &[1, 2, 4, 8, 16, 30, 31, 32, 33, 34, 48, 64, 128, 256, 512, 1023],
        packet: shapes::comb_of_arrays,
        ways: &PASSES,
    },
    Panel {
        name: "An array of alternating ints, floats and strings",
        number: "elements",
        base: 10.0,
        numbers: &[10, 32, 100, 316, 1000, 3162, 10_000, 31_623, 100_000, 316_228, 1_000_000],
        packet: wide,
        ways: &[SKIP, VALIDATE, TRAVERSE, VIEWS],
    },
    Panel {
        name: "A dictionary of ints",
        number: "keys",
        base: 10.0,
        numbers: &[1, 3, 10, 32, 100, 316, 1000, 3162, 10_000, 31_623, 100_000],
        packet: keys,
        ways: &[SKIP, VALIDATE, TRAVERSE, LAST_KEY],
    },
    Panel {
        name: "ASCII strings",
        number: "bytes each (at the left edge: none)",
        base: 2.0,
        numbers: LENGTHS,
        packet: |len| texts(&"a".repeat(len)),
        ways: &PASSES,
    },
    Panel {
        name: "Strings that end with a two-byte character",
        number: "bytes each (at the left edge: none)",
        base: 2.0,
        numbers: LENGTHS,
        packet: |len| match len.checked_sub(2) {
            Some(ascii) => texts(&format!("{}é", "a".repeat(ascii))),
            None => texts(&"a".repeat(len)),
        },
        ways: &PASSES,
    },
    Panel {
        name: "An array of one-int arrays",
        number: "containers",
        base: 2.0,
        numbers: &[
            512, 768, 1000, 1022, 1023, 1024, 1025, 1026, 1536, 2046, 2047, 2048, 2049, 2050, 3072,
            4095, 4096, 4097, 6144, 8192,
        ],
        packet: |count| shapes::arrays_of_one(count).0,
        ways: &[SKIP, VALIDATE, TRAVERSE, VIEWS],
    },
    Panel {
        name: "A NodePath of one-letter names",
        number: "names",
        base: 10.0,
        numbers: &[1, 3, 10, 32, 100, 316, 1000, 3162, 10_000, 31_623, 100_000],
        packet: |names| {
            written(|writer| writer.put(NodePath(&vec!["a"; names].join("/"))).unwrap())
        },
        ways: &PASSES,
    },
];

fn views(packet: &[u8]) -> bool {
    let Ok(value) = reader(packet).read() else { return false };
    let mut sum = Checksum::default();
    through_views(value, &mut sum);
    black_box(sum.0);
    true
}

const LAST: &str = "the_last_key";

fn last_key(packet: &[u8]) -> bool {
    let Ok(VariantRef::Dictionary(dictionary)) = reader(packet).read() else { return false };
    dictionary.get(LAST).and_then(|value| value.as_i64()).is_some()
}

fn written(write: impl FnOnce(&mut Writer<&mut Vec<u8>>)) -> Vec<u8> {
    let mut packet = Vec::new();
    write(&mut Writer::new(&mut packet, Dialect::Godot4));
    packet
}

fn wide(elements: usize) -> Vec<u8> {
    written(|writer| {
        let mut items = writer.array(elements).unwrap();
        for n in 0..elements {
            match n % 3 {
                0 => items.put(n as i64).unwrap(),
                1 => items.put(n as f64).unwrap(),
                _ => items.put("idle").unwrap(),
            }
        }
        items.finish().unwrap();
    })
}

fn keys(keys: usize) -> Vec<u8> {
    written(|writer| {
        let mut pairs = writer.dictionary(keys).unwrap();
        for n in 1..keys {
            pairs.entry(format!("key_{n:06}").as_str(), n as i64).unwrap();
        }
        pairs.entry(LAST, keys as i64).unwrap();
        pairs.finish().unwrap();
    })
}

/// Makes an array of as many copies of a string as fit in a packet of [`shapes::SIZE`] bytes.
fn texts(text: &str) -> Vec<u8> {
    let count = (shapes::SIZE / (text.len() + 8)).max(1);
    written(|writer| {
        let mut items = writer.array(count).unwrap();
        (0..count).for_each(|_| items.put(text).unwrap());
        items.finish().unwrap();
    })
}
