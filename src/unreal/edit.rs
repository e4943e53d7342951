//! A package that is changed and written, as the engine does it with an `FLinkerSave`.

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

pub use table::Table;
pub use write::WrittenPackage;

/// Calls a macro with the tables that are written as they stand in a [`PackageEditor`]: name,
/// field, and where the summary says its place and its count, if it says that.
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

/// A package whose tables and exports can be changed, and which is then written anew.
///
/// What is not changed is still read from the package, and comes out as it was: a package
/// that is written without any change has the same bytes. Whatever was changed, all tables
/// stay in their order, and the offsets, counts and sizes in the header are those of what was
/// written. What lies between the tables and is none of them is copied at its place, as is
/// what is behind the exports (bulk data, the trailer, the closing tag).
///
/// What is *inside* of exports is not known here. Bulk data that an export describes itself
/// (below 5:1009, or without [`DataResources`]) are found by an offset in its bytes, which
/// stays as it is: if its flags have 0x10000, or the data stand in the export, it has to be
/// changed by whoever moves them. Otherwise it counts from
/// [`bulk_data_start_offset`](Summary::bulk_data_start_offset), which moves along. And since
/// exports refer to names and objects by their numbers, these can be added and replaced, but
/// only last ones removed.
///
/// The hash of a package from 5:1016 on ([`Summary::saved_hash`]) is kept: of what engines make
/// it is not known here.
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
    /// What stands at the beginning. Offsets and counts are put right when it is written,
    /// and the last of the generations, if it was that of the package.
    pub summary: Summary<'a>,
    /// What the package refers to in others.
    pub imports: Table<'a, Import>,
    /// What the package has.
    pub exports: Vec<ExportData<'a>>,
    /// References to objects that are loaded when needed. (With none of them, engines take
    /// references in exports to be spelled out there.)
    pub soft_object_paths: Table<'a, SoftObjectPath<'a>>,
    /// Texts to be translated.
    pub gatherable_text: Table<'a, GatherableText<'a>>,
    /// Packages that are referred to softly.
    pub soft_package_references: Table<'a, SoftPackage<'a>>,
    /// What has to be loaded before exports are: the runs that [`Dependencies`] tell of.
    pub preload_dependencies: Table<'a, PackageIndex>,
    /// The types of imports.
    pub import_type_hierarchies: Table<'a, ImportTypeHierarchy<'a>>,
    /// EditedNames by which objects can be found.
    pub searchable_names: Option<List<'a, SearchableNames<'a>>>,
    /// Pictures of objects.
    pub thumbnails: Vec<ThumbnailData<'a>>,
    /// What the editor knows of objects.
    pub metadata: Option<Metadata<'a>>,
    /// What the asset registry knows. Where its dependencies are is put right.
    pub asset_registry: Option<AssetRegistry<'a>>,
    /// Which imports and soft references the game needs: for imports and references that are
    /// added it is taken to need them.
    pub registry_dependencies: Option<RegistryDependencies<'a>>,
    /// Where a level is in its world.
    pub world_tile_info: Option<WorldTileInfo<'a>>,
    /// Which bulk data there are. Places in the package itself are those of before and move
    /// with the export that they are in. Of data in bytes that were replaced or added, they
    /// can be told of the package that was written, with another editor.
    pub data_resources: Option<DataResources<'a>>,
}

/// An export with all that belongs to it.
#[derive(Clone, Debug, Default)]
pub struct ExportData<'a> {
    /// Its record. Size and place are put right when it is written, but not where the
    /// properties end ([`Export::script_end`]).
    pub export: Export,
    /// What it depends on.
    pub depends: List<'a, PackageIndex>,
    /// Its bytes.
    pub bytes: Cow<'a, [u8]>,
    /// Which of the package's it was.
    was: Option<u32>,
}

/// A thumbnail with its picture.
#[derive(Clone, Debug, Default)]
pub struct ThumbnailData<'a> {
    /// What it shows. The place is put right when it is written.
    pub entry: Thumbnail<'a>,
    /// Width and height; the size is put right.
    pub head: ThumbnailHead,
    /// PNG, or JPEG where the height is negative.
    pub picture: Cow<'a, [u8]>,
    /// Which of the package's it was.
    was: Option<u32>,
}

impl<'a> PackageEditor<'a> {
    /// Reads all tables once, to know where they end.
    ///
    /// # Errors
    /// If one of them cannot be read, if exports are not in the files at hand, or if any two
    /// of all these share bytes.
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

    /// How the package is laid out, and what is written.
    pub const fn layout(&self) -> &Layout {
        self.package.layout()
    }

    /// All names.
    pub fn names(&self) -> impl Iterator<Item = NameEntry<'_>> {
        self.names.iter()
    }

    /// The text of a name.
    pub fn name(&self, name: Name) -> Option<NameText<'_>> {
        match self.names.changed(usize::try_from(name.index).ok()?) {
            Some(text) => Some(NameText::new(text.as_text(), name.number)),
            None => self.package.name(name),
        }
    }

    /// The name of this text, which is added unless the package has it (in the same case);
    /// looks at all of them. A number at the end is taken off, as the engine does it. From
    /// 5:1001 on the summary then says of all names that exports may use them.
    ///
    /// # Errors
    /// If there are as many names as there can be.
    pub fn add_name(&mut self, text: &str) -> Result<Name> {
        let name = self.names.find_or_add(text);
        match name.index {
            i32::MAX => Err(Error::new(ErrorKind::FieldTooSmall(i32::MAX.into()), 0)),
            _ => Ok(name),
        }
    }

    /// The tag of a new property, for whose name and type the package gets the names that it
    /// lacks.
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
    /// If there are as many names as there can be.
    pub fn tag(&mut self, name: &str, of: &PropertyTypeBuf) -> Result<TagBuf> {
        TagBuf::in_package(name, of, |text| self.add_name(text))
    }

    /// Puts another text in the place of a name, for all that has it.
    ///
    /// # Errors
    /// If there is no name of this index.
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

    /// Adds an import.
    pub fn add_import(&mut self, import: Import) -> PackageIndex {
        self.imports.push(import);
        PackageIndex::from(Object::Import(last(self.imports.len())))
    }

    /// Adds an export with these bytes, which come behind those of the others.
    pub fn add_export(&mut self, export: Export, bytes: impl Into<Cow<'a, [u8]>>) -> PackageIndex {
        let none = Dependencies { first: -1, ..Dependencies::default() };
        let dependencies = export.dependencies.or(Some(none));
        let export = Export { dependencies, ..export };
        self.exports.push(ExportData { export, bytes: bytes.into(), ..ExportData::default() });
        PackageIndex::from(Object::Export(last(self.exports.len())))
    }

    /// Puts another list of properties in the place of an export's
    /// ([`PropertyWriter`](super::PropertyWriter) writes them), and enters where it ends. What
    /// is before and behind it stays.
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
    /// If there is no such export, or no list of properties with tags in it, or one that
    /// cannot be read.
    pub fn set_properties(&mut self, index: usize, list: &[u8]) -> Result<()> {
        let none = |index| Error::new(ErrorKind::NoSuchObject(index), 0);
        let data = self.exports.get_mut(index);
        let data = data.ok_or_else(|| none(i32::try_from(index).unwrap_or(i32::MAX)))?;
        if self.package.layout().unversioned_properties || data.export.class.is_null() {
            return Err(Error::new(ErrorKind::NoSuchTable("properties"), 0));
        }
        let object = self.package.properties_in(&data.bytes, &data.export)?;
        let (start, end) = (object.iter().offset(), object.tail()?.offset);
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
}

/// The last index of so many.
fn last(len: usize) -> u32 {
    u32::try_from(len.saturating_sub(1)).unwrap_or(u32::MAX)
}
