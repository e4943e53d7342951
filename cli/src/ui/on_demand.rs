//! Parts of documents that are created while they are serialized. Collecting them first could need
//! much more memory than the file from which they are read.

use serde::ser::{Serialize, Serializer};
use std::fmt::Display;

/// A sequence of items.
pub struct Sequence<F>(pub F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Sequence<F> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq((self.0)())
    }
}

/// A value that is serialized as the text that it displays.
pub struct Text<T>(pub T);

impl<T: Display> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}
