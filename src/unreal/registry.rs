//! The asset registry of a game (`AssetRegistry.bin`): its assets with their tags, the dependencies
//! between its packages, and data about the files of packages. Supports versions 1 to 24.
//!
//! ```text
//! 16 bytes magic, i32 version
//! u32 1 if editor-only data are left out    from version 16 on
//! names: i64 offset of the name table       versions 2 to 7
//!        a batch of names, values of tags   from version 8 on
//! i32 number of assets; the assets
//! i64 size of the next part                 from version 7 on
//! i32 number of nodes; the nodes            the dependencies
//! i32 number of packages; the packages
//! name table                                versions 2 to 7
//! ```
//!
//! A cooked game usually has no nodes and no packages in its `AssetRegistry.bin`. The file
//! `DevelopmentAssetRegistry.bin`, which is not shipped, has both.
//!
//! | version | known engines | changes |
//! |---|---|---|
//! | 1 | | each name is stored as a string |
//! | 2, 3 | | names are stored in a table |
//! | 4 | 4.18 | assets have no group name |
//! | 5 | 4.19 | direct dependencies on managed assets are stored apart from the others |
//! | 6 | 4.21 to 4.25 | packages have an MD5 hash of the cooked file |
//! | 7 | 4.26 | each dependency has properties |
//! | 8 | 4.27 | names are stored as a batch; one store has all tags and values |
//! | 9 to 12 | 5.0 | packages have versions, and the classes that they import |
//! | 13 to 16 | 5.1 | hashes of chunks; classes are paths; assets have no path; a header |
//! | 17 | 5.2 to 5.5 | packages have the extension of their file |
//! | 18, 19 | | texts are UTF-8 |
//! | 20, 21 | 5.6 | packages have a hash of 20 bytes instead of a GUID |
//! | 22, 23 | | dependencies on managed assets have two properties |
//! | 24 | | the parts of the store begin at multiples of 16 |
//!
//! Each engine writes the newest version of its row. Below version 4, only the assets can be read.
//!
//! [`Registry`] is a view of an asset registry. Reading it does not allocate.

mod assets;
mod class_path;
mod dependencies;
mod names;
mod packages;
mod parts;
mod records;
mod store;
mod tags;
mod verify;
mod versions;
mod view;

pub use assets::{Asset, Assets, Bundle, BundlePath, Bundles};
pub use class_path::ClassPath;
pub use dependencies::{
    Dependencies, Dependency, Graph, Identifier, Node, Nodes, Properties, dependency_properties,
    manage_properties,
};
pub use packages::{FileVersions, PackageData, Packages};
pub use records::ChunkHash;
pub use tags::{ExportPath, Tag, TagValue, Tags};
pub use view::Registry;
