//! Detection of the format of a file by its first bytes, and search for files in folders.

use crate::args::{RemsSource, UnrealSource};
use crate::ui::input::{Input, Stop};
use crate::ui::report;
use crate::ui::text::escaped;
use crate::{rems, unreal};
use std::path::{Path, PathBuf};

/// Content of an input, by format.
pub enum DetectedInput {
    /// A package or save of Unreal Engine, with its companion files.
    Unreal(unreal::Files),
    /// A save of Rem's Engine.
    Rems(rems::File),
    /// Any other file. It should contain Godot values in the format that `--as` names.
    Other(Vec<u8>),
}

impl DetectedInput {
    /// Detects the format of an input, whose content is `bytes`. Also reads the companion files of
    /// a package of Unreal Engine.
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

/// Returns `true` if the file has one of these extensions, in any case.
pub fn has_extension(path: &Path, extensions: impl IntoIterator<Item = &'static str>) -> bool {
    let extension = path.extension().unwrap_or_default();
    extensions.into_iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Formats extensions for a message: `saves (.rem, .json)`.
pub fn describe_extensions(
    files: &str,
    extensions: impl IntoIterator<Item = &'static str>,
) -> String {
    let extensions: Vec<_> =
        extensions.into_iter().map(|extension| format!(".{extension}")).collect();
    format!("{files} ({})", extensions.join(", "))
}

/// Replaces folders in `paths` by the files in them that `is_wanted` accepts, sorted by name.
///
/// Returns the files, and `false` if a folder could not be read. `wanted` describes the accepted
/// files for the warning about a folder that contains none of them.
pub fn expand_folders(
    paths: &[PathBuf],
    is_wanted: impl Fn(&Path) -> bool,
    wanted: &str,
) -> (Vec<PathBuf>, bool) {
    let (mut files, mut ok) = (Vec::new(), true);
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
                    ok = false;
                }
            }
        }
        if files.len() == before {
            let message = format_args!("no {wanted} in this folder");
            report::warning(&escaped(path.display()), message);
        }
    }
    (files, ok)
}
