//! Laws of patches: after a patch, the packet contains the new value, and no other byte has
//! changed.

use super::{SMALL, limits, skip};
use gamewire::godot::patch::Patch;
use gamewire::godot::path::Path;
use gamewire::godot::{
    Dialect, Encoded, Error, Kind, Leaf, Level, Open, Property, Reader, Role, StringName,
    VariantRef, Vector2, Visitor,
};
use std::ops::Range;

/// Applies patches to arbitrary bytes, in every dialect.
pub fn godot_patch(data: &[u8]) {
    Dialect::ALL.iter().for_each(|&dialect| patch_as(data, dialect));
}

pub fn patch_as(data: &[u8], dialect: Dialect) {
    let Ok(end) = skip(data, dialect, limits(Level::Structure, true)) else { return };
    let bytes = &data[..end];
    let before = Before::of(bytes, dialect);
    let mut seen = Vec::new();
    Patch::new(&mut bytes.to_vec(), dialect)
        .unwrap()
        .for_each(|role, leaf| {
            let start = leaf.offset() as usize;
            seen.push((role, start..start + leaf.encoded().as_bytes().len()));
            Ok::<_, Error>(())
        })
        .unwrap();
    assert_eq!(seen, before.leaves, "{dialect}: what a visitor is told of");

    let mut memory = bytes.to_vec();
    let mut packet = Patch::new(&mut memory, dialect).unwrap();
    packet.for_each(|_, leaf| own_value(leaf)).unwrap();
    before.is_still(&memory);

    let mut memory = bytes.to_vec();
    Patch::new(&mut memory, dialect).unwrap().fill(b'x');
    before.is_still(&memory);
    filled(&before, &memory);

    // The sum of the bytes selects a leaf.
    let choice = bytes.iter().fold(0, |sum, byte| sum + usize::from(*byte));
    if bytes.len() <= SMALL && !before.leaves.is_empty() {
        others(&before, choice % before.leaves.len(), choice / 7);
    }
}

/// The packet before a patch.
struct Before<'a> {
    bytes: &'a [u8],
    dialect: Dialect,
    leaves: Vec<(Role, Range<usize>)>,
    is_accepted: bool,
}

impl<'a> Before<'a> {
    fn of(bytes: &'a [u8], dialect: Dialect) -> Self {
        let is_accepted = skip(bytes, dialect, limits(Level::Engine, true)).is_ok();
        Self { bytes, dialect, leaves: leaves(bytes, dialect), is_accepted }
    }

    /// Asserts that all leaves still have the same roles and byte ranges. If an engine accepts the
    /// original packet, it must also accept the patched packet.
    fn is_still(&self, after: &[u8]) {
        assert_eq!(leaves(after, self.dialect), self.leaves, "{}", self.dialect);
        let level = if self.is_accepted { Level::Engine } else { Level::Structure };
        let end = skip(after, self.dialect, limits(level, true));
        assert_eq!(end, Ok(self.bytes.len()), "{}", self.dialect);
    }
}

/// Returns the role and the byte range of each leaf that a visitor receives.
fn leaves(bytes: &[u8], dialect: Dialect) -> Vec<(Role, Range<usize>)> {
    struct Leaves(Vec<(Role, Range<usize>)>);

    impl<'a> Visitor<'a> for Leaves {
        type Error = Error;

        fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Error> {
            let start = leaf.offset as usize;
            self.0.push((leaf.role, start..start + leaf.encoded.as_bytes().len()));
            Ok(())
        }

        fn open(&mut self, _: Open<'a>) -> Result<(), Error> {
            Ok(())
        }

        fn property(&mut self, _: Property<'a>) -> Result<(), Error> {
            Ok(())
        }

        fn close(&mut self, _: Kind) -> Result<(), Error> {
            Ok(())
        }
    }

    let mut leaves = Leaves(Vec::new());
    Reader::new(bytes, dialect).visit(&mut leaves).unwrap();
    leaves.0
}

/// Replaces a value with itself. The replacement may fail only for a value that an engine would
/// write differently: text that engines reject, or an encoding of a different size.
fn own_value(leaf: &mut Patch<'_>) -> Result<(), Error> {
    let before = leaf.encoded().as_bytes().to_vec();
    let encoded = Reader::new(&before, leaf.encoded().dialect()).read_encoded()?;
    let mut canonical = true;
    encoded.deviations(|_| canonical = false);
    match leaf.set("", encoded) {
        Ok(()) => assert!(!canonical || leaf.encoded().as_bytes() == before),
        Err(error) => {
            assert!(!canonical, "{error}: {before:02x?}");
            assert_eq!(leaf.encoded().as_bytes(), before);
        }
    }
    Ok(())
}

/// Asserts that all text and all byte arrays are overwritten, and that all other leaves are
/// unchanged. Checks only the header of signals and images.
fn filled(before: &Before<'_>, after: &[u8]) {
    for (_, range) in &before.leaves {
        let read = |bytes| Reader::new(bytes, before.dialect).read_encoded().unwrap();
        let [old, new] = [read(&before.bytes[range.clone()]), read(&after[range.clone()])];
        assert_eq!(old.header(), new.header());
        match new.decode() {
            VariantRef::String(text) | VariantRef::StringName(text) => {
                let text = text.as_bytes();
                let text = text.strip_suffix(&[0]).unwrap_or(text);
                assert!(text.iter().all(|byte| *byte == b'x'));
            }
            VariantRef::PackedByteArray(bytes) => assert!(bytes.iter().all(|byte| *byte == b'x')),
            VariantRef::PackedStringArray(texts) => {
                let text = |byte: &u8| *byte == b'x' || *byte == 0;
                assert!(texts.iter().all(|t| t.as_bytes().iter().all(text)));
            }
            VariantRef::NodePath(path) => {
                let mut texts = path.names().chain(path.subnames()).chain(path.property());
                assert!(texts.all(|text| text.as_bytes().iter().all(|b| *b == b'x' || *b == 0)));
            }
            VariantRef::Signal(_) | VariantRef::Image(_) => {}
            _ => assert_eq!(old.as_bytes(), new.as_bytes()),
        }
    }
}

type Setting<'s> = &'s dyn Fn(&mut Patch<'_>) -> Result<(), Error>;

/// Sets values of several types at the path of a leaf, and at a path inside the leaf. Each value is
/// stored or rejected.
fn others(before: &Before<'_>, leaf: usize, choice: usize) {
    let place = &before.leaves[leaf].1;
    let path = Path::new(before.bytes, before.dialect, place.start as u64).to_string();
    let inside = ["x", "origin/y", "a", "size/x", "0", "-1", "2"][choice % 7];
    let other = &before.leaves[(leaf + 1) % before.leaves.len()].1;
    let other = &before.bytes[other.clone()];
    let other: Encoded<'_> = Reader::new(other, before.dialect).read_encoded().unwrap();
    for inside in ["", inside] {
        let separator = if path.is_empty() || inside.is_empty() { "" } else { "/" };
        let path = format!("{path}{separator}{inside}");
        let set = |value: Setting<'_>| set(before, place, &path, value);
        set(&|packet| packet.set(&path, 7));
        set(&|packet| packet.set(&path, -1_i64 << 40));
        set(&|packet| packet.set(&path, 0.1));
        set(&|packet| packet.set(&path, f64::NAN));
        set(&|packet| packet.set(&path, "abcde"));
        set(&|packet| packet.set(&path, StringName("ab")));
        set(&|packet| packet.set(&path, Vector2 { x: 0.1, y: 1e300 }));
        set(&|packet| packet.set(&path, &[0.1_f32, 0.2][..]));
        set(&|packet| packet.set(&path, &["a", "bcd"][..]));
        set(&|packet| packet.set(&path, other));
        set(&|packet| packet.set(&path, other.decode()));
    }
}

fn set(
    before: &Before<'_>,
    place: &Range<usize>,
    path: &str,
    set: &dyn Fn(&mut Patch<'_>) -> Result<(), Error>,
) {
    let mut memory = before.bytes.to_vec();
    let mut packet = Patch::new(&mut memory, before.dialect).unwrap();
    match set(&mut packet) {
        Ok(()) => {
            before.is_still(&memory);
            assert_eq!(memory[..place.start], before.bytes[..place.start]);
            assert_eq!(memory[place.end..], before.bytes[place.end..]);
        }
        Err(error) => {
            assert!(memory == before.bytes, "{path}: {error}");
            assert!(error.offset() <= before.bytes.len() as u64);
        }
    }
}
