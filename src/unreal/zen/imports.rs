//! Imports of Zen packages: their names, and the classes and structs to which they refer.

mod names;
mod script_names;
mod script_objects;

pub use names::ObjectName;
pub(crate) use names::ZenImports;
pub use script_names::{ScriptEntry, ScriptNames, ScriptPath};
pub use script_objects::ScriptObjects;
