use crate::godot::notation::identity;
use crate::godot::{Dialect, Dictionary, Reader, Result, Variant, Writer};
use alloc::vec::Vec;

/// Merges pairs with equal keys as an engine does: the first key gets the last value.
#[allow(clippy::disallowed_methods, reason = "the drained range is the whole vector")]
pub(super) fn merge(dictionary: &mut Dictionary, dialect: Dialect) {
    if dictionary.pairs.len() < 2 {
        return;
    }
    // Keys that cannot be encoded cause an error when the dictionary is written.
    let Ok(keys) = encode_keys(dictionary, dialect) else { return };
    let mut reader = Reader::new(&keys, dialect);
    let keys = core::iter::from_fn(|| reader.read_encoded().ok());
    let merged = identity::merged_pairs(keys, dialect.rules());
    if merged.len() == dictionary.pairs.len() {
        return;
    }
    let pairs = dictionary.pairs.drain(..).map(|(key, value)| (Some(key), Some(value)));
    let (mut keys, mut values): (Vec<_>, Vec<_>) = pairs.unzip();
    let take = |from: &mut Vec<Option<Variant>>, index: usize| from.get_mut(index)?.take();
    let pair = |(key, value)| Some((take(&mut keys, key)?, take(&mut values, value)?));
    dictionary.pairs.extend(merged.into_iter().filter_map(pair));
}

fn encode_keys(dictionary: &Dictionary, dialect: Dialect) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, dialect);
    dictionary.pairs.iter().try_for_each(|(key, _)| writer.put(key))?;
    Ok(bytes)
}
