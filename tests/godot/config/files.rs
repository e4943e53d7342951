//! Reads configuration files that engines wrote, and damaged copies of these files.

use crate::laws;
use crate::support::corpus;
use crate::support::random::Random;
use gamewire::godot::Dialect;
use gamewire::godot::config::{Config, ConfigReader, ConfigWriter, ErrorKind, Item};
use gamewire::godot::notation;

const FILES: [(&str, Dialect); 2] = [
    ("godot-files/4.6.3/config.cfg", Dialect::Godot4),
    ("godot-files/3.6.2/g3_config.cfg", Dialect::Godot3),
];

#[test]
fn a_file_of_an_engine_is_written_byte_for_byte() {
    for (path, dialect) in FILES {
        let file = corpus::read(path);
        let config = Config::parse(&file, dialect).unwrap();
        assert_eq!(config.save().unwrap().as_bytes(), file, "{path}");

        let mut writer = ConfigWriter::new(dialect);
        for section in config.sections() {
            writer.section(section.name()).unwrap();
            for (key, entry) in section.entries() {
                writer.entry(key, &entry.read().unwrap()).unwrap();
            }
        }
        assert_eq!(writer.into_string().as_bytes(), file, "{path}");
    }
}

#[test]
fn values_of_a_file() {
    let file = corpus::read(FILES[0].0);
    let config = Config::parse(&file, Dialect::Godot4).unwrap();
    let value = |section, key| config.get(section, key).unwrap().read().unwrap();
    assert_eq!(value("player", "name"), "Ada".into());
    assert_eq!(value("player", "typed").as_array().unwrap().items[2].as_i64(), Some(1 << 40));
    assert!(value("player", "multi").as_str().unwrap() == "line1\nline2 \"q\"");
    assert_eq!(value("audio", "volume"), 0.8.into());
    assert!(config.get("audio", "name").is_none() && config.get("video", "name").is_none());
    assert_eq!(config.section("audio").unwrap().entries().count(), 2);
}

#[test]
fn damaged_files() {
    let mut random = Random::new(29);
    for (path, _) in FILES {
        let file = corpus::read(path);
        for at in 0..file.len() {
            laws::godot_config(&file[..at]);
            for byte in [0, b'\n', b'"', b'[', b']', b';', b'=', b'\\', 0xFF, random.next() as u8] {
                let mut damaged = file.clone();
                damaged[at] = byte;
                laws::godot_config(&damaged);
            }
        }
    }
}

/// Checks the laws on random text that consists of these pieces, most of which have a special
/// meaning.
#[test]
fn random_texts() {
    const PIECES: [&str; 32] = [
        "[",
        "]",
        "\"",
        "\\",
        ";",
        "=",
        "\n",
        " ",
        "\r\n",
        "a",
        "b=1",
        "[a]",
        "c=",
        "null",
        "(",
        ")",
        "{",
        "}",
        ",",
        ":",
        "Vector2(1, 2)",
        "Array[int]([1])",
        "#fff",
        "&\"x\"",
        "\"y\"",
        "-inf",
        "1.5",
        "ü",
        "true",
        "a=null\n",
        "[b]\n",
        "Callable(",
    ];
    let mut random = Random::new(7);
    for _ in 0..4_000 {
        let text: String = (0..random.below(12)).map(|_| random.one_of(&PIECES)).collect();
        laws::godot_config(text.as_bytes());
    }
}

#[test]
fn errors_have_a_kind_and_an_offset() {
    use notation::ErrorKind::{BadCharacter, BadColor, BadString, Expected, UnknownName};

    for (text, kind, offset) in [
        (&b"[a]\nb=1\n\xFF"[..], ErrorKind::NotUtf8, 8),
        (b"b=1\n[a", ErrorKind::UnclosedSection, 4),
        (b"[a\\]\nb=1", ErrorKind::UnclosedSection, 0),
        (b"a=1\n\"b=2\n", ErrorKind::Notation(BadString), 4),
        (b"a=1\nb=\"x\n", ErrorKind::Notation(BadString), 6),
        (b"a=\n", ErrorKind::Notation(Expected("a value")), 3),
        (b"a= =1", ErrorKind::Notation(Expected("a value")), 3),
        (b"a=[1, {2}\n", ErrorKind::Notation(Expected("a closing bracket")), 10),
        (b"a='x'", ErrorKind::Notation(BadCharacter), 2),
        (b"a=#fff", ErrorKind::Notation(BadColor), 6),
        (b"a=1\nb= foo\n", ErrorKind::Notation(UnknownName), 7),
        (b"a=[1, x]\n", ErrorKind::Notation(UnknownName), 6),
    ] {
        let check = || {
            for item in ConfigReader::new(text, Dialect::Godot4)? {
                if let Item::Entry(entry) = item? {
                    entry.read()?;
                }
            }
            Ok(())
        };
        let error: gamewire::godot::config::Error = check().unwrap_err();
        let text = String::from_utf8_lossy(text);
        assert_eq!((*error.kind(), error.offset()), (kind, offset), "{text:?}");
    }
}

/// The reader returns no items after an error.
#[test]
fn nothing_follows_an_error() {
    let mut reader = ConfigReader::of("a=1 b= c=2", Dialect::Godot4);
    let items: Vec<_> = reader.by_ref().map(|item| item.is_ok()).collect();
    assert_eq!(items, [true, true, true, true]); // `c` is an unknown name, and a complete token
    let mut reader = ConfigReader::of("a=1 b=' c=2", Dialect::Godot4);
    let items: Vec<_> = reader.by_ref().map(|item| item.is_ok()).collect();
    assert_eq!(items, [true, true, false]);
    assert!(reader.next().is_none());
}

#[test]
fn writers_reject_what_an_engine_does_not_read_back() {
    let mut writer = ConfigWriter::new(Dialect::Godot4);
    for name in [" a", "a ", "\n", "a\\", "\0"] {
        let error = writer.section(name).unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::UnwritableSection, "{name:?}");
    }
    writer.section("a]\\]b").unwrap();
    assert_eq!(*writer.entry("", 1).unwrap_err().kind(), ErrorKind::UnwritableKey);
    assert_eq!(*writer.section("").unwrap_err().kind(), ErrorKind::RootNotFirst);
    assert_eq!(writer.into_string(), "[a\\]\\\\]b]\n\n");

    let mut writer = ConfigWriter::new(Dialect::Godot3);
    assert_eq!(*writer.section("a]b").unwrap_err().kind(), ErrorKind::UnwritableSection);
    writer.section("a\\").unwrap();
    writer.section("").unwrap();
    writer.entry("b", 1).unwrap();
    assert_eq!(writer.into_string(), "[a\\]\n\n\n[]\n\nb=1\n");
}
