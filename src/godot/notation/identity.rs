//! Which keys of a dictionary are one for an engine. Two pairs of a packet then become one:
//! at the place of the first, with its key as that is written, and the value of the last.
//!
//! Each key is spelled in bytes, so that two keys are one where their bytes are the same.
//! Comparing all keys is then sorting, whatever the packet makes of them.

use super::Style;
use super::leaf::is_lone_root;
use super::print::LEVELS;
use crate::godot::table::dialect::Rules;
use crate::godot::types::parts::Part;
use crate::godot::{
    DictionaryRef, Encoded, Error, Kind, Leaf, NodePathRef, Open, Property, Reader, Role, StrRef,
    VariantRef, Visitor,
};
use alloc::vec::Vec;
use core::convert::Infallible;
use core::ops::Range;

/// What engines hold to be one key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity {
    /// Dictionaries by what is in them, and not each for itself (Godot 4).
    pub dictionaries: bool,
    /// What stands in a key's array, or as a value in a key's dictionary: a NaN is like no
    /// other there, and a String never a StringName (Godot 4).
    pub strict_items: bool,
}

/// A key and its value.
pub(super) type Pair<'a> = (VariantRef<'a>, VariantRef<'a>);

/// The pairs that an engine has of a dictionary, in the order of insertion.
pub(super) fn pairs<'a>(dictionary: DictionaryRef<'a>, rules: &Rules) -> Vec<Pair<'a>> {
    let pairs: Vec<_> = dictionary.iter().collect();
    if pairs.len() < 2 {
        return pairs;
    }
    let pair = |(first, last): (usize, usize)| Some((pairs.get(first)?.0, pairs.get(last)?.1));
    let keys = dictionary.iter().encoded().map(|(key, _)| key);
    kept(keys, rules).into_iter().filter_map(pair).collect()
}

/// Of the pairs with these keys, those that an engine has: the places of the key and of its
/// value.
pub(super) fn kept<'a>(
    keys: impl Iterator<Item = Encoded<'a>>,
    rules: &Rules,
) -> Vec<(usize, usize)> {
    let mut speller = Speller { rules, out: Vec::new(), unlike: 0, open: Vec::new(), hidden: 0 };
    let mut spelled = Vec::new();
    for key in keys {
        let start = speller.out.len();
        speller.key(key);
        spelled.push(start..speller.out.len());
    }
    apart(&speller.out, &spelled)
}

/// Of keys in bytes those that are not alike: for each the first place and the last one.
fn apart(bytes: &[u8], keys: &[Range<usize>]) -> Vec<(usize, usize)> {
    let spelled = |key: &Range<usize>| bytes.get(key.clone()).unwrap_or_default();
    let mut by_key: Vec<_> = keys.iter().map(spelled).zip(0_usize..).collect();
    by_key.sort_unstable();
    let alike = by_key.chunk_by(|(key, _), (next, _)| key == next);
    let mut apart: Vec<_> =
        alike.filter_map(|alike| Some((alike.first()?.1, alike.last()?.1))).collect();
    apart.sort_unstable();
    apart
}

/// Before a number of 8 bytes, or a text: numbers below it are one byte.
const LONG: u8 = 0xFD;
/// In place of a value that no other is like: 8 bytes follow that no other has.
const UNLIKE: u8 = 0xFE;
/// Behind parts, items or pairs.
const END: u8 = 0xFF;

struct Speller<'r> {
    rules: &'r Rules,
    out: Vec<u8>,
    /// How many values were spelled that are like no other.
    unlike: u64,
    open: Vec<Container>,
    /// How many containers are open around the next value that are not looked into.
    hidden: u32,
}

/// A container that is open.
struct Container {
    kind: Kind,
    /// Where its items are spelled, a dictionary's keys and values in turns.
    items: Vec<usize>,
}

impl Speller<'_> {
    fn key(&mut self, key: Encoded<'_>) {
        if Reader::new(key.as_bytes(), key.dialect()).visit_dyn(self).is_err() {
            // Deeper than 1024, read with a stack for that.
            self.open.clear();
            self.hidden = 0;
            self.unlike();
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

    fn unlike(&mut self) {
        self.unlike = self.unlike.wrapping_add(1);
        self.out.push(UNLIKE);
        self.out.extend(self.unlike.to_le_bytes());
    }

    /// Keeps the last value of each key. They stay in their order: so Godot 4 computes the
    /// hash of a dictionary, and holds one with other turns to be another key.
    #[allow(clippy::disallowed_methods, reason = "a step of two")]
    fn merge(&mut self, items: &[usize]) {
        let ends = items.iter().skip(1).copied().chain([self.out.len()]);
        let items: Vec<_> = items.iter().zip(ends).map(|(start, end)| *start..end).collect();
        let keys: Vec<_> = items.iter().step_by(2).cloned().collect();
        let apart = apart(&self.out, &keys);
        if apart.len() == keys.len() {
            return;
        }
        let (pairs, _) = items.as_chunks::<2>();
        let pieces = apart.iter().map(|(first, last)| {
            let (key, value) = (pairs.get(*first)?.first()?, pairs.get(*last)?.last()?);
            Some([self.out.get(key.clone())?, self.out.get(value.clone())?])
        });
        let kept: Vec<u8> = pieces.flatten().flatten().flatten().copied().collect();
        self.out.truncate(items.first().map_or(0, |item| item.start));
        self.out.extend(kept);
    }

    fn parts(&mut self, value: &VariantRef<'_>) {
        let told: Result<(), Infallible> = value.parts(&mut |part| {
            self.part(part);
            Ok(())
        });
        let Ok(()) = told;
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
            // There is one zero, and one NaN.
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

    /// To the NUL, which what is visible of them does not have.
    fn texts<'a>(&mut self, texts: impl IntoIterator<Item = StrRef<'a>>) {
        for text in texts {
            self.out.push(LONG); // whatever it begins with
            self.out.extend(text.visible());
            self.out.push(0);
        }
    }

    fn path(&mut self, path: NodePathRef<'_>) {
        let is_absolute = path.is_absolute() && !is_lone_root(path, self.rules);
        self.out.push(is_absolute.into());
        for texts in [path.names(), path.subnames()] {
            self.texts(texts);
            self.out.push(END);
        }
        // At most one of the two is there.
        self.texts(path.property().or(path.old_form()));
    }
}

impl<'a> Visitor<'a> for Speller<'_> {
    type Error = Error;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Error> {
        if self.hidden > 0 {
            return Ok(());
        }
        let is_item = !self.open.is_empty() && leaf.role != Role::Key;
        let strict = is_item && Style::of(self.rules.dialect).identity.strict_items;
        self.begin(leaf.value.kind(), strict);
        match leaf.value {
            VariantRef::Object(object) if !object.is_null() => self.unlike(),
            VariantRef::Float(value) if strict && value.is_nan() => self.unlike(),
            value => self.parts(&value),
        }
        Ok(())
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Error> {
        if self.hidden > 0 {
            self.hidden = self.hidden.saturating_add(1);
            return Ok(());
        }
        let kind = open.container.kind();
        self.begin(kind, true);
        if self.open.len() as u32 >= LEVELS {
            // The engine gives up, and takes all for alike.
            self.hidden = 1;
        } else if kind == Kind::Array
            || kind == Kind::Dictionary && Style::of(self.rules.dialect).identity.dictionaries
        {
            self.open.push(Container { kind, items: Vec::new() });
        } else {
            self.unlike();
            self.hidden = 1;
        }
        Ok(())
    }

    /// What is in an object is not looked at.
    fn property(&mut self, _: Property<'a>) -> Result<(), Error> {
        Ok(())
    }

    fn close(&mut self, _: Kind) -> Result<(), Error> {
        if let Some(hidden) = self.hidden.checked_sub(1) {
            self.hidden = hidden;
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
