//! Godot's Variant format: what `var_to_bytes`, `store_var`, `put_var` and RPC
//! arguments are made of, in every dialect that engines have spoken.
//!
//! A value is a header (a `u32`: type id in the low byte, flags from bit 16 up) and
//! a payload that depends on the type. Everything is little-endian and takes a
//! multiple of 4 bytes.
//!
//! The kernel, in reading order: `table` (the types, and the rules in which dialects
//! differ) → `types` (the payloads that are not plain numbers) → `read` (the walk, [`Reader`]
//! and views) → `write` (the encoder and [`Writer`]). All other modules stand on top of it
//! and it imports none of them; `tests/repository/architecture.rs` holds the rules.

mod table;
mod types;

mod read;
mod write;

pub mod compact;
pub mod fields;
#[cfg(feature = "arbitrary")]
mod generate;
mod index;
pub mod json;
#[cfg(feature = "mint")]
pub mod mint;
#[cfg(feature = "bytemuck")]
mod native;
pub mod notation;
#[cfg(feature = "alloc")]
mod owned;
mod protocols;
mod query;
#[cfg(feature = "schema")]
pub mod schema;
#[cfg(feature = "serde")]
pub mod serde;

#[cfg(feature = "serde")]
pub use self::serde::{Packed, from_bytes, from_bytes_in, to_vec, to_vec_for, to_writer};
pub use fields::{FieldError, FieldFault, Fields, FromFields, PutFields, ToFields};
#[cfg(feature = "arbitrary")]
pub use generate::Packet;
pub use index::{Index, IndexEntry, IndexedItems, IndexedRef};
#[cfg(feature = "bytemuck")]
pub use native::AsNative;
#[cfg(feature = "alloc")]
pub use owned::{Array, Dictionary, LeafBuf, Object, Variant};
pub use protocols::{debugger, frame, multiplayer};
#[cfg(feature = "alloc")]
pub use query::diff;
pub use query::{patch, path};
pub use read::detect::{DialectSet, detect};
pub use read::encoded::Encoded;
pub use read::reader::{Limits, Reader};
pub use read::strictness::{Deviation, Level};
pub use read::walk::{Leaf, Open, Property, Role, Visitor};
pub use table::dialect::{Dialect, Target, UnknownDialect};
pub use table::error::{Error, ErrorKind, Unrepresentable};
pub use table::kinds::{Kind, VariantRef};
pub use table::layouts::{
    Aabb, Basis, Color, F32, F64, I32, I64, Plane, Projection, Quaternion, RealLayout, Rect2,
    Transform2D, Transform3D, U32, Vector2, Vector3, Vector4, Wire,
};
pub use table::payload::Signal;
pub use types::array::{ArrayRef, EncodedValues, Values};
pub use types::container::{Container, TypeRef};
pub use types::convert::ConversionError;
pub use types::dictionary::{DictionaryRef, EncodedPairs, Pairs};
pub use types::godot2::{EventType, Image, ImageHead, InputEvent};
pub use types::node_path::NodePathRef;
pub use types::object::{EncodedProperties, FullObject, ObjectRef, Properties};
pub use types::packed_strings::{PackedStringArrayRef, PackedStrings};
pub use types::reals::{Real, Reals, RealsIter};
pub use types::text::{StrRef, Texts};
pub use write::to_variant::{Callable, NodePath, ObjectId, Rid, StringName, ToVariant, Wide};
pub use write::writer::{Items, Writer};

pub(crate) use table::error::Result;
