//! Writes packages and saves from their documents.
//!
//! A document is parsed with `serde`, and each value is written as soon as it is parsed. The type
//! of a property determines how its value is written; the readers of files use the same tables of
//! types.

mod bytes_text;
mod entry;
mod leaf;
mod native;
mod node;
mod node_deserializer;
mod package;
mod records;
mod replace;
mod rows;
mod save;
mod slots;
mod text;
mod to_node;
mod type_text;
mod value;
mod writer;

pub use package::PackageDocument;
pub use save::SaveDocument;
