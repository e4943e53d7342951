use super::error::ErrorKind;
use core::fmt;

/// The version numbers of a file: one counter for changes of engine 4, one for changes of engine 5.
///
/// ```
/// use gamewire::unreal::Versions;
///
/// assert_eq!(Versions::of_engine(5, 4), Some(Versions { ue4: 522, ue5: 1012 }));
/// assert_eq!(Versions::of_engine(4, 27), Some(Versions { ue4: 522, ue5: 0 }));
/// assert_eq!(Versions::of_engine(3, 0), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Versions {
    /// `FileVersionUE4`.
    pub ue4: i32,
    /// `FileVersionUE5`; 0 before engine 5.
    pub ue5: i32,
}

/// The oldest file version that current engines load. It is older than engine 4.0.
pub(crate) const OLDEST: i32 = 214;

/// The newest known versions, those of engine 5.8.
pub(crate) const NEWEST: Versions = Versions { ue4: 522, ue5: 1018 };

/// File versions of the engines 4.0, 4.1, …
const UE4: [i32; 28] = [
    342, 352, 363, 382, 385, 401, 413, 434, 451, 482, 482, 498, 504, 505, 508, 510, 513, 513, 514,
    516, 516, 517, 517, 517, 518, 518, 522, 522,
];

/// File versions of the engines 5.0, 5.1, …
const UE5: [i32; 9] = [1004, 1008, 1009, 1009, 1012, 1013, 1017, 1018, 1018];

/// The minor version of the newest known engine.
pub(super) const NEWEST_MINOR: usize = UE5.len() - 1;

impl Versions {
    /// Returns the versions of the files that an engine saves. Returns `None` for an engine other
    /// than 4.0 to 5.8.
    pub fn of_engine(major: u16, minor: u16) -> Option<Self> {
        let minor = usize::from(minor);
        match major {
            4 => Some(Self { ue4: *UE4.get(minor)?, ue5: 0 }),
            5 => Some(Self { ue4: NEWEST.ue4, ue5: *UE5.get(minor)? }),
            _ => None,
        }
    }

    /// Returns the file versions of Epic's engine on which a licensee's engine is built. The last
    /// version of engine 4 is 522. Some studios have added versions from 523 on for their own
    /// engines; files with these versions have the layout of version 522. Versions from 1000 on
    /// belong to engine 5 and are not changed.
    ///
    /// ```
    /// use gamewire::unreal::Versions;
    ///
    /// let licensee = Versions { ue4: 524, ue5: 0 };
    /// assert_eq!(licensee.built_on(), Versions { ue4: 522, ue5: 0 });
    /// ```
    pub const fn built_on(self) -> Self {
        match self.ue4 {
            523..1000 => Self { ue4: NEWEST.ue4, ..self },
            _ => self,
        }
    }

    /// Checks that the layout of these versions is known.
    pub(crate) fn known(self) -> Result<(), ErrorKind> {
        match self {
            Self { ue4, .. } if ue4 < OLDEST => Err(ErrorKind::OlderVersion(self)),
            Self { ue4, ue5 } if ue4 > NEWEST.ue4 || ue5 > NEWEST.ue5 => {
                Err(ErrorKind::NewerVersion(self))
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Versions {
    /// Prints both versions, like `522/1012`, or only the version of engine 4, like `522`, if the
    /// version of engine 5 is 0.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self { ue4, ue5: 0 } => write!(f, "{ue4}"),
            Self { ue4, ue5 } => write!(f, "{ue4}/{ue5}"),
        }
    }
}

/// Changes of the format in engine 4 (`EUnrealEngineObjectUE4Version`), by the version that
/// introduced them. The names are those of the engine without `VER_UE4_`.
pub(crate) mod ue4 {
    /// The summary contains the offset of the world tile info.
    pub const WORLD_LEVEL_INFO: i32 = 224;
    /// `FText` has a namespace in addition to its key.
    pub const ADDED_NAMESPACE_AND_KEY_DATA_TO_FTEXT: i32 = 226;
    /// World tiles have a streaming distance and can be hidden.
    pub const WORLD_LEVEL_INFO_UPDATED: i32 = 268;
    /// The summary has a chunk id.
    pub const ADDED_CHUNKID_TO_ASSETDATA_AND_UPACKAGE: i32 = 278;
    /// Tags of arrays name the kind of their elements.
    pub const ARRAY_PROPERTY_INNER_TAGS: i32 = 282;
    /// World tiles have a list of levels of detail.
    pub const WORLD_LEVEL_INFO_LOD_LIST: i32 = 316;
    /// World tiles have a z-order.
    pub const WORLD_LEVEL_INFO_ZORDER: i32 = 319;
    /// The chunk id became a list.
    pub const CHANGED_CHUNKID_TO_BE_AN_ARRAY_OF_CHUNKIDS: i32 = 326;
    /// Layers of world tiles can ignore their streaming distance.
    pub const WORLD_LAYER_ENABLE_DISTANCE_STREAMING: i32 = 329;
    /// An engine version is a struct instead of a changelist number.
    pub const ENGINE_VERSION_OBJECT: i32 = 336;
    /// Types of pins have a reference to a member of a class.
    pub const MEMBERREFERENCE_IN_PINTYPE: i32 = 355;
    /// Exports have a flag for whether the editor always loads them for a running game.
    pub const LOAD_FOR_EDITOR_GAME: i32 = 365;
    /// `RichCurveKey` has native serialization.
    pub const SERIALIZE_RICH_CURVE_KEY: i32 = 366;
    /// `FText` stores a history.
    pub const FTEXT_HISTORY: i32 = 368;
    /// Packages list their soft package references.
    pub const ADD_STRING_ASSET_REFERENCES_MAP: i32 = 384;
    /// Currency texts have a currency code.
    pub const ADDED_CURRENCY_CODE_TO_FTEXT: i32 = 389;
    /// Date texts have a time zone.
    pub const FTEXT_HISTORY_DATE_TIMEZONE: i32 = 422;
    /// Tags of structs have the GUID of the struct.
    pub const STRUCT_GUID_IN_PROPERTY_TAG: i32 = 441;
    /// The summary names the oldest compatible engine.
    pub const PACKAGE_SUMMARY_HAS_COMPATIBLE_ENGINE_VERSION: i32 = 444;
    /// Types of pins have a flag for constants.
    pub const SERIALIZE_PINTYPE_CONST: i32 = 456;
    /// Packages list their gatherable text.
    pub const SERIALIZE_TEXT_IN_PACKAGES: i32 = 459;
    /// The sources of imported assets are stored as JSON.
    pub const ASSET_IMPORT_DATA_AS_JSON: i32 = 464;
    /// Exports say whether they are assets.
    pub const COOKED_ASSETS_IN_EDITOR_SUPPORT: i32 = 485;
    /// Arguments of blueprint formats are named by strings instead of texts. This change has no
    /// version of its own, so the engine tests for this version.
    pub const K2NODE_VAR_REFERENCEGUIDS: i32 = 488;
    /// Arrays of structs have an inner tag.
    pub const INNER_ARRAY_TAG_INFO: i32 = 500;
    /// Tags have the GUID of the property.
    pub const PROPERTY_GUID_IN_PROPERTY_TAG: i32 = 503;
    /// Names are followed by two hashes.
    pub const NAME_HASHES_SERIALIZED: i32 = 504;
    /// Exports have preload dependencies.
    pub const PRELOAD_DEPENDENCIES_IN_COOKED_EXPORTS: i32 = 507;
    /// Exports have a template.
    pub const TEMPLATE_INDEX_IN_COOKED_EXPORTS: i32 = 508;
    /// Tags of sets and maps name the kinds of their elements.
    pub const PROPERTY_TAG_SET_MAP_SUPPORT: i32 = 509;
    /// Packages list searchable names.
    pub const ADDED_SEARCHABLE_NAMES: i32 = 510;
    /// Sizes and offsets of exports have 64 bits (`VER_UE4_64BIT_EXPORTMAP_SERIALSIZES`).
    pub const EXPORTMAP_SERIALSIZES_64BIT: i32 = 511;
    /// Soft references consist of names instead of strings.
    pub const ADDED_SOFT_OBJECT_PATH: i32 = 514;
    /// The summary has a localization id.
    pub const ADDED_PACKAGE_SUMMARY_LOCALIZATION_ID: i32 = 516;
    /// The summary has persistent GUIDs of the package and of its owner.
    pub const ADDED_PACKAGE_OWNER: i32 = 518;
    /// Imports can name their package. The summary no longer has the GUID of the owner.
    pub const NON_OUTER_PACKAGE_IMPORT: i32 = 520;
    /// The asset registry data have dependencies.
    pub const ASSETREGISTRY_DEPENDENCYFLAGS: i32 = 521;
}

/// Changes of the format in engine 5 (`EUnrealEngineObjectUE5Version`), by the version that
/// introduced them. The names are those of the engine.
pub(crate) mod ue5 {
    /// The summary counts the names that exports use.
    pub const NAMES_REFERENCED_FROM_EXPORT_DATA: i32 = 1001;
    /// The summary contains the offset of the package trailer.
    pub const PAYLOAD_TOC: i32 = 1002;
    /// Imports can be optional, and exports can have a public hash.
    pub const OPTIONAL_RESOURCES: i32 = 1003;
    /// Vectors and similar structs store doubles.
    pub const LARGE_WORLD_COORDINATES: i32 = 1004;
    /// Exports no longer have the GUID of their package.
    pub const REMOVE_OBJECT_EXPORT_PACKAGE_GUID: i32 = 1005;
    /// Exports say whether they are inherited instances.
    pub const TRACK_OBJECT_EXPORT_IS_INHERITED: i32 = 1006;
    /// Soft object paths have separate names for package and asset.
    pub const FSOFTOBJECTPATH_REMOVE_ASSET_PATH_FNAMES: i32 = 1007;
    /// Packages list their soft object paths.
    pub const ADD_SOFTOBJECTPATH_LIST: i32 = 1008;
    /// Packages have a table of bulk data.
    pub const DATA_RESOURCES: i32 = 1009;
    /// Exports contain the start and end offsets of their tagged properties.
    pub const SCRIPT_SERIALIZATION_OFFSET: i32 = 1010;
    /// Tags have extensions, and objects have a control byte.
    pub const PROPERTY_TAG_EXTENSION_AND_OVERRIDABLE_SERIALIZATION: i32 = 1011;
    /// Tags have the complete type as a tree.
    pub const PROPERTY_TAG_COMPLETE_TYPE_NAME: i32 = 1012;
    /// The asset registry data list packages that a build depends on.
    pub const ASSETREGISTRY_PACKAGEBUILDDEPENDENCIES: i32 = 1013;
    /// The summary contains the offset of the metadata.
    pub const METADATA_SERIALIZATION_OFFSET: i32 = 1014;
    /// The summary has tables of Verse cells.
    pub const VERSE_CELLS: i32 = 1015;
    /// The summary has a hash instead of a GUID.
    pub const PACKAGE_SAVED_HASH: i32 = 1016;
    /// Packages list the class hierarchies of imports.
    pub const IMPORT_TYPE_HIERARCHIES: i32 = 1018;
}
