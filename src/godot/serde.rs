//! Serde support: [`from_bytes`] and [`to_vec`] convert between Rust types and packets.
//!
//! | Rust | Godot |
//! |---|---|
//! | `()`, unit structs, `None` | null |
//! | `bool` | bool |
//! | `i8` to `u128` | int, in 64 bits only if necessary; a value that `i64` cannot represent is an error |
//! | `f32`, `f64` | float, in 64 bits only if necessary; ints are accepted |
//! | `&str`, `String`, `char` | String; a StringName is accepted |
//! | structs, maps | Dictionary; the properties of an object are accepted |
//! | `Vec`, tuples, arrays | Array; packed arrays are accepted, and so are vectors and colours as the list of their components |
//! | `Vec<u8>`, `&[u8]` and other sequences that contain only `u8`; byte strings | PackedByteArray; an empty sequence becomes an empty Array, because serde does not report its element type |
//! | an enum's variant without content | String with its name |
//! | other variants | Dictionary of one pair: the name and the content |
//! | `Some`, newtypes | their content |
//! | [`Vector2`](super::Vector2) and similar types of `f32`, `f64` or `i32` | the same type, written in the width of the Rust type; either width is accepted |
//! | [`StringName`], [`NodePath`], [`ObjectId`], [`Rid`], [`Callable`], [`Signal`] | their own type |
//! | [`Packed`] of a `Vec` or slice | the packed array of the element type, even if empty |
//! | [`Variant`], [`Encoded`], [`VariantRef`] | any value, written with the same bytes; a leaf of a `VariantRef` is written as an engine would write it |
//!
//! In other formats, such as JSON, the engine's types appear as plain structs, strings, numbers and
//! sequences. Views can be written to other formats as well: `serde_json::to_string(&view)`.
//!
//! If the Rust type is `f32`, an int beyond 2^24 or a 64-bit float is rounded to the nearest `f32`
//! without an error, as is usual in serde.
//!
//! Reading a dictionary is fastest if its keys are in the order in which the struct declares its
//! fields. [`to_vec`] writes them in this order. Keys that the struct does not have are skipped,
//! whatever their type. A duplicate field, which no engine writes, is an error, as in any serde
//! format.
//!
//! The following server reads inputs and answers with its state:
//!
//! ```
//! use gamewire::godot::{self, Dialect, Vector2, Writer};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Deserialize)]
//! #[serde(tag = "type")]
//! enum Input<'a> {
//!     Move { direction: Vector2<f32> },
//!     Say { text: &'a str },
//! }
//!
//! #[derive(Serialize, Default)]
//! struct State {
//!     tick: u32,
//!     position: Vector2<f32>,
//!     chat: Vec<String>,
//! }
//!
//! impl State {
//!     /// Applies an input, and appends the new state to the outgoing bytes.
//!     fn answer(&mut self, packet: &[u8], out: &mut Vec<u8>) -> godot::serde::Result<()> {
//!         match godot::from_bytes(packet)? {
//!             Input::Move { direction } => self.position.x += direction.x,
//!             Input::Say { text } => self.chat.push(text.into()),
//!         }
//!         self.tick += 1;
//!         godot::to_writer(&mut Writer::new(out, Dialect::Godot4), self)
//!     }
//! }
//!
//! // {"type": "Move", "direction": Vector2(1, 0)}
//! let packet = b"\x1b\0\0\0\x02\0\0\0\x04\0\0\0\x04\0\0\0type\x04\0\0\0\x04\0\0\0Move\
//!     \x04\0\0\0\x09\0\0\0direction\0\0\0\x05\0\0\0\0\0\x80\x3f\0\0\0\0";
//! let (mut state, mut out) = (State::default(), Vec::new());
//! state.answer(packet, &mut out)?;
//! assert_eq!(state.position.x, 1.0);
//! let error = state.answer(&packet[..60], &mut out).unwrap_err();
//! assert_eq!(error.path(), "direction");
//! # Ok::<(), godot::serde::Error>(())
//! ```
//!
//! [`Callable`]: super::Callable
//! [`Encoded`]: super::Encoded
//! [`NodePath`]: super::NodePath
//! [`ObjectId`]: super::ObjectId
//! [`Rid`]: super::Rid
//! [`Signal`]: super::Signal
//! [`StringName`]: super::StringName
//! [`Variant`]: super::Variant
//! [`VariantRef`]: super::VariantRef
//!
//! Implementation: `value` deserializes a value, with `fast_path` for the most common encodings
//! and `containers`, `leaf` and `numbers` for the rest. `ser` serializes, with `part` and
//! `content` for the engine's types. `names` and `raw` recognise the types of this crate;
//! `structs`, `newtypes`, `packed`, `views` and `owned` implement serde's traits for them.

mod containers;
mod content;
mod de;
mod error;
mod fast_path;
mod in_order;
mod leaf;
mod names;
mod newtypes;
mod numbers;
mod owned;
mod packed;
mod part;
mod raw;
mod recursion_budget;
mod seq;
mod ser;
mod structs;
mod unsupported;
mod value;
mod views;

pub use de::{Deserializer, from_bytes, from_bytes_in};
pub use error::Error;
pub use packed::{Packed, PackedElement, WireElement};
pub use ser::{to_append_only, to_vec, to_vec_for, to_writer};
pub use structs::{Component, RealComponent};

/// The result of deserializing or serializing.
pub type Result<T> = core::result::Result<T, Error>;

use unsupported::unsupported_methods;
