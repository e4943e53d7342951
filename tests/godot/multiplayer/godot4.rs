//! Reads and writes `SceneMultiplayer` packets whose bytes were derived by hand.

use super::bytes;
use super::check_laws;
use super::fault;
use gamewire::SliceSink;
use gamewire::godot::compact::CompactWriter;
use gamewire::godot::multiplayer::godot4::{
    Call, ConfirmPath, Delta, Method, NetId, Packet, PacketReader, PacketWriter, Relay, Scene,
    SimplifyPath, Spawn, Sync, System, relay_head,
};
use gamewire::godot::multiplayer::{Fault, Message, NodeRef, Run, ToVariants, transport};
use gamewire::godot::{Dialect, ErrorKind, Target, U32, VariantRef, Vector2, Wide};

fn parse(packet: &[u8]) -> Packet<'_> {
    check_laws(packet);
    Packet::parse(packet).unwrap()
}

fn call(packet: &[u8]) -> Call<'_> {
    match parse(packet) {
        Packet::Call(call) => call,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn refused(packet: &[u8], why: Fault, offset: u64) {
    check_laws(packet);
    fault(Packet::parse(packet).unwrap_err(), why, offset);
    let far = PacketReader::new(packet).origin(1000).read();
    fault(far.unwrap_err(), why, offset + 1000);
}

fn written(write: impl Fn(&mut PacketWriter<&mut Vec<u8>>)) -> Vec<u8> {
    let mut packet = Vec::new();
    write(&mut PacketWriter::new(&mut packet, Dialect::Godot4));
    packet
}

fn too_short(message: Message, least: u8) -> Fault {
    Fault::TooShort { message, least }
}

/// Node ids take one, two or four bytes; method ids take one or two.
#[test]
fn ids_have_every_documented_size() {
    for (node, method, hex) in [
        (
            1,
            2,
            "80 | u8, u8, raw
                01 02",
        ),
        (255, 255, "80 ff ff"),
        (
            256,
            2,
            "90 | u16, u8
                  0001 02",
        ),
        (
            65535,
            0x8003,
            "d0 | u16, u16, a method of the node
                         ffff 0380",
        ),
        (
            65536,
            256,
            "e0 | u32, u16
                      00000100 0001",
        ),
    ] {
        let packet = bytes(hex);
        let call = call(&packet);
        assert_eq!((call.node, call.method), (NodeRef::Cached(node), Method(method)));
        assert_eq!(
            (call.method.index(), call.method.is_of_node()),
            (method & 0x7FFF, method > 999)
        );
        assert_eq!(call.arguments.announced(), Some(0));
        let again = written(|out| out.call(NodeRef::Cached(node), method, ()).unwrap());
        assert_eq!(again, packet);
    }
    // An id that is encoded in more bytes than necessary is accepted.
    let wide = bytes(
        "e0 | u32, u16
                      01000000 0200",
    );
    assert_eq!((call(&wide).node, call(&wide).method), (NodeRef::Cached(1), Method(2)));
    let none = written(|out| {
        assert!(out.call(NodeRef::Cached(1 << 31), 1, ()).is_err());
        assert!(out.call(NodeRef::Cached(1), 1, &[VariantRef::Nil; 256][..]).is_err());
    });
    assert!(none.is_empty());
}

#[test]
fn arguments_round_trip() {
    let packet = bytes(
        "00          | u8, u8
         07 03       | node 7, method 3
         05          | five arguments
         81          | true
         42 2c01     | 300
         04000000 02000000 68690000
         05000000 0000803f 00000040
         18000000    | an object that is null",
    );
    let call = call(&packet);
    assert_eq!(call.arguments.announced(), Some(5));
    assert_eq!((call.arguments.offset(), call.arguments.is_raw()), (4, false));
    let values: Result<Vec<_>, _> = call.arguments.iter().collect();
    let [
        VariantRef::Bool(true),
        VariantRef::Int(300),
        VariantRef::String(text),
        VariantRef::Vector2(at),
        null,
    ] = values.unwrap()[..]
    else {
        panic!("{call:?}")
    };
    assert!(text == "hi" && at.get() == Vector2 { x: 1.0, y: 2.0 } && null.is_nil());

    let again = written(|out| {
        let at = Vector2 { x: 1.0_f32, y: 2.0 };
        out.call(NodeRef::Cached(7), 3, (true, 300, "hi", at, ())).unwrap();
    });
    assert_eq!(again[..again.len() - 4], packet[..packet.len() - 4]);
    assert_eq!(again[again.len() - 4..], [0; 4]); // The writer encodes a null object as Nil.
}

/// If the only argument of a call is a byte array, the call contains the bytes of the array without
/// a header. An empty array is written in its full encoding, because a call without bytes has no
/// argument.
#[test]
fn only_a_lone_byte_array_is_sent_raw() {
    let packet = bytes(
        "80 07 03 | raw
                        010203",
    );
    let call = call(&packet);
    let values: Vec<_> = call.arguments.iter().map(Result::unwrap).collect();
    assert!(call.arguments.is_raw() && call.arguments.announced() == Some(1));
    assert!(values.len() == 1 && values[0].as_bytes() == Some(&[1, 2, 3]));
    assert_eq!(written(|out| out.call(call.node, 3, (&[1_u8, 2, 3][..],)).unwrap()), packet);
    assert_eq!(written(|out| out.call(call.node, 3, &values[..]).unwrap()), packet);
    assert_eq!(written(|out| out.call(call.node, 3, call.arguments).unwrap()), packet);

    let empty = bytes(
        "00 07 03 01 | one argument
                       1d000000 00000000",
    );
    assert_eq!(written(|out| out.call(call.node, 3, (&[][..] as &[u8],)).unwrap()), empty);
    // A byte array next to another argument is written in its full encoding.
    let two = written(|out| out.call(call.node, 3, (&[1_u8][..], 5)).unwrap());
    assert_eq!(
        two,
        bytes(
            "00 07 03 02
                           1d000000 01000000 01000000
                           02 05"
        )
    );
    // The reader of the arguments returns the raw bytes as one value in compact encoding.
    let encoded = call.arguments.iter().read_encoded().unwrap().unwrap();
    assert!(encoded.is_compact() && encoded.as_bytes() == [1, 2, 3]);
    assert_eq!(written(|out| out.call(call.node, 3, (encoded, 5)).unwrap())[3], 2);
}

#[test]
fn calls_by_path_round_trip() {
    let packet = bytes(
        "20             | u32, u8
         0b000080       | path at byte 11
         03             | method 3
         02             | two arguments
         02 05          | 5
         02 fb          | -5
         4e2f6100       | N/a",
    );
    let call = call(&packet);
    assert_eq!(call.node, NodeRef::Path("N/a".into()));
    assert_eq!(call.arguments.as_bytes(), [2, 5, 2, 0xfb]);
    assert_eq!(written(|out| out.call(call.node, 3, (5, -5)).unwrap()), packet);
    let packet = bytes(
        "a0 07000080 03 | raw
                        09             | its only byte
                        4e00",
    );
    assert_eq!(
        written(|out| out.call(NodeRef::Path("N".into()), 3, (&[9_u8][..],)).unwrap()),
        packet
    );
    assert!(matches!(parse(&packet), Packet::Call(call) if call.arguments.as_bytes() == [9]));

    // The NUL after a path is optional, and the path may overlap the position of the arguments.
    let odd = bytes("a0 06000080 03 4e2f61");
    assert!(matches!(parse(&odd), Packet::Call(call) if call.node == NodeRef::Path("N/a".into())));
    let inside = bytes("a0 01000080 03 09");
    assert!(matches!(parse(&inside), Packet::Call(call) if call.arguments.announced() == Some(0)));
}

#[test]
fn malformed_calls_are_rejected() {
    refused(&[], too_short(Message::Packet, 1), 0);
    refused(&bytes("30 00000000 00"), Fault::NodeIdSize, 0);
    refused(&bytes("00 01"), too_short(Message::Call, 3), 2);
    refused(&bytes("40 01 01"), too_short(Message::Call, 4), 3);
    refused(&bytes("10 01 00"), too_short(Message::Call, 4), 3);
    refused(&bytes("20 01000000"), too_short(Message::Call, 6), 5);
    refused(&bytes("60 01000000 01"), too_short(Message::Call, 7), 6);
    refused(&bytes("00 01 02"), too_short(Message::Call, 4), 3); // no count
    refused(&bytes("20 06000080 02 4e00"), too_short(Message::Call, 7), 6); // the path replaces the arguments
    refused(&bytes("a0 08000080 02 4e00"), Fault::PathOutside { at: 8 }, 1);
    refused(&bytes("a0 ffffffff 02 4e00"), Fault::PathOutside { at: 0x7FFF_FFFF }, 1);
}

/// Parsing accepts a call with a malformed argument. The error occurs when the argument is read,
/// and its offset is relative to the start of the input.
#[test]
fn malformed_arguments_fail_when_read() {
    let packet = bytes(
        "00 07 03 03 | three arguments
                        81
                        27          | no type",
    );
    let Packet::Call(call) = PacketReader::new(&packet).origin(50).read().unwrap() else {
        panic!()
    };
    let mut arguments = call.arguments.iter();
    assert!(arguments.next().unwrap().unwrap().as_bool().unwrap());
    let error = arguments.next().unwrap().unwrap_err();
    assert_eq!((*error.kind(), error.offset()), (ErrorKind::UnknownType { id: 0x27 }, 55));
    assert!(arguments.next().is_none());
    // The packet contains fewer arguments than it announces.
    let packet = bytes("00 07 03 02 81");
    let Packet::Call(call) = parse(&packet) else { panic!() };
    assert_eq!(call.arguments.iter().last().unwrap().unwrap_err().missing(), Some(1));
    // Bytes after the last argument are ignored.
    let packet = bytes("00 07 03 01 81 aaaa");
    let Packet::Call(call) = parse(&packet) else { panic!() };
    let mut arguments = call.arguments.iter();
    assert_eq!(arguments.by_ref().count(), 1);
    assert_eq!(arguments.rest(), [0xaa, 0xaa]);
}

#[test]
fn path_packets_round_trip() {
    let packet = bytes(
        "01 | SIMPLIFY_PATH
         6434316438636439386630306232303465393830303939386563663834323765 00 | of no names
         02000000 | number 2
         4e2f6100 | N/a",
    );
    let expected =
        SimplifyPath { checksum: b"d41d8cd98f00b204e9800998ecf8427e", id: 2, path: "N/a".into() };
    assert_eq!(parse(&packet), Packet::SimplifyPath(expected));
    assert_eq!(written(|out| out.put(&Packet::SimplifyPath(expected)).unwrap()), packet);
    assert!(Packet::parse(&packet[..38]).is_ok(), "an empty path");
    refused(&packet[..37], too_short(Message::SimplifyPath, 38), 37);

    let number = bytes("02 01 07000000");
    let expected = ConfirmPath { checksum_ok: true, node: NodeRef::Cached(7) };
    assert_eq!(parse(&number), Packet::ConfirmPath(expected));
    assert_eq!(written(|out| out.put(&Packet::ConfirmPath(expected)).unwrap()), number);
    refused(&number[..5], too_short(Message::ConfirmPath, 6), 5);
    refused(&bytes("02 01 07000000 00"), Fault::TooLong(Message::ConfirmPath), 6);

    let path = bytes("02 00 4e2f6100");
    let old = |bytes| PacketReader::new(bytes).target(Target::GODOT4_0).read();
    let expected = ConfirmPath { checksum_ok: false, node: NodeRef::Path("N/a".into()) };
    assert_eq!(old(&path), Ok(Packet::ConfirmPath(expected)));
    assert_eq!(written(|out| out.put(&Packet::ConfirmPath(expected)).unwrap()), path);
    fault(old(&path[..2]).unwrap_err(), too_short(Message::ConfirmPath, 3), 2);
}

#[test]
fn raw_packets_round_trip() {
    assert_eq!(parse(&bytes("03 dead")), Packet::Raw(&[0xde, 0xad]));
    assert_eq!(parse(&bytes("f3 00")), Packet::Raw(&[0]), "flags mean nothing here");
    refused(&[3], too_short(Message::Raw, 2), 1);
    let none = written(|out| assert!(out.put(&Packet::Raw(&[])).is_err()));
    assert!(none.is_empty());
}

#[test]
fn spawn_packets_round_trip() {
    let packet = bytes(
        "04              | SPAWN
         02              | scene 2
         03000000        | spawner 3
         04000000        | node 4
         02000000        | two synchronizers
         03000000        | a name of three bytes
         05000000 06000000
         4e3100          | N1
         02 07           | 7
         81              | true",
    );
    let ids = [5_u32, 6].map(U32::new);
    let expected = Spawn {
        scene: Scene::Index(2),
        spawner: 3,
        net_id: 4,
        synchronizers: &ids,
        name: "N1".into(),
        state: Run::compact(&[2, 7, 0x81]),
    };
    let Packet::Spawn(spawn) = parse(&packet) else { panic!() };
    assert_eq!(spawn, expected);
    assert_eq!(spawn.state.offset(), 29);
    assert_eq!(spawn.state.iter().filter_map(Result::ok).count(), 2);
    assert_eq!(written(|out| out.put(&Packet::Spawn(expected)).unwrap()), packet);

    refused(&packet[..17], too_short(Message::Spawn, 18), 17);
    for end in 18..29 {
        let error = Packet::parse(&packet[..end]).unwrap_err();
        assert_eq!(error.missing(), Some(if end < 26 { 26 } else { 29 } - end as u32));
    }
    assert!(Packet::parse(&packet[..29]).is_ok(), "without a state");
    refused(&bytes("04 02 03000000 04000000 00000000 00000000"), Fault::NoName, 18);
    // Lengths that overflow in the engine are rejected as too long.
    let wraps = bytes("04 02 03000000 04000000 00000040 02000000 4e00");
    assert!(Packet::parse(&wraps).unwrap_err().missing().is_some());
    check_laws(&wraps);
}

#[test]
fn custom_spawn_packets_round_trip() {
    let packet = bytes(
        "04 ff           | SPAWN by a function
         03000000        | spawner 3
         04000000        | node 4
         00000000        | no synchronizers
         02000000        | a name of two bytes
         4e00            | N
         02000000        | an argument of two bytes
         02 07           | 7
         81              | state: true",
    );
    let Packet::Spawn(spawn) = parse(&packet) else { panic!() };
    let Scene::Custom(argument) = spawn.scene else { panic!() };
    assert_eq!((argument.offset(), argument.announced()), (24, Some(1)));
    assert_eq!(argument.iter().read().unwrap().unwrap().as_i64(), Some(7));
    assert_eq!(spawn.state.as_bytes(), [0x81]);
    assert!((20..26).all(|end| Packet::parse(&packet[..end]).is_err()));
    let none = written(|out| {
        let spawn = Spawn { scene: Scene::Index(255), ..spawn };
        assert!(out.put(&Packet::Spawn(spawn)).is_err());
    });
    assert!(none.is_empty());
}

#[test]
fn despawn_packets_round_trip() {
    assert_eq!(parse(&bytes("05 07000000")), Packet::Despawn { net_id: 7 });
    refused(&bytes("05 070000"), too_short(Message::Despawn, 5), 4);
}

#[test]
fn sync_packets_round_trip() {
    let packet = bytes(
        "06             | SYNC
         ff00           | time 255
         02000000       | synchronizer 2
         03000000 02 07 81
         07000080       | path 7
         01000000 01",
    );
    let Packet::Sync(sync) = parse(&packet) else { panic!() };
    assert_eq!(sync.time, 255);
    let records: Vec<_> = sync.records.map(Result::unwrap).collect();
    assert_eq!(records[0].node, NetId::Synchronizer(2));
    assert_eq!(records[1].node, NetId::Cached(7));
    assert_eq!((records[0].state.offset(), records[0].state.as_bytes()), (11, &[2, 7, 0x81][..]));
    assert_eq!((records[1].state.offset(), records[1].state.as_bytes()), (22, &[1][..]));
    let again = written(|out| {
        out.sync(255).unwrap();
        out.sync_record(NetId::Synchronizer(2), (7, true)).unwrap();
        out.sync_record(NetId::Cached(7), (false,)).unwrap();
    });
    assert_eq!(again, packet);

    refused(&packet[..10], too_short(Message::Sync, 11), 10);
    // A packet that ends after its header has no records. A truncated record is an error, and ends
    // the iteration over the records.
    let head = bytes("06 0000 02000000 00000000");
    assert!(matches!(parse(&head), Packet::Sync(sync) if sync.records.count() == 0));
    let half = bytes("06 0000 02000000 01000000 81 03000000 05000000 81");
    let Packet::Sync(Sync { mut records, .. }) = parse(&half) else { panic!() };
    assert!(records.next().unwrap().is_ok());
    let error = records.next().unwrap().unwrap_err();
    assert_eq!((error.missing(), error.offset()), (Some(4), 20));
    assert!(records.next().is_none());
}

#[test]
fn delta_packets_round_trip() {
    let packet = bytes(
        "16                  | SYNC of changes
         02000000            | synchronizer 2
         0500000000000000    | properties 0 and 2
         03000000 02 07 81
         07000080            | path 7
         0000000000000080    | property 63
         01000000 81",
    );
    let Packet::Delta(delta) = parse(&packet) else { panic!() };
    let records: Vec<_> = delta.records.map(Result::unwrap).collect();
    assert_eq!((records[0].node, records[0].changed), (NetId::Synchronizer(2), 5));
    assert_eq!((records[1].node, records[1].changed), (NetId::Cached(7), 1 << 63));
    assert_eq!(records[0].state.announced(), Some(2));
    assert_eq!(records[1].state.offset(), 36);
    let again = written(|out| {
        out.delta().unwrap();
        out.delta_record(NetId::Synchronizer(2), 5, (7, true)).unwrap();
        let few = out.delta_record(NetId::Cached(7), 3, (true,));
        assert_eq!(*few.unwrap_err().kind(), ErrorKind::MissingItems(1));
        let many = out.delta_record(NetId::Cached(7), 4, (true, true));
        assert_eq!(*many.unwrap_err().kind(), ErrorKind::TooManyItems);
        out.delta_record(NetId::Cached(7), 1 << 63, (true,)).unwrap();
        assert!(out.delta_record(NetId::Cached(1 << 31), 0, ()).is_err());
    });
    assert_eq!(again, packet);

    refused(&packet[..10], too_short(Message::Delta, 11), 10);
    let head = bytes("16 02000000 0000000000000000 00000000");
    assert!(matches!(parse(&head), Packet::Delta(delta) if delta.records.count() == 0));
    // The number of values must equal the number of set bits in the mask.
    let more = bytes("16 02000000 0100000000000000 02000000 81 81");
    let Packet::Delta(Delta { mut records }) = parse(&more) else { panic!() };
    let error = records.next().unwrap().unwrap().state.iter().last().unwrap().unwrap_err();
    assert_eq!((*error.kind(), error.offset()), (ErrorKind::TrailingBytes { count: 1 }, 18));
}

/// Packets with equal contents are equal, no matter where their bytes are in memory.
#[test]
fn packets_with_equal_contents_are_equal() {
    let sync = bytes("06 ff00 02000000 01000000 81");
    let delta = bytes("16 02000000 0100000000000000 01000000 81");
    let relay = bytes("07 03 05000000 03 2a");
    for (packet, positions) in [(sync, [1, 3, 11]), (delta, [1, 5, 17]), (relay, [2, 6, 7])] {
        let (one, other) = (packet.clone(), packet.clone());
        assert_eq!(parse(&one), parse(&other));
        for position in positions {
            let mut other = packet.clone();
            other[position] ^= 1;
            assert_ne!(parse(&one), parse(&other), "{position} of {one:?}");
        }
    }
}

#[test]
fn system_packets_round_trip() {
    for (hex, system) in [
        ("07 00", System::Auth(&[])),
        ("07 00 746f", System::Auth(b"to")),
        ("07 01 05000000", System::AddPeer(5)),
        ("07 02 fbffffff", System::DelPeer(-5)),
        ("07 03 00000000 03 2a", System::Relay(Relay::new(0, &[3, 0x2a]))),
    ] {
        let packet = bytes(hex);
        assert_eq!(parse(&packet), Packet::System(system));
        assert_eq!(written(|out| out.put(&Packet::System(system)).unwrap()), packet);
    }
    refused(&[7], too_short(Message::System, 2), 1);
    refused(&bytes("07 04"), Fault::UnknownSystemCommand(4), 1);
    refused(&bytes("07 01 050000"), too_short(Message::AddPeer, 6), 5);
    refused(&bytes("07 02 050000"), too_short(Message::DelPeer, 6), 5);
    refused(&bytes("07 03 05000000"), too_short(Message::Relay, 7), 6);
    let empty = Packet::System(System::Relay(Relay::new(5, &[])));
    assert!(written(|out| assert!(out.put(&empty).is_err())).is_empty());
}

#[test]
fn relayed_packets_are_read_like_direct_ones() {
    let packet = bytes(
        "07 03 fbffffff | to all but 5
         00 07 03 01    | a call
         81",
    );
    let relay = |packet| {
        let packet = PacketReader::new(packet).origin(10).read().unwrap();
        let Packet::System(System::Relay(relay)) = packet else { panic!() };
        relay
    };
    assert_eq!(relay(&packet).peer(), -5);
    let Ok(Packet::Call(call)) = relay(&packet).packet() else { panic!() };
    assert_eq!(call.arguments.offset(), 20);
    let mut again = relay_head(-5).to_vec();
    PacketWriter::new(&mut again, Dialect::Godot4).call(call.node, 3, (true,)).unwrap();
    assert_eq!(again, packet);

    let nested = bytes("07 03 05000000 07 03 05000000 03 00");
    check_laws(&nested);
    fault(relay(&nested).packet().unwrap_err(), Fault::SystemRelayed, 16);
    let cut = bytes("07 03 05000000 05 00");
    fault(relay(&cut).packet().unwrap_err(), too_short(Message::Despawn, 5), 18);
    // A relayed confirmation is read in the format of the reader's target.
    let old = bytes("07 03 05000000 02 01 61626300");
    let reader = PacketReader::new(&old).target(Target::GODOT4_0);
    let Ok(Packet::System(System::Relay(relay))) = reader.read() else { panic!() };
    let confirmed = ConfirmPath { checksum_ok: true, node: NodeRef::Path("abc".into()) };
    assert_eq!(relay.packet(), Ok(Packet::ConfirmPath(confirmed)));
}

/// A failed call writes nothing, even on a sink that cannot rewind.
#[cfg(feature = "bytes")]
#[test]
fn failed_call_writes_nothing_to_an_append_only_sink() {
    let node = NodeRef::Path("N".into());
    let whole = written(|out| out.call(node, 3, ("text", 5)).unwrap());
    let sink = gamewire::BufSink::new(Vec::new());
    let mut writer = PacketWriter::new(sink, Target::GODOT4_0);
    writer.call(node, 3, ("text", 5)).unwrap();
    let typed = bytes("1c000100 02000000 00000000"); // an empty Array[int]
    let typed = gamewire::godot::Reader::new(&typed, Dialect::Godot4).read().unwrap();
    assert!(writer.call(node, 3, ("text", typed)).is_err());
    writer.call(node, 3, ("text", 5)).unwrap();
    assert_eq!(writer.into_sink().into_inner(), [whole.clone(), whole].concat());
}

#[test]
fn full_sink_receives_no_bytes() {
    let node = NodeRef::Path("N".into());
    let whole = written(|out| out.call(node, 3, ("text", 5)).unwrap());
    for capacity in 0..whole.len() {
        let mut memory = vec![0; capacity];
        let mut writer = PacketWriter::new(SliceSink::new(&mut memory), Dialect::Godot4);
        assert!(writer.call(node, 3, ("text", 5)).is_err());
        assert!(writer.sink().written().is_empty());
    }
}

/// The writer rejects values that its target cannot read, even in an encoded run.
#[test]
fn values_missing_in_the_target_are_rejected() {
    let typed = bytes("1c000100 02000000 00000000"); // an empty Array[int]
    let mut out = PacketWriter::new(Vec::new(), Target::GODOT4_0);
    assert!(out.call(NodeRef::Cached(1), 1, Run::compact(&typed)).is_err());
    out.call(NodeRef::Cached(1), 1, Run::compact(&[0x42, 5, 0])).unwrap();
    assert_eq!(out.into_sink(), bytes("00 01 01 01 42 0500"));

    let mut run = Vec::new();
    CompactWriter::new(&mut run, Dialect::Godot4).put(Wide(5_i64)).unwrap();
    assert_eq!(Run::compact(&run).count(), 1);
}

#[test]
fn websocket_peer_id_has_four_bytes() {
    assert_eq!(transport::peer_id(&bytes("05000000")), Ok(5));
    fault(transport::peer_id(&[5]).unwrap_err(), too_short(Message::PeerId, 4), 1);
    fault(transport::peer_id(&[5; 5]).unwrap_err(), Fault::TooLong(Message::PeerId), 4);
}
