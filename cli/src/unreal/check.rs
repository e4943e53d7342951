use super::engines;
use super::unread::Unread;
use super::{Files, LACKS_EXPORTS, Opened, Stated, problems, zen};
use crate::ui::style::{ERROR, HINT, Styled, TYPE, WARNING};
use crate::ui::text::{Count, escaped};
use gamewire::unreal::{Package, Problem, Save};
use std::io::{self, Write};

/// Prints a summary of a package or save, its problems, and the parts of it that are not decoded.
/// Returns `true` if it has no problems; with `strict`, only if everything is decoded, too. `line`
/// must print a verdict followed by a description.
pub fn check<W: Write>(
    files: &Files,
    strict: bool,
    out: &mut W,
    line: impl Fn(&mut W, bool, &str) -> io::Result<()>,
) -> io::Result<bool> {
    let opened = match files.open() {
        Ok(Opened::Package(package)) => {
            return check_package(files, &package, strict, out, line);
        }
        Ok(Opened::Zen(package)) => return zen::check(files, &package, strict, out, line),
        Ok(Opened::Save(save)) => Unread::of_save(&save).map(|unread| {
            let mut lines: Vec<_> = files.ignored_version(save.versions().versions()).collect();
            lines.extend(unread.into_lines());
            (describe_save(&save) + &wrapping(files), lines)
        }),
        Err(error) => Err(error),
    };
    match opened {
        Ok((description, unread)) => {
            let ok = unread.is_empty() || !strict;
            line(out, ok, &description)?;
            print_unread(&unread, strict, out)?;
            Ok(ok)
        }
        Err(error) => {
            line(out, false, &problems::describe(&error))?;
            if files.is_unversioned_package() {
                suggest_engines(&files.fitting_engines(), out)?;
            }
            Ok(false)
        }
    }
}

fn check_package<W: Write>(
    files: &Files,
    package: &Package<'_>,
    strict: bool,
    out: &mut W,
    line: impl Fn(&mut W, bool, &str) -> io::Result<()>,
) -> io::Result<bool> {
    let mut problems = Vec::new();
    let mut sound = package.verify(|problem| problems.push(problem));
    // Without the exports, no version fits.
    let may_fit = package.versions().is_unversioned() && !package.lacks_exports();
    let engines = match may_fit && !problems.is_empty() {
        true => files.fitting_engines(),
        false => Vec::new(),
    };
    // Tools that convert packages leave gaps between the tables. But if there are no gaps when the
    // tables are read with a different version, the supplied version is wrong.
    sound &= engines.is_empty();
    let mut unread = Vec::new();
    unread.extend(files.ignored_version(package.versions().versions()));
    if sound {
        unread.extend(problems.drain(..).map(|problem| describe(&problem)));
        unread.extend(Unread::of_package(package).into_lines());
    }
    let ok = sound && (unread.is_empty() || !strict);
    line(out, ok, &(description(package) + &wrapping(files)))?;
    for problem in &problems {
        writeln!(out, "  {} {}", Styled(ERROR, "error:"), describe(problem))?;
    }
    print_unread(&unread, strict, out)?;
    if package.lacks_exports() {
        writeln!(out, "  {} {LACKS_EXPORTS}", Styled(HINT, "hint:"))?;
    }
    suggest_engines(&engines, out)?;
    Ok(ok)
}

fn describe(problem: &Problem) -> String {
    format!("{}: {}", problem.table, problems::describe(&problem.error))
}

/// Prints what is not decoded, as warnings, or as errors if the check is strict.
pub fn print_unread(lines: &[String], strict: bool, out: &mut impl Write) -> io::Result<()> {
    let label = if strict { Styled(ERROR, "error:") } else { Styled(WARNING, "warning:") };
    lines.iter().try_for_each(|text| writeln!(out, "  {label} {text}"))
}

/// Prints a hint that names the engine versions with which the tables of an unversioned package can
/// be read.
fn suggest_engines(engines: &[String], out: &mut impl Write) -> io::Result<()> {
    let Some(engines) = engines::listed(engines) else { return Ok(()) };
    writeln!(out, "  {} its tables fit --unreal-version {engines}", Styled(HINT, "hint:"))
}

/// Returns the end of a description, which says what the file is wrapped in. It is empty if the
/// file has no wrapper.
fn wrapping(files: &Files) -> String {
    files.wrapping().map(|wrapping| format!(", wrapped ({wrapping})")).unwrap_or_default()
}

fn describe_save(save: &Save<'_>) -> String {
    let versions = Stated(save.versions().versions(), save.layout().versions);
    let engine = save.header().engine;
    let class = escaped(save.class().save_game_class);
    let properties = Count(save.properties().flatten().count() as u64, "property");
    let saved_by = format!(" by engine {}.{}.{}", engine.major, engine.minor, engine.patch);
    format!("{} {versions}{saved_by}, {class}, {properties}", Styled(TYPE, "save"))
}

fn description(package: &Package<'_>) -> String {
    let summary = package.summary();
    let count = |count: i32, what| Count(u64::try_from(count).unwrap_or_default(), what);
    let versions = Stated(package.versions().versions(), package.layout().versions);
    let engine = summary.saved_by_engine;
    let saved_by = match (package.versions().is_unversioned(), engine.major) {
        (true, _) => " as supplied".into(),
        (_, 0) => String::new(),
        _ => format!(" by engine {}.{}.{}", engine.major, engine.minor, engine.patch),
    };
    format!(
        "{} {versions}{saved_by}, {}, {}, {}",
        Styled(TYPE, "package"),
        count(summary.name_count, "name"),
        count(summary.import_count, "import"),
        count(summary.export_count, "export"),
    )
}
