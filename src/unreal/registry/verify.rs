//! Checks the names, the references between the parts, and that nothing is left over.

use super::assets::Asset;
use super::dependencies::{Graph, Node};
use super::versions::{ADDED_DEPENDENCY_FLAGS, FIXED_TAGS};
use super::view::Registry;
use crate::unreal::format::{Error, ErrorKind, HashedNames, NameEntry, Result};

impl<'a> Registry<'a> {
    /// Checks what engines guarantee: the hashes of names are right; the file has each name, value
    /// and node to which it refers; the tags of each asset follow those of the previous asset; each
    /// string in the store ends with its only NUL; and no bytes are left over. Passes each problem
    /// to `report`. Works in linear time, apart from finding names and values (see
    /// [`with_name_index`](Self::with_name_index)). Returns `true` if there are no problems.
    ///
    /// Below version 4, checks only the names and the assets.
    pub fn verify(&self, mut report: impl FnMut(Error)) -> bool {
        let mut ok = true;
        let mut report = |error| {
            ok = false;
            report(error);
        };
        self.store().verify(&mut report);
        if let Err(error) = self.verify_parts(&mut report) {
            report(error);
        }
        ok
    }

    /// Checks everything but the strings of the store. Returns an error if the check cannot
    /// continue.
    fn verify_parts(&self, report: &mut impl FnMut(Error)) -> Result<()> {
        let end_of_names = match self.names().hashed() {
            Some(names) => verify_hashed_names(names, self.names().input().offset(), report)?,
            None => self.verify_name_strings(report)?,
        };
        let mut ranges = TagRanges::default();
        for asset in self.assets() {
            verify_asset(&asset?, &mut ranges, report);
        }
        if !self.has_later_parts() {
            return Ok(());
        }
        self.verify_graph(&self.dependencies()?, report)?;
        let mut packages = self.packages()?;
        for package in packages.by_ref() {
            let package = package?;
            check(package.name(), report);
            package.imported_classes().filter_map(Result::err).for_each(&mut *report);
        }
        let mut end = packages.offset();
        if self.version() < FIXED_TAGS {
            // The number of names precedes the names.
            nothing_between(end, self.names().input().offset().saturating_sub(4))?;
            end = end_of_names;
        }
        nothing_between(end, self.len())
    }

    /// Checks the hashes in a table of strings. Returns the end of the table.
    fn verify_name_strings(&self, report: &mut impl FnMut(Error)) -> Result<u64> {
        let mut from = self.names().input();
        for _ in 0..self.names().count() {
            let offset = from.offset();
            let name: NameEntry<'_> = from.read(self.layout())?;
            if !name.has_right_hashes() {
                report(Error::new(wrong_hashes(&name), offset));
            }
        }
        Ok(from.offset())
    }

    fn verify_graph(&self, graph: &Graph<'a, '_>, report: &mut impl FnMut(Error)) -> Result<()> {
        let mut nodes = graph.nodes();
        for node in nodes.by_ref() {
            verify_node(&node?, graph.node_count(), report);
        }
        let end = nodes.input();
        match end.remaining() {
            unused @ 1.. if self.version() >= ADDED_DEPENDENCY_FLAGS => {
                Err(end.error(ErrorKind::Unused(unused)))
            }
            _ => Ok(()),
        }
    }
}

/// Checks the hashes of a batch of names. Errors state `offset`, which is also the result.
fn verify_hashed_names(
    mut names: HashedNames<'_>,
    offset: u64,
    report: &mut impl FnMut(Error),
) -> Result<u64> {
    for name in names.by_ref() {
        if let Err(kind) = name?.check_hash() {
            report(Error::new(kind, offset));
        }
    }
    match names.left_over()? {
        0 => Ok(offset),
        unused => Err(Error::new(ErrorKind::Unused(unused), offset)),
    }
}

fn wrong_hashes(name: &NameEntry<'_>) -> ErrorKind {
    let number = |[low, high]: [u16; 2]| u64::from(high) << 16 | u64::from(low);
    let expected = number(NameEntry::hashes_of(&name.text));
    ErrorKind::WrongHash { expected, found: name.hashes.map_or(0, number) }
}

/// Passes an error to `report`.
fn check<T>(result: Result<T>, report: &mut impl FnMut(Error)) {
    if let Err(error) = result {
        report(error);
    }
}

/// The indices at which the tags of the next asset must begin: one for each of the store's two
/// lists of tags.
#[derive(Default)]
struct TagRanges {
    numbered: u32,
    numberless: u32,
}

impl TagRanges {
    /// Returns an error if the tags of an asset do not follow those of the previous asset. Checking
    /// the tags of assets that share tags would take quadratic time.
    fn follow(&mut self, asset: &Asset<'_, '_>) -> Result<()> {
        let Some(range) = asset.tag_range().filter(|range| range.count > 0) else { return Ok(()) };
        let end = if range.is_numberless { &mut self.numberless } else { &mut self.numbered };
        let (expected, found) = (*end, range.start);
        *end = range.end();
        match expected == found {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::TagsOutOfPlace { expected, found }, asset.offset())),
        }
    }
}

fn verify_asset(asset: &Asset<'_, '_>, ranges: &mut TagRanges, report: &mut impl FnMut(Error)) {
    let names = [asset.package_name(), asset.package_path(), asset.asset_name()];
    let paths = [asset.object_path(), asset.outer_path()];
    let names = names.into_iter().chain(paths.into_iter().flatten());
    names.for_each(|name| check(name, report));
    check(asset.class(), report);
    match ranges.follow(asset) {
        Ok(()) => asset.tags().filter_map(Result::err).for_each(&mut *report),
        Err(error) => report(error),
    }
    for bundle in asset.bundles() {
        check(bundle.name(), report);
        bundle.paths().filter_map(Result::err).for_each(&mut *report);
    }
}

fn verify_node(node: &Node<'_, '_>, count: u32, report: &mut impl FnMut(Error)) {
    let offset = node.offset();
    check(node.identifier(), report);
    let mut verify_index = |index: i32| {
        let index = index.cast_unsigned();
        if index >= count {
            report(Error::new(ErrorKind::OutOfRange { what: "node", index, count }, offset));
        }
    };
    node.name_dependencies().iter().flatten().for_each(&mut verify_index);
    node.referencers().iter().flatten().for_each(&mut verify_index);
    let all = || node.package_dependencies().chain(node.manage_dependencies());
    all().for_each(|dependency| verify_index(dependency.node));
    let properties = all().map(|dependency| dependency.properties);
    properties.filter(|properties| properties.combinations().is_empty()).for_each(|properties| {
        let (what, value) = ("set of properties of a dependency", properties.stored().into());
        report(Error::new(ErrorKind::Unknown { what, value }, offset));
    });
}

/// Returns an error if two positions differ.
fn nothing_between(end: u64, start: u64) -> Result<()> {
    match start.checked_sub(end) {
        Some(0) => Ok(()),
        Some(unused) => Err(Error::new(ErrorKind::Unused(unused), end)),
        None => Err(Error::new(ErrorKind::Overlap, start)),
    }
}
