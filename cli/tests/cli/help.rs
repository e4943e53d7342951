//! Checks that short help fits on a screen, and that long help contains formats and examples.

use crate::command::{run, shown};

const COMMANDS: [&str; 15] = [
    "show",
    "check",
    "json",
    "text",
    "encode",
    "get",
    "set",
    "diff",
    "schema",
    "packets",
    "wireshark-lua",
    "unreal deps",
    "rems convert",
    "completions",
    "man",
];

fn help(command: &str, option: &str) -> String {
    let args: Vec<_> = command.split(' ').chain([option]).collect();
    shown(run(&args))
}

#[test]
fn short_help_fits_on_a_screen() {
    for command in COMMANDS {
        let short = help(command, "-h");
        assert!(short.lines().count() <= 48, "{command}: {short}");
    }
}

#[test]
fn long_help_has_examples() {
    for command in COMMANDS {
        let long = help(command, "--help");
        assert!(long.contains("Examples:\n  gamewire "), "{command}: {long}");
    }
}

#[test]
fn examples_fit_into_100_columns() {
    for command in COMMANDS {
        for line in help(command, "--help").lines().filter(|line| line.starts_with("  gamewire ")) {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }
}
