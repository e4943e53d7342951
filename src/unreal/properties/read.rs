//! Reads properties: their tags, values and containers. Also passes all properties of a list to a
//! visitor.

mod containers;
#[cfg(feature = "alloc")]
mod declared;
mod decode;
mod find;
mod inference;
mod list;
mod native;
mod object;
mod plain;
mod resume;
mod rows;
mod slot_walk;
mod slots;
mod structs;
mod tag;
mod unversioned;
mod value;
mod visit;

pub use containers::{Delegates, Elements, Entries, Map, Names, Set};
#[cfg(feature = "alloc")]
pub(crate) use declared::{Declarations, DeclaredKind, declared_kind};
pub use inference::InferredType;
#[cfg(feature = "serde")]
pub(crate) use inference::Reading;
#[cfg(feature = "serde")]
pub(crate) use list::MAX_DEPTH;
pub use list::Properties;
pub use native::{NativeElements, NativeFields, NativeValue};
pub(crate) use object::ObjectHead;
pub use object::{ObjectProperties, Tail};
pub use resume::ContainerEncoding;
pub use rows::DataTableRows;
pub(crate) use tag::OVERRIDDEN;
pub use tag::{Overridden, Tag, TagHead, tag_flags};
pub use unversioned::{Fragment, Slot, Unversioned};
#[cfg(feature = "serde")]
pub(crate) use value::JoinedPath;
pub use value::{
    Delegate, EnumValue, FieldPath, Instanced, OpaqueReason, PropertyValue, SoftReference,
};
pub use visit::{Counts, PropertyVisitor, Reference, References};
