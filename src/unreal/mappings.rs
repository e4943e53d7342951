//! Mappings (`.usmap`): the names and types of the properties of classes and structs.
//!
//! Cooked packages of most games store properties without their names and types
//! (`PKG_UnversionedProperties`). Tools that run beside a game write its mappings, which have the
//! enums, classes and structs of the game. [`Package::with_mappings`](super::Package::with_mappings)
//! reads such packages.
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
//! body. The view checks the whole body once, when it is opened. It has an index of four words per
//! name, four per struct, and three per enum and property, either allocated or in memory of the
//! caller. Lookup by name is a binary search, and everything else takes constant time.

#[cfg(feature = "alloc")]
mod builder;
mod extension;
mod file;
mod index;
mod names;
mod scan;
mod type_check;
mod types;
mod view;

#[cfg(feature = "alloc")]
pub use builder::{EnumBuf, MappedTypeBuf, MappingsBuf, PropertyBuf, StructBuf, VersionsBuf};
pub use file::{MappingsCompression, MappingsFile};
pub use types::MappedType;
pub use view::{MappedEnum, MappedProperty, MappedStruct, Mappings};
