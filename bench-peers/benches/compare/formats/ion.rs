//! Ion 1.0 in its binary form, read and written by `ion-rs`. A key is the number of a symbol. A table
//! before the value lists the texts of the symbols. The reader is lazy, and checks only what it reads.

use crate::contents::{Content, STATE};
use crate::eye::{Blind, Census, Checksum, Eye};
use crate::rows::{Peer, Row};
use crate::state::{self, Fields, Player, State};
use crate::value::Value;
use ion_rs::v1_0::Binary;
use ion_rs::{
    IonResult, LazyStruct, LazyValue, Reader, StructWriter, ValueRef, ValueWriter, WriteAsIon,
    Writer,
};
use std::hint::black_box;

pub fn rows(content: &'static Content, rows: &mut Vec<Row>) {
    let mut bytes = Vec::new();
    Encoder::new().encode(&content.value, &mut bytes);
    let bytes = &*bytes.leak();
    assert_eq!(traverse::<Census>(bytes), content.census, "Ion");
    let mut peer = Peer::new(rows, content, "ion-rs", bytes.len());
    peer.add("traverse", || traverse::<Checksum>(black_box(bytes)).0);
    peer.add("validate", || {
        traverse::<Blind>(black_box(bytes));
        0
    });
    peer.add("skip", || skip(black_box(bytes)).into());
    peer.get(content, |key| get(black_box(bytes), key));
    // The writer and its buffers are reused.
    let mut encoder = Encoder::new();
    if content.name == STATE {
        let state = State::from(state::sample());
        peer.encode(bytes, move |out| encoder.encode(black_box(&state), out));
    } else {
        peer.encode(bytes, move |out| encoder.encode(black_box(&content.value), out));
    }
}

fn traverse<E: Eye>(bytes: &[u8]) -> E {
    let mut eye = E::default();
    let mut reader = Reader::new(Binary, bytes).unwrap();
    value(&reader.expect_next().unwrap(), &mut eye);
    eye
}

fn value<E: Eye>(of: &LazyValue<'_, Binary>, eye: &mut E) {
    match of.read().unwrap() {
        ValueRef::String(text) => eye.text(text.text()),
        ValueRef::Int(int) => eye.int(int.as_i64().unwrap()),
        ValueRef::Float(float) => eye.float(float),
        ValueRef::Bool(value) => eye.bool(value),
        ValueRef::Null(_) => eye.null(),
        ValueRef::List(items) => items.iter().for_each(|item| value(&item.unwrap(), eye)),
        ValueRef::Struct(fields) => {
            for field in &fields {
                let field = field.unwrap();
                eye.text(field.name().unwrap().expect_text().unwrap());
                value(&field.value(), eye);
            }
        }
        other => unimplemented!("{other:?}"),
    }
}

/// Skips the value. Returns `true` if no other value follows.
fn skip(bytes: &[u8]) -> bool {
    let mut reader = Reader::new(Binary, bytes).unwrap();
    reader.expect_next().unwrap();
    reader.next().unwrap().is_none()
}

fn get(bytes: &[u8], key: &str) -> Option<i64> {
    let mut reader = Reader::new(Binary, bytes).unwrap();
    let fields: LazyStruct<'_, Binary> =
        reader.expect_next().unwrap().read().unwrap().expect_struct().unwrap();
    match fields.get(key).unwrap()? {
        ValueRef::List(items) => Some(items.iter().count() as i64),
        int => int.expect_i64().ok(),
    }
}

struct Encoder(Option<Writer<Binary, ()>>);

impl Encoder {
    fn new() -> Self {
        Self(Some(Writer::idle(Binary).unwrap()))
    }

    fn encode(&mut self, value: &impl WriteAsIon, out: &mut Vec<u8>) {
        let idle = self.0.take().expect("it is put back");
        let mut writer = idle.attach(out);
        writer.write(value).unwrap();
        writer.flush().unwrap();
        self.0 = Some(writer.detach().0);
    }
}

/// Writes a float in the narrowest width that holds it.
struct Float(f64);

impl WriteAsIon for Float {
    fn write_as_ion<W: ValueWriter>(&self, to: W) -> IonResult<()> {
        let narrow = self.0 as f32;
        if f64::from(narrow) == self.0 { to.write_f32(narrow) } else { to.write_f64(self.0) }
    }
}

impl WriteAsIon for Value {
    fn write_as_ion<W: ValueWriter>(&self, to: W) -> IonResult<()> {
        match self {
            Self::Nil => to.write_null(ion_rs::IonType::Null),
            Self::Bool(value) => to.write_bool(*value),
            Self::Int(int) => to.write_i64(*int),
            Self::Float(float) => to.write(Float(*float)),
            Self::Text(text) | Self::Name(text) => to.write_string(text),
            Self::Path(text) => to.write_string(text),
            Self::Vector2i(parts) => to.write_list(parts),
            Self::Vector2(parts) => to.write_list(parts),
            Self::Vector3(parts) => to.write_list(parts),
            Self::Quaternion(parts) | Self::Color(parts) => to.write_list(parts),
            Self::Ints(ints) => to.write_list(ints),
            Self::Floats(floats) | Self::Vectors { flat: floats, .. } => to.write_list(floats),
            Self::Texts(texts) => to.write_list(texts),
            Self::Array(items) => to.write_list(items),
            Self::Map(pairs) => to.write_struct(pairs.iter().map(|(key, value)| (*key, value))),
        }
    }
}

struct Struct<W>(W);

impl WriteAsIon for State {
    fn write_as_ion<W: ValueWriter>(&self, to: W) -> IonResult<()> {
        let mut fields = Struct(to.struct_writer()?);
        state::state(self, &mut fields);
        fields.0.close()
    }
}

impl WriteAsIon for Player {
    fn write_as_ion<W: ValueWriter>(&self, to: W) -> IonResult<()> {
        let mut fields = Struct(to.struct_writer()?);
        state::player(self, &mut fields);
        fields.0.close()
    }
}

struct Players<'p>(&'p [Player; 4]);

impl WriteAsIon for Players<'_> {
    fn write_as_ion<W: ValueWriter>(&self, to: W) -> IonResult<()> {
        to.write_struct(self.0.iter().map(|player| (&*player.key, player)))
    }
}

impl<W: StructWriter> Fields for Struct<W> {
    fn int(&mut self, key: &str, value: i64) {
        self.0.write(key, value).unwrap();
    }

    fn float(&mut self, key: &str, value: f64) {
        self.0.write(key, Float(value)).unwrap();
    }

    fn bool(&mut self, key: &str, value: bool) {
        self.0.write(key, value).unwrap();
    }

    fn text(&mut self, key: &str, value: &str) {
        self.0.write(key, value).unwrap();
    }

    fn vector<const N: usize>(&mut self, key: &str, parts: &[f32; N]) {
        self.0.write(key, &parts[..]).unwrap();
    }

    fn players(&mut self, key: &str, players: &[Player; 4]) {
        self.0.write(key, Players(players)).unwrap();
    }
}
