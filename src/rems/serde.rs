//! Objects as Rust types, by `serde`: [`from_items`] for a file, [`read_object`] for the next
//! object, [`Deserializer`] for more of a say.
//!
//! | Rust | Rem's Engine |
//! |---|---|
//! | structs, maps | an object: its properties by their names, without the types |
//! | enums | an object: the variant that is called as its class; or a text: the variant called so |
//! | `bool`, integers, `f32`, `f64` | numbers of any width that fits; a single is the single it is (0.1 becomes 0.10000000149011612 as `f64`) |
//! | `i32` | a colour, `0xAARRGGBB`; binary streams have no other integers for them |
//! | `char`, `u16` | a unit of UTF-16; as a character only if it is one |
//! | `&str`, `String` | text and paths of files; borrowed if there are no escapes in it. What is not UTF-8 is [`ErrorKind::NotUtf8`](super::ErrorKind::NotUtf8), |
//! | bytes (`serde_bytes`) | and this takes it all the same |
//! | `[f32; 3]`, tuples, `Vec`, structs with `x`, `y`, `z`, `w` | vectors, quaternions, planes |
//! | `[[f32; 4]; 4]`, `[f32; 16]` | matrices, column by column, or all numbers in a row |
//! | structs with `min`, `max`; `[[f32; 3]; 2]`, `[f32; 6]` | boxes |
//! | `Vec`, arrays, tuples | arrays and lists, with what they declare and do not write |
//! | `Option` | null, and the number 0 in place of an object, are `None` |
//! | `u32` | a number in place of an object, which [`Pointers`](super::Pointers) leads from |
//! | [`Link`] | an object, or a number in its place, or null |
//! | `()`, `IgnoredAny` | null; anything, which is passed over and not decoded |
//!
//! What an object says of itself is there as well, before its properties: `class`, and `*ptr`, its
//! number if it has one. Structs are told if they have such fields, maps always. (So
//! `#[serde(tag = "class")]` and `#[serde(flatten)]` work; but they have serde put all of an object
//! aside, which variants by class do not.) A property that is itself called `class` or `*ptr`
//! has the key `:class` or `:*ptr`: a field can be renamed to that.
//!
//! Properties that a struct does not have are passed over. A name that comes twice, which files
//! before 2021 have for lists, is an error for a struct, and of a map the last counts.
//!
//! Arrays and lists may declare any number of elements and write none. How many are put in has
//! [a limit](Deserializer::fill_limit), since the bytes of the file are not one; beyond it
//! [`ErrorKind::NotWritten`](super::ErrorKind::NotWritten) is the error. No memory is asked for
//! ahead of what is written.
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
//! How it works: `node` (an item, and what it begins), `object`, `seq` (what is in a row, and what
//! is put in), `parts` (numbers), `text`; `hint` is what types ask for.

mod de;
mod error;
mod hint;
mod link;
mod node;
mod object;
mod parts;
mod seq;
mod text;

pub use de::{Deserializer, from_items, read_object};
pub use error::Error;
pub use link::Link;

/// What reading comes to.
pub type Result<T> = core::result::Result<T, Error>;
