//! Tests `gamewire completions`.

use crate::command::{run, shown};
use std::process::{Command, Stdio};

#[test]
fn every_shell_has_a_script() {
    for (shell, part) in [
        ("bash", "complete -F _gamewire"),
        ("zsh", "#compdef gamewire"),
        ("fish", "complete -c gamewire"),
        ("elvish", "edit:completion:arg-completer[gamewire]"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let script = shown(run(&["completions", shell]));
        assert!(script.contains(part), "{shell}: {script}");
        assert!(script.contains("packets"), "{shell}");
    }
}

#[test]
fn an_unknown_shell_is_a_usage_error() {
    let ran = run(&["completions", "tcsh"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("[possible values: bash, elvish, fish, powershell, zsh]"),
        "{}",
        ran.err
    );
}

/// Sources the script in bash, and returns the completions of the last word. Returns `None` if bash
/// is not installed.
fn bash_candidates(words: &[&str]) -> Option<Vec<String>> {
    let words: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
    let last = words.len() - 1;
    let script = format!(
        "{}\nCOMP_WORDS=({}); COMP_CWORD={last}; COMPREPLY=()\n\
         _gamewire gamewire {} {}\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
        shown(run(&["completions", "bash"])),
        words.join(" "),
        words[last],
        words[last - 1],
    );
    let output = Command::new("bash")
        .args(["--norc", "-c", &script])
        .stderr(Stdio::inherit())
        .output()
        .ok()?;
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
}

#[test]
fn bash_completes_commands_options_and_formats() {
    let Some(commands) = bash_candidates(&["gamewire", "s"]) else { return };
    assert_eq!(commands, ["show", "set", "schema"]);
    let options = bash_candidates(&["gamewire", "unreal", "deps", "--no"]).unwrap();
    assert_eq!(options, ["--no-code"]);
    let formats = bash_candidates(&["gamewire", "show", "--as", "godot4-f"]).unwrap();
    assert_eq!(formats, ["godot4-frames"]);
}
