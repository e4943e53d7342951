//! Files of Rem's Engine, written as engines of 2021 and 2026 did.
#![cfg(all(feature = "rems", feature = "alloc"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/rems.rs"]
mod support;

use gamewire::rems::{
    BinaryReader, BinaryWriter, Dialect, Era, ItemSink, Items, Tables, TextReader, TextWriter,
    Unreadable, WriteError,
};
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

/// Item by item, by force; and what was forced.
fn copy<'a>(
    from: &mut impl Items<'a>,
    to: &mut impl ItemSink,
) -> Result<Vec<Unreadable>, WriteError> {
    let mut warnings = Vec::new();
    to.force(true);
    while let Some(item) = from.next().unwrap() {
        to.item(item)?;
        warnings.extend(to.take_warning().map(|warning| warning.reason));
    }
    Ok(warnings)
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
        copy(&mut TextReader::new(&case.bytes), &mut writer).unwrap();
        assert_eq!(show(&writer.finish().unwrap()), show(&case.bytes), "{}", case.name());
    }
}

#[test]
fn binary_streams_are_the_same_again() {
    let mut tables = Tables::new();
    for case in cases(".binary.bin", 73) {
        let mut writer = BinaryWriter::new(Vec::new(), era_of(&case));
        let mut reader = BinaryReader::new(&case.bytes, era_of(&case), &mut tables);
        copy(&mut reader, &mut writer).unwrap();
        assert_eq!(show(&writer.finish().unwrap()), show(&case.bytes), "{}", case.name());
    }
}
