//! The deserializer and its limits.

use super::error::{Error, Result};
use crate::rems::ErrorKind;

/// Default [limit](Deserializer::fill_limit) for the number of omitted elements.
const FILL_LIMIT: u32 = 1 << 16;

/// Default [limit](Deserializer::depth) for the nesting of objects and lists.
const DEPTH: u32 = 128;

/// A deserializer of the items of a reader, with limits.
///
/// ```
/// use gamewire::rems::serde::Deserializer;
/// use gamewire::rems::{ErrorKind, TextReader};
/// use serde::Deserialize;
///
/// #[derive(Deserialize, Debug)]
/// struct Map {
///     cells: Vec<i32>,
/// }
///
/// let text = br#"[{"class":"Map","i[]:cells":[4,7]},{"class":"Map","i[]:cells":[2000000000,1]}]"#;
/// let mut reader = TextReader::new(text);
/// let mut maps = Deserializer::new(&mut reader).fill_limit(1 << 20);
/// assert_eq!(maps.read::<Map>()?.unwrap().cells, [7, 0, 0, 0]);
/// let error = maps.read::<Map>().unwrap_err();
/// assert_eq!(error.path(), "cells");
/// assert!(matches!(error.kind(), Some(ErrorKind::NotWritten { count: 1_999_999_999, .. })));
/// # Ok::<(), gamewire::rems::serde::Error>(())
/// ```
#[derive(Debug)]
pub struct Deserializer<'i, I> {
    pub(super) items: &'i mut I,
    limit: u32,
    /// Number of further omitted elements that the limit allows.
    fill_left: u32,
    depth: u32,
    /// Remaining depth of objects and lists.
    left: u32,
}

impl<'i, I> Deserializer<'i, I> {
    /// Creates a deserializer that starts at the position of the reader.
    pub fn new(items: &'i mut I) -> Self {
        Self { items, limit: FILL_LIMIT, fill_left: FILL_LIMIT, depth: DEPTH, left: DEPTH }
    }

    /// Limits the number of omitted elements that one call adds to arrays and lists. Without this
    /// limit, a small file could add any number of elements. The default is 65,536. If a call
    /// exceeds the limit, it returns [`ErrorKind::NotWritten`].
    #[must_use]
    pub fn fill_limit(self, limit: u32) -> Self {
        Self { limit, fill_left: limit, ..self }
    }

    /// Limits the nesting of the objects and lists that a call deserializes. The default is 128.
    /// The limit of the reader, 256 by default, applies as well. Deserializing is recursive and
    /// needs stack space for each level. For skipped values, only the limit of the reader applies.
    #[must_use]
    pub fn depth(self, limit: u32) -> Self {
        Self { depth: limit, left: limit, ..self }
    }

    #[inline]
    pub(super) fn enter(&mut self, offset: u64) -> Result<()> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Error::at(ErrorKind::TooDeep { limit: self.depth }, offset)),
        }
    }

    #[inline]
    pub(super) fn leave(&mut self) {
        self.left = self.left.saturating_add(1);
    }

    /// Subtracts `count` omitted elements from the number that the limit still allows.
    pub(super) fn fill(&mut self, count: u32, offset: u64) -> Result<()> {
        match self.fill_left.checked_sub(count) {
            Some(fill_left) => {
                self.fill_left = fill_left;
                Ok(())
            }
            None => Err(Error::at(ErrorKind::NotWritten { count, limit: self.limit }, offset)),
        }
    }

    pub(super) fn reset_limits(&mut self) {
        (self.fill_left, self.left) = (self.limit, self.depth);
    }
}
