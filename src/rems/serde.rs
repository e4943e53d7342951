//! Deserializes objects into Rust types with `serde`: [`from_items`] reads a whole file,
//! [`read_object`] the next object, and [`Deserializer`] sets limits.
//!
//! | Rust | Rem's Engine |
//! |---|---|
//! | structs, maps | an object: its properties by name, without their types |
//! | enums | an object: the variant named like its class; or a string: the variant of that name |
//! | `bool`, integers, `f32`, `f64` | numbers of any width that fit; a single-precision number keeps its value (0.1 becomes 0.10000000149011612 as `f64`) |
//! | `i32` | a colour, `0xAARRGGBB`; in binary streams colours are plain integers |
//! | `char`, `u16` | a UTF-16 code unit; `char` only if it is a character |
//! | `&str`, `String` | strings and paths; borrowed if they have no escapes. Text that is not UTF-8 causes [`ErrorKind::NotUtf8`](super::ErrorKind::NotUtf8) |
//! | bytes (`serde_bytes`) | strings and paths, including those that are not UTF-8 |
//! | `[f32; 3]`, tuples, `Vec`, structs with `x`, `y`, `z`, `w` | vectors, quaternions, planes |
//! | `[[f32; 4]; 4]`, `[f32; 16]` | matrices, by column, or as a flat list of numbers |
//! | structs with `min`, `max`; `[[f32; 3]; 2]`, `[f32; 6]` | boxes |
//! | `Vec`, arrays, tuples | arrays and lists, including omitted elements |
//! | `Option` | null, and the number 0 in place of an object, are `None` |
//! | `u32` | the number of an object in place of the object; [`Pointers`](super::Pointers) resolves it |
//! | [`Link`] | an object, its number in place of the object, or null |
//! | `()`, `IgnoredAny` | null for `()`; any value for `IgnoredAny`, which skips it without decoding |
//!
//! The class and the number of an object come before its properties, under the keys `class` and
//! `*ptr`. Structs receive them if they have fields of these names; maps always receive them.
//! `#[serde(tag = "class")]` and `#[serde(flatten)]` therefore work, but make serde buffer the
//! whole object. An enum whose variants are named like classes needs no buffer. A property that is
//! itself named `class` or `*ptr` has the key `:class` or `:*ptr` (see
//! [`property_key`](super::property_key)), which a field can have as its serde name.
//!
//! Properties for which a struct has no field are skipped. A duplicate property name is an error
//! for a struct; a map keeps the last value. Files from before 2021 contain the elements of a list
//! as properties that share a name.
//!
//! Arrays and lists can declare any number of elements and omit them. The size of the file does not
//! bound the number of omitted elements, but [a limit](Deserializer::fill_limit) does. A file that
//! exceeds the limit causes [`ErrorKind::NotWritten`](super::ErrorKind::NotWritten). Memory is
//! reserved in advance only for elements that the file contains.
//!
//! ```
//! use gamewire::rems::{TextReader, from_items};
//! use serde::Deserialize;
//!
//! #[derive(Deserialize)]
//! struct Group<'a> {
//!     #[serde(borrow)]
//!     name: &'a str,
//!     #[serde(borrow, default)]
//!     children: Vec<Shape<'a>>,
//!     parent: Option<u32>,
//! }
//!
//! #[derive(Deserialize)]
//! enum Shape<'a> {
//!     Circle { radius: f32 },
//!     #[serde(borrow)]
//!     Group(Group<'a>),
//!     #[serde(other)]
//!     Unknown,
//! }
//!
//! let text = br#"[{"class":"Group","i:*ptr":1,"S:name":"all","*[]:children":[3,
//!     {"class":"Circle","f:radius":0.5},
//!     {"class":"Group","S:name":"none","Group:parent":1},
//!     {"class":"Spline","v2[]:points":[2,[0],[1,2]]}
//! ]}]"#;
//! let [group] = from_items::<[Group<'_>; 1]>(&mut TextReader::new(text))?;
//! let [Shape::Circle { radius }, Shape::Group(inner), Shape::Unknown] = &group.children[..] else {
//!     panic!()
//! };
//! assert_eq!((*radius, inner.name, inner.children.len()), (0.5, "none", 0));
//! assert_eq!(inner.parent, Some(1));
//! # Ok::<(), gamewire::rems::serde::Error>(())
//! ```
//!
//! Submodules: `node` (an item and its subtree) with `object` and `seq` (arrays, lists and omitted
//! elements), `parts` (numbers), `text`, and `hint` (the serde method that a type called).

mod deserializer;
mod error;
mod hint;
mod link;
mod node;
mod parts;
mod read;
mod text;

pub use deserializer::Deserializer;
pub use error::{Error, Result};
pub use link::Link;
pub use read::{from_items, read_object};
