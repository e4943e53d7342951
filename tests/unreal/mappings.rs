//! Mappings, and properties without tags that are read with them.

mod tables;
#[cfg(feature = "serde")]
mod values;
