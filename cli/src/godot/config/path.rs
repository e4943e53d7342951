//! Paths into configuration files: `SECTION/KEY`, or `SECTION/KEY/PATH` for a part of the value.

use gamewire::godot::config::{Config, ConfigSection, Entry};

/// The part of a file that a path leads to.
pub enum Target<'c, 'b, 'p> {
    /// The whole file.
    File,
    Section(&'c ConfigSection<'b>),
    /// A value, and the path inside it.
    Entry(Entry<'b>, &'p str),
}

/// Finds the part of a file that a path leads to. Names of sections and keys can contain a `/`. If
/// the path can be split in several ways, the longest possible section is chosen, and then the
/// longest possible key in this section. The section `""` need not be named: `KEY` and `/KEY` lead
/// to the same entry.
pub fn find<'c, 'b, 'p>(config: &'c Config<'b>, path: &'p str) -> Option<Target<'c, 'b, 'p>> {
    if path.is_empty() {
        return Some(Target::File);
    }
    let whole = config.section(path).map(Target::Section);
    let split = || splits(path).find_map(|(section, rest)| in_section(config, section, rest));
    whole.or_else(split).or_else(|| in_section(config, "", path))
}

fn in_section<'c, 'b, 'p>(
    config: &'c Config<'b>,
    section: &str,
    rest: &'p str,
) -> Option<Target<'c, 'b, 'p>> {
    let section = config.section(section)?;
    if let Some(entry) = section.get(rest) {
        return Some(Target::Entry(entry, ""));
    }
    splits(rest).find_map(|(key, path)| Some(Target::Entry(section.get(key)?, path)))
}

/// Splits a path at each `/`, the last one first.
fn splits(path: &str) -> impl Iterator<Item = (&str, &str)> {
    path.rmatch_indices('/')
        .filter_map(|(at, _)| Some((path.get(..at)?, path.get(at.saturating_add(1)..)?)))
}

/// Returns the section and the key of a new entry. If several sections of the file match the start
/// of the path, the longest one is chosen. If none matches, the name of the section ends at the
/// first `/`.
pub fn new_entry<'p>(config: &Config<'_>, path: &'p str) -> (&'p str, &'p str) {
    let mut known = splits(path).filter(|(section, _)| config.section(section).is_some());
    let first = || path.split_once('/');
    known.next().or_else(first).unwrap_or(("", path))
}
