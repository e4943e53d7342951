//! The order in which an engine prints the pairs of a dictionary: sorted by their keys.

use super::Style;
use super::identity::{Pair, pairs};
use super::introsort;
use crate::godot::table::dialect::Rules;
use crate::godot::types::parts::Part;
use crate::godot::{DictionaryRef, Kind, VariantRef};
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The rules by which an engine sorts keys, where the engines differ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    /// The value of the parameter `stops_at_pivot` of [`introsort::argsort`].
    pub stops_at_pivot: bool,
    /// `true` if arrays are compared by their items and then by their lengths (Godot 4). Godot 3
    /// compares arrays and pool arrays in its own way, which is not a consistent order.
    pub arrays: bool,
}

/// The number of levels of nested arrays that a comparison of keys descends. Deeper arrays compare
/// as equal. The engines have no such limit.
const COMPARED_LEVELS: u32 = 16;

/// Returns the pairs of the dictionary that remain when an engine merges equal keys. They are in
/// the order in which the engine prints them.
pub(super) fn sorted<'a>(dictionary: DictionaryRef<'a>, rules: &Rules) -> Vec<Pair<'a>> {
    let pairs = pairs(dictionary, rules);
    let keys: Vec<_> =
        pairs.iter().map(|(key, _)| SortKey::new(key, rules, COMPARED_LEVELS)).collect();
    let is_less = |a: usize, b: usize| match (keys.get(a), keys.get(b)) {
        (Some(a), Some(b)) => is_key_less(a, b, rules),
        _ => false,
    };
    let order =
        introsort::argsort(pairs.len(), Style::of(rules.dialect).order.stops_at_pivot, is_less);
    order.into_iter().filter_map(|index| pairs.get(index).copied()).collect()
}

/// The part of a key that comparisons need. It is extracted only once per key, because extraction
/// takes long for a long key, and a key may be compared with all other keys.
enum SortKey<'a> {
    Text(Kind, &'a [u8]),
    Array(Vec<Self>),
    /// A pool array of Godot 3.
    Pool(Kind, Vec<Part<'a>>),
    Other(VariantRef<'a>),
}

impl<'a> SortKey<'a> {
    fn new(key: &VariantRef<'a>, rules: &Rules, levels: u32) -> Self {
        let kind = key.kind();
        match (*key, levels.checked_sub(1)) {
            (VariantRef::String(text) | VariantRef::StringName(text), _) => {
                Self::Text(kind, text.visible())
            }
            (VariantRef::Array(array), Some(levels)) => {
                Self::Array(array.iter().map(|item| Self::new(&item, rules, levels)).collect())
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

/// Returns `true` if the engine sorts key `a` before key `b`. Strings and StringNames are compared
/// by their text alone.
fn is_key_less(a: &SortKey<'_>, b: &SortKey<'_>, rules: &Rules) -> bool {
    match (a, b) {
        (SortKey::Text(_, a), SortKey::Text(_, b)) => a < b,
        _ if Style::of(rules.dialect).order.arrays => compare(a, b, rules) == Ordering::Less,
        _ => is_less_in_godot3(a, b, rules),
    }
}

/// Compares two keys. Keys of different types are ordered by the ids of their types. All values of
/// a type without an order compare as equal.
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
        // Godot 3 returns `true` at the first item of `a` that is not less than its counterpart.
        (SortKey::Array(a), SortKey::Array(b)) => {
            let mut items = a.iter().zip(b);
            a.len() <= b.len() && items.any(|(a, b)| !is_less_in_godot3(a, b, rules))
        }
        (SortKey::Pool(kind, a), SortKey::Pool(other, b)) if kind == other => is_pool_less(a, b),
        _ => compare(a, b, rules) == Ordering::Less,
    }
}

/// Returns `true` for the types that an engine compares with a `<` operator, except arrays and text
/// types.
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

/// Compares two pool arrays as Godot 3 does: each is less than any array that differs from it. If
/// the second array is shorter, Godot 3 reads bytes past its end. This function assumes that these
/// bytes differ from those of the first array.
fn is_pool_less(a: &[Part<'_>], b: &[Part<'_>]) -> bool {
    let mut both = a.iter().zip(b);
    a.len() != b.len() || both.any(|(a, b)| compare_part(*a, *b) != Some(Ordering::Equal))
}

/// Returns the parts of a pool array, up to a maximum that bounds the memory.
fn pool_parts<'a>(value: &VariantRef<'a>) -> Vec<Part<'a>> {
    const MAX_PARTS: usize = 4096;
    let mut parts = Vec::new();
    let _: Result<(), ()> = value.parts(&mut |part| {
        parts.push(part);
        if parts.len() < MAX_PARTS { Ok(()) } else { Err(()) }
    });
    parts
}

/// Compares two values part by part. If the first pair of parts that differ contains a NaN, returns
/// `Equal`.
fn compare_parts(a: &VariantRef<'_>, b: &VariantRef<'_>) -> Ordering {
    let [a, b] = [a, b].map(ordered_parts);
    let parts = a.into_iter().flatten().zip(b.into_iter().flatten());
    let mut parts = parts.map(|(a, b)| compare_part(a, b));
    parts.find(|part| *part != Some(Ordering::Equal)).flatten().unwrap_or(Ordering::Equal)
}

/// Returns the parts of a value of an ordered type. None of these types has more than four parts.
fn ordered_parts<'a>(value: &VariantRef<'a>) -> [Option<Part<'a>>; 4] {
    let mut parts = [None; 4];
    let mut slots = parts.iter_mut();
    let _: Result<(), ()> = value.parts(&mut |part| {
        *slots.next().ok_or(())? = Some(part);
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
