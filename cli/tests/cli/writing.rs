//! Tests how the program writes files. Even if the program is interrupted, a file has either its
//! old content or all of its new content. A file that is replaced keeps its attributes.

use crate::command::{empty_folder, gamewire, root, run, run_on};
use crate::support::random::Random;
use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const STATE: &str = "corpus/bench/state_simple.bin";

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

/// Runs `set tick 7 INPUT -o OUTPUT`. Returns the messages.
#[track_caller]
fn set(input: &str, output: &Path) -> String {
    let ran = run(&["set", "tick", "7", input, "-o", output.to_str().unwrap()]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{ran:?}");
    ran.err
}

#[track_caller]
fn assert_changed(path: &Path) {
    assert_eq!(run(&["get", "tick", path.to_str().unwrap()]).out, "7\n");
}

#[test]
fn permissions_and_links_are_kept() {
    let folder = empty_folder("writing/attributes");
    let file = folder.join("state.bin");
    fs::copy(root(STATE), &file).unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
    symlink("state.bin", folder.join("link.bin")).unwrap();
    symlink("link.bin", folder.join("link2.bin")).unwrap();
    assert_eq!(set(STATE, &folder.join("link2.bin")), "");
    assert_changed(&file);
    assert_eq!(fs::metadata(&file).unwrap().mode() & 0o7777, 0o640);
    assert!(folder.join("link2.bin").is_symlink() && folder.join("link.bin").is_symlink());
    assert_eq!(names(&folder), ["link.bin", "link2.bin", "state.bin"]);
    // A link to a file that does not exist yet is followed, too.
    symlink("new.bin", folder.join("dangling.bin")).unwrap();
    assert_eq!(set(STATE, &folder.join("dangling.bin")), "");
    assert_changed(&folder.join("new.bin"));
    assert!(folder.join("dangling.bin").is_symlink());
    symlink("loop.bin", folder.join("loop.bin")).unwrap();
    let loops = folder.join("loop.bin");
    let ran = run(&["set", "tick", "7", STATE, "-o", loops.to_str().unwrap()]);
    assert_eq!(ran.code, Some(1));
}

/// Only root can change the owner of a file, and some file systems have no extended attributes. The
/// test checks only what is possible where it runs.
#[test]
fn owner_and_extended_attributes_are_kept() {
    let folder = empty_folder("writing/owner");
    let file = folder.join("state.bin");
    fs::copy(root(STATE), &file).unwrap();
    let is_root = std::os::unix::fs::chown(&file, Some(1234), Some(4321)).is_ok();
    let has_attributes = xattr::set(&file, "user.gamewire", b"kept").is_ok();
    fs::set_permissions(&file, Permissions::from_mode(0o664)).unwrap();
    assert_eq!(set(STATE, &file), "");
    let metadata = fs::metadata(&file).unwrap();
    if is_root {
        assert_eq!((metadata.uid(), metadata.gid()), (1234, 4321));
    }
    if has_attributes {
        assert_eq!(xattr::get(&file, "user.gamewire").unwrap().unwrap(), b"kept");
    }
    assert_eq!(metadata.mode() & 0o7777, 0o664);
}

#[test]
fn other_names_of_a_file_keep_the_old_content() {
    let folder = empty_folder("writing/names");
    let (file, other) = (folder.join("state.bin"), folder.join("other.bin"));
    fs::copy(root(STATE), &file).unwrap();
    fs::hard_link(&file, &other).unwrap();
    let ran = run(&["set", "tick", "7", file.to_str().unwrap(), "--in-place"]);
    let name = file.to_str().unwrap();
    let warning =
        format!("warning: {name}: 1 other name of this file kept the old content (hard links)\n");
    assert_eq!((ran.code, ran.err), (Some(0), warning));
    assert_changed(&file);
    assert_eq!(fs::read(other).unwrap(), fs::read(root(STATE)).unwrap());
}

#[test]
fn new_files_have_the_usual_permissions() {
    let folder = empty_folder("writing/new");
    let usual = folder.join("usual");
    fs::write(&usual, "").unwrap();
    let packet = folder.join("packet.bin");
    let ran = run_on(&["encode", "-o", packet.to_str().unwrap()], b"[\"i:1\"]\n");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(fs::metadata(&packet).unwrap().mode(), fs::metadata(&usual).unwrap().mode());
    assert_eq!(run(&["json", packet.to_str().unwrap()]).out, "[\"i:1\"]\n");
    // After an error, the file keeps its old content. If it contained only some of the packets, a
    // reader of the file could not notice that others are missing.
    let ran = run_on(&["encode", "-o", packet.to_str().unwrap()], b"[\"i:2\"]\n[\n");
    assert_eq!(ran.code, Some(1));
    assert_eq!(run(&["json", packet.to_str().unwrap()]).out, "[\"i:1\"]\n");
    assert_eq!(names(&folder), ["packet.bin", "usual"]);
}

#[test]
fn special_files_are_written_directly() {
    let state = fs::read(root(STATE)).unwrap();
    let mut command = gamewire();
    command.args(["set", "tick", "7", STATE, "-o", "/dev/stdout"]).stdout(Stdio::piped());
    assert_eq!(command.output().unwrap().stdout.len(), state.len());
    let ran = run(&["set", "tick", "7", STATE, "-o", "/dev/full"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("error: /dev/full: No space left"), "{}", ran.err);
    let folder = empty_folder("writing/special");
    let ran = run(&["set", "tick", "7", STATE, "-o", folder.to_str().unwrap()]);
    assert!(ran.err.contains("Is a directory"), "{}", ran.err);
    let nowhere = folder.join("no/file.bin");
    let ran = run(&["set", "tick", "7", STATE, "-o", nowhere.to_str().unwrap()]);
    assert!(ran.err.contains("no file can be created in "), "{}", ran.err);
    assert!(!ran.err.contains(".tmp"), "{}", ran.err);
}

/// Checks that a command keeps the old file when the file system is full. The test fills a file
/// system of 128 KiB that it mounts in a separate namespace. If it is not allowed to mount one, the
/// test checks nothing.
#[test]
fn a_full_disk_keeps_the_old_file() {
    let folder = empty_folder("writing/full");
    let mut packet = vec![29, 0, 0, 0];
    packet.extend(90_000_u32.to_le_bytes());
    packet.resize(packet.len() + 90_000, 7);
    fs::write(folder.join("source.bin"), &packet).unwrap();
    let script = r#"
        mkdir disk && mount -t tmpfs -o size=128k none disk || { echo unavailable; exit; }
        cp source.bin disk/save.bin
        "$GAMEWIRE" set 3 9 disk/save.bin --in-place; echo "in place: $?"
        "$GAMEWIRE" set 3 9 disk/save.bin -o disk/save.bin; echo "output: $?"
        "$GAMEWIRE" set 3 9 disk/save.bin -o disk/other.bin; echo "other: $?"
        "$GAMEWIRE" json disk/save.bin | "$GAMEWIRE" encode -o disk/save.bin; echo "encode: $?"
        cmp source.bin disk/save.bin && ls -A disk
    "#;
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-c", script]).current_dir(&folder);
    command.env("GAMEWIRE", env!("CARGO_BIN_EXE_gamewire"));
    let output = command.output();
    let out =
        output.map_or("unavailable".into(), |output| String::from_utf8(output.stdout).unwrap());
    if out.trim().ends_with("unavailable") || out.is_empty() {
        eprintln!("no file system can be mounted here");
        return;
    }
    assert_eq!(out, "in place: 1\noutput: 1\nother: 1\nencode: 1\nsave.bin\n");
}

/// Sends each signal to the program at random moments. Afterwards, the file must have its old
/// content or its new content, and the folder must contain no other file. After SIGKILL, one
/// temporary file may remain.
#[test]
#[ignore = "slow"]
fn signals_leave_the_old_or_the_new_file() {
    let folder = empty_folder("writing/signals");
    let file = folder.join("save.bin");
    let mut old = [28_u32, 1, 29, 4 << 20].map(u32::to_le_bytes).concat();
    old.resize(old.len() + (4 << 20), 7);
    let mut new = old.clone();
    *new.last_mut().unwrap() = 9;
    let start = || {
        let mut command = gamewire();
        command.args(["set", "0/-1", "9", "--in-place"]).arg(&file);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let whole = || {
        fs::write(&file, &old).unwrap();
        let started = Instant::now();
        assert!(start().wait().unwrap().success());
        assert!(fs::read(&file).unwrap() == new);
        started.elapsed()
    };
    let whole = [whole(), whole(), whole()].into_iter().min().unwrap();
    let mut random = Random::new(28);
    let mut seen = [0; 4];
    for signal in ["INT", "TERM", "KILL"] {
        for _ in 0..200 {
            fs::write(&file, &old).unwrap();
            let mut child = start();
            let delay = whole.mul_f64(random.below(1200) as f64 / 1000.0);
            std::thread::sleep(delay.max(Duration::from_micros(100)));
            let kill = format!("kill -{signal} {}", child.id());
            let _ = Command::new("sh").args(["-c", &kill]).stderr(Stdio::null()).status();
            let status = child.wait().unwrap();
            let found = fs::read(&file).unwrap();
            assert!(found == old || found == new, "SIG{signal} after {delay:?}");
            if status.success() {
                assert!(found == new, "the program reported success");
            }
            let left = names(&folder);
            let temporary: Vec<_> = left.iter().filter(|name| *name != "save.bin").collect();
            let [most, name] = [usize::from(signal == "KILL"), temporary.len()];
            assert!(name <= most, "SIG{signal} after {delay:?}: {temporary:?}");
            for name in &temporary {
                assert!(name.starts_with(".gamewire-") && name.ends_with(".tmp"), "{name}");
                fs::remove_file(folder.join(name)).unwrap();
            }
            seen[usize::from(found == new)] += 1;
            seen[2] += usize::from(status.signal().is_some());
            seen[3] += temporary.len();
        }
    }
    println!("old, new, ended by the signal, temporary files: {seen:?}");
    assert!(seen[2] > 0, "no signal arrived in time");
}

/// Checks that signals that are ignored when the program starts stay ignored while it writes.
/// `nohup` starts a program in this way, and so does a script that runs a program in the
/// background.
#[test]
fn ignored_signals_stay_ignored() {
    let folder = empty_folder("writing/ignored");
    let file = folder.join("packet.bin");
    let script = r#"exec 3<&0; trap "" INT TERM; "$0" encode -o "$1" <&3 & sleep 0.2
        kill -INT $! && kill -TERM $! && echo sent; wait $!; echo "status $?""#;
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_gamewire")]).arg(&file);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(out.next().unwrap().unwrap(), "sent");
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"[\"i:1\"]\n").unwrap();
    drop(stdin);
    assert_eq!(out.next().unwrap().unwrap(), "status 0");
    child.wait().unwrap();
    assert_eq!(run(&["json", file.to_str().unwrap()]).out, "[\"i:1\"]\n");
    assert_eq!(names(&folder), ["packet.bin"]);
}

/// Sends SIGTERM to the program before the new file is complete. Checks that the program ends, and
/// that the file keeps its old content. Other signals may be ignored where the tests run.
#[test]
fn a_signal_before_the_end_keeps_the_old_file() {
    let folder = empty_folder("writing/interrupted");
    let file = folder.join("packet.bin");
    fs::write(&file, "old").unwrap();
    let mut command = gamewire();
    command.args(["encode", "-o"]).arg(&file).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while names(&folder).len() < 2 {
        assert!(Instant::now() < deadline, "no temporary file");
        std::thread::sleep(Duration::from_millis(5));
    }
    let kill = format!("kill -TERM {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    let mut stdin = child.stdin.take().unwrap();
    let _ = stdin.write_all(b"[\"i:1\"]\n");
    drop(stdin);
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    assert_eq!(fs::read(&file).unwrap(), b"old");
    assert_eq!(names(&folder), ["packet.bin"]);
}

/// Checks that a command fails if its output cannot be written. But it is no error if the output is
/// a pipe that its reader has closed.
#[test]
fn standard_output_that_is_full() {
    for (args, code) in [
        (&["show", STATE][..], 1),
        (&["json", STATE], 1),
        (&["get", "", STATE], 1),
        (&["check", STATE], 1),
        (&["packets", "--tree", "corpus/captures/relay.pcap"], 1),
        (&["packets", "--json", "corpus/captures/relay.pcap"], 1),
        (&["diff", STATE, "corpus/godot4/nil.bin"], 2),
    ] {
        let full = fs::File::options().write(true).open("/dev/full");
        let Ok(full) = full else {
            eprintln!("there is no /dev/full");
            return;
        };
        let output = gamewire().args(args).stdout(full).output().unwrap();
        let error = "error: standard output: No space left on device (os error 28)\n";
        assert_eq!(String::from_utf8_lossy(&output.stderr), error, "{args:?}");
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        // The reader closes the pipe before the program writes.
        let mut child = gamewire();
        child.args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
        let expected = if args[0] == "diff" { 1 } else { 0 };
        assert_eq!(output.status.code(), Some(expected), "{args:?}");
    }
}

#[test]
fn files_that_cannot_be_written() {
    let folder = empty_folder("writing/unwritable");
    fs::write(folder.join("file"), "old").unwrap();
    for (output, says) in [
        ("file/inside", "Not a directory (os error 20)\n"),
        ("none/inside", "no file can be created in "),
    ] {
        let output = folder.join(output);
        let ran = run(&["set", "tick", "7", STATE, "-o", output.to_str().unwrap()]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
        let expected = format!("error: {}: {says}", output.display());
        assert!(ran.err.starts_with(&expected), "{}", ran.err);
    }
    assert_eq!(names(&folder), ["file"]);
}
