//! Views of packages.

#[cfg(feature = "alloc")]
mod declared;
mod object_path;
mod objects;
mod property_writer;
mod references;
mod scanner;
mod table_visitor;
mod tiling;
mod verify;

pub use object_path::ObjectPath;
pub use references::{PackageName, PackageReference, ReferenceKind};
pub use scanner::{Progress, Scanned, Scanner};
#[cfg(feature = "serde")]
pub(crate) use table_visitor::TableVisitor;
pub use verify::Problem;

use crate::unreal::format::{
    Error, ErrorKind, FileCursor, KnownCustomVersions, Layout, List, Name, NameEntry, NameText,
    Object, PackageIndex, Record, Records, Result, Value, Versions,
};
use crate::unreal::format::{ue4, ue5};
use crate::unreal::properties::PropertyContext;
use crate::unreal::tables::{
    AssetRegistry, DataResources, Export, FileVersions, GatherableText, Import,
    ImportTypeHierarchy, Metadata, PACKAGE_TAG, RegistryDependencies, SearchableNames, Serial,
    SoftObjectPath, SoftPackage, Summary, Thumbnail, ThumbnailHead, Trailer, WorldTileInfo,
    known_custom_versions,
};
use core::fmt;

/// A view of a package file (`.uasset`, `.umap`), and of its `.uexp` if there is one.
///
/// Opening a package reads the summary. The records of tables are read on demand. The first access
/// to properties or to the text of a name reads all names once. Nothing is copied or allocated.
///
/// ```
/// use gamewire::unreal::Package;
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let file = &std::fs::read("corpus/unreal/ue4.27-TestActorBP.uasset")?;
/// let package = Package::open(file)?;
/// assert_eq!(package.versions().ue4_version, 522);
/// let export = package.exports().next().unwrap()?;
/// let name = package.name(export.object_name).unwrap();
/// assert_eq!(name.to_string(), "TestActorBP");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Package<'a> {
    files: Files<'a>,
    versions: FileVersions,
    summary: Summary<'a>,
    /// Offset of the end of the summary.
    summary_end: u64,
    context: PropertyContext<'a>,
}

/// One or two files with continuous offsets: offsets in the second file continue from the end of
/// the first.
#[derive(Clone, Copy)]
struct Files<'a> {
    header: &'a [u8],
    exports: Option<&'a [u8]>,
}

/// Prints the lengths of the files instead of their bytes.
impl fmt::Debug for Files<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.header.len(), self.exports.map(<[u8]>::len)).fmt(f)
    }
}

impl<'a> Files<'a> {
    #[cfg(feature = "serde")]
    fn size(&self) -> u64 {
        self.header.len().saturating_add(self.exports.map_or(0, <[u8]>::len)) as u64
    }

    /// Returns a cursor from `offset` to the end of the file that contains it.
    fn at(&self, offset: u64) -> Option<FileCursor<'a>> {
        let place = usize::try_from(offset).ok()?;
        let bytes = match (place.checked_sub(self.header.len()), self.exports) {
            (Some(place), Some(exports)) => exports.get(place..)?,
            _ => self.header.get(place..)?,
        };
        Some(FileCursor::new(bytes, offset))
    }
}

impl<'a> Package<'a> {
    /// Extensions of package files.
    pub const EXTENSIONS: [&'static str; 2] = ["uasset", "umap"];

    /// Extensions of companion files of a package.
    pub const COMPANIONS: [&'static str; 3] = ["uexp", "ubulk", "uptnl"];

    /// Returns `true` if the file begins with the tag of a package, in either byte order.
    ///
    /// ```
    /// use gamewire::unreal::Package;
    ///
    /// assert!(Package::is_package(&[0xC1, 0x83, 0x2A, 0x9E, 0xF8]));
    /// assert!(!Package::is_package(b"GVAS"));
    /// ```
    pub fn is_package(file: &[u8]) -> bool {
        let tag = file.first_chunk().map(|tag| u32::from_le_bytes(*tag));
        tag.is_some_and(|tag| tag == PACKAGE_TAG || tag == PACKAGE_TAG.swap_bytes())
    }

    /// Opens a package that consists of one file.
    ///
    /// # Errors
    /// If the bytes are not a package of a known version, if the package does not state its version
    /// or has compressed chunks, if its summary is truncated or invalid, or if the offset or the
    /// number of its names is invalid. [`Package::peek`] returns the part that can be read.
    pub fn open(file: &'a [u8]) -> Result<Self> {
        Self::open_as(file, None, None)
    }

    /// Opens a package of one or two files; `exports` is the contents of the `.uexp`. `supplied` is
    /// the version to assume if the package does not state its version.
    ///
    /// # Errors
    /// See [`Package::open`]. A package that does not state its version is an error only if
    /// `supplied` is `None`.
    pub fn open_as(
        header: &'a [u8],
        exports: Option<&'a [u8]>,
        supplied: Option<Versions>,
    ) -> Result<Self> {
        // The package is built where it is returned, because it is large.
        let mut opened = Ok(Self {
            files: Files { header, exports },
            versions: FileVersions::default(),
            summary: Summary::default(),
            summary_end: 0,
            context: PropertyContext::new(Layout::default()),
        });
        if let Ok(package) = &mut opened
            && let Err(error) = package.read_header(supplied)
        {
            opened = Err(error);
        }
        opened
    }

    /// Reads everything that must be known before the tables can be read.
    fn read_header(&mut self, supplied: Option<Versions>) -> Result<()> {
        let Self { files, versions, summary, summary_end, context } = self;
        (context.layout, *summary_end) = Self::fill(files.header, supplied, versions, summary)?;
        if !summary.compressed_chunks.is_empty() {
            let offset = summary.compressed_chunks.iter().offset();
            return Err(Error::new(ErrorKind::CompressedPackage, offset));
        }
        // Offset 0 belongs to the summary, so the names cannot begin there.
        let mut names = match (summary.name_offset, summary.name_count) {
            (..=0, 0) => FileCursor::new(&[], 0),
            (0, _) => return Err(Error::new(ErrorKind::BadOffset(0), 0)),
            (offset, _) => Self::table_of(files, offset.into())?,
        };
        let count = count(summary.name_count, &mut names)?;
        context.names.set_input(names, count);
        if context.layout.soft_paths_listed {
            self.context.soft_paths = self.soft_object_paths().indexed();
        }
        Ok(())
    }

    /// Reads the versions and the summary up to the first field that cannot be read, and returns
    /// them with the error that occurred there. Useful for files that [`Package::open`] rejects,
    /// such as files of newer versions.
    pub fn peek(header: &'a [u8]) -> (FileVersions, Summary<'a>, Option<Error>) {
        let (mut versions, mut summary) = Default::default();
        let error = Self::fill(header, None, &mut versions, &mut summary).err();
        (versions, summary, error)
    }

    /// Reads the versions and the summary, and returns the layout and the offset of the end of the
    /// summary.
    fn fill(
        header: &'a [u8],
        supplied: Option<Versions>,
        versions: &mut FileVersions,
        summary: &mut Summary<'a>,
    ) -> Result<(Layout, u64)> {
        let mut from = FileCursor::new(header, 0);
        let mut layout = Layout::default();
        versions.open(&mut from, supplied, &mut layout)?;
        summary.fill(&mut from, &layout)?;
        layout.editor_data = summary.has_editor_data();
        layout.unversioned_properties = summary.has_unversioned_properties();
        layout.soft_paths_listed = summary.soft_object_path_count.unwrap_or(0) > 0;
        layout.custom = match versions.is_unversioned() {
            true => KnownCustomVersions::latest_of(layout.versions),
            false => known_custom_versions(&summary.custom_versions),
        };
        layout.import_packages = has_import_packages(summary, &layout);
        Ok((layout, from.offset()))
    }

    /// Returns the size of the file that contains the tables, and the size of the `.uexp` if there
    /// is one.
    pub(crate) fn sizes(&self) -> (u64, Option<u64>) {
        let Files { header, exports } = self.files;
        (header.len() as u64, exports.map(|exports| exports.len() as u64))
    }

    /// Returns the offset of the end of the summary.
    pub(crate) const fn summary_end(&self) -> u64 {
        self.summary_end
    }

    /// Returns the versions that the file states.
    pub const fn versions(&self) -> &FileVersions {
        &self.versions
    }

    /// Returns the summary, which holds the offsets of all tables.
    pub const fn summary(&self) -> &Summary<'a> {
        &self.summary
    }

    /// Returns the layout: the versions and flags that decide which fields the records have.
    pub const fn layout(&self) -> &Layout {
        &self.context.layout
    }

    /// Returns the text of a name, or `None` if there is no such name. The first access to
    /// properties or to the text of a name reads all names. After that, a call reads at most
    /// `names().len() / 128` names, and only one if there are fewer than 256 names, or after
    /// `with_name_index`.
    pub fn name(&self, name: Name) -> Option<NameText<'a>> {
        self.context.name(name)
    }

    /// Returns all names.
    pub fn names(&self) -> Records<'a, NameEntry<'a>> {
        Records::new(self.context.names.input(), self.context.names.count(), self.context.layout)
    }

    /// Returns the objects of other packages that the package refers to.
    pub fn imports(&self) -> Records<'a, Import> {
        self.records(self.summary.import_offset, self.summary.import_count)
    }

    /// Returns the objects of the package.
    pub fn exports(&self) -> Records<'a, Export> {
        self.records(self.summary.export_offset, self.summary.export_count)
    }

    /// Returns the objects that each export depends on.
    pub fn depends(&self) -> Records<'a, List<'a, PackageIndex>> {
        self.records(self.summary.depends_offset, self.summary.export_count)
    }

    /// Returns the packages to which this package has soft references.
    pub fn soft_package_references(&self) -> Records<'a, SoftPackage<'a>> {
        let Summary { soft_package_reference_offset, soft_package_reference_count, .. } =
            self.summary;
        self.some(soft_package_reference_offset, soft_package_reference_count)
    }

    /// Returns the list of soft references to objects.
    pub fn soft_object_paths(&self) -> Records<'a, SoftObjectPath<'a>> {
        self.some(self.summary.soft_object_path_offset, self.summary.soft_object_path_count)
    }

    /// Returns the translatable texts.
    pub fn gatherable_text(&self) -> Records<'a, GatherableText<'a>> {
        self.some(self.summary.gatherable_text_offset, self.summary.gatherable_text_count)
    }

    /// Returns the objects that must be loaded before the exports. The
    /// [`Dependencies`](crate::unreal::tables::Dependencies) of an export state which part of this
    /// table belongs to the export.
    pub fn preload_dependencies(&self) -> Records<'a, PackageIndex> {
        self.some(self.summary.preload_dependency_offset, self.summary.preload_dependency_count)
    }

    /// Returns the class hierarchies of imports.
    pub fn import_type_hierarchies(&self) -> Records<'a, ImportTypeHierarchy<'a>> {
        let Summary { import_type_hierarchy_offset, import_type_hierarchy_count, .. } =
            self.summary;
        self.some(import_type_hierarchy_offset, import_type_hierarchy_count)
    }

    /// Returns the names by which objects can be found, or `None` if there is no such table.
    ///
    /// # Errors
    /// If the table is outside of the file, truncated or invalid.
    pub fn searchable_names(&self) -> Result<Option<List<'a, SearchableNames<'a>>>> {
        self.single(self.summary.searchable_names_offset)
    }

    /// Returns the table of thumbnails, or `None` if there is no such table.
    /// [`Package::thumbnail`] returns the picture of a thumbnail.
    ///
    /// # Errors
    /// If the table is outside of the file, truncated or invalid.
    pub fn thumbnails(&self) -> Result<Option<List<'a, Thumbnail<'a>>>> {
        self.single(Some(self.summary.thumbnail_table_offset))
    }

    /// Returns the header and the picture of a thumbnail. The picture is a PNG, or a JPEG if the
    /// height is negative.
    ///
    /// # Errors
    /// If the picture is outside of the file or truncated, or its size is negative.
    pub fn thumbnail(&self, of: &Thumbnail<'_>) -> Result<(ThumbnailHead, &'a [u8])> {
        let mut at = self.at(of.offset.into())?;
        let head: ThumbnailHead = at.read(&self.context.layout)?;
        let size = u64::try_from(head.size).map_err(|_| at.error(ErrorKind::BadCount(head.size)));
        Ok((head, at.bytes(size?)?))
    }

    /// Returns the editor metadata of objects, or `None` if there is no such table.
    ///
    /// # Errors
    /// If the table is outside of the file, truncated or invalid.
    pub fn metadata(&self) -> Result<Option<Metadata<'a>>> {
        self.single(self.summary.metadata_offset)
    }

    /// Returns the data for the asset registry, or `None` if there are none.
    ///
    /// # Errors
    /// If the data are outside of the file, truncated or invalid.
    pub fn asset_registry(&self) -> Result<Option<AssetRegistry<'a>>> {
        self.single(Some(self.summary.asset_registry_data_offset))
    }

    /// Returns the flags that mark the imports and soft package references that the game uses, or
    /// `None` if there is no such table.
    ///
    /// # Errors
    /// If the table is outside of the file, truncated or invalid, or if
    /// [`asset_registry`](Self::asset_registry) fails.
    pub fn registry_dependencies(&self) -> Result<Option<RegistryDependencies<'a>>> {
        let registry = self.asset_registry()?;
        self.single(registry.and_then(|registry| registry.dependency_data_offset))
    }

    /// Returns the position of a level in its world, or `None` if the package does not store it.
    ///
    /// # Errors
    /// If the position is outside of the file, truncated or invalid.
    pub fn world_tile_info(&self) -> Result<Option<WorldTileInfo<'a>>> {
        self.single(self.summary.world_tile_info_data_offset)
    }

    /// Returns the table of bulk data, or `None` if there is no such table.
    ///
    /// # Errors
    /// If the table is outside of the file, truncated or invalid, or has an unknown version.
    pub fn data_resources(&self) -> Result<Option<DataResources<'a>>> {
        self.single(self.summary.data_resource_offset)
    }

    /// Returns the trailer, which holds payloads for the editor, or `None` if there is no trailer.
    ///
    /// # Errors
    /// If the trailer is outside of the file, truncated or invalid, or has an unknown version.
    pub fn trailer(&self) -> Result<Option<Trailer<'a>>> {
        self.single(self.summary.payload_toc_offset)
    }

    /// Returns the import with this index.
    ///
    /// # Errors
    /// If there is no such import, or its record cannot be read.
    pub fn import(&self, index: u32) -> Result<Import> {
        let object = Object::Import(index);
        self.record(self.summary.import_offset, self.summary.import_count, index, object)
    }

    /// Returns the export with this index. Reads no other record.
    ///
    /// # Errors
    /// If there is no such export, or its record cannot be read.
    pub fn export(&self, index: u32) -> Result<Export> {
        let object = Object::Export(index);
        self.record(self.summary.export_offset, self.summary.export_count, index, object)
    }

    /// Stores the offset of each name, in four bytes per name. Without this index, at most 128
    /// offsets are stored, and a name is found by reading all names from the nearest stored offset
    /// before it, which takes time proportional to the number of names. Recommended for packages
    /// that have thousands of names or come from an unknown source.
    ///
    /// ```
    /// use gamewire::unreal::Package;
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal/ue4.27-TestActorBP.uasset")?;
    /// let package = Package::open(file)?.with_name_index();
    /// let export = package.export(0)?;
    /// assert_eq!(package.name(export.object_name).unwrap().to_string(), "TestActorBP");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn with_name_index(mut self) -> Self {
        self.context.names.index_all(&self.context.layout);
        self
    }

    pub(crate) const fn context(&self) -> &PropertyContext<'a> {
        &self.context
    }

    /// Returns the bytes of the one or two files.
    #[cfg(feature = "serde")]
    pub(crate) const fn file_bytes(&self) -> (&'a [u8], Option<&'a [u8]>) {
        (self.files.header, self.files.exports)
    }

    /// Returns the total size in bytes of the one or two files.
    #[cfg(feature = "serde")]
    pub(crate) fn size(&self) -> u64 {
        self.files.size()
    }

    /// Returns the bytes of an export.
    ///
    /// # Errors
    /// If the bytes are not in the given files, or their size is negative.
    pub fn export_bytes(&self, export: &Export) -> Result<&'a [u8]> {
        Ok(self.export_input(export)?.rest())
    }

    fn export_input(&self, export: &Export) -> Result<FileCursor<'a>> {
        let Serial { size, offset } = export.serial;
        let mut at = self.at(offset)?;
        let size = u64::try_from(size).map_err(|_| at.error(ErrorKind::BadOffset(size)))?;
        at.window(size)
    }

    /// Returns `true` if the exports are in a `.uexp` that was not given.
    pub fn lacks_exports(&self) -> bool {
        let header = i64::try_from(self.files.header.len()).unwrap_or(i64::MAX);
        let split =
            header == i64::from(self.summary.header_size()) && self.summary.export_count > 0;
        split && self.files.exports.is_none()
    }

    /// Returns a cursor at an offset of the file.
    pub(crate) fn at(&self, offset: i64) -> Result<FileCursor<'a>> {
        Self::table_of(&self.files, offset)
    }

    /// Returns the offset at which the `.uexp` begins, or 0 if there is none.
    pub(crate) fn exports_start(&self) -> u64 {
        self.files.exports.map_or(0, |_| self.files.header.len() as u64)
    }

    fn table_of(files: &Files<'a>, offset: i64) -> Result<FileCursor<'a>> {
        let at = u64::try_from(offset).ok().and_then(|offset| files.at(offset));
        at.ok_or_else(|| Error::new(ErrorKind::BadOffset(offset), 0))
    }

    /// Returns the table of `count` records at `offset`. The table is empty if the offset or the
    /// count is not positive. If the offset is outside of the file, the first record is an error.
    fn records<T: Value<'a>>(&self, offset: i32, count: i32) -> Records<'a, T> {
        let count = u32::try_from(count).unwrap_or_default();
        if offset <= 0 || count == 0 {
            return Records::none(self.context.layout);
        }
        let end = FileCursor::new(&[], u64::from(offset.unsigned_abs()));
        Records::new(self.at(offset.into()).unwrap_or(end), count, self.context.layout)
    }

    fn some<T: Value<'a>>(&self, offset: Option<i32>, count: Option<i32>) -> Records<'a, T> {
        self.records(offset.unwrap_or_default(), count.unwrap_or_default())
    }

    /// Reads the value at an offset. Returns `None` if there is no offset or it is not positive.
    fn single<T: Value<'a>>(&self, offset: Option<impl Into<i64>>) -> Result<Option<T>> {
        match offset.map(Into::into) {
            Some(offset) if offset > 0 => self.at(offset)?.read(&self.context.layout).map(Some),
            _ => Ok(None),
        }
    }

    /// Reads a record of a table with fixed-size records.
    fn record<T: Record<'a>>(
        &self,
        offset: i32,
        count: i32,
        index: u32,
        object: Object,
    ) -> Result<T> {
        if i64::from(index) >= i64::from(count) {
            let index = PackageIndex::from(object).0;
            return Err(Error::new(ErrorKind::NoSuchObject(index), 0));
        }
        let size = i64::try_from(size_in::<T>(&self.context.layout)).unwrap_or(i64::MAX);
        let offset = i64::from(index).saturating_mul(size).saturating_add(offset.into());
        self.at(offset)?.read(&self.context.layout)
    }
}

/// Returns the size in bytes of a record with fixed-size fields.
pub(crate) fn size_in<'a, T: Record<'a>>(layout: &Layout) -> usize {
    let zeros = FileCursor::new(&[0; 512], 0);
    let mut at = zeros;
    match at.read::<T>(layout) {
        Ok(_) => at.since(&zeros).len(),
        Err(_) => 0,
    }
}

/// Checks that the bytes from `at` can hold `count` names, and returns `count`.
fn count(count: i32, at: &mut FileCursor<'_>) -> Result<u32> {
    match u32::try_from(count) {
        Ok(n) if u64::from(n).saturating_mul(NameEntry::LEAST) <= at.remaining() => Ok(n),
        _ => Err(at.error(ErrorKind::BadCount(count))),
    }
}

/// Returns `true` if imports have a package name. If the exports directly follow the imports, the
/// size of the table of imports decides. Otherwise the version decides, which can give the wrong
/// answer for cooked packages from engine 5.8: their imports have a package name, but packages from
/// engine 5.7, whose imports have none, have the same version.
fn has_import_packages(summary: &Summary<'_>, layout: &Layout) -> bool {
    let gap = i64::from(summary.export_offset).wrapping_sub(summary.import_offset.into());
    let without = if layout.has_ue5(ue5::OPTIONAL_RESOURCES) { 32 } else { 28 };
    match gap.checked_div(summary.import_count.into()) {
        Some(each)
            if summary.import_count > 0
                && gap.checked_rem(summary.import_count.into()) == Some(0) =>
        {
            match each.wrapping_sub(without) {
                0 => return false,
                8 => return true,
                _ => {}
            }
        }
        _ => {}
    }
    layout.has_ue4(ue4::NON_OUTER_PACKAGE_IMPORT) && layout.editor_data
}
