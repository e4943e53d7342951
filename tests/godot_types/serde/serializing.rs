//! Serializes unusual types to packets and to JSON. Some announce a wrong number of items, some
//! check whether the format is human-readable, and some are views of values.

use gamewire::godot::serde::to_append_only;
use gamewire::godot::{Dialect, ErrorKind, Reader, Vector2, Wide, Writer, to_vec, to_writer};
use serde::Serialize;
use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

/// The compound types of serde's data model.
#[derive(Clone, Copy, Debug)]
enum As {
    Seq,
    Tuple,
    TupleStruct,
    TupleVariant,
    Map,
    Struct,
    StructVariant,
}

const ALL: [As; 7] =
    [As::Seq, As::Tuple, As::TupleStruct, As::TupleVariant, As::Map, As::Struct, As::StructVariant];

/// A value that serializes as a compound type. The fields are the type, the announced number of
/// items, and the items.
#[derive(Clone)]
struct Announced<T>(As, usize, Vec<T>);

const FIELDS: [&str; 3] = ["a", "b", "c"];

impl<T: Serialize> Serialize for Announced<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(form, len, ref items) = *self;
        let mut fields = FIELDS.iter().zip(items);
        match form {
            As::Seq => {
                let mut to = to.serialize_seq(Some(len))?;
                items.iter().try_for_each(|item| to.serialize_element(item))?;
                to.end()
            }
            As::Tuple => {
                let mut to = to.serialize_tuple(len)?;
                items.iter().try_for_each(|item| to.serialize_element(item))?;
                to.end()
            }
            As::TupleStruct => {
                let mut to = to.serialize_tuple_struct("T", len)?;
                items.iter().try_for_each(|item| to.serialize_field(item))?;
                to.end()
            }
            As::TupleVariant => {
                let mut to = to.serialize_tuple_variant("T", 0, "V", len)?;
                items.iter().try_for_each(|item| to.serialize_field(item))?;
                to.end()
            }
            As::Map => {
                let mut to = to.serialize_map(Some(len))?;
                fields.try_for_each(|(name, item)| to.serialize_entry(name, item))?;
                to.end()
            }
            As::Struct => {
                let mut to = to.serialize_struct("T", len)?;
                fields.try_for_each(|(name, item)| to.serialize_field(name, item))?;
                to.end()
            }
            As::StructVariant => {
                let mut to = to.serialize_struct_variant("T", 0, "V", len)?;
                fields.try_for_each(|(name, item)| to.serialize_field(name, item))?;
                to.end()
            }
        }
    }
}

/// The serializer writes the real number of items, even if a different number was announced. On a
/// sink whose written bytes cannot be changed, a wrong number is an error.
#[test]
fn wrong_item_counts_are_corrected_or_rejected() {
    for form in ALL {
        for len in 0..3 {
            let items = || FIELDS[..len].to_vec();
            let right = to_vec(&Announced(form, len, items())).unwrap();
            for announced in 0..3 {
                let wrong = Announced(form, announced, items());
                assert_eq!(to_vec(&wrong).unwrap(), right, "{form:?} {announced} for {len}");
                let mut packet = Vec::new();
                let mut writer = Writer::new(&mut packet, Dialect::Godot4);
                let written = to_append_only(&mut writer, &wrong);
                // A sequence of bytes has a different header from other sequences, so the header of
                // a sequence is only written with its first item. If there is no item, the
                // announced number is not used.
                let is_valid = announced == len || (len == 0 && matches!(form, As::Seq));
                assert_eq!(written.is_ok(), is_valid, "{form:?} {announced} for {len}");
            }
        }
    }
}

/// A value nested in this many containers.
struct Inside(As, usize);

impl Serialize for Inside {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(form, levels) = *self;
        let items = if levels == 1 { Vec::new() } else { vec![Self(form, levels - 1)] };
        Announced(form, items.len(), items).serialize(to)
    }
}

/// The depth limit applies to nested containers and not to siblings.
#[test]
fn sibling_containers_do_not_count_as_nested() {
    let deep = || {
        for form in ALL {
            let each = if matches!(form, As::TupleVariant | As::StructVariant) { 2 } else { 1 };
            // An empty container may be one level deeper than a container with items.
            let most = 1024 / each + usize::from(each == 1);
            let many = vec![Announced(form, 1, vec![5]); 1100];
            assert!(to_vec(&many).is_ok(), "{form:?}");
            assert!(to_vec(&(Inside(form, most - 1), Inside(form, most - 1))).is_ok(), "{form:?}");
            let packet = to_vec(&Inside(form, most)).unwrap();
            assert_eq!(Reader::new(&packet, Dialect::Godot4).skip(), Ok(()), "{form:?}");
            let error = to_vec(&Inside(form, most + 1)).unwrap_err();
            assert_eq!(error.kind(), Some(&ErrorKind::TooDeep { limit: 1024 }), "{form:?}");
        }
    };
    // 1,024 levels of serde's calls exceed the stack of a test thread in an unoptimised build.
    std::thread::Builder::new().stack_size(64 << 20).spawn(deep).unwrap().join().unwrap();
}

/// A type that serializes as text in human-readable formats, and as a number in other formats.
struct Level(u8);

impl Serialize for Level {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match to.is_human_readable() {
            true => to.collect_str(&format_args!("level {}", self.0)),
            false => to.serialize_u8(self.0),
        }
    }
}

#[test]
fn type_that_checks_readability_is_written_as_bytes() {
    assert_eq!(to_vec(&[Level(1), Level(2)][..]).unwrap(), to_vec(&[1_u8, 2][..]).unwrap());
    assert_eq!(serde_json::to_string(&[Level(1)]).unwrap(), r#"["level 1"]"#);
}

fn packet(value: impl gamewire::godot::ToVariant) -> Vec<u8> {
    let mut packet = Vec::new();
    Writer::new(&mut packet, Dialect::Godot4).put(value).unwrap();
    packet
}

/// A view of a container is serialized with its original bytes, even if an engine would use a
/// shorter encoding.
#[test]
fn views_of_containers_keep_their_bytes() {
    let mut array = Vec::new();
    let mut writer = Writer::new(&mut array, Dialect::Godot4);
    let mut items = writer.array(1).unwrap();
    items.put(Wide(5_i64)).unwrap();
    items.finish().unwrap();
    let mut object = b"\x18\0\0\0\x01\0\0\0N\0\0\0\x01\0\0\0\x01\0\0\0a\xff\xff\xff".to_vec();
    object.extend(packet(Wide(5_i64)));
    let dictionary = [&b"\x1b\0\0\0\x01\0\0\0"[..], &packet(1), &packet(Wide(5_i64))].concat();
    for packet in [array, dictionary, object] {
        let value = Reader::new(&packet, Dialect::Godot4).read().unwrap();
        assert_eq!(to_vec(&value).unwrap(), packet);
        let mut again = Vec::new();
        to_writer(&mut Writer::new(&mut again, Dialect::Godot4), &value).unwrap();
        assert_eq!(again, packet);
    }
    // The view of a leaf does not contain its original bytes, so it is serialized in the shortest
    // encoding.
    let wide = packet(Wide(5_i64));
    let value = Reader::new(&wide, Dialect::Godot4).read().unwrap();
    assert_eq!(to_vec(&value).unwrap(), packet(5));
}

#[test]
fn json_of_single_precision_numbers_is_short() {
    for (packet, json) in [
        (packet(Vector2 { x: 0.1_f32, y: 0.2 }), "[0.1,0.2]"),
        (packet(Vector2 { x: 0.1_f64, y: 0.2 }), "[0.1,0.2]"),
        (packet(Vector2 { x: f64::from(0.1_f32), y: 0.2 }), "[0.10000000149011612,0.2]"),
        (packet(Vector2 { x: 1, y: 2 }), "[1,2]"),
        (packet(&[0.1_f32, 0.2][..]), "[0.1,0.2]"),
        (packet(&[0.1_f64, 0.2][..]), "[0.1,0.2]"),
    ] {
        let value = Reader::new(&packet, Dialect::Godot4).read().unwrap();
        assert_eq!(serde_json::to_string(&value).unwrap(), json);
    }
}
