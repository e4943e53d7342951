//! Tests the bounds of packages and saves of Unreal Engine.

mod archive;
mod iostore;
mod locres;
mod packages;
mod paks;
mod registry;
mod saves;
mod unversioned;
mod wrapped;
mod zen;

use crate::measure::Entry;

/// Increases the stack of an entry point that recurses through 48 levels, each with calls of serde.
fn recursive(entry: Entry) -> Entry {
    Entry { stack: 2 << 20, ..entry }
}
