//! Reads saves of Rem's Engine into Rust types through serde.

mod data_model;
mod limits;
mod types;
