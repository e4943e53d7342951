//! Serializes packages and saves as documents for `serde`, which are usually printed as JSON.
//!
//! Values and records serialize themselves ([`SerializeIn`](super::format::SerializeIn)). This
//! module adds the structure of a document around them.

mod bytes_text;
mod encode;
mod package;
mod partial;
mod properties;
mod save;
mod tables;
mod zen;

pub use encode::{PackageDocument, SaveDocument};
pub use partial::PartialDocument;
