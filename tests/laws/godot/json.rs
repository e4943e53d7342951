//! Laws of Godot's JSON notation. The exact JSON printed for a packet converts back to the same
//! bytes, apart from padding. Parsing writes a complete value or nothing.

use super::{limits, skip};
use crate::support::godot::values::to_oracle;
use crate::support::godot::{notation, oracle};
use crate::support::{native_json, strict_json};
use gamewire::godot::json::{Document, Error, Printer};
use gamewire::godot::{Dialect, Level, Reader, Writer};
use native_json::Json;
use oracle::{Real, Value};

/// Reads arbitrary bytes as a packet in every dialect, and checks the round trip of the packet
/// through JSON.
pub fn godot_json_round_trip(data: &[u8]) {
    Dialect::ALL.iter().for_each(|&dialect| {
        json_round_trip_as(data, dialect);
    });
}

/// Checks that the JSON printed for a packet is valid JSON and equals the JSON of the oracle. The
/// exact JSON must convert back to the packet. The default JSON must do so if the strict level
/// accepts the packet and the packet contains no unusual NaN. Returns the default JSON, or `None`
/// if the input is not a packet.
pub fn json_round_trip_as(data: &[u8], dialect: Dialect) -> Option<String> {
    skip(data, dialect, limits(Level::Structure, true)).ok()?;
    let level = oracle::Level::Structure;
    let (value, end) = oracle::decode(data, to_oracle(dialect), level, true).unwrap();
    let packet = clean_pads(&data[..end], dialect);
    let told = notation::show(&value, to_oracle(dialect));
    let strict = skip(data, dialect, limits(Level::Strict, true)).is_ok();

    let text = print_json(data, dialect, false);
    tells(&text, &told, dialect);
    if strict && !holds_odd_nan(&value) {
        gives_back(&text, &packet, dialect);
    }
    let exact = print_json(data, dialect, true);
    tells(&exact, &told, dialect);
    gives_back(&exact, &packet, dialect);
    Some(text)
}

/// Parses arbitrary bytes as JSON text, and checks the law of [`json_read_as`] in every dialect.
pub fn godot_json_read(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    Dialect::ALL.iter().for_each(|&dialect| {
        json_read_as(&text, dialect);
    });
}

/// Checks that JSON text is written completely or not at all, and that the JSON of the written
/// packet converts back to the same bytes. Returns the packet, or `None` if the text is rejected.
pub fn json_read_as(text: &str, dialect: Dialect) -> Option<Vec<u8>> {
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(error) => {
            assert!(error.offset() <= text.len() as u64, "{error}: {text:?}");
            assert!(strict_json::check(text).is_err(), "{error}: {text:?}");
            return None;
        }
    };
    let mut writer = Writer::new(BEFORE.to_vec(), dialect);
    writer.put(()).unwrap();
    let written = document.write(&mut writer);
    let (before, packet) = writer.sink().split_at(BEFORE.len() + NIL.len());
    assert_eq!(before, [BEFORE, NIL].concat());
    if let Err(error) = written {
        assert!(packet.is_empty(), "{error}: {text:?}");
        assert!(error.offset() < text.len() as u64, "{error}: {text:?}");
        return None;
    }
    let end = skip(packet, dialect, limits(Level::Structure, true));
    assert_eq!(end, Ok(packet.len()), "{dialect}: one value, of {text:?}");
    assert!(packet.len().is_multiple_of(4) || dialect == Dialect::Godot2, "{text:?}");

    let exact = print_json(packet, dialect, true);
    gives_back(&exact, &clean_pads(packet, dialect), dialect);
    Some(packet.to_vec())
}

const BEFORE: &[u8] = b"before";
const NIL: &[u8] = &[0; 4];

/// Returns the JSON of the first value of a packet.
pub fn print_json(data: &[u8], dialect: Dialect, exact: bool) -> String {
    let mut text = String::new();
    let mut printer = Printer::new(&mut text).exact(exact);
    Reader::new(data, dialect).visit(&mut printer).unwrap_or_else(|error| panic!("{error}"));
    text
}

pub fn write_json(text: &str, dialect: Dialect) -> Result<Vec<u8>, Error> {
    let mut packet = Vec::new();
    Document::parse(text)?.write(&mut Writer::new(&mut packet, dialect)).map(|()| packet)
}

/// Returns the encoded first value with all padding set to zero. Padding that is missing at the end
/// of the input is added.
pub fn clean_pads(data: &[u8], dialect: Dialect) -> Vec<u8> {
    oracle::with_clean_pads(data, to_oracle(dialect)).unwrap()
}

/// Checks that the text is one line of valid JSON. Except for this crate's extensions, it must
/// equal the JSON of the oracle.
fn tells(text: &str, told: &Json, dialect: Dialect) {
    assert_eq!(strict_json::check(text), Ok(()), "{text:.1000}");
    assert!(!text.contains('\n'));
    let stripped = notation::strip(native_json::parse(text).unwrap());
    if let Err(difference) = notation::same(&stripped, told) {
        panic!("{dialect}: {difference}: {text:.1000}");
    }
}

fn gives_back(text: &str, packet: &[u8], dialect: Dialect) {
    let again = write_json(text, dialect).unwrap_or_else(|error| panic!("{error}: {text:.1000}"));
    let again = clean_pads(&again, dialect);
    assert!(again == packet, "{dialect}: {again:02x?} of {text:.1000}");
}

/// Returns `true` if the value contains a scalar float that is a NaN other than the one that
/// `"f:nan"` represents.
fn holds_odd_nan(value: &Value) -> bool {
    let mut todo = vec![value];
    while let Some(value) = todo.pop() {
        match value {
            Value::Float(real) if is_odd_nan(*real) => return true,
            Value::Array { items, .. } => todo.extend(items),
            Value::Dictionary { pairs, .. } => todo.extend(pairs.iter().flat_map(|(k, v)| [k, v])),
            Value::Object { properties, .. } => todo.extend(properties.iter().map(|(_, v)| v)),
            _ => {}
        }
    }
    false
}

fn is_odd_nan(real: Real) -> bool {
    match real {
        Real::F32(bits) => f32::from_bits(bits).is_nan(),
        Real::F64(bits) => f64::from_bits(bits).is_nan() && bits != 0x7FF8 << 48,
    }
}
