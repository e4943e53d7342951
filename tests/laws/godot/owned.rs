//! Laws of owned values: which parts of a packet they preserve, and how they are encoded.

use super::round_trip::{whole, written};
use gamewire::godot::{Dialect, Encoded, Level, Limits, Reader, Target};

pub fn godot_owned(data: &[u8]) {
    Dialect::ALL.iter().for_each(|&dialect| owned_as(data, dialect));
}

pub fn owned_as(data: &[u8], dialect: Dialect) {
    let Ok(encoded) = Reader::new(data, dialect).read_encoded() else { return };
    let owned = encoded.to_variant().unwrap();
    assert_eq!(owned.kind(), encoded.kind());
    let again = owned.to_bytes(dialect).unwrap();
    let back = Reader::new(&again, dialect).read_encoded().unwrap().to_variant().unwrap();
    assert!(back == owned, "{dialect}: owned, written and owned again");
    assert!(owned.clone() == owned, "{dialect}: a copy is equal");
    let [first, second] = [encoded.as_bytes(), &again].map(|bytes| whole(bytes, dialect));
    let meaning = super::meaning::Meaning::written_in(dialect);
    assert_eq!(meaning.of(first), meaning.of(second), "{dialect}: means the same");

    let strict = Limits { level: Level::Strict, ..Limits::default() };
    let is_strict = Reader::new(encoded.as_bytes(), dialect).limits(strict).skip().is_ok();
    // Padding of a NodePath may be nonzero or missing at the end, even at the strict level.
    if is_strict && encoded.as_bytes().len().is_multiple_of(4) {
        assert!(again == encoded.as_bytes(), "{dialect}: to the byte, pads too");
    }
    // This encoding contains no header bits that the dialect ignores.
    let encoded = Reader::new(&again, dialect).read_encoded().unwrap();
    for target in Dialect::ALL.iter().filter(|target| **target != dialect) {
        transcoded(encoded, &owned, (*target).into());
    }
    transcoded(encoded, &owned, Target::GODOT4_0);
}

/// Asserts that an owned value and a view of it have the same encoding for a different target, or
/// the same kind of error.
fn transcoded(encoded: Encoded<'_>, owned: &gamewire::godot::Variant, target: Target) {
    match (owned.to_bytes(target), written(encoded.decode(), target)) {
        (Ok(from_owned), Ok(from_view)) => assert!(from_owned == from_view, "for {target:?}"),
        (Err(a), Err(b)) => assert_eq!(a.kind(), b.kind(), "for {target:?}"),
        (a, b) => panic!("for {target:?}: {a:?} but {b:?}"),
    }
}
