use super::versions::EngineVersion;
use crate::unreal::format::ue5;
use crate::unreal::format::{StrRef, Versions, records};

records! { <'a> (this, layout)
    /// The versions of a save, which are its first fields after `GVAS`.
    struct SaveVersions {
        /// Version of the save format. Version 2 added custom versions, and version 3 added the
        /// file version of engine 5.
        save_game_version: i32;
        /// `FileVersionUE4`
        ue4_version: i32;
        /// `FileVersionUE5`
        ue5_version: i32, if this.save_game_version >= 3;
    }

    /// The fields of a save that precede the custom versions.
    struct SaveHeader<'a> {
        /// The engine that wrote the save.
        engine: EngineVersion<'a>;
        /// Format of the custom versions, which are the versions of engine subsystems. A subsystem
        /// is identified by a number in format 1 and by a GUID in formats 2 and 3. Format 2 also
        /// stores its name.
        custom_version_format: i32, if layout.table_version >= 2;
    }

    /// The fields of a save that follow the custom versions.
    struct SaveClass<'a> {
        /// Class of the save object.
        save_game_class: StrRef<'a>;
        /// Control byte before the properties; present from 5:1011 on.
        serialization_control: u8, if layout.has_ue5(ue5::PROPERTY_TAG_EXTENSION_AND_OVERRIDABLE_SERIALIZATION);
    }
}

impl SaveVersions {
    /// Returns the file versions as the save states them.
    pub fn versions(&self) -> Versions {
        Versions { ue4: self.ue4_version, ue5: self.ue5_version.unwrap_or(0) }
    }
}

impl SaveHeader<'_> {
    /// Returns the `LegacyFileVersion` of packages that use the same format for custom versions.
    /// Returns `None` if the format is unknown or the save has no custom versions.
    pub(crate) const fn legacy_form(&self) -> Option<i32> {
        match self.custom_version_format {
            Some(1) => Some(-2),
            Some(2) => Some(-5),
            Some(3) => Some(-9),
            _ => None,
        }
    }
}
