//! The byte layer: a cursor over a file, versions, and the values that records consist of.
//!
//! This module does not know which tables a package has, what properties are, or how a file is
//! printed. Everything else in [`unreal`](super) builds on it.

mod bulk_flags;
mod byte_order;
mod city_hash;
mod cursor;
pub(crate) mod custom_versions;
mod display_eq;
mod error;
mod flags;
mod guid;
mod hashed_names;
mod layout;
mod link;
mod list;
mod name_hash;
mod names;
#[cfg(feature = "alloc")]
mod owned;
mod package_index;
mod record;
mod sampled_index;
mod serialize;
mod str_ref;
mod utf8_str_ref;
mod value;
mod version_ranges;
mod versions;

pub use bulk_flags::{BulkFile, BulkFlags};
pub use byte_order::ByteOrder;
pub(crate) use city_hash::city_hash_64;
pub use cursor::FileCursor;
pub use custom_versions::KnownCustomVersions;
pub(crate) use display_eq::{display_eq, display_eq_ignore_case};
pub use error::{CodecError, Error, ErrorKind, Result};
pub(crate) use flags::flags;
pub use guid::Guid;
pub(crate) use hashed_names::NameForm;
pub use hashed_names::{HashedName, HashedNames};
pub use layout::Layout;
pub use link::Link;
pub use list::{List, Records};
pub(crate) use name_hash::with_case as crc32;
pub use names::{Name, NameEntry, NameText};
#[cfg(feature = "alloc")]
pub use owned::{ListBuf, StrBuf};
pub use package_index::{Object, PackageIndex};
pub use record::{FieldVisitor, Record};
pub(crate) use record::{LinkCollector, WriteFields, field_name, records};
pub(crate) use sampled_index::{ReadItem, SampledIndex, Values};
#[cfg(feature = "serde")]
pub use serialize::SerializeIn;
#[cfg(feature = "serde")]
pub(crate) use serialize::{
    AsDisplay, FieldEntries, FiniteOrText, Hex, InContext, NameLookup, Seq, SerializeContext,
    serialize_record,
};
pub(crate) use str_ref::Encoding;
pub use str_ref::StrRef;
pub use utf8_str_ref::Utf8StrRef;
pub use value::Value;
pub(crate) use value::{encoded_size, put};
pub use versions::Versions;
pub(crate) use versions::{NEWEST, OLDEST, ue4, ue5};
