//! Saves of Rem's Engine as Rust types, by serde.

mod data_model;
mod limits;
mod types;
