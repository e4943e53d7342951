//! Tests commands on configuration files of Godot.

use crate::command::{Ran, output_on, root, run, run_on, shown};
use std::fs;
use std::path::PathBuf;

const CONFIG: &str = "corpus/godot-files/4.6.3/config.cfg";
const PROJECT: &str = "; Engine configuration file.\n\nconfig_version=5\n\n[application]\n\n\
    config/name=\"Trial\"\n\n[input]\n\njump={\n\"deadzone\": 0.5,\n\
    \"events\": [Object(InputEventKey,\"device\":-1,\"keycode\":32,\"script\":null)\n]\n}\n";

fn set(args: &[&str], text: &str) -> (String, String) {
    let output = output_on(&[&["set"], args, &["-"]].concat(), text.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{args:?}");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

fn failed(args: &[&str], text: &str) -> String {
    let Ran { code, out, err } = run_on(args, text.as_bytes());
    assert_eq!((code, &*out), (Some(1), ""), "{args:?}");
    err
}

#[test]
fn sections_and_values_are_shown_in_the_order_of_the_file() {
    let text = "a=1\n[s]\nb=[1, {\"x\": null}] ; c\nb=\"y\"\n";
    assert_eq!(
        shown(run_on(&["show", "-"], text.as_bytes())),
        "\x20\
0  a: int 1
 4  [s]
 8    b: Array, 2 elements
        [0] int 1
        [1] Dictionary, 1 pair
          \"x\": Nil
31    b: String \"y\"
"
    );
    let shown = shown(run_on(&["show", "-"], PROJECT.as_bytes()));
    assert!(shown.contains("config/name: String \"Trial\"") && shown.contains("InputEventKey"));
}

#[test]
fn resources_are_shown_as_text() {
    let text = b"[a]\nb=Resource(\"res://x.tres\")\nc=1\n";
    let shown = shown(run_on(&["show", "-"], text));
    assert_eq!(shown, " 0  [a]\n 4    b: Resource(\"res://x.tres\")\n31    c: int 1\n");
    let Ran { code, out, err } = run_on(&["json", "-"], text);
    assert_eq!((code, &*out), (Some(1), "{\"a\":{\"c\":\"i:1\"}}\n"));
    assert!(err.contains("offset 6 (0x6): in a/b: a resource, which only an engine can load"));
}

#[test]
fn json_has_an_object_for_each_section() {
    let json = shown(run_on(&["json", "-"], PROJECT.as_bytes()));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[""]["config_version"], "i:5");
    assert_eq!(json["application"]["config/name"], "s:Trial");
    assert_eq!(json["input"]["jump"]["args"][1], "f:0.5");
    let text = b"[a]\nb=1\n[c]\nd=1\n[a]\nb=\xC3\xBC\n";
    assert!(run_on(&["json", "-"], text).err.contains("offset 22"));
    assert_eq!(shown(run_on(&["json", "-"], b"[a]\n")), "{}\n");
    let text = b"[a]\nb=1\n[c]\nd=1\n[a]\nb=2\ne=nil\n";
    assert_eq!(
        shown(run_on(&["json", "-"], text)),
        "{\"a\":{\"b\":\"i:2\"},\"c\":{\"d\":\"i:1\"}}\n"
    );
}

#[test]
fn check_accepts_what_the_engine_loads() {
    let Ran { code, out, .. } = run(&["check", CONFIG]);
    assert_eq!(code, Some(0));
    assert!(out.ends_with("177 bytes  configuration file: 2 sections, 6 entries\n"), "{out}");

    let refused = run_on(&["check", "-"], b"[a]\nb=1\nc=[1, x]\n");
    assert_eq!(refused.code, Some(1));
    assert!(refused.out.starts_with("refused") && refused.out.contains("offset 14 (0xe): a name"));

    let text = b"[a]\nb=1\nb=2\nc=Array[int]([\"x\"])\n\"\"=1\nd=Resource(\"x\")\ne";
    let Ran { code, out, .. } = run_on(&["check", "-"], text);
    assert_eq!(code, Some(0));
    for warning in [
        "another value for the key b, at offset 8 (0x8)",
        "the engine changes this value as it reads it: a value that its typed container does not accept",
        "an empty key, which the engine ignores, at offset 32 (0x20)",
        "a resource, which the engine loads from another file, at offset 39 (0x27)",
        "a key without a value, which the engine ignores, at offset 53 (0x35)",
    ] {
        assert!(out.contains(warning), "{out}");
    }
    assert_eq!(run_on(&["check", "--strict", "-"], text).code, Some(1));
    let Ran { out, .. } = run_on(&["check", "-"], b"[a]\nb=0,5\nc=1\nd\ne=1\n");
    for offset in ["7 (0x7)", "14 (0xe)"] {
        let warning = format!("a key that does not have a line of its own, at offset {offset}");
        assert!(out.contains(&warning), "{out}");
    }
    assert_eq!(run(&["check", "--strict", CONFIG]).code, Some(0));
    let Ran { out, .. } = run_on(&["check", "-"], b"config_version=4\n[a]\nb=Quat( 0, 0, 0, 1 )\n");
    assert!(out.contains("configuration file of Godot 3: 1 section, 2 entries"), "{out}");
    let Ran { out, .. } = run_on(&["check", "-"], "\u{FEFF}[a]\nb=1\n".as_bytes());
    assert!(out.contains("a byte order mark"), "{out}");
}

#[test]
fn get_prints_values_and_their_parts() {
    for (path, value) in [
        ("player/name", "\"Ada\"\n"),
        ("player/pos/y", "2.0\n"),
        ("audio/keys/2/a/-1", "2\n"),
        ("audio", "volume=0.8\nkeys=[1, &\"x\", {\n\"a\": PackedInt32Array(1, 2)\n}]\n"),
    ] {
        assert_eq!(shown(run(&["get", path, CONFIG])), value);
    }
    assert_eq!(shown(run(&["get", "", CONFIG])), fs::read_to_string(root(CONFIG)).unwrap());
    assert_eq!(shown(run(&["get", "--json", "player/pos/y", CONFIG])), "\"f:2.0\"\n");
    let get = |path| shown(run_on(&["get", path, "-"], PROJECT.as_bytes()));
    assert_eq!(get("application/config/name"), "\"Trial\"\n");
    assert_eq!(get("config_version"), "5\n");
    assert_eq!(get("/config_version"), "5\n");
    assert_eq!(get("input/jump/events/0/keycode"), "32\n");
    let raw = output_on(&["get", "--raw", "config_version", "-"], PROJECT.as_bytes());
    assert_eq!(raw.stdout, [2, 0, 0, 0, 5, 0, 0, 0]);
}

#[test]
fn the_longest_section_and_key_of_a_path_count() {
    let text = b"a/b/c=0\n[a]\nb/c=1\nb={\n\"c\": 2\n}\nd=3\n[a/b]\nc=4\n";
    let get = |path| shown(run_on(&["get", path, "-"], text));
    assert_eq!(get("a/b/c"), "4\n");
    assert_eq!(get("/a/b/c"), "0\n");
    assert_eq!(get("a/d"), "3\n");
}

#[test]
fn a_missing_path_is_reported_with_a_similar_one() {
    let err = failed(&["get", "player/nam", "-"], "[player]\nname=1\nat=Vector2(1, 2)\n");
    assert_eq!(
        err,
        "error: <stdin>: no section and no entry at player/nam\nhint: did you mean `player/name`?\n"
    );
    let err = failed(&["get", "player/at/z", "-"], "[player]\nat=Vector2(1, 2)\n");
    assert!(err.starts_with("error: <stdin>: player/at: no `z`"), "{err}");
}

#[test]
fn set_changes_one_value() {
    let text = "; c\r\n[a]\r\nb = 1.5 ; x\r\nc=\"y\"\r\n";
    for (path, value, old, new) in [
        ("a/b", "2", "1.5", "2.0"),
        ("a/b", "[1]", "1.5", "[1]"),
        ("a/b", "null", "b = 1.5 ; x", " ; x"),
        ("a/c", "null", "c=\"y\"\r\n", ""),
    ] {
        let (out, err) = set(&[path, value], text);
        assert_eq!((out, &*err), (text.replace(old, new), ""), "{path} {value}");
    }
    let text = fs::read_to_string(root(CONFIG)).unwrap();
    assert_eq!(set(&["audio/keys/0", "7"], &text).0, text.replace("keys=[1,", "keys=[7,"));
    assert_eq!(set(&["player/pos/x", "0.5"], &text).0, text.replace("(1, 2, 3)", "(0.5, 2, 3)"));
    let changed = set(&["--json", "player/name", "\"sn:B\""], &text).0;
    assert_eq!(changed, text.replace("\"Ada\"", "&\"B\""));
    let changed = set(&["--as", "godot3", "player/pos", "Vector2(1, 2)"], "[player]\npos=1\n").0;
    assert_eq!(changed, "[player]\npos=Vector2( 1, 2 )\n");
}

#[test]
fn set_adds_an_entry_and_says_so() {
    let (out, err) = set(&["a/c d", "5"], "[a]\nb=1\n");
    assert_eq!(out, "[a]\nb=1\n\"c d\"=5\n");
    assert_eq!(err, "warning: <stdin>: there was no key `c d` in section [a]; it is added\n");
    let (out, _) = set(&["x/y/z", "5"], "[a]\nb=1\n");
    assert_eq!(out, "[a]\nb=1\n\n[x]\n\ny/z=5\n");
    let (out, err) = set(&["new", "5"], "[a]\nb=1\n");
    assert_eq!(out, "new=5\n\n[a]\nb=1\n");
    assert!(err.contains("there was no key `new` before the first section"));
}

#[test]
fn set_repairs_a_malformed_value() {
    assert_eq!(set(&["a/b", "5"], "[a]\nb=foo\nc=1\nd=2\n").0, "[a]\nb=5\nc=1\nd=2\n");
}

#[test]
fn a_wrong_change_writes_nothing() {
    let text = "[a]\nb=1\nc=[1]\n";
    for (path, value, message) in [
        ("a/b", "foo", "VALUE, byte 1: a name that is neither a value nor a type here"),
        ("a", "1", "the path must be SECTION/KEY"),
        ("a/x", "null", "no section and no entry at a/x"),
        ("a/c/5", "1", "no index `5`"),
        (" /x", "1", "a name of a section that the engine does not read back"),
        ("a/", "1", "a key that is empty"),
    ] {
        let output = output_on(&["set", path, value, "-"], text.as_bytes());
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(output.stdout.is_empty() && err.contains(message), "{path}: {err}");
    }
}

#[test]
fn set_writes_files() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("config");
    fs::create_dir_all(&folder).unwrap();
    let [old, new] = ["old.cfg", "new.cfg"].map(|name| folder.join(name));
    fs::write(&old, "[a]\nb=1\n").unwrap();
    let [old_name, new_name] = [&old, &new].map(|path| path.to_str().unwrap());
    shown(run(&["set", "a/b", "2", old_name, "-o", new_name]));
    assert_eq!(fs::read_to_string(&new).unwrap(), "[a]\nb=2\n");
    shown(run(&["set", "a/b", "3", "--in-place", old_name]));
    assert_eq!(fs::read_to_string(&old).unwrap(), "[a]\nb=3\n");
    let Ran { code, out, err } = run(&["diff", old_name, new_name]);
    assert_eq!((code, &*out, &*err), (Some(1), "~ a/b: 3 → 2\n", ""));
}

#[test]
fn diff_lists_changed_added_and_removed_entries() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("config");
    fs::create_dir_all(&folder).unwrap();
    let old = folder.join("diff.cfg");
    fs::write(&old, "x=1\n[a]\nb=[1, 2]\nc=5 ; c\nd=1\n").unwrap();
    let old = old.to_str().unwrap();
    let new = b"[a]\nc=5\nb=[1, 3]\ne=\"f\"\n[g]\nh=1\n";
    let Ran { code, out, err } = run_on(&["diff", old, "-"], new);
    let lines = "~ a/b/1: 2 → 3\n+ a/e: \"f\"\n+ g/h: 1\n- /x: 1\n- a/d: 1\n";
    assert_eq!((code, &*out, &*err), (Some(1), lines, ""));
    let Ran { out, .. } = run_on(&["diff", "--json", old, "-"], new);
    assert_eq!(
        out.lines().next(),
        Some("{\"path\":\"a/b/1\",\"change\":\"changed\",\"old\":\"i:2\",\"new\":\"i:3\"}")
    );
    let same = b"[a]\nd = 1\nc=5\nb=[1,2]\n[]\n[b]\n[a]\n";
    let Ran { code, out, .. } = run_on(&["diff", old, "-"], same);
    assert_eq!((code, &*out), (Some(1), "- /x: 1\n"));
    assert_eq!(run(&["diff", old, old]).code, Some(0));

    let Ran { code, err, .. } = run_on(&["diff", old, "-"], &[2, 0, 0, 0, 5, 0, 0, 0]);
    assert_eq!(code, Some(2));
    assert!(err.contains("this is not a configuration file, unlike the other file"), "{err}");
}

#[test]
fn other_commands_name_the_right_ones() {
    for command in ["text", "schema"] {
        let Ran { code, err, .. } = run(&[command, CONFIG]);
        assert_eq!(code, Some(1));
        assert!(err.contains("this is a configuration file of Godot"), "{err}");
        assert!(err.contains("`gamewire show`, `check`, `json`, `get`, `set` or `diff`"), "{err}");
    }
}

/// Checks that files of other programs, and other text files of Godot, are not read as
/// configuration files.
#[test]
fn other_texts_are_not_configuration_files() {
    for text in [
        "[a]\nhost=localhost\nport=80\n",
        "[gd_scene format=3]\n",
        "[1, 2]\n",
        "host=localhost\nuser=x\n",
        "a: 1\n",
    ] {
        let Ran { code, out, err } = run_on(&["show", "-"], text.as_bytes());
        assert_eq!((code, &*out), (Some(1), ""), "{text:?}");
        assert!(err.contains("not a Godot value"), "{text:?}: {err}");
    }
}
