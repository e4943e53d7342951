//! The state of each mutant before any test has run. The number of a mutant is its index in the
//! list.

use crate::Result;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// A line and a column, both starting at 1. Columns are counted in characters.
pub type Position = (usize, usize);

#[derive(Deserialize, Serialize)]
pub struct Mutant {
    pub name: String,
    pub file: String,
    pub genre: String,
    pub replacement: String,
    pub start: Position,
    pub end: Position,
    /// `true` if the function returns `impl Trait`. Such a function cannot have a second `return`
    /// with a different type.
    pub is_opaque: bool,
    /// `true` if the mutant is in a `const fn`, whose mutants are active only at run time.
    pub in_const_fn: bool,
    /// `true` if the mutant deletes a match arm and is planted as a copy of the `match` without
    /// this arm. Such mutants are normally planted as a guard of the arm; a copy is used if the
    /// guard does not compile.
    pub is_copied: bool,
    pub status: Status,
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub enum Status {
    /// Nothing that can be mutated was found at the line and column that `cargo mutants` listed.
    Unseen,
    Planted,
    /// The mutant compiles neither here nor with `cargo mutants`.
    Unviable,
    /// The mutant is in an initializer or a length, which is not evaluated at run time.
    Constant,
    /// The mutant replaces the body of a function that returns `impl Trait` with a value of a
    /// different type.
    Opaque,
    /// The mutant does not compile together with the original.
    Tangled,
}

impl Status {
    /// Returns `true` if the mutant is left to `cargo mutants`.
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
