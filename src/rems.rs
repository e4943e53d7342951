//! Saves of Rem's Engine and Rem's Studio: text files and binary streams, of 2020 to 2026.
//!
//! A file is a list of objects: a class, and properties with a type, a name and a value. Objects
//! have numbers, by which others refer to them. [`TextReader`] and `BinaryReader` (feature `alloc`)
//! give the same [`Item`]s, one after the other, and [`Pointers`] says which number is which object.
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
//!
#![doc = include_str!("../docs/rems.md")]

mod array;
#[cfg(feature = "alloc")]
mod binary;
mod container;
#[cfg(feature = "alloc")]
mod convert;
mod error;
mod form;
mod item;
mod kind;
mod part;
mod parts;
mod pointers;
#[cfg(feature = "alloc")]
mod reader;
mod str;
mod text;
#[cfg(feature = "serde")]
pub mod typed;
mod types;
mod value;
mod word;
mod write;

pub use array::{Array, Elements, Numbers};
#[cfg(feature = "alloc")]
pub use binary::{BinaryReader, Era, Tables};
pub use container::is_container;
#[cfg(feature = "rems-container")]
pub use container::{compress, decompress, decompress_into};
#[cfg(feature = "alloc")]
pub use convert::{Conversion, Plan, convert, rewrite};
pub(crate) use error::Result;
pub use error::{Error, ErrorKind};
pub use form::FileForm;
pub use item::{Item, Items, List, Object, Property};
pub use kind::{Kind, Scalar};
pub use part::Part;
pub use parts::Parts;
pub use pointers::{Pointers, Slot, Target};
#[cfg(feature = "alloc")]
pub use reader::Reader;
pub use str::{Piece, Pieces, Str};
pub use text::{TextOptions, TextReader};
#[cfg(feature = "serde")]
pub use typed::{from_items, read_object};
pub use types::Type;
pub use value::Value;
#[cfg(feature = "alloc")]
pub use write::{BinaryWriter, Met, Numbering};
pub use write::{
    Dialect, Form, ItemSink, Many, Put, TextWriter, Unit, Unreadable, Warning, WriteError,
    WriteErrorKind,
};
