//! Runs Godot itself on the same packets, if it is installed.

use crate::contents::Content;
use gamewire_bench_peers::figures::{Engine, output};
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

/// Runs the script, which writes its figures to the output folder.
pub fn run(godot: &Path, contents: &[Content]) {
    let folder = output();
    let file = |content: &Content| folder.join(content.name).with_extension("bin");
    contents.iter().for_each(|content| fs::write(file(content), content.packet).unwrap());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("godot/compare.gd");
    let mut command = Command::new(godot);
    command.arg("--headless").arg("--script").arg(script).arg("--");
    let run = command.args(contents.iter().map(file)).output().expect("GODOT runs");
    let lines = String::from_utf8_lossy(&run.stdout);
    let mut figures: Vec<Engine> = Vec::new();
    for content in contents {
        let path = file(content);
        let line = lines.lines().find_map(|line| line.strip_prefix(path.to_str()?));
        let line = line.unwrap_or_else(|| panic!("{}: {run:?}", content.name));
        let [bytes, decode, encode] = numbers(line);
        assert_eq!(bytes, content.packet.len() as f64);
        figures.push(Engine { content: content.name.into(), decode, encode });
    }
    let version = Command::new(godot).arg("--version").output().expect("GODOT runs").stdout;
    let version = String::from_utf8_lossy(&version).trim().to_owned();
    let file = File::create(folder.join("godot.json")).unwrap();
    serde_json::to_writer(file, &(version, figures)).unwrap();
}

fn numbers(line: &str) -> [f64; 3] {
    let numbers: Vec<f64> = line.split_whitespace().flat_map(str::parse).collect();
    numbers.try_into().expect("three numbers")
}
