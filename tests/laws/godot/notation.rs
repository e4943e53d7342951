//! Laws of Godot's text notation. The text printed for a packet has a bounded length, and so does
//! the `Debug` output of the decoded packet. Any text is either parsed or rejected. If a parsed
//! value is printed, the text can be parsed to the same value, except for details that printing
//! loses.

use super::{LARGE, SMALL, limits, skip};
use gamewire::godot::notation::Reading;
use gamewire::godot::{Deviation, Dialect, Encoded, Level, Reader, Variant, Writer};
use std::fmt::{self, Write};

const DIALECTS: [Dialect; 2] = [Dialect::Godot4, Dialect::Godot3];

pub fn godot_notation_read(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    for dialect in DIALECTS {
        let how = Reading::of(dialect);
        let correct = how.read(text);
        let engine = how.as_the_engine().read(text);
        for value in [&correct, &engine, &how.double().read(text)].into_iter().flatten() {
            // Godot 3 has no double-precision reals, so values that contain them cannot be encoded.
            let Ok(packet) = value.to_bytes(dialect) else { continue };
            Reader::new(&packet, dialect).read().unwrap();
        }
        if let Ok(value) = correct {
            // Engines reject a colour at the very end of the text, so `engine` may be an error.
            assert!(engine.map_or(true, |as_read| as_read.kind() == value.kind()), "{text}");
            read_back(&value.to_bytes(dialect).unwrap(), dialect);
        }
        assert!(matches!(how.read_first(text), Ok(Some(_)) | Ok(None)) || how.read(text).is_err());
    }
}

pub fn godot_notation_print(data: &[u8]) {
    Dialect::ALL.iter().for_each(|&dialect| {
        notation_print_as(data, dialect);
    });
}

/// Prints the first value of a packet in all ways. Returns the printed text, or `None` if the input
/// is not a packet.
pub fn notation_print_as(data: &[u8], dialect: Dialect) -> Option<String> {
    skip(data, dialect, limits(Level::Structure, true)).ok()?;
    let encoded = Reader::new(data, dialect).read_encoded().unwrap();
    let text = bounded(encoded, format_args!("{encoded}"));
    assert_eq!(text, bounded(encoded, format_args!("{}", encoded.decode().printed_as(dialect))));
    for &other in Dialect::ALL.iter().filter(|_| encoded.as_bytes().len() <= LARGE) {
        bounded(encoded, format_args!("{}", encoded.decode().printed_as(other)));
    }
    bounded(encoded, format_args!("{encoded:?}"));
    bounded(encoded, format_args!("{:?}", encoded.decode()));
    bounded(encoded, format_args!("{encoded:#?}"));

    let mut again = Vec::new();
    if Writer::new(&mut again, dialect).put(encoded.decode()).is_ok()
        && !reads_paths(dialect)
        && !has_null_objects(encoded)
    {
        let again = Reader::new(&again, dialect).read_encoded().unwrap();
        assert_eq!(text, again.to_string(), "{dialect}");
    }
    if encoded.as_bytes().len() <= 2 * SMALL {
        read_back(encoded.as_bytes(), dialect);
    }
    Some(text)
}

/// Returns `true` if the value contains a null object that is not encoded as an engine would encode
/// it. The writer encodes such an object as Nil, which is a different key in a dictionary.
fn has_null_objects(encoded: Encoded<'_>) -> bool {
    let mut found = false;
    encoded.deviations(|deviation| found |= deviation == Deviation::NullForm);
    found
}

/// Returns `true` if the dialect may encode a path as one string. The writer drops the empty parts
/// of such a path.
fn reads_paths(dialect: Dialect) -> bool {
    !matches!(dialect, Dialect::Godot4 | Dialect::Godot3)
}

/// Prints a value and checks the length of the text. Every 4 bytes of a packet can become a line
/// with the largest indentation.
fn bounded(encoded: Encoded<'_>, arguments: fmt::Arguments<'_>) -> String {
    let mut text = String::new();
    text.write_fmt(arguments).unwrap();
    let most = 32 * encoded.as_bytes().len() + 100;
    assert!(text.len() <= most, "{} bytes of {}", text.len(), encoded.as_bytes().len());
    text
}

fn text(packet: &[u8], dialect: Dialect) -> String {
    Reader::new(packet, dialect).read_encoded().unwrap().to_string()
}

/// Checks that printing and parsing a value a third time changes at most the order of pairs. The
/// first two times may change the value, since parsing can turn a small number into -0.0.
fn read_back(packet: &[u8], dialect: Dialect) {
    // The text cannot be parsed if it contains a RID, for which Godot 3 prints nothing, or a class
    // or property name that would need an escape.
    let Some(once) = again(packet, dialect) else { return };
    let [twice, thrice] = match again(&once, dialect) {
        Some(twice) => [again(&twice, dialect), Some(twice)],
        None => panic!("{dialect}: {:?} does not read", text(&once, dialect)),
    }
    .map(|packet| {
        let packet = packet.unwrap();
        sorted(Reader::new(&packet, dialect).read_encoded().unwrap().to_variant().unwrap())
    });
    assert_eq!(twice, thrice, "{dialect}: {:?}", text(packet, dialect));
}

/// Prints the packet, parses the text, and encodes the result.
fn again(packet: &[u8], dialect: Dialect) -> Option<Vec<u8>> {
    Reading::of(dialect).read(&text(packet, dialect)).ok()?.to_bytes(dialect).ok()
}

/// Sorts the pairs of all dictionaries. If many keys are equal, the engine's sort does not keep
/// their order.
pub fn sorted(value: Variant) -> Variant {
    match value {
        Variant::Array(mut array) => {
            array.items = array.items.drain(..).map(sorted).collect();
            array.into()
        }
        Variant::Dictionary(mut dictionary) => {
            let pairs = dictionary.pairs.drain(..).map(|(k, v)| (sorted(k), sorted(v)));
            dictionary.pairs = pairs.collect();
            dictionary.pairs.sort_by_cached_key(|pair| format!("{pair:?}"));
            dictionary.into()
        }
        Variant::Object(mut object) => {
            let properties = object.properties.drain(..);
            object.properties = properties.map(|(name, value)| (name, sorted(value))).collect();
            object.into()
        }
        leaf => leaf,
    }
}
