//! Detects the format of a file from its first bytes.

use crate::args::{RemsSource, UnrealSource};
use crate::ui::input::{Input, Stop};
use crate::{rems, unreal};
use gamewire::unreal::registry::Registry;
use std::path::Path;

/// Content of an input, by format.
pub enum DetectedInput {
    /// A package or save of Unreal Engine, with its companion files.
    Unreal(unreal::Files),
    /// Localized texts of Unreal Engine.
    Locres(Vec<u8>),
    /// The asset registry of a game of Unreal Engine.
    Registry(Vec<u8>),
    /// A save of Rem's Engine.
    Rems(rems::File),
    /// Any other file. It should contain Godot values in the format that `--as` names.
    Other(Vec<u8>),
}

impl DetectedInput {
    /// Detects the format of an input. `bytes` is its content. Also reads the companion files of a
    /// package of Unreal Engine.
    pub fn detect(
        input: Input<'_>,
        bytes: Vec<u8>,
        unreal: UnrealSource,
        rems: RemsSource,
    ) -> Result<Self, Stop> {
        Ok(match unreal::Files::load(input, bytes, unreal)? {
            Ok(files) => Self::Unreal(files),
            Err(bytes) if unreal::locres::is_locres(input, &bytes) => Self::Locres(bytes),
            Err(bytes) if Registry::is_registry(&bytes) => Self::Registry(bytes),
            Err(bytes) => match rems::File::open(bytes, rems.era) {
                Ok(file) => Self::Rems(file),
                Err(bytes) => Self::Other(bytes),
            },
        })
    }
}

/// Returns `true` if the file has one of these extensions, in upper or lower case.
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
