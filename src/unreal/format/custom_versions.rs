use super::guid::Guid;
use super::versions::Versions;

macro_rules! custom {
    ($($(#[$doc:meta])* $name:ident = $a:literal $b:literal $c:literal $d:literal;)*) => {
        /// Custom versions (versions of engine subsystems) that affect the layout; −1 for a
        /// subsystem whose version the file does not state.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct KnownCustomVersions {
            $( $(#[$doc])* pub $name: i32, )*
        }

        impl KnownCustomVersions {
            /// The value for a file without custom versions.
            pub(crate) const NONE: Self = Self { $( $name: -1, )* };

            /// The value for a file with the latest version of each subsystem.
            const LATEST: Self = Self { $( $name: i32::MAX, )* };

            /// Selects the versions with known GUIDs from the GUIDs and versions of a file.
            pub(crate) fn select(versions: impl Iterator<Item = (Guid, i32)>) -> Self {
                let mut found = Self::NONE;
                for (guid, version) in versions {
                    match guid {
                        $( Guid([$a, $b, $c, $d]) => found.$name = version, )*
                        _ => {}
                    }
                }
                found
            }
        }
    };
}
custom! {
    /// `FCoreObjectVersion`
    core = 0x375EC13C 0x06E448FB 0xB50084F0 0x262A717E;
    /// `FEditorObjectVersion`
    editor = 0xE4B068ED 0xF49442E9 0xA231DA0B 0x2E46BB41;
    /// `FFrameworkObjectVersion`
    framework = 0xCFFC743F 0x43B04480 0x939114DF 0x171D2073;
    /// `FReleaseObjectVersion`
    release = 0x9C54D522 0xA8264FBE 0x94210746 0x61B482D0;
    /// `FBlueprintsObjectVersion`
    blueprints = 0xB0D832E4 0x1F894F0D 0xACCF7EB7 0x36FD4AA2;
    /// `FAnimPhysObjectVersion`
    anim_phys = 0x29E575DD 0xE0A34627 0x9D10D276 0x232CDCEA;
    /// `FFortniteMainBranchObjectVersion`
    fortnite_main = 0x601D1886 0xAC644F84 0xAA16D3DE 0x0DEAC7D6;
    /// `FUE5ReleaseStreamObjectVersion`
    ue5_release = 0xD89B5E42 0x24BD4D46 0x8412ACA8 0xDF641779;
    /// `FUE5MainStreamObjectVersion`
    ue5_main = 0x697DD581 0xE64F41AB 0xAA4A51EC 0xBEB7B628;
    /// `FSequencerObjectVersion`
    sequencer = 0x7B5AE74C 0xD2704C10 0xA9585798 0x0B212A5A;
    /// `FNiagaraCustomVersion`
    niagara = 0xFCF57AFA 0x50764283 0xB9A9E658 0xFFA02D32;
    /// `FNiagaraObjectVersion`
    niagara_object = 0xF2AED0AC 0x9AFE416F 0x8664AA7F 0xFA26D6FC;
    /// `FControlRigObjectVersion`
    control_rig = 0xA7820CFB 0x20A74359 0x8C542C14 0x9623CF50;
    /// `FRigVMObjectVersion`
    rig_vm = 0xDC49959B 0x53C04DE7 0x9156EA88 0x5E7C5D39;
    /// `FInstancedStructCustomVersion`
    instanced_struct = 0xE21E1CAA 0xAF47425E 0x89BF6AD4 0x4C44A8BB;
}

impl KnownCustomVersions {
    /// Returns the custom versions that the engine with these file versions writes. They are used
    /// for files that do not state their versions. The numbers come from files that these engines
    /// wrote. A subsystem that is not listed here is assumed to have its latest version. If several
    /// engines write the same file versions, the newest of these engines determines the numbers.
    pub(crate) const fn latest_of(versions: Versions) -> Self {
        let Versions { ue4, ue5 } = versions;
        Self {
            core: match ue4 {
                ..504 => -1,
                504..510 => 1,
                510..517 => 2,
                517 => 3,
                _ => 4,
            },
            editor: match ue4 {
                ..505 => -1,
                505..508 => 6,
                508..510 => 8,
                510..513 => 14,
                513..516 => 20,
                516 => 23,
                517 => 34,
                518..522 => 38,
                _ => 40,
            },
            release: match ue4 {
                ..517 => -1,
                517 => 23,
                518..522 => 30,
                _ => 43,
            },
            fortnite_main: match (ue4, ue5) {
                (_, 1018..) => 268,
                (_, 1017) => 207,
                (_, 1013..) => 170,
                (_, 1012) => 134,
                (_, 1009..) => 83,
                (_, 1000..) => 59,
                (522.., _) => 47,
                (517.., _) => 27,
                (516, _) => 1,
                _ => -1,
            },
            ue5_release: match ue5 {
                1000.. => 36,
                _ => -1,
            },
            ..Self::LATEST
        }
    }
}

/// Versions of `FCoreObjectVersion` that changed the format.
pub(crate) mod core_object {
    /// Inputs of materials have native serialization.
    pub const MATERIAL_INPUT_NATIVE_SERIALIZE: i32 = 1;
}

/// Versions of `FAnimPhysObjectVersion` that changed the format.
pub(crate) mod anim_phys {
    /// Smart names no longer have a number.
    pub const REMOVE_UID_FROM_SMART_NAME_SERIALIZE: i32 = 5;
    /// Smart names no longer have a GUID.
    pub const SMART_NAME_REFACTOR_FOR_DETERMINISTIC_COOKING: i32 = 10;
}

/// Versions of `FBlueprintsObjectVersion` that changed the format.
pub(crate) mod blueprints {
    /// Pins can be sets and maps.
    pub const ADVANCED_CONTAINER_SUPPORT: i32 = 6;
}

/// Versions of `FFrameworkObjectVersion` that changed the format.
pub(crate) mod framework {
    /// Types of pins have a number for the kind of container.
    pub const PIN_CONTAINER_TYPE: i32 = 26;
    /// Types of pins have names instead of strings.
    pub const PINS_STORE_FNAME: i32 = 31;
}

/// Versions of `FSequencerObjectVersion` that changed the format.
pub(crate) mod sequencer {
    /// Segments have an identifier.
    pub const EVALUATION_TREE: i32 = 6;
    /// Ranges are in frames instead of seconds.
    pub const FLOAT_TO_INT_CONVERSION: i32 = 7;
    /// Keys of curves have native serialization.
    pub const SERIALIZE_FLOAT_CHANNEL: i32 = 10;
    /// Curves have native serialization, and their keys are stored as in memory.
    pub const SERIALIZE_FLOAT_CHANNEL_COMPLETELY: i32 = 12;
}

/// Versions of `FNiagaraCustomVersion` that changed the format.
pub(crate) mod niagara {
    /// The GPU parameters of data interfaces list the generated functions.
    pub const SERIALIZE_GENERATED_FUNCTIONS: i32 = 55;
    /// Variables have native serialization.
    pub const VARIABLES_USE_TYPE_DEF_REGISTRY: i32 = 64;
}

/// Versions of `FNiagaraObjectVersion` that changed the format.
pub(crate) mod niagara_object {
    /// Regions of skeletal meshes list their vertices.
    pub const SKELETAL_MESH_VERTEX_SAMPLING: i32 = 1;
}

/// Versions of `FEditorObjectVersion` that changed the format.
pub(crate) mod editor {
    /// Fonts can be assets, and the data of a font have native serialization.
    pub const ADDED_FONT_FACE_ASSETS: i32 = 9;
    /// Identifiers of tracks have native serialization.
    pub const MOVIE_SCENE_META_DATA: i32 = 19;
    /// Arguments of blueprint formats have a type.
    pub const TEXT_FORMAT_ARGUMENT_DATA_IS_VARIANT: i32 = 5;
    /// Number options have a flag for the plus sign.
    pub const ALWAYS_SIGN_NUMBER_OPTION: i32 = 21;
    /// Texts without a history can have a culture-invariant string.
    pub const CULTURE_INVARIANT_TEXT: i32 = 32;
}

/// Versions of `FReleaseObjectVersion` that changed the format.
pub(crate) mod release {
    /// Parameters of events have a soft reference to their struct.
    pub const EVENT_PARAMETERS_SOFT_PATH: i32 = 8;
    /// Types of pins have a flag for wrappers of objects.
    pub const PIN_TYPE_INCLUDES_UOBJECT_WRAPPER_FLAG: i32 = 32;
    /// Field paths have an owner.
    pub const FIELD_PATH_OWNER: i32 = 30;
}

/// Versions of `FFortniteMainBranchObjectVersion` that changed the format.
pub(crate) mod fortnite_main {
    /// The position of a world tile has a third coordinate.
    pub const WORLD_COMPOSITION_TILE_3D_OFFSET: i32 = 1;
    /// Field paths have an owner.
    pub const FIELD_PATH_OWNER: i32 = 33;
    /// Curves have a flag for whether the editor shows them.
    pub const SERIALIZE_FLOAT_CHANNEL_SHOW_CURVE: i32 = 53;
    /// Color inputs of materials store their constant as a linear color.
    pub const MATERIAL_INPUT_USES_LINEAR_COLOR: i32 = 171;
    /// Sub-paths of soft object paths are UTF-8.
    pub const SOFT_OBJECT_PATH_UTF8_SUB_PATHS: i32 = 192;
    /// Texts have notes for translators.
    pub const TEXT_DEV_NOTES: i32 = 260;
}

/// Versions of `FUE5ReleaseStreamObjectVersion` that changed the format.
pub(crate) mod ue5_release {
    /// Types of pins have a flag for single-precision numbers.
    pub const SERIALIZE_FLOAT_PIN_SUBCATEGORY: i32 = 36;
    /// Integer arguments of blueprint formats have 64 bits.
    pub const TEXT_FORMAT_ARGUMENT_DATA_64_BIT: i32 = 12;
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in tests")]
mod tests {
    use super::*;

    /// Checks that engines that share a file version have the values of the newest of them.
    #[test]
    fn subsystems_of_engines() {
        let engines = [
            ((4, 11), [-1, -1, -1, -1, -1]),
            ((4, 12), [1, -1, -1, -1, -1]),
            ((4, 13), [1, 6, -1, -1, -1]),
            ((4, 14), [1, 8, -1, -1, -1]),
            ((4, 15), [2, 14, -1, -1, -1]),
            ((4, 16), [2, 20, -1, -1, -1]),
            ((4, 17), [2, 20, -1, -1, -1]),
            ((4, 18), [2, 20, -1, -1, -1]),
            ((4, 20), [2, 23, -1, 1, -1]),
            ((4, 23), [3, 34, 23, 27, -1]),
            ((4, 25), [4, 38, 30, 27, -1]),
            ((4, 27), [4, 40, 43, 47, -1]),
            ((5, 0), [4, 40, 43, 59, 36]),
            ((5, 1), [4, 40, 43, 59, 36]),
            ((5, 2), [4, 40, 43, 83, 36]),
            ((5, 3), [4, 40, 43, 83, 36]),
            ((5, 4), [4, 40, 43, 134, 36]),
            ((5, 5), [4, 40, 43, 170, 36]),
            ((5, 6), [4, 40, 43, 207, 36]),
            ((5, 8), [4, 40, 43, 268, 36]),
        ];
        for ((major, minor), expected) in engines {
            let found = KnownCustomVersions::latest_of(Versions::of_engine(major, minor).unwrap());
            let KnownCustomVersions { core, editor, release, fortnite_main, ue5_release, .. } =
                found;
            let found = [core, editor, release, fortnite_main, ue5_release];
            assert_eq!(found, expected, "{major}.{minor}");
        }
    }
}
