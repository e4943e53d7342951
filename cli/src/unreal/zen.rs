//! Packages from `IoStore` containers: their output for `show`, `check` and `json`.

use super::show::{cell, wrapping};
use super::unread::Unread;
use super::{Files, Refusal, report_problem};
use crate::ui::input::Stop;
use crate::ui::report;
use crate::ui::style::{BOLD, DIM, ERROR, HINT, PLAIN, Styled, TYPE};
use crate::ui::table::{Cell, field, table};
use crate::ui::text::{Count, escaped};
use gamewire::unreal::tables::{ObjectIndex, package_flags};
use gamewire::unreal::{Object, PackageIndex, ZenPackage};
use std::fmt::Display;
use std::io::{self, Write};

/// The reason for refusing to change these packages.
pub const READ_ONLY: &str = "a package from an IoStore container can be read, but not changed \
                             (`retoc to-legacy` converts such packages to packages that can be changed)";

/// Prints the tables of a package. Returns `false` if they have problems or the supplied version
/// does not fit.
pub fn show<W: Write>(
    name: &str,
    files: &Files,
    package: &ZenPackage<'_>,
    rows: usize,
    out: &mut W,
) -> Result<bool, Stop> {
    tables(files, package, rows, out).map_err(Stop::Output)?;
    let mut ok = package.verify(|problem| report_problem(name, &problem));
    ok &= files.report_version(name);
    hint(package);
    Ok(ok)
}

/// Prints hints on what is needed to read more of the package.
pub fn hint(package: &ZenPackage<'_>) {
    if let Some(hint) = version_hint(package) {
        report::hint(hint);
    }
    if let Some(hint) = names_hint(package) {
        report::hint(hint);
    }
}

/// Returns the engines that write this form of the header, such as `5.4 to 5.5`.
fn engines(package: &ZenPackage<'_>) -> String {
    let [(major, oldest), (_, newest)] = package.engines();
    match oldest == newest {
        true => format!("{major}.{oldest}"),
        false => format!("{major}.{oldest} to {major}.{newest}"),
    }
}

fn version_hint(package: &ZenPackage<'_>) -> Option<String> {
    let engines = engines(package);
    let hint = format!(
        "the package does not state its version: to read its properties, supply the version of the \
         engine (--unreal-version, {engines})"
    );
    (!package.has_version()).then_some(hint)
}

/// Returns a hint if the name of the class of any export is not known.
fn names_hint(package: &ZenPackage<'_>) -> Option<&'static str> {
    let mut exports = package.exports().flatten();
    let is_unknown = |class: ObjectIndex| package.object_name(class).is_none() && !class.is_null();
    exports.any(|export| is_unknown(export.class)).then_some(
        "the package states its classes as hashes: mappings (--mappings FILE.usmap) or the table of \
         script objects (--script-objects global.ucas) contain the names of the engine's classes",
    )
}

fn tables<W: Write>(
    files: &Files,
    package: &ZenPackage<'_>,
    rows: usize,
    out: &mut W,
) -> io::Result<()> {
    let name = package.long_name().map(|name| format!(" {}", escaped(name)));
    writeln!(out, "{}{}", Styled(BOLD, "package"), name.unwrap_or_default())?;
    field(out, "container", format_args!("IoStore, header of engine {}", engines(package)))?;
    field(out, "version", version(package, files.engine.is_some()))?;
    let summary = package.summary();
    let flags: Vec<_> = package_flags::names(summary.package_flags).collect();
    let flags = format!("{:#x} {}", summary.package_flags, flags.join(" "));
    field(out, "flags", flags.trim_end())?;
    let header = Count(package.header_size(), "byte");
    let size = Count(files.header.len() as u64, "byte");
    field(out, "size", format_args!("{size}, header {header}"))?;
    wrapping(files, out)?;
    field(out, "names", package.names().len())?;
    imports(package, rows, out)?;
    exports(package, rows, out)?;
    packages(package, rows, out)?;
    out.flush()
}

/// Describes the version of the package. `is_supplied` is `true` if the command line or the
/// mappings state one.
fn version(package: &ZenPackage<'_>, is_supplied: bool) -> String {
    let versions = package.layout().versions;
    match (package.versions(), package.has_version()) {
        (Some(stated), _) => format!("{versions} (Zen version {})", stated.zen_version),
        (None, true) if is_supplied => format!("{versions}, as supplied"),
        (None, true) => format!("{versions}, inferred from the header"),
        (None, false) => "not stated".into(),
    }
}

fn imports<W: Write>(package: &ZenPackage<'_>, most: usize, out: &mut W) -> io::Result<()> {
    let rows = || {
        package.imports().flatten().zip(0_u32..).map(|(import, index)| {
            let index = PackageIndex::from(Object::Import(index));
            [Cell(DIM, index.0.to_string()), Cell(PLAIN, cell(package.path_of(import)))]
        })
    };
    table("imports", ["index", "path"], package.imports().len(), rows, most, out)
}

fn exports<W: Write>(package: &ZenPackage<'_>, most: usize, out: &mut W) -> io::Result<()> {
    let rows = || {
        package.exports().flatten().zip(0_u32..).map(|(export, index)| {
            let number = PackageIndex::from(Object::Export(index)).0;
            let class = package.class_name(&export);
            let offset = package.export_offset(index);
            let path = package.path_of(ObjectIndex(index.into()));
            [
                Cell(DIM, number.to_string()),
                Cell(TYPE, class.map_or_else(|| "?".into(), cell)),
                Cell(PLAIN, offset.map_or_else(|_| "?".into(), |offset| offset.to_string())),
                Cell(PLAIN, export.serial_size.to_string()),
                Cell(PLAIN, cell(path)),
            ]
        })
    };
    let heads = ["index", "class", "offset", "size", "path"];
    table("exports", heads, package.exports().len(), rows, most, out)
}

fn packages<W: Write>(package: &ZenPackage<'_>, most: usize, out: &mut W) -> io::Result<()> {
    let Ok(packages) = package.imported_packages() else { return Ok(()) };
    let rows = || packages.flatten().map(|name| [Cell(PLAIN, cell(name))]);
    table("imported packages", ["package"], packages.len(), rows, most, out)
}

/// Prints a summary of a package, its problems, and the parts of it that are not decoded. Returns
/// `true` if it has no problems; with `strict`, only if everything is decoded, too.
pub fn check<W: Write>(
    files: &Files,
    package: &ZenPackage<'_>,
    strict: bool,
    out: &mut W,
    line: impl Fn(&mut W, bool, &str) -> io::Result<()>,
) -> io::Result<bool> {
    let mut problems = Vec::new();
    let sound = package.verify(|problem| problems.push(problem));
    let mut unread: Vec<_> = files.ignored_version(files.stated_version(package)).collect();
    if sound && package.has_version() {
        unread.extend(Unread::of_zen(package).into_lines());
    }
    if let (true, Some(text)) = (sound, version_hint(package)) {
        unread.push(format!("not decoded: the properties: {text}"));
    }
    let ok = sound && (unread.is_empty() || !strict);
    line(out, ok, &description(package))?;
    for problem in &problems {
        let text = format!("{}: {}", problem.table, Refusal(&problem.error));
        writeln!(out, "  {} {text}", Styled(ERROR, "error:"))?;
    }
    super::check::print_unread(&unread, strict, out)?;
    if let Some(hint) = names_hint(package) {
        writeln!(out, "  {} {hint}", Styled(HINT, "hint:"))?;
    }
    Ok(ok)
}

fn description(package: &ZenPackage<'_>) -> String {
    let count = |count: usize, what: &'static str| Count(count as u64, what);
    let kind = Styled(TYPE, "package");
    let version: &dyn Display = match package.has_version() {
        true => &package.layout().versions,
        false => &"without a version",
    };
    format!(
        "{kind} {version} from an IoStore container, header of engine {}, {}, {}, {}",
        engines(package),
        count(package.names().len(), "name"),
        count(package.imports().len(), "import"),
        count(package.exports().len(), "export"),
    )
}
