//! Parts of documents that are created while they are serialized. If they were collected first,
//! they could need much more memory than the file.

use serde::ser::{Serialize, Serializer};

/// A sequence of items.
pub struct Sequence<F>(pub F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Sequence<F> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq((self.0)())
    }
}

/// A map of entries.
pub struct Entries<F>(pub F);

impl<F: Fn() -> I, I: Iterator<Item = (K, V)>, K: Serialize, V: Serialize> Serialize
    for Entries<F>
{
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map((self.0)())
    }
}
