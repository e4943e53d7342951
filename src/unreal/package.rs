//! A package: its summary, and on request whatever else.

mod object_path;
mod property_writer;
mod references;
mod scanner;
mod table_visitor;
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
use crate::unreal::properties::{NameTable, PropertyContext, StructHint};
use crate::unreal::properties::{ObjectProperties, Unversioned};
use crate::unreal::tables::{
    AssetRegistry, DataResources, Export, FileVersions, GatherableText, Import,
    ImportTypeHierarchy, Metadata, PACKAGE_TAG, RegistryDependencies, SearchableNames, Serial,
    SoftObjectPath, SoftPackage, Summary, Thumbnail, ThumbnailHead, Trailer, WorldTileInfo,
    known_custom_versions,
};
use core::fmt;

/// A package over the bytes of its files, `.uasset` or `.umap`, and `.uexp` where there is one.
///
/// Opening reads the summary; every table is read only when it is asked for, record by record.
/// When the first name's text or the first properties are asked for, all names are walked over
/// once. Nothing is copied, and nothing allocated.
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
    context: PropertyContext<'a>,
}

/// One space of offsets over the bytes of one file or two.
#[derive(Clone, Copy)]
struct Files<'a> {
    header: &'a [u8],
    exports: Option<&'a [u8]>,
}

/// Their lengths: nobody wants to see all bytes.
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

    /// What begins at `offset`, to the end of the file that has it.
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
    /// How the names of files end that packages begin with.
    pub const EXTENSIONS: [&'static str; 2] = ["uasset", "umap"];

    /// How the names of files end that belong to one of these.
    pub const COMPANIONS: [&'static str; 3] = ["uexp", "ubulk", "uptnl"];

    /// Whether a file begins as packages do, in either byte order.
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

    /// Opens a package that is one file.
    ///
    /// # Errors
    /// If the bytes are no package or one of a version that is not known, or end too early.
    /// What could be read even so tells [`Package::peek`].
    pub fn open(file: &'a [u8]) -> Result<Self> {
        Self::open_as(file, None, None)
    }

    /// Opens a package of one file or two (`exports` is the `.uexp`), of which an unversioned
    /// one is taken to be in the version that is `supplied`.
    ///
    /// # Errors
    /// As [`Package::open`].
    pub fn open_as(
        header: &'a [u8],
        exports: Option<&'a [u8]>,
        supplied: Option<Versions>,
    ) -> Result<Self> {
        // (It is large, and so made where it stays.)
        let mut package = Self {
            files: Files { header, exports },
            versions: FileVersions::default(),
            summary: Summary::default(),
            context: PropertyContext::new(Layout::default()),
        };
        let Self { files, versions, summary, context } = &mut package;
        context.layout = Self::fill(header, supplied, versions, summary)?;
        if !summary.compressed_chunks.is_empty() {
            let offset = summary.compressed_chunks.iter().offset();
            return Err(Error::new(ErrorKind::CompressedPackage, offset));
        }
        // (At 0, where the summary is, no table is.)
        let mut names = match (summary.name_offset, summary.name_count) {
            (..=0, 0) => FileCursor::new(&[], 0),
            (0, _) => return Err(Error::new(ErrorKind::BadOffset(0), 0)),
            (offset, _) => Self::table_of(files, offset.into())?,
        };
        let count = count(summary.name_count, &mut names)?;
        context.names = NameTable::new(names, count);
        if context.layout.soft_paths_listed {
            package.context.soft_paths = package.soft_object_paths().indexed();
        }
        Ok(package)
    }

    /// The beginning of a package as far as it can be read, and why no further: for files that
    /// [`Package::open`] refuses, of a newer version mostly.
    pub fn peek(header: &'a [u8]) -> (FileVersions, Summary<'a>, Option<Error>) {
        let (mut versions, mut summary) = Default::default();
        let error = Self::fill(header, None, &mut versions, &mut summary).err();
        (versions, summary, error)
    }

    fn fill(
        header: &'a [u8],
        supplied: Option<Versions>,
        versions: &mut FileVersions,
        summary: &mut Summary<'a>,
    ) -> Result<Layout> {
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
        Ok(layout)
    }

    /// Bytes of the file that has the tables, and of the other.
    #[cfg(feature = "alloc")]
    pub(crate) fn sizes(&self) -> (u64, Option<u64>) {
        let Files { header, exports } = self.files;
        (header.len() as u64, exports.map(|exports| exports.len() as u64))
    }

    /// The versions it says it is in.
    pub const fn versions(&self) -> &FileVersions {
        &self.versions
    }

    /// Where everything is, and what else stands at the beginning.
    pub const fn summary(&self) -> &Summary<'a> {
        &self.summary
    }

    /// How it is laid out.
    pub const fn layout(&self) -> &Layout {
        &self.context.layout
    }

    /// The text of a name, which takes following up to `names().len() / 128` lengths; with
    /// `with_name_index` none.
    pub fn name(&self, name: Name) -> Option<NameText<'a>> {
        self.context.name(name)
    }

    /// All names.
    pub fn names(&self) -> Records<'a, NameEntry<'a>> {
        Records::new(self.context.names.input(), self.context.names.count(), self.context.layout)
    }

    /// What the package refers to in others.
    pub fn imports(&self) -> Records<'a, Import> {
        self.records(self.summary.import_offset, self.summary.import_count)
    }

    /// What the package has.
    pub fn exports(&self) -> Records<'a, Export> {
        self.records(self.summary.export_offset, self.summary.export_count)
    }

    /// What each export depends on.
    pub fn depends(&self) -> Records<'a, List<'a, PackageIndex>> {
        self.records(self.summary.depends_offset, self.summary.export_count)
    }

    /// Packages that are referred to softly.
    pub fn soft_package_references(&self) -> Records<'a, SoftPackage<'a>> {
        let Summary { soft_package_reference_offset, soft_package_reference_count, .. } =
            self.summary;
        self.some(soft_package_reference_offset, soft_package_reference_count)
    }

    /// References to objects that are loaded when needed.
    pub fn soft_object_paths(&self) -> Records<'a, SoftObjectPath<'a>> {
        self.some(self.summary.soft_object_path_offset, self.summary.soft_object_path_count)
    }

    /// Texts to be translated.
    pub fn gatherable_text(&self) -> Records<'a, GatherableText<'a>> {
        self.some(self.summary.gatherable_text_offset, self.summary.gatherable_text_count)
    }

    /// What has to be loaded before exports are: the runs that [`Dependencies`] tell of.
    pub fn preload_dependencies(&self) -> Records<'a, PackageIndex> {
        self.some(self.summary.preload_dependency_offset, self.summary.preload_dependency_count)
    }

    /// The types of imports.
    pub fn import_type_hierarchies(&self) -> Records<'a, ImportTypeHierarchy<'a>> {
        let Summary { import_type_hierarchy_offset, import_type_hierarchy_count, .. } =
            self.summary;
        self.some(import_type_hierarchy_offset, import_type_hierarchy_count)
    }

    /// Names by which objects can be found; `None` if there is no such table.
    ///
    /// # Errors
    /// If it is not in the form of this version.
    pub fn searchable_names(&self) -> Result<Option<List<'a, SearchableNames<'a>>>> {
        self.single(self.summary.searchable_names_offset)
    }

    /// Which thumbnails there are; [`Package::thumbnail`] has their pictures.
    ///
    /// # Errors
    /// If it is not in the form of this version.
    pub fn thumbnails(&self) -> Result<Option<List<'a, Thumbnail<'a>>>> {
        self.single(Some(self.summary.thumbnail_table_offset))
    }

    /// The picture of a thumbnail: PNG, or JPEG where the height is negative.
    ///
    /// # Errors
    /// If it is not where the table says.
    pub fn thumbnail(&self, of: &Thumbnail<'_>) -> Result<(ThumbnailHead, &'a [u8])> {
        let mut at = self.at(of.offset.into())?;
        let head: ThumbnailHead = at.read(&self.context.layout)?;
        let size = u64::try_from(head.size).map_err(|_| at.error(ErrorKind::BadCount(head.size)));
        Ok((head, at.bytes(size?)?))
    }

    /// What the editor knows of objects.
    ///
    /// # Errors
    /// If it is not in the form of this version.
    pub fn metadata(&self) -> Result<Option<Metadata<'a>>> {
        self.single(self.summary.metadata_offset)
    }

    /// What the asset registry knows.
    ///
    /// # Errors
    /// If it is not in the form of this version.
    pub fn asset_registry(&self) -> Result<Option<AssetRegistry<'a>>> {
        self.single(Some(self.summary.asset_registry_data_offset))
    }

    /// Which imports and soft references the game needs.
    ///
    /// # Errors
    /// If it is not in the form of this version.
    pub fn registry_dependencies(&self) -> Result<Option<RegistryDependencies<'a>>> {
        let registry = self.asset_registry()?;
        self.single(registry.and_then(|registry| registry.dependency_data_offset))
    }

    /// Where a level is in its world.
    ///
    /// # Errors
    /// If it is not in the form of this version.
    pub fn world_tile_info(&self) -> Result<Option<WorldTileInfo<'a>>> {
        self.single(self.summary.world_tile_info_data_offset)
    }

    /// Which bulk data there are.
    ///
    /// # Errors
    /// If it is not in the form of this version.
    pub fn data_resources(&self) -> Result<Option<DataResources<'a>>> {
        self.single(self.summary.data_resource_offset)
    }

    /// What is behind the exports for the editor.
    ///
    /// # Errors
    /// If it is not in the form of this version.
    pub fn trailer(&self) -> Result<Option<Trailer<'a>>> {
        self.single(self.summary.payload_toc_offset)
    }

    /// An import, found by its index.
    ///
    /// # Errors
    /// If there are fewer, or the file ends before.
    pub fn import(&self, index: u32) -> Result<Import> {
        let object = Object::Import(index);
        self.record(self.summary.import_offset, self.summary.import_count, index, object)
    }

    /// An export, found by its index; nothing else is touched.
    ///
    /// # Errors
    /// If there are fewer, or the file ends before.
    pub fn export(&self, index: u32) -> Result<Export> {
        let object = Object::Export(index);
        self.record(self.summary.export_offset, self.summary.export_count, index, object)
    }

    /// The properties of an export; `None` where they have no tags
    /// ([`Layout::unversioned_properties`]) and only a schema could tell what they are.
    ///
    /// # Errors
    /// If its bytes are not in the files at hand.
    pub fn properties<'p>(&'p self, export: &Export) -> Result<Option<ObjectProperties<'p>>> {
        if self.context.layout.unversioned_properties {
            return Ok(None);
        }
        let from = self.export_input(export)?;
        ObjectProperties::new(from, export, &self.context).map(Some)
    }

    /// The properties of an export that has these bytes.
    #[cfg(feature = "alloc")]
    pub(crate) fn properties_in<'p>(
        &'p self,
        bytes: &'p [u8],
        export: &Export,
    ) -> Result<ObjectProperties<'p>> {
        ObjectProperties::new(FileCursor::new(bytes, 0), export, &self.context)
    }

    /// The properties of an export that have no tags; `None` where they have
    /// ([`Package::properties`]).
    ///
    /// # Errors
    /// If its bytes are not in the files at hand, or have no such header.
    pub fn unversioned(&self, export: &Export) -> Result<Option<Unversioned<'a>>> {
        let layout = &self.context.layout;
        match layout.unversioned_properties {
            true => Unversioned::read(self.export_input(export)?, layout).map(Some),
            false => Ok(None),
        }
    }

    /// Tells what structs are in maps, where the file does not.
    #[must_use]
    pub fn with_hints(mut self, hints: &'a [StructHint<'a>]) -> Self {
        self.context.hints = hints;
        self
    }

    /// Remembers where each name is, in four bytes per name. Without that one place in so many
    /// is remembered (128 in all) and lengths are followed from there, so that finding the text
    /// of a name takes time in proportion to how many there are: with thousands, and for whoever
    /// cannot know how many, this is worth it.
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

    /// How many bytes there are.
    #[cfg(feature = "serde")]
    pub(crate) fn size(&self) -> u64 {
        self.files.size()
    }

    /// The bytes of an export, wherever they are.
    ///
    /// # Errors
    /// If they are not in the files at hand.
    pub fn export_bytes(&self, export: &Export) -> Result<&'a [u8]> {
        Ok(self.export_input(export)?.rest())
    }

    fn export_input(&self, export: &Export) -> Result<FileCursor<'a>> {
        let Serial { size, offset } = export.serial;
        let mut at = self.at(offset)?;
        let size = u64::try_from(size).map_err(|_| at.error(ErrorKind::BadOffset(size)))?;
        at.window(size)
    }

    /// Whether the exports are in a `.uexp`, which is not at hand.
    pub fn lacks_exports(&self) -> bool {
        let header = i64::try_from(self.files.header.len()).unwrap_or(i64::MAX);
        let split =
            header == i64::from(self.summary.header_size()) && self.summary.export_count > 0;
        split && self.files.exports.is_none()
    }

    /// What begins at an offset of the file.
    pub(crate) fn at(&self, offset: i64) -> Result<FileCursor<'a>> {
        Self::table_of(&self.files, offset)
    }

    /// Where the `.uexp` begins; 0 without one.
    pub(crate) fn exports_start(&self) -> u64 {
        self.files.exports.map_or(0, |_| self.files.header.len() as u64)
    }

    fn table_of(files: &Files<'a>, offset: i64) -> Result<FileCursor<'a>> {
        let at = u64::try_from(offset).ok().and_then(|offset| files.at(offset));
        at.ok_or_else(|| Error::new(ErrorKind::BadOffset(offset), 0))
    }

    /// A table of so many records; with one that cannot be there the first is an error.
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

    /// What is at an offset, if it is one.
    fn single<T: Value<'a>>(&self, offset: Option<impl Into<i64>>) -> Result<Option<T>> {
        match offset.map(Into::into) {
            Some(offset) if offset > 0 => self.at(offset)?.read(&self.context.layout).map(Some),
            _ => Ok(None),
        }
    }

    /// A record of a table whose records are of the same size.
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

/// The size of a record in which every field has a fixed one.
pub(crate) fn size_in<'a, T: Record<'a>>(layout: &Layout) -> usize {
    let zeros = FileCursor::new(&[0; 512], 0);
    let mut at = zeros;
    match at.read::<T>(layout) {
        Ok(_) => at.since(&zeros).len(),
        Err(_) => 0,
    }
}

/// A count of the summary, of names that lie at `at`.
fn count(count: i32, at: &mut FileCursor<'_>) -> Result<u32> {
    match u32::try_from(count) {
        Ok(n) if u64::from(n).saturating_mul(NameEntry::LEAST) <= at.remaining() => Ok(n),
        _ => Err(at.error(ErrorKind::BadCount(count))),
    }
}

/// Whether imports say their package. By the version, unless the exports follow and the gap
/// between them is of records that can be: engine 5.8 writes the package always, and has the
/// version number of 5.7.
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
