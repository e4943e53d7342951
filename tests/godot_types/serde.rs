//! Rust types that are read from packets and written to packets through serde.

mod data_model;
mod newtype_names;
mod positions;
mod serializing;
mod types;
