use super::{Files, LACKS_EXPORTS, Opened, Refusal};
use crate::ui::report;
use crate::ui::style::{ERROR, HINT, Styled, TYPE, WARNING};
use crate::ui::text::{Count, escaped};
use gamewire::unreal::{Object, Package, PackageIndex, Save};
use std::io::{self, Write};

/// Maximum number of exports with unreadable properties that the output names.
const NAMED: usize = 3;

/// Prints a summary of a package or save, and its problems. Returns `true` if it has no problems.
/// `line` must print a verdict followed by a description.
pub fn check<W: Write>(
    files: &Files,
    out: &mut W,
    line: impl Fn(&mut W, bool, &str) -> io::Result<()>,
) -> io::Result<bool> {
    let opened = match files.open() {
        Ok(Opened::Package(package)) => return check_package(&package, out, line),
        Ok(Opened::Save(save)) => save.trailer().map(|_| describe_save(&save)),
        Err(error) => Err(error),
    };
    match &opened {
        Ok(description) => line(out, true, description)?,
        Err(error) => {
            line(out, false, &format!("{}{}", Refusal(error), report::kind_name(error.kind())))?
        }
    }
    Ok(opened.is_ok())
}

fn check_package<W: Write>(
    package: &Package<'_>,
    out: &mut W,
    line: impl Fn(&mut W, bool, &str) -> io::Result<()>,
) -> io::Result<bool> {
    let mut problems = Vec::new();
    let ok = package.verify(|problem| problems.push(problem));
    line(out, ok, &description(package))?;
    for problem in &problems {
        let error = &problem.error;
        let text = format_args!(
            "{}: {}{}",
            problem.table,
            Refusal(error),
            report::kind_name(error.kind())
        );
        writeln!(out, "  {} {text}", Styled(ERROR, "error:"))?;
    }
    if package.lacks_exports() {
        writeln!(out, "  {} {LACKS_EXPORTS}", Styled(HINT, "hint:"))?;
    } else if ok {
        properties(package, out)?;
    }
    Ok(ok)
}

/// Warns about exports whose properties cannot be read to their end. This is not an error, since
/// some classes write further bytes in their own format.
fn properties(package: &Package<'_>, out: &mut impl Write) -> io::Result<()> {
    let exports = package.exports().flatten().zip(0_u32..);
    let unread = exports.filter_map(|(export, index)| {
        let object = package.properties(&export).transpose()?;
        let error = object.and_then(|object| object.tail().map(drop)).err()?;
        Some((PackageIndex::from(Object::Export(index)), error))
    });
    let unread: Vec<_> = unread.collect();
    for (index, error) in unread.iter().take(NAMED) {
        let path = escaped(format_args!("{:#}", package.path_of(*index)));
        let text = format_args!("properties of export {} ({path}): {}", index.0, Refusal(error));
        writeln!(out, "  {} {text}", Styled(WARNING, "warning:"))?;
    }
    match unread.len().saturating_sub(NAMED) {
        0 => Ok(()),
        more => writeln!(out, "  {} and {more} more exports", Styled(WARNING, "warning:")),
    }
}

fn describe_save(save: &Save<'_>) -> String {
    let (versions, engine) = (save.layout().versions, save.header().engine);
    let class = escaped(save.class().save_game_class);
    let properties = Count(save.properties().flatten().count() as u64, "property");
    let saved_by = format!(" by engine {}.{}.{}", engine.major, engine.minor, engine.patch);
    format!("{} {versions}{saved_by}, {class}, {properties}", Styled(TYPE, "save"))
}

fn description(package: &Package<'_>) -> String {
    let summary = package.summary();
    let count = |count: i32, what| Count(u64::try_from(count).unwrap_or_default(), what);
    let (versions, engine) = (package.layout().versions, summary.saved_by_engine);
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
