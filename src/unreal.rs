//! Packages (`.uasset`, `.umap`, `.uexp`) and saved games (`.sav`) of Unreal Engine 4.0 to 5.8.
//!
//! [`Package`] is a view of a package file: its summary and its tables, whose records are read
//! one by one when they are requested. [`Save`] is a view of a saved game. Both give access to
//! [`Properties`], the tagged values that objects consist of. [`PackageEditor`] changes a
//! package, and [`PropertyWriter`] writes lists of properties.
//!
//! The bytes of a record depend on the versions of its file, which are part of its [`Layout`]. A
//! field that does not exist in the layout of its file is `None`.
//!
//! The documentation writes `4:504` for file version 504 of engine 4 (`FileVersionUE4`) and
//! `5:1009` for file version 1009 of engine 5 (`FileVersionUE5`).
//!
//! | module | contents |
//! |---|---|
//! | [`tables`] | the records of the summary and the tables of a package |
//! | [`properties`] | tags, types, values, containers, structs; reading and writing them |
//! | [`archive`] | native data of objects, read and written by one description (`FArchive`) |
//! | [`bulk`] | data that are stored apart from their object |
//! | [`compression`] | blocks of compressed data, compressed packages |
//! | [`locres`] | translated texts |
//! | [`registry`] | the assets of a game, with their tags and dependencies |
//! | [`pak`] | archives of packages and other files |
//! | [`iostore`] | containers of packages and other data (`.utoc`, `.ucas`) |
//! | `zen` | packages from the containers of games (`IoStore`); see [`ZenPackage`] |
//! | `wrapper` | headers and compression that games put around saves and packages |
//! | `edit` | changing and writing packages |
//!
//! The caller supplies the function that decompresses data. With the feature `unreal-compression`,
//! `compression::standard_codec` decompresses zlib and LZ4; the feature `compression` adds
//! Zstandard, and `brotli` adds Brotli.

pub mod archive;
pub mod bulk;
pub mod compression;
#[cfg(feature = "serde")]
mod document;
#[cfg(feature = "alloc")]
pub mod edit;
mod format;
pub mod iostore;
pub mod locres;
pub mod mappings;
mod package;
pub mod pak;
pub mod properties;
pub mod registry;
mod save;
pub mod tables;
#[cfg(all(feature = "alloc", feature = "unreal-compression"))]
pub mod wrapper;
mod zen;

#[cfg(feature = "serde")]
pub use document::{PackageDocument, PartialDocument, SaveDocument};
#[cfg(feature = "alloc")]
pub use edit::PackageEditor;
pub use format::{
    ByteOrder, Error, ErrorKind, FieldVisitor, Guid, HashedName, HashedNames, KnownCustomVersions,
    Layout, List, Name, NameEntry, NameText, Object, PackageIndex, Record, Records, Result, StrRef,
    Utf8StrRef, Value, Versions,
};
#[cfg(feature = "alloc")]
pub use format::{ListBuf, StrBuf};
pub use locres::Locres;
pub use mappings::{Mappings, MappingsFile};
pub use package::{
    ObjectPath, Package, PackageName, PackageReference, Problem, Progress, ReferenceKind, Scanned,
    Scanner,
};
#[cfg(feature = "serde")]
pub use properties::BytesForm;
pub use properties::{
    NameRef, ObjectProperties, ObjectRef, Properties, PropertyKind, PropertyType, PropertyValue,
    PropertyVisitor, PropertyWriter, StructHint, Tag, TagHead,
};
#[cfg(feature = "alloc")]
pub use properties::{PropertyTypeBuf, TagBuf};
pub use save::Save;
pub use zen::{
    ImportedPackages, ObjectName, ScriptEntry, ScriptNames, ScriptObjects, ScriptPath, ZenPackage,
    ZenPath,
};
