//! Reads and writes saves of Rem's Engine. They contain a graph of 40,000 objects as the engine
//! would write it. Rates are bytes per second of the text save or binary stream that is read or
//! written. For a conversion, the rate is bytes of its input per second.
//!
//! ```text
//! cargo bench -p gamewire-benches --bench rems --features rems
//! ```

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gamewire::rems::{
    BinaryReader, BinaryWriter, ConvertOptions, Dialect, Era, Error, Item, ItemSource, Kind, List,
    Object, PartSlice, Plan, Property, Scalar, StrRef, Tables, TextReader, TextWriter, Type, Value,
    Visitor, convert, rewrite,
};
use std::hint::black_box;

#[path = "support/checksum.rs"]
mod checksum;
#[path = "support/graph.rs"]
mod graph;

use checksum::Checksum;
use graph::Root;

const OBJECTS: u32 = 40_000;
const DIALECT: Dialect = Dialect::Engine2026;
const ERA: Era = Era::October2024;

/// Methods that parse every number and locate every string in a save.
impl Checksum {
    #[inline(always)]
    fn value(&mut self, value: Value<'_>) -> Result<(), Error> {
        if value.dim() > 0 {
            return self.array(value);
        }
        match value.kind().scalar() {
            Scalar::Text => self.text(value.text()?.raw()),
            Scalar::Bool => self.add(value.get::<bool>()?.into()),
            Scalar::F32 | Scalar::F64 if value.kind().parts() == 1 => {
                self.add(value.real()?.to_bits());
            }
            Scalar::F32 => {
                for part in value.parts::<f32>()?.iter() {
                    self.add(part.to_bits().into());
                }
            }
            Scalar::F64 => self.parts(&value.parts::<f64>()?),
            _ => self.add(value.integer()?.cast_unsigned()),
        }
        Ok(())
    }

    #[inline(never)]
    fn array(&mut self, value: Value<'_>) -> Result<(), Error> {
        let array = value.array()?;
        match array.kind().scalar() {
            Scalar::F32 => {
                for number in array.numbers::<f32>()?.written() {
                    self.add(number?.to_bits().into());
                }
            }
            Scalar::I32 => {
                for number in array.numbers::<i32>()?.written() {
                    self.add(number?.cast_unsigned().into());
                }
            }
            _ => {
                for element in array {
                    self.value(element?)?;
                }
            }
        }
        Ok(())
    }
}

#[inline(always)]
fn traverse<'a>(mut items: impl ItemSource<'a>) -> u64 {
    let mut sum = Checksum::default();
    while let Some(item) = items.next().unwrap() {
        match item {
            Item::Object(object) => sum.text(object.class.raw()),
            Item::Property(property) => sum.text(property.name.raw()),
            Item::Value(value) => sum.value(value).unwrap(),
            Item::Pointer(number) => sum.add(number),
            Item::List(list) => sum.add(list.len.into()),
            _ => {}
        }
    }
    sum.0
}

/// A visitor with the same checksum as [`traverse`].
impl<'a> Visitor<'a> for Checksum {
    type Error = Error;

    #[inline(always)]
    fn object(&mut self, object: &Object<'a>) -> Result<(), Error> {
        Self::text(self, object.class.raw());
        Ok(())
    }

    #[inline(always)]
    fn property(&mut self, property: &Property<'a>) -> Result<(), Error> {
        Self::text(self, property.name.raw());
        Ok(())
    }

    #[inline(always)]
    fn text(&mut self, _: Kind, text: StrRef<'a>) -> Result<(), Error> {
        Self::text(self, text.raw());
        Ok(())
    }

    #[inline(always)]
    fn parts(&mut self, kind: Kind, parts: PartSlice<'_>) -> Result<(), Error> {
        match parts {
            PartSlice::Bool(parts) => parts.iter().for_each(|part| self.add((*part).into())),
            PartSlice::I32(parts) => {
                parts.iter().for_each(|part| self.add(i64::from(*part).cast_unsigned()));
            }
            PartSlice::I64(parts) => parts.iter().for_each(|part| self.add(part.cast_unsigned())),
            PartSlice::F32([part]) => self.add(f64::from(*part).to_bits()),
            PartSlice::F64(parts) => Self::parts(self, parts),
            other => self.elements(kind, other)?,
        }
        Ok(())
    }

    #[inline(always)]
    fn elements(&mut self, _: Kind, parts: PartSlice<'_>) -> Result<(), Error> {
        match parts {
            PartSlice::F32(parts) => parts.iter().for_each(|part| self.add(part.to_bits().into())),
            PartSlice::I32(parts) => {
                parts.iter().for_each(|part| self.add(part.cast_unsigned().into()));
            }
            other => unimplemented!("the graph has no {other:?}"),
        }
        Ok(())
    }

    #[inline(always)]
    fn pointer(&mut self, number: u64) -> Result<(), Error> {
        self.add(number);
        Ok(())
    }

    #[inline(always)]
    fn list(&mut self, list: &List<'a>) -> Result<(), Error> {
        // An array of numbers is a value for `traverse`.
        if !matches!(list.ty, Type::Kind(..)) {
            self.add(list.len.into());
        }
        Ok(())
    }
}

fn visit_text(text: &[u8]) -> u64 {
    let mut sum = Checksum::default();
    TextReader::new(text).visit(&mut sum).unwrap();
    sum.0
}

fn visit_binary(stream: &[u8], tables: &mut Tables) -> u64 {
    let mut sum = Checksum::default();
    BinaryReader::new(stream, ERA, tables).visit(&mut sum).unwrap();
    sum.0
}

/// Items that were read in advance. No reader that yields items one at a time can be faster than
/// the traversal of these items.
struct Found<'i, 'a>(std::slice::Iter<'i, Item<'a>>);

impl<'a> ItemSource<'a> for Found<'_, 'a> {
    fn next(&mut self) -> Result<Option<Item<'a>>, Error> {
        Ok(self.0.next().copied())
    }

    fn skip(&mut self) -> Result<(), Error> {
        unimplemented!("it only goes on")
    }

    fn offset(&self) -> u64 {
        0
    }
}

fn items<'a>(mut reader: impl ItemSource<'a>) -> Vec<Item<'a>> {
    std::iter::from_fn(|| reader.next().unwrap()).collect()
}

/// Skips each root object.
fn skip<'a>(mut items: impl ItemSource<'a>) {
    let mut roots = 0;
    while let Some(item) = items.next().unwrap() {
        if let Item::Object(_) = item {
            items.skip().unwrap();
            roots += 1;
        }
    }
    assert_eq!(roots, OBJECTS / 10);
}

fn write_text(roots: &[Root], mut text: Vec<u8>) -> Vec<u8> {
    text.clear();
    let mut writer = TextWriter::new(text, DIALECT);
    graph::write(roots, &mut writer).unwrap();
    writer.finish().unwrap()
}

fn write_binary(roots: &[Root], mut stream: Vec<u8>) -> Vec<u8> {
    stream.clear();
    let mut writer = BinaryWriter::new(stream, ERA);
    graph::write(roots, &mut writer).unwrap();
    writer.finish().unwrap()
}

fn text_to_text(text: &[u8], mut to: Vec<u8>) -> Vec<u8> {
    to.clear();
    let mut writer = TextWriter::new(to, DIALECT);
    rewrite(&mut TextReader::new(text), &mut writer, |_| panic!()).unwrap();
    writer.finish().unwrap()
}

/// Converts a text save to a binary stream, including the first pass, which numbers the objects.
fn text_to_binary(text: &[u8], mut to: Vec<u8>) -> Vec<u8> {
    to.clear();
    let plan = Plan::of(&mut TextReader::new(text)).unwrap();
    let mut writer = BinaryWriter::new(to, ERA);
    let how = ConvertOptions::default();
    convert(&mut TextReader::new(text), &mut writer, &plan, how, |_| panic!()).unwrap();
    writer.finish().unwrap()
}

fn texts(c: &mut Criterion) {
    let roots = graph::roots(OBJECTS);
    let text = write_text(&roots, Vec::new());
    let mut group = c.benchmark_group("rems text");
    group.throughput(Throughput::Bytes(text.len() as u64));
    let reader = || TextReader::new(black_box(&text));
    group.bench_function("traverse", |b| b.iter(|| traverse(reader())));
    group.bench_function("visit", |b| b.iter(|| visit_text(black_box(&text))));
    assert_eq!(visit_text(&text), traverse(reader()));
    let found = items(reader());
    group.bench_function("items alone", |b| b.iter(|| traverse(Found(black_box(&found).iter()))));
    group.bench_function("skip", |b| b.iter(|| skip(reader())));
    let mut to = text.clone();
    group.bench_function("write", |b| {
        b.iter(|| to = write_text(black_box(&roots), std::mem::take(&mut to)));
    });
    group.bench_function("to text", |b| {
        b.iter(|| to = text_to_text(black_box(&text), std::mem::take(&mut to)));
    });
    assert!(to == text, "the same text");
    group.bench_function("to binary", |b| {
        b.iter(|| to = text_to_binary(black_box(&text), std::mem::take(&mut to)));
    });
    assert!(to == write_binary(&roots, Vec::new()), "the same graph");
    group.finish();
}

fn streams(c: &mut Criterion) {
    let roots = graph::roots(OBJECTS);
    let stream = write_binary(&roots, Vec::new());
    let mut tables = Tables::new();
    let mut group = c.benchmark_group("rems binary");
    group.throughput(Throughput::Bytes(stream.len() as u64));
    group.bench_function("traverse", |b| {
        b.iter(|| traverse(BinaryReader::new(black_box(&stream), ERA, &mut tables)));
    });
    group.bench_function("visit", |b| b.iter(|| visit_binary(black_box(&stream), &mut tables)));
    let traversed = traverse(BinaryReader::new(&stream, ERA, &mut tables));
    assert_eq!(visit_binary(&stream, &mut tables), traversed);
    let found = items(BinaryReader::new(&stream, ERA, &mut tables));
    group.bench_function("items alone", |b| b.iter(|| traverse(Found(black_box(&found).iter()))));
    group.bench_function("skip", |b| {
        b.iter(|| skip(BinaryReader::new(black_box(&stream), ERA, &mut tables)));
    });
    let mut to = stream.clone();
    group.bench_function("write", |b| {
        b.iter(|| to = write_binary(black_box(&roots), std::mem::take(&mut to)));
    });
    assert!(to == stream, "the same stream");
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = texts, streams
}
criterion_main!(benches);
