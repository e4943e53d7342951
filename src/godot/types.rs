//! The payloads that are not plain numbers, and the views that borrow them from a packet.
//!
//! | bytes after the header | module |
//! |---|---|
//! | length, text, pad | `text` |
//! | count, then a length, text and pad for each string | `packed_strings` |
//! | three words, then strings | `node_path` |
//! | count, then numbers | `packed` |
//! | components of a vector; or a count, then vectors | `reals` |
//! | \[type\] count, then values | `container`, `array`, `dictionary` |
//! | class, count, then named values; or an id | `object` |
//! | image, input event (Godot 2) | `godot2` |
//!
//! `container` reads the start of arrays, dictionaries and objects; the walk in
//! [`read`](super::read) reads their items. Two modules let other code work on payloads without
//! knowing the types. `parts` lists the numbers and texts that a script passes to the constructor
//! of a value; the notations print them. `components` gives the numbers and elements that a path
//! can lead to. `convert` converts views to standard Rust types.

pub(crate) mod array;
pub(crate) mod components;
pub(crate) mod container;
pub(crate) mod convert;
pub(crate) mod dictionary;
pub(crate) mod godot2;
pub(crate) mod node_path;
pub(crate) mod object;
pub(crate) mod packed;
pub(crate) mod packed_strings;
pub(crate) mod parts;
pub(crate) mod reals;
pub(crate) mod text;
