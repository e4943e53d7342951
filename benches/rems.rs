//! Reading saves of Rem's Engine, in bytes a second: a generated graph of 40,000 objects, as
//! text and as a binary stream.
//!
//! ```text
//! cargo bench --bench rems --features rems
//! ```

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gamewire::rems::{Error, Item, Items, Scalar, TextReader, Value};
use std::fmt::Write;
use std::hint::black_box;

const OBJECTS: u32 = 40_000;

/// Things as they stand in scenes: transforms with children, keyframes, samples.
fn text() -> String {
    let mut text = String::from("[");
    for root in 0..OBJECTS / 10 {
        let id = root * 10 + 1;
        let wave = |n: u32| f64::from(n.wrapping_mul(0x9E37_79B9) >> 8) / 65536.0 - 128.0;
        let f32 = |n: u32| f64::from(wave(n) as f32);
        let sep = if root == 0 { "" } else { "," };
        write!(
            text,
            r##"{sep}{{"class":"Transform","i:*ptr":{id},"S:name":"Node {root} of the scene","b:visible":{},"i:timelineSlot":{},"l:seed":{},"d:timeOffset":{},"v3:position":[{},{},{}],"q4:rotation":[{},{},{},{}],"col:color":"#{:06x}""##,
            root % 3 > 0,
            root as i32 - 2000,
            i64::from(root).pow(4),
            wave(id),
            f32(id + 1), f32(id + 2), f32(id + 3),
            f32(id + 4), f32(id + 5), f32(id + 6), f32(id + 7),
            id & 0xFF_FFFF,
        )
        .unwrap();
        write!(text, r#","f[]:samples":[32"#).unwrap();
        (0..32).for_each(|n| write!(text, ",{}", f32(id * 32 + n)).unwrap());
        write!(text, r#"],"i[]:indices":[48"#).unwrap();
        (0..40).for_each(|n| write!(text, ",{}", id + n * 3).unwrap());
        write!(text, r#"],"Keyframe[]:vs":[8"#).unwrap();
        for frame in 1..9 {
            let at = id + frame;
            write!(
                text,
                r#",{{"i:*ptr":{at},"d:time":{},"v3:value":[{},{},{}],"i:mode":{}}}"#,
                wave(at),
                f32(at + 1),
                f32(at + 2),
                f32(at + 3),
                at % 3,
            )
            .unwrap();
        }
        let last = id + 9;
        write!(
            text,
            r##"],"SMap:notes":{{"i:*ptr":{last},"S:notice":"#thisIsJSON","S:author":"somebody \"else\"","Transform:parent":{}}}}}"##,
            (root / 7) * 10 + 1,
        )
        .unwrap();
    }
    text.push(']');
    text
}

/// Every number parsed, every string found.
#[derive(Default)]
struct Checksum(u64);

impl Checksum {
    #[inline(always)]
    fn add(&mut self, part: u64) {
        self.0 = self.0.wrapping_mul(31).wrapping_add(part);
    }

    #[inline(always)]
    fn value(&mut self, value: Value<'_>) -> Result<(), Error> {
        if value.dim() > 0 {
            return self.array(value);
        }
        match value.kind().scalar() {
            Scalar::Text => self.add(value.text()?.raw().len() as u64),
            Scalar::Bool => self.add(value.get::<bool>()?.into()),
            Scalar::F32 => {
                for part in value.parts::<f32>()?.iter() {
                    self.add(part.to_bits().into());
                }
            }
            Scalar::F64 => {
                for part in value.parts::<f64>()?.iter() {
                    self.add(part.to_bits());
                }
            }
            _ => self.add(value.integer()?.cast_unsigned()),
        }
        Ok(())
    }

    #[inline(always)]
    fn array(&mut self, value: Value<'_>) -> Result<(), Error> {
        let array = value.array()?;
        match array.kind().scalar() {
            Scalar::F32 => {
                for number in array.numbers::<f32>()? {
                    self.add(number?.to_bits().into());
                }
            }
            Scalar::I32 => {
                for number in array.numbers::<i32>()? {
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
fn traverse<'a>(items: &mut impl Items<'a>) -> Result<u64, Error> {
    let mut sum = Checksum::default();
    while let Some(item) = items.next()? {
        match item {
            Item::Object(object) => sum.add(object.class.raw().len() as u64),
            Item::Property(property) => sum.add(property.name.raw().len() as u64),
            Item::Value(value) => sum.value(value)?,
            Item::Pointer(number) => sum.add(number.into()),
            Item::List(list) => sum.add(list.len.into()),
            _ => {}
        }
    }
    Ok(sum.0)
}

/// Each root is passed over whole.
fn skip<'a>(items: &mut impl Items<'a>) -> Result<u32, Error> {
    let mut roots = 0;
    while let Some(item) = items.next()? {
        if let Item::Object(_) = item {
            items.skip()?;
            roots += 1;
        }
    }
    Ok(roots)
}

fn texts(c: &mut Criterion) {
    let text = text();
    let mut group = c.benchmark_group("rems text");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("traverse", |b| {
        b.iter(|| traverse(&mut TextReader::new(black_box(text.as_bytes()))).unwrap());
    });
    group.bench_function("skip", |b| {
        b.iter(|| {
            let roots = skip(&mut TextReader::new(black_box(text.as_bytes()))).unwrap();
            assert_eq!(roots, OBJECTS / 10);
        });
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = texts
}
criterion_main!(benches);
