//! Resolves one segment of a path in a value.

use super::Found;
use super::segment::Asked;
use crate::godot::types::components::SubValues;
use crate::godot::types::parts::Part;
use crate::godot::{DictionaryRef, Encoded, FullObject, ObjectRef, TypeRef, Values, VariantRef};

/// Returns the value that a segment selects.
pub(super) fn step<'a>(at: &Found<'a>, asked: Asked<'_>) -> Option<Found<'a>> {
    match at.value {
        VariantRef::Dictionary(dictionary) => {
            let stated = match asked {
                Asked::KeyOf(_) => dictionary.key_type(),
                _ => dictionary.value_type(),
            };
            pair(dictionary, asked).map(|found| Found { stated, ..found })
        }
        VariantRef::Object(ObjectRef::Full(object)) => property(object, asked).map(Found::whole),
        VariantRef::Array(array) => {
            let index = index(asked.int()?, array.len())?;
            let stated = array.element_type();
            each(array.iter()).nth(index).map(|found| Found { stated, ..found })
        }
        leaf => element(leaf, asked.int()?),
    }
}

/// The number whose name `path` starts with, in a vector or the like; and what follows
/// behind a separator, if there is one.
pub(super) fn number<'a, 'p>(
    at: &Found<'a>,
    path: &'p str,
) -> Option<(Found<'a>, Option<&'p str>)> {
    let SubValues::Components(numbers) = at.value.sub_values() else { return None };
    let starts = |(number, name): (usize, &&str)| match path.strip_prefix(*name)? {
        "" => Some((number, None)),
        after => after.strip_prefix('/').map(|after| (number, Some(after))),
    };
    let (number, after) = numbers.names.iter().enumerate().find_map(starts)?;
    let all = at.payload();
    let bytes = numbers.range(number, all.len()).and_then(|place| all.get(place));
    Some((Found::part(nth_part(&at.value, number)?, bytes.unwrap_or_default()), after))
}

fn nth_part<'a>(value: &VariantRef<'a>, number: usize) -> Option<VariantRef<'a>> {
    let mut before = number;
    let found = value.parts(&mut |part: Part<'a>| match before.checked_sub(1) {
        Some(left) => {
            before = left;
            Ok(())
        }
        None => Err(part.value()),
    });
    found.err()
}

fn element<'a>(leaf: VariantRef<'a>, asked: i64) -> Option<Found<'a>> {
    let SubValues::Elements(mut elements) = leaf.sub_values() else { return None };
    let element = elements.nth(index(asked, elements.len())?)?;
    Some(Found::part(element.value, element.bytes))
}

/// The index among `len` that is asked for: below 0, it counts from the end.
pub(crate) fn index(asked: i64, len: usize) -> Option<usize> {
    let index = match usize::try_from(asked) {
        Ok(index) => index,
        Err(_) => len.checked_sub(usize::try_from(asked.unsigned_abs()).ok()?)?,
    };
    (index < len).then_some(index)
}

/// A dictionary's value. An int key comes before a text that looks like one, and of those
/// that are the same, the last counts: it is the one an engine keeps.
fn pair<'a>(dictionary: DictionaryRef<'a>, asked: Asked<'_>) -> Option<Found<'a>> {
    let mut flat = each(dictionary.flat());
    match asked {
        Asked::Pair(number) => return flat.nth(number.checked_mul(2)?.checked_add(1)?),
        Asked::KeyOf(number) => return flat.nth(number.checked_mul(2)?),
        _ => {}
    }
    let int = asked.int();
    let (mut by_int, mut by_key) = (None, None);
    while let Some((key, value)) = flat.next().zip(flat.next()) {
        if int.is_some() && key.value.as_i64() == int {
            by_int = Some(value);
        } else if asked.is_key(&key.value, dictionary.dialect) {
            by_key = Some(value);
        }
    }
    by_int.or(by_key)
}

/// Values and their bytes, for one walk of each.
fn each<'a>(mut values: Values<'a>) -> impl Iterator<Item = Found<'a>> {
    core::iter::from_fn(move || {
        let start = values.at;
        let value = values.next()?;
        let encoded = Encoded::trusted(values.at.since(&start), values.dialect);
        let (encoded, bytes) = (Some(encoded), encoded.as_bytes());
        Some(Found { value, encoded, bytes, stated: TypeRef::Untyped })
    })
}

fn property<'a>(object: FullObject<'a>, asked: Asked<'_>) -> Option<Encoded<'a>> {
    let mut properties = object.properties().encoded();
    let found = match asked {
        Asked::Pair(number) => properties.nth(number),
        _ => properties.filter(|(name, _)| asked.is_text(*name)).last(),
    };
    found.map(|(_, value)| value)
}
