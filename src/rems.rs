//! Saves of Rem's Engine and Rem's Studio: text files and binary streams, of 2020 to 2026.
//!
//! A file is a list of objects: a class, and properties with a type, a name and a value. Objects
//! have numbers, by which others refer to them. [`TextReader`] and `BinaryReader` give the same
//! [`Item`]s, one after the other.

mod array;
#[cfg(feature = "alloc")]
mod binary;
mod container;
mod error;
mod item;
mod kind;
mod pointers;
mod str;
mod text;
mod types;
mod value;

pub use array::{Array, Elements, Numbers};
#[cfg(feature = "alloc")]
pub use binary::{BinaryReader, Era, Tables};
pub use container::is_container;
#[cfg(feature = "rems-container")]
pub use container::{decompress, decompress_into};
pub(crate) use error::Result;
pub use error::{Error, ErrorKind};
pub use item::{Item, Items, List, Object, Property};
pub use kind::{Kind, Scalar};
pub use pointers::{Pointers, Slot, Target};
pub use str::{Piece, Pieces, Str};
pub use text::{TextOptions, TextReader};
pub use types::Type;
pub use value::{Part, Parts, Value};
