//! Files that the bench writes for the report, besides criterion's samples.

use serde::{Deserialize, Serialize};
use std::env;
use std::path::PathBuf;

/// Number of allocations in one run of a row.
#[derive(Serialize, Deserialize)]
pub struct Counted {
    pub content: String,
    pub peer: String,
    pub what: String,
    pub bytes: usize,
    pub allocations: usize,
}

/// Times of the engine, in nanoseconds.
#[derive(Serialize, Deserialize)]
pub struct Engine {
    pub content: String,
    pub decode: f64,
    pub encode: f64,
}

/// Returns Cargo's target folder.
pub fn target() -> PathBuf {
    let own = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target");
    env::var_os("CARGO_TARGET_DIR").map_or_else(own, PathBuf::from)
}

/// Returns the folder of these files.
pub fn output() -> PathBuf {
    target().join("compare")
}
