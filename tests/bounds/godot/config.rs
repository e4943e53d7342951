//! Tests the bounds of reading and changing configuration files.

use crate::measure::{Entry, Family, SMALL_INPUT, Work, consume, with_memory};
use crate::support::hostile::godot_texts::{configs, texts};
use gamewire::godot::Dialect;
use gamewire::godot::config::{Config, ConfigEditor, ConfigReader, Item};

fn files() -> Family {
    let entries = vec![
        with_memory("ConfigReader", 4, read),
        with_memory("Config::parse", 170, |file| consume(Config::parse(file, Dialect::Godot4))),
        with_memory("Config::save", 220, save),
        with_memory("ConfigEditor", 30, edit),
    ];
    Family {
        entries,
        shapes: configs(),
        max_instructions_per_byte: 15_000.0,
        small_input: SMALL_INPUT,
    }
}

/// Returns the entry points for files that contain a single entry.
fn values() -> Family {
    let entries = vec![
        with_memory("ConfigReader, one value", 4, |text| read(&entry(text))),
        // As for `Display`, the work per byte of printing a value is proportional to the depth of
        // the value.
        Entry {
            work: Work::AtMost(250_000.0),
            ..with_memory("Config::save, one value", 200, |text| save(&entry(text)))
        },
        with_memory("ConfigEditor, one value", 30, |text| edit(&entry(text))),
    ];
    Family {
        entries,
        shapes: texts(),
        max_instructions_per_byte: 15_000.0,
        small_input: SMALL_INPUT,
    }
}

fn entry(value: &[u8]) -> Vec<u8> {
    [b"a=", value, b"\n"].concat()
}

#[test]
fn config_work() {
    files().assert_work("godot::config::config_work");
}

#[test]
fn config_memory() {
    files().assert_memory();
}

#[test]
fn config_values_work() {
    values().assert_work("godot::config::config_values_work");
}

#[test]
fn config_values_memory() {
    values().assert_memory();
}

fn read(file: &[u8]) {
    for item in ConfigReader::new(file, Dialect::Godot4).unwrap() {
        match item {
            Ok(Item::Entry(entry)) => consume(entry.key()),
            item => consume(item),
        }
    }
}

fn save(file: &[u8]) {
    if let Ok(config) = Config::parse(file, Dialect::Godot4) {
        consume(config.save());
    }
}

fn edit(file: &[u8]) {
    let text = str::from_utf8(file).unwrap();
    let Ok(mut editor) = ConfigEditor::new(text, Dialect::Godot4) else { return };
    consume(editor.set("a", "b", 1));
    consume(editor.set("", "a", 2));
    consume(editor.set("new", "a", 3));
    consume(editor.remove("", "a"));
    consume(editor.into_string());
}
