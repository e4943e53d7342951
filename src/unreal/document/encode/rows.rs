//! Writes the rows of data tables.

use super::entry::ListSeed;
use super::node::{Fault, Node};
use super::replace::names_of;
use super::value::DEPTH;
use super::writer::DocumentWriter;
use crate::unreal::edit::PackageEditor;
use crate::unreal::properties::DataTableRows;
use alloc::vec::Vec;
use serde::de::{Deserialize, DeserializeSeed, Deserializer};

/// Writes the rows that a document states, then the bytes that follow the rows in the original
/// table. `limit` is the offset of the end of the export in the original package, or 0 if no
/// original tag is to be used.
pub fn write<'c>(
    original: DataTableRows<'c>,
    stated: &Node,
    limit: u64,
    to: &mut DocumentWriter<'c>,
) -> Result<(), Fault> {
    let mut rest = original;
    if rest.by_ref().any(|row| row.is_err()) {
        return Err("the rows cannot be changed, as some are unreadable".into());
    }
    let of = original.structure();
    to.many(stated, |to, row| {
        to.name(row.member("name")?.text()?)?;
        let list = ListSeed { to, depth: DEPTH, limit, ends: true, of };
        list.deserialize(row.member("value")?)
    })?;
    to.out.extend_from_slice(rest.bytes());
    Ok(())
}

impl PackageEditor<'_> {
    /// Replaces the rows of a data table with those in `list`, which has the form of `rows` in the
    /// document of a package. Names in `list` that the package does not contain are added to its
    /// name table.
    ///
    /// # Errors
    /// If there is no such export, if it has no readable rows, or if the list contains a value that
    /// the format cannot express.
    pub fn replace_rows<'de, D: Deserializer<'de>>(
        &mut self,
        export: usize,
        list: D,
    ) -> Result<(), D::Error> {
        let stated = Node::deserialize(list)?;
        self.rows(export, &stated).map_err(Fault::of)
    }

    fn rows(&mut self, export: usize, stated: &Node) -> Result<(), Fault> {
        let none = || Fault::from("the export has no rows of a data table");
        let package = self.package().clone();
        let index = u32::try_from(export).map_err(|_| none())?;
        let rows = package.data_table_rows(&package.export(index)?)?.ok_or_else(none)?;
        let mut names = names_of(self);
        let mut to = DocumentWriter::new(package.context(), &mut names, Vec::new());
        write(rows, stated, 0, &mut to)?;
        let bytes = to.out;
        drop(names);
        Ok(self.set_native(export, &bytes)?)
    }
}
