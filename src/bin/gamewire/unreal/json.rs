use super::{Files, LACKS_EXPORTS, Opened, Refusal, Supplied};
use crate::input::Stop;
use crate::report;
use std::io::{self, Write};

/// Prints a package or save as a document; whether all of it could be read.
pub fn print<W: Write>(
    name: &str,
    files: &Files,
    engine: Option<Supplied>,
    out: &mut W,
) -> Result<bool, Stop> {
    let package = match files.open(engine).map_err(|error| Stop::input(Refusal(&error)))? {
        Opened::Package(package) => package,
        Opened::Save(save) => {
            document(&save, out).map_err(Stop::Output)?;
            return save.trailer().map(|_| true).map_err(|error| Stop::input(Refusal(&error)));
        }
    };
    document(&package, out).map_err(Stop::Output)?;
    let fine = package.verify(|problem| {
        let error = Refusal(&problem.error);
        report::error(name, format_args!("{}: {error}", problem.table));
    });
    if package.lacks_exports() {
        report::hint(LACKS_EXPORTS);
    }
    Ok(fine)
}

fn document(of: &impl serde::Serialize, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, of)?;
    out.write_all(b"\n")?;
    out.flush()
}
