//! Recognises the header of a Zen package, and reads it up to its tables.
//!
//! A Zen package has no magic number and does not state its form. A form is accepted only if the
//! names state the known hash algorithm and all tables follow each other.

use crate::unreal::format::{
    ByteOrder, Error, ErrorKind, FileCursor, HashedNames, Layout, Result, Versions, ue5,
};
use crate::unreal::tables::{ZenCellOffsets, ZenSummary, ZenVersions};

/// The forms of the header, by the engine that introduced them.
pub(super) mod form {
    pub const ENGINE_4_26: u32 = 0;
    pub const ENGINE_5_0: u32 = 1;
    pub const ENGINE_5_3: u32 = 2;
    pub const ENGINE_5_6: u32 = 3;
    pub const ALL: [u32; 4] = [ENGINE_4_26, ENGINE_5_0, ENGINE_5_3, ENGINE_5_6];
}

/// Size of the record of an export.
const EXPORT: u64 = 72;
/// Size of a record of bulk data.
const BULK: u64 = 32;

/// The header of a package, with the offsets of its tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header<'a> {
    pub(super) form: u32,
    pub(super) summary: ZenSummary,
    pub(super) versions: Option<ZenVersions<'a>>,
    pub(super) names: HashedNames<'a>,
    /// The records of bulk data, if there is such a table.
    pub(super) bulk: Option<FileCursor<'a>>,
    /// `true` if the table of bulk data is aligned, as engines from 5.4 on write it.
    bulk_is_aligned: bool,
    /// The offset after the names and the bulk data.
    start: u64,
    /// The offset after the exports.
    pub(super) exports_end: u64,
    pub(super) cells: Option<ZenCellOffsets>,
    /// Size of the header.
    pub(super) size: u64,
}

/// Returns the layout of the records in a form of the header.
pub(super) const fn layout(form: u32, versions: Versions) -> Layout {
    Layout::new(ByteOrder::Little, -9, versions).with_table(form)
}

impl<'a> Header<'a> {
    /// Reads the header in the form that fits it.
    pub(super) fn read(file: &'a [u8]) -> Result<Self> {
        let mut found = form::ALL.into_iter().filter_map(|form| Self::in_form(file, form).ok());
        found.next().ok_or_else(|| Error::new(ErrorKind::NotAZenPackage, 0))
    }

    fn in_form(file: &'a [u8], form: u32) -> Result<Self> {
        let layout = layout(form, Versions::default());
        let mut from = FileCursor::new(file, 0);
        let summary: ZenSummary = from.read(&layout)?;
        let (mut versions, mut cells) = (None, None);
        if summary.has_versions == Some(true) {
            versions = Some(from.read::<ZenVersions<'_>>(&layout)?);
        }
        if form == form::ENGINE_5_6 {
            cells = Some(from.read::<ZenCellOffsets>(&layout)?);
        }
        let names = match form {
            form::ENGINE_4_26 => Self::inline_names(file, &summary, &mut from)?,
            _ => HashedNames::batch(&mut from)?,
        };
        let exports_end = match &cells {
            Some(cells) => cells.cell_import_offset,
            None => summary.bundle_entries_offset,
        };
        let mut header = Self {
            form,
            summary,
            versions,
            names,
            bulk: None,
            bulk_is_aligned: false,
            start: from.offset(),
            exports_end: exports_end.into(),
            cells,
            size: 0,
        };
        header.find_bulk(from);
        header.size = header.end();
        match header.fits(file.len() as u64) {
            true => Ok(header),
            false => Err(Error::new(ErrorKind::NotAZenPackage, 0)),
        }
    }

    /// Returns the names, which engine 4 stores in two parts, and moves `from` to their end.
    fn inline_names(
        file: &'a [u8],
        summary: &ZenSummary,
        from: &mut FileCursor<'a>,
    ) -> Result<HashedNames<'a>> {
        let part = |offset: Option<u32>, size: Option<u32>| {
            let mut at = FileCursor::new(file, 0);
            at.bytes(offset.unwrap_or(0).into())?;
            let part = at.window(size.unwrap_or(0).into())?;
            Ok::<_, Error>((part, at))
        };
        let (text, end) = part(summary.names_offset, summary.names_size)?;
        let (hashes, behind) = part(summary.name_hashes_offset, summary.name_hashes_size)?;
        let gap = hashes.offset().checked_sub(end.offset());
        if from.offset() != text.offset() || gap.is_none_or(|gap| gap >= 8) {
            return Err(text.error(ErrorKind::NotAZenPackage));
        }
        *from = behind;
        HashedNames::inline(text, hashes)
    }

    /// Finds the table of bulk data, which is between the names and the next table.
    fn find_bulk(&mut self, from: FileCursor<'a>) {
        let end = match self.summary.imported_hashes_offset {
            Some(end) => u64::from(end),
            None => return,
        };
        for is_aligned in [true, false] {
            if let Ok(table) = bulk(from, is_aligned, end) {
                (self.bulk, self.bulk_is_aligned) = (Some(table), is_aligned);
                self.start = end;
            }
        }
    }

    /// Returns the offset of the end of the header.
    fn end(&self) -> u64 {
        let ZenSummary { header_size, graph_offset, graph_size, .. } = self.summary;
        match (header_size, graph_offset, graph_size) {
            (None, Some(offset), Some(size)) => u64::from(offset).saturating_add(size.into()),
            (size, _, _) => size.unwrap_or(0).into(),
        }
    }

    /// Returns `true` if the tables follow each other, and their sizes are those of whole records.
    fn fits(&self, len: u64) -> bool {
        let offsets = self.offsets();
        let ascend = offsets.is_sorted() && self.size <= len;
        let [start, hashes, imports, exports, ..] = offsets;
        let whole =
            |from: u64, to: u64, size: u64| to.saturating_sub(from).checked_rem(size) == Some(0);
        ascend
            && hashes.saturating_sub(start) < 8
            && self.names.len() > 0
            && self.summary.padding.unwrap_or(0) == 0
            && self.bulk_fits()
            && whole(hashes, imports, 8)
            && whole(imports, exports, 8)
            && whole(exports, self.exports_end, EXPORT)
    }

    /// Returns the ends of the names and of all tables, in the order of the tables.
    fn offsets(&self) -> [u64; 11] {
        let ZenSummary {
            imported_hashes_offset,
            import_offset,
            export_offset,
            bundle_entries_offset,
            graph_offset,
            dependencies_offset,
            dependency_entries_offset,
            imported_names_offset,
            ..
        } = self.summary;
        let cell_exports = self.cells.map(|cells| cells.cell_export_offset);
        let bundles = bundle_entries_offset;
        let graph = dependencies_offset.or(graph_offset).unwrap_or(bundles);
        let entries = dependency_entries_offset.unwrap_or(graph);
        let names = imported_names_offset.unwrap_or(entries);
        let hashes = imported_hashes_offset.unwrap_or(import_offset);
        let [hashes, imports, exports, cell_exports, bundles, graph, entries, names] = [
            hashes,
            import_offset,
            export_offset,
            cell_exports.unwrap_or(bundles),
            bundles,
            graph,
            entries,
            names,
        ]
        .map(u64::from);
        let end = self.exports_end;
        [
            self.start,
            hashes,
            imports,
            exports,
            end,
            cell_exports,
            bundles,
            graph,
            entries,
            names,
            self.size,
        ]
    }

    /// Returns `true` if the form can have the table of bulk data that was found.
    fn bulk_fits(&self) -> bool {
        match self.form {
            form::ENGINE_4_26 => true,
            form::ENGINE_5_0 => !self.bulk_is_aligned,
            form::ENGINE_5_3 => self.bulk.is_some(),
            _ => self.bulk_is_aligned,
        }
    }

    /// Returns the oldest and the newest engine that write this form.
    pub(super) const fn engines(&self) -> [(u16, u16); 2] {
        match (self.form, self.bulk.is_some(), self.bulk_is_aligned) {
            (form::ENGINE_4_26, _, _) => [(4, 26), (4, 27)],
            (form::ENGINE_5_0, false, _) => [(5, 0), (5, 1)],
            (form::ENGINE_5_0, true, _) => [(5, 2), (5, 2)],
            (form::ENGINE_5_3, _, false) => [(5, 3), (5, 3)],
            (form::ENGINE_5_3, _, true) => [(5, 4), (5, 5)],
            _ => [(5, 6), (5, 8)],
        }
    }

    /// Returns `true` if packages of these versions have a header of this form.
    pub(super) fn fits_versions(&self, versions: Versions) -> bool {
        let [oldest, newest] =
            self.engines().map(|(major, minor)| Versions::of_engine(major, minor));
        let is_newest = self.form == form::ENGINE_5_6 && versions.ue5 >= ue5::VERSE_CELLS;
        let within = oldest.is_some_and(|oldest| oldest <= versions)
            && newest.is_some_and(|newest| versions <= newest);
        within || is_newest
    }
}

/// Reads the table of bulk data that ends at `end`.
fn bulk(from: FileCursor<'_>, is_aligned: bool, end: u64) -> Result<FileCursor<'_>> {
    let (mut from, layout) = (from, Layout::default());
    if is_aligned {
        let padding: u64 = from.read(&layout)?;
        from.bytes(padding)?;
        if padding >= 8 {
            return Err(from.error(ErrorKind::NotAZenPackage));
        }
    }
    let size: u64 = from.read(&layout)?;
    let table = from.window(size)?;
    match size.checked_rem(BULK) == Some(0) && from.offset() == end {
        true => Ok(table),
        false => Err(from.error(ErrorKind::NotAZenPackage)),
    }
}
