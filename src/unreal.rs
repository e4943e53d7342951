//! Packages of Unreal Engine (`.uasset`, `.umap`, `.uexp`), 4.0 to 5.8.
//!
//! [`Package`] is the file: its summary, and tables of which each record is read when it is
//! asked for. Records say themselves which of their fields a version has
//! ([`Layout`]); a field that the file does not have is `None`.
//!
//! What is too large to be read with an object is [found](Package::bulk_at) and read when it is
//! asked for; [`Compressed`] data and [compressed packages](CompressedPackage) are decompressed
//! by a function of the caller's or, for zlib and LZ4 with the feature `unreal-compression`, by
//! `standard_codec`.

#[cfg(feature = "alloc")]
mod buffers;
mod bulk;
mod compressed;
#[cfg(feature = "serde")]
mod document;
#[cfg(feature = "alloc")]
mod edit;
mod error;
mod flags;
mod hash;
mod indexed;
mod inventory;
mod layout;
mod list;
mod names;
mod package;
mod path;
mod prints;
mod properties;
mod record;
mod references;
mod save;
mod scanner;
mod show;
mod steps;
mod summary;
mod tables;
mod text;
#[cfg(feature = "serde")]
mod unopened;
mod verify;
mod wire;

#[cfg(feature = "alloc")]
pub use buffers::{ListBuf, TextBuf};
pub use bulk::{BulkData, BulkDuplicate, BulkFile, BulkFiles, BulkFlags, BulkHeader, BulkPlace};
pub use compressed::*;
#[cfg(feature = "alloc")]
pub use edit::*;
pub(crate) use error::Result;
pub use error::{Error, ErrorKind};
pub use layout::{Custom, Layout, Versions};
pub use list::{List, Records};
pub use names::{Name, NameEntry, NameText, Object, PackageIndex};
pub use package::Package;
pub use path::ObjectPath;
pub use properties::*;
pub use record::{Fields, Record};
pub use references::{PackageName, PackageReference, ReferenceKind};
pub use save::{Save, SaveClass, SaveHeader, SaveVersions};
pub use scanner::{Progress, Scanned, Scanner};
pub use summary::*;
pub use tables::*;
pub use text::Text;
#[cfg(feature = "serde")]
pub use unopened::Unopened;
pub use verify::Problem;
pub use wire::{ByteOrder, Guid, Value};
