//! Reads files that versions of Rem's Engine from 2021 and 2026 wrote.

use crate::laws::rems as laws;
use crate::support::random::Random;
use crate::support::rems::expected::{self, Case, Compare, File, cases};
use gamewire::rems::{
    BinaryReader, Era, ErrorKind, FileFormat, Pointers, Tables, Target, TextReader,
};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Compares the contents that were read from the file of a case with the expected contents, bit for
/// bit.
fn same(case: &Case, file: &File, pointers: Pointers<'_, '_>, how: impl FnOnce(&mut Compare<'_>)) {
    assert_eq!(pointers.objects().count(), file.objects.len());
    let mut compare = Compare {
        file,
        pointers,
        same: Default::default(),
        zeros: expected::Zeros::Exact,
        sharing_is_lost: false,
        colors_are_integers: false,
    };
    how(&mut compare);
    let compared = catch_unwind(AssertUnwindSafe(|| compare.roots(&case.expected())));
    assert!(compared.is_ok(), "{}", case.name());
}

/// The number of a case that contains a class with the same name as a kind. Neither the engine nor
/// gamewire can read the text file of this case.
const NAMED_LIKE_A_KIND: u32 = 53;

fn texts_of_cases() -> Vec<Case> {
    [cases(".text.json", 73), cases(".pretty.json", 38)].concat()
}

fn binary_cases() -> Vec<Case> {
    cases(".binary.bin", 73)
}

#[test]
fn texts() {
    for case in texts_of_cases() {
        let open = || TextReader::new(&case.bytes);
        if case.number == NAMED_LIKE_A_KIND {
            assert!(expected::read(&mut open()).is_err());
            continue;
        }
        let file = expected::read(&mut open()).unwrap();
        let mut slots = Vec::new();
        let pointers = Pointers::collect(&mut open(), &mut slots).unwrap();
        same(&case, &file, pointers, |compare| {
            compare.zeros = match case.era {
                2021 => expected::Zeros::LostInArrays,
                _ => expected::Zeros::Lost,
            };
        });
    }
}

fn era_of(case: &Case) -> Era {
    match case.era {
        2021 => Era::October2021,
        _ => Era::October2024,
    }
}

fn binary(case: &Case, bytes: &[u8], tables: &mut Tables) {
    let era = era_of(case);
    let file = expected::read(&mut BinaryReader::new(bytes, era, tables));
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
    for case in binary_cases() {
        binary(&case, &case.bytes, &mut tables);
    }
}

/// A text save that the reader accepts is also detected as a text save if it has commas and
/// comments before its first key.
#[test]
fn forms_of_texts_with_comments() {
    let text = b"[ , {/* c */ // d\n\"class\":\"A\"}]";
    assert!(expected::read(&mut TextReader::new(text)).is_ok());
    assert_eq!(FileFormat::detect(text), Some(FileFormat::Text));
    assert_eq!(FileFormat::detect(b"[{/* \"class\":\"A\"}]"), None);
}

/// The list of all objects has no name: a stream in which this list has a name is an error.
#[test]
fn headers_with_a_name() {
    let mut tables = Tables::new();
    let mut first = |stream: &[u8]| {
        let mut reader = BinaryReader::new(stream, Era::October2024, &mut tables);
        reader.next().map(|item| item.is_some()).map_err(|error| *error.kind())
    };
    assert_eq!(first(b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFE\x05\x25"), Ok(false));
    let what = "length of the name of the list of objects";
    let named = first(b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFDx\x05\x25");
    assert_eq!(named, Err(ErrorKind::Unknown { what, value: 1 }));
    assert_eq!(first(b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x05\x25"), Err(ErrorKind::NullName));
}

#[cfg(feature = "rems-container")]
mod containers {
    use super::*;
    use gamewire::rems::{decompress, decompress_into, is_container};

    /// Returns the containers that the engine wrote, and all other cases in containers that this
    /// crate compressed.
    fn containers() -> Vec<Case> {
        let mut all = cases(".container.rem", 1);
        for mut case in binary_cases() {
            let zlib = miniz_oxide::deflate::compress_to_vec_zlib(&case.bytes, 6);
            case.bytes = [b"RemsEngineZZ", &zlib[..]].concat();
            all.push(case);
        }
        all
    }

    #[test]
    fn cases_in_them() {
        let mut tables = Tables::new();
        for case in containers() {
            assert!(is_container(&case.bytes));
            let bytes = decompress(&case.bytes, 1 << 20).unwrap();
            binary(&case, &bytes, &mut tables);
            let mut memory = vec![0; bytes.len()];
            assert_eq!(decompress_into(&case.bytes, &mut memory).unwrap(), bytes.len());
            assert_eq!(memory, bytes);
        }
    }

    /// Checks the laws of containers on containers, on their contents, and on damaged containers.
    #[test]
    fn laws_of_them() {
        for case in binary_cases() {
            laws::rems_container(&case.bytes);
        }
        for case in containers() {
            laws::rems_container(&case.bytes);
            laws::rems_container(&case.bytes[12..]);
        }
        let [case, ..] = &containers()[..] else { panic!() };
        for at in 0..case.bytes.len() {
            laws::rems_container(&case.bytes[..at]);
            for bit in 0..8 {
                let mut damaged = case.bytes.clone();
                damaged[at] ^= 1 << bit;
                laws::rems_container(&damaged);
            }
        }
        // The contents are a thousand times as long as the container.
        laws::rems_container(&gamewire::rems::compress(&vec![0; 1 << 20], 9));
    }

    /// A limit that is one byte too low, damage, and missing signatures cause errors.
    #[test]
    fn limits() {
        for case in containers() {
            let len = decompress(&case.bytes, 1 << 20).unwrap().len();
            let kind = |bytes: &[u8], limit| *decompress(bytes, limit).unwrap_err().kind();
            let limit = len as u64 - 1;
            assert_eq!(kind(&case.bytes, len - 1), ErrorKind::TooLarge { limit });
            let error = decompress_into(&case.bytes, &mut vec![0; len - 1]).unwrap_err();
            assert_eq!(*error.kind(), ErrorKind::TooLarge { limit });
            let mut damaged = case.bytes.clone();
            *damaged.last_mut().unwrap() ^= 1; // Damages the checksum.
            assert_eq!(kind(&damaged, len), ErrorKind::Damaged);
            for end in 12..case.bytes.len() {
                assert_eq!(kind(&case.bytes[..end], len), ErrorKind::Damaged);
            }
            assert_eq!(kind(&case.bytes[1..], len), ErrorKind::NotAContainer);
        }
    }
}

/// Every pointer of a real file leads to an object. Two of the objects have no number in the file.
#[test]
fn real_files() {
    for (name, bytes) in expected::real() {
        let mut slots = Vec::new();
        let file = expected::read(&mut TextReader::new(&bytes)).unwrap();
        assert!(!file.roots.is_empty(), "{name}");
        let pointers = Pointers::collect(&mut TextReader::new(&bytes), &mut slots).unwrap();
        let mut implied = HashSet::new();
        for number in &file.pointers {
            match pointers.get(*number) {
                Target::Object(object) => assert_eq!(object.pointer, Some(*number)),
                Target::Implied(object) => {
                    assert_eq!((object.pointer, object.class), (None, "Path".into()));
                    implied.insert(*number);
                }
                Target::Dangling => panic!("{name}: {number}"),
            }
        }
        let expected: &[u64] = match name.as_str() {
            "engine-prefab-dangling-pointers.json" => &[32, 35],
            _ => &[],
        };
        assert_eq!(implied, expected.iter().copied().collect(), "{name}");
        let tell = |number, offset| panic!("{name}: {number} at {offset}");
        pointers.dangling(&mut TextReader::new(&bytes), tell).unwrap();
        assert_eq!(pointers.duplicates().count(), 0);
    }
}

/// Texts on which this reader and the engine from 2026 differ: only one of them accepts the text,
/// or they read it differently (see `docs/rems.md`). Each row contains the result of this reader.
const DEVIATIONS: [(&str, Result<&str, ErrorKind>); 20] = [
    // The reader reports all properties, even if the class of the object does not have them.
    ("unknown_class", Ok("[Nope{x=5}]")),
    ("long_overflow", Err(ErrorKind::Overflow)),
    ("float_quoted", Ok("[T{x=1.5,y=6}]")),
    ("float_nan_quoted", Ok("[T{x=NaN,y=6}]")),
    ("float_ninf", Ok("[T{x=-inf,y=6}]")),
    ("double_max", Ok("[T{x=1.7976931348623157e308,y=5e-324}]")),
    ("bool_forms", Ok("[T{a=true,b=false,c=true,d=false,e=true,f=false}]")),
    ("string_u_escape", Ok("[T{a=\"A\"}]")),
    ("char_esc", Ok("[T{a='10'}]")),
    ("alias_i1", Ok("[T{a=true}]")),
    ("alias_i16", Ok("[T{a=1}]")),
    ("alias_i64", Ok("[T{a=1}]")),
    ("alias_f32", Ok("[T{a=1.0}]")),
    ("alias_f64arr", Ok("[T{a=[2.0]}]")),
    ("alias_i1arr", Ok("[T{a=[true, false]}]")),
    ("alias_m4x4", Ok("[T{a=(1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,0.0)}]")),
    ("m4x3d", Ok("[T{a=(1.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0)}]")),
    ("arr_len_quoted", Ok("[T{a=[1, 2]}]")),
    ("obj_inline_class_only", Ok("[T{o=Inner{},y=1}]")),
    ("arr_fwd", Ok("[T{o=[@Inner]},Inner{x=5}]")),
];

/// The name of another text on which this reader and the engine differ, and the result of this
/// reader. The engine returns the object in the list as another root, which this reader does not.
const NO_ROOT: (&str, &str) = ("mixed_star_less", "[T{o=[K{}]}]");

/// The name of a text that contains a line break. The table has only one line for each text, so it
/// contains only the part before the line break, and no verdict.
const CUT: &str = "line_comment_nocomma";

/// The reader agrees with the engine from 2026 on texts that differ slightly from those that the
/// engine writes, except for the listed deviations.
#[test]
fn tolerance() {
    let table = fs::read_to_string(expected::folder("tolerance-2026.txt")).unwrap();
    let mut deviations: HashMap<_, _> = DEVIATIONS.into_iter().collect();
    deviations.insert(NO_ROOT.0, Ok(NO_ROOT.1));
    let mut count = 0;
    for line in table.lines() {
        let mut parts = line.strip_prefix("TOL ").unwrap().splitn(3, " | ");
        let (name, text) = (parts.next().unwrap(), parts.next().unwrap());
        let found = expected::shown(text.as_bytes());
        let found = found.as_ref().map(String::as_str).map_err(|kind| *kind);
        let engine = parts.next().unwrap_or_default();
        let same = match found {
            Ok(found) => found == engine,
            Err(_) => engine.starts_with("THROWN "),
        };
        match deviations.remove(name) {
            Some(ours) => assert!(!same && found == ours, "{name}: {found:?}"),
            None if name == CUT => assert_eq!(found, Err(ErrorKind::UnexpectedEnd { missing: 1 })),
            None => assert!(same, "{name}: {found:?}"),
        }
        count += 1;
    }
    assert_eq!((count, deviations.len()), (74, 0));
}

/// Truncates each file after each byte, and changes each byte.
#[test]
#[ignore = "slow"]
fn damaged() {
    let mut random = Random::new(7);
    let mut damage = |bytes: &[u8], law: &dyn Fn(&[u8])| {
        law(bytes);
        for end in 0..bytes.len() {
            law(&bytes[..end]);
        }
        for at in 0..bytes.len() {
            let mut bytes = bytes.to_vec();
            let bit = 1 << random.below(8);
            for changed in [bytes[at] ^ bit, random.next() as u8] {
                bytes[at] = changed;
                law(&bytes);
            }
        }
    };
    for case in cases(".text.json", 73) {
        damage(&case.bytes, &laws::rems_text);
    }
    for case in binary_cases() {
        damage(&case.bytes, &|bytes| laws::rems_binary(bytes, era_of(&case)));
    }
}

/// Reads each stream as a stream of every era, including eras whose engines did not write it.
#[test]
fn in_other_eras() {
    for case in binary_cases() {
        for era in laws::ERAS {
            laws::rems_binary(&case.bytes, era);
        }
        laws::rems_text(&case.bytes);
    }
    for case in texts_of_cases() {
        laws::rems_text(&case.bytes);
    }
    for (_, bytes) in expected::real() {
        laws::rems_text(&bytes);
    }
}
