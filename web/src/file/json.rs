//! Values as JSON, made from their rows.

use crate::file::brackets::unescaped;
use crate::file::place::{Fault, Part, Place, Row, Shape, Source};
use crate::json_text::compact;
use gamewire::godot::json::Text;
use std::fmt::Write;

/// Maximum depth of values. Deeper containers are written as if they were empty, and are not
/// checked.
const DEPTH: usize = 200;

/// Appends the last value in the chain, as an object with its label as the only key.
pub fn write(
    source: &dyn Source,
    bytes: &[u8],
    chain: &[Place],
    out: &mut String,
) -> Result<(), Fault> {
    let Some((place, around)) = chain.split_last() else { return Ok(()) };
    let row = source.rows(bytes, around, std::slice::from_ref(place)).pop().unwrap_or_default();
    let _ = write!(out, "{{{}:", Text(&row.label));
    value(source, bytes, &mut chain.to_vec(), &row, out)?;
    out.push('}');
    Ok(())
}

fn value(
    source: &dyn Source,
    bytes: &[u8],
    chain: &mut Vec<Place>,
    row: &Row,
    out: &mut String,
) -> Result<(), Fault> {
    let is_object = match row.shape {
        Shape::Plain => {
            out.push_str(&row.text);
            return Ok(());
        }
        Shape::Text => {
            let _ = match row.can_edit || row.text.ends_with('…') {
                true => write!(out, "{}", Text(&source.text(bytes, chain, Part::Value))),
                false => write!(out, "{}", Text(&row.text)),
            };
            return Ok(());
        }
        Shape::Quoted => {
            let text = source.text(bytes, chain, Part::Value);
            let text = text.trim_start_matches(['&', '^']);
            let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            let _ = write!(out, "{}", Text(&unescaped(text.unwrap_or_default())));
            return Ok(());
        }
        Shape::List => false,
        Shape::Object => true,
    };
    let mut places = Vec::new();
    if let Some(opening) = source.open(bytes, chain).filter(|opening| opening.count != Some(0))
        && chain.len() < DEPTH
    {
        source.walk(bytes, chain, &opening, (0, opening.first), &mut |place| {
            places.push(place);
            opening.count.is_none_or(|count| (places.len() as u64) < count)
        })?;
    }
    out.push(if is_object { '{' } else { '[' });
    let rows = source.rows(bytes, chain, &places);
    for (index, (place, row)) in places.into_iter().zip(rows).enumerate() {
        if index > 0 {
            out.push(',');
        }
        if is_object {
            let _ = write!(out, "{}:", Text(&row.label));
        }
        chain.push(place);
        value(source, bytes, chain, &row, out)?;
        chain.pop();
    }
    out.push(if is_object { '}' } else { ']' });
    Ok(())
}

/// Returns `true` if the text is a number, a bool or `null` in JSON.
pub fn is_plain(text: &str) -> bool {
    !text.starts_with(['"', '[', '{']) && compact(text).as_deref() == Some(text)
}

/// Checks that all values inside of the last value in the chain can be found and read.
pub fn check(source: &dyn Source, bytes: &[u8], chain: &[Place]) -> Result<(), Fault> {
    let Some((place, around)) = chain.split_last() else { return Ok(()) };
    let row = source.rows(bytes, around, std::slice::from_ref(place)).pop().unwrap_or_default();
    check_inside(source, bytes, &mut chain.to_vec(), &row)
}

fn check_inside(
    source: &dyn Source,
    bytes: &[u8],
    chain: &mut Vec<Place>,
    row: &Row,
) -> Result<(), Fault> {
    if row.is_malformed() {
        let offset = chain.last().map_or(0, |place| place.value.start);
        return Err(Fault { text: row.text.clone(), offset });
    }
    let opening = if row.can_open { source.open(bytes, chain) } else { None };
    let Some(opening) = opening.filter(|_| chain.len() < DEPTH) else { return Ok(()) };
    let mut next = Some((0, opening.first));
    while let Some(from) = next.take() {
        let mut places = Vec::new();
        source.walk(bytes, chain, &opening, from, &mut |place| {
            let is_end = opening.count.is_some_and(|count| place.index + 1 >= count);
            places.push(place);
            places.len() <= 256 && !is_end
        })?;
        if places.len() > 256 {
            next = places.pop().map(|place| (place.index, place.start()));
        }
        let rows = source.rows(bytes, chain, &places);
        for (place, row) in places.into_iter().zip(rows) {
            chain.push(place);
            check_inside(source, bytes, chain, &row)?;
            chain.pop();
        }
    }
    Ok(())
}
