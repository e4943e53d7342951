//! Records of the summary and the tables of a package, and of the header of a save.

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
