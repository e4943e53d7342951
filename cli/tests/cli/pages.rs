//! Runs the examples on the pages of the documentation, and compares their output with the pages.
//! `BLESS=1 cargo test --all-features --test cli pages` rewrites the pages.

use crate::command::root;
use std::path::{Path, PathBuf};
use std::process::Command;

const CONSOLE: &str = "```console\n";
const END: &str = "```\n";

#[test]
fn command_line() {
    page("docs/command-line.md");
}

#[test]
fn readme() {
    page("README.md");
}

fn page(path: &str) {
    let file = root(path);
    let text = std::fs::read_to_string(&file).unwrap();
    let mut printed = String::new();
    let mut rest = text.as_str();
    while let Some((before, block)) = rest.split_once(CONSOLE) {
        let (block, after) = block.split_once(END).expect("a block ends");
        printed += before;
        printed += CONSOLE;
        for command in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
            printed += &format!("$ {command}\n{}", output(command));
        }
        printed += END;
        rest = after;
    }
    printed += rest;
    assert!(printed.contains("$ gamewire "), "no examples in {path}");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, printed).unwrap();
        return;
    }
    for (number, (there, now)) in text.lines().zip(printed.lines()).enumerate() {
        assert_eq!(there, now, "{path}, line {}", number + 1);
    }
    assert_eq!(text.len(), printed.len(), "{path}");
}

/// Runs a command in a shell. Returns its output including standard error.
fn output(command: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_gamewire"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = [PathBuf::from(binary.parent().unwrap())].into_iter();
    let path = std::env::join_paths(folders.chain(std::env::split_paths(&path))).unwrap();
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(root(""))
        .env("PATH", path)
        .env_remove("CLICOLOR_FORCE")
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}
