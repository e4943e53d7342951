//! Distinguishes records from maps and tuples from lists, by the rules in the [module](super)'s
//! documentation.

use super::facts::Facts;
use super::shape::{Budget, Fields, Items, Shape};
use crate::godot::Kind;
use alloc::collections::BTreeSet;
use alloc::string::String;

/// Minimum number of keys for the rule of varying keys.
const MANY_KEYS: usize = 8;

/// Classifies a location and everything nested in it. Outer locations come first, because merging
/// two locations requires that neither is classified yet.
pub(super) fn classify(shape: &mut Shape) {
    for facts in &mut shape.facts {
        if is_uniform(facts) {
            facts.items.join(&mut { Budget::ENOUGH });
        }
        if let Items::Fields(fields) = &mut facts.items {
            fields.clear_scratch();
        }
        facts.items.shapes_mut().chain(facts.keys.as_deref_mut()).for_each(classify);
    }
}

/// Returns `true` if the items of the containers are alike.
fn is_uniform(facts: &Facts) -> bool {
    match &facts.items {
        Items::Places(places) => places.len() < 2 || are_alike(&facts.items),
        Items::Fields(fields) if fields.is_empty() => facts.kind == Kind::Dictionary,
        Items::Fields(fields) => {
            let is_map = are_numbered(fields) || do_vary(fields, facts.opened());
            is_map && facts.kind == Kind::Dictionary && are_alike(&facts.items)
        }
        _ => false,
    }
}

/// Returns `true` if the keys differ only in their digits.
fn are_numbered(fields: &Fields) -> bool {
    let mut stems = fields.iter().map(|(name, _)| stem(name));
    let first = stems.next().unwrap_or_default();
    let has_digits = fields.iter().all(|(name, _)| name.contains(is_digit));
    fields.len() > 1 && has_digits && stems.all(|stem| stem == first)
}

/// Returns a key without its digits.
fn stem(name: &str) -> String {
    name.chars().filter(|character| !is_digit(*character)).collect()
}

fn is_digit(character: char) -> bool {
    character.is_ascii_digit()
}

/// Returns `true` if the dictionaries together have at least [`MANY_KEYS`] different keys, and each
/// has on average fewer than half of these keys.
fn do_vary(fields: &Fields, dictionaries: u64) -> bool {
    let pairs = fields.iter().map(|(_, field)| field.shape.seen).fold(0, u64::saturating_add);
    fields.len() >= MANY_KEYS
        && pairs.saturating_mul(2) < dictionaries.saturating_mul(fields.len() as u64)
}

/// Returns `true` if all locations have values of the same kinds.
fn are_alike(items: &Items) -> bool {
    let mut kinds = items.shapes().map(kinds).filter(|kinds| !kinds.is_empty());
    let Some(first) = kinds.next() else { return true };
    kinds.all(|kinds| kinds == first)
}

/// Returns the kinds of the values at a location except null, with implicitly convertible kinds
/// merged.
fn kinds(shape: &Shape) -> BTreeSet<Kind> {
    let kinds = shape.solid().map(|facts| match facts.kind {
        Kind::Int => Kind::Float,
        Kind::StringName => Kind::String,
        kind => kind,
    });
    kinds.collect()
}
