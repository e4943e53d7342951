//! Checks that all tables can be read, that all references are valid, and that the tables fill the
//! header.

use super::table_visitor::TableVisitor;
use super::tiling::{SUMMARY, Tiling};
use crate::unreal::format::{
    Error, ErrorKind, Layout, Link, List, Name, Object, Records, Result, Value, encoded_size,
};
use crate::unreal::package::Package;
use crate::unreal::tables::{
    Dependencies, Export, RegistryDependencies, Serial, Summary, Thumbnail, ThumbnailHead, Trailer,
};
use core::convert::Infallible;

/// The first problem of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{table}: {error}")]
pub struct Problem {
    /// Key under which `serde` serializes the table, such as `imports`.
    pub table: &'static str,
    /// The error that occurred while reading the table, or an invalid reference in it.
    pub error: Error,
}

impl Problem {
    /// Returns `true` if the problem is bytes that belong to no table. Engines leave no such bytes,
    /// so they may mean that the version is wrong. However, tools that extract packages from the
    /// containers of a game also leave such bytes.
    pub fn is_gap(&self) -> bool {
        matches!(self.error.kind(), ErrorKind::Unused(_))
    }
}

impl<'a> Package<'a> {
    /// Reads every table to its end, and checks that all names and objects it refers to exist and
    /// that the bytes of exports are available. Calls `tell` with the first problem of each
    /// table. Returns `true` if there is no problem other than a [gap](Problem::is_gap).
    ///
    /// If all tables can be read, also checks what every engine guarantees: the tables and the
    /// exports do not overlap, no bytes lie between the tables, and counts agree. Bytes between the
    /// tables are reported as a gap, since some tools leave such bytes. A package that is opened
    /// with a wrong version almost always has a problem or a gap. It has neither only if its tables
    /// have the same layout in both versions.
    ///
    /// ```
    /// use gamewire::unreal::Package;
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal/ue4.27-TestActorBP.uasset")?;
    /// assert!(Package::open(file)?.verify(|problem| println!("{problem}")));
    ///
    /// // A split package without its `.uexp`.
    /// let file = &std::fs::read("corpus/unreal/ue5.8-cooked-tagged-Empty.umap")?;
    /// let mut tables = Vec::new();
    /// assert!(!Package::open(file)?.verify(|problem| tables.push(problem.table)));
    /// assert_eq!(tables, ["exports"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn verify(&self, mut tell: impl FnMut(Problem)) -> bool {
        let mut ok = true;
        let mut problem = |table, error| {
            ok = false;
            tell(Problem { table, error });
        };
        let mut verify = Verify { package: self, problem: &mut problem, tiling: Tiling::new() };
        let Ok(()) = verify.rows("names", self.names());
        let Ok(()) = self.visit_tables(&mut verify);
        let tiling = verify.tiling;
        // After an error, the ends of tables are not known.
        if ok {
            let summary = self.check_summary().map_err(|error| (SUMMARY, error));
            let header = u64::try_from(self.summary().header_size()).unwrap_or(0);
            let known = |start, end| self.is_known_gap(start, end);
            let tiled = summary.and_then(|()| tiling.check(self.summary_end(), header, known));
            if let Err((table, error)) = tiled {
                let problem = Problem { table, error };
                ok = problem.is_gap();
                tell(problem);
            }
        }
        ok
    }

    /// Checks that the name or object exists; `at` is the offset of the reference.
    fn resolve(&self, link: Link, at: u64) -> Result<()> {
        let summary = self.summary();
        let within = |index: u32, count: i32| i64::from(index) < i64::from(count);
        let (there, kind) = match link {
            Link::Name(Name { index, .. }) => {
                let count = u32::try_from(summary.name_count).unwrap_or_default();
                let there = u32::try_from(index).is_ok_and(|index| index < count);
                (there, ErrorKind::NoSuchName { index, count })
            }
            Link::Object(index) => {
                let there = match index.object() {
                    Object::Null => true,
                    Object::Import(index) => within(index, summary.import_count),
                    Object::Export(index) => within(index, summary.export_count),
                };
                (there, ErrorKind::NoSuchObject(index.0))
            }
        };
        if there { Ok(()) } else { Err(Error::new(kind, at)) }
    }

    /// Checks that all names and objects of a value exist.
    fn resolve_all<T: Value<'a>>(&self, value: &T, layout: &Layout, at: u64) -> Result<()> {
        let mut result = Ok(());
        value.links(layout, &mut |link| {
            result = result.and_then(|()| self.resolve(link, at));
        });
        result
    }
}

struct Verify<'p, 'a> {
    package: &'p Package<'a>,
    problem: &'p mut dyn FnMut(&'static str, Error),
    tiling: Tiling,
}

impl<'a> Verify<'_, 'a> {
    fn rows_and<T: Value<'a>>(
        &mut self,
        key: &'static str,
        mut rows: Records<'a, T>,
        mut more: impl FnMut(&T, u64) -> Result<()>,
    ) -> Result<(), Infallible> {
        let start = rows.offset();
        loop {
            let at = rows.offset();
            let Some(row) = rows.next() else {
                self.tiling.add(key, start, at);
                return Ok(());
            };
            let checked = row.and_then(|row| {
                self.package.resolve_all(&row, self.package.layout(), at)?;
                more(&row, at)
            });
            if let Err(error) = checked {
                (self.problem)(key, error);
                return Ok(());
            }
        }
    }

    fn single_and<T: Value<'a>>(
        &mut self,
        key: &'static str,
        at: u64,
        value: Result<T>,
        more: impl Fn(&T) -> Result<()>,
    ) -> Result<(), Infallible> {
        let layout = self.package.layout();
        let checked = value.and_then(|value| {
            self.package.resolve_all(&value, layout, at)?;
            more(&value)?;
            Ok(at.saturating_add(encoded_size(&value, layout)))
        });
        match checked {
            Ok(end) => self.tiling.add(key, at, end),
            Err(error) => (self.problem)(key, error),
        }
        Ok(())
    }
}

impl<'a> TableVisitor<'a> for Verify<'_, 'a> {
    type Error = Infallible;

    fn rows<T: Value<'a>>(
        &mut self,
        key: &'static str,
        rows: Records<'a, T>,
    ) -> Result<(), Infallible> {
        self.rows_and(key, rows, |_, _| Ok(()))
    }

    fn single<T: Value<'a>>(
        &mut self,
        key: &'static str,
        at: u64,
        value: Result<T>,
    ) -> Result<(), Infallible> {
        self.single_and(key, at, value, |_| Ok(()))
    }

    fn exports(&mut self, key: &'static str, rows: Records<'a, Export>) -> Result<(), Infallible> {
        let package = self.package;
        let header = i64::from(package.summary().header_size());
        let end = package.exports_end();
        // The range of the previous export that has bytes, and the number of bytes that are left
        // for the remaining exports.
        let (mut last, mut left) = (0..header, end.saturating_sub(header));
        self.rows_and(key, rows, |export, at| {
            let Serial { size, offset } = export.serial;
            package.export_bytes(export).map_err(|error| Error::new(*error.kind(), at))?;
            if size > 0 {
                let bytes = offset..offset.saturating_add(size);
                left = left.saturating_sub(size);
                if offset < header || last.contains(&offset) || bytes.end > end || left < 0 {
                    return Err(Error::new(ErrorKind::Overlap, at));
                }
                last = bytes;
            }
            check_script(export, at)?;
            package.check_runs(export, at)
        })
    }

    fn thumbnails(
        &mut self,
        key: &'static str,
        at: u64,
        value: Result<List<'a, Thumbnail<'a>>>,
    ) -> Result<(), Infallible> {
        let package = self.package;
        self.single_and(key, at, value, |thumbnails| {
            let mut all = thumbnails.iter().flatten();
            all.try_for_each(|thumbnail| package.thumbnail(&thumbnail).map(drop))
        })
    }

    fn trailer(
        &mut self,
        key: &'static str,
        _: u64,
        value: Result<Trailer<'a>>,
    ) -> Result<(), Infallible> {
        value.err().into_iter().for_each(|error| (self.problem)(key, error));
        Ok(())
    }

    fn registry_dependencies(
        &mut self,
        key: &'static str,
        at: u64,
        value: Result<RegistryDependencies<'a>>,
    ) -> Result<(), Infallible> {
        let summary = self.package.summary();
        self.single_and(key, at, value, |value| {
            let soft = summary.soft_package_reference_count.unwrap_or(0);
            same_count(
                "usage flags of imports",
                value.imports_used_in_game.len(),
                summary.import_count,
                at,
            )?;
            same_count(
                "usage flags of soft references",
                value.soft_packages_used_in_game.len(),
                soft,
                at,
            )
        })
    }
}

/// Checks that the properties of an export lie in its bytes.
fn check_script(export: &Export, at: u64) -> Result<()> {
    let (Some(start), Some(end)) = (export.script_start, export.script_end) else { return Ok(()) };
    let sizes = [start, end, export.serial.size];
    match start >= 0 && sizes.is_sorted() {
        true => Ok(()),
        false => Err(Error::new(ErrorKind::BadOffset(end), at)),
    }
}

/// Checks that a table with one entry for each item of another table has the right number of
/// entries.
fn same_count(what: &'static str, found: usize, count: i32, at: u64) -> Result<()> {
    let there = u32::try_from(count).unwrap_or(0);
    let found = i32::try_from(found).unwrap_or(i32::MAX);
    match u32::try_from(found) == Ok(there) {
        true => Ok(()),
        false => Err(Error::new(ErrorKind::CountsDiffer { what, found, there }, at)),
    }
}

impl Package<'_> {
    /// Returns the offset at which the exports end. This is the start of the bulk data that follow
    /// the exports or, if the summary does not state where they start, the end of the package.
    fn exports_end(&self) -> i64 {
        let (header, exports) = self.sizes();
        match self.summary().bulk_data_start_offset {
            offset if offset > 0 => offset,
            _ => i64::try_from(header.saturating_add(exports.unwrap_or(0))).unwrap_or(i64::MAX),
        }
    }

    /// Checks that the preload dependencies of an export exist.
    fn check_runs(&self, export: &Export, at: u64) -> Result<()> {
        let Some(Dependencies {
            first,
            serialize_before_serialize,
            create_before_serialize,
            serialize_before_create,
            create_before_create,
        }) = export.dependencies
        else {
            return Ok(());
        };
        let runs = [
            serialize_before_serialize,
            create_before_serialize,
            serialize_before_create,
            create_before_create,
        ];
        let end = runs.iter().fold(first, |end, run| end.saturating_add(*run));
        let count = self.summary().preload_dependency_count.unwrap_or(0).max(0);
        if first < 0 || (end <= count && runs.iter().all(|run| *run >= 0)) {
            return Ok(());
        }
        let (what, there) = ("preload dependencies of the export", count.unsigned_abs());
        Err(Error::new(ErrorKind::CountsDiffer { what, found: end, there }, at))
    }

    /// Returns `true` if the bytes between two tables have a known meaning.
    fn is_known_gap(&self, start: u64, end: u64) -> bool {
        self.are_pictures(start, end)
            || self.are_cells(start, end)
            || self.are_empty_dependencies(start, end)
    }

    /// Returns `true` if the pictures of thumbnails fill these bytes.
    fn are_pictures(&self, start: u64, end: u64) -> bool {
        let thumbnails = self.thumbnails().ok().flatten().unwrap_or_default();
        let within = |offset: &u64| (start..end).contains(offset);
        let sizes = thumbnails.iter().flatten().filter_map(|thumbnail| {
            let _: u64 = u64::try_from(thumbnail.offset).ok().filter(within)?;
            let (_, picture) = self.thumbnail(&thumbnail).ok()?;
            Some(ThumbnailHead::LEAST.saturating_add(picture.len() as u64))
        });
        sizes.fold(start, u64::saturating_add) == end
    }

    /// Returns `true` if a table of Verse cells, whose format is not known, begins in these bytes.
    fn are_cells(&self, start: u64, end: u64) -> bool {
        let Summary {
            cell_export_count,
            cell_export_offset,
            cell_import_count,
            cell_import_offset,
            ..
        } = self.summary;
        [(cell_export_count, cell_export_offset), (cell_import_count, cell_import_offset)]
            .into_iter()
            .filter(|(count, _)| count.is_some_and(|count| count > 0))
            .filter_map(|(_, offset)| u64::try_from(offset?).ok())
            .any(|offset| (start..end).contains(&offset))
    }

    /// Returns `true` if these bytes are an empty list for each export. Engines 4.14 and 4.15 write
    /// these lists into cooked packages, but not their offset.
    fn are_empty_dependencies(&self, start: u64, end: u64) -> bool {
        let Summary { depends_offset, export_count, .. } = self.summary;
        let len = u64::try_from(export_count).unwrap_or(0).saturating_mul(4);
        let bytes = i64::try_from(start).ok().and_then(|start| self.at(start).ok());
        let lists = bytes.and_then(|mut bytes| bytes.bytes(len).ok());
        depends_offset <= 0
            && end.saturating_sub(start) == len
            && lists.is_some_and(|lists| lists.iter().all(|byte| *byte == 0))
    }

    /// Checks the fields of the summary that must agree with each other.
    fn check_summary(&self) -> Result<()> {
        let Summary { name_count, names_referenced_from_export_data_count, .. } = self.summary;
        let (layout, legacy) = (self.layout(), self.versions.legacy_version);
        let versions = layout.versions;
        if (legacy <= -8) != (versions.ue5 > 0) {
            let differs = ErrorKind::LegacyVersionDiffers { legacy, versions };
            return Err(Error::new(differs, LEGACY_VERSION));
        }
        let used = names_referenced_from_export_data_count.unwrap_or(0);
        if !(0..=name_count).contains(&used) {
            let there = u32::try_from(name_count).unwrap_or(0);
            let what = "names used by exports";
            return Err(Error::new(ErrorKind::CountsDiffer { what, found: used, there }, 0));
        }
        match self.summary.texture_allocations.unwrap_or(0) {
            0 => Ok(()),
            value => {
                let what = "number of texture allocations";
                Err(Error::new(ErrorKind::Unknown { what, value: value.into() }, 0))
            }
        }
    }
}

/// Offset of the legacy version, the first field after the tag.
const LEGACY_VERSION: u64 = 4;
