use super::{Files, LACKS_EXPORTS, Refusal, Supplied, plain};
use crate::style::{DIM, ERROR, HINT, Styled, TYPE};
use crate::text::Count;
use gamewire::unreal::{Error, Package};
use std::io::{self, Write};

/// Prints what a package is, and what of it cannot be read; whether it is fine. `line` prints
/// a verdict and what stands behind it.
pub fn check<W: Write>(
    files: &Files,
    engine: Option<Supplied>,
    out: &mut W,
    line: impl Fn(&mut W, bool, &str) -> io::Result<()>,
) -> io::Result<bool> {
    let package = match files.open(engine) {
        Ok(package) => package,
        Err(error) => {
            line(out, false, &format!("{}{}", Refusal(&error), kind_name(&error)))?;
            return Ok(false);
        }
    };
    let mut problems = Vec::new();
    let fine = package.verify(|problem| problems.push(problem));
    line(out, fine, &description(&package))?;
    for problem in &problems {
        let error = &problem.error;
        let text = format_args!("{}: {}{}", problem.table, Refusal(error), kind_name(error));
        writeln!(out, "  {} {text}", Styled(ERROR, "error:"))?;
    }
    if package.lacks_exports() {
        writeln!(out, "  {} {LACKS_EXPORTS}", Styled(HINT, "hint:"))?;
    }
    Ok(fine)
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

/// The error's name in the library: for scripts, and for looking it up.
fn kind_name(error: &Error) -> String {
    let name = format!("{:?}", error.kind());
    let name: String = name.chars().take_while(char::is_ascii_alphanumeric).collect();
    Styled(DIM, format_args!("  [{}]", plain(name))).to_string()
}
