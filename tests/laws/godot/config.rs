//! Laws of configuration files: the items of a file together make up the whole file, a second
//! reader finds the same entries, and a change to one entry reads back and changes no other entry
//! and no other byte.

use super::{LARGE, SMALL};
use crate::support::godot::config_oracle;
use gamewire::godot::config::{Config, ConfigEditor, ConfigReader, Entry, Item};
use gamewire::godot::notation::Reading;
use gamewire::godot::{Dialect, Variant};

pub fn godot_config(data: &[u8]) {
    for dialect in [Dialect::Godot4, Dialect::Godot3] {
        config_as(data, dialect);
    }
}

/// Checks a file in one dialect.
pub fn config_as(data: &[u8], dialect: Dialect) {
    let Ok(text) = str::from_utf8(data) else {
        assert!(ConfigReader::new(data, dialect).is_err() && Config::parse(data, dialect).is_err());
        return;
    };
    let (entries, is_complete) = items(text, dialect);
    for entry in &entries {
        check_entry(entry, text, dialect);
    }
    if text.len() <= LARGE {
        compare(&entries, is_complete, text, dialect);
    }
    let Ok(config) = Config::parse(data, dialect) else { return assert!(!is_complete) };
    assert!(is_complete);
    if let Ok(saved) = config.save() {
        let again = Config::parse(saved.as_bytes(), dialect).unwrap();
        assert_eq!(names(&again), names(&config), "{text:?}");
    }
    // Near a malformed value, a change can have any effect.
    let options = Reading::of(dialect).as_the_engine();
    let is_readable = entries.iter().all(|entry| entry.read_with(options).is_ok());
    if text.len() <= SMALL && is_readable {
        for (section, key) in names(&config).into_iter().take(4) {
            change(text, &section, &key, dialect);
        }
        change(text, "new", "a key", dialect);
        change(text, "", "new", dialect);
    }
}

/// Returns the entries, and `true` if no error follows them. Checks that the texts of all items
/// together make up the file.
fn items(text: &str, dialect: Dialect) -> (Vec<Entry<'_>>, bool) {
    let (mut entries, mut at) = (Vec::new(), 0);
    for item in ConfigReader::of(text, dialect) {
        let item = match item {
            Ok(item) => item,
            Err(error) => {
                assert!(error.offset() >= at as u64 && error.offset() <= text.len() as u64);
                return (entries, false);
            }
        };
        assert!(text[at..].starts_with(item.text()) && !item.text().is_empty());
        if let Item::Entry(entry) = item {
            assert_eq!(entry.offset(), at as u64);
            entries.push(entry);
        }
        at += item.text().len();
    }
    assert_eq!(at, text.len());
    (entries, true)
}

fn check_entry(entry: &Entry<'_>, text: &str, dialect: Dialect) {
    let start = entry.value_offset();
    assert!(text[start as usize..].starts_with(entry.value()));
    let engine = entry.read_with(Reading::of(dialect).as_the_engine());
    match (entry.read(), &engine) {
        (Ok(value), engine) => {
            assert_eq!(value.kind(), engine.as_ref().unwrap().kind(), "{text:?}")
        }
        (Err(error), _) => assert!(error.offset() >= start && error.offset() <= text.len() as u64),
    }
    let is_null = engine.is_ok_and(|value| value == Variant::NIL);
    assert!(!is_null || entry.is_null() || entry.value().starts_with("Object"), "{text:?}");
}

/// Compares the entries with those of the second reader. The comparison stops at the first
/// malformed value.
fn compare(entries: &[Entry<'_>], is_complete: bool, text: &str, dialect: Dialect) {
    let options = Reading::of(dialect).as_the_engine();
    let is_readable = |entry: &&Entry<'_>| entry.read_with(options).is_ok();
    let ours: Vec<_> = entries.iter().take_while(is_readable).collect();
    let (theirs, theirs_complete) = config_oracle::entries(text, dialect);
    assert!(theirs.len() >= ours.len(), "{text:?}");
    for (ours, theirs) in ours.iter().zip(&theirs) {
        let entry = (ours.section().into(), ours.key().into(), ours.value().into());
        assert_eq!(entry, *theirs, "{text:?}");
    }
    if is_complete && ours.len() == entries.len() {
        assert!(theirs_complete && theirs.len() == ours.len(), "{text:?}");
    }
}

fn names(config: &Config<'_>) -> Vec<(String, String)> {
    let sections = config.sections();
    let mut names: Vec<_> = sections
        .flat_map(|section| section.entries().map(|(key, _)| (section.name().into(), key.into())))
        .collect();
    names.sort();
    names
}

/// The section, key and value of each entry.
type Values = Vec<(String, String, String)>;

fn values(text: &str, dialect: Dialect) -> Values {
    let config = Config::parse(text.as_bytes(), dialect).unwrap();
    let values = config.sections().flat_map(|section| {
        section.entries().map(|(key, entry)| {
            (section.name().to_owned(), key.to_owned(), entry.value().to_owned())
        })
    });
    let mut values: Values = values.collect();
    values.sort();
    values
}

/// Sets an entry to two different values, and removes it. Checks that all other entries keep their
/// values, and that the file grows or shrinks at only one place.
pub fn change(text: &str, section: &str, key: &str, dialect: Dialect) {
    let mut others = values(text, dialect);
    others.retain(|(other, name, _)| (&**other, &**name) != (section, key));
    let mut editor = ConfigEditor::new(text, dialect).unwrap();
    for value in ["[1, \"]\"]", "#ffffff", "true"] {
        let before = editor.as_str().to_owned();
        if editor.set_text(section, key, value).is_err() {
            assert_eq!(editor.as_str(), before);
            return; // a name that cannot be written
        }
        let mut expected = others.clone();
        expected.push((section.to_owned(), key.to_owned(), value.to_owned()));
        expected.sort();
        assert_eq!(values(editor.as_str(), dialect), expected, "{text:?} {section:?} {key:?}");
        check_bytes(&before, editor.as_str(), section, key, dialect);
    }
    assert!(editor.remove(section, key).unwrap());
    assert_eq!(values(editor.as_str(), dialect), others, "{text:?} {section:?} {key:?}");
    assert!(!editor.remove(section, key).unwrap());
}

/// Checks that a change keeps all bytes except those of the last value of the key, and that a new
/// entry only adds bytes.
fn check_bytes(old: &str, new: &str, section: &str, key: &str, dialect: Dialect) {
    let (entries, _) = items(old, dialect);
    let is_changed = |entry: &&Entry<'_>| entry.section() == section && entry.key() == key;
    let range = entries.iter().rfind(is_changed).map(|entry| {
        let start = entry.value_offset() as usize;
        (start, start + entry.value().len())
    });
    let (start, end) = range.unwrap_or_else(|| {
        let is_same = |(old, new): &(u8, u8)| old == new;
        let same = old.bytes().zip(new.bytes()).take_while(is_same).count();
        (same, same)
    });
    assert_eq!(old.as_bytes()[..start], new.as_bytes()[..start], "{old:?} {new:?}");
    assert!(new.as_bytes()[start..].ends_with(&old.as_bytes()[end..]), "{old:?} {new:?}");
}
