//! An independent oracle for Unreal's packages, properties and saves: a simple decoder, written
//! from the description of the format and not optimised, which builds owned trees.
//!
//! A truncated table has the rows up to the end, and `whole` is false. A malformed single value
//! is the word `bad`, a missing one the word `none`.

mod bytes;
mod containers;
mod context;
mod node;
mod object;
mod objects;
mod package;
mod registry;
mod save;
mod structs;
mod summary;
mod tables;
mod tags;
mod texts;
mod tile;
mod trailer;
mod values;
mod versions;

pub use bytes::{Bad, Out};
pub use context::Hint;
pub use node::{Fields, Node, difference};
pub use object::{Export, object};
pub use package::Package;
pub use save::save;
pub use structs::FIELDS;
pub use values::KINDS;
pub use versions::{SUBSYSTEMS, Versions};
