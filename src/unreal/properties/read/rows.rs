//! The rows of a data table (`UDataTable`), which follow its properties.

use super::list::{MAX_DEPTH, Properties};
use super::object::Tail;
use crate::unreal::format::{Error, ErrorKind, FileCursor, Result};
use crate::unreal::mappings::MappedStruct;
use crate::unreal::properties::types::{HintScope, NameRef, PropertyContext};
use core::iter::FusedIterator;

/// An iterator over the rows of a data table. An item is the name of a row and its properties. The
/// iterator ends after an error.
///
/// ```text
/// i32 rows
/// name, properties     for each row; properties are tags with values, or a header and values
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DataTableRows<'p> {
    from: FileCursor<'p>,
    left: u32,
    context: &'p PropertyContext<'p>,
    /// The struct of the rows in the mappings, for properties without tags.
    of: Option<MappedStruct<'p>>,
}

impl<'p> DataTableRows<'p> {
    /// Reads the number of rows in the native data of a data table.
    pub(crate) fn new(
        tail: &Tail<'p>,
        end: u64,
        context: &'p PropertyContext<'p>,
        of: Option<MappedStruct<'p>>,
    ) -> Result<Self> {
        let start = end.saturating_sub(tail.native.len() as u64);
        let mut from = FileCursor::new(tail.native, start);
        let left = from.count(8, &context.layout)?;
        Ok(Self { from, left, context, of })
    }

    /// Returns the offset of the next row in the file.
    pub fn offset(&self) -> u64 {
        self.from.offset()
    }

    /// Returns the bytes of the remaining rows, and all bytes that follow the rows in the object.
    pub fn bytes(&self) -> &'p [u8] {
        self.from.rest()
    }

    /// Returns the struct in the mappings that describes the rows, if the properties have no tags.
    pub const fn structure(&self) -> Option<MappedStruct<'p>> {
        self.of
    }

    fn row(&mut self) -> Result<(NameRef<'p>, Properties<'p>)> {
        let (at, context) = (self.from, self.context);
        let name = self.from.read(&context.layout)?;
        context.check(name, &at)?;
        let list = match (context.layout.unversioned_properties, self.of) {
            (false, _) => {
                Properties::walked(&mut self.from, context, false, MAX_DEPTH, HintScope::NONE)?
            }
            (true, Some(of)) => {
                let list = Properties::slots(self.from, context, of)?;
                let at = self.from;
                list.bounded(&mut self.from).map_err(|reason| reason.into_error(&at))?
            }
            (true, None) => return Err(Error::new(ErrorKind::NoSchema, self.from.offset())),
        };
        Ok((name, list))
    }
}

impl<'p> Iterator for DataTableRows<'p> {
    type Item = Result<(NameRef<'p>, Properties<'p>)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let row = self.row();
        if row.is_err() {
            self.left = 0;
        }
        Some(row)
    }
}

impl FusedIterator for DataTableRows<'_> {}
