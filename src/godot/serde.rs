//! Rust types as values, by `serde`.

mod containers;
mod content;
mod de;
mod error;
mod leaf;
mod names;
mod newtypes;
mod numbers;
mod packed;
mod part;
mod path;
mod quick;
mod raw;
mod refuse;
mod ser;
mod structs;
mod value;
mod views;

pub use de::{Deserializer, from_bytes, from_bytes_in};
pub use error::Error;
pub use packed::{Packed, PackedElement, WireElement};
pub use ser::{to_append_only, to_vec, to_vec_for, to_writer};
pub use structs::{Component, RealComponent};

pub(crate) type Result<T> = core::result::Result<T, Error>;

use refuse::other_than_these;
