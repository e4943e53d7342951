//! Packages of Unreal Engine (`.uasset`, `.umap`, `.uexp`), 4.0 to 5.8.
//!
//! [`Package`] is the file: its summary, and tables of which each record is read when it is
//! asked for. Records say themselves which of their fields a version has
//! ([`Layout`]); a field that the file does not have is `None`.

#[cfg(feature = "serde")]
mod document;
mod error;
mod flags;
mod inventory;
mod layout;
mod list;
mod names;
mod package;
mod path;
mod record;
mod references;
mod show;
mod summary;
mod tables;
mod text;
mod verify;
mod wire;

pub(crate) use error::Result;
pub use error::{Error, ErrorKind};
pub use layout::{Custom, Layout, Versions};
pub use list::{List, Records};
pub use names::{Name, NameEntry, NameText, Object, PackageIndex};
pub use package::Package;
pub use path::ObjectPath;
pub use record::{Fields, Record};
pub use references::{PackageName, Reference, ReferenceKind};
pub use summary::*;
pub use tables::*;
pub use text::Text;
pub use verify::Problem;
pub use wire::{ByteOrder, Guid, Value};
