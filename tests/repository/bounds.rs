//! Checks that the tests named in `docs/bounds.md` exist in `tests/bounds` or `cli/tests/bounds`.

use std::fs;
use std::path::Path;

/// Returns the entries in the last column of every table, most of which are names of tests.
fn named(page: &str) -> impl Iterator<Item = &str> {
    let rows = page.lines().filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'));
    let cells = rows.filter_map(|row| row.rsplit(" | ").next());
    cells.flat_map(|cell| cell.split(", ")).map(|name| name.trim().trim_matches('`'))
}

/// Returns `true` if a test with this name exists. The name may be a module, such as
/// `godot::readers`. `net::streams::tcp` stands for all functions in the module `net::streams`
/// whose names begin with `tcp`.
fn exists(folder: &Path, name: &str) -> bool {
    let module = |name: &str| folder.join(format!("{}.rs", name.replace("::", "/")));
    let (parent, function) = name.rsplit_once("::").expect("a path");
    let text = fs::read_to_string(module(parent)).unwrap_or_default();
    module(name).exists() || text.contains(&format!("fn {function}"))
}

#[test]
fn named_tests_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["tests/bounds", "cli/tests/bounds"].map(|folder| root.join(folder));
    let page = include_str!("../../docs/bounds.md");
    let names: Vec<&str> = named(page).filter(|name| name.contains("::")).collect();
    assert!(names.len() > 30);
    for name in names {
        let exists = folders.iter().any(|folder| exists(folder, name));
        assert!(exists, "docs/bounds.md names a test that does not exist: {name}");
    }
}
