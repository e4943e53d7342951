//! Records of the summary and the tables of a package, and of the header of a save.
//!
//! `4:504` means file version 504 of engine 4 (`FileVersionUE4`), and `5:1009` means file version
//! 1009 of engine 5 (`FileVersionUE5`).

mod bulk;
mod editor;
mod objects;
mod references;
mod registry;
mod save;
mod summary;
mod texts;
mod tiles;
mod versions;
mod zen;

pub use bulk::*;
pub use editor::*;
pub use objects::*;
pub use references::*;
pub use registry::*;
pub use save::*;
pub use summary::*;
pub use texts::*;
pub use tiles::*;
pub use versions::{CustomVersion, CustomVersions, EngineVersion, FileVersions};
pub(crate) use versions::{PACKAGE_TAG, known_custom_versions};
pub(crate) use zen::hash_of_path;
pub use zen::{
    BundleArc, BundleEntry, ExportBundle, ImportArc, MappedName, ObjectHash, ObjectIndex,
    PackageArcs, ScriptObjectEntry, ZenBulkData, ZenCellExport, ZenCellOffsets, ZenDependencies,
    ZenExport, ZenObject, ZenSummary, ZenVersions,
};
