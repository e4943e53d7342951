use super::{Files, LACKS_EXPORTS, Opened, Refusal, report_problem};
use crate::ui::input::Stop;
use crate::ui::report;
use erased_serde::Serialize;
use std::io::{self, Write};

/// Prints a package or save as a document. For a file that cannot be opened, prints its readable
/// part. Returns `true` if the document is complete.
pub fn print<W: Write>(name: &str, files: &Files, out: &mut W) -> Result<bool, Stop> {
    let package = match files.open() {
        Err(error) => {
            document(&files.unopened(error), out).map_err(Stop::Output)?;
            return Err(Stop::input(Refusal(&error)));
        }
        Ok(Opened::Package(package)) => package,
        Ok(Opened::Save(save)) => {
            document(&save, out).map_err(Stop::Output)?;
            files.report_version(name);
            return save.trailer().map(|_| true).map_err(|error| Stop::input(Refusal(&error)));
        }
    };
    document(&package, out).map_err(Stop::Output)?;
    let mut ok = package.verify(|problem| report_problem(name, &problem));
    ok &= files.report_version(name);
    if package.lacks_exports() {
        report::hint(LACKS_EXPORTS);
    }
    Ok(ok)
}

fn document(of: &dyn Serialize, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, of)?;
    out.write_all(b"\n")?;
    out.flush()
}
