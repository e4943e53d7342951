//! In which order an engine prints the pairs of a dictionary: sorted by their keys.

use super::Style;
use super::identity::{Pair, pairs};
use super::introsort;
use crate::godot::table::dialect::Rules;
use crate::godot::types::parts::Part;
use crate::godot::{DictionaryRef, Kind, VariantRef};
use alloc::vec::Vec;
use core::cmp::Ordering;

/// By what an engine sorts keys.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    /// See [`introsort::order`].
    pub stops_at_pivot: bool,
    /// Arrays by their items, then by length. Otherwise, and pool arrays too, as Godot 3
    /// has it, which is no order.
    pub arrays: bool,
}

/// So deep arrays in keys are compared; what is below is alike. (An engine has no limit, but
/// its stack.)
const COMPARED: u32 = 16;

/// The pairs that an engine has of the dictionary, as it would print them.
pub(super) fn sorted<'a>(dictionary: DictionaryRef<'a>, rules: &Rules) -> Vec<Pair<'a>> {
    let pairs = pairs(dictionary, rules);
    let keys: Vec<_> = pairs.iter().map(|(key, _)| SortKey::new(key, rules, COMPARED)).collect();
    let is_less = |a: usize, b: usize| match (keys.get(a), keys.get(b)) {
        (Some(a), Some(b)) => is_key_less(a, b, rules),
        _ => false,
    };
    let order =
        introsort::order(pairs.len(), Style::of(rules.dialect).order.stops_at_pivot, is_less);
    order.into_iter().filter_map(|place| pairs.get(place).copied()).collect()
}

/// What of a key is compared. It is looked for once, since a key may be long and be compared
/// with all others.
enum SortKey<'a> {
    Text(Kind, &'a [u8]),
    Array(Vec<Self>),
    /// A pool array of Godot 3.
    Pool(Kind, Vec<Part<'a>>),
    Other(VariantRef<'a>),
}

impl<'a> SortKey<'a> {
    fn new(key: &VariantRef<'a>, rules: &Rules, room: u32) -> Self {
        let kind = key.kind();
        match (*key, room.checked_sub(1)) {
            (VariantRef::String(text) | VariantRef::StringName(text), _) => {
                Self::Text(kind, text.visible())
            }
            (VariantRef::Array(array), Some(room)) => {
                Self::Array(array.iter().map(|item| Self::new(&item, rules, room)).collect())
            }
            (pool, _) if is_packed(kind) && !Style::of(rules.dialect).order.arrays => {
                Self::Pool(kind, pool_parts(&pool))
            }
            (other, _) => Self::Other(other),
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Self::Text(kind, _) | Self::Pool(kind, _) => *kind,
            Self::Array(_) => Kind::Array,
            Self::Other(other) => other.kind(),
        }
    }
}

/// Keys that are text are in one order, whatever their type.
fn is_key_less(a: &SortKey<'_>, b: &SortKey<'_>, rules: &Rules) -> bool {
    match (a, b) {
        (SortKey::Text(_, a), SortKey::Text(_, b)) => a < b,
        _ if Style::of(rules.dialect).order.arrays => compare(a, b, rules) == Ordering::Less,
        _ => is_less_in_godot3(a, b, rules),
    }
}

/// Types are ordered by their ids. Of most types, all values are alike.
fn compare(a: &SortKey<'_>, b: &SortKey<'_>, rules: &Rules) -> Ordering {
    let (kind, other) = (a.kind(), b.kind());
    if kind != other {
        return rules.dialect.id(kind).cmp(&rules.dialect.id(other));
    }
    match (a, b) {
        (SortKey::Text(_, a), SortKey::Text(_, b)) => a.cmp(b),
        (SortKey::Array(a), SortKey::Array(b)) => {
            let mut items = a.iter().zip(b).map(|(a, b)| compare(a, b, rules));
            items.find(|items| items.is_ne()).unwrap_or(a.len().cmp(&b.len()))
        }
        (SortKey::Other(a), SortKey::Other(b)) if is_ordered(kind) => compare_parts(a, b),
        _ => Ordering::Equal,
    }
}

fn is_less_in_godot3(a: &SortKey<'_>, b: &SortKey<'_>, rules: &Rules) -> bool {
    match (a, b) {
        // The first item that is not below is taken for a difference.
        (SortKey::Array(a), SortKey::Array(b)) => {
            let mut items = a.iter().zip(b);
            a.len() <= b.len() && items.any(|(a, b)| !is_less_in_godot3(a, b, rules))
        }
        (SortKey::Pool(kind, a), SortKey::Pool(other, b)) if kind == other => is_pool_less(a, b),
        _ => compare(a, b, rules) == Ordering::Less,
    }
}

/// The types, arrays and text apart, that an engine has a `<` for.
fn is_ordered(kind: Kind) -> bool {
    use Kind as K;
    let scalar = matches!(kind, K::Bool | K::Int | K::Float | K::Rid);
    scalar
        || matches!(kind, K::Vector2 | K::Vector3 | K::Vector4)
        || matches!(kind, K::Vector2i | K::Vector3i | K::Vector4i)
}

fn is_packed(kind: Kind) -> bool {
    (Kind::PackedByteArray..=Kind::PackedColorArray).contains(&kind)
}

/// Of Godot 3's pool arrays each is below any that differs. (It reads as many elements of both
/// as the first one has, also past the end of the other. If that does not crash it, what it
/// finds there differs.)
fn is_pool_less(a: &[Part<'_>], b: &[Part<'_>]) -> bool {
    let mut both = a.iter().zip(b);
    a.len() != b.len() || both.any(|(a, b)| compare_part(*a, *b) != Some(Ordering::Equal))
}

/// Of a long one, the beginning.
fn pool_parts<'a>(value: &VariantRef<'a>) -> Vec<Part<'a>> {
    const LOOKED_AT: usize = 4096;
    let mut parts = Vec::new();
    let _: Result<(), ()> = value.parts(&mut |part| {
        parts.push(part);
        if parts.len() < LOOKED_AT { Ok(()) } else { Err(()) }
    });
    parts
}

/// Part by part. Where the first difference is a NaN, they are alike.
fn compare_parts(a: &VariantRef<'_>, b: &VariantRef<'_>) -> Ordering {
    let [a, b] = [a, b].map(first_parts);
    let parts = a.into_iter().flatten().zip(b.into_iter().flatten());
    let mut parts = parts.map(|(a, b)| compare_part(a, b));
    parts.find(|part| *part != Some(Ordering::Equal)).flatten().unwrap_or(Ordering::Equal)
}

/// No ordered type has more.
fn first_parts<'a>(value: &VariantRef<'a>) -> [Option<Part<'a>>; 4] {
    let mut parts = [None; 4];
    let mut places = parts.iter_mut();
    // It ends where there is no place left.
    let _: Result<(), ()> = value.parts(&mut |part| {
        *places.next().ok_or(())? = Some(part);
        Ok(())
    });
    parts
}

fn compare_part(a: Part<'_>, b: Part<'_>) -> Option<Ordering> {
    match (a, b) {
        (Part::Bool(a), Part::Bool(b)) => Some(a.cmp(&b)),
        (Part::Int(a), Part::Int(b)) => Some(a.cmp(&b)),
        (Part::Id(a), Part::Id(b)) => Some(a.cmp(&b)),
        (Part::Real(a), Part::Real(b)) => a.partial_cmp(&b),
        (Part::Text(a), Part::Text(b)) => Some(a.visible().cmp(b.visible())),
        _ => None,
    }
}
