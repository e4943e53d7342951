//! Godot's text notation: every packet prints with bounded length, and so does its decoded form;
//! every text is parsed or rejected, and a parsed value prints as a text that parses to the same
//! value, except for details that printing loses.

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
            // Godot 3 cannot write doubles.
            let Ok(packet) = value.to_bytes(dialect) else { continue };
            Reader::new(&packet, dialect).read().unwrap();
        }
        if let Ok(value) = correct {
            // Engines reject a colour at the very end.
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

/// Prints the first value in all ways. Returns the text, if it is a packet.
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

/// `true` if a null object is rewritten as Nil, which is a different key.
fn has_null_objects(encoded: Encoded<'_>) -> bool {
    let mut found = false;
    encoded.deviations(|deviation| found |= deviation == Deviation::NullForm);
    found
}

/// `true` if paths may be encoded as one text. The writer drops empty parts of such a path.
fn reads_paths(dialect: Dialect) -> bool {
    !matches!(dialect, Dialect::Godot4 | Dialect::Godot3)
}

/// Every 4 bytes can become a line of their own, with the largest indentation.
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

/// Checks that printing and reading a value a second time changes nothing. The first pass may
/// change it: reading can turn a small number into -0.0.
fn read_back(packet: &[u8], dialect: Dialect) {
    // Godot 3 prints nothing for a RID; class and property names have no escapes.
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

/// Parses the text and encodes the result.
fn again(packet: &[u8], dialect: Dialect) -> Option<Vec<u8>> {
    Reading::of(dialect).read(&text(packet, dialect)).ok()?.to_bytes(dialect).ok()
}

/// Sorts the pairs. With many equal keys, the engine's sort does not keep a fixed
/// order.
pub fn sorted(value: Variant) -> Variant {
    match value {
        Variant::Array(mut array) => {
            array.items = array.items.into_iter().map(sorted).collect();
            array.into()
        }
        Variant::Dictionary(mut dictionary) => {
            let pairs = dictionary.pairs.into_iter().map(|(k, v)| (sorted(k), sorted(v)));
            dictionary.pairs = pairs.collect();
            dictionary.pairs.sort_by_cached_key(|pair| format!("{pair:?}"));
            dictionary.into()
        }
        Variant::Object(mut object) => {
            let properties = object.properties.into_iter();
            object.properties = properties.map(|(name, value)| (name, sorted(value))).collect();
            object.into()
        }
        leaf => leaf,
    }
}
