//! Saves of Rem's Engine and Rem's Studio: text files and binary streams written since 2020.
//!
//! A file is a list of objects. An object has a class, a number by which other objects refer to it,
//! and properties with a type, a name and a value. [`TextReader`] and `BinaryReader` (feature
//! `alloc`) return the same [`Item`]s one after another, and [`Pointers`] resolves object numbers.
//!
//! ```
//! use gamewire::rems::{Item, TextReader};
//!
//! let text = br#"[{"class":"Outer","i:*ptr":1,"K[]:kids":[2,{"i:v":1},{"i:v":2}],"f:at":0.5}]"#;
//! let mut reader = TextReader::new(text);
//! let (mut sum, mut at) = (0, 0.0);
//! while let Some(item) = reader.next()? {
//!     match item {
//!         Item::Property(property) if property.name == *"at" => {
//!             let Some(Item::Value(value)) = reader.next()? else { panic!() };
//!             at = value.get::<f32>()?;
//!         }
//!         Item::Value(value) => sum += value.get::<i32>()?,
//!         _ => {}
//!     }
//! }
//! assert_eq!((sum, at), (3, 0.5));
//! # Ok::<(), gamewire::rems::Error>(())
//! ```
#![doc = include_str!("../docs/rems.md")]

mod array;
#[cfg(feature = "alloc")]
mod binary;
mod components;
mod container;
#[cfg(feature = "alloc")]
mod convert;
mod error;
mod identity;
mod item;
#[cfg(feature = "alloc")]
pub mod json;
mod kind;
mod part;
mod parts;
mod pointers;
mod print;
mod property_key;
mod read;
#[cfg(feature = "serde")]
pub mod serde;
mod span;
mod str;
mod swar;
#[cfg(feature = "alloc")]
mod tape;
mod text;
mod types;
mod value;
mod write;

pub use array::{Array, Elements, Numbers};
#[cfg(feature = "alloc")]
pub use binary::{Era, Tables};
pub use components::{Component, Components};
pub use container::is_container;
#[cfg(feature = "rems-container")]
pub use container::{compress, decompress, decompress_into, decompress_prefix};
#[cfg(feature = "alloc")]
pub use convert::{
    Compared, ConvertOptions, Difference, MAX_CONVERTED, Plan, convert, convert_to_vec, rewrite,
    rewrite_to_vec, verify,
};
pub(crate) use error::Result;
pub use error::{Error, ErrorKind};
pub use item::{Item, ItemSource, List, Object, Property};
pub use kind::{Kind, Scalar};
pub use part::{Part, PartSlice};
pub use parts::Parts;
pub use pointers::{Pointers, Slot, Target};
pub use print::{Dialect, Unreadable, Warning};
pub use property_key::property_key;
#[cfg(feature = "alloc")]
pub use read::{BinaryReader, Reader};
pub use read::{FileFormat, TextReader, Visitor};
#[cfg(feature = "serde")]
pub use serde::{from_items, read_object};
pub use str::{Piece, Pieces, StrRef};
#[cfg(feature = "alloc")]
pub use tape::Tape;
pub use text::TextOptions;
pub use types::Type;
pub use value::Value;
#[cfg(feature = "alloc")]
pub use write::{BinaryWriter, Numbering, Placement};
pub use write::{
    ItemSink, KindValue, OutputFormat, Put, TextWriter, Utf16Unit, WriteError, WriteErrorKind,
};
