//! Oracles for Godot's formats, and comparisons with the crate.

pub mod compare;
pub mod config_oracle;
pub mod debugger_oracle;
pub mod engine_json;
pub mod multiplayer_oracle;
pub mod notation;
pub mod oracle;
pub mod parity;
pub mod values;
pub mod words;
