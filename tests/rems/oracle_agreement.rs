//! Compares the readers of Rem's Engine files with an oracle, on files that the engine wrote and on
//! unusual files.

use crate::support::random::Random;
use crate::support::rems::damage;
use crate::support::rems::expected::{self, cases};
use crate::support::rems::oracle::{self, Options, same_binary, same_text};
use gamewire::rems::{BinaryWriter, ConvertOptions, Era, ItemSink, Plan, TextReader, convert};

const OPTIONS: [Options; 4] = [
    Options { octal: true, wrapping: false },
    Options { octal: false, wrapping: false },
    Options { octal: true, wrapping: true },
    Options { octal: false, wrapping: true },
];

/// Returns text saves that engines wrote, and text that an engine accepted or rejected.
fn texts() -> Vec<(String, Vec<u8>)> {
    let cases = [cases(".text.json", 73), cases(".pretty.json", 38)].concat();
    let mut texts: Vec<_> = cases.into_iter().map(|case| (case.name(), case.bytes)).collect();
    texts.extend(expected::real());
    texts.extend(tolerated());
    texts
}

fn tolerated() -> Vec<(String, Vec<u8>)> {
    let table = std::fs::read_to_string(expected::folder("tolerance-2026.txt")).unwrap();
    let text = |line: &str| {
        let mut parts = line.splitn(3, " | ");
        (parts.next().unwrap().to_owned(), parts.next().unwrap().as_bytes().to_vec())
    };
    table.lines().map(text).collect()
}

#[test]
fn texts_are_the_same() {
    let mut accepted = 0;
    for (_, text) in texts() {
        accepted += OPTIONS.iter().filter(|options| same_text(&text, **options)).count();
    }
    assert_eq!(accepted, 734);
}

#[test]
#[ignore = "slow"]
fn damaged_texts_are_the_same() {
    const COUNT: usize = 40_000;
    let texts = texts();
    let mut random = Random::new(11);
    let mut accepted = 0;
    for _ in 0..COUNT {
        let [(_, text), (_, other)] = [(); 2].map(|()| &texts[random.below(texts.len())]);
        let text = damage::damaged_text(text, other, &mut random);
        accepted += usize::from(same_text(&text, random.one_of(&OPTIONS)));
    }
    // Some of the damaged texts are valid, and some are not.
    assert!((COUNT / 10..COUNT / 2).contains(&accepted), "{accepted}");
}

#[test]
fn types_have_the_same_names() {
    let names = oracle::BUILTINS.iter().map(|builtin| builtin.name);
    let aliases = oracle::ALIASES.iter().map(|(alias, _)| *alias);
    for name in names.chain(aliases).chain(["?", "*", "", "K", "K[]"]) {
        for brackets in ["", "[]", "[][]", "[][][]"] {
            oracle::same_type(&format!("{name}{brackets}"));
        }
    }
    assert_eq!(gamewire::rems::Kind::all().len(), oracle::BUILTINS.len());
}

/// Reads nested objects and lists, up to the depth limit and beyond.
#[test]
fn texts_are_as_deep() {
    let nested = |open: &str, close: &str, count: usize| {
        format!("[{{\"class\":\"K\",{}{}}}]", open.repeat(count), close.repeat(count))
    };
    let default = Options::default();
    let objects = |count| same_text(nested("\"K:k\":{", "}", count).as_bytes(), default);
    let lists = |count| same_text(nested("\"K[]:k\":[1,{", "}]", count).as_bytes(), default);
    let accepted = |deep: &dyn Fn(usize) -> bool| (100..300).filter(|count| deep(*count)).count();
    // The root is one level of nesting.
    assert_eq!(accepted(&objects), oracle::DEPTH - 100);
    assert_eq!(accepted(&lists), oracle::DEPTH / 2 - 100);
}

const ERAS: [Era; 5] =
    [Era::December2020, Era::August2021, Era::October2021, Era::March2022, Era::October2024];

/// The marker for the end of an object, and the marker for the end of the file.
const END: [u8; 5] = *b"\xFF\xFF\xFF\xFE\x25";

/// Returns binary streams that engines wrote, and text saves of engines converted to streams of
/// every era.
fn streams() -> Vec<(Era, Vec<u8>)> {
    let era = |case: &expected::Case| match case.era {
        2021 => Era::October2021,
        _ => Era::October2024,
    };
    let cases = cases(".binary.bin", 73).into_iter();
    let mut streams: Vec<_> = cases.map(|case| (era(&case), case.bytes)).collect();
    for case in expected::cases(".text.json", 73) {
        let converted = |era| Some((era, converted(&case.bytes, era)?));
        streams.extend(ERAS.into_iter().filter_map(converted));
    }
    streams
}

/// Converts a text save to a binary stream. Returns `None` if the era lacks one of the types in the
/// text save.
fn converted(text: &[u8], era: Era) -> Option<Vec<u8>> {
    let plan = Plan::of(&mut TextReader::new(text)).ok()?;
    let mut writer = BinaryWriter::new(Vec::new(), era);
    let how = ConvertOptions { force: true, colors: true };
    convert(&mut TextReader::new(text), &mut writer, &plan, how, |_| {}).ok()?;
    writer.force(true);
    writer.finish().ok()
}

#[test]
fn streams_are_the_same() {
    let (mut all, mut accepted) = (0, 0);
    for (era, stream) in streams() {
        assert!(same_binary(&stream, era));
        all += ERAS.len();
        accepted += ERAS.iter().filter(|era| same_binary(&stream, **era)).count();
    }
    assert_eq!((all, accepted), (2030, 1253));
}

#[test]
#[ignore = "slow"]
fn damaged_streams_are_the_same() {
    const COUNT: usize = 60_000;
    let streams = streams();
    let mut random = Random::new(12);
    let mut accepted = 0;
    for _ in 0..COUNT {
        let [(era, stream), (_, other)] = [(); 2].map(|()| &streams[random.below(streams.len())]);
        let stream = damage::damaged_stream(stream, other, &mut random);
        accepted += usize::from(same_binary(&stream, *era));
    }
    assert!((COUNT / 20..COUNT / 2).contains(&accepted), "{accepted}");
}

/// Reads every type id in every era, with values of many sizes, each preceded by zero, one or two
/// counts.
#[test]
fn ids_are_the_same() {
    const SIZES: [usize; 15] = [0, 1, 2, 4, 8, 12, 16, 24, 32, 36, 48, 64, 72, 96, 128];
    const ONE: [u8; 4] = [0, 0, 0, 1];
    let mut random = Random::new(13);
    let mut known = Vec::new();
    for (era, id) in ERAS.into_iter().flat_map(|era| (0..=255_u8).map(move |id| (era, id))) {
        let roots: &[u8] = if era == Era::December2020 { b"&o" } else { b"\x05\x01" };
        let head = [b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFE", roots].concat();
        let object = [&b"\xFF\xFF\xFF\xFDA"[..], &ONE, b"\xFF\xFF\xFF\xFF\0\0\0\0", &[id]].concat();
        for (counts, size) in (0..3).flat_map(|counts| SIZES.map(|size| (counts, size))) {
            let zeros = vec![0; size];
            let chance = (0..size).map(|_| random.next() as u8).collect();
            for value in [zeros, chance] {
                let stream = [&head, &object, &ONE.repeat(counts), &value, &END[..]].concat();
                if same_binary(&stream, era) {
                    known.push((era, id));
                }
            }
        }
    }
    known.dedup();
    let count = |era| known.iter().filter(|(other, _)| *other == era).count();
    assert_eq!(ERAS.map(count), [37, 55, 94, 111, 111]);
}

/// Reads nested objects and lists, up to the depth limit and beyond.
#[test]
fn streams_are_as_deep() {
    const HEAD: &[u8] = b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFE\x05\x01\xFF\xFF\xFF\xFDK";
    const POINTER: [u8; 4] = [0, 0, 0, 1];
    const CLASS: [u8; 4] = [0, 0, 0, 1];
    let accepted = |id: u8, before: &[u8]| {
        let new = [&b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFDk"[..], &[id]].concat();
        let known = vec![0; 4];
        let nested = |count: usize| {
            let objects = (0..count).flat_map(|at| {
                let attribute = if at == 0 { &new } else { &known };
                [attribute, before, &CLASS, &POINTER].concat()
            });
            let objects: Vec<_> = objects.collect();
            [HEAD, &POINTER, &objects, &END[..4].repeat(count), &END].concat()
        };
        (100..300).filter(|count| same_binary(&nested(*count), Era::October2024)).count()
    };
    // The root is one level of nesting.
    assert_eq!(accepted(1, b""), oracle::DEPTH - 100);
    assert_eq!(accepted(2, b"\0\0\0\x01\x01"), oracle::DEPTH / 2 - 100);
}

#[cfg(feature = "rems-container")]
mod containers {
    use super::*;
    use oracle::{same_container, sealed};

    const LIMIT: usize = 1 << 16;

    /// Returns the file that the engine compressed, and its other streams, which a different
    /// library compresses here. Successive streams use successive compression levels.
    fn containers() -> Vec<Vec<u8>> {
        let streams = cases(".binary.bin", 73).into_iter().enumerate();
        let packed = streams.map(|(at, case)| {
            let zlib = miniz_oxide::deflate::compress_to_vec_zlib(&case.bytes, (at % 11) as u8);
            [b"RemsEngineZZ", &zlib[..]].concat()
        });
        let written = cases(".container.rem", 1).into_iter().map(|case| case.bytes);
        written.chain(packed).collect()
    }

    #[test]
    fn are_the_same() {
        for container in containers() {
            let stream = oracle::read_container(&container, LIMIT).unwrap();
            assert!(same_container(&container, LIMIT) && same_container(&container, stream.len()));
            assert!(!same_container(&container, stream.len() - 1));
            let with_more = [&container[..], b"more"].concat();
            assert!(same_container(&with_more, LIMIT));
        }
    }

    /// Damages containers. Three quarters of the damaged containers get a correct checksum, if they
    /// can be decompressed.
    #[test]
    fn damaged_are_the_same() {
        const COUNT: usize = 12_000;
        let containers = containers();
        let mut random = Random::new(14);
        let mut accepted = 0;
        for _ in 0..COUNT {
            let [one, other] = [(); 2].map(|()| &containers[random.below(containers.len())]);
            let damaged = damage::damaged_stream(one, other, &mut random);
            let sealed = damaged.get(14..).and_then(|deflated| sealed(deflated, LIMIT));
            let damaged = match random.below(4) {
                0 => damaged,
                _ => sealed.unwrap_or(damaged),
            };
            accepted += usize::from(same_container(&damaged, LIMIT));
        }
        assert!((COUNT / 10..COUNT / 2).contains(&accepted), "{accepted}");
    }
}
