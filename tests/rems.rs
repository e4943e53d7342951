//! Files of Rem's Engine, as engines of 2021 and 2026 wrote them.
#![cfg(all(feature = "rems", feature = "alloc"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/rems.rs"]
mod support;

use gamewire::rems::{ErrorKind, Items, Pointers, TextReader};
use std::panic::{AssertUnwindSafe, catch_unwind};
use support::{Case, Compare};

/// Reads a case and compares it with what is expected, bit for bit.
fn same<'a, I: Items<'a>>(case: &Case, open: impl Fn() -> I, how: impl FnOnce(&mut Compare<'_>)) {
    let file =
        support::read(&mut open()).unwrap_or_else(|error| panic!("{}: {error}", case.name()));
    let mut slots = Vec::new();
    let pointers = Pointers::collect(&mut open(), &mut slots).unwrap();
    assert_eq!(pointers.objects().count(), file.objects.len());
    let mut compare = Compare {
        file: &file,
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
            same(&case, open, |compare| compare.zero_loses_sign = true);
        }
    }
}

fn cases_of(end: &str) -> Vec<Case> {
    support::cases(end)
}

#[test]
fn counts() {
    let text = br#"[{"class":"T","i[]:a":[1,1,2]}]"#;
    let error = support::read(&mut TextReader::new(text)).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::TooManyElements);
}
