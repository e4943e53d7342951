//! Tests the exact wording of error messages.

use gamewire::godot::multiplayer::{Fault, Message};
use gamewire::godot::{Deviation, Error, ErrorKind, Kind, Unrepresentable};
use gamewire::{Full, UnexpectedEnd};

#[test]
fn messages_of_godot_errors() {
    for (kind, text) in [
        (
            ErrorKind::UnexpectedEnd { missing: 3 },
            "the packet ends inside a value (bytes missing: 3)",
        ),
        (
            ErrorKind::UnknownType { id: 39 },
            "39 is not a type id of this dialect (expected the header of a value)",
        ),
        (
            ErrorKind::NegativeLength(0x8000_0001),
            "expected a length, found 0x80000001, which is negative",
        ),
        (ErrorKind::TooLarge, "the value takes 2 GiB or more"),
        (ErrorKind::TooDeep { limit: 5 }, "more than 5 nested containers"),
        (ErrorKind::ObjectNotAllowed, "found a full object, but objects are not allowed"),
        (
            ErrorKind::OldNodePath,
            "a NodePath in the old form, which this dialect does not have (bit 31 of the count is clear)",
        ),
        (
            ErrorKind::UnknownElementType { id: 77 },
            "77 is not an element type of a typed container",
        ),
        (ErrorKind::BadText, "text that is not UTF-8"),
        (ErrorKind::TrailingBytes { count: 4 }, "unexpected bytes after the value: 4"),
        (ErrorKind::FrameTooLong { len: 9 }, "a frame of 9 bytes is longer than allowed"),
        (
            ErrorKind::WrongType { expected: Kind::Vector2, found: Kind::Int },
            "expected Vector2, found Int",
        ),
        (ErrorKind::WrongCount { found: 2 }, "unexpected number of items: 2"),
        (ErrorKind::NoSuchPath, "there is no value at this path"),
        (
            ErrorKind::IsContainer(Kind::Array),
            "the Array at this path can only be changed item by item",
        ),
        (ErrorKind::DoesNotFit, "the new number or object does not fit the bytes of the old one"),
        (
            ErrorKind::WrongSize { expected: 8 },
            "the new value does not have the size of the old one (8 bytes)",
        ),
        (ErrorKind::WrongWidth, "the reals do not have the width of the borrowed type"),
        (ErrorKind::Multiplayer(Fault::Unterminated), "a name without a NUL at its end"),
        (ErrorKind::NoSuchType(Kind::Image), "the target has no Image"),
        (
            ErrorKind::Unrepresentable(Kind::Rid, Unrepresentable::RidId),
            "the target cannot write this Rid: its RIDs carry no id",
        ),
        (ErrorKind::TooLong, "the count or length does not fit in 31 bits"),
        (ErrorKind::TooManyItems, "more items than the container announced"),
        (ErrorKind::MissingItems(2), "2 items fewer than the container announced"),
        (ErrorKind::OutOfTurn, "a property's name and value in the wrong order"),
        (ErrorKind::HalfWritten, "an earlier value was left half-written"),
        (ErrorKind::BufferFull { missing: 7 }, "the buffer is full (bytes missing: 7)"),
    ] {
        assert_eq!(kind.to_string(), text);
        let error = Error::new(kind, 31);
        assert_eq!(error.to_string(), format!("{text} at offset 31 (0x1f)"));
        assert_eq!(error.shifted(1).to_string(), format!("{text} at offset 32 (0x20)"));
        let missing = matches!(kind, ErrorKind::UnexpectedEnd { .. }).then_some(3);
        assert_eq!(error.missing(), missing);
    }
    let last = Error::new(ErrorKind::BadText, u64::MAX).shifted(5);
    assert_eq!(last.offset(), u64::MAX);
}

#[test]
fn messages_of_values_unsupported_by_the_target() {
    for (unrepresentable, text) in [
        (Unrepresentable::WideInt, "it has no 64-bit integers"),
        (Unrepresentable::DoubleReal, "it has no double-precision reals"),
        (Unrepresentable::TypedContainer, "it has no typed containers of this kind"),
        (Unrepresentable::RidId, "its RIDs carry no id"),
        (Unrepresentable::Object, "its objects are always null"),
        (Unrepresentable::NoClass, "a full object needs a class"),
        (Unrepresentable::ElementType, "it has no such element type"),
    ] {
        assert_eq!(unrepresentable.to_string(), text);
    }
}

#[test]
fn messages_of_multiplayer_faults() {
    let (message, least) = (Message::Auth, 3);
    for (fault, text) in [
        (Fault::TooShort { message, least }, "expected an AUTH of at least 3 bytes, found fewer"),
        (Fault::TooLong(Message::PeerId), "more bytes than a peer's id has"),
        (Fault::UnknownCommand(9), "9 is not a command of a multiplayer packet"),
        (Fault::UnknownSystemCommand(9), "9 is not a system command"),
        (Fault::NodeIdSize, "3 is not a size of a node id"),
        (Fault::PathOutside { at: 7 }, "the node path at byte 7 lies outside the packet"),
        (Fault::Unterminated, "a name without a NUL at its end"),
        (Fault::NoName, "a spawned node without a name"),
        (Fault::SystemRelayed, "the relayed packet is a system packet"),
        (Fault::NoId(0x8000_0000), "0x80000000 is not an id, because bit 31 is set"),
        (Fault::TooManyArguments(256), "a call with 256 arguments, but at most 255 are possible"),
    ] {
        assert_eq!(fault.to_string(), text);
    }
    for (message, text) in [
        (Message::Packet, "a packet"),
        (Message::Call, "a REMOTE_CALL"),
        (Message::Set, "a REMOTE_SET"),
        (Message::SimplifyPath, "a SIMPLIFY_PATH"),
        (Message::ConfirmPath, "a CONFIRM_PATH"),
        (Message::Raw, "a RAW packet"),
        (Message::Spawn, "a SPAWN"),
        (Message::Despawn, "a DESPAWN"),
        (Message::Sync, "a SYNC"),
        (Message::Delta, "a SYNC of changes"),
        (Message::System, "a SYS packet"),
        (Message::AddPeer, "an ADD_PEER"),
        (Message::DelPeer, "a DEL_PEER"),
        (Message::Relay, "a RELAY"),
        (Message::EnetPrefix, "a packet in ENet"),
        (Message::EnetConfig, "a message on ENet's channel 0"),
        (Message::WebSocketPrefix, "a packet in a WebSocket"),
        (Message::WebSocketPeer, "a WebSocket message about a peer"),
    ] {
        assert_eq!(message.to_string(), text);
    }
}

#[test]
fn messages_of_buffer_errors() {
    let full = Full { missing: 4 };
    assert_eq!(full.to_string(), "the sink is full (bytes missing: 4)");
    assert_eq!(ErrorKind::from(full), ErrorKind::BufferFull { missing: 4 });
    let end = UnexpectedEnd { missing: 5 };
    assert_eq!(end.to_string(), "the input ends (bytes missing: 5)");
    let error = gamewire::Error::new(end, 2);
    assert_eq!(error.to_string(), "the input ends (bytes missing: 5) at offset 2 (0x2)");
    assert_eq!(Error::from(error), Error::new(ErrorKind::UnexpectedEnd { missing: 5 }, 2));
    let strict = ErrorKind::NotCanonical(Deviation::Pad);
    assert_eq!(strict.to_string(), format!("not canonical: {}", Deviation::Pad));
}

#[cfg(feature = "serde")]
#[test]
fn messages_of_serde_errors() {
    use gamewire::godot::{Array, Dialect, Variant, from_bytes};

    let packet = Variant::from(Array::from_iter([1, 300])).to_bytes(Dialect::Godot4).unwrap();
    let error = from_bytes::<Vec<u8>>(&packet).unwrap_err();
    assert_eq!(
        format!("{error:?}"),
        "Error { message: \"invalid value: integer `300`, expected u8\", offset: Some(16), path: \"1\" }"
    );
    let error = from_bytes::<Vec<u8>>(&packet[..20]).unwrap_err();
    assert_eq!(
        format!("{error:?}"),
        "Error { kind: UnexpectedEnd { missing: 4 }, offset: Some(20), path: \"1\" }"
    );
    assert_eq!((error.offset(), error.path()), (20, "1"));
}
