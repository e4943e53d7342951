//! Rust types through serde, from packets and to packets.

mod data_model;
mod newtype_names;
mod positions;
mod serializing;
mod types;
