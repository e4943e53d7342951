//! The types of properties, and the context in which their names are resolved.

mod context;
mod kind;
mod kind_names;
mod known_names;
mod native_structs;
mod property_type;
mod refs;
#[cfg(feature = "alloc")]
mod type_buf;
mod untagged_structs;

#[cfg(feature = "serde")]
pub use context::BytesForm;
pub use context::StructHint;
pub(crate) use context::{HintScope, ImportStructs, NameTable, PropertyContext};
pub use kind::PropertyKind;
pub(crate) use known_names::{KnownName, NameCode};
pub use native_structs::NativeStruct;
pub(crate) use native_structs::{
    Condition, NativeField, NativeForm, NativePart, Switch, name_in_path, size,
};
pub use property_type::PropertyType;
#[cfg(feature = "alloc")]
pub(crate) use property_type::{DEPTH, NODES};
pub use refs::{NameRef, ObjectRef};
#[cfg(feature = "alloc")]
pub use type_buf::PropertyTypeBuf;
pub(crate) use untagged_structs::is_untagged;
