//! `gamewire encode --as unreal`.

use super::{Refusal, declarations, mappings, write_files, zen};
use crate::args::Encode;
use crate::ui::input::{Input, Stop};
use crate::ui::report;
use gamewire::unreal::edit::WrittenPackage;
use gamewire::unreal::wrapper;
use gamewire::unreal::{PackageDocument, SaveDocument};
use std::io::{self, Write};

/// Writes the package or save that a document describes. Returns `false` after an error.
pub fn encode(args: &Encode, out: &mut impl Write) -> io::Result<bool> {
    let input = Input::new(&args.file);
    let name = input.name();
    let to = args.output.as_deref().map(Input::new);
    match written(args, input, to.filter(|to| !to.is_stdin())) {
        Ok(file) => write_files(&name, &file, to, out),
        Err(stop) => {
            report::error(&name, stop);
            Ok(false)
        }
    }
}

fn written(args: &Encode, input: Input<'_>, to: Option<Input<'_>>) -> Result<WrittenPackage, Stop> {
    let mappings = args.mappings.map(mappings::given).transpose()?;
    let text = input.load()?;
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&text);
    let mut from = serde_json::Deserializer::from_slice(text);
    let Outline { kind, wrapper } = serde_json::from_slice(text).map_err(Stop::input)?;
    let written = match kind.ok_or_else(|| Stop::input(NO_DOCUMENT))? {
        Kind::Package => {
            let document: PackageDocument = serde_json::from_slice(text).map_err(Stop::input)?;
            match mappings {
                Some(loaded) => {
                    let near = to.unwrap_or(input);
                    let mappings =
                        declarations::extended_for(&document, loaded, near, args.declarations)?;
                    document.write_with_mappings(&mut from, mappings)
                }
                None => document.write(&mut from),
            }
        }
        Kind::ZenPackage => return Err(Stop::input(zen::READ_ONLY)),
        Kind::Save => serde_json::from_slice::<SaveDocument>(text)
            .and_then(|document| document.write(&mut from))
            .map(|header| WrittenPackage { header, exports: None }),
    };
    let mut written = written.map_err(Stop::input)?;
    if let Some(wrapper) = wrapper {
        let wrapped = wrapper.wrap(&written.header);
        written.header = wrapped.map_err(|error| Stop::input(Refusal(&error)))?.into_owned();
    }
    Ok(written)
}

const NO_DOCUMENT: &str =
    "this is not a document of a package or save, as `gamewire json` prints them";

/// The members of a document that are read before its content: the kind of file, and the wrapper.
#[derive(serde::Deserialize)]
struct Outline {
    kind: Option<Kind>,
    wrapper: Option<wrapper::Document>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Package,
    Save,
    ZenPackage,
}
