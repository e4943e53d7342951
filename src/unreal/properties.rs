//! Tagged properties: the named and typed values that objects consist of.
//!
//! A list of properties ends with the name `None`. Values borrow from the file. A value that
//! cannot be decoded is [`Opaque`](PropertyValue::Opaque) with an [`OpaqueReason`]; reading
//! continues with the next property, since each tag states the size of its value.

mod formatted;
mod read;
mod types;
mod write;

pub use formatted::*;
pub use read::{
    Counts, DataTableRows, Delegate, Delegates, Elements, Entries, EnumValue, FieldPath, Fragment,
    Instanced, Map, Names, ObjectProperties, OpaqueReason, Overridden, Properties, PropertyValue,
    PropertyVisitor, Reference, References, Set, Slot, SoftReference, Tag, TagHead, Tail,
    Unversioned, tag_flags,
};
#[cfg(feature = "alloc")]
pub use types::PropertyTypeBuf;
pub use types::{
    NameRef, NativeFields, NativeStruct, NativeValue, ObjectRef, PropertyKind, PropertyType,
    StructHint,
};
pub(crate) use types::{NameTable, PropertyContext};
#[cfg(feature = "alloc")]
pub use write::TagBuf;
pub use write::{ContainerWriter, PropertyWriter, WriteTag};
