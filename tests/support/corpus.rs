//! Access to the corpus: its location, and the packets, lines and JSON in its files.

use super::native_json::{self, Json};
use gamewire::godot::Dialect;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the path of a file or folder of the corpus. The tests of the library and of the command
/// line both use this function.
pub fn corpus(path: &str) -> PathBuf {
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let corpus = folders.map(|folder| folder.join("corpus")).find(|corpus| corpus.is_dir());
    corpus.expect("a corpus in the repository").join(path)
}

pub fn read(path: &str) -> Vec<u8> {
    fs::read(corpus(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Folders of packets, with their dialects. Each packet was written by an engine, or by hand in the
/// form that an engine would write.
pub const WRITTEN: [(&str, Dialect); 6] = [
    ("godot4", Dialect::Godot4),
    ("godot4-double", Dialect::Godot4),
    ("godot3", Dialect::Godot3),
    ("derived/godot2", Dialect::Godot2),
    ("derived/godot4-docs", Dialect::Docs),
    ("derived/godot4-docs-double", Dialect::DocsDouble),
];

/// Packets damaged by hand; some of them are valid.
pub const HOSTILE: (&str, Dialect) = ("hostile", Dialect::Godot4);

/// Returns the name, without extension, and the content of each `.bin` file in a folder.
pub fn packets(folder: &str) -> Vec<(String, Vec<u8>)> {
    let mut packets: Vec<_> = fs::read_dir(corpus(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "bin"))
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, fs::read(path).unwrap())
        })
        .collect();
    packets.sort();
    assert!(!packets.is_empty(), "no packets in {folder}");
    packets
}

/// Returns the JSON objects of a file that has one object per line.
pub fn lines(path: &str) -> Vec<Json> {
    let text = String::from_utf8(read(path)).unwrap();
    // Not `str::lines`, because values contain raw control characters.
    text.split('\n')
        .filter(|line| !line.is_empty())
        .map(|line| native_json::parse(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

pub fn json(path: &str) -> Json {
    native_json::parse(&String::from_utf8(read(path)).unwrap()).unwrap()
}

pub fn unhex(text: &str) -> Vec<u8> {
    assert!(text.len().is_multiple_of(2));
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap())
        .collect()
}

pub fn is_true(json: &Json, name: &str) -> bool {
    json.get(name) == Some(&Json::Bool(true))
}

pub fn number(json: &Json, name: &str) -> usize {
    match json.get(name) {
        Some(Json::Number(number, _)) => *number as usize,
        other => panic!("{name}: {other:?}"),
    }
}
