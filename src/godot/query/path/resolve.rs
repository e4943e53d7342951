//! Resolves one segment of a path in a value.

use super::Found;
use super::segment::SegmentQuery;
use crate::godot::types::components::SubValues;
use crate::godot::types::parts::Part;
use crate::godot::{DictionaryRef, Encoded, FullObject, ObjectRef, TypeRef, Values, VariantRef};

/// Returns the value that a segment selects.
pub(super) fn segment<'a>(at: &Found<'a>, query: SegmentQuery<'_>) -> Option<Found<'a>> {
    match at.value {
        VariantRef::Dictionary(dictionary) => {
            let stated = match query {
                SegmentQuery::KeyOf(_) => dictionary.key_type(),
                _ => dictionary.value_type(),
            };
            pair(dictionary, query).map(|found| Found { stated, ..found })
        }
        VariantRef::Object(ObjectRef::Full(object)) => property(object, query).map(Found::whole),
        VariantRef::Array(array) => {
            let index = index(query.int()?, array.len())?;
            let stated = array.element_type();
            each(array.iter()).nth(index).map(|found| Found { stated, ..found })
        }
        leaf => element(leaf, query.int()?),
    }
}

/// Returns the component of a vector or similar type whose name is at the start of `path`. Also
/// returns the rest of the path, if a separator follows the name.
pub(super) fn component<'a, 'p>(
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
    let bytes = numbers.range(number, all.len()).and_then(|range| all.get(range));
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

fn element<'a>(leaf: VariantRef<'a>, query: i64) -> Option<Found<'a>> {
    let SubValues::Elements(mut elements) = leaf.sub_values() else { return None };
    let element = elements.nth(index(query, elements.len())?)?;
    Some(Found::part(element.value, element.bytes))
}

/// Converts a requested index into an index below `len`, if possible. A negative index counts from
/// the end.
pub(crate) fn index(query: i64, len: usize) -> Option<usize> {
    let index = match usize::try_from(query) {
        Ok(index) => index,
        Err(_) => len.checked_sub(usize::try_from(query.unsigned_abs()).ok()?)?,
    };
    (index < len).then_some(index)
}

/// Returns the value of the last pair with the key, because an engine keeps the last pair. An int
/// key has precedence over a text key that looks like the int.
fn pair<'a>(dictionary: DictionaryRef<'a>, query: SegmentQuery<'_>) -> Option<Found<'a>> {
    let mut flat = each(dictionary.flat());
    match query {
        SegmentQuery::Pair(number) => return flat.nth(number.checked_mul(2)?.checked_add(1)?),
        SegmentQuery::KeyOf(number) => return flat.nth(number.checked_mul(2)?),
        _ => {}
    }
    let int = query.int();
    let (mut by_int, mut by_key) = (None, None);
    while let Some((key, value)) = flat.next().zip(flat.next()) {
        if int.is_some() && key.value.as_i64() == int {
            by_int = Some(value);
        } else if query.is_key(&key.value, dictionary.dialect) {
            by_key = Some(value);
        }
    }
    by_int.or(by_key)
}

/// Iterates over values and their bytes. Walks each value only once.
fn each<'a>(mut values: Values<'a>) -> impl Iterator<Item = Found<'a>> {
    core::iter::from_fn(move || {
        let start = values.at;
        let value = values.next()?;
        let encoded = Encoded::trusted(values.at.since(&start), values.dialect);
        let (encoded, bytes) = (Some(encoded), encoded.as_bytes());
        Some(Found { value, encoded, bytes, stated: TypeRef::Untyped })
    })
}

fn property<'a>(object: FullObject<'a>, query: SegmentQuery<'_>) -> Option<Encoded<'a>> {
    let mut properties = object.properties().encoded();
    let found = match query {
        SegmentQuery::Pair(number) => properties.nth(number),
        _ => properties.filter(|(name, _)| query.is_text(*name)).last(),
    };
    found.map(|(_, value)| value)
}
