//! Laws of Godot's text notation: any packet prints, in an output that its size bounds, and
//! what is written anew prints the same.

use super::{LARGE, limits, skip};
use gamewire::godot::{Dialect, Encoded, Level, Reader, Writer};
use std::fmt::{self, Write};

/// Any bytes as a packet, in every dialect.
pub fn godot_notation(data: &[u8]) {
    Dialect::ALL.iter().for_each(|&dialect| {
        notation_as(data, dialect);
    });
}

/// Prints the first value in all ways. Returns the text, if it is a packet.
pub fn notation_as(data: &[u8], dialect: Dialect) -> Option<String> {
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
    if Writer::new(&mut again, dialect).put(encoded.decode()).is_ok() && !reads_paths(dialect) {
        let again = Reader::new(&again, dialect).read_encoded().unwrap();
        assert_eq!(text, again.to_string(), "{dialect}");
    }
    Some(text)
}

/// Whether paths may come as one text, of which the writer drops empty parts.
fn reads_paths(dialect: Dialect) -> bool {
    !matches!(dialect, Dialect::Godot4 | Dialect::Godot3)
}

/// Each 4 bytes may be a line of their own, at the largest depth that is indented.
fn bounded(encoded: Encoded<'_>, arguments: fmt::Arguments<'_>) -> String {
    let mut text = String::new();
    text.write_fmt(arguments).unwrap();
    let most = 32 * encoded.as_bytes().len() + 100;
    assert!(text.len() <= most, "{} bytes of {}", text.len(), encoded.as_bytes().len());
    text
}
