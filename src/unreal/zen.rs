//! Packages in the containers of `IoStore` (`.utoc`, `.ucas`), which engines call Zen packages.
//!
//! Engines from 4.26 on can pack cooked packages into such containers. The header of a package is
//! then replaced by one that loads faster. Objects of C++ code are stated as hashes of their paths,
//! and [`ScriptNames`] finds the paths. The properties of the exports are the same as in other
//! cooked packages.
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
//! The header of engine 4.25, which has yet another form, is not read.

#[cfg(feature = "alloc")]
mod declared;
mod header;
pub(in crate::unreal) mod imports;
mod package;
mod verify;

pub use imports::{ObjectName, ScriptEntry, ScriptNames, ScriptObjects, ScriptPath};
pub use package::{ImportedPackages, ZenPackage, ZenPath};
