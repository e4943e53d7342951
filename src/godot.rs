//! Godot's Variant format: what `var_to_bytes`, `store_var`, `put_var` and RPC
//! arguments are made of, in every dialect that engines have spoken.
//!
//! A value is a header (a `u32`: type id in the low byte, flags from bit 16 up) and
//! a payload that depends on the type. Everything is little-endian and takes a
//! multiple of 4 bytes.
//!
//! Read from top to bottom: `kinds` (the table of types) and `dialect` (rules that
//! engines differ in) → `payload` and the irregular payloads → `walk` (the one pass)
//! → [`Reader`] and views → `encoder` and [`Writer`].

mod array;
mod check;
mod checked;
pub mod compact;
mod container;
mod convert;
pub mod debugger;
mod detect;
mod dialect;
mod dictionary;
#[cfg(feature = "alloc")]
pub mod diff;
mod encoder;
mod error;
pub mod fields;
pub mod frame;
#[cfg(feature = "arbitrary")]
mod generate;
mod godot2;
mod index;
mod inside;
pub mod json;
mod kinds;
#[cfg(feature = "mint")]
pub mod mint;
pub mod multiplayer;
#[cfg(feature = "bytemuck")]
mod native;
mod node_path;
pub mod notation;
mod object;
mod packed;
mod parts;
pub mod patch;
pub mod path;
mod payload;
mod quick;
mod reader;
mod reals;
#[cfg(feature = "schema")]
pub mod schema;
mod strings;
mod text;
mod to_variant;
#[cfg(feature = "serde")]
pub mod typed;
#[cfg(feature = "alloc")]
mod variant;
mod view;
mod walk;
mod wire;
mod writer;

pub use array::{ArrayRef, EncodedValues, Values};
pub use check::{Departure, Level};
pub use container::{Container, TypeRef};
pub use convert::ConversionError;
pub use detect::{DialectSet, detect};
pub use dialect::{Dialect, Target, UnknownDialect};
pub use dictionary::{DictionaryRef, EncodedPairs, Pairs};
pub use error::{Error, ErrorKind, Unsayable};
pub use fields::{FieldError, FieldFault, Fields, FromFields, PutFields, ToFields};
#[cfg(feature = "arbitrary")]
pub use generate::Packet;
pub use godot2::{EventType, Image, ImageHead, InputEvent};
pub use index::{Index, IndexEntry, IndexedItems, IndexedRef};
pub use kinds::{Kind, VariantRef};
#[cfg(feature = "bytemuck")]
pub use native::AsNative;
pub use node_path::NodePathRef;
pub use object::{EncodedProperties, FullObject, ObjectRef, Properties};
pub use payload::Signal;
pub use reader::{Limits, Reader};
pub use reals::{Real, Reals, RealsIter};
pub use strings::{PackedStringArrayRef, PackedStrings};
pub use text::{StrRef, Texts};
pub use to_variant::{Callable, NodePath, ObjectId, Rid, StringName, ToVariant, Wide};
#[cfg(feature = "serde")]
pub use typed::{Packed, from_bytes, from_bytes_in, to_vec, to_vec_for, to_writer};
#[cfg(feature = "alloc")]
pub use variant::{Array, Dictionary, LeafBuf, Object, Variant};
pub use view::Encoded;
pub use walk::{Leaf, Open, Property, Role, Visitor};
pub use wire::{
    Aabb, Basis, Color, F32, F64, I32, I64, Layout, Plane, Projection, Quaternion, Rect2,
    Transform2D, Transform3D, U32, Vector2, Vector3, Vector4, Wire,
};
pub use writer::{Items, Writer};

pub(crate) use error::Result;
