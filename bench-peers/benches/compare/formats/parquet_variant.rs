//! Parquet's Variant, read and written by `parquet-variant`. A value has two parts: the names of all
//! fields, and the value itself, which refers to them by number. The crate has no operation that
//! finds the end of a value.

use crate::contents::{Content, STATE};
use crate::eye::{Census, Checksum, Eye};
use crate::rows::{Peer, Row};
use crate::state::{self, Fields, Player, State};
use crate::value::Value;
use parquet_variant::{
    BuilderSpecificState, ObjectBuilder, ObjectFieldBuilder, Variant, VariantBuilder,
    VariantBuilderExt,
};
use std::hint::black_box;

/// The names of the fields, and the value.
#[derive(Clone, Copy)]
struct Parts(&'static [u8], &'static [u8]);

pub fn rows(content: &'static Content, rows: &mut Vec<Row>) {
    let (names, bytes) = encode(&content.value);
    let parts = Parts(names.leak(), bytes.leak());
    assert_eq!(traverse::<Census>(parts), content.census, "Parquet's Variant");
    let size = parts.0.len() + parts.1.len();
    let mut peer = Peer::new(rows, content, "parquet-variant", size);
    peer.add("traverse", move || traverse::<Checksum>(black_box(parts)).0);
    peer.add("validate", move || {
        let Parts(names, bytes) = black_box(parts);
        black_box(Variant::try_new(names, bytes)).is_ok().into()
    });
    peer.get(content, move |key| get(black_box(parts), key));
    // The builder makes new buffers for each value.
    let len = |(names, bytes): (Vec<u8>, Vec<u8>)| (names.len() + bytes.len()) as u64;
    if content.name == STATE {
        let state = State::from(state::sample());
        assert_eq!(len(encode_state(&state)), size as u64);
        peer.add("encode", move || len(black_box(encode_state(black_box(&state)))));
    } else {
        peer.add("encode", move || len(black_box(encode(black_box(&content.value)))));
    }
}

/// Reads every leaf. A value that was not validated before is checked while it is read.
fn traverse<E: Eye>(Parts(names, bytes): Parts) -> E {
    let mut eye = E::default();
    value(&Variant::new(names, bytes), &mut eye);
    eye
}

fn value<E: Eye>(of: &Variant<'_, '_>, eye: &mut E) {
    match of {
        Variant::Null => eye.null(),
        Variant::BooleanTrue => eye.bool(true),
        Variant::BooleanFalse => eye.bool(false),
        Variant::Int8(int) => eye.int((*int).into()),
        Variant::Int16(int) => eye.int((*int).into()),
        Variant::Int32(int) => eye.int((*int).into()),
        Variant::Int64(int) => eye.int(*int),
        Variant::Float(float) => eye.float((*float).into()),
        Variant::Double(float) => eye.float(*float),
        Variant::ShortString(text) => eye.text(text.as_str()),
        Variant::String(text) => eye.text(text),
        Variant::List(items) => items.iter().for_each(|item| value(&item, eye)),
        Variant::Object(fields) => fields.iter().for_each(|(name, of)| {
            eye.text(name);
            value(&of, eye);
        }),
        other => unimplemented!("{other:?}"),
    }
}

fn get(Parts(names, bytes): Parts, key: &str) -> Option<i64> {
    match Variant::new(names, bytes).get_object_field(key)? {
        Variant::List(items) => Some(items.len() as i64),
        int => int.as_int64(),
    }
}

/// Returns an int in the narrowest width that holds it.
fn int(value: i64) -> Variant<'static, 'static> {
    i8::try_from(value)
        .map(Variant::Int8)
        .or(i16::try_from(value).map(Variant::Int16))
        .or(i32::try_from(value).map(Variant::Int32))
        .unwrap_or(Variant::Int64(value))
}

/// Returns a float in the narrowest width that holds it.
fn float(value: f64) -> Variant<'static, 'static> {
    let narrow = value as f32;
    if f64::from(narrow) == value { narrow.into() } else { value.into() }
}

type Encoded = (Vec<u8>, Vec<u8>);

fn encode(value: &Value) -> Encoded {
    let mut builder = VariantBuilder::new();
    put(value, &mut builder);
    builder.finish()
}

fn put(value: &Value, to: &mut impl VariantBuilderExt) {
    match value {
        Value::Nil => to.append_value(()),
        Value::Bool(value) => to.append_value(*value),
        Value::Int(value) => to.append_value(int(*value)),
        Value::Float(value) => to.append_value(float(*value)),
        Value::Text(text) | Value::Name(text) => to.append_value(*text),
        Value::Path(text) => to.append_value(&**text),
        Value::Vector2i(parts) => ints(parts, to),
        Value::Vector2(parts) => list(parts, to),
        Value::Vector3(parts) => list(parts, to),
        Value::Quaternion(parts) | Value::Color(parts) => list(parts, to),
        Value::Ints(of) => ints(of, to),
        Value::Floats(floats) | Value::Vectors { flat: floats, .. } => list(floats, to),
        Value::Texts(texts) => list(texts, to),
        Value::Array(items) => {
            let mut list = to.new_list();
            items.iter().for_each(|item| put(item, &mut list));
            list.finish();
        }
        Value::Map(pairs) => {
            let mut object = to.new_object();
            for (key, value) in pairs {
                put(value, &mut ObjectFieldBuilder::new(key, &mut object));
            }
            object.finish();
        }
    }
}

fn ints(ints: &[i32], to: &mut impl VariantBuilderExt) {
    let mut list = to.new_list();
    ints.iter().for_each(|part| list.append_value(int((*part).into())));
    list.finish();
}

fn list<'v, T: Copy + Into<Variant<'v, 'v>>>(items: &[T], to: &mut impl VariantBuilderExt) {
    let mut list = to.new_list();
    items.iter().for_each(|item| list.append_value(*item));
    list.finish();
}

fn encode_state(state: &State) -> Encoded {
    let mut builder = VariantBuilder::new();
    let mut object = builder.new_object();
    state::state(state, &mut object);
    object.finish();
    builder.finish()
}

impl<S: BuilderSpecificState> Fields for ObjectBuilder<'_, S> {
    fn int(&mut self, key: &str, value: i64) {
        self.insert(key, int(value));
    }

    fn float(&mut self, key: &str, value: f64) {
        self.insert(key, float(value));
    }

    fn bool(&mut self, key: &str, value: bool) {
        self.insert(key, value);
    }

    fn text(&mut self, key: &str, value: &str) {
        self.insert(key, value);
    }

    fn vector<const N: usize>(&mut self, key: &str, parts: &[f32; N]) {
        list(parts, &mut ObjectFieldBuilder::new(key, self));
    }

    fn players(&mut self, key: &str, players: &[Player; 4]) {
        let mut map = self.new_object(key);
        for player in players {
            let mut object = map.new_object(&player.key);
            state::player(player, &mut object);
            object.finish();
        }
        map.finish();
    }
}
