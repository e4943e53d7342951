//! Tests values just below and just above the limits at which the reader switches between code
//! paths.

use crate::support::godot::words::words;
use gamewire::godot::{Dialect, ErrorKind, IndexEntry, Level, Limits, Reader, StrRef, VariantRef};

fn skip_error(packet: &[u8], limits: Limits) -> Option<ErrorKind> {
    let mut reader = Reader::new(packet, Dialect::Godot4).limits(limits);
    reader.skip().err().map(|error| *error.kind())
}

/// Without caller-provided memory, the maximum depth is the engine's, even if `Limits` allows more.
#[test]
fn depth_limit_is_capped_at_the_engines() {
    let limits = Limits { depth: 5000, ..Limits::default() };
    let arrays = |levels| [words(&[28, 1]).repeat(levels), words(&[0])].concat();
    assert_eq!(skip_error(&arrays(1024), limits), None);
    assert_eq!(skip_error(&arrays(1025), limits), Some(ErrorKind::TooDeep { limit: 1024 }));
}

/// If the counted elements need more than 2 GiB − 1 bytes, the count is invalid. With a smaller
/// count, the packet is only truncated.
#[test]
fn huge_counts_are_truncated_or_too_large() {
    const MOST: u32 = i32::MAX as u32;
    let of = |kind, count| skip_error(&words(&[kind, count]), Limits::default());
    let end = |missing| Some(ErrorKind::UnexpectedEnd { missing });
    assert_eq!(of(29, MOST), end(MOST)); // bytes
    assert_eq!(of(30, MOST / 4), end(MOST / 4 * 4)); // ints of 4 bytes
    assert_eq!(of(30, MOST / 4 + 1), Some(ErrorKind::TooLarge));
    assert_eq!(of(30, MOST), Some(ErrorKind::TooLarge));
    assert_eq!(of(28, MOST), Some(ErrorKind::TooLarge)); // values of at least 4 bytes
    assert_eq!(of(28, MOST / 4), end(MOST / 4 * 4));
    assert_eq!(of(28, MOST + 1), None); // the top bit marks an empty shared array
    assert_eq!(of(29, MOST + 1), Some(ErrorKind::NegativeLength(MOST + 1)));
}

/// The fast path for consecutive ints must not mistake the payload of a 64-bit float for an int.
#[test]
fn floats_that_look_like_ints_are_skipped_correctly() {
    let float = [0x1_0003, 2, 2]; // a 64-bit float
    let ints = [2, 2];
    let packet = words(&[&[28, 6][..], &ints, &float, &ints, &ints, &ints, &ints].concat());
    assert_eq!(skip_error(&packet, Limits::default()), None);
    let mut reader = Reader::new(&packet, Dialect::Godot4);
    reader.skip().unwrap();
    assert!(reader.finish().is_ok());
}

/// An index contains only values that the strictness level accepts.
#[test]
fn index_checks_the_strictness_level() {
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

/// As in scripts, text is compared without its byte order mark and without the bytes after a NUL.
#[test]
fn text_comparison_ignores_mark_and_bytes_after_nul() {
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
