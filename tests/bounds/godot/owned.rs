//! Tests the bounds of owned values, Rust types, patches, diffs and schemas.

use crate::measure::{
    Entry, Family, Memory, SMALL_INPUT, STACK, Shape, Work, consume, shape, with_memory,
    without_allocation,
};
use crate::support::hostile::godot as shapes;
use gamewire::godot::diff::diff;
use gamewire::godot::patch::Patch;
use gamewire::godot::schema::Schema;
use gamewire::godot::{
    self, Dialect, Dictionary, Encoded, Reader, Role, Variant, VariantRef, Writer, from_bytes,
};
use serde::de::IgnoredAny;
use std::convert::Infallible;
use std::hint::black_box;

/// Size of the stack for cases in which serde recurses through up to 128 levels of a Rust type.
const RECURSIVE_STACK: usize = 4 << 20;

fn owned() -> Family {
    let recursive = |entry: Entry| Entry { stack: RECURSIVE_STACK, ..entry };
    let entries = vec![
        with_memory("to_variant", 60, |bytes| consume(variant(bytes))),
        with_memory("Variant::to_bytes", 60, |bytes| {
            let Some(value) = variant(bytes) else { return };
            consume(value.to_bytes(Dialect::Godot4));
            consume(value.to_bytes(Dialect::Godot3));
        }),
        with_memory("Variant::clone", 110, |bytes| consume(variant(bytes).clone())),
        with_memory("Variant::at", 60, |bytes| {
            let Some(value) = variant(bytes) else { return };
            black_box(value.at("0/0/0/0/no such key").is_some());
        }),
        with_memory("Variant by serde", 60, |bytes| {
            consume(from_bytes::<Variant>(bytes));
        }),
        with_memory("IgnoredAny by serde", 0, |bytes| {
            consume(from_bytes::<IgnoredAny>(bytes));
        }),
        // Input that is nested too deeply causes an error. The path in the error has up to 128
        // levels, and building this path takes additional work.
        recursive(Entry {
            work: Work::AtMost(3_000.0),
            ..with_memory("a type inside itself by serde", 60, |bytes| {
                consume(from_bytes::<serde_json::Value>(bytes));
            })
        }),
        recursive(Entry {
            work: Work::AtMost(60_000.0),
            memory: Memory::PerByte(0, 32 << 10),
            ..without_allocation("a view by serde", |bytes| {
                let Ok(value) = reader(bytes).read() else { return };
                consume(serde_json::to_writer(std::io::sink(), &value));
            })
        }),
        with_memory("Writer::put for Godot 3", 8, |bytes| {
            let Some(value) = encoded(bytes) else { return };
            consume(Writer::new(Vec::new(), Dialect::Godot3).put(value));
        }),
        with_memory("Patch", 2, patch),
        Entry { memory: Memory::PerByte(15, 512 << 10), ..without_allocation("Schema", schema) },
    ];
    Family {
        entries,
        shapes: shapes::valid(),
        max_instructions_per_byte: 10_000.0,
        small_input: SMALL_INPUT,
    }
}

#[test]
fn sound_shapes_can_be_read() {
    for Shape { name, make } in shapes::valid() {
        for size in [1 << 10, 4 << 10, 64 << 10] {
            let packet = make(size);
            assert_eq!(reader(&packet).skip(), Ok(()), "{name}, {size}");
            assert!(variant(&packet).is_some(), "{name}, {size}");
        }
    }
}

#[test]
fn owned_work() {
    owned().assert_work("godot::owned::owned_work");
}

#[test]
fn owned_values_memory() {
    owned().assert_memory();
}

/// Returns operations on a `Variant` that has as many levels as the input has bytes.
fn built() -> Family {
    let entries = vec![
        with_memory("dropping a deep Variant", 300, |bytes| drop(deep(bytes))),
        with_memory("cloning a deep Variant", 600, |bytes| consume(deep(bytes).clone())),
        with_memory("comparing deep Variants", 600, |bytes| {
            black_box(deep(bytes) == deep(bytes));
        }),
        with_memory("writing a deep Variant", 300, |bytes| {
            consume(deep(bytes).to_bytes(Dialect::Godot4));
        }),
        with_memory("printing a deep Variant", 300, |bytes| consume(deep(bytes).to_string())),
    ];
    Family {
        entries,
        shapes: vec![shape("levels", |size| vec![0; size])],
        max_instructions_per_byte: 50_000.0,
        small_input: SMALL_INPUT,
    }
}

#[test]
fn built_work() {
    built().assert_work("godot::owned::built_work");
}

#[test]
fn built_values_memory() {
    built().assert_memory();
}

fn deep(bytes: &[u8]) -> Variant {
    bytes.iter().fold(Variant::NIL, |inner, _| Dictionary::from_iter([(1, inner)]).into())
}

fn differing() -> Family {
    let entries = vec![Entry { stack: STACK, ..with_memory("diff", 50, differences) }];
    Family {
        entries,
        shapes: pairs(),
        max_instructions_per_byte: 10_000.0,
        small_input: SMALL_INPUT,
    }
}

#[test]
fn differing_work() {
    differing().assert_work("godot::owned::differing_work");
}

#[test]
fn diff_memory() {
    differing().assert_memory();
}

/// Returns shapes of two consecutive values. Depending on the shape, the two values are equal, have
/// different lengths, have the same keys in a different order, or differ in every element.
fn pairs() -> Vec<Shape> {
    let same = shapes::valid()
        .into_iter()
        .map(|Shape { name, make }| shape(name, move |size| make(size / 2).repeat(2)));
    let other = shapes::valid().into_iter().map(|Shape { name, make }| {
        shape(name, move |size| [make(size / 2), make(size / 3)].concat())
    });
    let reordered = shape("keys in the other order", |size| {
        let key = |n: u32| shapes::words(&[shapes::INT, n, shapes::NIL]);
        let count = (size / 24) as u32;
        let old = shapes::dictionary_of(size / 2, |n| key(n as u32));
        [old, shapes::dictionary_of(size / 2, |n| key(count.wrapping_sub(n as u32)))].concat()
    });
    let changed = shape("every element has changed", |size| {
        let of = |value| shapes::array_of(&shapes::words(&[shapes::INT, value]), size / 2);
        [of(1), of(2)].concat()
    });
    same.chain(other).chain([reordered, changed]).collect()
}

fn reader(bytes: &[u8]) -> Reader<'_, 'static> {
    Reader::new(bytes, Dialect::Godot4)
}

fn encoded(bytes: &[u8]) -> Option<Encoded<'_>> {
    reader(bytes).read_encoded().ok()
}

fn variant(bytes: &[u8]) -> Option<Variant> {
    let value: VariantRef<'_> = reader(bytes).read().ok()?;
    value.to_variant().ok()
}

fn patch(bytes: &[u8]) {
    let mut bytes = bytes.to_vec();
    let Ok(mut patch) = Patch::new(&mut bytes, Dialect::Godot4) else { return };
    consume(patch.set("0/0/0/no such key", 1));
    let mut keys = 0;
    let each = |role, value: &mut Patch<'_>| {
        keys += usize::from(role == Role::Key && value.offset() > 0);
        Ok::<_, godot::Error>(())
    };
    consume(patch.for_each(each));
    patch.fill(b'x');
    black_box(keys);
}

fn schema(bytes: &[u8]) {
    let Some(value) = encoded(bytes) else { return };
    let mut schema = Schema::new();
    consume(schema.add(value));
    let shape = schema.shape();
    black_box((shape.rows().len(), shape.to_rust("Packet").len()));
}

fn differences(bytes: &[u8]) {
    let mut reader = reader(bytes);
    let (Ok(old), Ok(new)) = (reader.read_encoded(), reader.read_encoded()) else { return };
    let mut count = 0;
    let result = diff(old, new, |change| {
        count += change.path.segments().len();
        Ok::<(), Infallible>(())
    });
    black_box((result, count));
}
