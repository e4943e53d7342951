//! In which order an engine prints the pairs of a dictionary: sorted by their keys.

use super::identity::{Pair, pairs};
use super::introsort;
use crate::godot::dialect::Rules;
use crate::godot::parts::Part;
use crate::godot::{ArrayRef, DictionaryRef, Kind, VariantRef};
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
        (Some(a), Some(b)) => is_key_less(&a.key, &b.key, rules),
        _ => false,
    };
    let order = introsort::order(pairs.len(), rules.notation.order.stops_at_pivot, is_less);
    order.into_iter().filter_map(|place| pairs.get(place).cloned()).collect()
}

/// Keys that are text are in one order, whatever their type.
fn is_key_less(a: &VariantRef<'_>, b: &VariantRef<'_>, rules: &Rules) -> bool {
    match (a.as_str(), b.as_str()) {
        (Some(a), Some(b)) => a.visible() < b.visible(),
        _ => is_less(a, b, rules, COMPARED),
    }
}

/// Types are ordered by their ids. Of most types, all values are alike.
fn is_less(a: &VariantRef<'_>, b: &VariantRef<'_>, rules: &Rules, room: u32) -> bool {
    let (kind, other) = (a.kind(), b.kind());
    if kind != other {
        return rules.dialect.id(kind) < rules.dialect.id(other);
    }
    match (a, b) {
        (VariantRef::Array(a), VariantRef::Array(b)) => is_array_less(*a, *b, rules, room),
        _ if is_ordered(kind) => compare_parts(a, b) == Some(Ordering::Less),
        _ if is_packed(kind) && !rules.notation.order.arrays => is_pool_less(a, b),
        _ => false,
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
    a.len() != b.len() || both.any(|(a, b)| compare(*a, *b) != Some(Ordering::Equal))
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

fn is_array_less(a: ArrayRef<'_>, b: ArrayRef<'_>, rules: &Rules, room: u32) -> bool {
    let Some(room) = room.checked_sub(1) else { return false };
    if !rules.notation.order.arrays {
        // Godot 3 takes the first item that is not below for a difference.
        let mut items = a.iter().zip(b);
        return a.len <= b.len && items.any(|(a, b)| !is_less(&a, &b, rules, room));
    }
    for (a, b) in a.iter().zip(b) {
        if is_less(&a, &b, rules, room) {
            return true;
        }
        if is_less(&b, &a, rules, room) {
            return false;
        }
    }
    a.len < b.len
}

/// Part by part. Where a NaN is the first difference, they are alike.
fn compare_parts(a: &VariantRef<'_>, b: &VariantRef<'_>) -> Option<Ordering> {
    let [a, b] = [a, b].map(first_parts);
    let mut parts = a.into_iter().flatten().zip(b.into_iter().flatten());
    parts.find_map(|(a, b)| match compare(a, b) {
        Some(Ordering::Equal) => None,
        unequal => Some(unequal),
    })?
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

fn compare(a: Part<'_>, b: Part<'_>) -> Option<Ordering> {
    match (a, b) {
        (Part::Truth(a), Part::Truth(b)) => Some(a.cmp(&b)),
        (Part::Int(a), Part::Int(b)) => Some(a.cmp(&b)),
        (Part::Id(a), Part::Id(b)) => Some(a.cmp(&b)),
        (Part::Real(a), Part::Real(b)) => a.partial_cmp(&b),
        (Part::Text(a), Part::Text(b)) => Some(a.visible().cmp(b.visible())),
        _ => None,
    }
}
