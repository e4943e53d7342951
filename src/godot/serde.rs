//! Rust types as values, by `serde`.

mod containers;
mod content;
mod de;
mod error;
mod leaf;
mod names;
mod numbers;
mod part;
mod path;
mod quick;
mod raw;
mod refuse;
mod ser;
mod structs;
mod value;

pub use de::{Deserializer, from_bytes, from_bytes_in};
pub use error::Error;
pub use ser::{to_append_only, to_vec, to_vec_for, to_writer};

pub(crate) type Result<T> = core::result::Result<T, Error>;

use refuse::other_than_these;
