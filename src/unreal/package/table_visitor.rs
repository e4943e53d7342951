//! A visitor of all tables of a package. Serialization and [`Package::verify`] use it.

use crate::unreal::format::{List, Records, Result, Value};
use crate::unreal::package::Package;
use crate::unreal::tables::{Export, RegistryDependencies, Thumbnail, Trailer};
use core::convert::Infallible;

/// A visitor of the tables that the package has. Tables that every package of the same version has
/// are visited even if they are empty.
pub(crate) trait TableVisitor<'a> {
    type Error;

    /// Visits a table of records.
    fn rows<T: Value<'a>>(
        &mut self,
        key: &'static str,
        rows: Records<'a, T>,
    ) -> Result<(), Self::Error>;

    /// Visits a table that is a single value, or the error that occurred while reading it. `at` is
    /// the offset of the table.
    fn single<T: Value<'a>>(
        &mut self,
        key: &'static str,
        at: u64,
        value: Result<T>,
    ) -> Result<(), Self::Error>;

    fn exports(&mut self, key: &'static str, rows: Records<'a, Export>) -> Result<(), Self::Error> {
        self.rows(key, rows)
    }

    fn thumbnails(
        &mut self,
        key: &'static str,
        at: u64,
        value: Result<List<'a, Thumbnail<'a>>>,
    ) -> Result<(), Self::Error> {
        self.single(key, at, value)
    }

    fn registry_dependencies(
        &mut self,
        key: &'static str,
        at: u64,
        value: Result<RegistryDependencies<'a>>,
    ) -> Result<(), Self::Error> {
        self.single(key, at, value)
    }

    /// Visits the trailer, the only table that is not in the header.
    fn trailer(
        &mut self,
        key: &'static str,
        at: u64,
        value: Result<Trailer<'a>>,
    ) -> Result<(), Self::Error> {
        self.single(key, at, value)
    }
}

impl<'a> Package<'a> {
    /// Calls `tell` for each table except the names, with the key under which `serde` serializes
    /// the table, such as `imports`. If the table consists of records, also passes the number of
    /// records.
    pub fn for_each_table(&self, tell: impl FnMut(&'static str, Option<usize>)) {
        let Ok(()) = self.visit_tables(&mut TableNames(tell));
    }

    /// Visits all tables except the names.
    pub(crate) fn visit_tables<T: TableVisitor<'a>>(&self, to: &mut T) -> Result<(), T::Error> {
        let (summary, some) = (self.summary(), |offset: Option<i32>| offset.unwrap_or(0) > 0);
        to.rows("imports", self.imports())?;
        to.exports("exports", self.exports())?;
        if summary.depends_offset > 0 {
            to.rows("depends", self.depends())?;
        }
        if some(summary.preload_dependency_count) {
            to.rows("preload_dependencies", self.preload_dependencies())?;
        }
        if summary.soft_package_reference_count.is_some() {
            to.rows("soft_package_references", self.soft_package_references())?;
        }
        if summary.soft_object_path_count.is_some() {
            to.rows("soft_object_paths", self.soft_object_paths())?;
        }
        if summary.gatherable_text_count.is_some() {
            to.rows("gatherable_text", self.gatherable_text())?;
        }
        if some(summary.import_type_hierarchy_count) {
            to.rows("import_type_hierarchies", self.import_type_hierarchies())?;
        }
        if let Some(value) = self.metadata().transpose() {
            to.single("metadata", at(summary.metadata_offset), value)?;
        }
        if let Some(value) = self.searchable_names().transpose() {
            to.single("searchable_names", at(summary.searchable_names_offset), value)?;
        }
        if let Some(value) = self.thumbnails().transpose() {
            to.thumbnails("thumbnails", at(Some(summary.thumbnail_table_offset)), value)?;
        }
        if let Some(value) = self.asset_registry().transpose() {
            to.single("asset_registry", at(Some(summary.asset_registry_data_offset)), value)?;
        }
        // The offset of the dependencies is stored in the registry data. If the registry data are
        // invalid, their error has already been reported.
        if let (Ok(registry), Some(value)) =
            (self.asset_registry(), self.registry_dependencies().transpose())
        {
            let place = registry.and_then(|registry| registry.dependency_data_offset);
            to.registry_dependencies("asset_registry_dependencies", at(place), value)?;
        }
        if let Some(value) = self.world_tile_info().transpose() {
            to.single("world_tile_info", at(summary.world_tile_info_data_offset), value)?;
        }
        if let Some(value) = self.data_resources().transpose() {
            to.single("data_resources", at(summary.data_resource_offset), value)?;
        }
        if let Some(value) = self.trailer().transpose() {
            to.trailer("package_trailer", at(summary.payload_toc_offset), value)?;
        }
        Ok(())
    }
}

struct TableNames<F>(F);

impl<'a, F: FnMut(&'static str, Option<usize>)> TableVisitor<'a> for TableNames<F> {
    type Error = Infallible;

    fn rows<T: Value<'a>>(
        &mut self,
        key: &'static str,
        rows: Records<'a, T>,
    ) -> Result<(), Infallible> {
        (self.0)(key, Some(rows.len()));
        Ok(())
    }

    fn single<T: Value<'a>>(
        &mut self,
        key: &'static str,
        _: u64,
        _: Result<T>,
    ) -> Result<(), Infallible> {
        (self.0)(key, None);
        Ok(())
    }
}

/// Converts the offset of a table to `u64`. The table must exist, so its offset must be present and
/// not negative; for any other offset, the result is 0.
fn at(offset: Option<impl Into<i64>>) -> u64 {
    offset.and_then(|offset| u64::try_from(offset.into()).ok()).unwrap_or(0)
}
