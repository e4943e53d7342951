//! An independent oracle for Unreal's packages, properties and saves. It is a simple decoder
//! without optimisations, written from the description of the format, and returns trees of owned
//! values.
//!
//! A table with a malformed row contains only the rows before this row, and `whole` is `false`. A
//! malformed single value is the word `bad`, and a missing one is the word `none`.

mod bytes;
mod containers;
mod context;
mod natives;
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
pub use natives::{NAMES, enclosed, layout};
pub use node::{Fields, Node, difference};
pub use object::{Export, object};
pub use package::Package;
pub use save::save;
pub use structs::FIELDS;
pub use values::KINDS;
pub use versions::{SUBSYSTEMS, Versions};
