//! The table of dependencies in the documentation is that of the manifest.

use std::collections::BTreeMap;

type Table = BTreeMap<String, Vec<String>>;

const ALWAYS: &str = "always";

/// Each dependency, and the features that name it.
fn manifest() -> Table {
    let text = include_str!("../../Cargo.toml");
    let section = |name: &str| {
        let (_, rest) = text.split_once(&format!("\n[{name}]\n")).expect("a section");
        let lines = rest.lines().take_while(|line| !line.starts_with('['));
        lines.filter_map(|line| line.split_once(" = ")).collect::<Vec<_>>()
    };
    let features = section("features");
    let mut table = Table::new();
    for (name, details) in section("dependencies") {
        let optional = details.contains("optional = true");
        let wanted = format!("\"dep:{name}\"");
        let mut with: Vec<String> = features
            .iter()
            .filter(|(_, list)| list.contains(&wanted))
            .map(|(feature, _)| (*feature).to_owned())
            .collect();
        assert_ne!(optional, with.is_empty(), "{name}");
        if !optional {
            with.push(ALWAYS.to_owned());
        }
        with.sort();
        table.insert(name.to_owned(), with);
    }
    table
}

/// The table of the page: `library` | with | what for.
fn page() -> Table {
    let rows = include_str!("../../docs/dependencies.md").lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split(" | ");
        let name = cells.next()?.trim_end_matches('`');
        let with = cells.next()?.split(", ").map(|feature| feature.trim_matches('`').to_owned());
        assert!(cells.next().is_some_and(|reason| reason.len() > 10), "{name}: what for?");
        Some((name.to_owned(), with.collect()))
    });
    rows.collect()
}

#[test]
fn each_has_its_reason() {
    let manifest = manifest();
    assert!(manifest.len() > 20);
    assert_eq!(page(), manifest);
}
