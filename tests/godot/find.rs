//! `Finder` finds values in files, in captures and among random bytes, and finds no values in files
//! of other programs.

use crate::laws;
use crate::support::corpus::{corpus, lines, packets, read, unhex};
use crate::support::godot::words::words;
use crate::support::random::Random;
use gamewire::godot::find::{Confidence, Endian, Finder, Found};
use gamewire::godot::{Dialect, Kind, Reader};
use std::fs;
use std::path::Path;

/// Returns the offset, length, byte order, type and confidence of what was found.
fn summary(found: Found<'_>) -> (u64, u64, Option<Endian>, Kind, Confidence) {
    (found.offset, found.len, found.framing, found.kind(), found.confidence)
}

#[test]
fn frames_of_files_are_certain() {
    use Kind::{Array, Color, Dictionary, Transform3D};
    let godot4 = [Dictionary, Array, Array, Dictionary, Color, Transform3D];
    for (file, endian, dialect, kinds) in [
        ("4.6.3/plain.dat", Endian::Little, Dialect::Godot4, &godot4[..]),
        ("4.6.3/plain_be.dat", Endian::Big, Dialect::Godot4, &godot4),
        ("3.6.2/g3_plain.dat", Endian::Little, Dialect::Godot3, &[Dictionary, Array]),
        ("3.6.2/g3_plain_be.dat", Endian::Big, Dialect::Godot3, &[Dictionary, Array]),
    ] {
        let bytes = read(&format!("godot-files/{file}"));
        let found: Vec<_> = Finder::new(&bytes).collect();
        assert!(found.iter().all(|found| found.framing == Some(endian)), "{file}");
        assert!(found.iter().all(|found| found.dialect() == dialect), "{file}");
        assert!(found.iter().all(|found| found.confidence == Confidence::Certain), "{file}");
        assert_eq!(found.iter().map(Found::kind).collect::<Vec<_>>(), kinds, "{file}");
        assert_eq!(found.iter().map(|found| found.len).sum::<u64>(), bytes.len() as u64);
        laws::godot_find(&bytes);
    }
}

#[test]
fn values_among_other_data() {
    let bytes = read("godot-files/4.6.3/mixed_primitives.dat");
    let found: Vec<_> = Finder::new(&bytes).map(summary).collect();
    let little = Some(Endian::Little);
    assert_eq!(
        found,
        [
            (12, 32, little, Kind::Dictionary, Confidence::Certain),
            (63, 20, little, Kind::Array, Confidence::Likely),
        ]
    );
    laws::godot_find(&bytes);
}

/// Returns how many values in a server's log have JSON that begins with one of the prefixes.
fn logged(name: &str, prefixes: &[&str]) -> usize {
    let values = lines(&format!("captures/{name}.server.jsonl"));
    let is_listed = |value: &str| prefixes.iter().any(|prefix| value.starts_with(prefix));
    values
        .iter()
        .filter_map(|line| line.get("value")?.as_str())
        .filter(|value| is_listed(value))
        .count()
}

#[test]
fn values_in_captures() {
    // These captures have no length directly before a value, so the confidence comes from the value
    // alone. In `tcp`, the length of a frame and its value are in different segments.
    for name in ["udp", "tcp", "pps"] {
        let bytes = read(&format!("captures/{name}.pcap"));
        let found: Vec<_> = Finder::new(&bytes).collect();
        let count = |kind: Kind, least: Confidence| {
            let is_found = |found: &&Found<'_>| found.kind() == kind && found.confidence >= least;
            found.iter().filter(is_found).count()
        };
        for (prefix, kind, least) in [
            ("{\"type\":\"Dictionary\"", Kind::Dictionary, Confidence::Certain),
            ("[", Kind::Array, Confidence::Likely),
            ("\"s:", Kind::String, Confidence::Possible),
        ] {
            let logged = logged(name, &[prefix]);
            assert!(logged >= 4, "{name} {prefix}");
            assert_eq!(count(kind, least), logged, "{name} {kind:?}");
        }
    }
}

/// Calls `each` for every file in a folder.
fn files(folder: &Path, each: &mut impl FnMut(&Path, &[u8])) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, each),
            false => each(&path, &fs::read(&path).unwrap()),
        }
    }
}

#[test]
fn files_of_other_formats_contain_nothing() {
    let mut total = 0;
    for folder in ["unreal", "rems"] {
        files(&corpus(folder), &mut |path, bytes| {
            let mut finder = Finder::new(bytes);
            let found = finder.by_ref().find(|found| found.confidence > Confidence::Possible);
            assert_eq!(found, None, "{}", path.display());
            assert!(finder.is_complete(), "{}", path.display());
            total += bytes.len();
        });
    }
    assert!(total > 2_000_000, "{total}");
}

#[test]
fn random_bytes_and_small_integers_contain_nothing() {
    let mut random = Random::new(29);
    let noise: Vec<u8> = (0..1 << 20).map(|_| random.below(256) as u8).collect();
    assert_eq!(Finder::new(&noise).next(), None);
    let integers: Vec<u32> = (0..1 << 18).map(|_| random.below(32) as u32).collect();
    let integers = words(&integers);
    let certain = Finder::new(&integers).filter(|found| found.confidence == Confidence::Certain);
    assert_eq!(certain.count(), 0);
    assert_eq!(Finder::new(&[0; 4096]).next(), None);
    assert_eq!(Finder::new(&[4; 4096]).next(), None);
}

/// Every container of the corpus that contains text is found between random bytes.
#[test]
fn every_container_is_found_in_noise() {
    let mut random = Random::new(4);
    let mut count = 0;
    for folder in ["godot4", "godot3"] {
        let dialect = if folder == "godot4" { Dialect::Godot4 } else { Dialect::Godot3 };
        for (name, packet) in packets(folder) {
            let value = Reader::new(&packet, dialect).read_encoded().unwrap();
            let printed = format!("{:?}", value.decode());
            let is_container = matches!(value.kind(), Kind::Array | Kind::Dictionary);
            if !is_container || !printed.contains('"') || packet.len() < 48 {
                continue;
            }
            for swapped in [false, true] {
                let len = packet.len() as u32;
                let prefix = if swapped { len.to_be_bytes() } else { len.to_le_bytes() };
                let noise: Vec<u8> = (0..101).map(|_| random.below(256) as u8 | 0x80).collect();
                let file = [&noise[..], &prefix, &packet, &noise].concat();
                let found: Vec<_> = Finder::new(&file).collect();
                let at =
                    |found: &&Found<'_>| found.offset == 101 && found.len == u64::from(len) + 4;
                let found = found.iter().find(at).unwrap_or_else(|| panic!("{name}: {found:?}"));
                assert!(found.confidence >= Confidence::Likely, "{name}: {found:?}");
                count += 1;
            }
        }
    }
    assert!(count >= 60, "{count}");
}

#[test]
fn a_run_of_frames_of_numbers_becomes_certain() {
    let frames: Vec<u8> = (0..20).flat_map(|n| words(&[8, 2, n])).collect();
    let file = [&[0xEE; 5], &frames[..], &[0xEE; 5]].concat();
    let found: Vec<_> = Finder::new(&file).collect();
    assert_eq!(found.last().unwrap().confidence, Confidence::Possible);
    let in_file: Vec<_> = Finder::new(&frames).collect();
    assert_eq!(in_file.len(), 20);
    assert_eq!(in_file.last().unwrap().confidence, Confidence::Certain);
}

#[test]
fn a_value_with_an_unusual_encoding_is_at_most_likely() {
    let text = b"\x04\0\0\0\x0d\0\0\0a longer text\0\0\xAA"; // a pad that is not zero
    let frame = [&words(&[text.len() as u32]), &text[..]].concat();
    let found: Vec<_> = Finder::new(&frame).collect();
    assert_eq!(
        found.iter().map(|found| found.confidence).collect::<Vec<_>>(),
        [Confidence::Likely]
    );
}

/// Many arrays begin in this input, and each one contains all arrays after it, down to the maximum
/// depth. The search must not read every one of these arrays up to its error.
#[test]
fn a_search_that_uses_up_its_budget_says_so() {
    let array = [words(&[28, 20]), words(&[2, 7]).repeat(10)].concat();
    let arrays = array.repeat(1000);
    let text = |len: usize| {
        let text = "some text ".repeat(len / 10);
        let value = [&words(&[4, text.len() as u32])[..], text.as_bytes()].concat();
        [&words(&[value.len() as u32])[..], &value].concat()
    };
    let file = [arrays, text(40), text(2000)].concat();
    let mut finder = Finder::new(&file);
    let found: Vec<_> = finder.by_ref().filter(|it| it.confidence == Confidence::Certain).collect();
    assert_eq!(found.iter().map(|it| it.len).collect::<Vec<_>>(), [52]);
    assert!(!finder.is_complete());
}

/// Each count is larger than the number of bytes after it, so these values are rejected without
/// work.
#[test]
fn counts_that_cannot_fit_cost_nothing() {
    let file = words(&[28, 0x0100_0000]).repeat(1 << 12);
    let mut finder = Finder::new(&file);
    assert_eq!(finder.by_ref().count(), 0);
    assert!(finder.is_complete());
}

/// The input contains nested dictionaries that are cut off, followed by zero bytes. The search
/// finds one dictionary. With three more bytes in front of the input, the budget is used up
/// earlier, and the search misses this dictionary.
#[test]
fn a_value_after_the_end_of_the_budget_may_be_missing() {
    let nested = unhex(
        "001b000000640000001b00000001000000040000001b00000000000000000000000000000000000000000000\
         0000000000000000001b0000000100000004000000050000006368696c640000001b00000001000000040000\
         000500000000000000000000001b00000001000000040000000500000000000000000000001b000000040000\
         000500000000000000000000001b000000040000000500000000000000000000000000000000000000040000\
         00050000006368696c640000001b00000001000000040000000500000000000000000000001b000000010000\
         00040000000500000000000000000000001b0000000100000004000000050000006368696c640000001b0000\
         0001000000040000000500000000000000000000001b000000040000000500000000000000000000001b0000\
         00040000000500000000000000000000001b00000000000000040000000500000000000000000000001b0000\
         000000000004000000050000006368696c640000001b00000000000000040000000500000000000000000000\
         001b000000010000000400690064",
    );
    let file = [&[0; 56][..], &nested, &[0; 431]].concat();
    let shifted = [&[0xEE; 3][..], &file].concat();
    for bytes in [&file, &shifted] {
        let mut finder = Finder::new(bytes);
        let _ = finder.by_ref().count();
        assert!(!finder.is_complete());
    }
    laws::godot_find(&file);
}

#[test]
fn laws_hold_for_the_corpus() {
    for (_, packet) in packets("godot4") {
        let packet = packet.get(..2000).unwrap_or(&packet);
        laws::godot_find(packet);
        laws::godot_find(&[&words(&[packet.len() as u32])[..], packet].concat());
    }
    for file in ["captures/udp.pcap", "captures/pps.pcap", "godot-files/4.6.3/plain_be.dat"] {
        let bytes = read(file);
        laws::godot_find(&bytes[..bytes.len().min(5000)]);
    }
}
