//! No character that a terminal does not print reaches it, whatever a file contains or is called.

use crate::command::{gamewire, output_on, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Characters that hide, reorder or forge text: controls, marks and overrides of direction, zero-width
/// and ignorable characters, separators, tags, private and unassigned code points.
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

/// Returns the first character that must not reach a terminal. Colours of the program are allowed if
/// `colours`.
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

/// Written apart from the program's own table.
fn is_hidden(c: char) -> bool {
    HIDDEN.contains(&c)
        || c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{e0000}'..='\u{e0fff}' | '\u{e000}'..='\u{f8ff}')
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("terminal");
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes files of all formats whose texts and names contain [`hidden`]. Returns their paths.
fn files() -> Vec<String> {
    let folder = folder();
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
    // The names of this package are stored in 8-bit units.
    let package = fs::read(root("corpus/unreal/ue5.6-SimpleRefsRoot.uasset")).unwrap();
    let package = replaced(&package, b"SimpleRefs", b"S\x1b\x9b\xad\x85\x07Refs");
    let files = [
        ("packet\u{202e}\u{1b}[2J.bin", packet.stdout),
        ("cut.bin", vec![4, 0, 0, 0, 99, 0, 0, 0, 0x1b]),
        ("save\u{2066}.rem", save.into_bytes()),
        ("package\u{200b}.uasset", package),
        ("text\u{9b}.bin", hidden().repeat(9).into_bytes()),
    ];
    let paths = files.map(|(name, bytes)| {
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    });
    paths.to_vec()
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

/// Commands on a file, which precedes these arguments in `{}`.
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
    for path in files() {
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
    // Usage errors repeat arguments, which a shell can have taken from a folder.
    for args in
        [&["show", "--x\u{202e}"][..], &["\u{9b}2J"], &["get", "a", "b", "--frame", "\u{200b}"]]
    {
        let output = gamewire().args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(harmful(str::from_utf8(&output.stderr).unwrap(), false), None, "{args:?}");
    }
}

/// Returns the output of a command on a terminal, with carriage returns of the terminal removed.
fn on_terminal(args: &[&str]) -> String {
    let quoted = args.iter().map(|arg| format!("'{arg}' ")).collect::<String>();
    let mut command = Command::new("script");
    command.args(["--quiet", "--return", "--command"]).current_dir(root(""));
    command.arg(format!("'{}' {quoted}", env!("CARGO_BIN_EXE_gamewire"))).arg("/dev/null");
    let output = command.env("TERM", "xterm").stdin(std::process::Stdio::null()).output().unwrap();
    String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n")
}

/// `text` and `get` are exact in a pipe, and escaped on a terminal.
#[test]
fn terminals_get_printable_characters_only() {
    let paths = files();
    let exact = gamewire().args(["text", &paths[0]]).output().unwrap().stdout;
    assert!(String::from_utf8(exact).unwrap().contains('\u{202e}'));
    if Command::new("script").arg("--version").output().is_err() {
        eprintln!("there is no program `script`");
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
