//! Changes and writes packages, like the engine's `FLinkerSave`.

use crate::unreal::format::{
    Error, ErrorKind, Layout, List, Name, NameEntry, NameText, Object, PackageIndex, Result,
};
use crate::unreal::package::Package;
use crate::unreal::properties::PropertyTypeBuf;
use crate::unreal::properties::TagBuf;
use crate::unreal::tables::{
    AssetRegistry, DataResources, Dependencies, Export, GatherableText, Import,
    ImportTypeHierarchy, Metadata, RegistryDependencies, SearchableNames, SoftObjectPath,
    SoftPackage, Summary, Thumbnail, ThumbnailHead, WorldTileInfo,
};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use names::EditedNames;
use regions::Regions;

mod names;
mod offset_field;
mod regions;
mod table;
mod write;

#[cfg(feature = "serde")]
pub(crate) use names::split as split_name;
pub use table::Table;
pub use write::WrittenPackage;

/// Calls a macro with the tables that [`PackageEditor`] writes without changing their values. The
/// arguments for each table are its [`TableId`](regions::TableId), its field in the editor, the
/// field of the summary that holds its offset, and, for counted tables, the field that holds its
/// count.
macro_rules! each_table {
    ($with:ident) => {
        $with! {
            counted {
                SoftObjectPaths: soft_object_paths, soft_object_path_offset, soft_object_path_count;
                GatherableText: gatherable_text, gatherable_text_offset, gatherable_text_count;
                Imports: imports, import_offset, import_count;
                SoftPackageReferences:
                    soft_package_references, soft_package_reference_offset, soft_package_reference_count;
                ImportTypeHierarchies:
                    import_type_hierarchies, import_type_hierarchy_offset, import_type_hierarchy_count;
                PreloadDependencies:
                    preload_dependencies, preload_dependency_offset, preload_dependency_count;
            }
            single {
                Metadata: metadata, metadata_offset;
                SearchableNames: searchable_names, searchable_names_offset;
                WorldTileInfo: world_tile_info, world_tile_info_data_offset;
            }
        }
    };
}
use each_table;

/// A package whose tables and exports can be changed and written.
///
/// Unchanged parts are copied: writing a package without changes produces the same bytes. The order
/// of the tables is kept. Offsets, counts and sizes in the header are updated. Bytes between the
/// tables are copied, and so is everything after the exports: bulk data, the trailer, and the
/// closing tag.
///
/// The editor does not interpret the *bytes* of exports. Below 5:1009, or without
/// [`DataResources`], an export stores the offset of its bulk data among its bytes, and the editor
/// does not change this offset. If the data are inline, or their flags have the bit 0x10000, the
/// caller must update the offset after moving the data. Otherwise the offset is relative to
/// [`bulk_data_start_offset`](Summary::bulk_data_start_offset), which the editor updates. Exports
/// refer to names and objects by index, so an import or export can only be removed at the end of
/// its table. Names cannot be removed.
///
/// The hash that the summary has from 5:1016 on ([`Summary::saved_hash`]) is kept, since it is not
/// known how engines compute it.
///
/// ```
/// use gamewire::unreal::{Package, PackageEditor};
/// use gamewire::unreal::tables::Import;
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let file = &std::fs::read("corpus/unreal/ue4.27-TestActorBP.uasset")?[..];
/// let package = Package::open(file)?;
/// let mut editor = PackageEditor::new(&package)?;
/// assert_eq!(editor.write()?.header, file);
///
/// let object_name = editor.add_name("SM_Cube_2")?;
/// editor.add_import(Import { object_name, ..Import::default() });
/// let written = editor.write()?;
/// let package = Package::open(&written.header)?;
/// let import = package.imports().last().unwrap()?;
/// assert_eq!(package.name(import.object_name).unwrap().to_string(), "SM_Cube_2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PackageEditor<'a> {
    package: Package<'a>,
    regions: Regions<'a>,
    names: EditedNames<'a>,
    /// The summary. [`write`](Self::write) updates the offsets and counts in it. If the counts in
    /// the last generation are those of the original package, they are updated, too.
    pub summary: Summary<'a>,
    /// Objects of other packages.
    pub imports: Table<'a, Import>,
    /// Objects of the package.
    pub exports: Vec<ExportData<'a>>,
    /// Soft references to objects. If the list is empty, engines expect exports to store their soft
    /// references in full, not as indices into the list.
    pub soft_object_paths: Table<'a, SoftObjectPath<'a>>,
    /// Translatable texts.
    pub gatherable_text: Table<'a, GatherableText<'a>>,
    /// Soft references to packages.
    pub soft_package_references: Table<'a, SoftPackage<'a>>,
    /// Objects that must be loaded before the exports. The [`Dependencies`] of an export state
    /// which part of this table belongs to the export.
    pub preload_dependencies: Table<'a, PackageIndex>,
    /// Class hierarchies of imports.
    pub import_type_hierarchies: Table<'a, ImportTypeHierarchy<'a>>,
    /// Names by which objects can be found.
    pub searchable_names: Option<List<'a, SearchableNames<'a>>>,
    /// Thumbnails of objects.
    pub thumbnails: Vec<ThumbnailData<'a>>,
    /// Editor metadata of objects.
    pub metadata: Option<Metadata<'a>>,
    /// Data for the asset registry. [`write`](Self::write) updates the offset of the dependencies
    /// that it contains.
    pub asset_registry: Option<AssetRegistry<'a>>,
    /// Flags that mark the imports and soft package references that the game uses.
    /// [`write`](Self::write) sets the flags of added imports and references.
    pub registry_dependencies: Option<RegistryDependencies<'a>>,
    /// Position of a level in its world.
    pub world_tile_info: Option<WorldTileInfo<'a>>,
    /// Table of bulk data. For data in the package itself, the entries hold the offsets in the
    /// original package. [`write`](Self::write) updates these offsets if the bytes around the data
    /// move. To describe bulk data in replaced or added bytes, edit the written package again.
    pub data_resources: Option<DataResources<'a>>,
}

/// An export with its bytes and dependencies.
#[derive(Clone, Debug, Default)]
pub struct ExportData<'a> {
    /// The record in the table of exports. [`PackageEditor::write`] updates the size and the offset
    /// in it, but not the end of the properties ([`Export::script_end`]).
    /// [`PackageEditor::set_properties`] updates this end.
    pub export: Export,
    /// Objects that the export depends on.
    pub depends: List<'a, PackageIndex>,
    /// The bytes of the export.
    pub bytes: Cow<'a, [u8]>,
    /// Index of the export in the original package.
    was: Option<u32>,
}

/// A thumbnail with its picture.
#[derive(Clone, Debug, Default)]
pub struct ThumbnailData<'a> {
    /// The record in the table of thumbnails. [`PackageEditor::write`] updates the offset in it.
    pub entry: Thumbnail<'a>,
    /// Width and height of the picture, and its size in bytes. [`PackageEditor::write`] updates the
    /// size in bytes.
    pub head: ThumbnailHead,
    /// PNG data, or JPEG data if the height is negative.
    pub picture: Cow<'a, [u8]>,
    /// Index of the thumbnail in the original package.
    was: Option<u32>,
}

impl<'a> PackageEditor<'a> {
    /// Creates an editor for a package. Reads all tables once to find their ends.
    ///
    /// # Errors
    /// If a table or a thumbnail cannot be read, if an offset or the header size in the summary is
    /// invalid, if the bytes of an export are not available, or if two parts of the package
    /// overlap.
    pub fn new(package: &Package<'a>) -> Result<Self> {
        let mut exports = regions::exports(package)?;
        let thumbnails = regions::thumbnails(package)?;
        let regions = Regions::new(package, &mut exports, &thumbnails)?;
        Ok(Self {
            package: package.clone(),
            regions,
            names: EditedNames::new(package.names()),
            summary: *package.summary(),
            imports: Table::new(package.imports()),
            exports,
            soft_object_paths: Table::new(package.soft_object_paths()),
            gatherable_text: Table::new(package.gatherable_text()),
            soft_package_references: Table::new(package.soft_package_references()),
            preload_dependencies: Table::new(package.preload_dependencies()),
            import_type_hierarchies: Table::new(package.import_type_hierarchies()),
            searchable_names: package.searchable_names()?,
            thumbnails,
            metadata: package.metadata()?,
            asset_registry: package.asset_registry()?,
            registry_dependencies: package.registry_dependencies()?,
            world_tile_info: package.world_tile_info()?,
            data_resources: package.data_resources()?,
        })
    }

    /// Returns the layout of the package. [`write`](Self::write) uses the same layout.
    pub const fn layout(&self) -> &Layout {
        self.package.layout()
    }

    /// Returns the original package.
    #[cfg(feature = "serde")]
    pub(crate) const fn package(&self) -> &Package<'a> {
        &self.package
    }

    /// Returns all names.
    pub fn names(&self) -> impl Iterator<Item = NameEntry<'_>> {
        self.names.iter()
    }

    /// Returns the text of a name, or `None` if there is no such name.
    pub fn name(&self, name: Name) -> Option<NameText<'_>> {
        match self.names.changed(usize::try_from(name.index).ok()?) {
            Some(text) => Some(NameText::new(text.as_text(), name.number)),
            None => self.package.name(name),
        }
    }

    /// Returns the name with this text, and adds it if the package has no name with the same text
    /// in the same letter case. Like the engine, splits off a number at the end of the text. The
    /// search is linear. From 5:1001 on, if a name was added, the summary of the written package
    /// states that exports use all names.
    ///
    /// # Errors
    /// If the package has the maximum number of names.
    pub fn add_name(&mut self, text: &str) -> Result<Name> {
        let name = self.names.find_or_add(text);
        match name.index {
            i32::MAX => Err(Error::new(ErrorKind::FieldTooSmall(i32::MAX.into()), 0)),
            _ => Ok(name),
        }
    }

    /// Creates the tag of a new property. Adds the names in the tag that the package does not have.
    ///
    /// ```
    /// use gamewire::unreal::{
    ///     PropertyKind, Package, PackageEditor, PropertyValue, PropertyWriter, PropertyTypeBuf,
    /// };
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal/ue4.27-TestActorBP.uasset")?;
    /// let package = Package::open(file)?;
    /// let mut editor = PackageEditor::new(&package)?;
    /// let health = editor.tag("Health", &PropertyTypeBuf::of(PropertyKind::Float))?;
    /// let mut list = Vec::new();
    /// let mut writer = PropertyWriter::in_package(&mut list, &package)?;
    /// writer.value(&health, &PropertyValue::Float(99.5))?;
    /// writer.finish()?;
    /// editor.set_properties(1, &list)?;
    ///
    /// let written = editor.write()?;
    /// let package = Package::open(&written.header)?;
    /// let object = package.properties(&package.export(1)?)?.unwrap();
    /// let only = object.iter().next().unwrap()?;
    /// assert_eq!(only.name(), *"Health");
    /// assert!(matches!(only.value(), PropertyValue::Float(99.5)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the package has the maximum number of names.
    pub fn tag(&mut self, name: &str, of: &PropertyTypeBuf) -> Result<TagBuf> {
        TagBuf::in_package(name, of, |text| self.add_name(text))
    }

    /// Replaces the text of a name. This renames everything that refers to the name.
    ///
    /// # Errors
    /// If there is no name with this index.
    pub fn replace_name(&mut self, index: i32, text: &str) -> Result<()> {
        let replaced = usize::try_from(index).map(|index| self.names.replace(index, text));
        match replaced {
            Ok(true) => Ok(()),
            _ => {
                let count = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
                Err(Error::new(ErrorKind::NoSuchName { index, count }, 0))
            }
        }
    }

    /// Adds an import, and returns its index.
    pub fn add_import(&mut self, import: Import) -> PackageIndex {
        self.imports.push(import);
        PackageIndex::from(Object::Import(last(self.imports.len())))
    }

    /// Adds an export, and returns its index. Its bytes are stored after the bytes of the other
    /// exports.
    pub fn add_export(&mut self, export: Export, bytes: impl Into<Cow<'a, [u8]>>) -> PackageIndex {
        let none = Dependencies { first: -1, ..Dependencies::default() };
        let dependencies = export.dependencies.or(Some(none));
        let export = Export { dependencies, ..export };
        self.exports.push(ExportData { export, bytes: bytes.into(), ..ExportData::default() });
        PackageIndex::from(Object::Export(last(self.exports.len())))
    }

    /// Replaces the list of properties of an export with one that a
    /// [`PropertyWriter`](super::PropertyWriter) has written. Updates [`Export::script_end`] if it
    /// was the end of the old list. The bytes before and after the list are kept.
    ///
    /// ```
    /// use gamewire::unreal::{Package, PackageEditor, PropertyValue, PropertyWriter, StrBuf};
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal/ue4.27-TestActorBP.uasset")?;
    /// let package = Package::open(file)?;
    /// let mut editor = PackageEditor::new(&package)?;
    /// let text = StrBuf::new("written instead of what was there");
    /// for (index, export) in package.exports().enumerate() {
    ///     let export = export?;
    ///     let Some(object) = package.properties(&export)? else { continue };
    ///     let mut list = Vec::new();
    ///     let mut writer = PropertyWriter::new(&mut list, &object.iter());
    ///     for tag in object {
    ///         let tag = tag?;
    ///         match tag.value() {
    ///             PropertyValue::Str(_) => {
    ///                 writer.value(&tag.head(), &PropertyValue::Str(text.as_text()))?;
    ///             }
    ///             _ => writer.copy(&tag)?,
    ///         }
    ///     }
    ///     writer.finish()?;
    ///     editor.set_properties(index, &list)?;
    /// }
    /// assert!(Package::open(&editor.write()?.header)?.verify(|_| ()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such export, or it has no readable list of properties. Properties without tags
    /// can only be read if the package [has mappings](Package::with_mappings).
    pub fn set_properties(&mut self, index: usize, list: &[u8]) -> Result<()> {
        let data = export_data(&mut self.exports, index)?;
        let no_mappings = self.package.mappings().is_none();
        if self.package.layout().unversioned_properties && no_mappings
            || data.export.class.is_null()
        {
            return Err(Error::new(ErrorKind::NoSuchTable("properties"), 0));
        }
        let object = self.package.properties_in(&data.bytes, &data.export)?;
        let (start, end) = (object.iter().start(), object.tail()?.offset);
        let place = |offset| usize::try_from(offset).unwrap_or(usize::MAX);
        let before = data.bytes.get(..place(start)).unwrap_or_default();
        let behind = data.bytes.get(place(end)..).unwrap_or_default();
        let bytes = [before, list, behind].concat();
        if let Some(script_end) = &mut data.export.script_end
            && u64::try_from(*script_end) == Ok(end)
        {
            let end = bytes.len().saturating_sub(behind.len());
            *script_end = i64::try_from(end).unwrap_or(i64::MAX);
        }
        data.bytes = Cow::Owned(bytes);
        Ok(())
    }

    /// Replaces the native data of an export: the bytes after its properties and its GUID.
    ///
    /// # Errors
    /// If there is no such export, or its properties cannot be read to their end.
    pub fn set_native(&mut self, index: usize, native: &[u8]) -> Result<()> {
        let data = export_data(&mut self.exports, index)?;
        let old = self.package.properties_in(&data.bytes, &data.export)?.tail()?.native.len();
        let kept = data.bytes.len().saturating_sub(old);
        let bytes = [data.bytes.get(..kept).unwrap_or_default(), native].concat();
        data.bytes = Cow::Owned(bytes);
        Ok(())
    }
}

/// Returns the export with this index.
fn export_data<'d, 'a>(
    exports: &'d mut [ExportData<'a>],
    index: usize,
) -> Result<&'d mut ExportData<'a>> {
    let none = || i32::try_from(index).unwrap_or(i32::MAX);
    exports.get_mut(index).ok_or_else(|| Error::new(ErrorKind::NoSuchObject(none()), 0))
}

/// Returns the index of the last of `len` items.
fn last(len: usize) -> u32 {
    u32::try_from(len.saturating_sub(1)).unwrap_or(u32::MAX)
}
