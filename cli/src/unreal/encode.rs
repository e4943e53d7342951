//! `gamewire encode --as unreal`.

use super::write_files;
use crate::args::Encode;
use crate::ui::input::{Input, Stop};
use crate::ui::report;
use gamewire::unreal::edit::WrittenPackage;
use gamewire::unreal::{PackageDocument, SaveDocument};
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::fmt;
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
    let mut from = serde_json::Deserializer::from_slice(text);
    let written = match serde_json::from_slice::<Kind>(text).map_err(Stop::input)? {
        Kind::Package => serde_json::from_slice::<PackageDocument>(text)
            .and_then(|document| document.write(&mut from)),
        Kind::Save => serde_json::from_slice::<SaveDocument>(text)
            .and_then(|document| document.write(&mut from))
            .map(|header| WrittenPackage { header, exports: None }),
    };
    written.map_err(Stop::input)
}

/// The kind of file that a document states.
enum Kind {
    Package,
    Save,
}

const NO_DOCUMENT: &str =
    "this is not a document of a package or save, which `gamewire json` prints";

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct KindVisitor;

        impl<'de> Visitor<'de> for KindVisitor {
            type Value = Kind;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a document of a package or save")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Kind, A::Error> {
                let mut kind = None;
                while let Some(key) = from.next_key::<String>()? {
                    if key != "kind" {
                        from.next_value::<IgnoredAny>()?;
                        continue;
                    }
                    kind = match &*from.next_value::<String>()? {
                        "package" => Some(Kind::Package),
                        "save" => Some(Kind::Save),
                        _ => None,
                    };
                }
                kind.ok_or_else(|| A::Error::custom(NO_DOCUMENT))
            }
        }

        from.deserialize_map(KindVisitor)
    }
}
