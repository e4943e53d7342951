//! The packets that the benches measure, and the operations on them.

#![allow(dead_code)] // each bench uses a part

use super::checksum::Checksum;
use gamewire::godot::{
    Dialect, Error, Index, IndexedItems, IndexedRef, Kind, Leaf, Level, Limits, Open, Property,
    Reader, RealLayout, StrRef, VariantRef, Visitor, Writer,
};
use std::hint::black_box;

pub const STATE: &[u8] = include_bytes!("../../corpus/bench/state_simple.bin");
pub const FLOATS: &[u8] = include_bytes!("../../corpus/bench/f32_1m.bin");

pub const PACKETS: [(&str, &[u8]); 6] = [
    ("state_simple", STATE),
    ("world", include_bytes!("../../corpus/godot4/game_state_500.bin")),
    ("ints10k", include_bytes!("../../corpus/bench/ints10k.bin")),
    ("str10k", include_bytes!("../../corpus/bench/str10k.bin")),
    ("pstr10k", include_bytes!("../../corpus/bench/pstr10k.bin")),
    ("f32_1m", FLOATS),
];

pub fn reader(packet: &[u8]) -> Reader<'_, 'static> {
    Reader::new(packet, Dialect::Godot4)
}

pub fn at_level(packet: &[u8], level: Level) -> Result<(), Error> {
    reader(packet).limits(Limits { level, ..Limits::default() }).skip()
}

/// A visitor that adds every leaf to a checksum. Strings are added as `&str` if `STR` is `true`,
/// and as raw bytes otherwise.
#[derive(Default)]
pub struct Leaves<const STR: bool>(pub Checksum);

impl<const STR: bool> Leaves<STR> {
    #[inline(always)]
    fn text(&mut self, text: StrRef<'_>) {
        if STR {
            self.0.text(text.to_str().unwrap_or_default());
        } else {
            self.0.text(text.as_bytes());
        }
    }

    #[inline(always)]
    fn value(&mut self, value: VariantRef<'_>) {
        match value {
            VariantRef::String(text) | VariantRef::StringName(text) => self.text(text),
            VariantRef::Int(int) => self.0.add(int as u64),
            VariantRef::Float(float) => self.0.add(float.to_bits()),
            VariantRef::Bool(value) => self.0.add(u64::from(value)),
            VariantRef::Vector2(v) => self.0.parts(&v.get().parts()),
            VariantRef::Vector3(v) => self.0.parts(&v.get().parts()),
            VariantRef::Color(v) => self.0.parts(&v.get().parts()),
            // The closure borrows a local copy, so that the checksum can stay in a register.
            VariantRef::PackedStringArray(texts) => {
                let mut sum = Self(Checksum(self.0.0));
                texts.iter().for_each(|text| sum.text(text));
                *self = sum;
            }
            VariantRef::PackedFloat32Array(floats) => {
                let mut sum = Checksum(self.0.0);
                floats.iter().for_each(|float| sum.add(float.get().to_bits().into()));
                self.0 = sum;
            }
            other => self.0.add(other.kind() as u64),
        }
    }
}

impl<'a, const STR: bool> Visitor<'a> for Leaves<STR> {
    type Error = Error;

    #[inline(always)]
    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Error> {
        self.value(leaf.value);
        Ok(())
    }

    #[inline(always)]
    fn open(&mut self, open: Open<'a>) -> Result<(), Error> {
        self.0.add(u64::from(open.container.len()));
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

/// Returns the checksum of all leaves.
pub fn traverse<const STR: bool>(packet: &[u8]) -> Result<u64, Error> {
    let mut leaves = Leaves::<STR>::default();
    reader(packet).visit(&mut leaves)?;
    Ok(leaves.0.0)
}

/// An operation on a packet that may be invalid. The operation returns `true` if the packet is
/// valid.
pub type Way = fn(&[u8]) -> bool;

pub const WAYS: [(&str, Way); 5] = [
    ("skip", |packet| at_level(packet, Level::Structure).is_ok()),
    ("validate", |packet| at_level(packet, Level::Engine).is_ok()),
    ("traverse, text as bytes", |packet| black_box(traverse::<false>(packet)).is_ok()),
    ("traverse", |packet| black_box(traverse::<true>(packet)).is_ok()),
    ("read", |packet| black_box(reader(packet).read()).is_ok()),
];

/// Visits every leaf through nested views.
pub fn through_views(value: VariantRef<'_>, sum: &mut Checksum) {
    match value {
        VariantRef::Array(array) => array.iter().for_each(|value| through_views(value, sum)),
        VariantRef::Dictionary(dictionary) => {
            dictionary.flat().for_each(|value| through_views(value, sum));
        }
        VariantRef::String(text) => sum.text(text.to_str().unwrap_or_default()),
        VariantRef::Int(int) => sum.add(int as u64),
        other => sum.add(other.kind() as u64),
    }
}

/// Visits every leaf through an index, and returns the same checksum as [`traverse`].
pub fn over_index<const STR: bool>(index: &Index<'_, '_>) -> u64 {
    fn through<const STR: bool>(items: IndexedItems<'_, '_>, mut sum: Leaves<STR>) -> Leaves<STR> {
        for item in items {
            sum = value(item, sum);
        }
        sum
    }
    #[inline(always)]
    fn value<const STR: bool>(item: IndexedRef<'_, '_>, mut sum: Leaves<STR>) -> Leaves<STR> {
        match item.value() {
            VariantRef::Array(array) => {
                sum.0.add(array.len() as u64);
                through(item.items(), sum)
            }
            VariantRef::Dictionary(dictionary) => {
                sum.0.add(dictionary.len() as u64);
                through(item.items(), sum)
            }
            leaf => {
                sum.value(leaf);
                sum
            }
        }
    }
    value(index.root(), Leaves::<STR>::default()).0.0
}

/// Makes nested arrays with the given number of ints, distributed evenly over the levels.
pub fn nested(depth: usize, ints: usize) -> Vec<u8> {
    fn level(writer: &mut Writer<&mut Vec<u8>>, levels: usize, ints: usize) {
        let deeper = levels > 1;
        let mut items = writer.array(ints + usize::from(deeper)).unwrap();
        (0..ints).for_each(|int| items.put(int as i64).unwrap());
        if deeper {
            level(&mut items, levels - 1, ints);
        }
        items.finish().unwrap();
    }
    let mut packet = Vec::new();
    level(&mut Writer::new(&mut packet, Dialect::Godot4), depth, ints / depth);
    packet
}
