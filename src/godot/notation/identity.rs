//! Equality of dictionary keys. An engine merges the pairs of a dictionary that have equal keys.
//! The merged pair has the position and the key of the first pair, and the value of the last.
//!
//! Each key is encoded so that equal keys have equal bytes. Duplicates are then found by sorting,
//! so even an adversarial packet does not cause quadratic time.

use super::Style;
use super::leaf::loses_root;
use super::print::MAX_LEVELS;
use crate::buffer::sort_unstable_by;
use crate::godot::table::dialect::Rules;
use crate::godot::types::parts::Part;
use crate::godot::{
    DictionaryRef, Encoded, Error, Kind, Leaf, NodePathRef, Open, Property, Reader, Role, StrRef,
    VariantRef, Visitor,
};
use alloc::vec::Vec;
use core::convert::Infallible;
use core::ops::Range;

/// The rules by which an engine compares keys for equality, where the engines differ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity {
    /// `true` if dictionaries are compared by their content (Godot 4), `false` if no two
    /// dictionaries are equal.
    pub dictionaries: bool,
    /// `true` if the items of an array key and the values of a dictionary key are compared
    /// strictly, as in Godot 4: a NaN then differs from every NaN, and a String from every
    /// StringName.
    pub strict_items: bool,
}

/// A key and its value.
pub(super) type Pair<'a> = (VariantRef<'a>, VariantRef<'a>);

/// Returns the pairs of a dictionary that remain when an engine merges equal keys. They are in the
/// order in which their keys first occur.
pub(super) fn pairs<'a>(dictionary: DictionaryRef<'a>, rules: &Rules) -> Vec<Pair<'a>> {
    let pairs: Vec<_> = dictionary.iter().collect();
    if pairs.len() < 2 {
        return pairs;
    }
    let pair = |(first, last): (usize, usize)| Some((pairs.get(first)?.0, pairs.get(last)?.1));
    let keys = dictionary.iter().encoded().map(|(key, _)| key);
    merged_pairs(keys, rules).into_iter().filter_map(pair).collect()
}

/// Merges pairs with equal keys. `keys` contains the keys of all pairs. Returns two indices for
/// each merged pair: first that of the pair that provides the key, then that of the pair that
/// provides the value.
pub(super) fn merged_pairs<'a>(
    keys: impl Iterator<Item = Encoded<'a>>,
    rules: &Rules,
) -> Vec<(usize, usize)> {
    let mut encoder =
        KeyEncoder { rules, out: Vec::new(), unique: 0, open: Vec::new(), skipped_depth: 0 };
    let mut encoded = Vec::new();
    for key in keys {
        let start = encoder.out.len();
        encoder.key(key);
        encoded.push(start..encoder.out.len());
    }
    distinct(&encoder.out, &encoded)
}

/// Groups equal encoded keys. Returns the first and the last index of each group.
fn distinct(bytes: &[u8], keys: &[Range<usize>]) -> Vec<(usize, usize)> {
    let encoded = |key: &Range<usize>| bytes.get(key.clone()).unwrap_or_default();
    let mut by_key: Vec<_> = keys.iter().map(encoded).zip(0_usize..).collect();
    sort_unstable_by(&mut by_key, Ord::cmp);
    let equal = by_key.chunk_by(|(key, _), (next, _)| key == next);
    let mut distinct: Vec<_> =
        equal.filter_map(|equal| Some((equal.first()?.1, equal.last()?.1))).collect();
    sort_unstable_by(&mut distinct, Ord::cmp);
    distinct
}

/// The tag before a number of 8 bytes or before text. A byte that is less than this tag is itself
/// an encoded number.
const LONG: u8 = 0xFD;
/// The tag of a value that equals no other value. The counter of 8 bytes that follows makes each
/// such value unique.
const UNIQUE: u8 = 0xFE;
/// The byte that ends a list of parts, items or pairs.
const END: u8 = 0xFF;

/// A visitor that encodes keys so that equal keys have equal bytes.
struct KeyEncoder<'r> {
    rules: &'r Rules,
    out: Vec<u8>,
    /// The number of encoded values that equal no other value.
    unique: u64,
    open: Vec<Container>,
    /// The number of open containers whose content is skipped.
    skipped_depth: u32,
}

/// An open container.
struct Container {
    kind: Kind,
    /// The offsets of the container's encoded items. Keys and values of a dictionary alternate.
    items: Vec<usize>,
}

impl KeyEncoder<'_> {
    fn key(&mut self, key: Encoded<'_>) {
        if Reader::new(key.as_bytes(), key.dialect()).visit_dyn(self).is_err() {
            // This happens only for a key of more than 1024 levels, which the caller must have read
            // with a depth limit above the default.
            self.open.clear();
            self.skipped_depth = 0;
            self.unique();
        }
    }

    fn begin(&mut self, kind: Kind, strict: bool) {
        let start = self.out.len();
        if let Some(container) = self.open.last_mut() {
            container.items.push(start);
        }
        self.out.push(match kind {
            Kind::StringName if !strict => Kind::String as u8,
            kind => kind as u8,
        });
    }

    fn unique(&mut self) {
        self.unique = self.unique.wrapping_add(1);
        self.out.push(UNIQUE);
        self.out.extend(self.unique.to_le_bytes());
    }

    /// Merges the pairs of a dictionary that have equal keys. The order of the pairs is kept:
    /// Godot 4 hashes them in order, so dictionaries with different orders are different keys.
    #[allow(clippy::disallowed_methods, reason = "`step_by` panics only for 0")]
    fn merge(&mut self, items: &[usize]) {
        let ends = items.iter().skip(1).copied().chain([self.out.len()]);
        let items: Vec<_> = items.iter().zip(ends).map(|(start, end)| *start..end).collect();
        let keys: Vec<_> = items.iter().step_by(2).cloned().collect();
        let distinct = distinct(&self.out, &keys);
        if distinct.len() == keys.len() {
            return;
        }
        let (pairs, _) = items.as_chunks::<2>();
        let pieces = distinct.iter().map(|(first, last)| {
            let (key, value) = (pairs.get(*first)?.first()?, pairs.get(*last)?.last()?);
            Some([self.out.get(key.clone())?, self.out.get(value.clone())?])
        });
        let merged: Vec<u8> = pieces.flatten().flatten().flatten().copied().collect();
        self.out.truncate(items.first().map_or(0, |item| item.start));
        self.out.extend(merged);
    }

    fn parts(&mut self, value: &VariantRef<'_>) {
        let Ok(()) = value.parts(&mut |part| {
            self.part(part);
            Ok::<(), Infallible>(())
        });
        self.out.push(END);
    }

    fn part(&mut self, part: Part<'_>) {
        match part {
            Part::Bool(value) => self.out.push(value.into()),
            Part::Int(value) => match u8::try_from(value) {
                Ok(small @ ..LONG) => self.out.push(small),
                _ => self.long(value.to_le_bytes()),
            },
            Part::Id(value) => self.long(value.to_le_bytes()),
            // 0.0 equals −0.0, and all NaNs are equal.
            Part::Real(0.0) => self.long([0; 8]),
            Part::Real(value) if value.is_nan() => self.long(f64::NAN.to_le_bytes()),
            Part::Real(value) => self.long(value.to_le_bytes()),
            Part::Text(text) => self.texts([text]),
            Part::Path(path) => self.path(path),
        }
    }

    fn long(&mut self, number: [u8; 8]) {
        self.out.push(LONG);
        self.out.extend(number);
    }

    /// Encodes strings, each with a terminating NUL. The visible part of a string contains no NUL.
    fn texts<'a>(&mut self, texts: impl IntoIterator<Item = StrRef<'a>>) {
        for text in texts {
            self.out.push(LONG); // The first byte of the text could equal a tag.
            self.out.extend(text.visible());
            self.out.push(0);
        }
    }

    fn path(&mut self, path: NodePathRef<'_>) {
        let is_absolute = path.is_absolute() && !loses_root(path, self.rules);
        self.out.push(is_absolute.into());
        for texts in [path.names(), path.subnames()] {
            self.texts(texts);
            self.out.push(END);
        }
        // A path has a property (Godot 2) or an old form, but never both.
        self.texts(path.property().or(path.old_form()));
    }
}

impl<'a> Visitor<'a> for KeyEncoder<'_> {
    type Error = Error;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Error> {
        if self.skipped_depth > 0 {
            return Ok(());
        }
        let is_item = !self.open.is_empty() && leaf.role != Role::Key;
        let strict = is_item && Style::of(self.rules.dialect).identity.strict_items;
        self.begin(leaf.value.kind(), strict);
        match leaf.value {
            VariantRef::Object(object) if !object.is_null() => self.unique(),
            VariantRef::Float(value) if strict && value.is_nan() => self.unique(),
            value => self.parts(&value),
        }
        Ok(())
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Error> {
        if self.skipped_depth > 0 {
            self.skipped_depth = self.skipped_depth.saturating_add(1);
            return Ok(());
        }
        let kind = open.container.kind();
        self.begin(kind, true);
        if self.open.len() as u32 >= MAX_LEVELS {
            // The engine does not compare deeper containers, so they are all equal.
            self.skipped_depth = 1;
        } else if kind == Kind::Array
            || kind == Kind::Dictionary && Style::of(self.rules.dialect).identity.dictionaries
        {
            self.open.push(Container { kind, items: Vec::new() });
        } else {
            self.unique();
            self.skipped_depth = 1;
        }
        Ok(())
    }

    // The content of an object is skipped, so its properties have no effect.
    fn property(&mut self, _: Property<'a>) -> Result<(), Error> {
        Ok(())
    }

    fn close(&mut self, _: Kind) -> Result<(), Error> {
        if let Some(depth) = self.skipped_depth.checked_sub(1) {
            self.skipped_depth = depth;
            return Ok(());
        }
        if let Some(container) = self.open.pop() {
            if container.kind == Kind::Dictionary {
                self.merge(&container.items);
            }
            self.out.push(END);
        }
        Ok(())
    }
}
