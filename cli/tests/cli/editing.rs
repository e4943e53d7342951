//! Tests `gamewire get`, `set` and `diff`, run as a user would run them.

use crate::command::{Ran, empty_folder, output_on, root, run, run_on, shown};
use std::fs;
use std::path::PathBuf;

const STATE: &str = "corpus/bench/state_simple.bin";
const FRAMES: &str = "corpus/frames/store_var.dat";

fn state() -> Vec<u8> {
    fs::read(root(STATE)).unwrap()
}

/// Returns the output of `set`.
#[track_caller]
fn set(args: &[&str], input: &[u8]) -> Vec<u8> {
    let args = [&["set"], args, &["-"]].concat();
    let output = output_on(&args, input);
    assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]), "{args:?}");
    output.stdout
}

/// Returns the message of a failing `set`. Asserts that it writes nothing.
#[track_caller]
fn refused(args: &[&str], input: &[u8]) -> String {
    let output = output_on(&[&["set"], args, &["-"]].concat(), input);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[track_caller]
fn get(path: &str, packet: &[u8]) -> String {
    shown(run_on(&["get", path, "-"], packet))
}

/// Creates a file for one test. Returns its path as a path and as a string.
fn file(name: &str, content: &[u8]) -> (PathBuf, String) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("editing");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    (path.clone(), path.to_str().unwrap().to_owned())
}

/// Returns the exit status and the output of a comparison of `old` with `new`.
fn compare(options: &[&str], old: &str, new: &[u8]) -> (Option<i32>, String) {
    let Ran { code, out, err } = run_on(&[&["diff"], options, &[old, "-"]].concat(), new);
    assert_eq!(err, "");
    (code, out)
}

#[test]
fn one_value_out_of_many() {
    assert_eq!(shown(run(&["get", "players/p0/vel", STATE])), "Vector3(0.1, 0.2, 0)\n");
    assert_eq!(shown(run(&["get", "wind/z", STATE])), "-3.0\n");
    let json = shown(run(&["get", "--json", "wind", STATE]));
    assert_eq!(json, "{\"type\":\"Vector3\",\"args\":[1.5,0.25,-3.0]}\n");
    assert_eq!(shown(run(&["get", "--json", "wind/x", STATE, STATE])), "\"f:1.5\"\n\"f:1.5\"\n");
    let raw = output_on(&["get", "--raw", "tick", "-"], &state());
    assert_eq!(raw.stdout, [&[2, 0, 0, 0], &184_467_u32.to_le_bytes()[..]].concat());
    let all = shown(run(&["get", "", STATE]));
    assert_eq!(all, shown(run(&["text", STATE])));
    let array = [28_u32, 2, 2, 5, 2, 6].map(u32::to_le_bytes).concat();
    assert_eq!(get("-1", &array), "6\n");
    assert_eq!(get("-1", &[array.clone(), array].concat()), "6\n6\n");
}

#[test]
fn absent_values() {
    let Ran { code, out, err } = run(&["get", "players/p0/vell", STATE]);
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert_eq!(
        err,
        "error: corpus/bench/state_simple.bin: no key `vell` in `players/p0` (keys: name, hp, pos, \
         vel, aim, ammo, alive, yaw)\nhint: did you mean `vel`?\n"
    );
    let ran = run(&["get", "slot", FRAMES, "--as", "godot4-frames", "--frame", "99"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.contains("there is no frame 99; the file has 40, counted from 0"),
        "{}",
        ran.err
    );
    let ran = run(&["get", "\"tick", STATE]);
    assert!(
        ran.err.contains("is not a valid path segment") && !ran.err.contains("hint"),
        "{}",
        ran.err
    );
    let none = run_on(&["get", "0", "-", "--as", "godot4-frames"], b"");
    let says = "error: <stdin>: the file has no values\n";
    assert_eq!((none.code, none.out.as_str(), none.err.as_str()), (Some(1), "", says));
    let malformed = [28_u32, 2, 2, 5, 39].map(u32::to_le_bytes).concat();
    let ran = run_on(&["get", "0", "-"], &malformed);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.starts_with("error: <stdin>: offset 16 (0x10): in 1: 39 is not a type id"));
}

#[test]
fn frames() {
    let ran = run(&["get", "slot", FRAMES, "--as", "godot4-frames"]);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(1), 5));
    assert!(ran.err.contains("frame 0: no `slot` at the top (Nil has nothing inside)"));
    assert!(ran.err.contains("34 more of 40 have no value at this path"), "{}", ran.err);
    let one = ["get", "slot", FRAMES, "--as", "godot4-frames", "--frame", "4"];
    let before = shown(run(&one));

    let before_bytes = fs::read(root(FRAMES)).unwrap();
    let set = ["set", "slot", "\"a longer text\"", FRAMES, "--as", "godot4-frames"];
    let output = output_on(&[&set[..], &["--frame", "4"]].concat(), b"");
    assert!(output.status.success());
    let (path, name) = file("frames.dat", &output.stdout);
    assert_eq!(
        shown(run(&["get", "slot", &name, "--as", "godot4-frames", "--frame", "4"])),
        "\"a longer text\"\n"
    );
    assert!(output.stdout.len() > before_bytes.len());
    let compared = run(&["diff", FRAMES, &name, "--as", "godot4-frames"]);
    assert_eq!(compared.code, Some(1));
    assert_eq!(compared.out, format!("frame 4\n~ slot: {} → \"a longer text\"\n", before.trim()));

    // Without `--frame`, `set` changes all frames that have this key. A warning states how many
    // frames do not have it.
    let ran = run(&[&set[..], &["-o", &name]].concat());
    assert_eq!(ran.code, Some(0));
    assert!(ran.err.contains("35 of 40 have no value at slot and are unchanged"), "{}", ran.err);
    let compared = run(&["diff", "--json", FRAMES, &name, "--as", "godot4-frames"]);
    assert_eq!(compared.out.lines().count(), 5);
    assert!(compared.out.starts_with("{\"frame\":4,\"path\":\"slot\",\"change\":\"changed\""));
    fs::remove_file(path).unwrap();
}

/// Checks that a changed value has the same width as the old value if it fits. `len` is the change
/// in the packet's size, in bytes.
#[test]
fn values_keep_their_encoding() {
    let state = state();
    for (path, value, shown, len) in [
        ("tick", "7", "7\n", 0),
        ("tick", "1099511627776", "1099511627776\n", 4),
        ("server_time", "5", "5\n", 0), // still encoded in 64 bits
        ("wind", "Vector3(0.1, 2, 3)", "Vector3(0.1, 2, 3)\n", 0),
        ("wind/x", "2", "2.0\n", 0),
        ("paused", "true", "true\n", 0),
        ("chat", "\"short\"", "\"short\"\n", -12),
        ("players", "{}", "{}\n", -740),
        ("tick", "[1, null]", "[1, null]\n", 12),
    ] {
        let changed = set(&[path, value], &state);
        assert_eq!(get(path, &changed), shown);
        if path != "players" {
            assert_eq!(changed.len() as i64 - state.len() as i64, len, "{path}");
        }
        let (code, out) = compare(&[], STATE, &changed);
        assert_eq!(code, Some(1));
        assert!(out.lines().all(|line| line.contains(path.split('/').next().unwrap())), "{out}");
    }
    assert_eq!(set(&["tick", "184467"], &state), state);
    assert_eq!(set(&["--json", "tick", "\"i:184467\""], &state), state);
    assert_eq!(set(&["", "7"], &state), [2, 0, 0, 0, 7, 0, 0, 0]);
    // Values that a script would convert to the type of the old value.
    let name = [21_u32, 1, u32::from(b'a')].map(u32::to_le_bytes).concat();
    assert_eq!(get("", &set(&["", "\"bc\""], &name)), "&\"bc\"\n");
    let path = output_on(&["encode", "--text"], b"NodePath(\"a/b:c\")").stdout;
    assert_eq!(get("", &set(&["", "\"bc/d\""], &path)), "NodePath(\"bc/d\")\n");
    let float = [3_u32, 0].map(u32::to_le_bytes).concat();
    assert_eq!(get("", &set(&["", "-16777217"], &float)), "-16777217.0\n");
    let base64 = set(&["--base64", "", "6"], b"AgAAAAUAAAA=");
    assert_eq!(base64, b"AgAAAAYAAAA=");
}

#[test]
fn in_double_width() {
    let doubles = |values: [f64; 2]| values.map(f64::to_le_bytes).concat();
    let header = |header: u32| header.to_le_bytes();
    let vector = [&header(0x1_0005)[..], &doubles([1.0, 0.1])].concat();
    let array = [&header(28)[..], &header(1), &vector].concat();
    // The array [Vector2(0, 0)], encoded in 32 bits.
    let single = [28_u32, 1, 5, 0, 0].map(u32::to_le_bytes).concat();
    assert_eq!(set(&["--double", "0", "Vector2(1, 0.1)"], &single), array);
    assert_eq!(set(&["--double", "", "[Vector2(1, 0.1)]"], &single), array);
    assert_eq!(set(&["--double", "0/y", "0.5"], &single).len(), single.len());
    assert_eq!(set(&["0", "Vector2(1, 0.1)"], &array), array, "in the width that is there");
    // Elements of packed arrays keep their size.
    let packed = [35_u32, 1, 0, 0].map(u32::to_le_bytes).concat();
    assert_eq!(set(&["--double", "0", "Vector2(1, 2)"], &packed).len(), packed.len());
    // Ints and floats keep their widths.
    let int = [0x1_0002_u32, 5, 0].map(u32::to_le_bytes).concat();
    assert_eq!(set(&["--double", "", "5"], &int), int);
    let says = refused(
        &["--double", "--as", "godot3", "0", "Vector2(1, 2)"],
        b"\x13\0\0\0\x01\0\0\0\0\0\0\0",
    );
    assert!(says.contains("it has no double-precision reals"), "{says}");
    assert_eq!(run(&["set", "--double", "--json", "tick", "\"i:5\"", STATE]).code, Some(2));
}

#[test]
fn values_that_cannot_be_set() {
    let state = state();
    assert!(refused(&["no", "5"], &state).contains("no key `no` at the top"));
    assert!(refused(&["tick", "Vector2("], &state).contains("VALUE, byte 9: "));
    assert!(refused(&["--json", "tick", "{"], &state).contains("VALUE, byte "));
    assert!(refused(&["wind/x", "\"x\""], &state).contains("expected Float, found String"));
    let unquoted = refused(&["tick", "[Ada]"], &state);
    assert!(unquoted.starts_with("error: <stdin>: VALUE, byte 2: "), "{unquoted}");
    assert!(unquoted.ends_with("hint: text needs quotes, as in '\"Ada\"'\n"), "{unquoted}");
    let none = refused(&["--as", "godot4-frames", "tick", "5"], b"");
    assert!(none.contains("the file has no values"), "{none}");
    assert!(
        refused(&["--frame", "1", "tick", "5"], &state)
            .contains("there is no value 1; the file has 1, ")
    );
    let ints = [30_u32, 1, 7].map(u32::to_le_bytes).concat();
    assert!(refused(&["0", "\"x\""], &ints).contains("expected Int, found String"));
    assert!(refused(&["tick", "5"], &state[..50]).contains("the packet ends inside a value"));
    let deep = [28_u32, 1].map(u32::to_le_bytes).concat().repeat(1024);
    let deep = [deep, vec![0; 4]].concat();
    let path = ["0"; 1024].join("/");
    assert!(refused(&[&path, "[1]"], &deep).contains("more than 1024 nested containers"));
}

/// Checks that `set` refuses values that the engine would convert or drop. Null is allowed in a
/// container of objects.
#[test]
fn elements_of_another_type_than_the_container() {
    let ints = [0x1_001C_u32, 2, 1, 2, 5].map(u32::to_le_bytes).concat();
    for (value, given) in [("\"x\"", "String"), ("1.0", "Float"), ("null", "Nil"), ("[1]", "Array")]
    {
        let problem =
            format!("`0` is in a container of type Int, which cannot hold a VALUE of type {given}");
        assert_eq!(refused(&["0", value], &ints), format!("error: <stdin>: {problem}\n"));
    }
    assert!(refused(&["--json", "0", "\"s:x\""], &ints).contains("a VALUE of type String"));
    assert_eq!(get("0", &set(&["0", "1099511627776"], &ints)), "1099511627776\n");
    assert_eq!(get("", &set(&["", "[\"x\"]"], &ints)), "[\"x\"]\n");

    // The dictionary {1: 1.5}, whose keys are declared as ints and values as floats, in a frame of
    // 32 bytes.
    let pairs = [32_u32, 0x5_001B, 2, 3, 1, 2, 1, 3, 0x3FC0_0000].map(u32::to_le_bytes).concat();
    let frames = ["--as", "godot4-frames"];
    let says = refused(&[&frames[..], &["1", "\"x\""]].concat(), &pairs);
    assert!(says.contains("frame 0: `1` is in a container of type Float"), "{says}");
    let says = refused(&[&frames[..], &["[#0 key]", "1.5"]].concat(), &pairs);
    assert!(says.contains("`[#0 key]` is in a container of type Int"), "{says}");
    let changed = set(&[&frames[..], &["1", "2"]].concat(), &pairs);
    assert_eq!(changed[32..], 2_f32.to_le_bytes()); // the int 2 becomes a float, as before

    let objects = [0x1_001C_u32, 24, 1, 0x1_0018, 7, 0].map(u32::to_le_bytes).concat();
    assert_eq!(get("0", &set(&["0", "null"], &objects)), "null\n");
    assert!(refused(&["0", "5"], &objects).contains("in a container of type Object"));
}

#[test]
fn in_place() {
    let (path, name) = file("in_place.bin", &state());
    shown(run(&["set", "--in-place", "tick", "5", &name]));
    assert_eq!(shown(run(&["get", "tick", &name])), "5\n");
    // An error leaves the file unchanged.
    let before = fs::read(&path).unwrap();
    assert_eq!(run(&["set", "--in-place", "tock", "5", &name]).code, Some(1));
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(run(&["set", "--in-place", "tick", "5", "-"]).code, Some(2));
    assert_eq!(set(&["tick", "5", "-o", "-"], &before), before);
    let ran = run(&["set", "tick", "5", &name, "-o", "/no/such/folder"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("/no/such/folder"));
    fs::remove_file(path).unwrap();
}

#[test]
fn differences() {
    assert_eq!(compare(&[], STATE, &state()), (Some(0), String::new()));
    let packet =
        |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    // The dictionaries {1: 5, 2: 6, 3: [null]} and {2: 6, 1: 5, 4: null}. In the second one, 5 is
    // encoded in 64 bits.
    let old = packet(&[27, 3, 2, 1, 2, 5, 2, 2, 2, 6, 2, 3, 28, 1, 0]);
    let new = packet(&[27, 3, 2, 2, 2, 6, 2, 1, 0x1_0002, 5, 0, 2, 4, 0]);
    let (path, name) = file("differences.bin", &old);
    let (code, out) = compare(&[], &name, &new);
    assert_eq!(code, Some(1));
    assert_eq!(
        out,
        "= same keys in another order\n\
         = 1: same value in other bytes, 0200000005000000 → 020001000500000000000000\n\
         + 4: null\n\
         - 3: Array [Nil]\n"
    );
    let (code, out) = compare(&["--json"], &name, &new);
    assert_eq!(code, Some(1));
    assert_eq!(
        out,
        "{\"path\":\"\",\"change\":\"order\"}\n\
         {\"path\":\"1\",\"change\":\"form\",\"old_bytes\":\"0200000005000000\",\
         \"new_bytes\":\"020001000500000000000000\"}\n\
         {\"path\":\"4\",\"change\":\"added\",\"new\":null}\n\
         {\"path\":\"3\",\"change\":\"removed\",\"old\":[null]}\n"
    );
    let (code, out) = compare(&[], &name, &[&old[..], &old].concat());
    assert_eq!((code, out.starts_with("value 1\n+ ")), (Some(1), true), "{out}");
    let deep = |last: u32| [packet(&[28, 1]).repeat(1000), packet(&[2, last])].concat();
    fs::write(&path, deep(1)).unwrap();
    let (_, out) = compare(&[], &name, &deep(2));
    assert!(out.starts_with("~ 0/0/") && out.ends_with("/0/0: 1 → 2\n"), "{out}");
    assert!(out.chars().count() < 230, "{out}");
    let (_, out) = compare(&["--full"], &name, &deep(2));
    assert_eq!(out, format!("~ {}: 1 → 2\n", ["0"; 1000].join("/")));
    fs::remove_file(path).unwrap();
}

/// Checks that the target of a link is replaced and keeps its permissions, and that no temporary
/// file remains.
#[cfg(unix)]
#[test]
fn in_place_through_a_link() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = empty_folder("editing_in_place");
    let [file, link] = ["file.bin", "link.bin"].map(|name| folder.join(name));
    fs::write(&file, state()).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("file.bin", &link).unwrap();
    shown(run(&["set", "--in-place", "tick", "5", link.to_str().unwrap()]));
    assert_eq!(get("tick", &fs::read(&file).unwrap()), "5\n");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
}

/// Checks that `diff` ends with exit code 2 after an error. Exit code 1 means that the files
/// differ, so scripts can distinguish errors from differences.
#[test]
fn trouble() {
    for args in [["diff", STATE, "/no/such/file"], ["diff", "corpus/README.md", STATE]] {
        let ran = run(&args);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
        assert!(ran.err.starts_with("error: "));
    }
    assert_eq!(run(&["diff", STATE]).code, Some(2));
    let ran = run(&["diff", "-", "-"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    let says = "error: OLD and NEW cannot both be standard input (-)\n";
    assert!(ran.err.starts_with(says), "{}", ran.err);
}

/// Checks that control characters in a packet do not reach the terminal.
#[test]
fn no_control_characters() {
    let text = b"\x04\0\0\0\x05\0\0\0\x1b[2Jx\0\0\0";
    let key = [&27_u32.to_le_bytes()[..], &1_u32.to_le_bytes(), text, &[0; 4]].concat();
    let (path, name) = file("control.bin", &key);
    let (code, out) = compare(&[], &name, &[0; 4]);
    assert_eq!(code, Some(1));
    assert!(!out.contains('\u{1b}'), "{out:?}");
    let ran = run(&["get", "x", &name]);
    assert!(!ran.err.contains('\u{1b}'), "{:?}", ran.err);
    assert_eq!(shown(run(&["get", "\"\\x1b[2Jx\"", &name])), "null\n");
    fs::remove_file(path).unwrap();
}

/// Checks how a line shortens long paths and values: it shows the first and the last 100 characters
/// of a path, and the first 100 characters of a value.
#[test]
fn long_differences() {
    let dictionary = |path: &str, value: &str| {
        let keys = path.rsplit('/');
        let value = keys.fold(format!("\"s:{value}\""), |value, key| {
            format!("{{\"type\":\"Dictionary\",\"args\":[\"s:{key}\",{value}]}}")
        });
        output_on(&["encode"], value.as_bytes()).stdout
    };
    let (path, name) = file("long_differences.bin", b"");
    let changed = |args: &[&str], at: &str, value: &str| {
        fs::write(&path, dictionary(at, "old")).unwrap();
        let (code, out) = compare(args, &name, &dictionary(at, value));
        assert_eq!(code, Some(1));
        out
    };
    let key = "k".repeat(24);
    let fits = format!("{}{key}yz", format!("{key}/").repeat(7));
    assert_eq!(fits.len(), 201);
    let long = format!("{fits}z");
    let ends = format!("{}…{}", &long[..100], &long[101..]);
    assert_eq!(changed(&[], &fits, "new"), format!("~ {fits}: \"old\" → \"new\"\n"));
    assert_eq!(changed(&[], &long, "new"), format!("~ {ends}: \"old\" → \"new\"\n"));
    assert_eq!(changed(&["--full"], &long, "new"), format!("~ {long}: \"old\" → \"new\"\n"));
    let [fits, long] = [98, 99].map(|len| "v".repeat(len));
    assert_eq!(changed(&[], "k", &fits), format!("~ k: \"old\" → \"{fits}\"\n"));
    assert_eq!(changed(&[], "k", &long), format!("~ k: \"old\" → \"{long}…\n"));
    assert_eq!(changed(&["--full"], "k", &long), format!("~ k: \"old\" → \"{long}\"\n"));
    // A value that only one of the files has.
    let [one, two] = [1, 2].map(|count| [2_u32, 5].map(u32::to_le_bytes).concat().repeat(count));
    fs::write(&path, &one).unwrap();
    assert_eq!(compare(&[], &name, &two), (Some(1), "value 1\n+ 5\n".into()));
    fs::write(&path, &two).unwrap();
    assert_eq!(compare(&[], &name, &one), (Some(1), "value 1\n- 5\n".into()));
    assert_eq!(
        compare(&["--json"], &name, &one).1,
        "{\"frame\":1,\"path\":\"\",\"change\":\"removed\",\"old\":\"i:5\"}\n"
    );
    fs::remove_file(path).unwrap();
}

/// Checks the hint for arguments in the wrong order. It is printed only if PATH names a file, and
/// FILE neither names a file nor is `-`.
#[test]
fn path_and_file_in_the_wrong_order() {
    const HINT: &str = "hint: PATH comes before FILE: gamewire get PATH FILE\n";
    for (args, has_hint) in [
        (["get", STATE, "tick"], true),
        (["get", STATE, STATE], false),
        (["get", STATE, "-"], false),
        (["get", "tick", "no/such/file"], false),
    ] {
        let ran = run_on(&args, &state());
        assert_eq!((ran.code, ran.err.ends_with(HINT)), (Some(1), has_hint), "{args:?} {ran:?}");
    }
}
