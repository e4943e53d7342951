//! The families of formats. The page loads one module for each family, when it opens the first file of
//! this family.

use gamewire::recognise::{Format, Sample, recognise_signature};

/// A family of formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Captures of traffic.
    Captures,
    /// Files of Unreal Engine.
    Unreal,
    /// Files of Godot and of Rem's Engine, and all files without a signature.
    Values,
}

impl Family {
    pub fn of(sample: &Sample<'_>) -> Self {
        match recognise_signature(sample) {
            Some(Format::Capture) => Self::Captures,
            Some(
                Format::UnrealPackage
                | Format::UnrealCompressed
                | Format::UnrealSave
                | Format::UnrealZenPackage
                | Format::UnrealPak
                | Format::UnrealToc
                | Format::UnrealLocres
                | Format::UnrealRegistry
                | Format::UnrealMappings
                | Format::UnrealWrappedSave,
            ) => Self::Unreal,
            _ => Self::Values,
        }
    }

    /// Returns the Cargo feature and the name of the module that reads this family.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Captures => "captures",
            Self::Unreal => "unreal",
            Self::Values => "values",
        }
    }
}

/// The module that finds out which of the others a file needs.
#[cfg(feature = "recognition")]
mod module {
    use super::{Family, Sample};
    use wasm_bindgen::prelude::wasm_bindgen;

    /// Returns the name of the family of a file. `head` has the first [`head_size`] bytes of the
    /// file, and `tail` the last [`tail_size`] bytes.
    #[wasm_bindgen]
    pub fn family(name: &str, head: &[u8], tail: &[u8]) -> String {
        Family::of(&Sample::ends(name, head, tail)).name().into()
    }

    #[wasm_bindgen]
    pub fn head_size() -> u32 {
        Sample::HEAD as u32
    }

    #[wasm_bindgen]
    pub fn tail_size() -> u32 {
        Sample::TAIL as u32
    }
}
