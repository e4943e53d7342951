//! Tagged properties: the named and typed values that objects consist of.
//!
//! A list of properties ends with the name `None`. Values borrow from the file. A value that
//! cannot be decoded is [`Opaque`](PropertyValue::Opaque) with an [`OpaqueReason`]; reading
//! continues with the next property, since each tag states the size of its value.

mod formatted;
mod read;
mod types;
mod write;

#[cfg(feature = "serde")]
pub(crate) use formatted::DEPTH as TEXT_DEPTH;
pub use formatted::*;
pub(crate) use read::ObjectHead;
pub use read::{
    ContainerEncoding, Counts, DataTableRows, Delegate, Delegates, Elements, Entries, EnumValue,
    FieldPath, Fragment, InferredType, Instanced, Map, Names, NativeElements, NativeFields,
    NativeValue, ObjectProperties, OpaqueReason, Overridden, Properties, PropertyValue,
    PropertyVisitor, Reference, References, Set, Slot, SoftReference, Tag, TagHead, Tail,
    Unversioned, tag_flags,
};
#[cfg(feature = "alloc")]
pub(crate) use read::{Declarations, DeclaredKind, declared_kind};
#[cfg(feature = "serde")]
pub(crate) use read::{JoinedPath, MAX_DEPTH};
#[cfg(feature = "serde")]
pub use types::BytesForm;
#[cfg(feature = "alloc")]
pub use types::PropertyTypeBuf;
#[cfg(feature = "serde")]
pub(crate) use types::{
    HintScope, KnownName, NativeField, NativeForm, NativePart, Switch, name_in_path,
};
pub(crate) use types::{ImportStructs, NameTable, PropertyContext};
pub use types::{NameRef, NativeStruct, ObjectRef, PropertyKind, PropertyType, StructHint};
#[cfg(feature = "alloc")]
pub use write::TagBuf;
pub use write::{ContainerWriter, PropertyWriter, WriteTag};
#[cfg(feature = "serde")]
pub(crate) use write::{FormOfStructs, Same, SlotList, ValueShape, slot_value};
