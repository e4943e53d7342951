//! Laws for writing decoded values: in the same dialect, in other dialects, and to every kind of
//! sink.

use super::meaning::Meaning;
use super::{SMALL, limits, skip};
use crate::support::godot::oracle::Value;
use crate::support::godot::values;
use gamewire::godot::{
    Container, Deviation, Dialect, Encoded, Error, ErrorKind, Kind, Leaf, Level, Open, Property,
    Reader, Target, ToVariant, TypeRef, Visitor, Writer,
};
use gamewire::{Sink, SliceSink};

pub fn godot_round_trip(data: &[u8]) {
    Dialect::ALL.iter().for_each(|&dialect| round_trip_as(data, dialect));
}

pub fn round_trip_as(data: &[u8], dialect: Dialect) {
    let Ok(encoded) = Reader::new(data, dialect).read_encoded() else { return };
    let again = fixed_point(encoded);
    copied(encoded);
    strict(encoded, &again);
    let targets = Dialect::ALL.iter().copied().map(Target::from);
    for (index, target) in targets.chain([Target::GODOT4_0, Target::GODOT4_3]).enumerate() {
        // A small value is written for every target, and a larger value only for the target that
        // its length selects.
        if again.len() <= SMALL || again.len() / 4 % 7 == index {
            transcoded(encoded, target);
        }
    }
    sinks(encoded, &again);
}

pub fn written(value: impl ToVariant, target: impl Into<Target>) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    Writer::new(&mut bytes, target).put(value).map(|()| bytes)
}

/// Returns the value in `bytes`. Asserts that the value ends at the end of `bytes`.
pub fn whole(bytes: &[u8], dialect: Dialect) -> Value {
    let (value, end) = values::value_of(bytes, dialect).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(end, bytes.len(), "{dialect}: read to the end");
    value
}

/// Checks that a decoded value can be encoded and keeps its meaning, and that decoding and encoding
/// the result again gives the same bytes. Returns these bytes.
fn fixed_point(encoded: Encoded<'_>) -> Vec<u8> {
    let dialect = encoded.dialect();
    let meaning = Meaning::written_in(dialect);
    let again = written(encoded.decode(), dialect).unwrap_or_else(|error| panic!("{error}"));
    let [first, second] = [encoded.as_bytes(), &again].map(|bytes| whole(bytes, dialect));
    assert_eq!(meaning.of(first), meaning.of(second), "{dialect}: means the same");
    let value = Reader::new(&again, dialect).read().unwrap();
    assert!(written(value, dialect).unwrap() == again, "{dialect}: a fixed point");
    assert!(again.len().is_multiple_of(4));
    again
}

/// Asserts that an encoded value is copied unchanged, except that missing padding is added, and
/// that another value can be written after the copy.
fn copied(encoded: Encoded<'_>) {
    let (bytes, dialect) = (encoded.as_bytes(), encoded.dialect());
    let mut packet = Vec::new();
    let mut writer = Writer::new(&mut packet, dialect);
    writer.put(encoded).unwrap();
    let end = writer.sink().len();
    writer.put(7_i32).unwrap();
    let (copy, _) = packet.split_at(end);
    assert!(copy.starts_with(bytes), "{dialect}: copied");
    let pad = &copy[bytes.len()..];
    assert!(pad.len() < 4 && pad.iter().all(|byte| *byte == 0), "{dialect}: with its pad");

    let mut reader = Reader::new(&packet, dialect);
    reader.skip().unwrap();
    let next = reader.read().ok().and_then(|value| value.as_i64());
    assert!(next == Some(7), "{dialect}: what follows a copy");
}

/// Asserts that the strict level accepts a value if and only if an engine accepts it and it has no
/// deviation, except in the padding of NodePaths. Also asserts that the writer changes a value if
/// and only if the value has a deviation that is not in text, in a path or in a declared type of
/// Nil.
fn strict(encoded: Encoded<'_>, again: &[u8]) {
    let (bytes, dialect) = (encoded.as_bytes(), encoded.dialect());
    let mut found = Vec::new();
    let report = |deviation, offset| {
        found.push((deviation, offset));
        Ok(())
    };
    Reader::new(bytes, dialect).deviations(report).unwrap();
    assert!(found.iter().all(|(_, offset)| *offset <= bytes.len() as u64));

    let engine = skip(bytes, dialect, limits(Level::Engine, true)).is_ok();
    let hard = |(deviation, _): &(Deviation, u64)| *deviation != Deviation::NodePathPad;
    let canonical = engine && !found.iter().any(hard);
    let strict = skip(bytes, dialect, limits(Level::Strict, true));
    assert_eq!(strict.is_ok(), canonical, "{dialect}: {found:?}");

    // The writer changes neither invalid text, nor the parts of paths, nor a declared type of Nil.
    let mut nils = NilTypes::default();
    Reader::new(bytes, dialect).visit(&mut nils).unwrap();
    let kept = |(deviation, offset): &(Deviation, u64)| match deviation {
        Deviation::Text | Deviation::PathText => true,
        Deviation::Payload => nils.0.contains(offset),
        _ => false,
    };
    let changed = found.iter().any(|deviation| !kept(deviation));
    assert_eq!(again != bytes, changed, "{dialect}: {found:?}");
}

/// Collects the offsets of declared types in containers that declare the type Nil. Such containers
/// are in fact untyped.
#[derive(Default)]
struct NilTypes(Vec<u64>);

impl<'a> Visitor<'a> for NilTypes {
    type Error = Error;

    fn leaf(&mut self, _: Leaf<'a>) -> Result<(), Error> {
        Ok(())
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Error> {
        let nil = TypeRef::Builtin(Kind::Nil);
        let has_nil_type = match open.container {
            Container::Array { element, .. } => element == nil,
            Container::Dictionary { key, value, .. } => key == nil || value == nil,
            Container::Object { .. } => false,
        };
        self.0.extend(has_nil_type.then_some(open.offset + 4));
        Ok(())
    }

    fn property(&mut self, _: Property<'a>) -> Result<(), Error> {
        Ok(())
    }

    fn close(&mut self, _: Kind) -> Result<(), Error> {
        Ok(())
    }
}

const BEFORE: [u8; 4] = *b"\0\0\0\0";

/// Asserts that a value written for `target` has the same meaning. Only a target other than the
/// dialect of the value may reject it.
fn transcoded(encoded: Encoded<'_>, target: Target) {
    let (from, to) = (encoded.dialect(), target.dialect());
    let mut packet = BEFORE.to_vec();
    let put = Writer::new(&mut packet, target).put(encoded.decode());
    let mut copy = BEFORE.to_vec();
    let copied = Writer::new(&mut copy, target).put(encoded);
    if target != Target::from(from) {
        assert_eq!((copied, &copy), (put, &packet), "{from} to {to}: a view and its bytes");
    }
    if let Err(error) = put {
        assert_eq!(packet, BEFORE, "{from} to {to}: {error}");
        let said =
            matches!(error.kind(), ErrorKind::NoSuchType(_) | ErrorKind::Unrepresentable(..));
        assert!(said && target != Target::from(from), "{from} to {to}: {error}");
        #[cfg(feature = "bytes")]
        same_error(encoded, target, put);
        return;
    }
    let packet = &packet[BEFORE.len()..];
    let meaning = Meaning::written_in(to);
    let [before, after] = [(encoded.as_bytes(), from), (packet, to)]
        .map(|(bytes, dialect)| meaning.of(whole(bytes, dialect)));
    assert_eq!(before, after, "{from} to {to}");
}

/// Asserts that every sink gets the same bytes, and that a sink that is too small gets none.
fn sinks(encoded: Encoded<'_>, again: &[u8]) {
    let dialect = encoded.dialect();
    let step = if again.len() <= 64 { 4 } else { again.len() / 2 };
    for room in (0..again.len()).step_by(step.max(1)).chain([again.len()]) {
        let mut memory = vec![0xAA; room];
        let mut writer = Writer::new(SliceSink::new(&mut memory), dialect);
        let put = writer.put(encoded.decode());
        let sink = writer.into_sink();
        if room == again.len() {
            assert_eq!(put, Ok(()));
            assert!(sink.written() == again, "{dialect}: into a slice");
        } else {
            no_room(put, again.len() - room);
            assert_eq!(sink.position(), 0, "{dialect}: nothing is left behind");
        }
    }
    #[cfg(feature = "bytes")]
    buffers(encoded, again);
}

fn no_room(put: Result<(), Error>, short: usize) {
    match put.map_err(|error| *error.kind()) {
        Err(ErrorKind::BufferFull { missing }) => {
            assert!((1..=short).contains(&(missing as usize)))
        }
        other => panic!("{other:?} with {short} bytes too few"),
    }
}

#[cfg(feature = "bytes")]
fn buffers(encoded: Encoded<'_>, again: &[u8]) {
    use bytes::BytesMut;
    use gamewire::BufSink;

    let dialect = encoded.dialect();
    let mut writer = Writer::new(BytesMut::new(), dialect);
    writer.put(encoded.decode()).unwrap();
    assert!(writer.into_sink() == again, "{dialect}: into BytesMut");

    let mut writer = Writer::new(BufSink::new(Vec::new()), dialect);
    writer.put(encoded.decode()).unwrap();
    assert!(writer.into_sink().into_inner() == again, "{dialect}: into a BufMut");

    let mut memory = vec![0xAA; again.len()];
    let (enough, less) = (again.len(), again.len() - 1);
    let mut writer = Writer::new(BufSink::new(&mut memory[..less]), dialect);
    no_room(writer.put(encoded.decode()), 1);
    assert_eq!(writer.into_sink().into_inner().len(), less, "{dialect}: nothing is left behind");
    let mut writer = Writer::new(BufSink::new(&mut memory[..enough]), dialect);
    writer.put(encoded.decode()).unwrap();
    assert!(memory == again);
}

/// Asserts that writing to a sink that cannot rewind gives the same error.
#[cfg(feature = "bytes")]
fn same_error(encoded: Encoded<'_>, target: Target, put: Result<(), Error>) {
    let mut writer = Writer::new(gamewire::BufSink::new(Vec::new()), target);
    writer.put(()).unwrap();
    let buffered = writer.put(encoded.decode());
    assert_eq!(buffered, put);
    assert_eq!(writer.into_sink().into_inner(), BEFORE);
}
