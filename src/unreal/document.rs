//! Serializes packages, saves, asset registries and localized texts as documents for `serde`, which
//! are usually printed as JSON.
//!
//! Values and records serialize themselves ([`SerializeIn`](super::format::SerializeIn)). This
//! module adds the structure of a document around them.

mod bytes_text;
mod encode;
mod locres;
mod on_demand;
mod package;
mod partial;
mod properties;
mod registry;
mod save;
mod tables;
mod zen;

pub use encode::{PackageDocument, SaveDocument};
pub use partial::PartialDocument;
