//! Compiles the planted sources, removes the mutants at the positions of errors, and repeats until
//! there are no errors.

use crate::Result;
use crate::edit::Planted;
use crate::plan::{Mutant, Status};
use crate::tree;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Stdio};

/// A line of cargo's output, which may contain a message from the compiler.
#[derive(Deserialize)]
struct Line {
    message: Option<Message>,
}

#[derive(Deserialize)]
struct Message {
    level: String,
    spans: Vec<Span>,
    rendered: Option<String>,
}

#[derive(Deserialize)]
struct Span {
    file_name: String,
    byte_start: usize,
    byte_end: usize,
    is_primary: bool,
    expansion: Option<Box<Expansion>>,
}

#[derive(Deserialize)]
struct Expansion {
    span: Span,
}

type Files = BTreeMap<String, Planted>;

/// Plants the mutants and drops those that do not compile, first in a build without unit tests and
/// then in a build with them.
pub fn settle(root: &Path, folder: &Path, mutants: &mut [Mutant]) -> Result<()> {
    for profile in ["dev", "test"] {
        while let Some((files, errors)) = try_all(root, folder, mutants, profile)? {
            let dropped = drop_refused(&files, &errors, mutants);
            eprintln!("{} errors, {dropped} mutants dropped", errors.len());
            if dropped == 0 {
                let texts = errors.iter().filter_map(|error| error.rendered.as_deref());
                return Err(texts.collect::<Vec<_>>().join("\n").into());
            }
        }
    }
    Ok(())
}

fn try_all(
    root: &Path,
    folder: &Path,
    mutants: &mut [Mutant],
    profile: &str,
) -> Result<Option<(Files, Vec<Message>)>> {
    let tree = folder.join("tree");
    let files = tree::write(root, &tree, mutants)?;
    let errors = check(folder, &tree, profile)?;
    Ok((!errors.is_empty()).then_some((files, errors)))
}

/// Returns a cargo command that runs in the copy of the sources.
pub fn cargo(folder: &Path, tree: &Path) -> Command {
    let mut cargo = Command::new("cargo");
    // Allows the crate `gamewire` to use `const_eval_select`, which is unstable. Other crates are
    // compiled as usual.
    cargo.env("RUSTC_BOOTSTRAP", "gamewire");
    cargo.env("CARGO_TARGET_DIR", folder.join("target"));
    cargo.env("CARGO_INCREMENTAL", "0").env_remove("RUSTFLAGS");
    for profile in ["DEV", "TEST"] {
        cargo.env(format!("CARGO_PROFILE_{profile}_DEBUG"), "0");
    }
    cargo.current_dir(tree).stdin(Stdio::null());
    cargo
}

fn check(folder: &Path, tree: &Path, profile: &str) -> Result<Vec<Message>> {
    let mut cargo = cargo(folder, tree);
    cargo.args([
        "check",
        "--profile",
        profile,
        "--all-features",
        "--lib",
        "--bins",
        "--keep-going",
        "--message-format",
        "json",
    ]);
    let output = cargo.stderr(Stdio::inherit()).output()?;
    let lines = output.stdout.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let messages = lines.filter_map(|line| serde_json::from_slice::<Line>(line).ok()?.message);
    let errors: Vec<_> = messages.filter(|message| message.level == "error").collect();
    match errors.is_empty() && !output.status.success() {
        true => Err("cargo check failed without an error message".into()),
        false => Ok(errors),
    }
}

/// Drops the mutants whose pieces cause these errors, and returns their number.
fn drop_refused(files: &Files, errors: &[Message], mutants: &mut [Mutant]) -> usize {
    let in_pieces = |message: &Message, is_primary: bool| {
        let spans = message.spans.iter().filter(|span| span.is_primary == is_primary);
        spans.filter_map(|span| piece(files, span)).collect::<Vec<_>>()
    };
    let mut refused = BTreeSet::new();
    for error in errors {
        let primary = in_pieces(error, true);
        refused.extend(if primary.is_empty() { in_pieces(error, false) } else { primary });
    }
    for &id in &refused {
        mutants[id as usize].status = Status::Unviable;
    }
    if refused.is_empty() { untangle(files, errors, mutants) } else { refused.len() }
}

/// Handles errors outside mutated pieces: changes the state of each mutant whose edit contains such
/// an error. A mutant that deletes a match arm will be planted as a copy of the `match`. A mutant
/// of a different kind is left to `cargo mutants`, and so is a deletion that is already planted in
/// this way. Returns the number of changed mutants.
fn untangle(files: &Files, errors: &[Message], mutants: &mut [Mutant]) -> usize {
    let spans = errors.iter().flat_map(|error| &error.spans).filter(|span| span.is_primary);
    let tangled: BTreeSet<u32> = spans.filter_map(|span| edit(files, span)).flatten().collect();
    for &id in &tangled {
        let mutant = &mut mutants[id as usize];
        match mutant.genre == "MatchArm" && !mutant.is_copied {
            true => mutant.is_copied = true,
            false => mutant.status = Status::Tangled,
        }
        eprintln!("tangled: {}", mutant.name);
    }
    tangled.len()
}

/// Returns the mutant whose piece contains this position. If there is none, and the code at the
/// position was expanded from a macro, returns the mutant whose piece contains the call of the
/// macro.
fn piece(files: &Files, span: &Span) -> Option<u32> {
    let pieces = files.get(&span.file_name).map(|planted| planted.pieces.as_slice());
    let here = innermost(pieces.unwrap_or_default(), span).copied();
    here.or_else(|| piece(files, &span.expansion.as_ref()?.span))
}

/// Returns the mutants of the innermost edit that contains this position. If no edit does, tries
/// the macro call from which the code was expanded.
fn edit(files: &Files, span: &Span) -> Option<Vec<u32>> {
    let edits = files.get(&span.file_name).map(|planted| planted.edits.as_slice());
    let here = innermost(edits.unwrap_or_default(), span).cloned();
    here.or_else(|| edit(files, &span.expansion.as_ref()?.span))
}

fn innermost<'a, T>(all: &'a [(Range<usize>, T)], span: &Span) -> Option<&'a T> {
    let around = all
        .iter()
        .filter(|(range, _)| range.start <= span.byte_start && span.byte_end <= range.end);
    around.min_by_key(|(range, _)| range.len()).map(|(_, what)| what)
}
