//! Tables that can be changed.

use crate::buffer::{Full, Sink};
use crate::unreal::format::{Layout, Records, Value};
use alloc::vec::Vec;
use core::fmt;

/// A table that can be changed: the records of the package, followed by added records. The records
/// of the package are read from the file until [`to_mut`](Self::to_mut) copies them.
pub struct Table<'a, T> {
    read: Records<'a, T>,
    added: Vec<T>,
}

impl<'a, T: Value<'a>> Table<'a, T> {
    /// Creates a table of the records of a package. The caller must have checked that all of them
    /// can be read.
    pub(crate) const fn new(read: Records<'a, T>) -> Self {
        Self { read, added: Vec::new() }
    }

    /// Returns the records.
    pub fn iter(&self) -> impl Iterator<Item = T> {
        self.read.clone().flatten().chain(self.added.iter().copied())
    }

    /// Returns the number of records.
    pub fn len(&self) -> usize {
        self.read.len().saturating_add(self.added.len())
    }

    /// Returns `true` if there are no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends a record.
    pub fn push(&mut self, record: T) {
        self.added.push(record);
    }

    /// Returns all records for modification.
    pub fn to_mut(&mut self) -> &mut Vec<T> {
        if self.read.len() > 0 {
            self.added = self.iter().collect();
            self.read = Records::none(Layout::default());
        }
        &mut self.added
    }

    pub(crate) fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.iter().try_for_each(|record| record.write(to, layout))
    }
}

impl<T> Clone for Table<'_, T>
where
    T: Clone,
{
    fn clone(&self) -> Self {
        Self { read: self.read.clone(), added: self.added.clone() }
    }
}

impl<'a, T: Value<'a> + fmt::Debug> fmt::Debug for Table<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
