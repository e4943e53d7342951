//! Versions of the format (`FAssetRegistryVersion`) that change its bytes, with the names that the
//! engine gives them.

/// The oldest version that a file states.
pub(super) const HARD_SOFT_DEPENDENCIES: u32 = 1;
/// Names are in a table.
pub(super) const ADD_ASSET_REGISTRY_STATE: u32 = 2;
/// Assets have no group name.
pub(super) const REMOVED_MD5_HASH: u32 = 4;
/// Nodes list direct dependencies on managed assets apart from the others.
pub(super) const ADDED_HARD_MANAGE: u32 = 5;
/// Packages have an MD5 hash of the cooked file.
pub(super) const ADDED_COOKED_MD5_HASH: u32 = 6;
/// Each dependency has properties.
pub(super) const ADDED_DEPENDENCY_FLAGS: u32 = 7;
/// Names are stored as a batch, and tags in a store.
pub(super) const FIXED_TAGS: u32 = 8;
/// Packages have versions.
pub(super) const WORKSPACE_DOMAIN: u32 = 9;
/// Packages list the classes that they import.
pub(super) const PACKAGE_IMPORTED_CLASSES: u32 = 10;
/// Packages have the file version of engine 5.
pub(super) const PACKAGE_FILE_SUMMARY_VERSION_CHANGE: u32 = 11;
/// Packages have hashes of their chunks.
pub(super) const ADDED_CHUNK_HASHES: u32 = 13;
/// A class is a path.
pub(super) const CLASS_PATHS: u32 = 14;
/// Assets have no object path.
pub(super) const REMOVE_ASSET_PATH_FNAMES: u32 = 15;
/// A header states whether editor-only data are left out.
pub(super) const ADDED_HEADER: u32 = 16;
/// Packages have the extension of their file.
pub(super) const ASSET_PACKAGE_DATA_HAS_EXTENSION: u32 = 17;
/// Texts are UTF-8.
pub(super) const MARSHALLED_TEXT_AS_UTF8_STRING: u32 = 19;
/// Packages have a hash of 20 bytes instead of a GUID.
pub(super) const PACKAGE_SAVED_HASH: u32 = 20;
/// Dependencies on managed assets have two properties.
pub(super) const MANAGE_DEPENDENCIES_COOK_RULE: u32 = 22;
/// The parts of the store begin at multiples of 16.
pub(super) const MEMORY_MAPPED_TAG_DATA_STORE: u32 = 24;

/// The newest known version.
pub(super) const NEWEST: u32 = MEMORY_MAPPED_TAG_DATA_STORE;
