//! Views of Zen packages.

mod objects;
pub mod path;

use super::header::{Header, form, layout};
use super::imports::{ObjectName, ScriptNames, ZenImports};
use crate::unreal::format::{
    Error, ErrorKind, FileCursor, HashedNames, KnownCustomVersions, Layout, List, Name, NameText,
    Object, PackageIndex, Records, Result, StrRef, Value, Versions,
};
use crate::unreal::mappings::Mappings;
use crate::unreal::properties::{ImportStructs, NameTable, PropertyContext, StructHint};
use crate::unreal::tables::{
    BundleArc, BundleEntry, ExportBundle, ImportArc, MappedName, ObjectHash, ObjectIndex,
    PackageArcs, ZenBulkData, ZenCellExport, ZenDependencies, ZenExport, ZenObject, ZenSummary,
    ZenVersions, known_custom_versions, package_flags,
};
use core::fmt;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// A view of a Zen package, which is a package from an `IoStore` container.
///
/// Opening a package reads its summary and finds its tables. The records are read on demand.
/// Nothing is copied or allocated.
///
/// The properties of the exports are read like those of a [`Package`](crate::unreal::Package). If
/// the properties have no tags, [`with_script_names`](Self::with_script_names) supplies their
/// types. Object references in properties are indices of imports or exports.
///
/// ```
/// use gamewire::unreal::{Mappings, PropertyValue, ScriptNames, ZenPackage};
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let mappings = &std::fs::read("corpus/unreal-mappings/tiny.v4.usmap")?;
/// let mappings = Mappings::open(mappings)?;
/// let names = ScriptNames::new(Some(&mappings), None);
/// let file = &std::fs::read("corpus/unreal-zen/tiny.uasset")?;
/// let package = ZenPackage::open(file)?.with_script_names(&names);
/// assert_eq!(package.engines(), [(5, 3), (5, 3)]);
/// assert_eq!(package.class_name(&package.export(0)?).unwrap().to_string(), "Thing");
/// let object = package.properties(0)?.unwrap();
/// let PropertyValue::Enum(kind) = object.iter().get("KByte").unwrap().value() else { panic!() };
/// assert_eq!(kind.to_string(), "EKind::Two");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct ZenPackage<'a> {
    file: &'a [u8],
    header: Header<'a>,
    /// `false` if several versions have the form of the header, and no version was stated or
    /// supplied.
    has_version: bool,
    context: PropertyContext<'a>,
    /// Offsets of the exports, if [`with_index`](Self::with_index) stored them.
    #[cfg(feature = "alloc")]
    offsets: Vec<u64>,
}

/// Prints the summary.
impl fmt::Debug for ZenPackage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ZenPackage").field(&self.header.summary).finish()
    }
}

impl<'a> ZenPackage<'a> {
    /// Returns `true` if the file has the complete header of a Zen package. The time that this
    /// takes does not depend on the size of the file.
    ///
    /// ```
    /// use gamewire::unreal::ZenPackage;
    ///
    /// assert!(!ZenPackage::is_zen(&[0xC1, 0x83, 0x2A, 0x9E, 0xF8]));
    /// ```
    pub fn is_zen(file: &[u8]) -> bool {
        Header::read(file).is_ok()
    }

    /// Opens a package. If it does not state its version and several versions have the form of its
    /// header, the tables can be read, but the properties cannot.
    ///
    /// # Errors
    /// If the file does not have the complete header of a Zen package, or states a version that is
    /// not known.
    pub fn open(file: &'a [u8]) -> Result<Self> {
        Self::open_as(file, None)
    }

    /// Opens a package. `supplied` is the version to assume if the package does not state its
    /// version.
    ///
    /// # Errors
    /// See [`open`](Self::open).
    pub fn open_as(file: &'a [u8], supplied: Option<Versions>) -> Result<Self> {
        let header = Header::read(file)?;
        let [oldest, newest] = header.engines();
        let of_form = |(major, minor)| Versions::of_engine(major, minor);
        let only = of_form(newest).filter(|newest| of_form(oldest) == Some(*newest));
        let stated = header.versions.as_ref().map(|versions| {
            Versions { ue4: versions.ue4_version, ue5: versions.ue5_version }.built_on()
        });
        let known = stated.or(supplied).or(only);
        let versions = known.or(of_form(newest)).unwrap_or_default();
        let at = FileCursor::new(&[], 0);
        versions.known().map_err(|kind| at.error(kind))?;
        let mut context = PropertyContext::new(layout(header.form, versions));
        let flags = header.summary.package_flags;
        context.layout.editor_data = flags & package_flags::FILTER_EDITOR_ONLY == 0;
        context.layout.unversioned_properties = flags & package_flags::UNVERSIONED_PROPERTIES != 0;
        context.layout.custom = match &header.versions {
            Some(versions) => known_custom_versions(&versions.custom_versions),
            None => KnownCustomVersions::latest_of(versions),
        };
        let (names, input, count) = header.names.source();
        context.names = NameTable::of_form(names, input, count);
        Ok(Self {
            file,
            header,
            has_version: known.is_some(),
            context,
            #[cfg(feature = "alloc")]
            offsets: Vec::new(),
        })
    }

    /// Supplies the names of objects of C++ code, and the mappings for properties without tags.
    #[must_use]
    pub fn with_script_names(mut self, names: &'a ScriptNames<'a>) -> Self {
        self.context.mappings = names.mappings();
        self.context.imports = ImportStructs::Zen(self.zen_imports(Some(names)));
        self
    }

    /// Supplies mappings, which state the names and types of properties without tags. These
    /// mappings replace those in the [script names](Self::with_script_names), and must
    /// [extend](Mappings::extended) them.
    #[must_use]
    pub const fn with_mappings(mut self, mappings: &'a Mappings<'a>) -> Self {
        self.context.mappings = Some(mappings);
        self
    }

    /// Supplies the types of the structs in arrays, sets and maps whose tags do not state these
    /// types.
    #[must_use]
    pub fn with_hints(mut self, hints: &'a [StructHint<'a>]) -> Self {
        self.context.hints = hints;
        self
    }

    /// Stores the offset of each name, in four bytes per name, and, below engine 5.3, the offset of
    /// each export, in eight bytes per export. Without this index, finding an export of such an
    /// engine takes time proportional to the number of exports.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn with_index(mut self) -> Self {
        self.context.names.index_all(&self.context.layout);
        if self.header.form < form::ENGINE_5_3 {
            let mut offsets = alloc::vec![u64::MAX; self.exports().len()];
            self.each_serialized(|index, offset| {
                // If several entries read an export, the first one counts.
                if let Some(place @ &mut u64::MAX) = offsets.get_mut(index as usize) {
                    *place = offset;
                }
                true
            });
            self.offsets = offsets;
        }
        self
    }

    /// Selects how the document of the package represents arrays of bytes.
    #[cfg(feature = "serde")]
    #[must_use]
    pub const fn with_bytes(mut self, form: crate::unreal::properties::BytesForm) -> Self {
        self.context.bytes = form;
        self
    }

    /// Returns the summary.
    pub const fn summary(&self) -> &ZenSummary {
        &self.header.summary
    }

    /// Returns the versions that the package states, if any.
    pub const fn versions(&self) -> Option<&ZenVersions<'a>> {
        self.header.versions.as_ref()
    }

    /// Returns the oldest and the newest engine that write this form of the header, as major and
    /// minor versions.
    pub const fn engines(&self) -> [(u16, u16); 2] {
        self.header.engines()
    }

    /// Returns `true` if the version is known: it is stated or supplied, or follows from the form
    /// of the header.
    pub const fn has_version(&self) -> bool {
        self.has_version
    }

    /// Returns `true` if packages of the layout's version have this form of the header.
    pub(super) fn has_fitting_version(&self) -> bool {
        self.header.fits_versions(self.context.layout.versions)
    }

    /// Returns the layout: the versions and flags that decide which bytes values have.
    pub const fn layout(&self) -> &Layout {
        &self.context.layout
    }

    /// Returns the size of the header in bytes.
    pub const fn header_size(&self) -> u64 {
        self.header.size
    }

    #[cfg(any(feature = "serde", feature = "alloc"))]
    pub(crate) const fn context(&self) -> &PropertyContext<'a> {
        &self.context
    }

    /// Returns the size of the file in bytes.
    #[cfg(any(feature = "serde", feature = "alloc"))]
    pub(crate) const fn size(&self) -> u64 {
        self.file.len() as u64
    }

    /// Returns all names.
    pub const fn names(&self) -> HashedNames<'a> {
        self.header.names
    }

    /// Returns the text of a name of the package, or `None` if there is no such name. Reads as many
    /// names as [`Package::name`](crate::unreal::Package::name), and only one after
    /// [`with_index`](Self::with_index).
    pub fn name(&self, name: Name) -> Option<NameText<'a>> {
        self.context.name(name)
    }

    /// Returns the text of a name in the header. Returns `None` for names of the container and
    /// global names.
    pub fn mapped_name(&self, name: MappedName) -> Option<NameText<'a>> {
        match name.kind() {
            MappedName::PACKAGE => self.name(name.name()),
            _ => None,
        }
    }

    /// Returns the name of the package, such as `/Game/Maps/Arena`.
    pub fn long_name(&self) -> Option<NameText<'a>> {
        self.mapped_name(self.header.summary.name)
    }

    /// Returns the table of whole records between two offsets.
    fn table<T: Value<'a>>(&self, start: u64, end: u64) -> Records<'a, T> {
        let layout = self.context.layout;
        let (mut at, size) = (FileCursor::new(self.file, 0), end.saturating_sub(start));
        let window = at.bytes(start).and_then(|_| at.window(size));
        let (Ok(window), size @ 1..) = (window, T::size(&layout).unwrap_or(T::LEAST)) else {
            return Records::none(layout);
        };
        let count = window.remaining().checked_div(size).unwrap_or(0);
        Records::new(window, u32::try_from(count).unwrap_or(u32::MAX), layout)
    }

    /// Returns the objects of other packages and of C++ code to which the package refers.
    pub fn imports(&self) -> Records<'a, ObjectIndex> {
        let ZenSummary { import_offset, export_offset, .. } = self.header.summary;
        self.table(import_offset.into(), export_offset.into())
    }

    /// Returns the hashes of objects of other packages, from engine 5.0 on.
    pub fn imported_hashes(&self) -> Records<'a, ObjectHash> {
        let ZenSummary { imported_hashes_offset, import_offset, .. } = self.header.summary;
        self.table(imported_hashes_offset.unwrap_or(import_offset).into(), import_offset.into())
    }

    /// Returns the names of imported packages. There are none below engine 5.3.
    ///
    /// # Errors
    /// If the table is truncated or invalid.
    pub fn imported_packages(&self) -> Result<ImportedPackages<'a>> {
        let Some(offset) = self.header.summary.imported_names_offset else {
            let none = FileCursor::new(&[], 0);
            return Ok(ImportedPackages { names: HashedNames::NONE, numbers: none });
        };
        let mut from = FileCursor::new(self.file, 0);
        from.bytes(offset.into())?;
        let mut from = from.window(self.header.size.saturating_sub(offset.into()))?;
        let names = HashedNames::batch(&mut from)?;
        let numbers = from.window((names.len() as u64).saturating_mul(4))?;
        Ok(ImportedPackages { names, numbers })
    }

    /// Returns the exports.
    pub fn exports(&self) -> Records<'a, ZenExport> {
        self.table(self.header.summary.export_offset.into(), self.header.exports_end)
    }

    /// Returns the export with this index.
    ///
    /// # Errors
    /// If there is no such export.
    pub fn export(&self, index: u32) -> Result<ZenExport> {
        let found = self.exports().fixed_size_at(index);
        found.ok_or_else(|| Error::new(no_export(index), 0))
    }

    /// Returns the imported Verse cells, from engine 5.6 on.
    pub fn cell_imports(&self) -> Records<'a, ObjectIndex> {
        match &self.header.cells {
            Some(cells) => {
                self.table(cells.cell_import_offset.into(), cells.cell_export_offset.into())
            }
            None => Records::none(self.context.layout),
        }
    }

    /// Returns the exported Verse cells, from engine 5.6 on.
    pub fn cell_exports(&self) -> Records<'a, ZenCellExport> {
        let end = self.header.summary.bundle_entries_offset;
        match &self.header.cells {
            Some(cells) => self.table(cells.cell_export_offset.into(), end.into()),
            None => Records::none(self.context.layout),
        }
    }

    /// Returns the records of bulk data, from engine 5.2 on.
    pub fn bulk_data(&self) -> Records<'a, ZenBulkData> {
        match self.header.bulk {
            Some(table) => {
                self.table(table.offset(), table.offset().saturating_add(table.remaining()))
            }
            None => Records::none(self.context.layout),
        }
    }

    /// Returns the start and the end of the entries of bundles. In engine 4, the bundles are
    /// between these offsets, too.
    fn bundle_range(&self) -> (u64, u64) {
        let ZenSummary { bundle_entries_offset, dependencies_offset, graph_offset, .. } =
            self.header.summary;
        let end = dependencies_offset.or(graph_offset).unwrap_or(bundle_entries_offset);
        (bundle_entries_offset.into(), end.into())
    }

    /// Returns the export bundles. There are none from engine 5.3 on.
    ///
    /// The number of bundles is not stored, so bundles are counted until they have all entries.
    pub fn bundles(&self) -> Records<'a, ExportBundle> {
        let (start, end) = self.bundle_range();
        let (table, mut slots): (Records<'a, ExportBundle>, u64) = match self.header.form {
            form::ENGINE_4_26 => (self.table(start, end), end.saturating_sub(start) >> 3),
            form::ENGINE_5_0 => (self.table(end, self.header.size), end.saturating_sub(start) >> 3),
            _ => return Records::none(self.context.layout),
        };
        let (input, mut count) = (table.clone(), 0u32);
        for bundle in table.flatten() {
            // In engine 4, the bundles are in the same table as the entries, and have the same
            // size.
            let places = u64::from(self.header.form == form::ENGINE_4_26);
            if slots == 0 {
                break;
            }
            count = count.saturating_add(1);
            slots = slots.saturating_sub(places).saturating_sub(bundle.entry_count.into());
        }
        input.first(count)
    }

    /// Returns the steps of loading the package, in order.
    pub fn bundle_entries(&self) -> Records<'a, BundleEntry> {
        let (start, end) = self.bundle_range();
        match self.header.form {
            form::ENGINE_4_26 => {
                let bundles = (self.bundles().len() as u64).saturating_mul(8);
                self.table(start.saturating_add(bundles), end)
            }
            _ => self.table(start, end),
        }
    }

    /// Returns the dependencies of each export, from engine 5.3 on.
    pub fn dependencies(&self) -> Records<'a, ZenDependencies> {
        let ZenSummary { dependencies_offset, dependency_entries_offset, .. } = self.header.summary;
        self.table(
            dependencies_offset.unwrap_or(0).into(),
            dependency_entries_offset.unwrap_or(0).into(),
        )
    }

    /// Returns the objects to which [`dependencies`](Self::dependencies) refer.
    pub fn dependency_entries(&self) -> Records<'a, PackageIndex> {
        let ZenSummary { dependency_entries_offset, imported_names_offset, .. } =
            self.header.summary;
        self.table(
            dependency_entries_offset.unwrap_or(0).into(),
            imported_names_offset.unwrap_or(0).into(),
        )
    }

    /// Returns a cursor over the graph. Must be called only for packages below engine 5.3; newer
    /// ones have no graph.
    fn graph(&self) -> FileCursor<'a> {
        let start = u64::from(self.header.summary.graph_offset.unwrap_or(0));
        let mut at = FileCursor::new(self.file, 0);
        let size = self.header.size.saturating_sub(start);
        let graph = at.bytes(start).and_then(|_| at.window(size));
        graph.unwrap_or_else(|_| FileCursor::new(&[], start))
    }

    /// Returns the other packages that must be loaded first, with the bundles that wait for them.
    /// Only packages of engine 4 have this table.
    ///
    /// # Errors
    /// If the number of packages cannot be read or is too large.
    pub fn package_arcs(&self) -> Result<Records<'a, PackageArcs<'a>>> {
        let layout = self.context.layout;
        if self.header.form != form::ENGINE_4_26 {
            return Ok(Records::none(layout));
        }
        let mut graph = self.graph();
        let count = graph.count(12, &layout)?;
        Ok(Records::new(graph, count, layout))
    }

    /// Returns the order of the bundles of engines 5.0 to 5.2: pairs of a bundle and another one
    /// that waits for it. Also returns, for each imported package, the imports that must be loaded
    /// before a bundle.
    ///
    /// # Errors
    /// If a list is truncated.
    pub fn arcs(&self) -> Result<(List<'a, BundleArc>, Records<'a, List<'a, ImportArc>>)> {
        let layout = self.context.layout;
        if self.header.form != form::ENGINE_5_0 {
            return Ok((List::default(), Records::none(layout)));
        }
        let mut graph = self.graph();
        graph.bytes((self.bundles().len() as u64).saturating_mul(16))?;
        let between = graph.read(&layout)?;
        let (start, mut count) = (graph, 0u32);
        while !graph.is_empty() {
            graph.read::<List<'_, ImportArc>>(&layout)?;
            count = count.saturating_add(1);
        }
        Ok((between, Records::new(start, count, layout)))
    }

    /// Returns the tables of imports.
    fn zen_imports(&self, script: Option<&'a ScriptNames<'a>>) -> ZenImports<'a> {
        let none = ImportedPackages { names: HashedNames::NONE, numbers: FileCursor::new(&[], 0) };
        let ImportedPackages { names, numbers } = self.imported_packages().unwrap_or(none);
        ZenImports {
            imports: self.imports().input(),
            hashes: self.imported_hashes().input(),
            packages: names,
            numbers,
            script,
        }
    }

    pub(super) fn known_imports(&self) -> ZenImports<'a> {
        match &self.context.imports {
            ImportStructs::Zen(imports) => *imports,
            _ => self.zen_imports(None),
        }
    }

    /// Calls `each` with the index and offset of each export, in the order of their bytes, until
    /// `each` returns `false`. Works only below engine 5.3, where exports are in the order of the
    /// entries of bundles.
    fn each_serialized(&self, mut each: impl FnMut(u32, u64) -> bool) {
        let (exports, mut at) = (self.exports(), self.header.size);
        for entry in self.bundle_entries().flatten().filter(|entry| entry.command == 1) {
            let Some(export) = exports.fixed_size_at(entry.export) else { continue };
            if !each(entry.export, at) {
                return;
            }
            // No file is so large that an offset reaches `u64::MAX`, which stands for no offset.
            let end = at.checked_add(export.serial_size).filter(|end| *end < u64::MAX);
            let Some(end) = end else { return };
            at = end;
        }
    }

    /// Returns the offset of the bytes of an export in the file. Below engine 5.3, takes time
    /// proportional to the number of exports, unless there is an [index](Self::with_index).
    ///
    /// # Errors
    /// If there is no such export, or no step of loading reads it.
    pub fn export_offset(&self, index: u32) -> Result<u64> {
        let export = self.export(index)?;
        if self.header.form >= form::ENGINE_5_3 {
            return Ok(self.header.size.saturating_add(export.serial_offset));
        }
        let mut found = None;
        #[cfg(feature = "alloc")]
        let indexed = self.offsets.get(index as usize).copied();
        #[cfg(not(feature = "alloc"))]
        let indexed: Option<u64> = None;
        match indexed {
            Some(offset) => found = Some(offset).filter(|offset| *offset != u64::MAX),
            None => self.each_serialized(|other, offset| {
                found = (other == index).then_some(offset);
                found.is_none()
            }),
        }
        found.ok_or_else(|| Error::new(no_export(index), 0))
    }

    fn export_input(&self, index: u32) -> Result<FileCursor<'a>> {
        let (export, offset) = (self.export(index)?, self.export_offset(index)?);
        let mut at = FileCursor::new(self.file, 0);
        let bad = || ErrorKind::BadOffset(i64::try_from(offset).unwrap_or(i64::MAX));
        at.bytes(offset).map_err(|_| Error::new(bad(), 0))?;
        at.window(export.serial_size)
    }

    /// Returns the bytes of an export.
    ///
    /// # Errors
    /// If there is no such export, or its bytes are not in the file.
    pub fn export_bytes(&self, index: u32) -> Result<&'a [u8]> {
        Ok(self.export_input(index)?.rest())
    }

    /// Returns the name of an object without its outers, if the name is known.
    pub fn object_name(&self, index: ObjectIndex) -> Option<ObjectName<'a>> {
        match index.object() {
            ZenObject::Export(export) => {
                let export = self.export(export).ok()?;
                self.mapped_name(export.object_name).map(ObjectName::from)
            }
            _ => self.known_imports().name(index),
        }
    }

    /// Returns the name of the class of an export, if the name is known.
    pub fn class_name(&self, export: &ZenExport) -> Option<ObjectName<'a>> {
        match export.class.is_null() {
            true => Some(NameText::new(StrRef::latin1(b"Class"), 0).into()),
            false => self.object_name(export.class),
        }
    }

    /// Returns the import or export to which a property refers.
    pub fn object_at(&self, index: PackageIndex) -> Option<ObjectIndex> {
        match index.object() {
            Object::Null => Some(ObjectIndex::NULL),
            Object::Import(index) => self.imports().fixed_size_at(index),
            Object::Export(index) => {
                ((index as usize) < self.exports().len()).then_some(ObjectIndex(index.into()))
            }
        }
    }
}

/// Returns the error for an index that no export of a package has.
pub(super) fn no_export(index: u32) -> ErrorKind {
    ErrorKind::NoSuchObject(i32::try_from(index).map_or(i32::MAX, |index| index.saturating_add(1)))
}

/// An iterator over the names of imported packages. A name that cannot be read is an error, which
/// ends the iterator.
#[derive(Clone, Copy, Debug)]
pub struct ImportedPackages<'a> {
    pub(super) names: HashedNames<'a>,
    numbers: FileCursor<'a>,
}

impl<'a> Iterator for ImportedPackages<'a> {
    type Item = Result<NameText<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let name = self.names.next()?;
        let number = self.numbers.read(&Layout::default());
        Some(name.and_then(|name| Ok(NameText::new(name.text, number?))))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.names.size_hint()
    }
}

impl ExactSizeIterator for ImportedPackages<'_> {}
