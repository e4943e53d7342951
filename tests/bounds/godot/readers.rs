//! Tests the bounds of readers, views, indexes and paths, which do not allocate.

use crate::measure::{
    Entry, Family, Memory, SMALL_INPUT, consume, with_memory, without_allocation,
};
use crate::support::hostile::godot as shapes;
use gamewire::godot::path::Path;
use gamewire::godot::{
    Dialect, Error, FieldError, Fields, FromFields, IndexEntry, IndexedRef, Kind, Leaf, Level,
    Limits, Open, Property, Reader, Visitor, detect,
};
use std::hint::black_box;

fn family() -> Family {
    let entries = vec![
        without_allocation("Reader::skip", |bytes| consume(reader(bytes).skip())),
        without_allocation("Reader::read", |bytes| consume(reader(bytes).read())),
        without_allocation("Reader::read_encoded", |bytes| consume(reader(bytes).read_encoded())),
        without_allocation("Level::Engine", |bytes| at_level(bytes, Level::Engine)),
        without_allocation("Level::Strict", |bytes| at_level(bytes, Level::Strict)),
        without_allocation("Reader::visit", |bytes| consume(reader(bytes).visit(&mut Count(0)))),
        without_allocation("Reader::deviations", |bytes| {
            consume(reader(bytes).deviations(|deviation, offset| {
                black_box((deviation, offset));
                Ok(())
            }));
        }),
        without_allocation("Reader::leaked", |bytes| consume(reader(bytes).leaked())),
        without_allocation("Reader::read_fields", |bytes| {
            consume(reader(bytes).read_fields::<Pair>())
        }),
        without_allocation("detect", |bytes| consume(detect(bytes))),
        with_memory("Reader::index", 2, index),
        without_allocation("Reader::find", |bytes| consume(reader(bytes).find("no such key"))),
        without_allocation("LazyItems", |bytes| {
            let array = reader(bytes).lazy().ok().and_then(|value| value.as_array());
            black_box(array.map(|array| array.iter().count()));
        }),
        without_allocation("VariantRef::at", |bytes| {
            let value = reader(bytes).read().ok();
            black_box(value.and_then(|value| value.at("0/0/0/0/0/0/0/0/0/no such key")));
        }),
        without_allocation("NotFound::names", |bytes| {
            let Ok(value) = reader(bytes).read() else { return };
            if let Err(error) = value.find("no such key") {
                black_box(error.names().count());
            }
        }),
        Entry {
            memory: Memory::PerByte(1, 16 << 10),
            ..without_allocation("Path::new", |bytes| {
                let path = Path::new(bytes, Dialect::Godot4, bytes.len() as u64 - 4);
                black_box(path.to_string());
            })
        },
    ];
    Family {
        entries,
        shapes: shapes::all(),
        max_instructions_per_byte: 6_000.0,
        small_input: SMALL_INPUT,
    }
}

#[test]
fn work() {
    family().assert_work("godot::readers::work");
}

#[test]
fn memory() {
    family().assert_memory();
}

fn reader(bytes: &[u8]) -> Reader<'_, 'static> {
    Reader::new(bytes, Dialect::Godot4)
}

fn at_level(bytes: &[u8], level: Level) {
    consume(reader(bytes).limits(Limits { level, ..Limits::default() }).skip());
}

struct Count(usize);

impl<'a> Visitor<'a> for Count {
    type Error = Error;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Error> {
        self.0 += leaf.encoded.as_bytes().len();
        Ok(())
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Error> {
        self.0 += open.container.len() as usize;
        Ok(())
    }

    fn property(&mut self, property: Property<'a>) -> Result<(), Error> {
        self.0 += property.name.as_bytes().len();
        Ok(())
    }

    fn close(&mut self, _: Kind) -> Result<(), Error> {
        Ok(())
    }
}

/// A struct with two optional fields.
struct Pair;

impl<'a> FromFields<'a> for Pair {
    fn from_fields<F: Fields<'a>>(fields: &mut F) -> Result<Self, FieldError> {
        let (first, second): (Option<i64>, Option<i64>) =
            (fields.get("first")?, fields.get("second")?);
        black_box((first, second));
        Ok(Self)
    }
}

fn index(bytes: &[u8]) {
    let mut memory = vec![IndexEntry::default(); bytes.len() / 8 + 1];
    if let Ok(index) = reader(bytes).index(&mut memory) {
        let value = index.root();
        // This loop replaces a recursion, which would use the stack that the test measures.
        let mut deepest = value;
        let mut items = 0;
        while let Some(last) = deepest.items().inspect(|_| items += 1).last() {
            deepest = last;
        }
        black_box((deepest.value(), items, last_of(value)));
    }
}

fn last_of<'a, 'm>(value: IndexedRef<'a, 'm>) -> Option<IndexedRef<'a, 'm>> {
    value.get("no such key").or_else(|| value.at(usize::MAX))
}
