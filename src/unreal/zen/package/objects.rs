//! Reads the objects of a Zen package: the properties of exports, and the rows of data tables.

use super::ZenPackage;
use crate::unreal::format::{ErrorKind, Result};
use crate::unreal::mappings::MappedStruct;
use crate::unreal::properties::{
    DataTableRows, ObjectHead, ObjectProperties, ObjectRef, PropertyValue,
};
use crate::unreal::tables::{ObjectIndex, ZenObject};

impl<'a> ZenPackage<'a> {
    /// Returns the class or struct in the mappings that an object represents. Objects of C++ code
    /// are found by the hashes of their paths, and other objects by their names.
    pub fn structure(&self, index: ObjectIndex) -> Option<MappedStruct<'a>> {
        match index.object() {
            ZenObject::Export(_) => {
                self.context.mappings?.struct_displayed(self.object_name(index)?)
            }
            _ => self.known_imports().structure(index, self.context.mappings),
        }
    }

    /// Returns the properties of an export. Returns `None` if they have no tags and there are no
    /// mappings. Otherwise, works like [`Package::properties`](crate::unreal::Package::properties).
    ///
    /// # Errors
    /// If the version is not [known](Self::has_version), there is no such export, its bytes are not
    /// in the file, or they end before the properties.
    pub fn properties<'p>(&'p self, index: u32) -> Result<Option<ObjectProperties<'p>>> {
        let export = self.export(index)?;
        let of = match self.context.layout.unversioned_properties {
            true => self.structure(export.class),
            false => None,
        };
        self.properties_as(index, of)
    }

    /// Returns the properties of an export whose class the caller knows.
    ///
    /// # Errors
    /// See [`properties`](Self::properties).
    pub fn properties_as<'p>(
        &'p self,
        index: u32,
        of: Option<MappedStruct<'p>>,
    ) -> Result<Option<ObjectProperties<'p>>> {
        if self.context.layout.unversioned_properties && self.context.mappings.is_none() {
            return Ok(None);
        }
        let export = self.export(index)?;
        let from = self.export_input(index)?;
        if !self.has_version {
            return Err(from.error(ErrorKind::NeedsVersion));
        }
        let class = self.class_name(&export);
        let class = class.and_then(|class| class.text());
        let head = ObjectHead {
            object_flags: export.object_flags,
            is_class: export.class.is_null(),
            script_start: None,
        };
        ObjectProperties::new(from, head, &self.context, || class, of).map(Some)
    }

    /// Returns the rows of an export whose class is `DataTable`, and `None` for any other export.
    /// Without tags, also returns `None` if there are no mappings.
    ///
    /// # Errors
    /// If [`properties`](Self::properties) or [`ObjectProperties::tail`] fails, or the number of
    /// rows cannot be read.
    pub fn data_table_rows<'p>(&'p self, index: u32) -> Result<Option<DataTableRows<'p>>> {
        let export = self.export(index)?;
        if self.class_name(&export).is_none_or(|class| class != *"DataTable") {
            return Ok(None);
        }
        let Some(object) = self.properties(index)? else { return Ok(None) };
        let tail = object.tail()?;
        let row = object.iter().get("RowStruct").map(|tag| tag.value());
        let of = match row {
            Some(PropertyValue::Object(ObjectRef::Index(row))) => {
                self.object_at(row).and_then(|row| self.structure(row))
            }
            _ => None,
        };
        let end = self.export_offset(index)?.saturating_add(export.serial_size);
        DataTableRows::new(&tail, end, &self.context, of).map(Some)
    }
}
