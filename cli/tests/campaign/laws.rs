//! Laws that hold for the output of any command on any input.

use crate::inputs::Batch;
use crate::support::random::Random;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Seconds that a command on one batch may take.
const SECONDS: &str = "60";

pub struct Run<'r> {
    pub args: &'r [&'r str],
    pub batch: &'r Batch<'r>,
}

/// Runs a command. Panics if the command takes too long, if the command panics, or if its exit
/// status is not 0, 1 or 2.
fn output(args: &[&str], paths: &[&Path], input: &[u8]) -> Output {
    let mut command = Command::new("timeout");
    command.args([SECONDS, env!("CARGO_BIN_EXE_gamewire")]).args(args).args(paths);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_vec());
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let is_usual = matches!(output.status.code(), Some(0..=2));
    assert!(is_usual, "{:?}: {}", output.status, described(args, paths, &output));
    let panicked = String::from_utf8_lossy(&output.stderr).contains("panicked");
    assert!(!panicked, "{}", described(args, paths, &output));
    output
}

fn described(args: &[&str], paths: &[&Path], output: &Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    format!("gamewire {args:?} {paths:?}\n{stderr}")
}

pub fn check_many(run: &Run<'_>) {
    let Run { args, batch } = *run;
    let paths: Vec<_> = batch.paths.iter().map(|path| &**path).collect();
    let takes_format = !matches!(args[0], "packets" | "unreal");
    let format = if takes_format { batch.family.format } else { &[] };
    let lines = args.contains(&"--lines");
    let args = [args, if lines { &[] } else { format }].concat();
    let ran = output(&args, &paths, b"");
    let fail = |law: &str, found: &str| -> ! {
        panic!("{law}: {found:?}\n{}", described(&args, &paths, &ran))
    };
    if let Err(found) = messages(&ran.stderr) {
        fail("a message", &found);
    }
    let is_exact =
        matches!(args[0], "text" | "get") && !args.contains(&"--json") || args.contains(&"--rust");
    if is_exact {
        return;
    }
    let Ok(text) = str::from_utf8(&ran.stdout) else { fail("UTF-8", "the output is not UTF-8") };
    if let Some(found) = unprintable(text) {
        fail("a character", &format!("{found:?} in {text}"));
    }
    let is_json =
        args[0] == "json" || args.contains(&"--json") || args.starts_with(&["check", "--lines"]);
    if is_json && let Err(found) = json(text) {
        fail("JSON", &found);
    }
    if args[0] == "check"
        && !lines
        && let Err(found) = verdicts(text, &ran.stderr, paths.len())
    {
        fail("verdicts", &found);
    }
}

/// Checks that each line of the messages begins with a label, and that all characters can be
/// printed.
fn messages(stderr: &[u8]) -> Result<(), String> {
    let text = str::from_utf8(stderr).map_err(|_| "not UTF-8".to_owned())?;
    let labels = ["error: ", "warning: ", "note: ", "hint: "];
    match text.lines().find(|line| !labels.iter().any(|label| line.starts_with(label))) {
        Some(line) => Err(line.into()),
        None => unprintable(text).map_or(Ok(()), |char| Err(format!("{char:?} in {text}"))),
    }
}

/// Returns the first character that a terminal does not print. The program has a table of such
/// characters. This function does not use it, so that the laws can find errors in the table.
fn unprintable(text: &str) -> Option<char> {
    text.chars().find(|char| match char {
        '\n' | '\t' => false,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' | '\u{3164}' => true,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{e000}'..='\u{f8ff}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{10ffff}' => true,
        char => char.is_control(),
    })
}

/// Checks that the output is a sequence of JSON values.
fn json(text: &str) -> Result<(), String> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>();
    values.try_for_each(|value| value.map(drop)).map_err(|error| {
        let line = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
        format!("{error}: {}", line.chars().take(300).collect::<String>())
    })
}

/// Checks that `check` prints a verdict or an error for each file, and that other lines are
/// indented.
fn verdicts(text: &str, stderr: &[u8], files: usize) -> Result<(), String> {
    let mut count = 0;
    for line in text.lines() {
        match line {
            _ if line.starts_with("ok     ") || line.starts_with("refused") => count += 1,
            _ if line.starts_with("  ") => {}
            _ => return Err(line.into()),
        }
    }
    let stderr = String::from_utf8_lossy(stderr);
    let errors = stderr.lines().filter(|line| line.starts_with("error: ")).count();
    match count + errors == files {
        true => Ok(()),
        false => Err(format!("{count} verdicts and {errors} errors for {files} files")),
    }
}

/// Checks that commands lose no byte of one file of the batch. Returns the number of runs.
pub fn check_one(batch: &Batch<'_>, random: &mut Random) -> u64 {
    let path = &*batch.paths[random.below(batch.paths.len())];
    let bytes = fs::read(path).unwrap();
    let format = batch.family.format;
    match batch.family.name {
        "godot4" | "godot3" | "frames" => packet(path, &bytes, format),
        "saves" => save(path, &bytes),
        _ => unchanged_after_errors(path, &bytes, format),
    }
}

/// Checks that `encode` restores a packet from the output of `json --exact`. Checks this only for
/// packets that an engine would write. Exempts packets whose padding contains uninitialised memory
/// of the engine, because JSON does not keep the padding.
fn packet(path: &Path, bytes: &[u8], format: &[&str]) -> u64 {
    let checked = output(&[&["check", "--strict", "--objects"], format].concat(), &[path], b"");
    let json = output(&[&["json", "--exact"], format].concat(), &[path], b"");
    let has_warnings = String::from_utf8_lossy(&checked.stdout).contains("warning: ");
    let is_written = checked.status.success() && json.status.success() && !has_warnings;
    if is_written && !bytes.is_empty() {
        let again = output(&[&["encode"], format].concat(), &[], &json.stdout);
        assert!(
            again.stdout == bytes,
            "{path:?}: `encode` does not restore the packet from `json --exact`"
        );
    }
    unchanged_after_errors(path, bytes, format) + 3
}

/// Checks that `set` leaves a file unchanged if it fails.
fn unchanged_after_errors(path: &Path, bytes: &[u8], format: &[&str]) -> u64 {
    for key in ["0", "name", ""] {
        let args = [&["set", key, "7", "--in-place"], format].concat();
        let ran = output(&args, &[path], b"");
        if !ran.status.success() {
            assert!(
                fs::read(path).unwrap() == bytes,
                "{path:?}: `set {key:?}` failed, but changed the file"
            );
        }
        fs::write(path, bytes).unwrap();
    }
    3
}

/// Checks that a save that is converted without a warning has the same content as before.
fn save(path: &Path, bytes: &[u8]) -> u64 {
    let new = path.with_extension("converted");
    for form in ["text-2026", "binary", "container"] {
        let args = ["rems", "convert", "--to", form];
        let ran = output(&args, &[path, &new], b"");
        assert!(fs::read(path).unwrap() == bytes);
        assert_eq!(ran.status.success(), new.exists(), "{}", described(&args, &[path], &ran));
        if ran.status.success() && ran.stderr.is_empty() {
            let compared = output(&["diff"], &[path, &new], b"");
            let found = String::from_utf8_lossy(&compared.stdout);
            assert!(compared.status.success(), "{path:?} converted to {form}: {found}");
        }
        let _ = fs::remove_file(&new);
    }
    6
}
