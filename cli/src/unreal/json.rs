use super::{Files, LACKS_EXPORTS, Opened, Refusal, report_problem, zen};
use crate::args::Json;
use crate::ui::indented;
use crate::ui::input::Stop;
use crate::ui::report;
use erased_serde::Serialize;
use gamewire::unreal::BytesForm;
use gamewire::unreal::wrapper;
use std::io::{self, BufWriter, Write};

/// Prints a package or save as a document. For a file that cannot be opened, prints its readable
/// part. Returns `true` if the document is complete.
pub fn print<W: Write>(args: &Json, name: &str, files: &Files, out: &mut W) -> Result<bool, Stop> {
    let bytes = args.bytes.map_or(BytesForm::List, BytesForm::from);
    let package = match files.open() {
        Err(error) => {
            document(&files.unopened(error), None, out).map_err(Stop::Output)?;
            return Err(Stop::input(Refusal(&error)));
        }
        Ok(Opened::Package(package)) => package.with_bytes(bytes),
        Ok(Opened::Zen(package)) => {
            let package = package.with_bytes(bytes);
            document(&package, files.wrapper_document(), out).map_err(Stop::Output)?;
            let mut ok = package.verify(|problem| report_problem(name, &problem));
            ok &= files.report_version(name);
            zen::hint(&package);
            return Ok(ok);
        }
        Ok(Opened::Save(save)) => {
            let save = save.with_bytes(bytes);
            document(&save, files.wrapper_document(), out).map_err(Stop::Output)?;
            files.report_version(name);
            return save.trailer().map(|_| true).map_err(|error| Stop::input(Refusal(&error)));
        }
    };
    document(&package.document(), files.wrapper_document(), out).map_err(Stop::Output)?;
    let mut ok = package.verify(|problem| report_problem(name, &problem));
    ok &= files.report_version(name);
    if package.lacks_exports() {
        report::hint(LACKS_EXPORTS);
    }
    Ok(ok)
}

/// A document, with the wrapper of its file as an additional member.
#[derive(serde::Serialize)]
struct Wrapped<'d> {
    #[serde(flatten)]
    document: &'d dyn Serialize,
    wrapper: wrapper::Document,
}

/// Prints a document, with the wrapper of its file if there is one.
pub(super) fn document(
    document: &impl serde::Serialize,
    wrapper: Option<wrapper::Document>,
    out: &mut impl Write,
) -> io::Result<()> {
    // Most writes have a few bytes, which are copied faster to a buffer of a known type.
    let mut out = BufWriter::new(out);
    match wrapper {
        Some(wrapper) => indented::write(&mut out, &Wrapped { document, wrapper })?,
        None => indented::write(&mut out, document)?,
    }
    out.write_all(b"\n")?;
    out.flush()
}
