//! Structs with native serialization: sequences of fields without tags. The version of the file and
//! earlier fields determine which fields are present.

mod condition;
mod form;
mod table;

pub(crate) use condition::{Condition, Switch};
pub use form::NativeStruct;
pub(crate) use form::{NativeField, NativeForm, NativePart, name_in_path, size};
pub(crate) use table::NATIVES;
