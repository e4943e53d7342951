//! Asset registries (`AssetRegistry.bin`): their output for `show`, `check` and `json`.

use super::{Refusal, json, problems};
use crate::ui::input::Stop;
use crate::ui::report;
use crate::ui::style::{BOLD, DIM, PLAIN, Styled, TYPE};
use crate::ui::table::{self, Cell, field, table};
use crate::ui::text::{Count, clipped, escaped};
use gamewire::unreal::registry::{Asset, Node, PackageData, Registry};
use gamewire::unreal::{Error, Result};
use std::fmt::Display;
use std::io::{self, Write};

fn open(bytes: &[u8]) -> Result<Registry<'_>> {
    Registry::open(bytes).map(Registry::with_name_index)
}

/// Prints the assets, the dependencies and the packages as tables. Returns `true` if all items
/// could be read.
pub fn show(name: &str, bytes: &[u8], full: bool, out: &mut impl Write) -> Result<bool, Stop> {
    let registry = open(bytes).map_err(|error| Stop::input(Refusal(&error)))?;
    let most = if full { usize::MAX } else { table::ROWS };
    print_tables(&registry, most, out).map_err(Stop::Output)?;
    Ok(report_errors(name, &registry, false))
}

fn print_tables(registry: &Registry<'_>, most: usize, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", Styled(BOLD, "asset registry"))?;
    field(out, "version", registry.version())?;
    if let Some(filters) = registry.filters_editor_data() {
        field(out, "editor data", if filters { "left out" } else { "included" })?;
    }
    field(out, "names", registry.name_count())?;
    let assets = || registry.assets().flatten().filter_map(|asset| asset_row(&asset).ok());
    let heads = ["package", "asset", "class", "tags"];
    table("assets", heads, registry.asset_count() as usize, assets, most, out)?;
    if let Ok(graph) = registry.dependencies() {
        let nodes = || graph.nodes().flatten().filter_map(|node| node_row(&node).ok());
        let heads = ["node", "packages", "names", "managed", "referencers"];
        table("dependencies", heads, graph.node_count() as usize, nodes, most, out)?;
    }
    if let Ok(packages) = registry.packages() {
        let rows = || packages.clone().flatten().filter_map(|package| package_row(&package).ok());
        let heads = ["package", "extension", "classes", "size"];
        table("packages", heads, packages.count_left(), rows, most, out)?;
    }
    out.flush()
}

fn asset_row(asset: &Asset<'_, '_>) -> Result<[Cell; 4]> {
    Ok([
        Cell(PLAIN, cell(asset.package_name()?)),
        Cell(BOLD, cell(asset.asset_name()?)),
        Cell(TYPE, cell(asset.class()?)),
        Cell(DIM, asset.tag_count().to_string()),
    ])
}

fn node_row(node: &Node<'_, '_>) -> Result<[Cell; 5]> {
    let number = |number: usize| Cell(DIM, number.to_string());
    Ok([
        Cell(PLAIN, cell(node.identifier()?)),
        number(node.package_dependencies().count()),
        number(node.name_dependencies().len()),
        number(node.manage_dependencies().count()),
        number(node.referencers().len()),
    ])
}

fn package_row(package: &PackageData<'_, '_>) -> Result<[Cell; 4]> {
    Ok([
        Cell(PLAIN, cell(package.name()?)),
        Cell(TYPE, package.extension().map_or_else(String::new, cell)),
        Cell(DIM, package.imported_classes().count().to_string()),
        Cell(DIM, package.disk_size().to_string()),
    ])
}

/// Formats the text of a cell. Clips the text, because many items of a hostile file can have the
/// same long name.
fn cell(text: impl Display) -> String {
    escaped(clipped(text, MAX_CELL))
}

/// Maximum length of a cell in bytes.
const MAX_CELL: usize = 1024;

/// Reports the items that could not be read. Returns `true` if there are none.
fn report_errors(name: &str, registry: &Registry<'_>, with_tags: bool) -> bool {
    let mut ok = true;
    let mut report = |error: Error| {
        ok = false;
        report::error(name, Refusal(&error));
    };
    if let Err(error) = errors(registry, with_tags, &mut report) {
        report(error);
    }
    ok
}

/// Passes each error of an item to `report`. Returns an error if nothing more can be read after it.
fn errors(registry: &Registry<'_>, with_tags: bool, report: &mut impl FnMut(Error)) -> Result<()> {
    for asset in registry.assets() {
        let asset = asset?;
        let names = [asset.package_name(), asset.package_path(), asset.asset_name()];
        names.into_iter().filter_map(Result::err).for_each(&mut *report);
        asset.class().err().into_iter().for_each(&mut *report);
        let paths = [asset.object_path(), asset.outer_path()];
        paths.into_iter().flatten().filter_map(Result::err).for_each(&mut *report);
        if with_tags {
            asset.tags().filter_map(Result::err).for_each(&mut *report);
        }
        for bundle in asset.bundles() {
            bundle.name().err().into_iter().for_each(&mut *report);
            bundle.paths().filter_map(Result::err).for_each(&mut *report);
        }
    }
    for node in registry.dependencies()?.nodes() {
        node?.identifier().err().into_iter().for_each(&mut *report);
    }
    for package in registry.packages()? {
        let package = package?;
        package.name().err().into_iter().for_each(&mut *report);
        package.imported_classes().filter_map(Result::err).for_each(&mut *report);
    }
    Ok(())
}

/// Prints a summary and the problems of the file. Returns `true` if there are no problems. `line`
/// must print a verdict followed by a description.
pub fn check<W: Write>(
    bytes: &[u8],
    out: &mut W,
    line: impl Fn(&mut W, bool, &str) -> io::Result<()>,
) -> io::Result<bool> {
    problems::check(open(bytes), |registry, report| registry.verify(report), summary, out, line)
}

fn summary(registry: &Registry<'_>) -> String {
    let what = Styled(TYPE, "asset registry");
    let nodes = registry.dependencies().map_or(0, |graph| graph.node_count());
    let packages = registry.packages().map_or(0, |packages| packages.count_left());
    let assets = Count(registry.asset_count().into(), "asset");
    let (nodes, packages) = (Count(nodes.into(), "node"), Count(packages as u64, "package"));
    format!("{what} version {}, {assets}, {nodes}, {packages}", registry.version())
}

const SHARED: &str = "the assets of this registry share tags, so the document would be many times as \
                      large as the file";

/// Prints the registry as a JSON object. Returns `true` if all items could be read.
pub fn print(name: &str, bytes: &[u8], out: &mut impl Write) -> Result<bool, Stop> {
    let registry = open(bytes).map_err(|error| Stop::input(Refusal(&error)))?;
    if registry.shares_tags() {
        return Err(Stop::input(SHARED));
    }
    json::document(&registry, None, out).map_err(Stop::Output)?;
    Ok(report_errors(name, &registry, true))
}
