//! Opened files: what the families `unreal` and `values` have in common.
//!
//! A format implements [`Source`](place::Source). Only [`open`] knows which families exist.

pub mod brackets;
mod csv;
mod diff;
#[cfg(all(test, feature = "unreal", feature = "values"))]
mod format_tests;
pub mod json;
pub mod open;
pub mod page;
pub mod place;
pub mod search;
pub mod session;
pub mod text;
mod tree;
mod walk;
