//! Mappings (`.usmap`): names and types of the properties in classes and structs.
//!
//! Cooked packages of most games store properties without their names and types
//! (`PKG_UnversionedProperties`). To read such packages, supply the mappings of the game with
//! [`Package::with_mappings`](super::Package::with_mappings). Mappings list the enums, classes and
//! structs of a game. Tools extract them from the running game.
//!
//! ```text
//! header          never compressed
//!   u16 0x30C4, u8 version (0 to 4)
//!   u32 has versions, versions?      from version 1 on
//!   u8 compression, u32 compressed size, u32 size
//! body
//!   names         u32 count; u8 length (u16 from version 2 on), UTF-8
//!   enums         u32 count; name, u8 count (u16 from version 3 on), entries
//!   structs       u32 count; name, super, u16 slots, u16 properties, properties
//!   extensions    until the end
//! ```
//!
//! [`MappingsFile`] reads the header and decompresses the body, and [`Mappings`] is a view of the
//! body. Opening the view checks the whole body and builds an index, which is either allocated or
//! stored in memory of the caller. The index takes five 32-bit words per name, four per class or
//! struct, and three per enum and per property. Classes, structs and enums are found by name with a
//! binary search.

#[cfg(feature = "alloc")]
mod builder;
mod extension;
mod file;
#[cfg(feature = "alloc")]
mod foreign;
mod index;
mod names;
#[cfg(feature = "std")]
mod package_paths;
mod scan;
#[cfg(feature = "alloc")]
mod search;
mod type_check;
mod types;
mod view;

#[cfg(feature = "alloc")]
pub use builder::{EnumBuf, MappedTypeBuf, MappingsBuf, PropertyBuf, StructBuf, VersionsBuf};
pub use file::{MappingsCompression, MappingsFile};
#[cfg(feature = "alloc")]
pub(crate) use foreign::{LONGEST, TypePaths, bounded, printed};
#[cfg(feature = "alloc")]
pub use foreign::{PackageTypes, TypePath};
#[cfg(feature = "std")]
pub use package_paths::PackagePaths;
pub use types::MappedType;
pub use view::{MappedEnum, MappedProperty, MappedStruct, Mappings};
