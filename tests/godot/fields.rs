//! Reads structs that list their fields (see `FromFields`), both in the order of the fields and by
//! name. Also writes such structs, and checks errors.

#[path = "../../benches/support/derived.rs"]
#[cfg(feature = "serde")]
mod derived;
#[path = "../../benches/support/fields.rs"]
#[cfg(feature = "serde")]
mod derived_fields;
mod unit;

use crate::laws::{FIELDS, fields_as};
use crate::support::corpus;
use gamewire::SliceSink;
use gamewire::godot::{
    Array, ConversionError, Dialect, Error, ErrorKind, FieldError, FieldFault, Fields, FromFields,
    Kind, Level, Limits, ObjectRef, PutFields, Reader, Target, ToFields, Variant, VariantRef,
    Vector2, Vector3, Writer,
};
use std::cell::Cell;
use std::thread;
use unit::{UNIT, Unit, packet, pairs, put};

const DIALECTS: &[Dialect] = Dialect::ALL;

fn read(packet: &[u8], dialect: Dialect) -> Result<Unit<'_>, FieldError> {
    let mut reader = Reader::new(packet, dialect);
    let unit = reader.read_fields();
    assert_eq!(reader.is_empty(), unit.is_ok(), "the reader consumes the whole value or nothing");
    fields_as(packet, dialect);
    unit
}

#[test]
fn structs_round_trip_as_dictionaries_in_every_dialect() {
    for &dialect in DIALECTS {
        let bytes = packet(&pairs(), dialect);
        assert_eq!(put(&UNIT, dialect), bytes, "{dialect}");
        assert_eq!(read(&bytes, dialect), Ok(UNIT), "{dialect}");
    }
}

#[test]
#[cfg(feature = "serde")]
fn game_state_round_trips_to_the_engines_bytes() {
    let engine = include_bytes!("../../corpus/bench/state_simple.bin");
    let state: derived::State<'_> = Reader::new(engine, Dialect::Godot4).read_fields().unwrap();
    assert_eq!(put(&state, Dialect::Godot4), engine);
    for end in 0..engine.len() {
        let cut = Reader::new(&engine[..end], Dialect::Godot4).read_fields::<derived::State<'_>>();
        let skipped = Reader::new(&engine[..end], Dialect::Godot4).skip().unwrap_err();
        assert_eq!(cut.err(), Some(skipped.into()));
        fields_as(&engine[..end], Dialect::Godot4);
    }
}

#[test]
fn fields_are_read_in_any_order_with_unknown_and_repeated_keys() {
    for &dialect in DIALECTS {
        let mut others = pairs();
        for turn in 0..others.len() {
            others.rotate_left(1);
            assert_eq!(read(&packet(&others, dialect), dialect), Ok(UNIT), "{turn}");
            let mut more = others.clone();
            more.insert(turn, ("else", Variant::from(Array::from_iter([1, 2]))));
            assert_eq!(read(&packet(&more, dialect), dialect), Ok(UNIT), "{turn}");
        }
    }
    let mut twice = Vec::new();
    let mut writer = Writer::new(&mut twice, Dialect::Godot4);
    let mut items = writer.dictionary(6).unwrap();
    items.entry("hp", "no number").unwrap();
    pairs().iter().for_each(|(key, value)| items.entry(*key, value).unwrap());
    items.finish().unwrap();
    assert_eq!(read(&twice, Dialect::Godot4), Ok(UNIT));
}

#[test]
fn numbers_are_read_from_every_width() {
    let mut wide = pairs();
    wide[1].1 = Variant::from(gamewire::godot::Wide(255_i64));
    wide[2].1 = Variant::from(gamewire::godot::Wide(1.5));
    wide[3].1 = Variant::from(UNIT.at.map(f64::from));
    assert_eq!(read(&packet(&wide, Dialect::Godot4), Dialect::Godot4), Ok(UNIT));
    wide[2].1 = Variant::from(3); // an int for a field of type float
    let unit = Unit { speed: 3.0, ..UNIT };
    assert_eq!(read(&packet(&wide, Dialect::Godot4), Dialect::Godot4), Ok(unit));
}

#[test]
fn option_is_none_for_a_missing_key_and_for_null() {
    for &dialect in DIALECTS {
        let mut null = pairs();
        null[4].1 = Variant::NIL;
        let unit = || Unit { leader: None, ..UNIT };
        assert_eq!(read(&packet(&null, dialect), dialect), Ok(unit()));
        assert_eq!(read(&packet(&null[..4], dialect), dialect), Ok(unit()));
        assert_eq!(put(unit(), dialect), packet(&null[..4], dialect));
    }
}

/// A struct with optional fields whose types can themselves be null.
#[derive(Debug)]
struct Optional<'a> {
    any: Option<VariantRef<'a>>,
    object: Option<ObjectRef<'a>>,
}

impl<'a> FromFields<'a> for Optional<'a> {
    fn from_fields<F: Fields<'a>>(fields: &mut F) -> Result<Self, FieldError> {
        Ok(Self { any: fields.get("any")?, object: fields.get("object")? })
    }
}

/// The encodings of null: Nil, an object id of zero, and a full object without a class.
const NULLS: [&[u8]; 3] = [&[0; 4], b"\x18\0\x01\0\0\0\0\0\0\0\0\0", b"\x18\0\0\0\0\0\0\0"];

#[test]
fn every_encoding_of_null_is_none() {
    let (any, object) = (b"\x04\0\0\0\x03\0\0\0any\0", b"\x04\0\0\0\x06\0\0\0object\0\0");
    for null in NULLS {
        let header = b"\x1b\0\0\0\x02\0\0\0";
        let in_order = [&header[..], any, null, object, null].concat();
        let by_name = [&header[..], object, null, any, null].concat();
        for packet in [in_order, by_name] {
            let read = Reader::new(&packet, Dialect::Godot4).read_fields::<Optional<'_>>().unwrap();
            assert!(read.any.is_none() && read.object.is_none(), "{read:?}");
        }
    }
    let an_object = b"\x18\0\x01\0\x07\0\0\0\0\0\0\0";
    let packet = [&b"\x1b\0\0\0\x02\0\0\0"[..], any, an_object, object, an_object].concat();
    let read = Reader::new(&packet, Dialect::Godot4).read_fields::<Optional<'_>>().unwrap();
    assert!(matches!(read.object, Some(ObjectRef::Id(7))), "{read:?}");
    assert!(matches!(read.any, Some(VariantRef::Object(ObjectRef::Id(7)))), "{read:?}");
}

#[test]
fn errors_state_name_and_location() {
    let error_of = |pairs: &[(&str, Variant)]| {
        read(&packet(pairs, Dialect::Godot4), Dialect::Godot4).unwrap_err()
    };
    let error = error_of(&pairs()[1..]);
    assert_eq!(error, FieldError::new(FieldFault::Missing { name: "name" }, 0));
    assert_eq!(error.to_string(), "no key `name` in the Dictionary at offset 0 (0x0)");

    let mut wrong = pairs();
    wrong[1].1 = Variant::from(256);
    let error = ConversionError { wanted: "u8", found: Kind::Int };
    // The value of `hp` comes after the header of the dictionary (8 bytes), the key `name`, the
    // value of `name`, and the key `hp` (12 bytes each).
    let expected = FieldError::new(FieldFault::Type { name: "hp", error }, 8 + 12 + 12 + 12);
    assert_eq!(error_of(&wrong), expected);

    let int = put(5, Dialect::Godot4);
    let no_dictionary = ErrorKind::WrongType { expected: Kind::Dictionary, found: Kind::Int };
    assert_eq!(
        read(&int, Dialect::Godot4),
        Err(FieldError::new(FieldFault::Packet(no_dictionary), 0))
    );
    let behind = Reader::new(&int, Dialect::Godot4).origin(100).read_fields::<Unit<'_>>();
    assert_eq!(behind.unwrap_err().offset(), 100);
}

/// A recursive struct.
struct Chain(Option<Box<Chain>>);

impl<'a> FromFields<'a> for Chain {
    fn from_fields<F: Fields<'a>>(fields: &mut F) -> Result<Self, FieldError> {
        Ok(Self(fields.get::<Option<Self>>("next")?.map(Box::new)))
    }
}

impl ToFields for Chain {
    fn to_fields<F: PutFields>(&self, fields: &mut F) -> Result<(), F::Error> {
        self.0.as_ref().map_or(Ok(()), |next| fields.put("next", &**next))
    }
}

fn chain(len: usize) -> Chain {
    (1..len).fold(Chain(None), |chain, _| Chain(Some(Box::new(chain))))
}

#[test]
fn recursive_type_is_read_to_128_levels() {
    let deep = |packet: &[u8]| Reader::new(packet, Dialect::Godot4).read_fields::<Chain>();
    assert!(deep(&put(chain(128), Dialect::Godot4)).is_ok());
    // The innermost value comes after 128 dictionary headers of 8 bytes, each with a key of 12
    // bytes.
    let too_deep = FieldFault::Packet(ErrorKind::TooDeep { limit: 128 });
    let error = deep(&put(chain(129), Dialect::Godot4)).err();
    assert_eq!(error, Some(FieldError::new(too_deep, 128 * 20)));
}

#[test]
fn recursive_type_is_written_to_the_engines_depth() {
    let write = || {
        // Containers with items may be nested to 1,024 levels, and an empty container may be one
        // level deeper.
        let packet = put(chain(1025), Dialect::Godot4);
        assert_eq!(Reader::new(&packet, Dialect::Godot4).skip(), Ok(()));
        let error = Writer::new(&mut Vec::new(), Dialect::Godot4).put(chain(1026)).unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::TooDeep { limit: 1024 });
    };
    // Each level is a recursive call, which needs kilobytes of stack without optimisation.
    thread::Builder::new().stack_size(64 << 20).spawn(write).unwrap().join().unwrap();
}

#[test]
fn fields_obey_the_limits_of_the_reader() {
    let packet = put(UNIT, Dialect::Godot4);
    let read = |limits| Reader::new(&packet, Dialect::Godot4).limits(limits).read_fields();
    assert_eq!(read(Limits::ENGINE), Ok(UNIT));
    let flat = Limits { depth: 0, ..Limits::default() };
    let too_deep = FieldFault::Packet(ErrorKind::TooDeep { limit: 0 });
    assert_eq!(read(flat), Err(FieldError::new(too_deep, 0)));
}

#[test]
fn struct_that_does_not_fit_writes_nothing() {
    assert_written_completely_or_not(&UNIT);
    assert_written_completely_or_not(&chain(5));
}

fn assert_written_completely_or_not<T: ToFields>(value: &T) {
    let whole = put(value, Dialect::Godot4);
    for len in 0..whole.len() {
        let memory = &mut vec![0xAA; len];
        let mut writer = Writer::new(SliceSink::new(memory), Dialect::Godot4);
        let error = writer.put(value).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::BufferFull { .. }), "{error}");
        assert_eq!(writer.sink().written(), b"");
    }
    let memory = &mut vec![0; whole.len()];
    let mut writer = Writer::new(SliceSink::new(memory), Dialect::Godot4);
    writer.put(value).unwrap();
    assert_eq!(writer.sink().written(), whole);
}

#[test]
#[cfg(feature = "bytes")]
fn structs_are_written_to_append_only_sinks() {
    assert_written_to_append_only_sink(&UNIT);
    assert_written_to_append_only_sink(&chain(5));
}

#[cfg(feature = "bytes")]
fn assert_written_to_append_only_sink<T: ToFields>(value: &T) {
    let whole = put(value, Dialect::Godot4);
    let mut memory = vec![0; whole.len()];
    let sink = gamewire::BufSink::new(&mut memory[..]);
    Writer::new(sink, Dialect::Godot4).put(value).unwrap();
    assert_eq!(memory, whole);
    let sink = gamewire::BufSink::new(&mut memory[1..]);
    let mut writer = Writer::new(sink, Dialect::Godot4);
    assert!(writer.put(value).is_err());
    assert_eq!(writer.into_sink().into_inner().len(), whole.len() - 1);
}

/// The writer calls `to_fields` of each struct twice: to count the fields, and to write them. On a
/// sink that cannot rewind, a dry run calls it twice more. Nesting does not multiply the number of
/// calls.
#[test]
#[cfg(feature = "bytes")]
fn nested_structs_list_their_fields_a_constant_number_of_times() {
    let calls = Cell::new(0);
    let chain = Counted { calls: &calls, inside: 10 };
    Writer::new(&mut Vec::new(), Dialect::Godot4).put(&chain).unwrap();
    assert_eq!(calls.take(), 2 * 11);
    let sink = gamewire::BufSink::new(Vec::new());
    Writer::new(sink, Dialect::Godot4).put(&chain).unwrap();
    assert_eq!(calls.take(), 4 * 11);
}

/// A struct that counts how often `to_fields` is called. Its only field, `next`, contains another
/// `Counted`, and so on. The innermost `Counted`, in which `inside` is 0, has no field.
#[cfg(feature = "bytes")]
struct Counted<'a> {
    calls: &'a Cell<u32>,
    inside: u32,
}

#[cfg(feature = "bytes")]
impl ToFields for Counted<'_> {
    fn to_fields<F: PutFields>(&self, fields: &mut F) -> Result<(), F::Error> {
        self.calls.set(self.calls.get() + 1);
        match self.inside.checked_sub(1) {
            Some(inside) => fields.put("next", Self { inside, ..*self }),
            None => Ok(()),
        }
    }
}

#[test]
fn structs_are_written_like_other_values() {
    let targets = [Target::GODOT4_0, Target::GODOT4_3, Dialect::Godot4.into()];
    for target in targets {
        let mut packet = Vec::new();
        let mut writer = Writer::new(&mut packet, target);
        let mut units = writer.array(2).unwrap();
        units.put(UNIT).unwrap();
        units.put(&UNIT).unwrap();
        units.finish().unwrap();
        let read = Reader::new(&packet, Dialect::Godot4).read().unwrap().as_array().unwrap();
        for unit in read {
            assert_eq!(unit.as_dictionary().unwrap().read_fields(), Ok(UNIT));
        }
    }
    let mut wide = Vec::new();
    let mut writer = Writer::new(&mut wide, Dialect::Godot4);
    writer.set_wide(true);
    writer.put(UNIT).unwrap();
    assert_eq!(wide.len(), put(UNIT, Dialect::Godot4).len() + 4 + 4);
    assert_eq!(read(&wide, Dialect::Godot4), Ok(UNIT));
}

/// A value that writes a different number of fields in each call of `to_fields`: `step` more than
/// in the previous call.
struct Inconsistent {
    more: Cell<u32>,
    step: i32,
}

impl ToFields for Inconsistent {
    fn to_fields<F: PutFields>(&self, fields: &mut F) -> Result<(), F::Error> {
        let more = self.more.get();
        self.more.set(more.wrapping_add_signed(self.step));
        (0..more).try_for_each(|_| fields.put("a", ()))
    }
}

#[test]
fn value_with_inconsistent_serialization_is_rejected() {
    let put = |step| {
        let mut packet = vec![1, 2];
        let inconsistent = Inconsistent { more: Cell::new(5), step };
        let error = Writer::new(&mut packet, Dialect::Godot4).put(inconsistent).unwrap_err();
        assert_eq!(packet, [1, 2]);
        *error.kind()
    };
    assert_eq!(put(1), ErrorKind::TooManyItems);
    assert_eq!(put(-1), ErrorKind::MissingItems(1));
}

/// A struct with a field whose type does not exist in Godot 3.
struct Unrepresentable;

impl ToFields for Unrepresentable {
    fn to_fields<F: PutFields>(&self, fields: &mut F) -> Result<(), F::Error> {
        fields.put("a", 1)?;
        fields.put("b", Vector3 { x: 1, y: 2, z: 3 })
    }
}

#[test]
fn unsupported_values_are_not_written() {
    let mut packet = Vec::new();
    let error: Error = Writer::new(&mut packet, Dialect::Godot3).put(Unrepresentable).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::NoSuchType(Kind::Vector3i));
    assert!(packet.is_empty());
}

/// A struct with one field whose name has the given length. Short, medium and long names have
/// separate code paths.
struct Names(usize);

const NAMES: &str = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEF";

impl ToFields for Names {
    fn to_fields<F: PutFields>(&self, fields: &mut F) -> Result<(), F::Error> {
        fields.put(&NAMES[..self.0], true)
    }
}

thread_local!(static LEN: Cell<usize> = const { Cell::new(0) });

impl<'a> FromFields<'a> for Names {
    fn from_fields<F: Fields<'a>>(fields: &mut F) -> Result<Self, FieldError> {
        fields.get::<bool>(&NAMES[..LEN.get()]).map(|_| Self(LEN.get()))
    }
}

#[test]
fn names_of_any_length_are_matched_exactly() {
    for len in 0..=NAMES.len() {
        let packet = put(Names(len), Dialect::Godot4);
        assert_eq!(packet, packet_of(&NAMES[..len]));
        LEN.set(len);
        Reader::new(&packet, Dialect::Godot4).read_fields::<Names>().unwrap();
        // If a name differs in any byte, the field is not found.
        for wrong in 8 + 8..8 + 8 + len {
            let mut packet = packet.clone();
            packet[wrong] ^= 1;
            let error = Reader::new(&packet, Dialect::Godot4).read_fields::<Names>().err().unwrap();
            assert!(matches!(error.kind(), FieldFault::Missing { .. }));
        }
    }
}

fn packet_of(name: &str) -> Vec<u8> {
    packet(&[(name, Variant::from(true))], Dialect::Godot4)
}

/// Checks the law on structs in which one field is a value of the corpus and all other fields
/// match. Generated bytes alone rarely contain all keys in the right order.
#[test]
#[ignore = "slow"]
fn structs_with_any_corpus_value_satisfy_the_law() {
    let short = |(_, bytes): &(String, Vec<u8>)| bytes.len() < 1000;
    let nulls = NULLS.map(|null| (String::new(), null.to_vec()));
    for (folder, dialect) in corpus::WRITTEN.into_iter().chain([corpus::HOSTILE]) {
        let others = matching_values(dialect);
        for (_, bytes) in corpus::packets(folder).into_iter().chain(nulls.clone()).filter(short) {
            let mut reader = Reader::new(&bytes, dialect);
            let Ok(value) = reader.read_encoded() else { continue };
            for (names, others) in FIELDS.iter().zip(&others) {
                for at in 0..names.len() {
                    let mut values: Vec<&[u8]> = others.iter().map(Vec::as_slice).collect();
                    values[at] = value.as_bytes();
                    fields_as(&dictionary(names, &values, dialect), dialect);
                }
            }
        }
    }
}

/// Returns encoded values that match the fields of each struct in `laws::FIELDS`.
fn matching_values(dialect: Dialect) -> [Vec<Vec<u8>>; 2] {
    let (point, text) = (Vector2 { x: 0.5_f32, y: -1.0 }, put("Zoë", dialect));
    let place = put(Vector3 { x: 1.0_f32, y: 2.0, z: 3.0 }, dialect);
    let (hp, ammo, alive) = (put(-5, dialect), put(255, dialect), put(true, dialect));
    let (aim, yaw, null) = (put(point, dialect), put(0.1, dialect), put((), dialect));
    let player = vec![text, hp, place.clone(), place, aim, ammo, alive, yaw];
    let mut loose = vec![null; FIELDS[1].len()];
    // The last value is not null, because a packet whose last value is null is read by name.
    *loose.last_mut().unwrap() = put(&Variant::from(Array::new()), dialect);
    [player, loose]
}

fn dictionary(names: &[&str], values: &[&[u8]], dialect: Dialect) -> Vec<u8> {
    let header = u32::from(dialect.id(Kind::Dictionary).unwrap());
    let mut packet = [header.to_le_bytes(), (names.len() as u32).to_le_bytes()].concat();
    for (name, value) in names.iter().zip(values) {
        packet.extend(put(*name, dialect));
        packet.extend(*value);
    }
    packet
}

/// A struct that ignores the errors of its fields.
#[derive(Debug, PartialEq)]
struct IgnoresErrors {
    a: Option<u8>,
    b: Option<u8>,
}

impl<'a> FromFields<'a> for IgnoresErrors {
    fn from_fields<F: Fields<'a>>(fields: &mut F) -> Result<Self, FieldError> {
        Ok(Self { a: fields.get("a").ok(), b: fields.get("b").ok() })
    }
}

impl ToFields for IgnoresErrors {
    fn to_fields<F: PutFields>(&self, fields: &mut F) -> Result<(), F::Error> {
        let _ = fields.put("a", Vector3 { x: 1, y: 2, z: 3 });
        fields.put("b", 5)
    }
}

#[test]
fn type_that_ignores_errors_fails_anyway() {
    for a in [Variant::from("text"), Variant::from(1000), Variant::from(7)] {
        let expected = IgnoresErrors { a: u8::try_from(&a).ok(), b: Some(5) };
        for pairs in [[("a", a.clone()), ("b", 5.into())], [("b", 5.into()), ("a", a.clone())]] {
            let packet = packet(&pairs, Dialect::Godot4);
            let mut reader = Reader::new(&packet, Dialect::Godot4);
            assert_eq!(reader.read_fields().as_ref(), Ok(&expected));
            assert!(reader.is_empty());
        }
        let alone = packet(&[("a", a.clone())], Dialect::Godot4);
        let mut reader = Reader::new(&alone, Dialect::Godot4);
        assert_eq!(reader.read_fields(), Ok(IgnoresErrors { b: None, ..expected }));
        assert!(reader.is_empty());
    }
    let mut packet = vec![1, 2];
    let ignores_errors = IgnoresErrors { a: None, b: None };
    assert!(Writer::new(&mut packet, Dialect::Godot3).put(ignores_errors).is_err());
    assert_eq!(packet, [1, 2]);
}

/// At the structure level, text that the engine rejects is accepted. At the stricter levels, it is
/// an error.
#[test]
fn fields_are_checked_at_the_readers_level() {
    struct Any<'a>(VariantRef<'a>);
    impl<'a> FromFields<'a> for Any<'a> {
        fn from_fields<F: Fields<'a>>(fields: &mut F) -> Result<Self, FieldError> {
            fields.get("a").map(Self)
        }
    }
    let mut packet = packet_of("a");
    packet.truncate(packet.len() - 8);
    packet.extend(b"\x04\0\0\0\x01\0\0\0\xFF\0\0\0");
    for level in [Level::Structure, Level::Engine, Level::Strict] {
        let limits = Limits { level, ..Limits::default() };
        let mut reader = Reader::new(&packet, Dialect::Godot4).limits(limits);
        let read = reader.read_fields::<Any>();
        assert_eq!(read.is_ok(), level == Level::Structure);
        assert!(read.is_err() || matches!(read, Ok(Any(VariantRef::String(_)))));
    }
}
