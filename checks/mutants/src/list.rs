//! Gets the list of mutants from `cargo mutants`.

use crate::plan::{Mutant, Status};
use crate::{Result, tree};
use serde::Deserialize;
use std::path::Path;
use std::process::Command;

#[derive(Deserialize)]
struct Listed {
    file: String,
    function: Option<Function>,
    genre: String,
    name: String,
    replacement: String,
    span: Span,
}

#[derive(Deserialize)]
struct Function {
    return_type: String,
}

#[derive(Deserialize)]
struct Span {
    start: Position,
    end: Position,
}

#[derive(Deserialize)]
struct Position {
    line: usize,
    column: usize,
}

/// Runs `cargo mutants` to list the mutants of the library and of the command line. `more` are
/// additional arguments.
pub fn list(root: &Path, more: &[String]) -> Result<Vec<Mutant>> {
    let output = Command::new("cargo")
        .args(["mutants", "--list", "--json", "--workspace", "--all-features"])
        .args(more)
        .current_dir(root)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let listed: Vec<Listed> = serde_json::from_slice(&output.stdout)?;
    let is_source =
        |file: &str| tree::SOURCES.iter().any(|&folder| Path::new(file).starts_with(folder));
    Ok(listed.into_iter().filter(|one| is_source(&one.file)).map(mutant).collect())
}

fn mutant(listed: Listed) -> Mutant {
    let Span { start, end } = listed.span;
    let returns = listed.function.map(|function| function.return_type).unwrap_or_default();
    Mutant {
        name: listed.name,
        file: listed.file,
        genre: listed.genre,
        replacement: listed.replacement,
        start: (start.line, start.column),
        end: (end.line, end.column),
        is_opaque: returns.contains("impl "),
        in_const_fn: false,
        is_copied: false,
        status: Status::Unseen,
    }
}
