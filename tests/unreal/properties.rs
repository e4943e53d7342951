//! Tests properties of objects, with and without tags: their values, texts and structs.

#[cfg(feature = "serde")]
mod before_tags;
mod deep_types;
#[cfg(feature = "serde")]
mod elements;
#[cfg(feature = "serde")]
mod encoding;
mod find;
#[cfg(feature = "serde")]
mod formatted_text;
#[cfg(feature = "serde")]
mod native_structs;
mod new_values;
mod references;
mod regressions;
#[cfg(feature = "serde")]
mod rewrite;
#[cfg(feature = "serde")]
mod unversioned;
#[cfg(feature = "serde")]
mod values;
