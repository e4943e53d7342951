//! Recognises formats of text.

use super::FileKind;
use crate::ui::encoding::Encoding;
use gamewire::godot::Dialect;
use gamewire::godot::config::{self, ConfigReader, Entry, Item};
use gamewire::godot::notation::{self, Reading};
use serde::de::IgnoredAny;
use serde_json::{Deserializer, Error};

const EDITOR: &str =
    "open it in the Godot editor; `gamewire encode --text` reads a single value of it";
const NOT_READ: &str = "an editor opens it; gamewire does not read it";

const SCENE: FileKind = FileKind { name: "a scene of Godot in text", advice: EDITOR };
const RESOURCE: FileKind = FileKind { name: "a resource of Godot in text", advice: EDITOR };
const GODOT_CONFIGURATION: FileKind = FileKind {
    name: "a configuration file of Godot",
    advice: "read it with `gamewire show`, `check`, `json`, `get`, `set` or `diff`",
};
const CONFIGURATION: FileKind = FileKind {
    name: "a configuration file in text",
    advice: "its values are not in the form that Godot's ConfigFile reads; an editor opens it",
};
const LFS_POINTER: FileKind = FileKind {
    name: "a pointer of Git LFS, not the file itself",
    advice: "get the file with `git lfs pull`",
};
pub const PDF: FileKind = FileKind { name: "a PDF document", advice: "a document viewer opens it" };
const MARKUP: FileKind = FileKind { name: "text in XML or HTML", advice: NOT_READ };
const YAML: FileKind = FileKind { name: "text in YAML", advice: NOT_READ };
const JSON: FileKind = FileKind {
    name: "text in JSON",
    advice: "`gamewire encode` makes packets of JSON in the form that `gamewire json` prints, and \
             with --text of values as var_to_str prints them",
};
const PLAIN: FileKind = FileKind {
    name: "text",
    advice: "`gamewire encode` makes packets of JSON and, with --text, of var_to_str text; --lines \
             reads packets in hexadecimal, and --base64 a packet in base64",
};
const NOTATION: FileKind = FileKind {
    name: "a value as text, as var_to_str writes it",
    advice: "`gamewire encode --text` makes a packet of it",
};
const BASE64: FileKind = FileKind { name: "text in base64", advice: "--base64 decodes it" };
const HEXADECIMAL: FileKind = FileKind {
    name: "text in hexadecimal",
    advice: "`gamewire json --lines` and `gamewire check --lines` read each line as a packet",
};
const UTF_16: FileKind = FileKind {
    name: "text in UTF-16",
    advice: "convert it with `iconv -f UTF-16 -t UTF-8`; `gamewire encode` reads JSON and var_to_str text",
};

type Test = fn(&str) -> bool;

/// Formats of text, in the order in which they are tested.
const ROWS: [(Test, FileKind); 12] = [
    (|text| text.starts_with("[gd_scene"), SCENE),
    (|text| text.starts_with("[gd_resource"), RESOURCE),
    (|text| text.starts_with("version https://git-lfs"), LFS_POINTER),
    (|text| text.starts_with("%PDF-"), PDF),
    (is_markup, MARKUP),
    (has_values_of_godot, GODOT_CONFIGURATION),
    (is_json, JSON),
    (is_configuration, CONFIGURATION),
    (is_yaml, YAML),
    (is_hexadecimal, HEXADECIMAL),
    (is_base64, BASE64),
    (is_notation, NOTATION),
];

/// Returns the kind of text that a file contains. Returns `None` for binary data, and for text that
/// is only white space.
pub fn recognise(head: &[u8]) -> Option<&'static FileKind> {
    if is_utf_16(head) {
        return Some(&UTF_16);
    }
    let text = text(head)?;
    let row = ROWS.iter().find(|(test, _)| test(text));
    Some(row.map_or(&PLAIN, |(_, kind)| kind))
}

/// Returns `true` for the kinds of text that `gamewire encode` does not reject as a different kind
/// of file. The command reads all of these kinds except packets in hexadecimal or base64, for which
/// it prints a hint.
pub fn is_encodable(kind: &FileKind) -> bool {
    [JSON, PLAIN, NOTATION, HEXADECIMAL, BASE64].contains(kind)
}

/// Returns `true` for text that `gamewire encode` reads only with `--text`.
pub fn is_notation_kind(kind: &FileKind) -> bool {
    *kind == NOTATION
}

/// Returns `true` for text of no recognised form.
pub fn is_plain_kind(kind: &FileKind) -> bool {
    *kind == PLAIN
}

/// Returns `true` for text in hexadecimal.
pub fn is_hexadecimal_kind(kind: &FileKind) -> bool {
    *kind == HEXADECIMAL
}

/// Returns `true` for packets as text, which `gamewire encode` does not read.
pub fn is_packet_text(kind: &FileKind) -> bool {
    *kind == HEXADECIMAL || *kind == BASE64
}

/// Returns the text from its first visible character to its end, or `None` if `head` is not text.
/// Text is UTF-8 without control characters other than white space; its last character may be
/// incomplete. Godot values are not text, because each of their headers contains a zero byte, which
/// is a control character.
fn text(head: &[u8]) -> Option<&str> {
    let text = match str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            str::from_utf8(head.get(..error.valid_up_to())?).ok()?
        }
        Err(_) => return None,
    };
    let is_text = |char: char| !char.is_control() || "\t\r\n\u{c}".contains(char);
    let visible = text.trim_start_matches('\u{FEFF}').trim_start();
    (!visible.is_empty() && text.chars().all(is_text)).then_some(visible)
}

/// Checks for a byte order mark and an ASCII character after it. All files of interest begin with
/// an ASCII character.
fn is_utf_16(head: &[u8]) -> bool {
    let is_ascii =
        |low: u8, high: u8| high == 0 && (low.is_ascii_graphic() || b"\r\n\t ".contains(&low));
    match head {
        [0xFF, 0xFE, low, high, ..] | [0xFE, 0xFF, high, low, ..] => is_ascii(*low, *high),
        _ => false,
    }
}

fn is_markup(text: &str) -> bool {
    let name = text.strip_prefix('<').and_then(|rest| rest.chars().next());
    name.is_some_and(|char| char.is_ascii_alphabetic() || "?!".contains(char)) && text.contains('>')
}

/// Checks that the text begins with a JSON object or array, which may be cut off at the end of the
/// text.
fn is_json(text: &str) -> bool {
    let mut values = Deserializer::from_str(text).into_iter::<IgnoredAny>();
    let is_value = |value: Result<_, Error>| value.map_or_else(|error| error.is_eof(), |_| true);
    text.starts_with(['{', '[']) && values.next().is_some_and(is_value)
}

/// Checks that every word of the text has at least 8 hexadecimal digits, and an even number of
/// them.
fn is_hexadecimal(text: &str) -> bool {
    text.split_ascii_whitespace().all(|word| {
        word.len() >= 8
            && word.len().is_multiple_of(2)
            && word.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// Checks that the text is base64, and that the decoded bytes begin with a header that an engine
/// could have written. In such a header, the second and the fourth byte are zero.
fn is_base64(text: &str) -> bool {
    let decoded = Encoding::Base64.decode(text.as_bytes());
    decoded.is_ok_and(|bytes| matches!(bytes.get(..4), Some([_, 0, _, 0])))
}

/// Checks that the text begins with a value in the text notation of Godot 4 or 3.
fn is_notation(text: &str) -> bool {
    let dialects = [Dialect::Godot4, Dialect::Godot3];
    dialects.into_iter().any(|dialect| matches!(Reading::of(dialect).read_first(text), Ok(Some(_))))
}

/// Maximum number of lines from which a format is guessed.
const LINES: usize = 8;

/// Returns the first lines that are neither blank nor comments.
fn lines<'t>(text: &'t str, comment: &'static [char]) -> impl Iterator<Item = &'t str> {
    let is_content = move |line: &&str| !line.is_empty() && !line.starts_with(comment);
    text.lines().map(str::trim_end).filter(is_content).take(LINES)
}

/// Checks for a section or an assignment in the first line. Base64 that ends with padding (`=`) is
/// not an assignment.
fn is_configuration(text: &str) -> bool {
    let is_name = |name: &str, others: &str| {
        !name.is_empty() && name.chars().all(|char| char.is_alphanumeric() || others.contains(char))
    };
    lines(text, &[';', '#']).next().is_some_and(|line| {
        let section = line.strip_prefix('[').and_then(|line| line.split_once(']'));
        let is_assignment = line.split_once('=').is_some_and(|(key, value)| {
            let key = key.trim_end();
            let is_quoted = key.len() > 2 && key.starts_with('"') && key.ends_with('"');
            (is_quoted || is_name(key, "_-./")) && !value.is_empty() && !value.starts_with('=')
        });
        is_assignment
            || section.is_some_and(|(name, rest)| {
                let is_rest = rest.is_empty() || rest.trim_start().starts_with([';', '#']);
                is_name(name, "_-./:;@+& ") && is_rest
            })
    })
}

/// Returns `true` if the content is a configuration file as Godot's ConfigFile reads it.
pub fn is_godot_configuration(bytes: &[u8]) -> bool {
    let kind = text(bytes).and_then(|text| ROWS.iter().find(|(test, _)| test(text)));
    kind.is_some_and(|(_, kind)| *kind == GODOT_CONFIGURATION)
}

/// Checks for a configuration file with more values in Godot's notation than other values. Values
/// that look like malformed Godot values do not count. A file that contains only `;` comments
/// passes. Any other file without values must have at least one section, and must not be JSON.
fn has_values_of_godot(text: &str) -> bool {
    if lines(text, &[';']).next().is_none() {
        return true;
    }
    if !is_configuration(text) {
        return false;
    }
    let is_value = |entry: &Entry<'_>| {
        let read = |dialect| entry.read_with(Reading::of(dialect).as_the_engine());
        let is_resource = |error: &config::Error| {
            *error.kind() == config::ErrorKind::Notation(notation::ErrorKind::Resource)
        };
        read(Dialect::Godot4).is_ok()
            || read(Dialect::Godot3).map_or_else(|error| is_resource(&error), |_| true)
    };
    let is_malformed = |value: &str| value.starts_with(['"', '[', '{']) || value.ends_with(')');
    let (mut values, mut others, mut sections) = (0_usize, 0_usize, 0_usize);
    for item in ConfigReader::of(text, Dialect::Godot4) {
        let count = match item {
            Ok(Item::Space(_) | Item::Incomplete(_)) => continue,
            Ok(Item::Section(_)) => &mut sections,
            Ok(Item::Entry(entry)) if is_value(&entry) => &mut values,
            Ok(Item::Entry(entry)) if is_malformed(entry.value()) => continue,
            Err(error) if is_unclosed(&error) => continue,
            Ok(_) | Err(_) => &mut others,
        };
        *count = count.saturating_add(1);
    }
    // A section can look like a JSON array: `[1]`.
    values > others || (others == 0 && sections > 0 && !is_json(text))
}

/// Returns `true` if the file ends inside a string or bracket.
fn is_unclosed(error: &config::Error) -> bool {
    matches!(
        error.kind(),
        config::ErrorKind::UnclosedSection
            | config::ErrorKind::Notation(
                notation::ErrorKind::BadString | notation::ErrorKind::Expected("a closing bracket")
            )
    )
}

/// Checks for a YAML marker at the beginning, or for a key in the first line. Each of the next few
/// lines must be a key or an element of a list, or be indented.
fn is_yaml(text: &str) -> bool {
    if text.starts_with("%YAML") || text.starts_with("---\n") || text.starts_with("---\r\n") {
        return true;
    }
    let is_key = |key: &str| {
        let is_part = |char: char| char.is_ascii_alphanumeric() || "_-.".contains(char);
        key.starts_with(|char: char| char.is_ascii_alphabetic()) && key.chars().all(is_part)
    };
    let is_pair = |line: &str| {
        let pair = line.split_once(':');
        pair.is_some_and(|(key, value)| is_key(key) && (value.is_empty() || value.starts_with(' ')))
    };
    let mut lines = lines(text, &['#']);
    lines.next().is_some_and(is_pair)
        && lines
            .all(|line| is_pair(line) || line.starts_with([' ', '\t']) || line.starts_with("- "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_text() {
        for (text, kind) in [
            ("[gd_scene load_steps=2 format=3]\n", Some(&SCENE)),
            ("[gd_resource type=\"Theme\"]\n", Some(&RESOURCE)),
            ("<?xml version=\"1.0\"?>\n<a/>", Some(&MARKUP)),
            ("\u{FEFF}<html></html>", Some(&MARKUP)),
            ("; Engine configuration file.\n\nconfig_version=5\n", Some(&GODOT_CONFIGURATION)),
            ("; only comments\n\n; and blank lines\n", Some(&GODOT_CONFIGURATION)),
            ("; a comment\n# a line\n", Some(&PLAIN)),
            ("[1]\na=1\n", Some(&GODOT_CONFIGURATION)),
            ("[a]\n\n", Some(&GODOT_CONFIGURATION)),
            ("\"a b\"=1\n", Some(&GODOT_CONFIGURATION)),
            ("[a]\nhost=localhost\nport=80\n", Some(&CONFIGURATION)),
            ("version https://git-lfs.github.com/spec/v1\noid sha256:00\n", Some(&LFS_POINTER)),
            ("RSRC and PK are magics", Some(&PLAIN)),
            ("[player]\n\nname=\"Ada\"\n", Some(&GODOT_CONFIGURATION)),
            ("---\na: 1\n", Some(&YAML)),
            ("# a comment\nhp: 5\nitems:\n- sword\n  - bow\n", Some(&YAML)),
            ("{\"hp\": 5}", Some(&JSON)),
            ("[\n  -1,\n  2]", Some(&JSON)),
            ("{\"a\": 1}\n{\"b\": [", Some(&JSON)),
            ("{\"cut\": [1,", Some(&JSON)),
            ("{\n\"at\": Vector2(1, 2)\n}", Some(&NOTATION)),
            ("BQAAAAAAAAA=\n", Some(&BASE64)),
            ("BQAAAA==", Some(&BASE64)),
            ("[true]\n", Some(&JSON)),
            ("[]", Some(&JSON)),
            ("Vector2(1, 2)", Some(&NOTATION)),
            ("hp = 5 > 4", Some(&GODOT_CONFIGURATION)),
            ("hp = 5 > 4 = x", Some(&CONFIGURATION)),
            ("[a] ; b\nc=1\nd", Some(&GODOT_CONFIGURATION)),
            ("5 < 6 and 7 > 4", Some(&NOTATION)),
            ("Dear Ada:\nthe attached save is broken\n", Some(&PLAIN)),
            ("0500000001000000", Some(&HEXADECIMAL)),
            ("ça va? é", Some(&PLAIN)),
            ("", None),
            (" \n", None),
            ("a\0b", None),
            ("\u{1b}[2J", None),
        ] {
            assert_eq!(recognise(text.as_bytes()), kind, "{text:?}");
        }
        assert_eq!(recognise(b"\xFF\xFEa\0b\0"), Some(&UTF_16));
        assert_eq!(recognise(b"\xFE\xFF\0a\0b"), Some(&UTF_16));
        assert_eq!(recognise(b"\xFE\xFF\x05\x25"), None);
        assert_eq!(recognise(b"caf\xC3"), Some(&PLAIN)); // cut inside a character
        assert_eq!(recognise(b"caf\xE9s"), None);
    }
}
