//! An independent oracle for Unreal's packages, properties and saves: a decoder written from the
//! format's description alone, one plain step after the other, into owned trees, with no thought
//! for speed.
//!
//! A table that breaks off is as many rows as there are, and `whole` is false; what is one value
//! and cannot be read is the word `bad`, what is not there the word `none`.

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
