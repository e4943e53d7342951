//! Tests the bounds of text saves, binary streams and containers of Rem's Engine.

use crate::measure::{
    Entry, Family, Memory, SMALL_INPUT, Shape, consume, shape, with_memory, without_allocation,
};
use crate::support::hostile::rems::{shapes, to_binary};
use gamewire::rems::{
    BinaryReader, BinaryWriter, Compared, Dialect, Era, Error, Item, ItemSource, Kind,
    OutputFormat, Part, PartSlice, Pointers, Scalar, Tables, TextReader, TextWriter, Value,
    Visitor, compress, decompress, from_items, rewrite, verify,
};
use serde::de::IgnoredAny;
use std::cell::RefCell;
use std::hint::black_box;

fn texts() -> Family {
    let entries = vec![
        without_allocation("TextReader::next", |text| read_all(&mut TextReader::new(text))),
        without_allocation("TextReader::visit", |text| {
            consume(TextReader::new(text).visit(&mut Everything).is_ok());
        }),
        without_allocation("TextReader::skip", |text| {
            let mut reader = TextReader::new(text);
            while let Ok(Some(_)) = reader.next() {
                if reader.skip().is_err() {
                    break;
                }
            }
        }),
        with_memory("Pointers::collect of a text", 50, |text| {
            collect_pointers(&mut TextReader::new(text), &mut TextReader::new(text));
        }),
        with_memory("rems::from_items of a text", 1, |text| {
            consume(from_items::<IgnoredAny>(&mut TextReader::new(text)).is_ok());
        }),
        Entry {
            stack: RECURSIVE_STACK,
            ..with_memory("a type inside itself, of a text", 240, |text| {
                consume(from_items::<serde_json::Value>(&mut TextReader::new(text)).is_ok());
            })
        },
        with_memory("rems::rewrite of a text", 6, |text| {
            let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
            consume(rewrite(&mut TextReader::new(text), &mut writer, consume).is_ok());
        }),
        // By default, the writer adds up to 16 MiB for omitted elements. Here, its limit is 0.
        with_memory("rems::convert of a text", 80, |text| consume(to_binary(text))),
        with_memory("rems::verify of a text", 106, |text| consume(verify_rewritten(text))),
    ];
    Family {
        entries,
        shapes: shapes(),
        max_instructions_per_byte: 12_000.0,
        small_input: SMALL_INPUT,
    }
}

/// A visitor that uses every number.
struct Everything;

impl Visitor<'_> for Everything {
    type Error = Error;

    fn parts(&mut self, _: Kind, parts: PartSlice<'_>) -> Result<(), Error> {
        black_box(parts);
        Ok(())
    }

    fn elements(&mut self, _: Kind, parts: PartSlice<'_>) -> Result<(), Error> {
        black_box(parts);
        Ok(())
    }
}

#[test]
fn texts_work() {
    texts().assert_work("rems::texts_work");
}

#[test]
fn texts_memory() {
    texts().assert_memory();
}

/// Stack size, in bytes, for a recursive type with 128 levels.
const RECURSIVE_STACK: usize = 2 << 20;

thread_local! {
    /// The caller's tables, which are reused for every file.
    static TABLES: RefCell<Tables> = RefCell::new(Tables::new());
}

fn binaries() -> Family {
    let entries = vec![
        // The tables need 20 bytes per byte of input, and twice as much while they grow.
        with_memory("BinaryReader::next", 40, |bytes| {
            with_reader(bytes, |reader| read_all(reader))
        }),
        with_memory("BinaryReader::visit", 40, |bytes| {
            with_reader(bytes, |reader| consume(reader.visit(&mut Everything).is_ok()));
        }),
        with_memory("BinaryReader::skip", 40, |bytes| {
            with_reader(bytes, |reader| {
                while let Ok(Some(_)) = reader.next() {
                    if reader.skip().is_err() {
                        break;
                    }
                }
            });
        }),
        with_memory("rems::from_items of a stream", 40, |bytes| {
            with_reader(bytes, |reader| consume(from_items::<IgnoredAny>(reader).is_ok()));
        }),
        with_memory("rems::rewrite of a stream", 100, |bytes| {
            with_reader(bytes, |reader| {
                let mut writer = BinaryWriter::new(Vec::new(), ERA);
                consume(rewrite(reader, &mut writer, consume).is_ok());
            });
        }),
    ];
    let streams = streams()
        .map(|Shape { name, make }| shape(name, move |size| to_binary(&make(size)).unwrap()));
    let damaged = self::streams().map(|Shape { name, make }| {
        shape(name, move |size| {
            let mut stream = to_binary(&make(size)).unwrap();
            stream.truncate(stream.len() / 8 * 7);
            stream
        })
    });
    let shapes = streams.chain(damaged).collect();
    Family { entries, shapes, max_instructions_per_byte: 12_000.0, small_input: SMALL_INPUT }
}

/// Rewrites a text save, and compares the result with the original.
fn verify_rewritten(text: &[u8]) -> Option<()> {
    let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
    rewrite(&mut TextReader::new(text), &mut writer, consume).ok()?;
    let written = writer.finish().ok()?;
    let (mut slots, mut others) = (Vec::new(), Vec::new());
    let before = Pointers::collect(&mut TextReader::new(text), &mut slots).ok()?;
    let after = Pointers::collect(&mut TextReader::new(&written), &mut others).ok()?;
    let before = Compared { items: &mut TextReader::new(text), pointers: &before };
    let after = Compared { items: &mut TextReader::new(&written), pointers: &after };
    let format = OutputFormat::Text(Dialect::Engine2026);
    verify(before, after, format, &mut |difference, at| consume((difference, at))).ok()
}

/// Returns the shapes whose text saves can be converted to streams of at least 100 bytes.
fn streams() -> impl Iterator<Item = Shape> {
    let is_convertible =
        |text: &Shape| to_binary(&(text.make)(SMALL_INPUT)).is_some_and(|bytes| bytes.len() > 99);
    shapes().into_iter().filter(is_convertible)
}

const ERA: Era = Era::October2024;

#[test]
fn binaries_work() {
    binaries().assert_work("rems::binaries_work");
}

#[test]
fn binaries_memory() {
    binaries().assert_memory();
}

fn containers() -> Family {
    let entries = vec![Entry {
        // The bound is the memory of the output, which needs up to three times the limit while it
        // grows, plus the memory of the inflater.
        memory: Memory::PerByte(0, 3 * LIMIT + (64 << 10)),
        ..without_allocation("rems::decompress", |bytes| consume(decompress(bytes, LIMIT).is_ok()))
    }];
    let shapes = vec![
        // Each byte of this input is decompressed to about a thousand bytes.
        shape("zeros", |_| compress(&vec![0; 2 * LIMIT], 1)),
        shape("what cannot be compressed", |size| {
            let mut state = 1_u32;
            let noise = (0..size).map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            });
            compress(&noise.collect::<Vec<_>>(), 9)
        }),
    ];
    Family { entries, shapes, max_instructions_per_byte: 200_000.0, small_input: 4 * SMALL_INPUT }
}

/// Limit on the decompressed size, set by the caller.
const LIMIT: usize = 64 << 10;

#[test]
fn containers_work() {
    containers().assert_work("rems::containers_work");
}

#[test]
fn containers_memory() {
    containers().assert_memory();
}

fn with_reader(bytes: &[u8], run: impl FnOnce(&mut BinaryReader<'_, '_>)) {
    TABLES.with_borrow_mut(|tables| run(&mut BinaryReader::new(bytes, ERA, tables)));
}

/// Reads every item, number and character.
fn read_all<'a>(items: &mut impl ItemSource<'a>) {
    let mut count = 0;
    while let Ok(Some(item)) = items.next() {
        count += 1;
        if let Item::Value(value) = item {
            count += read_value(value);
        }
    }
    black_box(count);
}

fn read_value(value: Value<'_>) -> usize {
    match (value.dim(), value.kind().scalar()) {
        (0, Scalar::Text) => value.text().map_or(0, |text| text.bytes().count()),
        (0, Scalar::I32) => count_parts::<i32>(value),
        (0, Scalar::F32) => count_parts::<f32>(value),
        (0, Scalar::F64) => count_parts::<f64>(value),
        (0, _) => 1,
        _ => {
            value.array().map_or(0, |array| array.iter().written().flatten().map(read_value).sum())
        }
    }
}

fn count_parts<T: Part>(value: Value<'_>) -> usize {
    value.parts::<T>().map_or(0, |parts| parts.len())
}

fn collect_pointers<'a>(first: &mut impl ItemSource<'a>, second: &mut impl ItemSource<'a>) {
    let mut slots = Vec::new();
    if let Ok(pointers) = Pointers::collect(first, &mut slots) {
        let mut found = pointers.duplicates().count();
        while let Ok(Some(item)) = second.next() {
            if let Item::Pointer(number) = item {
                found += usize::from(pointers.get(number).object().is_some());
            }
        }
        black_box(found);
    }
}
