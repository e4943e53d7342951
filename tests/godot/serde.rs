//! Rust types by serde, from packets and into them.

mod data_model;
mod newtype_names;
mod positions;
mod serializing;
mod types;
