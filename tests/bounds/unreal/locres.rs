//! Tests the bounds of localized texts.

use crate::measure::{
    Entry, Family, SMALL_INPUT, Work, consume, shape, with_memory, without_allocation,
};
use crate::support::locres::write;
use gamewire::unreal::Locres;
use std::hint::black_box;

fn all(locres: &Locres<'_>) {
    for namespace in locres.namespaces().flatten() {
        namespace.texts().for_each(|text| consume(text.is_ok()));
    }
}

fn family() -> Family {
    let entries = vec![
        without_allocation("Locres::open", |file| consume(Locres::open(file).is_ok())),
        Entry {
            // To find a string, up to 1/128 of the strings are read.
            work: Work::AtMost(20_000.0),
            ..without_allocation("Locres::namespaces", |file| {
                if let Ok(locres) = Locres::open(file) {
                    all(&locres);
                }
            })
        },
        with_memory("Locres::with_string_index", 2, |file| {
            if let Ok(locres) = Locres::open(file) {
                all(&black_box(locres.with_string_index()));
            }
        }),
        with_memory("Locres::verify", 2, |file| {
            if let Ok(locres) = Locres::open(file) {
                consume(locres.with_string_index().verify(consume));
            }
        }),
        Entry {
            work: Work::AtMost(20_000.0),
            ..without_allocation("Locres::find", |file| {
                if let Ok(locres) = Locres::open(file) {
                    consume(locres.find("Menu", "no such key").is_none());
                }
            })
        },
    ];
    let many = |size: usize, version, distinct: bool| {
        let keys: Vec<_> = (0..size / 40).map(|key| key.to_string()).collect();
        let texts: Vec<_> = keys.iter().map(|key| if distinct { &**key } else { "same" }).collect();
        let entries: Vec<_> = keys.iter().map(|key| &**key).zip(texts).collect();
        write(version, &[("Menu", &entries)], |_| 7)
    };
    let shapes = vec![
        shape("many texts, version 0", move |size| many(size, 0, true)),
        shape("many texts, version 3", move |size| many(size, 3, true)),
        shape("texts that share a string", move |size| many(size, 2, false)),
        shape("empty namespaces", |size| {
            let namespaces: Vec<(&str, &[_])> = vec![("", &[]); size / 12];
            write(3, &namespaces, |_| 0)
        }),
        shape("a long key", |size| {
            let key = "k".repeat(size);
            write(3, &[("", &[(&*key, "text")])], |_| 7)
        }),
    ];
    Family { entries, shapes, max_instructions_per_byte: 5_000.0, small_input: 4 * SMALL_INPUT }
}

#[test]
fn locres_work() {
    family().assert_work("unreal::locres::locres_work");
}

#[test]
fn locres_memory() {
    family().assert_memory();
}
