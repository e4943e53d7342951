//! Paths into values: lookup, in-place changes, and comparison of two values.

#[cfg(feature = "alloc")]
pub mod diff;
pub mod patch;
pub mod path;
