//! Writes a changed package: a first pass determines the offsets, and a second pass writes the
//! bytes.

use super::offset_field::OffsetField;
use super::regions::{Region, RegionKind, Regions, TableId};
use crate::buffer::{Count, Full, Sink, sort_unstable_by};
use crate::unreal::edit::{ExportData, PackageEditor, ThumbnailData, each_table};
use crate::unreal::format::ue4;
use crate::unreal::format::{ByteOrder, Error, ErrorKind, Layout, ListBuf, Result, Value, put};
use crate::unreal::package::Package;
use crate::unreal::tables::{
    AssetRegistry, Bits, DataResource, DataResources, Export, Generation, PACKAGE_TAG, Serial,
    Summary, Thumbnail, ThumbnailHead,
};
use alloc::vec;
use alloc::vec::Vec;

/// The bytes of a written package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenPackage {
    /// Contents of the `.uasset` or `.umap`.
    pub header: Vec<u8>,
    /// Contents of the `.uexp`, if the package has two files.
    pub exports: Option<Vec<u8>>,
}

impl PackageEditor<'_> {
    /// Writes the package with all changes.
    ///
    /// # Errors
    /// If the package became too large for its version, or has a table or a value that the version
    /// does not support. The output is read back to check this.
    pub fn write(&self) -> Result<WrittenPackage> {
        self.write_tables_in(self.layout().order)
    }

    /// Writes the package with its summary and tables in the given byte order. Exports, bulk data
    /// and other bytes are copied, so their byte order does not change.
    ///
    /// To convert a whole package, first write it with this method in the new order. Then open the
    /// result, and replace the bytes of each export ([`ExportData::bytes`]). A [`PropertyWriter`]
    /// for the result and
    /// [`ArchiveWriter::with_order`](crate::unreal::archive::ArchiveWriter::with_order) write the
    /// properties and the native data of an export in the new order. This method cannot convert
    /// exports, because it does not know the formats of their native data.
    ///
    /// # Errors
    /// See [`write`](Self::write).
    ///
    /// [`PropertyWriter`]: crate::unreal::PropertyWriter
    #[allow(clippy::disallowed_methods, reason = "at most the length")]
    pub fn write_tables_in(&self, order: ByteOrder) -> Result<WrittenPackage> {
        let mut writing = PackageWriter::new(self, order);
        writing.known = writing.lay_out(&mut Count(0))?;
        let mut header = Vec::new();
        let done = writing.lay_out(&mut header)?;
        debug_assert_eq!(writing.known, done, "sizes do not depend on places");
        let split = self.regions.all.iter().position(|region| region.kind == RegionKind::Split);
        let split = split.and_then(|split| done.starts.get(split));
        let exports = split.map(|at| {
            header.split_off(usize::try_from(*at).unwrap_or(usize::MAX).min(header.len()))
        });
        writing.check_read_back(&header, exports.as_deref())?;
        Ok(WrittenPackage { header, exports })
    }
}

/// The offsets of the parts of the written package.
#[derive(Debug, Default, PartialEq)]
struct Plan {
    /// Start of each region.
    starts: Vec<u64>,
    /// Start of each export. `None` for an export that has neither bytes nor a region of the
    /// original package.
    exports: Vec<Option<u64>>,
    pictures: Vec<u64>,
    total: u64,
}

/// The original and the current index of each item, sorted by the original index. New items have no
/// original index and come first.
struct Origins(Vec<(Option<u32>, usize)>);

impl Origins {
    fn new(was: impl Iterator<Item = Option<u32>>) -> Self {
        let mut origins: Vec<_> = was.zip(0..).collect();
        sort_unstable_by(&mut origins, Ord::cmp);
        Self(origins)
    }

    fn of(&self, was: Option<u32>) -> impl Iterator<Item = usize> {
        let start = self.0.partition_point(|(other, _)| *other < was);
        let here = self.0.get(start..).unwrap_or_default().iter();
        here.take_while(move |(other, _)| *other == was).map(|(_, index)| *index)
    }
}

struct PackageWriter<'e, 'a> {
    editor: &'e PackageEditor<'a>,
    layout: Layout,
    exports: Origins,
    pictures: Origins,
    /// The offsets that the first pass determined; empty during that pass.
    known: Plan,
}

impl<'e, 'a> PackageWriter<'e, 'a> {
    fn new(editor: &'e PackageEditor<'a>, order: ByteOrder) -> Self {
        Self {
            editor,
            layout: Layout { order, ..*editor.layout() },
            exports: Origins::new(editor.exports.iter().map(|data| data.was)),
            pictures: Origins::new(editor.thumbnails.iter().map(|data| data.was)),
            known: Plan::default(),
        }
    }

    /// Writes all regions in order, and returns their offsets.
    fn lay_out<S: Sink>(&self, to: &mut S) -> Result<Plan> {
        let mut plan = Plan::default();
        plan.exports.resize(self.editor.exports.len(), None);
        plan.pictures.resize(self.editor.thumbnails.len(), 0);
        for region in &self.editor.regions.all {
            plan.starts.push(to.position() as u64);
            self.region(region, &mut plan, to)?;
        }
        plan.total = to.position() as u64;
        Ok(plan)
    }

    fn region<S: Sink>(&self, region: &Region, plan: &mut Plan, to: &mut S) -> Result<()> {
        let Regions { trailer, .. } = &self.editor.regions;
        match region.kind {
            RegionKind::Summary => return self.summary(to),
            RegionKind::Table(id) if self.is_written(id, region) => return self.table(id, to),
            RegionKind::Table(_) | RegionKind::HeaderEnd | RegionKind::Split => Ok(()),
            RegionKind::Picture(was) => return self.pictures(Some(was), plan, to),
            RegionKind::NewPictures => return self.pictures(None, plan, to),
            RegionKind::Export(was) => self.exports(Some(was), plan, to),
            RegionKind::NewExports => self.exports(None, plan, to),
            RegionKind::Trailer => {
                trailer.map_or(Ok(()), |(trailer, _)| trailer.write(to, &self.layout))
            }
            RegionKind::TrailerFooter => match trailer {
                Some((_, Some(footer))) => footer.write(to, &self.layout),
                _ => Ok(()),
            },
            RegionKind::Tag => PACKAGE_TAG.write(to, &self.layout),
            RegionKind::Gap => {
                let mut from = self.editor.package.at(signed(region.start))?;
                put(to, from.bytes(region.len)?)
            }
        }
        .map_err(sink_full)
    }

    fn exports<S: Sink>(&self, was: Option<u32>, plan: &mut Plan, to: &mut S) -> Result<(), Full> {
        for index in self.exports.of(was) {
            let data = self.editor.exports.get(index);
            let bytes = data.map(|data| &*data.bytes).unwrap_or_default();
            // Only an export with bytes or an original region gets a new offset.
            if let Some(place) = plan.exports.get_mut(index)
                && (was.is_some() || !bytes.is_empty())
            {
                *place = Some(to.position() as u64);
            }
            put(to, bytes)?;
        }
        Ok(())
    }

    fn pictures<S: Sink>(&self, was: Option<u32>, plan: &mut Plan, to: &mut S) -> Result<()> {
        for index in self.pictures.of(was) {
            if let Some(place) = plan.pictures.get_mut(index) {
                *place = to.position() as u64;
            }
            let Some(ThumbnailData { head, picture, .. }) = self.editor.thumbnails.get(index)
            else {
                continue;
            };
            let head = ThumbnailHead { size: narrow(picture.len() as u64)?, ..*head };
            head.write(to, &self.layout).map_err(sink_full)?;
            put(to, picture).map_err(sink_full)?;
        }
        Ok(())
    }

    /// Returns `true` if the table has contents.
    fn has(&self, id: TableId) -> bool {
        let editor = self.editor;
        macro_rules! tables {
            (
                counted { $($Id:ident: $table:ident, $offset:ident, $count:ident;)* }
                single { $($Single:ident: $value:ident, $place:ident;)* }
            ) => {
                match id {
                    $( TableId::$Id => !editor.$table.is_empty(), )*
                    $( TableId::$Single => editor.$value.is_some(), )*
                    TableId::Names => editor.names.len() > 0,
                    TableId::Exports => !editor.exports.is_empty(),
                    // Without exports, the offset of the table may be after the end of the file.
                    TableId::Depends => match editor.package.summary().depends_offset {
                        1.. => !editor.exports.is_empty(),
                        _ => editor.exports.iter().any(|data| !data.depends.is_empty()),
                    },
                    TableId::Thumbnails => !editor.thumbnails.is_empty(),
                    TableId::AssetRegistry => editor.asset_registry.is_some(),
                    TableId::RegistryDependencies => {
                        editor.asset_registry.is_some() && editor.registry_dependencies.is_some()
                    }
                    TableId::DataResources => editor.data_resources.is_some(),
                }
            };
        }
        each_table!(tables)
    }

    /// Returns `true` if the table is written. A table that is a single value can be removed. Other
    /// tables can only become empty.
    fn is_written(&self, id: TableId, region: &Region) -> bool {
        let is_single = matches!(
            id,
            TableId::Metadata
                | TableId::SearchableNames
                | TableId::AssetRegistry
                | TableId::RegistryDependencies
                | TableId::WorldTileInfo
                | TableId::DataResources
        );
        self.has(id) || !region.absent && !is_single
    }

    fn table<S: Sink>(&self, id: TableId, to: &mut S) -> Result<()> {
        let (editor, layout) = (self.editor, &self.layout);
        macro_rules! tables {
            (
                counted { $($Id:ident: $table:ident, $offset:ident, $count:ident;)* }
                single { $($Single:ident: $value:ident, $place:ident;)* }
            ) => {
                match id {
                    $( TableId::$Id => editor.$table.write(to, layout), )*
                    $( TableId::$Single => single(editor.$value, to, layout), )*
                    TableId::Names => editor.names.iter().try_for_each(|name| name.write(to, layout)),
                    TableId::Exports => return self.export_records(to),
                    TableId::Depends => {
                        editor.exports.iter().try_for_each(|data| data.depends.write(to, layout))
                    }
                    TableId::Thumbnails => return self.thumbnails(to),
                    TableId::AssetRegistry => single(self.asset_registry()?, to, layout),
                    TableId::RegistryDependencies => return self.registry_dependencies(to),
                    TableId::DataResources => return self.data_resources(to),
                }
            };
        }
        each_table!(tables).map_err(sink_full)
    }

    fn export_records<S: Sink>(&self, to: &mut S) -> Result<()> {
        for (index, ExportData { export, bytes, .. }) in self.editor.exports.iter().enumerate() {
            let place = self.known.exports.get(index).copied().flatten();
            let offset = place.map_or_else(|| self.moved(export.serial.offset), signed);
            let size = signed(bytes.len() as u64);
            if !self.layout.has_ue4(ue4::EXPORTMAP_SERIALSIZES_64BIT) {
                narrow(size.unsigned_abs())?;
                i32::try_from(offset).map_err(|_| too_large(offset))?;
            }
            let export = Export { serial: Serial { size, offset }, ..*export };
            export.write(to, &self.layout).map_err(sink_full)?;
        }
        Ok(())
    }

    fn thumbnails<S: Sink>(&self, to: &mut S) -> Result<()> {
        let count = narrow(self.editor.thumbnails.len() as u64)?;
        count.write(to, &self.layout).map_err(sink_full)?;
        for (index, data) in self.editor.thumbnails.iter().enumerate() {
            let place = self.known.pictures.get(index).copied().unwrap_or_default();
            let entry = Thumbnail { offset: narrow(place)?, ..data.entry };
            entry.write(to, &self.layout).map_err(sink_full)?;
        }
        Ok(())
    }

    fn asset_registry(&self) -> Result<Option<AssetRegistry<'a>>> {
        let Some(registry) = self.editor.asset_registry else { return Ok(None) };
        let tells =
            self.layout.has_ue4(ue4::ASSETREGISTRY_DEPENDENCYFLAGS) && self.layout.editor_data;
        if !tells && self.has(TableId::RegistryDependencies) {
            return Err(error(ErrorKind::NoSuchTable("registry_dependencies")));
        }
        let place = registry.dependency_data_offset.get();
        let dependency_data_offset = Some(self.offset(TableId::RegistryDependencies, place));
        Ok(Some(AssetRegistry { dependency_data_offset, ..registry }))
    }

    fn registry_dependencies<S: Sink>(&self, to: &mut S) -> Result<()> {
        let editor = self.editor;
        let Some(mut dependencies) = editor.registry_dependencies else { return Ok(()) };
        let imports = &dependencies.imports_used_in_game;
        let (was, now) = (editor.package.imports().len(), editor.imports.len());
        let imports = self.more_bits(imports, was, now)?;
        if let Some((words, len)) = &imports {
            dependencies.imports_used_in_game = bits(words, *len)?;
        }
        let packages = &dependencies.soft_packages_used_in_game;
        let was = editor.package.soft_package_references().len();
        let packages = self.more_bits(packages, was, editor.soft_package_references.len())?;
        if let Some((words, len)) = &packages {
            dependencies.soft_packages_used_in_game = bits(words, *len)?;
        }
        dependencies.write(to, &self.layout).map_err(sink_full)
    }

    /// Resizes a bit array from `was` to `now` bits, and sets the new bits. Returns `None` if the
    /// array does not need to change or does not have `was` bits.
    fn more_bits(&self, bits: &Bits<'_>, was: usize, now: usize) -> Result<Option<(ListBuf, u32)>> {
        if bits.len() == now || bits.len() != was {
            return Ok(None);
        }
        let len = narrow(now as u64)?.unsigned_abs();
        let mut words = vec![0u32; len.div_ceil(32) as usize];
        let bits = bits.iter().chain(core::iter::repeat(true));
        for (index, bool_value) in (0..len).zip(bits) {
            let word = words.get_mut(index.wrapping_shr(5) as usize);
            if let Some(word) = word.filter(|_| bool_value) {
                *word |= 1u32.wrapping_shl(index & 31);
            }
        }
        Ok(Some((ListBuf::new(words, &self.layout)?, len)))
    }

    /// Writes the table of bulk data. The offsets of data in the package itself move with the
    /// region that contains the data.
    fn data_resources<S: Sink>(&self, to: &mut S) -> Result<()> {
        let Some(DataResources { version, entries }) = self.editor.data_resources else {
            return Ok(());
        };
        let entries = entries.iter().flatten().map(|entry| {
            let start = self.editor.package.resource_start(entry.legacy_flags);
            let serial_offset = match start.and_then(|start| self.place_in(start, &entry)) {
                Some((start, place)) => self.moved(place).saturating_sub(self.moved(start)),
                None => entry.serial_offset,
            };
            DataResource { serial_offset, ..entry }
        });
        let entries = ListBuf::new(entries, &self.layout.with_table(version))?;
        let resources = DataResources { version, entries: entries.list()? };
        resources.write(to, &self.layout).map_err(sink_full)
    }

    /// Returns `start`, and the position of the data in the original package. Returns `None` if the
    /// position is outside of the package.
    fn place_in(&self, start: i64, entry: &DataResource) -> Option<(i64, i64)> {
        let place = entry.serial_offset.checked_add(start)?;
        let end = signed(self.editor.regions.total);
        (entry.serial_offset >= 0 && place <= end).then_some((start, place))
    }

    fn summary<S: Sink>(&self, to: &mut S) -> Result<()> {
        let mut summary = self.editor.summary;
        self.update_offsets(&mut summary).map_err(error)?;
        let generations = self.generations(&summary)?;
        if let Some(generations) = &generations {
            summary.generations = generations.list()?;
        }
        PACKAGE_TAG.write(to, &self.layout).map_err(sink_full)?;
        self.editor.package.versions().write(to, &self.layout).map_err(sink_full)?;
        summary.write(to, &self.layout).map_err(sink_full)
    }

    /// Updates all offsets and counts in the summary.
    fn update_offsets(&self, summary: &mut Summary<'_>) -> Result<(), ErrorKind> {
        let editor = self.editor;
        let end = self.start(RegionKind::HeaderEnd);
        summary.early_header_size.iter_mut().try_for_each(|size| size.set(end, ""))?;
        summary.late_header_size.iter_mut().try_for_each(|size| size.set(end, ""))?;
        macro_rules! tables {
            (
                counted { $($Id:ident: $table:ident, $offset:ident, $count:ident;)* }
                single { $($Single:ident: $value:ident, $place:ident;)* }
            ) => {
                $( self.table_place(TableId::$Id, stringify!($table), &mut summary.$offset)?; )*
                $(
                    let (was, now) = (editor.package.$table().len(), editor.$table.len());
                    count(was, now, stringify!($table), &mut summary.$count)?;
                )*
                $( self.table_place(TableId::$Single, stringify!($value), &mut summary.$place)?; )*
            };
        }
        each_table!(tables);
        self.table_place(TableId::Names, "names", &mut summary.name_offset)?;
        let (was, now) = (editor.package.names().len(), editor.names.len());
        count(was, now, "names", &mut summary.name_count)?;
        self.table_place(TableId::Exports, "exports", &mut summary.export_offset)?;
        let (was, now) = (editor.package.exports().len(), editor.exports.len());
        count(was, now, "exports", &mut summary.export_count)?;
        self.table_place(TableId::Depends, "depends", &mut summary.depends_offset)?;
        self.table_place(TableId::Thumbnails, "thumbnails", &mut summary.thumbnail_table_offset)?;
        let registry = &mut summary.asset_registry_data_offset;
        self.table_place(TableId::AssetRegistry, "asset_registry", registry)?;
        self.table_place(
            TableId::DataResources,
            "data_resources",
            &mut summary.data_resource_offset,
        )?;
        self.place("cell_exports", &mut summary.cell_export_offset)?;
        self.place("cell_imports", &mut summary.cell_import_offset)?;
        self.place("bulk_data", &mut summary.bulk_data_start_offset)?;
        self.place("trailer", &mut summary.payload_toc_offset)?;
        if let Some(used) = &mut summary.names_referenced_from_export_data_count
            && !editor.names.added.is_empty()
        {
            *used = summary.name_count;
        }
        Ok(())
    }

    fn table_place<P: OffsetField>(
        &self,
        id: TableId,
        name: &'static str,
        place: &mut P,
    ) -> Result<(), ErrorKind> {
        place.set(self.offset(id, place.get()), name)
    }

    fn place<P: OffsetField>(&self, name: &'static str, place: &mut P) -> Result<(), ErrorKind> {
        place.set(self.moved(place.get()), name)
    }

    /// Returns the generations with new counts in the last one. Returns `None` if the last
    /// generation does not describe the original package, or if the counts have not changed. An
    /// empty table can have a negative count, which is kept while the table stays empty.
    fn generations(&self, now: &Summary<'_>) -> Result<Option<ListBuf>> {
        let of = |summary: &Summary<'_>| Generation {
            export_count: summary.export_count,
            name_count: summary.name_count,
        };
        let (was, now) = (of(self.editor.package.summary()), of(now));
        let mut all: Vec<_> = self.editor.summary.generations.iter().flatten().collect();
        match all.last_mut() {
            Some(last) if *last == was && was != now => *last = now,
            _ => return Ok(None),
        }
        ListBuf::new(all, &self.layout).map(Some)
    }

    /// Returns the new offset of a table that was at `old`, or 0 if the table was removed.
    fn offset(&self, id: TableId, old: i64) -> i64 {
        let kind = RegionKind::Table(id);
        match self.editor.regions.all.iter().find(|region| region.kind == kind) {
            Some(region) if self.is_written(id, region) => self.start(kind),
            Some(region) if region.absent => self.moved(old),
            _ => 0,
        }
    }

    /// Returns the start of a region.
    fn start(&self, kind: RegionKind) -> i64 {
        let index = self.editor.regions.all.iter().position(|region| region.kind == kind);
        let start = index.and_then(|index| self.known.starts.get(index));
        signed(start.copied().unwrap_or_default())
    }

    fn moved(&self, old: i64) -> i64 {
        self.editor.regions.moved(old, &self.known.starts, self.known.total)
    }

    /// Reads the written package, and checks that each table that is not empty begins and ends
    /// where it was written.
    fn check_read_back(&self, header: &[u8], exports: Option<&[u8]>) -> Result<()> {
        let package = Package::open_as(header, exports, Some(self.layout.versions))?;
        let read = PackageEditor::new(&package)?.regions.all;
        let ends = self.known.starts.iter().skip(1).chain([&self.known.total]);
        let written = self.editor.regions.all.iter().zip(self.known.starts.iter().zip(ends));
        for (region, (start, end)) in written {
            let same = |read: &Region| {
                read.kind == region.kind && read.start == *start && read.end() == *end
            };
            if matches!(region.kind, RegionKind::Table(_)) && start < end && !read.iter().any(same)
            {
                return Err(Error::new(ErrorKind::NotReadBack, *start));
            }
        }
        Ok(())
    }
}

fn single<'a, T: Value<'a>, S: Sink>(
    value: Option<T>,
    to: &mut S,
    layout: &Layout,
) -> Result<(), Full> {
    value.map_or(Ok(()), |value| value.write(to, layout))
}

/// Updates a count if it has changed. An unchanged count is kept, since an empty table can have the
/// count 0 or a negative count.
fn count<P: OffsetField>(
    was: usize,
    now: usize,
    name: &'static str,
    place: &mut P,
) -> Result<(), ErrorKind> {
    match now == was {
        true => Ok(()),
        false => place.set(signed(now as u64), name),
    }
}

fn bits<'l>(words: &'l ListBuf, len: u32) -> Result<Bits<'l>> {
    Bits::new(words.list()?, len).ok_or_else(|| too_large(len.into()))
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn narrow(number: u64) -> Result<i32> {
    i32::try_from(number).map_err(|_| too_large(signed(number)))
}

fn error(kind: ErrorKind) -> Error {
    Error::new(kind, 0)
}

fn too_large(number: i64) -> Error {
    error(ErrorKind::FieldTooSmall(number))
}

/// Converts the error of a full sink. This error does not occur, since a `Vec` is never full.
fn sink_full(full: Full) -> Error {
    too_large(full.missing.into())
}
