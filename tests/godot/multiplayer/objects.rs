//! Reads full objects and null objects in the arguments of calls.

use crate::support::corpus;
use gamewire::godot::multiplayer::{ObjectReading, Run, godot3, godot4};
use gamewire::godot::{Kind, ObjectRef, VariantRef};

const NULL: &[u8] = b"\x18\0\0\0";
const FIVE: &[u8] = b"\x02\x05";
/// An object of the class `Node`, without properties.
const NODE: &[u8] = b"\x18\0\0\0\x04\0\0\0Node\0\0\0\0";

fn detected<'a>(bytes: &'a [u8]) -> Run<'a> {
    Run::compact(bytes).detect_objects()
}

fn kinds(run: Run<'_>) -> Vec<Kind> {
    run.iter().map(|value| value.unwrap().kind()).collect()
}

/// A call that an engine sent: a `Resource` with a script, and an array.
#[test]
fn an_object_that_the_engine_sent() {
    let hex = String::from_utf8(corpus::read("captures-2/rpc_object_argument.hex")).unwrap();
    let packet = corpus::unhex(hex.trim());
    let godot4::Packet::Call(call) = godot4::Packet::parse(&packet).unwrap() else { panic!() };
    // The default reading mistakes the object for a null, and leaves bytes unread.
    assert_eq!(call.arguments.objects(), ObjectReading::Null);
    assert!(call.arguments.unread().len() > 100);

    let arguments = call.arguments.detect_objects();
    assert_eq!(arguments.objects(), ObjectReading::Full);
    assert!(arguments.check().is_ok() && arguments.unread().is_empty());
    let values: Vec<_> = arguments.iter().map(Result::unwrap).collect();
    let [VariantRef::Object(ObjectRef::Full(object)), VariantRef::Array(_)] = values[..] else {
        panic!("{values:?}")
    };
    assert!(object.class() == "Resource");
    assert_eq!(object.properties().count(), 5);
}

/// In Godot 3, a null object sent by a game that does not allow objects has a flag in its header,
/// so it cannot be mistaken for a full object. The test also contains a PoolVector2Array, because
/// its first byte is the type id of an object in Godot 4.
#[test]
fn objects_of_godot3() {
    const OBJECT: &[u8] = b"\x11\0\0\0\x04\0\0\0Node\0\0\0\0";
    const ID: &[u8] = b"\x11\0\x01\0\0\0\0\0\0\0\0\0";
    const POOL: &[u8] = b"\x18\0\0\0\x01\0\0\0\0\0\x80\x3f\0\0\0\x40";
    const INT: &[u8] = b"\x02\0\0\0\x05\0\0\0";
    for (arguments, objects) in [
        (&[][..], ObjectReading::Null),
        (&[POOL, INT], ObjectReading::Null),
        (&[ID, INT], ObjectReading::Null),
        (&[OBJECT], ObjectReading::Full),
        (&[POOL, OBJECT, ID, INT], ObjectReading::Full),
    ] {
        let packet =
            [b"\0\x01\0\0\0f\0", &[arguments.len() as u8][..], &arguments.concat()].concat();
        let godot3::Packet::Call(call) = godot3::Packet::parse(&packet).unwrap() else { panic!() };
        let run = call.arguments.detect_objects();
        assert_eq!(run.objects(), objects, "{arguments:x?}");
        assert!(run.check().is_ok() && run.unread().is_empty(), "{arguments:x?}");
        assert_eq!(run.iter().filter_map(Result::ok).count(), arguments.len());
        assert_eq!(call.arguments.check().is_ok(), objects == ObjectReading::Null);
    }
}

#[test]
fn the_end_of_the_values_decides() {
    for (bytes, reading) in [
        (&[][..], ObjectReading::Null),
        (FIVE, ObjectReading::Null),
        (NULL, ObjectReading::Null),
        (&[NULL, FIVE].concat(), ObjectReading::Null),
        (&[FIVE, NULL, NULL].concat(), ObjectReading::Null),
        (NODE, ObjectReading::Full),
        (&[FIVE, NODE, FIVE].concat(), ObjectReading::Full),
        (&[NODE, NODE].concat(), ObjectReading::Full),
    ] {
        let run = detected(bytes);
        assert_eq!(run.objects(), reading, "{bytes:x?}");
        assert!(run.check().is_ok() && run.unread().is_empty(), "{bytes:x?}");
    }
    assert_eq!(kinds(detected(&[FIVE, NODE, FIVE].concat())), [Kind::Int, Kind::Object, Kind::Int]);
}

/// A full object in an array has no short form, so only one of the two readings accepts it.
#[test]
fn objects_in_containers() {
    let array = [b"\x1c\0\0\0\x01\0\0\0", NODE].concat();
    assert_eq!(detected(&array).objects(), ObjectReading::Full);
    assert!(Run::compact(&array).check().is_err());
}

/// The eight bytes after the header of the object can be read as two Nils. They can also be read as
/// an empty class name, which makes the object null, and then a Nil.
#[test]
fn both_readings_can_fit() {
    let bytes = [NULL, &[0; 8]].concat();
    let run = detected(&bytes);
    assert_eq!(run.objects(), ObjectReading::Either);
    assert_eq!(kinds(run), [Kind::Object, Kind::Nil, Kind::Nil]);
    let full = run.with_objects(ObjectReading::Full);
    assert_eq!(kinds(full), [Kind::Object, Kind::Nil]);
}

/// If bytes follow the announced values of a call, `unread` returns these bytes.
#[test]
fn unread_bytes() {
    let call = |count: u8, arguments: &[u8]| {
        let mut packet = b"\0\x01\x04".to_vec();
        packet.push(count);
        packet.extend(arguments);
        packet
    };
    for (count, arguments, objects, unread) in [
        (1, [FIVE, b"abc"].concat(), ObjectReading::Null, &b"abc"[..]),
        (1, [NULL, b"ab"].concat(), ObjectReading::Null, b"ab"),
        (1, [NODE, b"ab"].concat(), ObjectReading::Full, b"ab"),
        (2, [NODE, FIVE].concat(), ObjectReading::Full, b""),
    ] {
        let packet = call(count, &arguments);
        let godot4::Packet::Call(call) = godot4::Packet::parse(&packet).unwrap() else { panic!() };
        let run = call.arguments.detect_objects();
        assert_eq!((run.objects(), run.unread()), (objects, unread), "{arguments:x?}");
    }
}

/// If a run is malformed in both readings, the error is that of the default reading.
#[test]
fn malformed_values() {
    let bytes = [NODE, b"\xff"].concat();
    let run = detected(&bytes);
    assert_eq!(run.objects(), ObjectReading::Null);
    assert!(run.check().is_err() && run.unread().is_empty());
}
