//! Limits where one way of reading takes over from another: values just below and just above.

use crate::support::godot::words::words;
use gamewire::godot::{Dialect, ErrorKind, IndexEntry, Level, Limits, Reader, StrRef, VariantRef};

fn refused(packet: &[u8], limits: Limits) -> Option<ErrorKind> {
    let mut reader = Reader::new(packet, Dialect::Godot4).limits(limits);
    reader.skip().err().map(|error| *error.kind())
}

/// Without caller-provided memory, no limit exceeds the engine's.
#[test]
fn a_limit_beyond_the_engine_s() {
    let limits = Limits { depth: 5000, ..Limits::default() };
    let arrays = |levels| [words(&[28, 1]).repeat(levels), words(&[0])].concat();
    assert_eq!(refused(&arrays(1024), limits), None);
    assert_eq!(refused(&arrays(1025), limits), Some(ErrorKind::TooDeep { limit: 1024 }));
}

/// A length of 2 GiB is invalid in the engine, and one byte less is only truncated.
#[test]
fn counts_of_missing_tables() {
    const MOST: u32 = i32::MAX as u32;
    let of = |kind, count| refused(&words(&[kind, count]), Limits::default());
    let end = |missing| Some(ErrorKind::UnexpectedEnd { missing });
    assert_eq!(of(29, MOST), end(MOST)); // bytes
    assert_eq!(of(30, MOST / 4), end(MOST / 4 * 4)); // ints of 4
    assert_eq!(of(30, MOST / 4 + 1), Some(ErrorKind::TooLarge));
    assert_eq!(of(30, MOST), Some(ErrorKind::TooLarge));
    assert_eq!(of(28, MOST), Some(ErrorKind::TooLarge)); // values
    assert_eq!(of(28, MOST / 4), end(MOST / 4 * 4));
    assert_eq!(of(28, MOST + 1), None); // the top bit says that it is shared
    assert_eq!(of(29, MOST + 1), Some(ErrorKind::NegativeLength(MOST + 1)));
}

/// Bytes that look like ints at strides of 8 bytes, with other values between them.
#[test]
fn int_keys_and_texts_that_look_like_ints() {
    let float = [0x1_0003, 2, 2]; // of 64 bits
    let ints = [2, 2];
    let packet = words(&[&[28, 6][..], &ints, &float, &ints, &ints, &ints, &ints].concat());
    assert_eq!(refused(&packet, Limits::default()), None);
    let mut reader = Reader::new(&packet, Dialect::Godot4);
    reader.skip().unwrap();
    assert!(reader.finish().is_ok());
}

/// An index contains only values that the strictness level accepts.
#[test]
fn levels_of_an_index() {
    let packet = [words(&[28, 1, 4, 1]), b"\xFF\0\0\0".to_vec()].concat();
    let made = |level| {
        let limits = Limits { level, ..Limits::default() };
        let mut memory = [IndexEntry::default(); 1];
        let made = Reader::new(&packet, Dialect::Godot4).limits(limits).index(&mut memory);
        made.map(|_| ()).map_err(|error| *error.kind())
    };
    assert_eq!(made(Level::Structure), Ok(()));
    assert_eq!(made(Level::Engine), Err(ErrorKind::BadText));
}

/// Text ends at a NUL and starts after a byte order mark, as a script sees it.
#[test]
fn text_with_more_than_a_script_sees() {
    fn is(text: &[u8], seen: &str) -> bool {
        let packet = [words(&[4, text.len() as u32]), text.to_vec(), vec![0; 3]].concat();
        let text = Reader::new(&packet, Dialect::Godot4).read().unwrap();
        let VariantRef::String(text) = text else { panic!("{text:?}") };
        assert_eq!(text == *seen, StrRef::from(seen) == text);
        text == *seen
    }
    for (text, seen) in [
        (&b"a"[..], "a"),
        (b"a\0", "a"),
        (b"a\0b", "a"),
        (b"\xEF\xBB\xBFa", "a"),
        (b"\xEF\xBB\xBFa\0b", "a"),
        (b"\xEF\xBC\x85", "\u{ff05}"),
        (b"abcdefg\0hijklmnopqrst", "abcdefg"),
    ] {
        assert!(is(text, seen), "{text:?}");
        assert!(!is(text, "b"), "{text:?}");
        assert!(!is(text, ""), "{text:?}");
        assert!(!is(text, &seen.repeat(2)), "{text:?}");
    }
}
