//! Checks that `docs/dependencies.md` lists the dependencies in both manifests, each with its
//! purpose.

use std::collections::BTreeMap;

/// The dependencies, each with the features that enable it or with [`ALWAYS`].
type Table = BTreeMap<String, Vec<String>>;

const LIBRARY: &str = include_str!("../../Cargo.toml");
const COMMAND_LINE: &str = include_str!("../../cli/Cargo.toml");
const PAGE: &str = include_str!("../../docs/dependencies.md");

const ALWAYS: &str = "always";

/// Returns the keys and the values of the `key = value` lines in a section of a manifest.
fn section<'m>(manifest: &'m str, name: &str) -> Vec<(&'m str, &'m str)> {
    let (_, rest) = manifest.split_once(&format!("\n[{name}]\n")).expect("a section");
    let lines = rest.lines().take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| line.split_once(" = ")).collect()
}

/// Returns the dependencies of the library.
fn library() -> Table {
    let features = section(LIBRARY, "features");
    let row = |(name, details): (&str, &str)| {
        let enables = format!("\"dep:{name}\"");
        let enabling = features.iter().filter(|(_, list)| list.contains(&enables));
        let mut with: Vec<String> = enabling.map(|(feature, _)| (*feature).to_owned()).collect();
        assert_eq!(details.contains("optional = true"), !with.is_empty(), "{name}");
        if with.is_empty() {
            with.push(ALWAYS.to_owned());
        }
        with.sort();
        (name.to_owned(), with)
    };
    section(LIBRARY, "dependencies").into_iter().map(row).collect()
}

/// Returns the rows of the table under a heading of the page. Each row is a list of cells.
fn rows(heading: &str) -> Vec<Vec<&'static str>> {
    let (_, rest) = PAGE.split_once(&format!("\n## {heading}\n")).expect("a heading");
    let lines = rest.lines().take_while(|line| !line.starts_with("## "));
    let rows = lines.filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |"));
    let rows: Vec<Vec<_>> = rows.map(|row| row.split(" | ").collect()).collect();
    for row in &rows {
        assert!(row.last().is_some_and(|purpose| purpose.len() > 10), "{row:?}: no purpose");
    }
    rows
}

#[test]
fn page_lists_dependencies_of_the_library() {
    let page: Table = rows("Library")
        .into_iter()
        .map(|row| {
            let [name, with, _] = row[..] else { panic!("{row:?}: not three cells") };
            let with = with.split(", ").map(|feature| feature.trim_matches('`').to_owned());
            (name.trim_end_matches('`').to_owned(), with.collect())
        })
        .collect();
    assert!(page.len() > 15);
    assert_eq!(page, library());
}

#[test]
fn page_lists_dependencies_of_the_command_line() {
    let page: Vec<&str> = rows("Command line")
        .into_iter()
        .map(|row| {
            let [name, _] = row[..] else { panic!("{row:?}: not two cells") };
            name.trim_end_matches('`')
        })
        .collect();
    let sections = ["dependencies", "target.'cfg(unix)'.dependencies"];
    let all = sections.into_iter().flat_map(|name| section(COMMAND_LINE, name));
    let manifest = all.map(|(name, _)| name);
    assert_eq!(page, manifest.filter(|name| *name != "gamewire").collect::<Vec<_>>());
}
