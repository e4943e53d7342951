//! Tests pipes, devices, links and unreadable files, as inputs and in folders.

use crate::command::{empty_folder, gamewire, root, run};
use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

const PACKAGE: &str = "corpus/unreal/ue5.6-SimpleRefsRoot.uasset";

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Checks that commands refuse an argument that is not a regular file, and that the error names the
/// argument.
#[test]
fn special_files_given_by_hand_are_errors() {
    let folder = empty_folder("special_files/by_hand");
    let fifo = folder.join("fifo");
    pipe(&fifo);
    symlink("fifo", folder.join("link")).unwrap();
    let socket = UnixListener::bind(folder.join("socket")).unwrap();
    let state = "corpus/bench/state_simple.bin";
    for (name, what) in
        [("fifo", "a pipe"), ("link", "a pipe"), ("socket", "a socket"), (".", "a folder")]
    {
        let path = folder.join(name);
        let path = path.to_str().unwrap();
        for args in [
            &["show", path][..],
            &["json", path],
            &["json", "--lines", path],
            &["text", path],
            &["get", "x", path],
            &["set", "x", "1", path],
            &["diff", path, state],
            &["diff", state, path],
            &["schema", path],
            &["encode", path, "-o", "/dev/null"],
            &["encode", "--text", path, "-o", "/dev/null"],
            &["rems", "convert", "--to", "json", path, "-"],
        ] {
            let ran = run(args);
            let says = format!("error: {path}: this is {what}, not a file");
            assert!(ran.err.starts_with(&says), "{args:?}: {}", ran.err);
            assert_eq!(ran.out, "", "{args:?}");
            assert_ne!(ran.code, Some(0), "{args:?}");
        }
    }
    drop(socket);
    for command in [&["check"][..], &["unreal", "deps"]] {
        let ran = run(&[command, &[fifo.to_str().unwrap()]].concat());
        assert!(ran.err.contains("this is a pipe, not a file"), "{}", ran.err);
        assert_eq!(ran.code, Some(1));
    }
    let device = run(&["show", "/dev/zero"]);
    assert!(device.err.contains("this is a device, not a file"), "{}", device.err);
}

/// Checks that `packets` reads a pipe that is given as an argument, since captures are often
/// streams.
#[test]
fn packets_reads_a_pipe() {
    let folder = empty_folder("special_files/capture");
    let fifo = folder.join("fifo");
    pipe(&fifo);
    let mut command = gamewire();
    command.args(["packets", "--quiet"]).arg(&fifo).stdout(std::process::Stdio::piped());
    let child = command.spawn().unwrap();
    fs::write(&fifo, fs::read(root("corpus/captures/enet.pcap")).unwrap()).unwrap();
    let output = child.wait_with_output().unwrap();
    let file = run(&["packets", "--quiet", "corpus/captures/enet.pcap"]);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), file.out);
}

#[test]
fn walks_read_regular_files_and_tell_of_others() {
    let folder = empty_folder("special_files/walk");
    fs::copy(root(PACKAGE), folder.join("a.uasset")).unwrap();
    symlink("a.uasset", folder.join("b.uasset")).unwrap();
    pipe(&folder.join("c.uasset"));
    symlink("nowhere", folder.join("d.uasset")).unwrap();
    symlink("c.uasset", folder.join("e.sav")).unwrap();
    pipe(&folder.join("f.json"));
    pipe(&folder.join("other.txt"));
    fs::create_dir(folder.join("sub.uasset")).unwrap();
    symlink(".", folder.join("sub.uasset/up.uasset")).unwrap();
    let name = folder.to_str().unwrap();
    let says = |file: &str, why: &str| format!("warning: {name}/{file}: not read: {why}\n");
    let pipe = "this is a pipe, not a file; to read it, use standard input (-)";
    let dangling = "a link to nowhere: No such file or directory (os error 2)";
    let packages =
        [says("c.uasset", pipe), says("d.uasset", dangling), says("e.sav", pipe)].concat();
    let checked = run(&["check", name]);
    let all = packages.clone() + &says("f.json", pipe);
    assert_eq!(checked.err, all + "warning: 4 of 6 files could not be read\n");
    let accepted = checked.out.lines().filter(|line| line.starts_with("ok ")).count();
    assert_eq!((checked.code, accepted), (Some(1), 2), "{}", checked.out);
    let deps = run(&["unreal", "deps", name]);
    assert_eq!(deps.err, packages + "warning: 3 of 5 files could not be read\n");
    assert_eq!(deps.code, Some(1));
    assert_eq!(deps.out.matches("import").count() % 2, 0);
}

/// Checks that commands refuse a companion file that is a pipe. A command that read the pipe could
/// wait forever.
#[test]
fn companions_are_regular_files() {
    let folder = empty_folder("special_files/companion");
    let package = folder.join("a.uasset");
    fs::copy(root(PACKAGE), &package).unwrap();
    pipe(&folder.join("a.uexp"));
    for args in [&["show"][..], &["check"], &["json"], &["get", "summary"], &["unreal", "deps"]] {
        let ran = run(&[args, &[package.to_str().unwrap()]].concat());
        assert!(ran.err.contains("a.uexp: this is a pipe, not a file"), "{args:?}: {}", ran.err);
        assert_eq!(ran.code, Some(1));
    }
}

#[test]
fn scripts_are_regular_files() {
    let folder = empty_folder("special_files/scripts");
    fs::write(folder.join("a.gd"), "@rpc func a(): pass\n").unwrap();
    symlink("a.gd", folder.join("b.gd")).unwrap();
    pipe(&folder.join("c.gd"));
    symlink("nowhere", folder.join("d.gd")).unwrap();
    let name = folder.to_str().unwrap();
    let ran = run(&["packets", "--quiet", "--scripts", name, "corpus/captures/enet.pcap"]);
    assert!(ran.err.contains("c.gd: not read: this is a pipe"), "{}", ran.err);
    assert!(ran.err.contains("d.gd: not read: a link to nowhere"), "{}", ran.err);
    assert!(ran.err.contains("2 of 4 files could not be read"), "{}", ran.err);
    assert_eq!(ran.code, Some(1));
    assert!(!ran.out.is_empty());
}
