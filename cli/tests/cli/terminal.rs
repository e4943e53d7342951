//! Tests output on terminals. Some characters must be escaped, even if they come from the content
//! or the name of a file. Binary data must not be printed. Progress bars are tested, too.

use crate::command::{empty_folder, gamewire, output_on, root, write_file};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Characters that can hide, reorder or forge text. These are control characters, direction marks
/// and overrides, zero-width and ignorable characters, separators, tags, and private and unassigned
/// code points.
const HIDDEN: [char; 24] = [
    '\u{1}',
    '\u{7}',
    '\u{8}',
    '\u{1b}',
    '\u{7f}',
    '\u{85}',
    '\u{9b}',
    '\u{ad}',
    '\u{61c}',
    '\u{180e}',
    '\u{200b}',
    '\u{200d}',
    '\u{200f}',
    '\u{2028}',
    '\u{2029}',
    '\u{202e}',
    '\u{2066}',
    '\u{3164}',
    '\u{e000}',
    '\u{fe0f}',
    '\u{feff}',
    '\u{fff9}',
    '\u{e0041}',
    '\u{f0000}',
];

fn hidden() -> String {
    HIDDEN.iter().collect::<String>() + "\r\u{1b}[2J\u{1b}]0;title\u{7}"
}

/// Returns the first character that must not reach a terminal. Escape sequences of colours are
/// allowed if `colours` is `true`.
fn harmful(text: &str, colours: bool) -> Option<char> {
    let mut rest = text;
    loop {
        let at = rest.find(|c: char| c != '\n' && c != '\t' && is_hidden(c))?;
        let colour = rest[at..].strip_prefix("\u{1b}[").and_then(|after| {
            let end = after.find(|c: char| !c.is_ascii_digit() && c != ';')?;
            after[end..].strip_prefix('m')
        });
        match colour {
            Some(after) if colours => rest = after,
            _ => return rest[at..].chars().next(),
        }
    }
}

/// Returns `true` if a character must be escaped. The program has a table of such characters. This
/// function does not use it, so that the tests can find errors in the table.
fn is_hidden(c: char) -> bool {
    HIDDEN.contains(&c)
        || c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{e0000}'..='\u{e0fff}' | '\u{e000}'..='\u{f8ff}')
}

/// Writes files of several formats into a folder, with [`hidden`] characters in their contents and
/// names. Returns their paths.
fn files(folder: &Path) -> Vec<String> {
    let json = serde_json::to_string(&format!("s:{}", hidden())).unwrap();
    let key = serde_json::to_string(&format!("s:k{}", hidden())).unwrap();
    let packet = format!(
        "{{\"type\":\"Dictionary\",\"args\":[{key},[{json},{json}],\"s:tick\",\"i:1\"]}}\n"
    );
    let packet = output_on(&["encode"], packet.as_bytes());
    assert_eq!((packet.status.code(), &packet.stderr[..]), (Some(0), &b""[..]));
    let text = hidden().replace(['\u{1b}', '\u{7}', '\r'], "");
    let save = format!(
        "[{{\"class\":\"C{text}\",\"i:*ptr\":1,\"S:n{text}\":\"{text}\",\"C{text}:x\":9,\"i:y\":\"{text}\"}}]"
    );
    // This package stores its names with one byte per character.
    let package = fs::read(root("corpus/unreal/ue5.6-SimpleRefsRoot.uasset")).unwrap();
    let package = replaced(&package, b"SimpleRefs", b"S\x1b\x9b\xad\x85\x07Refs");
    let files = [
        ("packet\u{202e}\u{1b}[2J.bin", packet.stdout),
        ("cut.bin", vec![4, 0, 0, 0, 99, 0, 0, 0, 0x1b]),
        ("save\u{2066}.rem", save.into_bytes()),
        ("package\u{200b}.uasset", package),
        ("text\u{9b}.bin", hidden().repeat(9).into_bytes()),
    ];
    files.map(|(name, bytes)| write_file(folder, name, &bytes)).to_vec()
}

fn replaced(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let mut bytes = bytes.to_vec();
    let places: Vec<_> =
        (0..bytes.len() - old.len()).filter(|at| bytes[*at..].starts_with(old)).collect();
    assert!(!places.is_empty());
    places.into_iter().for_each(|at| bytes[at..at + new.len()].copy_from_slice(new));
    bytes
}

/// Commands on a file. `{}` stands for its path.
const COMMANDS: [&[&str]; 27] = [
    &["show", "{}"],
    &["show", "--full", "--hex", "--all", "{}"],
    &["show", "--color", "always", "{}"],
    &["check", "{}"],
    &["check", "--strict", "{}"],
    &["check", "--lines", "{}"],
    &["json", "{}"],
    &["json", "--exact", "{}"],
    &["json", "--lines", "{}"],
    &["get", "--json", "", "{}"],
    &["get", "--json", "0", "{}"],
    &["diff", "{}", "corpus/bench/state_simple.bin"],
    &["diff", "corpus/bench/state_simple.bin", "{}"],
    &["diff", "--json", "--full", "{}", "corpus/bench/state_simple.bin"],
    &["diff", "--color", "always", "{}", "corpus/rems/2026/01_scalars.container.rem"],
    &["schema", "{}"],
    &["schema", "--json", "{}"],
    &["encode", "{}", "-o", "/dev/null"],
    &["encode", "--text", "{}", "-o", "/dev/null"],
    &["set", "tick", "2", "{}", "-o", "/dev/null"],
    &["set", "nothing", "2", "{}", "-o", "/dev/null"],
    &["packets", "{}"],
    &["packets", "--methods", "{}", "corpus/captures/enet.pcap"],
    &["packets", "--scripts", "{}", "corpus/captures/enet.pcap"],
    &["unreal", "deps", "{}"],
    &["unreal", "deps", "--json", "{}"],
    &["rems", "convert", "--to", "json", "{}", "/dev/null"],
];

#[test]
fn piped_output_for_people_and_json_is_printable() {
    for path in files(&empty_folder("terminal/piped")) {
        for command in COMMANDS {
            let args: Vec<_> = command.iter().map(|arg| arg.replace("{}", &path)).collect();
            let output = gamewire().args(&args).output().unwrap();
            let colours = args.contains(&"always".to_owned());
            for bytes in [&output.stdout, &output.stderr] {
                let text = str::from_utf8(bytes).unwrap();
                assert_eq!(harmful(text, colours), None, "{args:?}: {text:?}");
            }
        }
    }
    // A usage error repeats the argument that it is about. This can be the name of a file, if the
    // shell has replaced a pattern such as `*` with file names.
    for args in
        [&["show", "--x\u{202e}"][..], &["\u{9b}2J"], &["get", "a", "b", "--frame", "\u{200b}"]]
    {
        let output = gamewire().args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(harmful(str::from_utf8(&output.stderr).unwrap(), false), None, "{args:?}");
    }
}

/// Runs a command on a terminal, and returns its output. The terminal prints each line break as
/// `\r\n`, which is changed back to `\n`.
fn on_terminal(args: &[&str]) -> String {
    let quoted = args.iter().map(|arg| format!("'{arg}' ")).collect::<String>();
    session(&quoted).0.replace("\r\n", "\n")
}

/// Runs the program on a terminal, with arguments and redirections in the syntax of a shell.
/// Returns the output and the exit code.
fn session(arguments: &str) -> (String, Option<i32>) {
    let mut command = Command::new("script");
    command.args(["--quiet", "--return", "--command"]).current_dir(root(""));
    command.arg(format!("'{}' {arguments}", env!("CARGO_BIN_EXE_gamewire"))).arg("/dev/null");
    command.env("TERM", "xterm").env("NO_COLOR", "1").stdin(std::process::Stdio::null());
    let output = command.output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

/// Returns `true` if the program `script`, with which the tests run programs on a terminal, is
/// installed.
fn has_terminals() -> bool {
    let has = Command::new("script").arg("--version").output().is_ok();
    if !has {
        eprintln!("there is no program `script`");
    }
    has
}

/// Checks that terminals get only characters that they can print. `text` and `get` print exact text
/// into a pipe, but escape it on a terminal.
#[test]
fn terminals_get_printable_characters_only() {
    let paths = files(&empty_folder("terminal/printable"));
    let exact = gamewire().args(["text", &paths[0]]).output().unwrap().stdout;
    assert!(String::from_utf8(exact).unwrap().contains('\u{202e}'));
    if !has_terminals() {
        return;
    }
    for path in &paths {
        for args in [
            &["text", path][..],
            &["get", "", path],
            &["get", "names", path],
            &["get", "0", path],
            &["show", path],
            &["show", "--full", path],
            &["json", path],
            &["check", path],
            &["diff", path, "corpus/bench/state_simple.bin"],
            &["schema", "--rust", path],
            &["rems", "convert", "--to", "json", path, "-"],
            &["rems", "convert", "--to", "text-2026", path, "-"],
            &["unreal", "deps", "--dot", path],
        ] {
            let text = on_terminal(args);
            assert_eq!(harmful(&text, true), None, "{args:?}: {text:?}");
            assert!(!text.is_empty());
        }
    }
    // The escapes can be read back.
    let text = on_terminal(&["text", &paths[0]]);
    let again = output_on(&["encode", "--text"], text.as_bytes());
    assert_eq!(String::from_utf8_lossy(&again.stderr), "");
    assert!(again.stdout == fs::read(&paths[0]).unwrap());
}

/// Checks how each kind of output escapes a character. Text for people uses Rust escapes, and JSON
/// uses JSON escapes. Exact text contains the character itself.
#[test]
fn each_kind_of_output_has_its_escapes() {
    const PEOPLE: &str = "\\u{202e}";
    const JSON: &str = "\\u202e";
    const EXACT: &str = "\u{202e}";
    let folder = empty_folder("terminal/escapes");
    let path = |name: &str, bytes: &[u8]| write_file(&folder, name, bytes);
    // A dictionary with one key and one value, both of one character.
    let text = [&[4, 0, 0, 0, 3, 0, 0, 0][..], "\u{202e}\0".as_bytes()].concat();
    let value = [&[27, 0, 0, 0, 1, 0, 0, 0][..], &text, &text].concat();
    let capture = crate::packets::capture("10.0.0.1", &[(40000, 7000, value.clone())]);
    let save = "[{\"class\":\"A\",\"S:\u{202e}\":\"\u{202e}\"}]";
    let (value, capture) = (path("kinds.bin", &value), path("kinds.pcap", &capture));
    let (save, nil) = (path("kinds.rem", save.as_bytes()), "corpus/godot4/nil.bin");
    for (args, escape) in [
        (&["show", &value][..], PEOPLE),
        (&["schema", &value], PEOPLE),
        (&["diff", nil, &value], PEOPLE),
        (&["packets", &capture], PEOPLE),
        (&["show", &save], PEOPLE),
        (&["json", &value], JSON),
        (&["json", &save], JSON),
        (&["get", "--json", "", &value], JSON),
        (&["schema", "--json", &value], JSON),
        (&["diff", "--json", nil, &value], JSON),
        (&["packets", "--json", &capture], JSON),
        (&["text", &value], EXACT),
        (&["get", "[#0]", &value], EXACT),
        (&["get", "[0].\u{202e}", &save], EXACT),
        (&["get", "--raw", "", &value], EXACT),
        (&["set", "[#0]", "\"\u{202e}\"", &value], EXACT),
        (&["rems", "convert", "--to", "json", &save, "-"], EXACT),
    ] {
        let output = gamewire().args(args).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let found = [PEOPLE, JSON, EXACT].into_iter().filter(|escape| text.contains(escape));
        assert_eq!(found.collect::<Vec<_>>(), [escape], "{args:?}: {output:?}");
    }
}

/// Checks the escapes of references between packages, with a character that names in packages can
/// contain.
#[test]
fn references_have_the_escapes_of_their_output() {
    let package = fs::read(root("corpus/unreal/ue5.6-SimpleRefsRoot.uasset")).unwrap();
    let package = replaced(&package, b"SimpleRefs", b"S\x9bmpleRefs");
    for (args, name) in [
        (&["unreal", "deps", "-"][..], "/Game/S\\u{9b}mpleRefs/S\\u{9b}mpleRefsRoot\n"),
        (&["unreal", "deps", "--json", "-"], "\"/Game/S\\u009bmpleRefs/S\\u009bmpleRefsRoot\""),
        (&["unreal", "deps", "--dot", "-"], "\"/Game/S\\\\u{9b}mpleRefs/S\\\\u{9b}mpleRefsRoot\""),
    ] {
        let output = output_on(args, &package);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(name), "{args:?}: {text:?}");
    }
}

#[test]
fn bytes_are_not_written_to_a_terminal() {
    if !has_terminals() {
        return;
    }
    let file = write_file(&empty_folder("terminal/bytes"), "bytes.bin", &[2, 0, 0, 0, 5, 0, 0, 0]);
    let redirect = "redirect standard output to a file or a pipe\r\n";
    for (arguments, says) in [
        (format!("get --raw '' '{file}'"), format!("the output is binary: {redirect}")),
        ("encode corpus/godot4/nil.json".into(), format!("the output is binary: {redirect}")),
        (
            format!("set '' 6 '{file}'"),
            format!("the output is binary: name a file with -o, or {redirect}"),
        ),
    ] {
        assert_eq!(session(&arguments), (format!("error: {says}"), Some(1)), "{arguments}");
    }
    for (arguments, value) in [
        (format!("set --in-place '' 6 '{file}'"), 6),
        (format!("set '' 7 '{file}' -o '{file}'"), 7),
        (format!("set '' 8 '{file}' > '{file}.new' && mv '{file}.new' '{file}'"), 8),
    ] {
        assert_eq!(session(&arguments), (String::new(), Some(0)), "{arguments}");
        assert_eq!(fs::read(&file).unwrap()[4], value, "{arguments}");
    }
}

/// Checks that a progress bar is shown for many files and for a large file, but only if no output
/// can appear between the updates of the bar. Also checks that the bar is removed at the end.
#[test]
fn bars_of_progress() {
    if !has_terminals() {
        return;
    }
    let folder = empty_folder("terminal/bars");
    let mut sav = vec![0; 8];
    sav[..4].copy_from_slice(b"GVAS");
    for number in 0..255 {
        fs::write(folder.join(format!("{number}.sav")), &sav).unwrap();
    }
    let large = folder.join("large.pcap");
    fs::File::create(&large).unwrap().set_len(64 << 20).unwrap();
    let (folder, large) = (folder.to_str().unwrap(), large.to_str().unwrap());
    let check = format!("check '{folder}'");
    let quiet = format!("packets --quiet '{large}'");
    let has_bar = |arguments: &str, bar: &str| {
        let (text, code) = session(arguments);
        assert_eq!(code, Some(1), "{text}");
        if let Some((_, after)) = text.rsplit_once(bar) {
            let cleared = after
                .find("\r\u{1b}[2K")
                .unwrap_or_else(|| panic!("the bar is not cleared: {text:?}"));
            assert!(
                after.find("error").is_none_or(|at| cleared < at),
                "the bar is cleared after the error: {text:?}"
            );
        }
        text.contains(bar)
    };
    assert!(!has_bar(&format!("{check} > /dev/null"), "of 255"));
    assert!(!has_bar(&format!("{check} > '{folder}/out'"), "of 255"));
    fs::write(format!("{folder}/last.sav"), &sav).unwrap();
    assert!(has_bar(&format!("{check} > '{folder}/out'"), "of 256"));
    assert!(!has_bar(&check, "of 256"));
    assert!(!has_bar(&format!("{check} > '{folder}/out' 2> '{folder}/err'"), "of 256"));
    assert!(has_bar(&quiet, "of 64.00 MiB"));
    assert!(has_bar(&format!("packets '{large}' > '{folder}/out'"), "of 64.00 MiB"));
    assert!(!has_bar(&format!("packets '{large}'"), "of 64.00 MiB"));
    assert!(!has_bar(&format!("{quiet} 2> '{folder}/err'"), "of 64.00 MiB"));
    fs::File::options().write(true).open(large).unwrap().set_len((64 << 20) - 1).unwrap();
    assert!(!has_bar(&quiet, "MiB,"));
}
