use super::versions::EngineVersion;
use crate::unreal::format::ue5;
use crate::unreal::format::{StrRef, records};

records! { <'a> (this, layout)
    /// The versions a save says it is in, its first fields after `GVAS`.
    struct SaveVersions {
        /// 1; with custom versions 2, with a version of engine 5 3.
        save_game_version: i32;
        /// The version that counts the changes of engine 4.
        ue4_version: i32;
        /// The version that counts the changes of engine 5.
        ue5_version: i32, if this.save_game_version >= 3;
    }

    /// What stands before the properties of a save.
    struct SaveHeader<'a> {
        /// The engine that has written it.
        engine: EngineVersion<'a>;
        /// How custom versions are written: 1 by number, 2 with names, 3 by GUID.
        custom_version_format: i32, if layout.table_version >= 2;
    }

    /// What follows the custom versions.
    struct SaveClass<'a> {
        /// The class that the engine makes of it.
        save_game_class: StrRef<'a>;
        /// The byte before the properties, from 5:1011.
        serialization_control: u8, if layout.has_ue5(ue5::PROPERTY_TAG_EXTENSION_AND_OVERRIDABLE_SERIALIZATION);
    }
}

impl SaveHeader<'_> {
    /// The legacy version of the packages that write custom versions in this form.
    pub(crate) const fn legacy_form(&self) -> Option<i32> {
        match self.custom_version_format {
            Some(1) => Some(-2),
            Some(2) => Some(-5),
            Some(3) => Some(-9),
            _ => None,
        }
    }
}
