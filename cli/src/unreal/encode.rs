//! `gamewire encode --as unreal`.

use super::write_files;
use crate::args::Encode;
use crate::ui::input::{Input, Stop};
use crate::ui::report;
use gamewire::unreal::SaveDocument;
use gamewire::unreal::edit::WrittenPackage;
use std::io::{self, Write};

/// Writes the package or save that a document states. Returns `false` after an error.
pub fn encode(args: &Encode, out: &mut impl Write) -> io::Result<bool> {
    let input = Input::new(&args.file);
    let name = input.name();
    match written(input) {
        Ok(file) => {
            let to = args.output.as_deref().map(Input::new);
            write_files(&name, &file, to, out)
        }
        Err(stop) => {
            report::error(&name, stop);
            Ok(false)
        }
    }
}

fn written(input: Input<'_>) -> Result<WrittenPackage, Stop> {
    let text = input.load()?;
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&text);
    let document: SaveDocument = serde_json::from_slice(text).map_err(Stop::input)?;
    let mut from = serde_json::Deserializer::from_slice(text);
    let header = document.write(&mut from).map_err(Stop::input)?;
    Ok(WrittenPackage { header, exports: None })
}
