//! The Godot packets themselves, read and written by gamewire.

use crate::contents::{Content, STATE};
use crate::eye::{Checksum, Eye};
use crate::flushed::Before::{self, OtherPackets, OtherWork};
use crate::rows::{Peer, Row};
use crate::state;
use crate::value::Value;
use gamewire::godot::{
    Color, Dialect, DictionaryRef, Error, Kind, Leaf, Level, Limits, NodePath, Open, Property,
    Quaternion, Reader, Real, RealLayout, Reals, StrRef, StringName, VariantRef, Vector2, Vector3,
    Visitor, Writer, from_bytes, to_writer,
};
use std::hint::black_box;

#[path = "../../../../benches/support/derived.rs"]
mod derived;
#[path = "../../../../benches/support/fields.rs"]
mod fields;

const BOTH: [Before; 2] = [OtherWork, OtherPackets];

pub fn rows(content: &'static Content, rows: &mut Vec<Row>) {
    let packet = content.packet;
    let mut peer = Peer::new(rows, content, "gamewire", packet.len());
    peer.add("traverse", || traverse::<Checksum>(black_box(packet)).0);
    peer.also_after(&BOTH);
    peer.add("traverse_bytes", || traverse_bytes::<Checksum>(black_box(packet)).0);
    peer.also_after(&BOTH);
    peer.add("validate", || skip(black_box(packet), Level::Engine));
    peer.also_after(&BOTH);
    peer.add("skip", || skip(black_box(packet), Level::Structure));
    peer.also_after(&BOTH);
    peer.get(content, |key| get(black_box(packet), key));
    if let Some((key, value)) = content.key {
        peer.also_after(&BOTH);
        assert_eq!(get_after_read(packet, key), Some(value));
        peer.add("get_after_read", move || {
            get_after_read(black_box(packet), black_box(key)).unwrap() as u64
        });
        peer.also_after(&BOTH);
        let view = view(packet);
        assert_eq!(get_in(view, key), Some(value));
        peer.add("get_in_view", move || get_in(black_box(view), black_box(key)).unwrap() as u64);
        peer.also_after(&BOTH);
    }
    if content.name != STATE {
        peer.encode(packet, |out| encode(black_box(&content.value), out));
        return;
    }
    let state = state::sample();
    peer.encode(packet, move |out| {
        state::write(black_box(&state), &mut Writer::new(out, Dialect::Godot4)).unwrap();
    });
    let decoded: derived::State<'_> = from_bytes(packet).unwrap();
    peer.add("typed_decode", || {
        u64::from(black_box(&from_bytes::<derived::State<'_>>(black_box(packet))).is_ok())
    });
    peer.also_after(&[OtherWork]);
    peer.writes("typed_encode", packet, move |out| {
        to_writer(&mut Writer::new(out, Dialect::Godot4), black_box(&decoded)).unwrap();
    });
    let decoded: derived::State<'_> = Reader::new(packet, Dialect::Godot4).read_fields().unwrap();
    peer.add("fields_decode", || {
        let mut reader = Reader::new(black_box(packet), Dialect::Godot4);
        u64::from(black_box(&reader.read_fields::<derived::State<'_>>()).is_ok())
    });
    peer.also_after(&[OtherWork]);
    peer.writes("fields_encode", packet, move |out| {
        Writer::new(out, Dialect::Godot4).put(black_box(&decoded)).unwrap();
    });
}

/// A visitor that forwards every leaf. Strings are forwarded as `&str` if `CHECKED`, otherwise as
/// bytes.
struct Walk<E, const CHECKED: bool>(E);

impl<E: Eye, const CHECKED: bool> Walk<E, CHECKED> {
    #[inline(always)]
    fn text(&mut self, text: StrRef<'_>) {
        if CHECKED { self.0.text(text.to_str().unwrap()) } else { self.0.bytes(text.as_bytes()) }
    }

    #[inline(always)]
    fn parts<L: RealLayout>(&mut self, real: Real<'_, L>) {
        real.get().parts().as_ref().iter().for_each(|part| self.0.float(*part));
    }

    /// Not inlined, since inlining it would change how the walk is compiled.
    #[inline(never)]
    fn rarer(&mut self, value: VariantRef<'_>) {
        match value {
            VariantRef::Nil => self.0.null(),
            VariantRef::StringName(text) => self.text(text),
            VariantRef::Quaternion(quaternion) => self.parts(quaternion),
            VariantRef::Color(color) => self.parts(color),
            VariantRef::Vector2i(v) => {
                [v.x, v.y].iter().for_each(|part| self.0.int((*part).into()))
            }
            VariantRef::NodePath(path) if CHECKED => {
                self.0.path(path.names().map(|name| name.to_str().unwrap()));
            }
            VariantRef::NodePath(path) => path.names().for_each(|name| self.text(name)),
            VariantRef::PackedInt32Array(ints) => {
                ints.iter().for_each(|int| self.0.int(int.get().into()));
            }
            VariantRef::PackedFloat32Array(floats) => {
                floats.iter().for_each(|float| self.0.float(float.get().into()));
            }
            VariantRef::PackedVector3Array(Reals::Single(vectors)) => {
                vectors.iter().for_each(|v| self.parts(Real::<Vector3>::Single(v)));
            }
            VariantRef::PackedStringArray(texts) => texts.iter().for_each(|text| self.text(text)),
            other => unimplemented!("{other:?}"),
        }
    }
}

impl<'a, E: Eye, const CHECKED: bool> Visitor<'a> for Walk<E, CHECKED> {
    type Error = Error;

    #[inline(always)]
    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Error> {
        match leaf.value {
            VariantRef::String(text) => self.text(text),
            VariantRef::Int(int) => self.0.int(int),
            VariantRef::Float(float) => self.0.float(float),
            VariantRef::Bool(value) => self.0.bool(value),
            VariantRef::Vector2(vector) => self.parts(vector),
            VariantRef::Vector3(vector) => self.parts(vector),
            other => self.rarer(other),
        }
        Ok(())
    }

    #[inline(always)]
    fn open(&mut self, _: Open<'a>) -> Result<(), Error> {
        Ok(())
    }

    fn property(&mut self, _: Property<'a>) -> Result<(), Error> {
        Ok(())
    }

    #[inline(always)]
    fn close(&mut self, _: Kind) -> Result<(), Error> {
        Ok(())
    }
}

pub fn traverse<E: Eye>(packet: &[u8]) -> E {
    let mut walk = Walk::<E, true>(E::default());
    Reader::new(packet, Dialect::Godot4).visit(&mut walk).unwrap();
    walk.0
}

pub fn traverse_bytes<E: Eye>(packet: &[u8]) -> E {
    let mut walk = Walk::<E, false>(E::default());
    Reader::new(packet, Dialect::Godot4).visit(&mut walk).unwrap();
    walk.0
}

/// Skips the packet, checking it at the given level.
pub fn skip(packet: &[u8], level: Level) -> u64 {
    let mut reader =
        Reader::new(packet, Dialect::Godot4).limits(Limits { level, ..Limits::default() });
    reader.skip().unwrap();
    reader.offset()
}

fn view(packet: &[u8]) -> DictionaryRef<'_> {
    Reader::new(packet, Dialect::Godot4).read().unwrap().as_dictionary().unwrap()
}

/// Finds a key. Checks what lies before its value, and the value.
fn get(packet: &[u8], key: &str) -> Option<i64> {
    number(Reader::new(packet, Dialect::Godot4).find(key).unwrap()?)
}

/// Finds a key, after the structure of the whole packet has been checked.
fn get_after_read(packet: &[u8], key: &str) -> Option<i64> {
    get_in(view(packet), key)
}

#[inline(always)]
fn get_in(view: DictionaryRef<'_>, key: &str) -> Option<i64> {
    number(view.get(key)?)
}

/// Returns an int, or the number of items of an array.
#[inline(always)]
fn number(value: VariantRef<'_>) -> Option<i64> {
    match value {
        VariantRef::Int(int) => Some(int),
        VariantRef::Array(array) => Some(array.iter().len() as i64),
        _ => None,
    }
}

fn encode(value: &Value, out: &mut Vec<u8>) {
    put(value, &mut Writer::new(out, Dialect::Godot4)).unwrap();
}

fn put(value: &Value, to: &mut Writer<&mut Vec<u8>>) -> Result<(), Error> {
    match value {
        Value::Nil => to.put(()),
        Value::Bool(value) => to.put(*value),
        Value::Int(int) => to.put(*int),
        Value::Float(float) => to.put(*float),
        Value::Text(text) => to.put(*text),
        Value::Name(text) => to.put(StringName(text)),
        Value::Path(path) => to.put(NodePath(path)),
        Value::Vector2i([x, y]) => to.put(Vector2 { x: *x, y: *y }),
        Value::Vector2([x, y]) => to.put(Vector2 { x: *x, y: *y }),
        Value::Vector3([x, y, z]) => to.put(Vector3 { x: *x, y: *y, z: *z }),
        Value::Quaternion([x, y, z, w]) => to.put(Quaternion { x: *x, y: *y, z: *z, w: *w }),
        Value::Color([r, g, b, a]) => to.put(Color { r: *r, g: *g, b: *b, a: *a }),
        Value::Ints(ints) => to.put(&ints[..]),
        Value::Floats(floats) => to.put(&floats[..]),
        Value::Vectors { vectors, .. } => to.put(&vectors[..]),
        Value::Texts(texts) => to.put(&texts[..]),
        Value::Array(items) => {
            let mut array = to.array(items.len())?;
            items.iter().try_for_each(|item| put(item, &mut array))?;
            array.finish()
        }
        Value::Map(pairs) => {
            let mut dictionary = to.dictionary(pairs.len())?;
            for (key, value) in pairs {
                dictionary.put(*key)?;
                put(value, &mut dictionary)?;
            }
            dictionary.finish()
        }
    }
}
