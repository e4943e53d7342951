//! In which order an engine prints the pairs of a dictionary: sorted by their keys.

use super::identity::{Pair, pairs};
use super::introsort;
use crate::godot::dialect::Rules;
use crate::godot::parts::Part;
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
    let is_less = |a: usize, b: usize| match (pairs.get(a), pairs.get(b)) {
        (Some((a, _)), Some((b, _))) => is_key_less(a, b, rules),
        _ => false,
    };
    let order = introsort::order(pairs.len(), rules.notation.order.stops_at_pivot, is_less);
    order.into_iter().filter_map(|place| pairs.get(place).copied()).collect()
}

/// Keys that are text are in one order, whatever their type.
fn is_key_less(a: &VariantRef<'_>, b: &VariantRef<'_>, rules: &Rules) -> bool {
    match (a.as_str(), b.as_str()) {
        (Some(a), Some(b)) => a.visible() < b.visible(),
        _ if rules.notation.order.arrays => compare(a, b, rules, COMPARED) == Ordering::Less,
        _ => is_less_in_godot3(a, b, rules, COMPARED),
    }
}

/// Types are ordered by their ids. Of most types, all values are alike.
fn compare(a: &VariantRef<'_>, b: &VariantRef<'_>, rules: &Rules, room: u32) -> Ordering {
    let (kind, other) = (a.kind(), b.kind());
    if kind != other {
        return rules.dialect.id(kind).cmp(&rules.dialect.id(other));
    }
    match (a, b, room.checked_sub(1)) {
        (VariantRef::Array(a), VariantRef::Array(b), Some(room)) => {
            let mut items = a.iter().zip(*b).map(|(a, b)| compare(&a, &b, rules, room));
            items.find(|items| items.is_ne()).unwrap_or(a.len.cmp(&b.len))
        }
        _ if is_ordered(kind) => compare_parts(a, b),
        _ => Ordering::Equal,
    }
}

fn is_less_in_godot3(a: &VariantRef<'_>, b: &VariantRef<'_>, rules: &Rules, room: u32) -> bool {
    match (a, b, room.checked_sub(1)) {
        // The first item that is not below is taken for a difference.
        (VariantRef::Array(a), VariantRef::Array(b), Some(room)) => {
            let mut items = a.iter().zip(*b);
            a.len <= b.len && items.any(|(a, b)| !is_less_in_godot3(&a, &b, rules, room))
        }
        (VariantRef::Array(_), VariantRef::Array(_), None) => false,
        _ if a.kind() == b.kind() && is_packed(a.kind()) => is_pool_less(a, b),
        _ => compare(a, b, rules, 0) == Ordering::Less,
    }
}

/// The types, arrays apart, that an engine has a `<` for.
fn is_ordered(kind: Kind) -> bool {
    use Kind as K;
    let scalar = matches!(kind, K::Bool | K::Int | K::Float | K::String | K::StringName | K::Rid);
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
fn is_pool_less(a: &VariantRef<'_>, b: &VariantRef<'_>) -> bool {
    let (a, b) = (pool_parts(a), pool_parts(b));
    let mut both = a.iter().zip(&b);
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
        (Part::Truth(a), Part::Truth(b)) => Some(a.cmp(&b)),
        (Part::Int(a), Part::Int(b)) => Some(a.cmp(&b)),
        (Part::Id(a), Part::Id(b)) => Some(a.cmp(&b)),
        (Part::Real(a), Part::Real(b)) => a.partial_cmp(&b),
        (Part::Text(a), Part::Text(b)) => Some(a.visible().cmp(b.visible())),
        _ => None,
    }
}
