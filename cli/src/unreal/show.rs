use super::package_references::PackageReferences;
use super::{Files, LACKS_EXPORTS, Opened, Refusal, Stated, report_problem, zen};
use crate::ui::input::Stop;
use crate::ui::report;
use crate::ui::style::{BOLD, DIM, PLAIN, Styled, TYPE};
use crate::ui::table::{self, Cell, field, table};
use crate::ui::text::{Count, clipped, escaped};
use gamewire::unreal::tables::package_flags;
use gamewire::unreal::{Object, Package, PackageIndex, ReferenceKind, Save};
use std::fmt::Display;
use std::io::{self, Write};

/// Prints the tables of a package or the properties of a save. Returns `true` if all could be read.
pub fn show<W: Write>(name: &str, files: &Files, full: bool, out: &mut W) -> Result<bool, Stop> {
    let rows = if full { usize::MAX } else { table::ROWS };
    let package = match files.open() {
        Ok(Opened::Package(package)) => package,
        Ok(Opened::Zen(package)) => return zen::show(name, files, &package, rows, out),
        Ok(Opened::Save(save)) => {
            show_save(&save, files, rows, out).map_err(Stop::Output)?;
            files.report_version(name);
            return save.trailer().map(|_| true).map_err(|error| Stop::input(Refusal(&error)));
        }
        Err(error) => {
            peek(files, out).map_err(Stop::Output)?;
            return Err(Stop::input(Refusal(&error)));
        }
    };
    let mut printer = Printer { package: &package, files, rows, out };
    printer.print().map_err(Stop::Output)?;
    let mut ok = package.verify(|problem| report_problem(name, &problem));
    ok &= files.report_version(name);
    if package.lacks_exports() {
        report::hint(LACKS_EXPORTS);
    }
    Ok(ok)
}

/// Prints the versions in the summary of a package that cannot be opened.
fn peek(files: &Files, out: &mut impl Write) -> io::Result<()> {
    let header = files.content().unwrap_or(&files.header);
    if !Package::is_package(header) {
        return Ok(());
    }
    let (versions, ..) = Package::peek(header);
    writeln!(out, "{}", Styled(BOLD, "package"))?;
    let line = |out: &mut _, name, value: i32| field(out, name, value);
    line(out, "legacy version", versions.legacy_version)?;
    line(out, "UE4 version", versions.ue4_version)?;
    if let Some(version) = versions.ue5_version {
        line(out, "UE5 version", version)?;
    }
    line(out, "licensee version", versions.licensee_version)?;
    out.flush()
}

fn show_save(save: &Save<'_>, files: &Files, rows: usize, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{} {}", Styled(BOLD, "save"), escaped(save.class().save_game_class))?;
    let save_version = save.versions().save_game_version;
    let versions = Stated(save.versions().versions(), save.layout().versions);
    field(out, "version", format_args!("{versions} (save version {save_version})"))?;
    field(out, "saved by", escaped(save.header().engine))?;
    if files.wrapping().is_some() {
        field(out, "size", Count(files.header.len() as u64, "byte"))?;
        wrapping(files, out)?;
    }
    let lines = || {
        save.properties().flatten().map(|tag| {
            [
                Cell(PLAIN, tag.head().offset.to_string()),
                Cell(PLAIN, tag.head().size.to_string()),
                Cell(TYPE, cell(tag.head().of)),
                Cell(PLAIN, cell(tag.name())),
            ]
        })
    };
    let heads = ["offset", "size", "type", "name"];
    table("properties", heads, save.properties().flatten().count(), lines, rows, out)?;
    out.flush()
}

/// Prints what a file is wrapped in, and the size of its content.
pub fn wrapping(files: &Files, out: &mut impl Write) -> io::Result<()> {
    let (Some(wrapping), Ok(content)) = (files.wrapping(), files.content()) else { return Ok(()) };
    field(out, "decompressed", Count(content.len() as u64, "byte"))?;
    field(out, "wrapping", wrapping)
}

/// Formats the text of a cell. In a hostile file, many names can contain the same long text, so
/// long texts are cut off, even with `--full`.
pub fn cell(text: impl Display) -> String {
    escaped(clipped(text, MAX_CELL))
}

/// Maximum length of a cell in bytes. Engines use names of up to 1,023 characters.
const MAX_CELL: usize = 4096;

struct Printer<'p, 'a, W> {
    package: &'p Package<'a>,
    files: &'p Files,
    rows: usize,
    out: &'p mut W,
}

impl<W: Write> Printer<'_, '_, W> {
    fn print(&mut self) -> io::Result<()> {
        self.head()?;
        self.imports()?;
        self.exports()?;
        self.soft_references()?;
        self.out.flush()
    }

    fn head(&mut self) -> io::Result<()> {
        let (package, files) = (self.package, self.files);
        let (summary, versions) = (package.summary(), package.versions());
        let name = package.long_name().map(|name| format!(" {}", escaped(name)));
        writeln!(self.out, "{}{}", Styled(BOLD, "package"), name.unwrap_or_default())?;
        let supplied = if versions.is_unversioned() { ", as supplied" } else { "" };
        let legacy = versions.legacy_version;
        let hold = Stated(versions.versions(), package.layout().versions);
        field(self.out, "version", format_args!("{hold}{supplied} (legacy {legacy})"))?;
        if summary.saved_by_engine.major > 0 {
            field(self.out, "saved by", escaped(summary.saved_by_engine))?;
        }
        let order = format!("{:?}", package.layout().order).to_lowercase();
        field(self.out, "byte order", order)?;
        let flags: Vec<_> = package_flags::names(summary.package_flags).collect();
        let flags = format!("{:#x} {}", summary.package_flags, flags.join(" "));
        field(self.out, "flags", flags.trim_end())?;
        let header = Count(files.header.len() as u64, "byte");
        let beside = files.beside.iter().map(|(end, size)| format!(", {size} in the .{end}"));
        field(self.out, "size", format_args!("{header}{}", beside.collect::<String>()))?;
        wrapping(files, self.out)?;
        field(self.out, "names", summary.name_count)?;
        let mut tables = Vec::new();
        package.for_each_table(|table, records| match records {
            _ if table == "imports" || table == "exports" => {}
            Some(0) => {}
            Some(records) => tables.push(format!("{table} ({records})")),
            None => tables.push(table.into()),
        });
        field(self.out, "further tables", tables.join(", "))
    }

    fn imports(&mut self) -> io::Result<()> {
        let package = self.package;
        let rows = || {
            package.imports().flatten().zip(0_u32..).map(|(import, index)| {
                let index = PackageIndex::from(Object::Import(index));
                let class = package.name(import.class_name);
                [
                    Cell(DIM, index.0.to_string()),
                    Cell(TYPE, class.map(cell).unwrap_or_default()),
                    Cell(PLAIN, cell(package.path_of(index))),
                ]
            })
        };
        let heads = ["index", "class", "path"];
        table("imports", heads, package.imports().len(), rows, self.rows, self.out)
    }

    fn exports(&mut self) -> io::Result<()> {
        let package = self.package;
        let rows = || {
            package.exports().flatten().zip(0_u32..).map(|(export, index)| {
                let index = PackageIndex::from(Object::Export(index));
                let class = package.class_name(&export);
                [
                    Cell(DIM, index.0.to_string()),
                    Cell(TYPE, class.map(cell).unwrap_or_default()),
                    Cell(PLAIN, export.serial.offset.to_string()),
                    Cell(PLAIN, export.serial.size.to_string()),
                    Cell(PLAIN, cell(format_args!("{:#}", package.path_of(index)))),
                ]
            })
        };
        let heads = ["index", "class", "offset", "size", "path"];
        table("exports", heads, package.exports().len(), rows, self.rows, self.out)
    }

    fn soft_references(&mut self) -> io::Result<()> {
        let (references, _) = PackageReferences::of(self.package, false);
        let count = references.names(ReferenceKind::Soft).count();
        let rows = || references.names(ReferenceKind::Soft).map(|name| [Cell(PLAIN, cell(name))]);
        table("soft references", ["package"], count, rows, self.rows, self.out)
    }
}
