use crate::godot::notation::identity;
use crate::godot::{Dialect, Dictionary, Reader, Result, Variant, Writer};
use alloc::vec::Vec;

/// Leaves the pairs that an engine would have: of keys that are one, the first, with the
/// value of the last.
#[allow(clippy::disallowed_methods, reason = "all of them")]
pub(super) fn merge(dictionary: &mut Dictionary, dialect: Dialect) {
    if dictionary.pairs.len() < 2 {
        return;
    }
    let Ok(keys) = in_a_row(dictionary, dialect) else { return }; // an error when it is written
    let mut reader = Reader::new(&keys, dialect);
    let keys = core::iter::from_fn(|| reader.read_encoded().ok());
    let kept = identity::kept(keys, dialect.rules());
    if kept.len() == dictionary.pairs.len() {
        return;
    }
    let pairs = dictionary.pairs.drain(..).map(|(key, value)| (Some(key), Some(value)));
    let (mut keys, mut values): (Vec<_>, Vec<_>) = pairs.unzip();
    let take = |of: &mut Vec<Option<Variant>>, place: usize| of.get_mut(place)?.take();
    let pair = |(key, value)| Some((take(&mut keys, key)?, take(&mut values, value)?));
    dictionary.pairs.extend(kept.into_iter().filter_map(pair));
}

fn in_a_row(dictionary: &Dictionary, dialect: Dialect) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, dialect);
    dictionary.pairs.iter().try_for_each(|(key, _)| writer.put(key))?;
    Ok(bytes)
}
