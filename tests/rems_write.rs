//! Files of Rem's Engine, written as engines of 2021 and 2026 did.
#![cfg(all(feature = "rems", feature = "alloc"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/rems.rs"]
mod support;

use gamewire::rems::{
    BinaryReader, BinaryWriter, Conversion, Dialect, Era, Form, ItemSink, Items, Kind, Many, Met,
    Numbering, Part, Plan, Put, Scalar, Tables, TextReader, TextWriter, Type, Unreadable, convert,
    rewrite,
};
use serde_json::Value as Json;
use support::{Case, cases};

/// Case 53 has a class named like a kind, which cannot be read by the engine, either.
const NAMED_LIKE_A_KIND: u32 = 53;

fn dialect_of(case: &Case) -> Dialect {
    match case.era {
        2021 => Dialect::Engine2021,
        _ => Dialect::Engine2026,
    }
}

fn era_of(case: &Case) -> Era {
    match case.era {
        2021 => Era::October2021,
        _ => Era::October2024,
    }
}

/// The file again, and what the engine could not read back of it.
fn again<'a>(from: &mut impl Items<'a>, to: &mut impl ItemSink) -> Vec<Unreadable> {
    let mut warnings = Vec::new();
    rewrite(from, to, |warning| warnings.push(warning.reason)).unwrap();
    warnings
}

fn show(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

#[test]
fn texts_are_the_same_again() {
    for case in cases(".text.json", 73) {
        if case.number == NAMED_LIKE_A_KIND {
            continue;
        }
        let mut writer = TextWriter::new(Vec::new(), dialect_of(&case));
        again(&mut TextReader::new(&case.bytes), &mut writer);
        assert_eq!(show(&writer.finish().unwrap()), show(&case.bytes), "{}", case.name());
    }
}

#[test]
fn binary_streams_are_the_same_again() {
    let mut tables = Tables::new();
    for case in cases(".binary.bin", 73) {
        let mut writer = BinaryWriter::new(Vec::new(), era_of(&case));
        let mut reader = BinaryReader::new(&case.bytes, era_of(&case), &mut tables);
        again(&mut reader, &mut writer);
        assert_eq!(show(&writer.finish().unwrap()), show(&case.bytes), "{}", case.name());
    }
}

/// Without the blanks between tokens.
fn compact(text: &[u8]) -> Vec<u8> {
    let (mut compact, mut quoted, mut escaped) = (Vec::new(), false, false);
    for byte in text {
        if quoted || !b" \t\r\n".contains(byte) {
            compact.push(*byte);
        }
        quoted ^= *byte == b'"' && !escaped;
        escaped = quoted && *byte == b'\\' && !escaped;
    }
    compact
}

#[test]
fn real_files_are_the_same_again() {
    for (name, bytes) in support::real() {
        // Newer files are known by their colours, or were read as of 2026.
        let of_2026 = ["theme", "node-graph"].iter().any(|part| name.contains(part));
        let dialect = if of_2026 { Dialect::Engine2026 } else { Dialect::Engine2021 };
        let mut writer = TextWriter::new(Vec::new(), dialect);
        again(&mut TextReader::new(&bytes), &mut writer);
        assert_eq!(show(&writer.finish().unwrap()), show(&compact(&bytes)), "{name}");
    }
}

fn text_of(case: &Case) -> Vec<u8> {
    file_of(case, "text.json")
}

fn file_of(case: &Case, end: &str) -> Vec<u8> {
    let name = case.path.file_name().unwrap().to_str().unwrap();
    let stem = name.split('.').next().unwrap();
    std::fs::read(case.path.with_file_name(format!("{stem}.{end}"))).unwrap()
}

const FORCED: Conversion = {
    let mut how = Conversion { force: true, colors: true };
    how.force = true;
    how
};

fn text_to_binary(text: &[u8], era: Era, how: Conversion) -> Vec<u8> {
    let plan = Plan::of(&mut TextReader::new(text)).unwrap();
    let mut writer = BinaryWriter::new(Vec::new(), era);
    convert(&mut TextReader::new(text), &mut writer, &plan, how, |_| {}).unwrap();
    writer.force(how.force);
    writer.finish().unwrap()
}

fn binary_to_text(stream: &[u8], era: Era, dialect: Dialect, how: Conversion) -> Vec<u8> {
    let (mut tables, mut others) = (Tables::new(), Tables::new());
    let plan = Plan::of(&mut BinaryReader::new(stream, era, &mut others)).unwrap();
    let mut writer = TextWriter::new(Vec::new(), dialect);
    let mut reader = BinaryReader::new(stream, era, &mut tables);
    convert(&mut reader, &mut writer, &plan, how, |_| {}).unwrap();
    writer.finish().unwrap()
}

#[test]
fn binary_becomes_the_text() {
    for case in cases(".binary.bin", 73) {
        let text = text_of(&case);
        let found = binary_to_text(&case.bytes, era_of(&case), dialect_of(&case), FORCED);
        if show(&found) != show(&text) {
            println!("{}\n {}\n {}", case.name(), show(&found), show(&text));
        }
    }
}

#[test]
fn text_becomes_the_binary() {
    for case in cases(".text.json", 73) {
        if case.number == NAMED_LIKE_A_KIND {
            continue;
        }
        let binary = file_of(&case, "binary.bin");
        let found = text_to_binary(&case.bytes, era_of(&case), FORCED);
        if show(&found) != show(&binary) {
            println!("{}\n {}\n {}", case.name(), show(&found), show(&binary));
        }
    }
}
