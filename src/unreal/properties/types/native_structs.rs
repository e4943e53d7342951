//! Structs with native serialization: sequences of fields without tags, which depend on the version
//! of the file and on earlier fields.

mod condition;
mod form;
mod table;

pub(crate) use condition::Switch;
pub use form::NativeStruct;
pub(crate) use form::{NativeField, NativeForm, NativePart, size};
pub(crate) use table::NATIVES;
