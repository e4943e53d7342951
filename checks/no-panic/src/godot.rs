//! Entry points that read Godot packets in every dialect.

use core::hint::black_box;
use gamewire::godot::compact::CompactReader;
use gamewire::godot::debugger::Message;
use gamewire::godot::find::Finder;
use gamewire::godot::frame::Frames;
use gamewire::godot::multiplayer::{Run, godot3, godot4};
use gamewire::godot::{
    Dialect, Error, IndexEntry, IndexedRef, LazyRef, Kind, Leaf, Level, Limits, ObjectRef, Open, Property,
    Reader, VariantRef, Visitor,
};

fn readers<'a>(data: &'a [u8], each: impl Fn(Reader<'a, 'static>)) {
    for &dialect in Dialect::ALL {
        for level in [Level::Structure, Level::Engine, Level::Strict] {
            for objects in [false, true] {
                each(Reader::new(data, dialect).limits(Limits {
                    level,
                    objects,
                    ..Limits::default()
                }));
            }
        }
    }
}

pub fn skip(data: &[u8]) {
    readers(data, |mut reader| {
        _ = black_box(reader.skip());
        _ = black_box(reader.deviations(|_, _| Ok(())));
        _ = black_box(reader.finish());
    });
}

pub fn find(data: &[u8]) {
    for &dialect in Dialect::ALL {
        let mut finder = Finder::new(data).only(dialect);
        while let Some(found) = finder.next() {
            value(found.value.decode(), 1);
        }
        black_box(finder.is_complete());
    }
    Finder::new(data).for_each(|found| {
        black_box((found.dialect(), found.kind(), found.confidence.name()));
    });
}

pub fn visit(data: &[u8]) {
    readers(data, |mut reader| {
        _ = black_box(reader.visit(&mut All));
    });
}

struct All;

impl<'a> Visitor<'a> for All {
    type Error = Error;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Error> {
        value(leaf.value, 1);
        Ok(())
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Error> {
        black_box(open);
        Ok(())
    }

    fn property(&mut self, property: Property<'a>) -> Result<(), Error> {
        black_box(property);
        Ok(())
    }

    fn close(&mut self, kind: Kind) -> Result<(), Error> {
        black_box(kind);
        Ok(())
    }
}

pub fn views(data: &[u8]) {
    readers(data, |mut reader| {
        if let Ok(found) = reader.read() {
            value(found, 4);
        }
        if let Ok(encoded) = reader.read_encoded() {
            black_box((encoded.kind(), encoded.is_wide(), encoded.decode().kind()));
        }
    });
}

/// Calls accessors of a view, and of the values in it, up to `depth` levels deep.
fn value(value: VariantRef<'_>, depth: u32) {
    black_box((value.kind(), value.as_bool(), value.as_i64(), value.as_f64(), value.as_bytes()));
    black_box((value.as_vector2(), value.as_vector3(), value.as_str().map(|text| text.to_str())));
    let Some(deeper) = depth.checked_sub(1) else { return };
    match value {
        VariantRef::Array(array) => {
            black_box((array.element_type(), array.get(3), array.is_shared()));
            array.iter().for_each(|item| self::value(item, deeper));
            black_box(array.iter().encoded().last());
        }
        VariantRef::Dictionary(dictionary) => {
            black_box((dictionary.key_type(), dictionary.value_type(), dictionary.get("key")));
            dictionary.flat().for_each(|item| self::value(item, deeper));
            black_box(dictionary.iter().encoded().last());
        }
        VariantRef::Object(ObjectRef::Full(object)) => {
            black_box((object.class(), object.get("key")));
            object.properties().for_each(|property| self::value(property.1, deeper));
        }
        VariantRef::NodePath(path) => {
            path.names().chain(path.subnames()).for_each(|name| _ = black_box(name));
            black_box((path.is_absolute(), path.property(), path.old_form()));
        }
        VariantRef::PackedStringArray(texts) => {
            texts.iter().for_each(|text| _ = black_box(text.to_str()));
        }
        VariantRef::PackedFloat32Array(all) => all.iter().for_each(|it| _ = black_box(it.get())),
        VariantRef::PackedVector3Array(all) => all.iter().for_each(|it| _ = black_box(it)),
        VariantRef::Transform3D(it) => _ = black_box(it.get()),
        VariantRef::Projection(it) => _ = black_box(it.get()),
        VariantRef::Color(it) => _ = black_box(it.get()),
        VariantRef::Image(image) => _ = black_box(image),
        VariantRef::InputEvent(event) => {
            _ = black_box((event.event(), event.device(), event.body()))
        }
        other => _ = black_box(other),
    }
}

pub fn index(data: &[u8]) {
    readers(data, |mut reader| {
        let mut memory = [IndexEntry::default(); 64];
        if let Ok(index) = reader.index(&mut memory) {
            through(index.root(), 4);
        }
    });
}

fn through(found: IndexedRef<'_, '_>, depth: u32) {
    value(found.value(), 1);
    black_box((found.get("key").map(|it| it.value()), found.at(3).map(|it| it.value())));
    let Some(deeper) = depth.checked_sub(1) else { return };
    found.items().for_each(|item| through(item, deeper));
}

/// Does not look up paths. A path can contain a key in Godot's notation, and to compare such a key, the
/// lookup prints keys with `core::fmt`. The compiler cannot prove that `core::fmt` never panics.
pub fn lazy(data: &[u8]) {
    readers(data, |reader| {
        if let Ok(found) = reader.lazy() {
            unchecked(found, 4);
        }
    });
}

fn unchecked(found: LazyRef<'_>, depth: u32) {
    black_box(found.read().is_ok());
    let Some(deeper) = depth.checked_sub(1) else { return };
    match found {
        LazyRef::Array(array) => {
            black_box((array.element_type(), array.get(3).is_ok()));
            array.iter().flatten().for_each(|item| unchecked(item, deeper));
        }
        LazyRef::Dictionary(dictionary) => {
            black_box((dictionary.key_type(), dictionary.value_type()));
            black_box(dictionary.get("name").is_ok());
            dictionary.iter().flatten().for_each(|(_, value)| unchecked(value, deeper));
        }
        LazyRef::Object(object) => {
            black_box((object.class(), object.get("name").is_ok()));
            object.iter().flatten().for_each(|(_, value)| unchecked(value, deeper));
        }
        LazyRef::Leaf(leaf) => value(leaf, 1),
    }
}

pub fn detect(data: &[u8]) {
    black_box(gamewire::godot::detect(data));
}

pub fn frames(data: &[u8]) {
    Frames::new(data).for_each(|frame| _ = black_box(frame));
}

pub fn compact(data: &[u8]) {
    let mut reader = CompactReader::new(data);
    while let Ok(found) = reader.read() {
        value(found, 2);
    }
    _ = black_box((reader.read_encoded(), reader.skip_value(), reader.visit(&mut All)));
}

pub fn multiplayer(data: &[u8]) {
    match godot4::Packet::parse(data) {
        Ok(godot4::Packet::Call(call)) => run(call.arguments),
        Ok(godot4::Packet::Spawn(spawn)) => {
            black_box(spawn.scene);
            run(spawn.state);
        }
        Ok(godot4::Packet::Sync(sync)) => sync.records.for_each(|record| {
            record.into_iter().for_each(|record| run(record.state));
        }),
        Ok(godot4::Packet::Delta(delta)) => delta.records.for_each(|record| {
            record.into_iter().for_each(|record| run(record.state));
        }),
        other => _ = black_box(other),
    }
    match godot3::Packet::parse(data) {
        Ok(godot3::Packet::Call(call)) => run(call.arguments),
        other => _ = black_box(other),
    }
}

fn run(values: Run<'_>) {
    values.into_iter().for_each(|found| _ = black_box(found));
}

pub fn debugger(data: &[u8]) {
    if let Ok(message) = Message::parse(data) {
        _ = black_box((message.capture(), message.body()));
    }
}
