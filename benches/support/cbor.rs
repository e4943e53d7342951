//! Encodes the content of a packet as CBOR, and implements the operations on CBOR that are compared
//! with those of gamewire.

use gamewire::godot::{
    Container, Dialect, Error, Kind, Leaf, Open, Property, Reader, VariantRef, Visitor,
};
use minicbor::data::Type;
use minicbor::{Decoder, Encoder};

/// Translates a packet to CBOR. Vectors become arrays of `f32`.
pub fn from_packet(packet: &[u8]) -> Vec<u8> {
    let mut translate = Translate(Encoder::new(Vec::new()));
    Reader::new(packet, Dialect::Godot4).visit(&mut translate).unwrap();
    translate.0.into_writer()
}

struct Translate(Encoder<Vec<u8>>);

impl Translate {
    fn floats(&mut self, parts: &[f64]) {
        self.0.array(parts.len() as u64).unwrap();
        for part in parts {
            self.0.f32(*part as f32).unwrap();
        }
    }
}

impl<'a> Visitor<'a> for Translate {
    type Error = Error;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Error> {
        match leaf.value {
            VariantRef::Bool(value) => drop(self.0.bool(value).unwrap()),
            VariantRef::Int(int) => drop(self.0.i64(int).unwrap()),
            VariantRef::Float(float) if !leaf.encoded.is_wide() => {
                self.0.f32(float as f32).unwrap();
            }
            VariantRef::Float(float) => drop(self.0.f64(float).unwrap()),
            VariantRef::String(text) => drop(self.0.str(text.to_str().unwrap()).unwrap()),
            VariantRef::Vector2(v) => self.floats(&[v.get().x, v.get().y]),
            VariantRef::Vector3(v) => self.floats(&[v.get().x, v.get().y, v.get().z]),
            other => unimplemented!("{other:?}"),
        }
        Ok(())
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Error> {
        match open.container {
            Container::Array { len, .. } => drop(self.0.array(len.into()).unwrap()),
            Container::Dictionary { len, .. } => drop(self.0.map(len.into()).unwrap()),
            Container::Object { .. } => unimplemented!(),
        }
        Ok(())
    }

    fn property(&mut self, _: Property<'a>) -> Result<(), Error> {
        Ok(())
    }

    fn close(&mut self, _: Kind) -> Result<(), Error> {
        Ok(())
    }
}

/// Adds every leaf to `sum`. Strings are added as `&str`, as in the visitor of the bench.
pub fn traverse(cbor: &[u8], sum: &mut super::Checksum) {
    let mut decoder = Decoder::new(cbor);
    while decoder.position() < cbor.len() {
        match decoder.datatype().unwrap() {
            Type::Bool => sum.add(u64::from(decoder.bool().unwrap())),
            Type::F32 => sum.add(u64::from(decoder.f32().unwrap().to_bits())),
            Type::F64 => sum.add(decoder.f64().unwrap().to_bits()),
            Type::String => sum.text(decoder.str().unwrap()),
            Type::Array => sum.add(decoder.array().unwrap().unwrap_or(0)),
            Type::Map => sum.add(decoder.map().unwrap().unwrap_or(0)),
            _ => sum.add(decoder.i64().unwrap() as u64),
        }
    }
}

/// Finds the value of one key of the outermost map.
pub fn get(cbor: &[u8], key: &str) -> Option<i64> {
    let mut decoder = Decoder::new(cbor);
    for _ in 0..decoder.map().unwrap()? {
        if decoder.str().unwrap() == key {
            return decoder.i64().ok();
        }
        decoder.skip().unwrap();
    }
    None
}

/// Skips the whole value.
pub fn skip(cbor: &[u8]) -> usize {
    let mut decoder = Decoder::new(cbor);
    decoder.skip().unwrap();
    decoder.position()
}
