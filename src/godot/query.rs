//! Values by their paths: looking them up, overwriting them in place, and comparing two.

#[cfg(feature = "alloc")]
pub mod diff;
pub mod patch;
pub mod path;
