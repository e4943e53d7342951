//! Bounds of readers, views, indexes and paths, which do not allocate.

use super::shapes;
use crate::measure::{Entry, Family, Memory, SMALL, holding, plain, see};
use gamewire::godot::path::Path;
use gamewire::godot::{
    Dialect, Error, FieldError, Fields, FromFields, IndexEntry, IndexedRef, Kind, Leaf, Level,
    Limits, Open, Property, Reader, Visitor, detect,
};
use std::hint::black_box;

fn family() -> Family {
    let entries = vec![
        plain("Reader::skip", |bytes| see(reader(bytes).skip())),
        plain("Reader::read", |bytes| see(reader(bytes).read())),
        plain("Reader::read_encoded", |bytes| see(reader(bytes).read_encoded())),
        plain("Level::Engine", |bytes| at_level(bytes, Level::Engine)),
        plain("Level::Strict", |bytes| at_level(bytes, Level::Strict)),
        plain("Reader::visit", |bytes| see(reader(bytes).visit(&mut Count(0)))),
        plain("Reader::deviations", |bytes| {
            see(reader(bytes).deviations(|deviation, offset| {
                black_box((deviation, offset));
                Ok(())
            }));
        }),
        plain("Reader::leaked", |bytes| see(reader(bytes).leaked())),
        plain("Reader::read_fields", |bytes| see(reader(bytes).read_fields::<Pair>())),
        plain("detect", |bytes| see(detect(bytes))),
        holding("Reader::index", 2, index),
        plain("VariantRef::at", |bytes| {
            let value = reader(bytes).read().ok();
            black_box(value.and_then(|value| value.at("0/0/0/0/0/0/0/0/0/no such key")));
        }),
        plain("NotFound::names", |bytes| {
            let Ok(value) = reader(bytes).read() else { return };
            if let Err(error) = value.find("no such key") {
                black_box(error.names().count());
            }
        }),
        Entry {
            memory: Memory::Each(1, 16 << 10),
            ..plain("Path::new", |bytes| {
                let path = Path::new(bytes, Dialect::Godot4, bytes.len() as u64 - 4);
                black_box(path.to_string());
            })
        },
    ];
    Family { entries, shapes: shapes::all(), most: 6_000.0, small: SMALL }
}

#[test]
fn work() {
    family().work("godot::readers::work");
}

#[test]
fn memory() {
    family().assert_memory();
}

fn reader(bytes: &[u8]) -> Reader<'_, 'static> {
    Reader::new(bytes, Dialect::Godot4)
}

fn at_level(bytes: &[u8], level: Level) {
    see(reader(bytes).limits(Limits { level, ..Limits::default() }).skip());
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

/// Reads two fields by name.
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
        // No recursion, because that would be the test's.
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
