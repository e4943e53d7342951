//! Reads the objects of a package: the properties of exports, and the rows of data tables.

use super::Package;
use crate::unreal::format::{FileCursor, Result};
use crate::unreal::mappings::{MappedStruct, Mappings};
use crate::unreal::properties::{
    DataTableRows, ImportStructs, ObjectProperties, ObjectRef, PropertyValue, StructHint,
    Unversioned,
};
use crate::unreal::tables::{Export, Serial};

impl<'a> Package<'a> {
    /// Returns the properties of an export. Returns `None` if they have no tags
    /// ([`Layout::unversioned_properties`](crate::unreal::Layout::unversioned_properties)) and no
    /// mappings were supplied ([`with_mappings`](Self::with_mappings)).
    ///
    /// Without tags, the size of a value that cannot be decoded is unknown. Such a value has all
    /// bytes that remain, and ends the list: it is
    /// [`Opaque`](crate::unreal::PropertyValue::Opaque), or a struct with a list that ends in the
    /// same way. [`ObjectProperties::tail`] then fails. If the mappings do not have the class, the
    /// only item of the list is an error.
    ///
    /// # Errors
    /// If the bytes of the export are not available, or end before the properties.
    pub fn properties<'p>(&'p self, export: &Export) -> Result<Option<ObjectProperties<'p>>> {
        if self.context.layout.unversioned_properties && self.context.mappings.is_none() {
            return Ok(None);
        }
        let from = self.export_input(export)?;
        self.object(from, export).map(Some)
    }

    /// Returns the rows of an export of the class `DataTable`, and `None` for any other export.
    /// Also returns `None` if properties have no tags and no mappings were supplied. Reads the
    /// properties of the export first, since the rows follow them.
    ///
    /// ```
    /// use gamewire::unreal::Package;
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal/ue5.8-cooked-tagged-DT_AllProperties.uasset")?;
    /// let exports = &std::fs::read("corpus/unreal/ue5.8-cooked-tagged-DT_AllProperties.uexp")?;
    /// let package = Package::open_as(file, Some(exports), None)?;
    /// let rows = package.data_table_rows(&package.export(0)?)?.unwrap();
    /// for row in rows {
    ///     let (_, properties) = row?;
    ///     assert!(properties.count() > 0);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If [`Package::properties`] or [`ObjectProperties::tail`] fails, or the number of rows cannot
    /// be read.
    pub fn data_table_rows<'p>(&'p self, export: &Export) -> Result<Option<DataTableRows<'p>>> {
        if self.class_name(export).is_none_or(|class| class != *"DataTable") {
            return Ok(None);
        }
        let Some(object) = self.properties(export)? else { return Ok(None) };
        let tail = object.tail()?;
        let row = object.iter().get("RowStruct").map(|tag| tag.value());
        let of = match (row, self.context.mappings) {
            (Some(PropertyValue::Object(ObjectRef::Index(index))), Some(mappings)) => {
                self.object_name(index).and_then(|name| mappings.struct_named(name))
            }
            _ => None,
        };
        let Serial { size, offset } = export.serial;
        let end = offset.saturating_add(size).cast_unsigned();
        DataTableRows::new(&tail, end, &self.context, of).map(Some)
    }

    /// Returns the class of an export as the mappings describe it, if properties have no tags.
    pub(super) fn schema(&self, export: &Export) -> Option<MappedStruct<'_>> {
        match self.context.layout.unversioned_properties {
            true => self.context.mappings?.struct_named(self.class_name(export)?),
            false => None,
        }
    }

    /// Returns the properties of an export whose contents are `bytes`.
    #[cfg(feature = "alloc")]
    pub(crate) fn properties_in<'p>(
        &'p self,
        bytes: &'p [u8],
        export: &Export,
    ) -> Result<ObjectProperties<'p>> {
        let from = FileCursor::new(bytes, 0);
        self.object(from, export)
    }

    fn object<'p>(&'p self, from: FileCursor<'p>, export: &Export) -> Result<ObjectProperties<'p>> {
        let class = || self.class_name(export);
        ObjectProperties::new(from, export.into(), &self.context, class, self.schema(export))
    }

    /// Returns the untagged properties of an export. Returns `None` if the properties have tags;
    /// [`Package::properties`] reads tagged properties.
    ///
    /// # Errors
    /// If the bytes of the export are not available, or end within the header.
    pub fn unversioned(&self, export: &Export) -> Result<Option<Unversioned<'a>>> {
        let layout = &self.context.layout;
        match layout.unversioned_properties {
            true => Unversioned::read(self.export_input(export)?, layout).map(Some),
            false => Ok(None),
        }
    }

    /// Selects how the document of the package represents arrays of bytes.
    #[cfg(feature = "serde")]
    #[must_use]
    pub const fn with_bytes(mut self, form: crate::unreal::properties::BytesForm) -> Self {
        self.context.bytes = form;
        self
    }

    /// Supplies the types of the structs in arrays, sets and maps whose tags do not state these
    /// types.
    #[must_use]
    pub fn with_hints(mut self, hints: &'a [StructHint<'a>]) -> Self {
        self.context.hints = hints;
        self
    }

    /// Supplies the names and types of properties without tags
    /// ([`Layout::unversioned_properties`](crate::unreal::Layout::unversioned_properties)).
    ///
    /// ```
    /// use gamewire::unreal::{Mappings, Package, PropertyValue, Versions};
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let mappings = &std::fs::read("corpus/unreal-mappings/tiny.v4.usmap")?;
    /// let mappings = Mappings::open(mappings)?;
    /// let file = &std::fs::read("corpus/unreal-mappings/tiny.uasset")?;
    /// let exports = &std::fs::read("corpus/unreal-mappings/tiny.uexp")?;
    /// let version = Versions::of_engine(5, 3);
    /// let package = Package::open_as(file, Some(exports), version)?.with_mappings(&mappings);
    /// let object = package.properties(&package.export(0)?)?.unwrap();
    /// let PropertyValue::Enum(kind) = object.iter().get("KByte").unwrap().value() else { panic!() };
    /// assert_eq!(kind.to_string(), "EKind::Two");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_mappings(mut self, mappings: &'a Mappings<'a>) -> Self {
        self.context.mappings = Some(mappings);
        self.context.imports = ImportStructs::Package(self.imports());
        self
    }

    /// Returns the mappings that were supplied.
    pub const fn mappings(&self) -> Option<&'a Mappings<'a>> {
        self.context.mappings
    }
}
