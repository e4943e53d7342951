//! Which keys of a dictionary are one for an engine. Two pairs of a packet then become one:
//! at the place of the first, with its key as that is written, and the value of the last.

use super::leaf::is_lone_root;
use super::print::LEVELS;
use crate::godot::dialect::Rules;
use crate::godot::parts::Part;
use crate::godot::{
    Dialect, Dictionary, DictionaryRef, Kind, NodePathRef, ObjectRef, Reader, StrRef, Variant,
    VariantRef,
};
use alloc::vec::Vec;
use core::convert::Infallible;
use core::ops::Range;

/// A pair that an engine has of a dictionary.
#[derive(Clone, Debug)]
pub(super) struct Pair<'a> {
    pub key: VariantRef<'a>,
    pub value: VariantRef<'a>,
    /// Where the key is spelled.
    spelled: Range<usize>,
}

/// What engines hold to be one key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity {
    /// Dictionaries by what is in them, and not each for itself (Godot 4).
    pub dictionaries: bool,
    /// What stands in a key's array, or as a value in a key's dictionary: a NaN is like no
    /// other there, and a String never a StringName (Godot 4).
    pub strict_items: bool,
}

/// The pairs in the order of insertion.
pub(super) fn pairs<'a>(dictionary: DictionaryRef<'a>, rules: &Rules) -> Vec<Pair<'a>> {
    Speller { rules, unlike: 0 }.pairs(dictionary, LEVELS).0
}

/// Leaves the pairs that an engine would have: of keys that are one, the first, with the
/// value of the last.
pub(super) fn merge_owned(dictionary: &mut Dictionary, dialect: Dialect) {
    if dictionary.pairs.len() < 2 {
        return;
    }
    // Keys alone, with the places of their values.
    let keys = dictionary.pairs.iter().map(|(key, _)| key.clone()).zip(0_u32..);
    let keys = Variant::from(Dictionary::from_iter(keys)).to_bytes(dialect);
    let keys = keys.unwrap_or_default();
    let view = Reader::new(&keys, dialect).read().ok().and_then(|keys| keys.as_dictionary());
    let Some(view) = view else { return }; // too deep: an error when it is written
    let kept = pairs(view, dialect.rules());
    if kept.len() == dictionary.pairs.len() {
        return;
    }
    let mut values: Vec<_> = dictionary.pairs.drain(..).map(|(_, value)| Some(value)).collect();
    dictionary.pairs.extend(kept.iter().filter_map(|pair| {
        let place = usize::try_from(pair.value.as_i64()?).ok()?;
        Some((pair.key.to_variant().ok()?, values.get_mut(place)?.take()?))
    }));
}

/// Spells keys in bytes, so that two keys are one where their bytes are the same. Comparing
/// all keys is then sorting, whatever the packet makes of them.
struct Speller<'r> {
    rules: &'r Rules,
    /// How many values were spelled that are like no other.
    unlike: u64,
}

/// What a value is to the key it is a part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The key itself, or one of a dictionary in it.
    Key,
    Item,
}

impl Speller<'_> {
    /// The pairs, and the bytes in which their keys are spelled.
    fn pairs<'a>(&mut self, dictionary: DictionaryRef<'a>, room: u32) -> (Vec<Pair<'a>>, Vec<u8>) {
        let (mut pairs, mut bytes) = (Vec::new(), Vec::new());
        for (key, value) in dictionary {
            let start = bytes.len();
            self.spell(&key, Place::Key, room, &mut bytes);
            pairs.push(Pair { key, value, spelled: start..bytes.len() });
        }
        merge(&mut pairs, &bytes);
        (pairs, bytes)
    }

    fn spell(&mut self, value: &VariantRef<'_>, place: Place, room: u32, out: &mut Vec<u8>) {
        let strict = place == Place::Item && self.rules.notation.identity.strict_items;
        // Below a depth the engine gives up, and takes all for alike.
        let Some(room) = room.checked_sub(1) else { return };
        out.push(match value.kind() {
            Kind::StringName if !strict => Kind::String as u8,
            kind => kind as u8,
        });
        match *value {
            VariantRef::Array(array) => {
                out.extend(array.len.to_le_bytes());
                array.iter().for_each(|item| self.spell(&item, Place::Item, room, out));
            }
            VariantRef::Dictionary(dictionary) if self.rules.notation.identity.dictionaries => {
                self.dictionary(dictionary, room, out);
            }
            VariantRef::Dictionary(_) => self.unlike(out),
            VariantRef::Object(ObjectRef::Null | ObjectRef::Id(0)) => out.push(0),
            VariantRef::Object(_) => self.unlike(out),
            VariantRef::Float(value) if strict && value.is_nan() => self.unlike(out),
            _ => self.parts(value, out),
        }
    }

    /// Key by key, in their order: so Godot 4 computes the hash.
    fn dictionary(&mut self, dictionary: DictionaryRef<'_>, room: u32, out: &mut Vec<u8>) {
        let (pairs, bytes) = self.pairs(dictionary, room);
        out.extend((pairs.len() as u32).to_le_bytes());
        for Pair { value, spelled, .. } in pairs {
            out.extend(bytes.get(spelled).unwrap_or_default());
            self.spell(&value, Place::Item, room, out);
        }
    }

    fn parts(&self, value: &VariantRef<'_>, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend([0; 4]);
        let mut count = 0_u32;
        let told: Result<(), Infallible> = value.parts(&mut |part| {
            count = count.wrapping_add(1);
            self.part(part, out);
            Ok(())
        });
        let Ok(()) = told;
        if let Some(place) = out.get_mut(start..).and_then(|bytes| bytes.first_chunk_mut()) {
            *place = count.to_le_bytes();
        }
    }

    fn part(&self, part: Part<'_>, out: &mut Vec<u8>) {
        match part {
            Part::Truth(value) => out.push(value.into()),
            Part::Int(value) => out.extend(value.to_le_bytes()),
            Part::Id(value) => out.extend(value.to_le_bytes()),
            Part::Real(value) if value.is_nan() => out.extend(f64::NAN.to_le_bytes()),
            // 0 and −0 are one.
            Part::Real(0.0) => out.extend([0; 8]),
            Part::Real(value) => out.extend(value.to_le_bytes()),
            Part::Text(text) => spell_texts([text], out),
            Part::Path(path) => self.path(path, out),
        }
    }

    fn path(&self, path: NodePathRef<'_>, out: &mut Vec<u8>) {
        let is_absolute = path.is_absolute() && !is_lone_root(path, self.rules);
        out.push(is_absolute.into());
        for texts in [path.names(), path.subnames()] {
            out.extend((texts.len() as u32).to_le_bytes());
            spell_texts(texts, out);
        }
        // At most one of the two is there.
        let more = path.property().or(path.old_form());
        out.push(more.is_some().into());
        spell_texts(more, out);
    }

    /// What no other value has: objects are each one of their own, and so on.
    fn unlike(&mut self, out: &mut Vec<u8>) {
        self.unlike = self.unlike.wrapping_add(1);
        out.push(1);
        out.extend(self.unlike.to_le_bytes());
    }
}

/// Texts have no NUL.
fn spell_texts<'a>(texts: impl IntoIterator<Item = StrRef<'a>>, out: &mut Vec<u8>) {
    for text in texts {
        out.extend(text.visible());
        out.push(0);
    }
}

/// Of pairs whose keys are spelled alike, only the first stays, with the last one's value.
fn merge(pairs: &mut Vec<Pair<'_>>, bytes: &[u8]) {
    let spelled = |pair: &Pair<'_>| bytes.get(pair.spelled.clone()).unwrap_or_default();
    let mut by_key: Vec<_> = pairs.iter().map(spelled).zip(0_usize..).collect();
    by_key.sort_unstable();
    let mut gone = alloc::vec![false; pairs.len()];
    for alike in by_key.chunk_by(|(key, _), (next, _)| key == next) {
        let [(_, first), .., (_, last)] = alike else { continue };
        let Some(value) = pairs.get(*last).map(|pair| pair.value) else { continue };
        if let Some(pair) = pairs.get_mut(*first) {
            pair.value = value;
        }
        for (_, other) in alike.iter().skip(1) {
            gone.get_mut(*other).into_iter().for_each(|gone| *gone = true);
        }
    }
    let mut gone = gone.into_iter();
    pairs.retain(|_| gone.next() == Some(false));
}
