use super::{Files, LACKS_EXPORTS, Refusal, Supplied};
use crate::input::Stop;
use crate::report;
use std::io::{self, Write};

/// Prints a package as a document; whether all of it could be read.
pub fn print<W: Write>(
    name: &str,
    files: &Files,
    engine: Option<Supplied>,
    out: &mut W,
) -> Result<bool, Stop> {
    let package = files.open(engine).map_err(|error| Stop::input(Refusal(&error)))?;
    serde_json::to_writer_pretty(&mut *out, &package)
        .map_err(io::Error::from)
        .and_then(|()| out.write_all(b"\n"))
        .and_then(|()| out.flush())
        .map_err(Stop::Output)?;
    let fine = package.verify(|problem| {
        let error = Refusal(&problem.error);
        report::error(name, format_args!("{}: {error}", problem.table));
    });
    if package.lacks_exports() {
        report::hint(LACKS_EXPORTS);
    }
    Ok(fine)
}
