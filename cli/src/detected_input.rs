//! What an input turns out to be.

use crate::args::{RemsSource, UnrealSource};
use crate::ui::input::{Input, Stop};
use crate::ui::report;
use crate::ui::text::escaped;
use crate::{rems, unreal};
use std::path::{Path, PathBuf};

/// An input that says itself what it is; or bytes that FORMAT is for.
pub enum DetectedInput {
    /// A package or save, with what lies beside it.
    Unreal(unreal::Files),
    /// A save of Rem's Engine.
    Rems(rems::File),
    Other(Vec<u8>),
}

impl DetectedInput {
    /// What the bytes of an input are.
    pub fn detect(
        input: Input<'_>,
        bytes: Vec<u8>,
        unreal: UnrealSource,
        rems: RemsSource,
    ) -> Result<Self, Stop> {
        Ok(match unreal::Files::load(input, bytes, unreal.engine)? {
            Ok(files) => Self::Unreal(files),
            Err(bytes) => match rems::File::open(bytes, rems.era) {
                Ok(file) => Self::Rems(file),
                Err(bytes) => Self::Other(bytes),
            },
        })
    }
}

/// Whether the name of a file ends in one of these.
pub fn has_extension(path: &Path, endings: impl IntoIterator<Item = &'static str>) -> bool {
    let ending = path.extension().unwrap_or_default();
    endings.into_iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// How files in folders are called that are looked at: `saves (.rem, .json)`.
pub fn describe_extensions(what: &str, endings: impl IntoIterator<Item = &'static str>) -> String {
    let endings: Vec<_> = endings.into_iter().map(|ending| format!(".{ending}")).collect();
    format!("{what} ({})", endings.join(", "))
}

/// Files in folders, in order; what is no folder stays. Whether all folders could be searched.
/// `is_wanted` asks for what is said to be `sought`.
pub fn expand_folders(
    paths: &[PathBuf],
    is_wanted: impl Fn(&Path) -> bool,
    sought: &str,
) -> (Vec<PathBuf>, bool) {
    let (mut files, mut fine) = (Vec::new(), true);
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        for entry in walkdir::WalkDir::new(path).sort_by_file_name() {
            match entry {
                Ok(entry) if entry.file_type().is_file() && is_wanted(entry.path()) => {
                    files.push(entry.into_path());
                }
                Ok(_) => {}
                Err(error) => {
                    report::error(&escaped(path.display()), escaped(error));
                    fine = false;
                }
            }
        }
        if files.len() == before {
            let message = format_args!("no {sought} in this folder");
            report::warning(&escaped(path.display()), message);
        }
    }
    (files, fine)
}
