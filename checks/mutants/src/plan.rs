//! What is known of each mutant before any test has run. Its number is its place in the list.

use crate::Result;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// A line and a column, both from 1, the latter in characters.
pub type Position = (usize, usize);

#[derive(Deserialize, Serialize)]
pub struct Mutant {
    pub name: String,
    pub file: String,
    pub genre: String,
    pub replacement: String,
    pub start: Position,
    pub end: Position,
    /// The function returns `impl Trait`, so that there cannot be a second `return`.
    pub is_opaque: bool,
    /// What the compiler runs is never mutated; what runs with the program is.
    pub in_const_fn: bool,
    /// A deleted arm that is a copy of the `match` without it, for guards do not compile there.
    pub is_copied: bool,
    pub status: Status,
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub enum Status {
    /// No syntax was found where the list says.
    Unseen,
    Planted,
    /// The compiler refuses it, as it does for `cargo mutants`.
    Unviable,
    /// In an initializer or a length: nothing can be asked there when the program runs.
    Constant,
    /// It replaces a body of type `impl Trait` with another type.
    Opaque,
    /// Only planted together with the original does the compiler refuse it.
    Tangled,
}

impl Status {
    /// Only `cargo mutants` itself can tell.
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
