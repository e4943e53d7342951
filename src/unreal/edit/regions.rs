//! Divides a package into regions (tables, exports, thumbnails, gaps), so that an edit can move
//! them and compute the new position of every offset.

use crate::buffer::sort_unstable_by;
use crate::unreal::edit::{ExportData, ThumbnailData, each_table};
use crate::unreal::format::{Error, ErrorKind, Layout, Result, Value, encoded_size};
use crate::unreal::package::Package;
use crate::unreal::tables::{AssetRegistry, PACKAGE_TAG, ThumbnailHead, Trailer, TrailerFooter};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The contents of a region. If several regions begin at the same offset, at most one of them has
/// bytes. The empty regions precede that one, in the order of these variants. This order decides
/// where added bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RegionKind {
    /// The summary, with the tag and the versions before it.
    Summary,
    /// The picture of the thumbnail that has this index in the original package.
    Picture(u32),
    /// Insertion point for the pictures of new thumbnails.
    NewPictures,
    Table(TableId),
    /// End of the tables.
    HeaderEnd,
    /// Start of the second file.
    Split,
    /// The bytes of the export that has this index in the original package.
    Export(u32),
    /// Insertion point for the bytes of new exports.
    NewExports,
    Trailer,
    TrailerFooter,
    /// The tag of a package, at the end of the package or before the trailer.
    Tag,
    /// Bytes with unknown contents.
    Gap,
}

/// A table. The variants have the order in which engines write the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TableId {
    Names,
    SoftObjectPaths,
    GatherableText,
    Metadata,
    Imports,
    Exports,
    Depends,
    SoftPackageReferences,
    SearchableNames,
    Thumbnails,
    ImportTypeHierarchies,
    AssetRegistry,
    RegistryDependencies,
    WorldTileInfo,
    PreloadDependencies,
    DataResources,
}

/// A region and its location.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    pub kind: RegionKind,
    pub start: u64,
    pub len: u64,
    /// `true` for a table that the package does not have. The region is then empty, at the offset
    /// where the table would be added.
    pub absent: bool,
}

impl Region {
    pub const fn end(&self) -> u64 {
        self.start.saturating_add(self.len)
    }

    /// Returns the order of two regions. If it is the same, they are equal or overlap.
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |region: &Self| (region.start, region.len > 0, region.kind, region.absent);
        key(self).cmp(&key(other))
    }
}

/// The regions of a package. They cover all bytes and do not overlap.
#[derive(Clone, Debug)]
pub(crate) struct Regions<'a> {
    pub all: Vec<Region>,
    pub trailer: Option<(Trailer<'a>, Option<TrailerFooter>)>,
    /// Total size in bytes of the one or two files.
    pub total: u64,
}

impl<'a> Regions<'a> {
    /// Finds the regions of a package. An export without bytes can have any offset. If this offset
    /// is invalid or inside another region, the `was` field of the export is set to `None`.
    pub fn new(
        package: &Package<'a>,
        exports: &mut [ExportData<'a>],
        thumbnails: &[ThumbnailData<'a>],
    ) -> Result<Self> {
        let mut finder = RegionFinder::new(package)?;
        finder.tables(package)?;
        finder.thumbnails(thumbnails);
        finder.exports(exports);
        let trailer = finder.trailer(package);
        finder.settle(exports)?;
        let (total, regions) = (finder.total, finder.without_gaps(package)?);
        Ok(Self { all: regions, trailer, total })
    }

    /// Returns the new position of an item that was at the offset `old`, or `old` if this offset is
    /// not positive or is after the end of the package. `starts` are the new starts of the regions,
    /// and `total` is the new end of the last region.
    pub fn moved(&self, old: i64, starts: &[u64], total: u64) -> i64 {
        let at = match u64::try_from(old) {
            Ok(at) if at > 0 && at <= self.total => at,
            _ => return old,
        };
        let index = self.all.partition_point(|region| region.end() <= at);
        let new = match (self.all.get(index), starts.get(index)) {
            (Some(region), Some(start)) => start.saturating_add(at.saturating_sub(region.start)),
            _ => total,
        };
        i64::try_from(new).unwrap_or(i64::MAX)
    }
}

/// Returns the exports of a package with their bytes and dependencies.
pub(crate) fn exports<'a>(package: &Package<'a>) -> Result<Vec<ExportData<'a>>> {
    let mut found = Vec::new();
    let mut depends = package.depends();
    for (was, export) in (0..).zip(package.exports()) {
        let export = export?;
        let bytes = match export.serial.size {
            0 => &[][..],
            _ => package.export_bytes(&export)?,
        };
        let depends = depends.next().transpose()?.unwrap_or_default();
        found.push(ExportData { export, depends, bytes: Cow::Borrowed(bytes), was: Some(was) });
    }
    Ok(found)
}

/// Returns the thumbnails of a package with their pictures.
pub(crate) fn thumbnails<'a>(package: &Package<'a>) -> Result<Vec<ThumbnailData<'a>>> {
    let mut found = Vec::new();
    for (was, entry) in (0..).zip(package.thumbnails()?.unwrap_or_default()) {
        let entry = entry?;
        let (head, picture) = package.thumbnail(&entry)?;
        let picture = Cow::Borrowed(picture);
        found.push(ThumbnailData { entry, head, picture, was: Some(was) });
    }
    Ok(found)
}

/// A collector of the regions of a package.
struct RegionFinder {
    all: Vec<Region>,
    header_end: u64,
    total: u64,
    layout: Layout,
}

impl RegionFinder {
    fn new(package: &Package<'_>) -> Result<Self> {
        let summary = package.summary();
        let (header, exports) = package.sizes();
        let end = summary.header_size();
        let header_end = u64::try_from(end).ok().filter(|end| *end <= header);
        let header_end =
            header_end.ok_or_else(|| Error::new(ErrorKind::BadOffset(end.into()), 0))?;
        let total = header.saturating_add(exports.unwrap_or(0));
        let mut finder = Self { all: Vec::new(), header_end, total, layout: *package.layout() };
        finder.add(RegionKind::Summary, 0, package.summary_end());
        finder.add(RegionKind::HeaderEnd, header_end, 0);
        if exports.is_some() {
            finder.add(RegionKind::Split, header, 0);
        }
        Ok(finder)
    }

    fn add(&mut self, kind: RegionKind, start: u64, len: u64) {
        self.all.push(Region { kind, start, len, absent: false });
    }

    /// Adds a table that begins at `offset`. `end` computes the end of the table from its start. If
    /// the offset is invalid, adds the table as absent.
    fn table(&mut self, id: TableId, offset: impl Into<i64>, end: impl FnOnce(u64) -> u64) {
        let kind = RegionKind::Table(id);
        match u64::try_from(offset.into()) {
            Ok(start) if start > 0 && start <= self.total => {
                self.add(kind, start, end(start).saturating_sub(start));
            }
            _ => self.all.push(Region { kind, start: self.header_end, len: 0, absent: true }),
        }
    }

    /// Adds a table with `count` records. A count without an offset is an error.
    fn counted(&mut self, id: TableId, offset: i64, count: i64, end: u64) -> Result<()> {
        if count > 0 && offset <= 0 {
            return Err(Error::new(ErrorKind::BadOffset(offset), 0));
        }
        self.table(id, offset, |_| end);
        Ok(())
    }

    /// Adds a table that is a single value.
    fn single<'a, T: Value<'a>>(&mut self, id: TableId, offset: impl Into<i64>, value: Option<T>) {
        let layout = self.layout;
        let end = |start: u64| {
            value.map_or(0, |value| start.saturating_add(encoded_size(&value, &layout)))
        };
        self.table(id, offset, end);
    }

    fn tables(&mut self, package: &Package<'_>) -> Result<()> {
        let summary = package.summary();
        macro_rules! tables {
            (
                counted { $($Id:ident: $table:ident, $offset:ident, $count:ident;)* }
                single { $($Single:ident: $value:ident, $place:ident;)* }
            ) => {
                $(
                    let end = package.$table().end()?.offset();
                    self.counted(TableId::$Id, get(summary.$offset), get(summary.$count), end)?;
                )*
                $( self.single(TableId::$Single, get(summary.$place), package.$value()?); )*
            };
        }
        each_table!(tables);
        let end = package.names().end()?.offset();
        let (offset, count) = (summary.name_offset, summary.name_count);
        self.counted(TableId::Names, offset.into(), count.into(), end)?;
        let end = package.exports().end()?.offset();
        let (offset, count) = (summary.export_offset, summary.export_count);
        self.counted(TableId::Exports, offset.into(), count.into(), end)?;
        let end = package.depends().end()?.offset();
        self.table(TableId::Depends, summary.depends_offset, |_| end);
        let registry = package.asset_registry()?;
        self.single(TableId::AssetRegistry, summary.asset_registry_data_offset, registry);
        let place = registry
            .and_then(|AssetRegistry { dependency_data_offset, .. }| dependency_data_offset);
        let dependencies = package.registry_dependencies()?;
        self.single(TableId::RegistryDependencies, place.unwrap_or(0), dependencies);
        let resources = package.data_resources()?;
        self.single(TableId::DataResources, get(summary.data_resource_offset), resources);
        let table = package.thumbnails()?;
        self.single(TableId::Thumbnails, summary.thumbnail_table_offset, table);
        Ok(())
    }

    /// Adds the pictures of thumbnails. Also adds the insertion point for new pictures; it precedes
    /// the table of thumbnails, where engines write pictures.
    fn thumbnails(&mut self, thumbnails: &[ThumbnailData<'_>]) {
        for thumbnail in thumbnails {
            let start = u64::try_from(thumbnail.entry.offset).unwrap_or(0);
            let len = (thumbnail.picture.len() as u64).saturating_add(ThumbnailHead::LEAST);
            self.all.extend(thumbnail.was.map(|was| Region {
                kind: RegionKind::Picture(was),
                start,
                len,
                absent: false,
            }));
        }
        let is_table = |region: &&Region| region.kind == RegionKind::Table(TableId::Thumbnails);
        let start = self.all.iter().find(is_table).map_or(self.header_end, |region| region.start);
        self.add(RegionKind::NewPictures, start, 0);
    }

    fn exports(&mut self, exports: &mut [ExportData<'_>]) {
        let mut end = self.header_end;
        for data in exports {
            let (start, len) = (data.export.serial.offset, data.bytes.len() as u64);
            // The bytes of an export have already been read, so the offset of an export with bytes
            // is valid. An export without bytes can have any offset.
            let start = u64::try_from(start).ok().filter(|at| *at <= self.total);
            let start = start.filter(|at| *at > 0 || len > 0);
            let (Some(start), Some(was)) = (start, data.was) else {
                data.was = None;
                continue;
            };
            self.add(RegionKind::Export(was), start, len);
            if len > 0 {
                end = end.max(start.saturating_add(len));
            }
        }
        self.add(RegionKind::NewExports, end, 0);
    }

    /// Adds the trailer and its footer, and returns them. Returns `None` if the package has no
    /// trailer or the trailer cannot be read.
    fn trailer<'a>(
        &mut self,
        package: &Package<'a>,
    ) -> Option<(Trailer<'a>, Option<TrailerFooter>)> {
        let trailer = package.trailer().ok()??;
        let start = u64::try_from(package.summary().payload_toc_offset?).ok()?;
        self.add(RegionKind::Trailer, start, encoded_size(&trailer, &self.layout));
        let payloads = start.checked_add(trailer.head.header_size.into());
        let place = payloads.and_then(|at| at.checked_add(trailer.head.payload_size));
        let footer = place.and_then(|at| {
            let mut from = package.at(i64::try_from(at).ok()?).ok()?;
            let footer = from.read::<TrailerFooter>(&self.layout).ok()?;
            self.add(RegionKind::TrailerFooter, at, TrailerFooter::LEAST);
            Some(footer)
        });
        Some((trailer, footer))
    }

    /// Sorts the regions. Returns an error if a region begins inside another one. Empty tables and
    /// exports are exempt, and their offsets are ignored.
    fn settle(&mut self, exports: &mut [ExportData<'_>]) -> Result<()> {
        let mut regions = core::mem::take(&mut self.all);
        sort_unstable_by(&mut regions, Region::cmp);
        let mut end = 0;
        for mut region in regions {
            if region.start < end {
                match region.kind {
                    RegionKind::Table(_) if region.len == 0 => {
                        region.absent = true;
                        region.start = self.header_end;
                        self.all.push(region);
                        continue;
                    }
                    RegionKind::Export(was) if region.len == 0 => {
                        if let Some(data) = exports.get_mut(was as usize) {
                            data.was = None;
                        }
                        continue;
                    }
                    _ => return Err(Error::new(ErrorKind::Overlap, region.start)),
                }
            }
            end = end.max(region.end());
            self.all.push(region);
        }
        sort_unstable_by(&mut self.all, Region::cmp);
        Ok(())
    }

    /// Returns the regions, with gaps added where no region covers the bytes.
    fn without_gaps(self, package: &Package<'_>) -> Result<Vec<Region>> {
        let mut all = Vec::new();
        let mut end = 0;
        for region in &self.all {
            let closes = matches!(region.kind, RegionKind::Trailer);
            self.gap(package, end, region.start, closes, &mut all)?;
            all.push(*region);
            end = region.end();
        }
        self.gap(package, end, self.total, true, &mut all)?;
        Ok(all)
    }

    /// Adds the bytes from `start` to `end` as a gap. If `closes` is `true` and they end with the
    /// tag of a package, adds the tag as a separate region.
    fn gap(
        &self,
        package: &Package<'_>,
        start: u64,
        end: u64,
        closes: bool,
        all: &mut Vec<Region>,
    ) -> Result<()> {
        let mut region =
            Region { kind: RegionKind::Gap, start, len: end.saturating_sub(start), absent: false };
        if region.len == 0 {
            return Ok(());
        }
        let tag = end.saturating_sub(u32::LEAST);
        let at = |offset: u64| package.at(i64::try_from(offset).unwrap_or(i64::MAX));
        let is_tag = closes && tag >= start && at(tag)?.read::<u32>(&self.layout)? == PACKAGE_TAG;
        if is_tag {
            region.len = region.len.saturating_sub(u32::LEAST);
        }
        all.extend((region.len > 0).then_some(region));
        let tag = Region { kind: RegionKind::Tag, start: tag, len: u32::LEAST, absent: false };
        all.extend(is_tag.then_some(tag));
        Ok(())
    }
}

/// Returns the value of a field of the summary, or 0 if the version does not have the field.
fn get<P: super::offset_field::OffsetField>(place: P) -> i64 {
    place.get()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in tests")]
mod tests {
    use super::{Region, RegionKind};
    use crate::unreal::{Package, PackageEditor};
    use alloc::vec::Vec;

    fn unknown(header: &[u8], exports: Option<&[u8]>) -> Vec<Region> {
        let package = Package::open_as(header, exports, None).unwrap();
        let regions = PackageEditor::new(&package).unwrap().regions.all;
        let (first, last) = (regions.first().unwrap(), regions.last().unwrap());
        assert_eq!((first.kind, last.kind == RegionKind::Gap), (RegionKind::Summary, false));
        regions.into_iter().filter(|region| region.kind == RegionKind::Gap).collect()
    }

    /// Checks that all bytes of the samples belong to known regions.
    #[test]
    fn nothing_is_unknown() {
        macro_rules! known {
            ($($file:literal)*) => {
                $(
                    let header = include_bytes!(concat!("../../../corpus/unreal/", $file, ".uasset"));
                    assert!(unknown(header, None).is_empty(), $file);
                )*
            };
        }
        known! {
            "ue4.06-MyoUtilityBPLibrary" "ue4.08-Gaussian" "ue4.10-SimpleRefsRoot"
            "ue4.27-TestActorBP" "ue5.0-SimpleRefsRoot" "ue5.2-SimpleRefsRoot"
            "ue5.4-SimpleRefsRoot" "ue5.6-SimpleRefsRoot"
        }
        let header =
            include_bytes!("../../../corpus/unreal/ue5.8-cooked-tagged-T_Streaming.uasset");
        let exports = include_bytes!("../../../corpus/unreal/ue5.8-cooked-tagged-T_Streaming.uexp");
        assert!(unknown(header, Some(exports)).is_empty());
    }
}
