//! The state of each mutant before any test has run. The number of a mutant is its index in the list.

use crate::Result;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// A line and a column, both from 1. Columns count characters.
pub type Position = (usize, usize);

#[derive(Deserialize, Serialize)]
pub struct Mutant {
    pub name: String,
    pub file: String,
    pub genre: String,
    pub replacement: String,
    pub start: Position,
    pub end: Position,
    /// The function returns `impl Trait`, so a second `return` is not possible.
    pub is_opaque: bool,
    /// Never mutated at compile time, only at run time.
    pub in_const_fn: bool,
    /// A deleted arm, planted as a copy of the `match` without it, because a guard does not compile.
    pub is_copied: bool,
    pub status: Status,
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub enum Status {
    /// No syntax was found at the position in the list.
    Unseen,
    Planted,
    /// Does not compile, here or with `cargo mutants`.
    Unviable,
    /// In an initializer or a length, which is not evaluated at run time.
    Constant,
    /// It replaces a body of type `impl Trait` with another type.
    Opaque,
    /// Does not compile together with the original.
    Tangled,
}

impl Status {
    /// Left to `cargo mutants`.
    pub fn is_left(self) -> bool {
        matches!(self, Self::Unseen | Self::Constant | Self::Opaque | Self::Tangled)
    }
}

pub fn load(folder: &Path) -> Result<Vec<Mutant>> {
    Ok(serde_json::from_slice(&fs::read(folder.join("plan.json"))?)?)
}

pub fn save(folder: &Path, mutants: &[Mutant]) -> Result<()> {
    Ok(fs::write(folder.join("plan.json"), serde_json::to_vec(mutants)?)?)
}
