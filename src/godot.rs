//! Godot's Variant format: the bytes of `var_to_bytes`, `store_var`, `put_var` and RPC arguments.
//!
//! # The bytes
//!
//! A value is a 32-bit header and a payload. All numbers are little-endian, and engines pad every
//! value to a multiple of 4 bytes.
//!
//! | header bits | types | meaning |
//! |---|---|---|
//! | 0–7 | all types | type id; the numbering depends on the [`Dialect`] |
//! | 16 | Int, Float | the payload has 64 bits instead of 32 |
//! | 16 | Object | the payload is an instance id, not a class with properties |
//! | 16 | vectors and packed arrays of them | the components are `f64` instead of `f32` (Godot 4) |
//! | 16–17 | Array | kind of element type: 0 none, 1 built-in type, 2 class, 3 script (since 4.3) |
//! | 16–17, 18–19 | Dictionary | kind of key type, kind of value type (since 4.4) |
//!
//! Godot 2 has no flags: all 32 bits are the type id. The type determines the payload. A vector or
//! matrix consists of its components, one after another. Text is a `u32` length, the bytes, and
//! zeros up to a multiple of 4. A packed array is a `u32` count and its elements. An Array is a
//! count followed by as many values, each with its header. A Dictionary is a count followed by as
//! many pairs of values. An Object is a class name and a count, followed by as many properties.
//! Each property is a name and a value. A packet does not contain the length of an Array,
//! Dictionary or Object in bytes. A reader knows this length only after it has read all values
//! inside.
//!
//! # The code
//!
//! The kernel, the part of this module that reads and writes single values, has four layers:
//!
//! 1. `table`: the types with their ids and names, the rules that differ between dialects, and the
//!    errors. `table/kinds.rs` has one row for each type; everything else is derived from it.
//! 2. `types`: the payloads that are not plain numbers, such as text, node paths and containers.
//!    Views borrow these payloads ([`StrRef`], [`ArrayRef`], …).
//! 3. `read`: the walk, which is the one pass over the bytes of a value, and the [`Visitor`]s that
//!    it calls. This layer also contains the [`Reader`], the levels of strictness, and faster
//!    decoding of bytes that were checked before.
//! 4. `write`: the encoder and the [`Writer`].
//!
//! The other modules of `godot` build on the kernel, which imports none of them.
//! `tests/repository/architecture.rs` checks the imports. To get to know the code, start with
//! `table/kinds.rs`, then read `table/dialect.rs`, `table/payload.rs` and `read/walk.rs`.

mod table;
mod types;

mod read;
mod write;

pub mod compact;
#[cfg(feature = "alloc")]
pub mod config;
pub mod fields;
#[cfg(feature = "godot-file")]
pub mod file;
pub mod find;
#[cfg(feature = "arbitrary")]
mod generate;
mod index;
pub mod json;
pub mod lazy;
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
pub use generate::ArbitraryPacket;
pub use index::{Index, IndexEntry, IndexedItems, IndexedRef};
pub use lazy::LazyRef;
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
pub use table::error::{Error, ErrorKind, Result, Unrepresentable};
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
