//! Creates a copy of the workspace in which mutants are planted.

use crate::Result;
use crate::edit::{self, Planted};
use crate::plan::{Mutant, Status};
use crate::sites;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// The source folders of the library and of the command line.
pub const SOURCES: [&str; 2] = ["src", "cli/src"];
const COPIED: [&str; 4] = ["Cargo.toml", "Cargo.lock", "rustfmt.toml", "cli/Cargo.toml"];
const LINKED: [&str; 9] = [
    "README.md",
    "docs",
    "corpus",
    "tests",
    "benches",
    "examples",
    "cli/README.md",
    "cli/tests",
    "cli/benches",
];

/// Creates the copy without the sources. Its other folders are symbolic links, so nothing may be
/// written to them.
pub fn create(root: &Path, tree: &Path) -> Result<()> {
    if tree.exists() {
        fs::remove_dir_all(tree)?;
    }
    fs::create_dir_all(tree.join("cli"))?;
    for name in COPIED {
        fs::copy(root.join(name), tree.join(name))?;
    }
    for name in LINKED {
        symlink(root.join(name), tree.join(name))?;
    }
    Ok(())
}

/// Writes all sources with the mutants that are neither unviable nor left. Returns the planted text
/// of each file, with the positions of its edits.
pub fn write(
    root: &Path,
    tree: &Path,
    mutants: &mut [Mutant],
) -> Result<BTreeMap<String, Planted>> {
    let mut planted = BTreeMap::new();
    for folder in SOURCES {
        for file in sources(root, &root.join(folder))? {
            let one = plant(root, &file, mutants)?;
            write_if_new(&tree.join(&file), &one.text)?;
            planted.insert(file, one);
        }
    }
    let module = include_str!("mutant.rs.in").replace("COUNT]", &format!("{}]", mutants.len()));
    write_if_new(&tree.join("src/mutant.rs"), &module)?;
    Ok(planted)
}

fn plant(root: &Path, file: &str, mutants: &mut [Mutant]) -> Result<Planted> {
    let source = fs::read_to_string(root.join(file))?;
    let syntax = syn::parse_file(&source).map_err(|error| format!("{file}: {error}"))?;
    let here = mutants.iter().enumerate().filter(|(_, mutant)| mutant.file == file);
    let open = here.filter(|(_, mutant)| matches!(mutant.status, Status::Unseen | Status::Planted));
    let open: Vec<_> = open.map(|(id, mutant)| (id as u32, mutant)).collect();
    let found = sites::find(&source, &syntax, &open);
    for (id, status) in found.statuses {
        mutants[id as usize].status = status;
    }
    for id in found.in_const_fn {
        mutants[id as usize].in_const_fn = true;
    }
    let on =
        if file.starts_with("cli/src/") { "gamewire::mutant::on" } else { "crate::mutant::on" };
    let mut planted = edit::plant(&source, found.edits, on);
    if file == "src/lib.rs" || file.ends_with("/main.rs") {
        planted = root_of_crate(planted, file == "src/lib.rs");
    }
    Ok(planted)
}

/// Inserts the attributes that a crate with mutants needs, without changing line numbers.
fn root_of_crate(mut planted: Planted, is_library: bool) -> Planted {
    assert!(planted.edits.is_empty() || !is_library, "the root of the library has no functions");
    let mut front = String::from("#![allow(warnings, clippy::all)] ");
    if is_library {
        front.push_str(
            "#![feature(core_intrinsics, const_eval_select)] #![allow(internal_features)] ",
        );
    }
    let forbid =
        planted.text.find("#![forbid(unsafe_code)]").expect("the crate forbids unsafe code");
    let length = "#![forbid(unsafe_code)]".len();
    planted.text.replace_range(forbid..forbid + length, &front);
    let moved = |range: &mut std::ops::Range<usize>| {
        *range = range.start + front.len() - length..range.end + front.len() - length;
    };
    planted.pieces.iter_mut().for_each(|(range, _)| moved(range));
    planted.edits.iter_mut().for_each(|(range, _)| moved(range));
    if is_library {
        planted.text.push_str("\n#[doc(hidden)]\npub mod mutant;\n");
    }
    planted
}

fn write_if_new(path: &Path, text: &str) -> Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().expect("a file is in a folder"))?;
    Ok(fs::write(path, text)?)
}

/// Returns the sources in a folder, as paths from the root.
fn sources(root: &Path, folder: &Path) -> Result<Vec<String>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        if path.is_dir() {
            all.extend(sources(root, &path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push(path.strip_prefix(root)?.to_str().ok_or("a path is text")?.to_owned());
        }
    }
    Ok(all)
}
