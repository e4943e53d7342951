//! Reads and writes `MultiplayerAPI` packets: packets from a session of Godot 3.2.3, and packets
//! derived by hand.

use super::bytes;
use super::check_laws;
use super::fault;
use gamewire::godot::VariantRef;
use gamewire::godot::multiplayer::godot3::{Packet, PacketWriter};
use gamewire::godot::multiplayer::transport::{
    EnetConfig, EnetPrefix, WebSocketBody, WebSocketMessage,
};
use gamewire::godot::multiplayer::{Fault, Message, NodeRef};

fn parse(packet: &[u8]) -> Packet<'_> {
    check_laws(packet);
    Packet::parse(packet).unwrap()
}

fn written(write: impl Fn(&mut PacketWriter<&mut Vec<u8>>)) -> Vec<u8> {
    let mut packet = Vec::new();
    write(&mut PacketWriter::new(&mut packet));
    packet
}

fn too_short(message: Message, least: u8) -> Fault {
    Fault::TooShort { message, least }
}

/// Decodes and encodes the packets of the client and the server. In the hexadecimal strings, each
/// packet follows the prefix of its ENet message.
#[test]
fn packets_of_a_session_round_trip() {
    let node = NodeRef::Path("N".into());
    let path = || Packet::SimplifyPath { id: 1, path: "N".into() };
    let client = |hex: &str, target| {
        let message = bytes(hex);
        let (prefix, packet) = EnetPrefix::split(&message).unwrap();
        assert_eq!((prefix.source.get(), prefix.target.get()), (0x12d3_a3ca, target));
        let mut again = Vec::new();
        EnetPrefix::new(0x12d3_a3ca, target).write(&mut again).unwrap();
        assert_eq!([&again, packet].concat(), message);
        packet.to_vec()
    };

    let packet = client(
        "caa3d312 01000000 | from the client, to the server
                         02 01000000 4e00  | SIMPLIFY_PATH: 1 is N",
        1,
    );
    assert_eq!(parse(&packet), path());
    assert_eq!(written(|out| out.put(&path()).unwrap()), packet);

    let packet = client(
        "caa3d312 01000000
         00                | REMOTE_CALL
         2e000080          | path at byte 46
         666f6f00 03       | foo, three arguments
         02000000 01000000
         04000000 01000000 61000000
         13000000 01000000 01000000 01000000
         4e00              | N",
        1,
    );
    let Packet::Call(call) = parse(&packet) else { panic!() };
    assert!(call.node == node && call.method == "foo");
    let values: Vec<_> = call.arguments.iter().map(Result::unwrap).collect();
    assert!(matches!(
        values[..],
        [VariantRef::Int(1), VariantRef::String(_), VariantRef::Array(_)]
    ));
    assert_eq!(call.arguments.offset(), 10);
    assert_eq!(written(|out| out.put(&Packet::Call(call)).unwrap()), packet);
    assert_eq!(written(|out| out.call(node, "foo", &values[..]).unwrap()), packet);

    let packet = bytes("03 4e00 | CONFIRM_PATH: N");
    assert_eq!(parse(&packet), Packet::ConfirmPath { path: "N".into() });

    let packet = client(
        "caa3d312 01000000
         00 01000000       | REMOTE_CALL of 1
         666f6f00 03       | foo(1.5, \"a\", Vector2(1, 2))
         03000000 0000c03f
         04000000 01000000 61000000
         05000000 0000803f 00000040",
        1,
    );
    let again = written(|out| {
        let place = gamewire::godot::Vector2 { x: 1.0_f32, y: 2.0 };
        out.call(NodeRef::Cached(1), "foo", (1.5, "a", place)).unwrap();
    });
    assert_eq!(again, packet);
    assert!(matches!(parse(&packet), Packet::Call(call) if call.arguments.iter().count() == 3));

    let packet = client(
        "caa3d312 01000000
         00 01000000
         62617200 01       | bar(PoolByteArray(1, 2, 3))
         14000000 03000000 01020300",
        1,
    );
    let again = written(|out| out.call(NodeRef::Cached(1), "bar", (&[1_u8, 2, 3][..],)).unwrap());
    assert_eq!(again, packet);

    let packet = client(
        "caa3d312 01000000
         01 01000000       | REMOTE_SET of 1
         767600            | vv
         02000000 2a000000",
        1,
    );
    let Packet::Set(set) = parse(&packet) else { panic!() };
    assert_eq!(set.value.iter().read().unwrap().unwrap().as_i64(), Some(42));
    assert_eq!(written(|out| out.set(NodeRef::Cached(1), "vv", 42).unwrap()), packet);

    let packet = client("caa3d312 01000000 04 090807 | RAW", 1);
    assert_eq!(parse(&packet), Packet::Raw(&[9, 8, 7]));
}

#[test]
fn malformed_packets_are_rejected() {
    let refused = |hex: &str, why, offset| {
        let packet = bytes(hex);
        check_laws(&packet);
        fault(Packet::parse(&packet).unwrap_err(), why, offset);
        fault(Packet::parse_at(&packet, 7).unwrap_err(), why, offset + 7);
    };
    refused("", too_short(Message::Packet, 1), 0);
    refused("05", Fault::UnknownCommand(5), 0);
    refused("00 01000000", too_short(Message::Call, 6), 5);
    refused("01 01000000", too_short(Message::Set, 6), 5);
    refused("00 01000000 666f", Fault::Unterminated, 5);
    refused("00 01000000 6600", too_short(Message::Call, 7), 7);
    refused("01 01000000 6600", too_short(Message::Set, 7), 7);
    refused("00 08000080 6600 00", Fault::PathOutside { at: 8 }, 1);
    refused("02 010000", too_short(Message::SimplifyPath, 5), 4);
    refused("03", too_short(Message::ConfirmPath, 2), 1);
    refused("04", too_short(Message::Raw, 2), 1);
    let none = written(|out| {
        assert!(out.put(&Packet::Raw(&[])).is_err());
        assert!(out.call(NodeRef::Cached(1 << 31), "foo", ()).is_err());
    });
    assert!(none.is_empty());
}

/// The offset of a path may point at the name of the property. The value then extends to the end of
/// the packet.
#[test]
fn path_may_overlap_the_property_name() {
    let packet = bytes("01 05000080 4e00 01000000 01000000 | property and path are N");
    let Packet::Set(set) = parse(&packet) else { panic!() };
    assert!(set.property == "N" && set.node == NodeRef::Path("N".into()));
    assert_eq!(set.value.as_bytes().len(), 8);
}

#[test]
fn enet_config_packets_round_trip() {
    for (hex, message) in [
        ("00000000 05000000", EnetConfig::AddPeer(5)),
        ("01000000 05000000", EnetConfig::RemovePeer(5)),
    ] {
        assert_eq!(EnetConfig::parse(&bytes(hex)), Ok(message));
        let mut again = Vec::new();
        message.write(&mut again).unwrap();
        assert_eq!(again, bytes(hex));
    }
    let error = EnetConfig::parse(&bytes("02000000 05000000")).unwrap_err();
    fault(error, Fault::UnknownCommand(2), 0);
    fault(EnetConfig::parse(&[0; 7]).unwrap_err(), too_short(Message::EnetConfig, 8), 7);
    fault(EnetPrefix::split(&[0; 7]).unwrap_err(), too_short(Message::EnetPrefix, 8), 7);
}

#[test]
fn websocket_messages_round_trip() {
    for (hex, body) in [
        ("00 02000000 01000000 0401", WebSocketBody::Packet(&[4, 1])),
        ("01 02000000 01000000 07000000", WebSocketBody::AddPeer(7)),
        ("02 02000000 01000000 07000000", WebSocketBody::RemovePeer(7)),
        ("03 02000000 01000000 07000000", WebSocketBody::YourId(7)),
    ] {
        let message = bytes(hex);
        let expected = WebSocketMessage { from: 2, to: 1, body };
        assert_eq!(WebSocketMessage::parse(&message), Ok(expected));
        let mut again = Vec::new();
        expected.write(&mut again).unwrap();
        assert_eq!(again, message);
        check_laws(&message);
    }
    let parse = |hex| WebSocketMessage::parse(&bytes(hex)).map(drop).unwrap_err();
    fault(parse("00 02000000 010000"), too_short(Message::WebSocketPrefix, 9), 8);
    fault(parse("03 02000000 01000000 070000"), too_short(Message::WebSocketPeer, 13), 12);
    fault(parse("04 02000000 01000000"), Fault::UnknownCommand(4), 0);
}

/// A packet stores the number of arguments in one byte.
#[test]
fn call_accepts_at_most_255_arguments() {
    let node = NodeRef::Cached(1);
    let arguments = [VariantRef::Nil; 256];
    let mut writer = PacketWriter::new(Vec::new());
    writer.call(node, "f", &arguments[..255]).unwrap();
    assert_eq!(writer.sink().len(), 1 + 4 + 2 + 1 + 4 * 255);
    let error = writer.call(node, "f", &arguments[..]).unwrap_err();
    fault(error, Fault::TooManyArguments(256), 1028);
    let packet = writer.into_sink();
    let Packet::Call(call) = parse(&packet) else { panic!() };
    assert_eq!(call.arguments.iter().count(), 255);
}

/// If a packet does not fit into the sink, no part of it is written.
#[test]
fn packets_beyond_the_capacity_write_nothing() {
    let path = NodeRef::Path("/root/a".into());
    let cached = written(|out| out.set(NodeRef::Cached(1), "name", "x").unwrap());
    let by_path = written(|out| out.call(path, "f", (1, "x")).unwrap());
    for capacity in 0..by_path.len() {
        let mut memory = [0; 100];
        let mut writer = PacketWriter::new(gamewire::SliceSink::new(&mut memory[..capacity]));
        assert!(writer.call(path, "f", (1, "x")).is_err());
        assert!(writer.sink().written().is_empty());
        let set = writer.set(NodeRef::Cached(1), "name", "x");
        assert_eq!(set.is_ok(), capacity >= cached.len());
        let expected = if set.is_ok() { &cached[..] } else { &[] };
        assert_eq!(writer.into_sink().into_written(), expected);
    }
}
