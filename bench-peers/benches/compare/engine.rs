//! Runs Godot itself on the same packets, if it is installed. The engine runs in a process of its
//! own, so its times are not taken in turns with those of gamewire, and their ratios have no spread.

use crate::contents::Content;
use gamewire_bench_peers::results::{Figure, rounded};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs the script, and returns the version of the engine and its figures. Ratios refer to `ours`.
pub fn run(godot: &Path, contents: &[Content], ours: &[Figure]) -> (String, Vec<Figure>) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = |content: &Content| folder.join(content.name).with_extension("bin");
    contents.iter().for_each(|content| fs::write(file(content), content.packet).unwrap());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("godot/compare.gd");
    let mut command = Command::new(godot);
    command.arg("--headless").arg("--script").arg(script).arg("--");
    let run = command.args(contents.iter().map(file)).output().expect("GODOT runs");
    let lines = String::from_utf8_lossy(&run.stdout);
    let mut figures = Vec::new();
    for content in contents {
        let path = file(content);
        let line = lines.lines().find_map(|line| line.strip_prefix(path.to_str()?));
        let line = line.unwrap_or_else(|| panic!("{}: {run:?}", content.name));
        let [bytes, decode, encode] = numbers(line);
        assert_eq!(bytes, content.packet.len() as f64);
        figures.extend(
            ["traverse", "encode"]
                .into_iter()
                .zip([decode, encode])
                .map(|(what, ns)| figure(content, what, ns, ours)),
        );
    }
    for Figure { content, what, ns, ratio, .. } in &figures {
        let ratio = ratio.map_or(String::new(), |[_, median, _]| format!("{median:.2} ×"));
        println!("{content}, godot, {what:32} {ns:>12.1} ns {ratio}");
    }
    let version = Command::new(godot).arg("--version").output().expect("GODOT runs").stdout;
    (String::from_utf8_lossy(&version).trim().to_owned(), figures)
}

fn numbers(line: &str) -> [f64; 3] {
    let numbers: Vec<f64> = line.split_whitespace().flat_map(str::parse).collect();
    numbers.try_into().expect("three numbers")
}

fn figure(content: &Content, what: &str, ns: f64, ours: &[Figure]) -> Figure {
    let is_base = |figure: &&Figure| {
        figure.content == content.name && figure.peer == "gamewire" && figure.what == what
    };
    let base = ours.iter().find(is_base);
    Figure {
        content: content.name.into(),
        peer: "godot".into(),
        what: what.into(),
        bytes: content.packet.len(),
        ns: rounded(ns),
        ratio: base.map(|base| [rounded(ns / base.ns); 3]),
        instructions: None,
        allocations: None,
        rotations: None,
    }
}
