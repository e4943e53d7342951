//! The laws that the tests check, compiled once for all targets.

#[path = "../../tests/laws/mod.rs"]
pub mod laws;
#[path = "../../tests/support/mod.rs"]
mod support;
