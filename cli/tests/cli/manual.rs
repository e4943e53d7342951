//! Tests `gamewire man`.

use crate::command::{run, shown};
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

/// Returns the long names of the options in the help of a command. Their lines start with `-x` or
/// `--long`.
fn options(command: &[&str]) -> Vec<String> {
    let args: Vec<_> = command.iter().copied().chain(["-h"]).collect();
    let help = shown(run(&args));
    let words = help.lines().filter_map(|line| {
        let line = line.trim_start();
        line.starts_with('-').then(|| line.split_whitespace())
    });
    let options = words.flatten().map(|word| word.trim_end_matches(','));
    options.filter(|word| word.starts_with("--")).map(str::to_owned).collect()
}

/// Returns the page as `man` prints it, without emphasis; `None` if groff is not installed.
fn rendered(page: &str) -> Option<String> {
    let groff = Command::new("groff")
        .args(["-man", "-Tascii", "-P-c", "-P-b", "-P-u", "-P-o"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut groff = groff.ok()?;
    groff.stdin.take().unwrap().write_all(page.as_bytes()).unwrap();
    let output = groff.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn pages_have_every_option() {
    for command in [&["show"][..], &["check"], &["packets"], &["set"], &["rems", "convert"]] {
        let args: Vec<_> = ["man"].iter().chain(command).copied().collect();
        let page = shown(run(&args));
        let text = rendered(&page).unwrap_or_else(|| page.replace("\\-", "-"));
        let options = options(command);
        assert!(options.len() >= 3, "{options:?}");
        for option in options {
            assert!(text.contains(&option), "{command:?} {option}: {text}");
        }
        assert!(text.contains("Examples:"), "{text}");
    }
}

#[test]
fn a_folder_gets_a_page_for_each_command() {
    let dir = std::env::temp_dir().join(format!("gamewire-man-{}", std::process::id()));
    shown(run(&["man", "--dir", dir.to_str().unwrap()]));
    for page in ["gamewire.1", "gamewire-show.1", "gamewire-unreal-deps.1", "gamewire-rems.1"] {
        assert!(fs::read_to_string(dir.join(page)).unwrap().contains(".TH gamewire"), "{page}");
    }
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn an_unknown_command_is_an_error() {
    let ran = run(&["man", "shwo"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.contains("there is no command `shwo`; commands are show, check, "),
        "{}",
        ran.err
    );
}
