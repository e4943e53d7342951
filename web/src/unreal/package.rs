//! Corrects the offsets and sizes of a package after a change.

use super::edit::Change;
use super::fault;
use crate::file::place::{Fault, Place, Splice};
use gamewire::unreal::{Name, Package, PackageEditor};
use std::borrow::Cow;

/// Number of equal bytes between two differences that become one replacement.
const GAP: usize = 8;

/// Adds the changes of all offsets and sizes in the tables of the package. Also adds the name that
/// the change needs.
pub fn corrected(
    package: &Package<'_>,
    bytes: &[u8],
    chain: &[Place],
    change: Change,
) -> Result<Vec<Splice>, Fault> {
    let Change { mut splices, name } = change;
    let delta: isize = splices.iter().map(grown).sum();
    if splices.is_empty() || (delta == 0 && name.is_none()) {
        return Ok(splices);
    }
    let broken = || Fault { text: "this is not in an export".into(), offset: 0 };
    let place = chain.get(2).ok_or_else(broken)?;
    let mut editor = PackageEditor::new(package).map_err(fault)?;
    if let (Some((text, at)), Some(last)) = (&name, splices.last_mut()) {
        let Name { index, number } = editor.add_name(text).map_err(fault)?;
        let is_big = package.layout().order == gamewire::unreal::ByteOrder::Big;
        let words = [index, number].map(|word| match is_big {
            true => word.to_be_bytes(),
            false => word.to_le_bytes(),
        });
        last.new = words.concat();
        debug_assert_eq!(last.at, *at);
    }
    let mut content = bytes.to_vec();
    splices.iter().for_each(|splice| apply(&mut content, splice));
    let data = editor.exports.get_mut(place.index as usize).ok_or_else(broken)?;
    let end = place.value.end.checked_add_signed(delta).ok_or_else(broken)?;
    let export = content.get(place.value.start..end).ok_or_else(broken)?;
    data.bytes = Cow::Owned(export.to_vec());
    let change = splices.last().map_or(0, |splice| splice.at) - place.value.start;
    if let Some(script_end) = data.export.script_end.as_mut().filter(|end| **end > change as i64) {
        *script_end += delta as i64;
    }
    let added = editor.names().skip(package.names().len()).count();
    let written = editor.write().map_err(fault)?;
    let new = [&written.header[..], written.exports.as_deref().unwrap_or_default()].concat();
    if added > 0 {
        let mut names = package.names();
        while names.next().is_some() {}
        let (at, len) = (names.offset() as usize, new.len().saturating_sub(content.len()));
        let inserted = new.get(at..at + len).unwrap_or_default().to_vec();
        let splice = Splice { at, old: Vec::new(), new: inserted };
        apply(&mut content, &splice);
        // The changed value is after the names, so this replacement must be applied after it.
        splices.push(splice);
    }
    if content.len() != new.len() {
        return Ok(vec![Splice { at: 0, old: bytes.to_vec(), new }]);
    }
    splices.extend(differences(&content, &new));
    Ok(splices)
}

fn grown(splice: &Splice) -> isize {
    splice.new.len() as isize - splice.old.len() as isize
}

fn apply(content: &mut Vec<u8>, splice: &Splice) {
    content.splice(splice.at..splice.at + splice.old.len(), splice.new.iter().copied());
}

/// Returns the replacements that turn `old` into `new`, which has the same size.
fn differences(old: &[u8], new: &[u8]) -> Vec<Splice> {
    let mut found: Vec<Splice> = Vec::new();
    for (at, (a, b)) in old.iter().zip(new).enumerate().filter(|(_, (a, b))| a != b) {
        match found.last_mut() {
            Some(last) if at < last.at + last.old.len() + GAP => {
                let end = last.at + last.old.len();
                last.old.extend(&old[end..=at]);
                last.new.extend(&new[end..=at]);
            }
            _ => found.push(Splice { at, old: vec![*a], new: vec![*b] }),
        }
    }
    found
}
