//! Mappings, and properties without tags that are read with them.

#[cfg(feature = "serde")]
mod declared;
#[cfg(feature = "serde")]
mod documents;
#[cfg(feature = "serde")]
mod foreign;
#[cfg(feature = "serde")]
mod generated;
#[cfg(feature = "serde")]
mod laws;
#[cfg(feature = "serde")]
mod natives;
mod rows;
mod tables;
#[cfg(feature = "serde")]
mod values;
#[cfg(feature = "serde")]
mod writing;
