//! Packages in `IoStore` containers (`.utoc`, `.ucas`). Engines call such packages Zen packages.
//!
//! Engines from 4.25 on can pack cooked packages into such containers. Packing replaces the header
//! of each package with one that loads faster. The new header refers to objects of C++ code by the
//! hashes of their paths; [`ScriptNames`] finds the paths. The properties of the exports are the
//! same as in other cooked packages.
//!
//! ```text
//! summary                  ZenSummary
//! versions?                ZenVersions, from engine 5.0 on
//! offsets of cells         from engine 5.6 on
//! names                    in two parts in engine 4
//! positions of bulk data   from engine 5.2 on
//! hashes of imports        from engine 5.0 on
//! imports                  ObjectIndex
//! exports                  ZenExport
//! cells                    from engine 5.6 on
//! export bundles           ExportBundle, below engine 5.3; BundleEntry
//! graph or dependencies    what must be loaded first
//! imported packages        their names, from engine 5.3 on
//! exports
//! ```
//!
//! The headers that engine 4.25 writes have yet another form, and are not supported.

#[cfg(feature = "alloc")]
mod declared;
mod header;
pub(in crate::unreal) mod imports;
mod package;
mod verify;

pub use imports::{ObjectName, ScriptEntry, ScriptNames, ScriptObjects, ScriptPath};
pub use package::path::ZenPath;
pub use package::{ImportedPackages, ZenPackage};
