//! Files of Rem's Engine, as engines of 2021 and 2026 wrote them.
#![cfg(all(feature = "rems", feature = "alloc"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/rems.rs"]
mod support;

use gamewire::rems::{BinaryReader, Era, ErrorKind, Items, Pointers, Tables, TextReader};
use std::panic::{AssertUnwindSafe, catch_unwind};
use support::{Case, Compare, File};

/// Compares what was read of a case with what is expected, bit for bit.
fn same(case: &Case, file: &File, pointers: Pointers<'_, '_>, how: impl FnOnce(&mut Compare<'_>)) {
    assert_eq!(pointers.objects().count(), file.objects.len());
    let mut compare = Compare {
        file,
        pointers,
        same: Default::default(),
        zero_loses_sign: false,
        sharing_is_lost: false,
        colors_are_integers: false,
    };
    how(&mut compare);
    let compared = catch_unwind(AssertUnwindSafe(|| compare.roots(&case.expected())));
    assert!(compared.is_ok(), "{}", case.name());
}

/// Case 53 has a class named like a kind, which cannot be read by the engine, either.
const NAMED_LIKE_A_KIND: u32 = 53;

#[test]
fn texts() {
    for end in [".text.json", ".pretty.json"] {
        for case in cases_of(end) {
            let open = || TextReader::new(&case.bytes);
            if case.number == NAMED_LIKE_A_KIND {
                assert!(support::read(&mut open()).is_err());
                continue;
            }
            // 2021 only loses the sign of what it leaves out: the end of an array, and a part
            // of a vector that is the same as another.
            let file = support::read(&mut open()).unwrap();
            let mut slots = Vec::new();
            let pointers = Pointers::collect(&mut open(), &mut slots).unwrap();
            same(&case, &file, pointers, |compare| compare.zero_loses_sign = true);
        }
    }
}

fn cases_of(end: &str) -> Vec<Case> {
    support::cases(end)
}

fn era_of(case: &Case) -> Era {
    match case.era {
        2021 => Era::October2021,
        _ => Era::October2024,
    }
}

fn binary(case: &Case, bytes: &[u8], tables: &mut Tables) {
    let era = era_of(case);
    let file = support::read(&mut BinaryReader::new(bytes, era, tables));
    let file = file.unwrap_or_else(|error| panic!("{}: {error}", case.name()));
    let mut slots = Vec::new();
    let mut reader = BinaryReader::new(bytes, era, tables);
    let pointers = Pointers::collect(&mut reader, &mut slots).unwrap();
    same(case, &file, pointers, |compare| {
        compare.sharing_is_lost = true;
        compare.colors_are_integers = true;
    });
}

#[test]
fn binaries() {
    let mut tables = Tables::new();
    for case in cases_of(".binary.bin") {
        binary(&case, &case.bytes, &mut tables);
    }
}

#[test]
fn counts() {
    let text = br#"[{"class":"T","i[]:a":[1,1,2]}]"#;
    let error = support::read(&mut TextReader::new(text)).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::TooManyElements);
}
