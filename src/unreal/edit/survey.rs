//! What every byte of a package belongs to.

use super::{ExportData, ThumbnailData, each_table};
use crate::buffer::Count;
use crate::unreal::layout::Layout;
use crate::unreal::package::Package;
use crate::unreal::record::Record;
use crate::unreal::summary::{FileVersions, Summary, TAG};
use crate::unreal::tables::{AssetRegistry, ThumbnailHead, Trailer, TrailerFooter};
use crate::unreal::wire::{Input, Value};
use crate::unreal::{Error, ErrorKind, Result};
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// What a part of a package is. Of those that begin at the same place, all but one are empty:
/// in this order they get what is added to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// With the tag and the versions before it.
    Summary,
    /// The picture of the thumbnail that had this index.
    Picture(u32),
    /// Where pictures of new thumbnails go.
    NewPictures,
    Table(Id),
    /// Where the tables end.
    HeaderEnd,
    /// Where the second file begins.
    Split,
    /// The bytes of the export that had this index.
    Export(u32),
    /// Where the bytes of new exports go.
    NewExports,
    Trailer,
    TrailerFooter,
    /// Which closes the package, and stands before the trailer, too.
    Tag,
    /// Of which nothing is known.
    Gap,
}

/// A table, in the order of engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Id {
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

/// A part and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub part: Part,
    pub start: u64,
    pub len: u64,
    /// A table that the package does not have: this is where it would be.
    pub absent: bool,
}

impl Piece {
    pub const fn end(&self) -> u64 {
        self.start.saturating_add(self.len)
    }
}

/// The parts of a package, without gap or overlap.
#[derive(Clone, Debug)]
pub(super) struct Survey<'a> {
    pub pieces: Vec<Piece>,
    pub trailer: Option<(Trailer<'a>, Option<TrailerFooter>)>,
    /// Bytes of both files.
    pub total: u64,
}

impl<'a> Survey<'a> {
    /// Exports without bytes may be said to be anywhere: those that are inside of something
    /// else are no longer `was` any of the package's.
    pub fn new(
        package: &Package<'a>,
        exports: &mut [ExportData<'a>],
        thumbnails: &[ThumbnailData<'a>],
    ) -> Result<Self> {
        let mut parts = Parts::new(package)?;
        parts.tables(package)?;
        parts.thumbnails(thumbnails);
        parts.exports(exports);
        let trailer = parts.trailer(package);
        parts.settle(exports)?;
        let (total, pieces) = (parts.total, parts.without_gaps(package)?);
        Ok(Self { pieces, trailer, total })
    }

    /// Where something is that was at `old`, when the pieces begin at `starts` and end at
    /// `total`.
    pub fn moved(&self, old: i64, starts: &[u64], total: u64) -> i64 {
        let at = match u64::try_from(old) {
            Ok(at) if at > 0 && at <= self.total => at,
            _ => return old,
        };
        let index = self.pieces.partition_point(|piece| piece.end() <= at);
        let new = match (self.pieces.get(index), starts.get(index)) {
            (Some(piece), Some(start)) => start.saturating_add(at.saturating_sub(piece.start)),
            _ => total,
        };
        i64::try_from(new).unwrap_or(i64::MAX)
    }
}

/// The exports of a package with what belongs to them.
pub(super) fn exports<'a>(package: &Package<'a>) -> Result<Vec<ExportData<'a>>> {
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

/// The thumbnails of a package with their pictures.
pub(super) fn thumbnails<'a>(package: &Package<'a>) -> Result<Vec<ThumbnailData<'a>>> {
    let mut found = Vec::new();
    for (was, entry) in (0..).zip(package.thumbnails()?.unwrap_or_default()) {
        let entry = entry?;
        let (head, picture) = package.thumbnail(&entry)?;
        let picture = Cow::Borrowed(picture);
        found.push(ThumbnailData { entry, head, picture, was: Some(was) });
    }
    Ok(found)
}

/// How many bytes a value takes.
fn size<'a>(value: &impl Value<'a>, layout: &Layout) -> u64 {
    let mut count = Count(0);
    match value.write(&mut count, layout) {
        Ok(()) => count.0 as u64,
        Err(_) => 0,
    }
}

/// The parts, as they are being found.
struct Parts {
    pieces: Vec<Piece>,
    header_end: u64,
    total: u64,
    layout: Layout,
}

impl Parts {
    fn new(package: &Package<'_>) -> Result<Self> {
        let summary = package.summary();
        let (header, exports) = package.sizes();
        let end = summary.header_size();
        let header_end = u64::try_from(end).ok().filter(|end| *end <= header);
        let header_end =
            header_end.ok_or_else(|| Error::new(ErrorKind::BadOffset(end.into()), 0))?;
        let total = header.saturating_add(exports.unwrap_or(0));
        let mut parts = Self { pieces: Vec::new(), header_end, total, layout: *package.layout() };
        parts.add(Part::Summary, 0, summary_size(package)?);
        parts.add(Part::HeaderEnd, header_end, 0);
        if exports.is_some() {
            parts.add(Part::Split, header, 0);
        }
        Ok(parts)
    }

    fn add(&mut self, part: Part, start: u64, len: u64) {
        self.pieces.push(Piece { part, start, len, absent: false });
    }

    /// A table from `offset` to `end`, if there is one.
    fn table(&mut self, id: Id, offset: impl Into<i64>, end: impl FnOnce(u64) -> u64) {
        let part = Part::Table(id);
        match u64::try_from(offset.into()) {
            Ok(start) if start > 0 && start <= self.total => {
                self.add(part, start, end(start).saturating_sub(start));
            }
            _ => self.pieces.push(Piece { part, start: self.header_end, len: 0, absent: true }),
        }
    }

    /// A table of so many records. That there are some, and nowhere, contradicts itself.
    fn counted(&mut self, id: Id, offset: i64, count: i64, end: u64) -> Result<()> {
        if count > 0 && offset <= 0 {
            return Err(Error::new(ErrorKind::BadOffset(offset), 0));
        }
        self.table(id, offset, |_| end);
        Ok(())
    }

    /// A table that is one value.
    fn single<'a, T: Value<'a>>(&mut self, id: Id, offset: impl Into<i64>, value: Option<T>) {
        let layout = self.layout;
        let end = |start: u64| value.map_or(0, |value| start.saturating_add(size(&value, &layout)));
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
                    self.counted(Id::$Id, get(summary.$offset), get(summary.$count), end)?;
                )*
                $( self.single(Id::$Single, get(summary.$place), package.$value()?); )*
            };
        }
        each_table!(tables);
        let end = package.names().end()?.offset();
        let (offset, count) = (summary.name_offset, summary.name_count);
        self.counted(Id::Names, offset.into(), count.into(), end)?;
        let end = package.exports().end()?.offset();
        let (offset, count) = (summary.export_offset, summary.export_count);
        self.counted(Id::Exports, offset.into(), count.into(), end)?;
        let end = package.depends().end()?.offset();
        self.table(Id::Depends, summary.depends_offset, |_| end);
        let registry = package.asset_registry()?;
        self.single(Id::AssetRegistry, summary.asset_registry_data_offset, registry);
        let place = registry
            .and_then(|AssetRegistry { dependency_data_offset, .. }| dependency_data_offset);
        let dependencies = package.registry_dependencies()?;
        self.single(Id::RegistryDependencies, place.unwrap_or(0), dependencies);
        let resources = package.data_resources()?;
        self.single(Id::DataResources, get(summary.data_resource_offset), resources);
        let table = package.thumbnails()?;
        self.single(Id::Thumbnails, summary.thumbnail_table_offset, table);
        Ok(())
    }

    /// The pictures; those of new thumbnails go where the table begins, as engines have it.
    fn thumbnails(&mut self, thumbnails: &[ThumbnailData<'_>]) {
        for thumbnail in thumbnails {
            let start = u64::try_from(thumbnail.entry.offset).unwrap_or(0);
            let len = (thumbnail.picture.len() as u64).saturating_add(ThumbnailHead::LEAST);
            self.pieces.extend(thumbnail.was.map(|was| Piece {
                part: Part::Picture(was),
                start,
                len,
                absent: false,
            }));
        }
        let is_table = |piece: &&Piece| piece.part == Part::Table(Id::Thumbnails);
        let start = self.pieces.iter().find(is_table).map_or(self.header_end, |piece| piece.start);
        self.add(Part::NewPictures, start, 0);
    }

    fn exports(&mut self, exports: &mut [ExportData<'_>]) {
        let mut end = self.header_end;
        for data in exports {
            let (start, len) = (data.export.serial.offset, data.bytes.len() as u64);
            // One with bytes has a place in the files, or they could not have been read; one
            // without may be said to be anywhere.
            let start = u64::try_from(start).ok().filter(|at| *at <= self.total);
            let start = start.filter(|at| *at > 0 || len > 0);
            let (Some(start), Some(was)) = (start, data.was) else {
                data.was = None;
                continue;
            };
            self.add(Part::Export(was), start, len);
            if len > 0 {
                end = end.max(start.saturating_add(len));
            }
        }
        self.add(Part::NewExports, end, 0);
    }

    /// The trailer, if there is one in a form that is known.
    fn trailer<'a>(
        &mut self,
        package: &Package<'a>,
    ) -> Option<(Trailer<'a>, Option<TrailerFooter>)> {
        let trailer = package.trailer().ok()??;
        let start = u64::try_from(package.summary().payload_toc_offset?).ok()?;
        self.add(Part::Trailer, start, size(&trailer, &self.layout));
        let payloads = start.checked_add(trailer.head.header_size.into());
        let place = payloads.and_then(|at| at.checked_add(trailer.head.payload_size));
        let footer = place.and_then(|at| {
            let mut from = package.at(i64::try_from(at).ok()?).ok()?;
            let footer = from.read::<TrailerFooter>(&self.layout).ok()?;
            self.add(Part::TrailerFooter, at, TrailerFooter::LEAST);
            Some(footer)
        });
        Some((trailer, footer))
    }

    /// Puts the pieces in order. None may begin inside of another, unless it is empty: then
    /// where it is said to be means nothing.
    fn settle(&mut self, exports: &mut [ExportData<'_>]) -> Result<()> {
        let mut pieces = core::mem::take(&mut self.pieces);
        pieces.sort_unstable_by_key(|piece| (piece.start, piece.len > 0, piece.part));
        let mut end = 0;
        for mut piece in pieces {
            if piece.start < end {
                match piece.part {
                    Part::Table(_) if piece.len == 0 => {
                        piece.absent = true;
                        piece.start = self.header_end;
                        self.pieces.push(piece);
                        continue;
                    }
                    Part::Export(was) if piece.len == 0 => {
                        if let Some(data) = exports.get_mut(was as usize) {
                            data.was = None;
                        }
                        continue;
                    }
                    _ => return Err(Error::new(ErrorKind::Overlap, piece.start)),
                }
            }
            end = end.max(piece.end());
            self.pieces.push(piece);
        }
        self.pieces.sort_by_key(|piece| (piece.start, piece.len > 0, piece.part));
        Ok(())
    }

    /// The pieces, and what is between them.
    fn without_gaps(self, package: &Package<'_>) -> Result<Vec<Piece>> {
        let mut all = Vec::new();
        let mut end = 0;
        for piece in &self.pieces {
            let closes = matches!(piece.part, Part::Trailer);
            self.gap(package, end, piece.start, closes, &mut all)?;
            all.push(*piece);
            end = piece.end();
        }
        self.gap(package, end, self.total, true, &mut all)?;
        Ok(all)
    }

    /// From `start` to `end`, where a tag may stand that closes something.
    fn gap(
        &self,
        package: &Package<'_>,
        start: u64,
        end: u64,
        closes: bool,
        all: &mut Vec<Piece>,
    ) -> Result<()> {
        let mut piece =
            Piece { part: Part::Gap, start, len: end.saturating_sub(start), absent: false };
        if piece.len == 0 {
            return Ok(());
        }
        let tag = end.saturating_sub(u32::LEAST);
        let at = |offset: u64| package.at(i64::try_from(offset).unwrap_or(i64::MAX));
        let is_tag = closes && tag >= start && at(tag)?.read::<u32>(&self.layout)? == TAG;
        if is_tag {
            piece.len = piece.len.saturating_sub(u32::LEAST);
        }
        all.extend((piece.len > 0).then_some(piece));
        let tag = Piece { part: Part::Tag, start: tag, len: u32::LEAST, absent: false };
        all.extend(is_tag.then_some(tag));
        Ok(())
    }
}

/// Where the summary ends.
fn summary_size(package: &Package<'_>) -> Result<u64> {
    let mut from: Input<'_> = package.at(0)?;
    let supplied = Some(package.layout().versions);
    let (mut versions, mut summary) = (FileVersions::default(), Summary::default());
    let mut layout = Layout::default();
    versions.open(&mut from, supplied, &mut layout)?;
    summary.fill(&mut from, &layout)?;
    Ok(from.offset())
}

/// A number that the summary may have.
fn get<P: super::place::Place>(place: P) -> i64 {
    place.get()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in tests")]
mod tests {
    use super::{Part, Piece};
    use crate::unreal::{Package, PackageEditor};
    use alloc::vec::Vec;

    fn unknown(header: &[u8], exports: Option<&[u8]>) -> Vec<Piece> {
        let package = Package::open_as(header, exports, None).unwrap();
        let pieces = PackageEditor::new(&package).unwrap().survey.pieces;
        let (first, last) = (pieces.first().unwrap(), pieces.last().unwrap());
        assert_eq!((first.part, last.part == Part::Gap), (Part::Summary, false));
        pieces.into_iter().filter(|piece| piece.part == Part::Gap).collect()
    }

    /// What is written is read from records: nothing is left over to be copied.
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
