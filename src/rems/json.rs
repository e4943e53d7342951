//! Prints saves as JSON: as a typed document that loses nothing, or as plain JSON that has only
//! names and values.
//!
//! Both are written item by item to a [`core::fmt::Write`], without building a tree.
//!
//! [`Printer`] writes the typed document:
//!
//! ```text
//! {"kind":"rems", "form":"text" | "binary" | "container", "era":ERA (binary only),
//!  "objects":[OBJECT…], "error":{"offset":N, "message":TEXT} (if the file is malformed)}
//! OBJECT   = {"class":TEXT, "pointer":N (if it has a number), "offset":N, "properties":[PROPERTY…]}
//! PROPERTY = {"type":TEXT, "name":TEXT, "value":VALUE, "error":… (if the value is malformed)}
//! VALUE    = OBJECT | [VALUE…] | {"pointer":N} | null | scalar
//! ```
//!
//! | value | JSON |
//! |---|---|
//! | numbers, booleans | numbers, booleans; NaN and infinities are the strings `"NaN"`, `"inf"`, `"-inf"` |
//! | `char` | a string of one character, or a number for an unpaired surrogate |
//! | text | a string, or `{"bytes":"HEX"}` if it is not UTF-8 |
//! | colours | `"#aarrggbb"` |
//! | vectors | an array of the components |
//! | matrices, boxes | an array of columns; an array of the two corners |
//! | omitted elements | the default values; or `{"more":COUNT}` if an array or list omits more than 65,536 elements, or the file more than 1,048,576 |
//!
//! [`print_plain`] writes plain JSON. Its structure is the one that
//! [`from_items`](super::from_items) deserializes. An object is a map from [property
//! keys](super::property_key) to values; its class and its number come first, under the keys
//! `class` and `*ptr`. A pointer is `{"*ptr":N}`.

mod budget;
mod plain;
mod printer;
mod value;
mod writer;

pub use plain::{Loss, PlainError, print_plain};
pub use printer::{Header, Malformed, Printer};
pub use writer::Layout;
