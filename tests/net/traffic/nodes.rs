//! The senders and nodes in records of packets that announce path numbers, are relayed, or contain
//! unreadable values.

use super::observer::{CALL_BY_NUMBER, CLIENT, Observer, PATH, SERVER_PORT, message, prefixed};
use gamewire::godot::multiplayer::{godot3, godot4};
use gamewire::traffic::{Content, Control, Options, Record};

/// Formats parts of a record: the packet, the sender, the relay, the node, and the path with number
/// 7.
fn full_record(record: &Record<'_>) -> String {
    let mut text = match record.content {
        Content::Control(control @ Control::Connect) => return control.to_string(),
        Content::Godot4(packet) => packet.message().to_string(),
        Content::Godot3(godot3::Packet::Raw(_)) => String::from("raw"),
        Content::Godot3(godot3::Packet::Call(_)) => String::from("call"),
        Content::Godot3(godot3::Packet::Set(_)) => String::from("set"),
        Content::Godot3(godot3::Packet::SimplifyPath { .. }) => String::from("path"),
        Content::Godot3(godot3::Packet::ConfirmPath { .. }) => String::from("confirm"),
        Content::Malformed { offset, .. } => format!("malformed at {offset}"),
        other => format!("{other:?}"),
    };
    text += &record.peer.map(|peer| format!(" by {peer}")).unwrap_or_default();
    text += &record.relay.map(|peer| format!(", relay {peer}")).unwrap_or_default();
    if let Some(node) = record.node {
        text += &node.path.map_or_else(|| " of ?".into(), |path| format!(" of {path}"));
    }
    text + &record.path(7).map(|path| format!(", 7 is {path}")).unwrap_or_default()
}

fn enet(channels: u32) -> Observer {
    let mut observer = Observer::with(Options::default(), full_record);
    observer.connect(channels);
    observer
}

/// Returns a SIMPLIFY_PATH packet that announces the number of [`PATH`] for a different node,
/// `Nain`.
fn other_path() -> Vec<u8> {
    PATH.iter().map(|byte| if *byte == b'M' { b'N' } else { *byte }).collect()
}

fn relay(packet: &[u8]) -> Vec<u8> {
    [&b"\x07\x03\x2b\x02\0\0"[..], packet].concat()
}

/// A packet that the server relays contains the id of its sender. The path numbers in the packet
/// are those that this sender announced.
#[test]
fn relayed_by_the_server() {
    let mut observer = enet(255);
    let packets =
        [PATH.to_vec(), relay(&other_path()), CALL_BY_NUMBER.to_vec(), relay(CALL_BY_NUMBER)];
    for (packet, sequence) in packets.iter().zip(1..) {
        observer.packet(false, 0, sequence, packet);
    }
    // The call announces one argument, but ends before this argument.
    observer.packet(false, 0, 5, &relay(b"\0\x07\x02\x01"));
    let records = observer.take();
    assert!(records[0].ends_with(" by 1 of Main, 7 is Main"), "{records:?}");
    assert!(records[1].ends_with(" by 1, relay 555 of Nain, 7 is Nain"), "{records:?}");
    assert!(records[2].ends_with(" by 1 of Main, 7 is Main"), "{records:?}");
    assert!(records[3].ends_with(" by 1, relay 555 of Nain, 7 is Nain"), "{records:?}");
    assert_eq!(records[4], "malformed at 10 by 1, relay 555");
}

/// A packet that a client sends for relaying contains the id of its receiver. The path numbers in
/// the packet are those that the client announced.
#[test]
fn relayed_for_a_client() {
    let mut observer = enet(255);
    observer.packet(true, 0, 1, &relay(PATH));
    observer.packet(true, 0, 2, CALL_BY_NUMBER);
    let records = observer.take();
    let by = format!(" by {CLIENT}");
    assert!(records[0].ends_with(&format!("{by}, relay 555 of Main, 7 is Main")), "{records:?}");
    assert!(records[1].ends_with(&format!("{by} of Main, 7 is Main")), "{records:?}");
}

/// A confirmation contains the number of a path that the other side announced.
#[test]
fn a_number_is_confirmed_by_the_other_side() {
    let mut observer = enet(255);
    observer.packet(true, 0, 1, PATH);
    observer.packet(false, 0, 1, b"\x02\x01\x07\0\0\0");
    observer.packet(true, 0, 2, b"\x02\x01\x07\0\0\0");
    let records = observer.take();
    assert!(records[1].ends_with(" by 1 of Main"), "{records:?}");
    assert!(records[2].ends_with(&format!(" by {CLIENT} of ?, 7 is Main")), "{records:?}");
}

/// A relayed confirmation contains the number of a path that was announced in the opposite
/// direction, through the same relay.
#[test]
fn a_relayed_number_is_confirmed_by_a_relay() {
    const CONFIRM: &[u8] = b"\x02\x01\x07\0\0\0";
    let mut observer = enet(255);
    observer.packet(false, 0, 1, &relay(PATH));
    observer.packet(true, 0, 1, &relay(CONFIRM));
    observer.packet(true, 0, 2, &relay(&other_path()));
    observer.packet(false, 0, 2, &relay(CONFIRM));
    let records = observer.take();
    assert!(records[1].contains(", relay 555 of Main"), "{records:?}");
    assert!(records[3].contains(" of Nain"), "{records:?}");
}

/// Returns a SPAWN packet for the spawner with number 7. `rest` follows the name of the new node.
fn spawn(scene: u8, rest: &[u8]) -> Vec<u8> {
    [&[4, scene, 7, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0][..], b"A\0", rest].concat()
}

/// A function that returns a packet. The packet ends with the given bytes, which are the encoded
/// values of a node's state.
type AroundState = fn(&[u8]) -> Vec<u8>;

#[test]
fn values_in_packets_of_godot4() {
    const NUMBER: &[u8] = &[2, 5];
    const CUT_OFF: &[u8] = &[2 | 1 << 6, 5];
    let custom = |value: &[u8]| spawn(0xFF, &[&[2, 0, 0, 0], value].concat());
    let sync = |state: &[u8]| [&[6, 0, 0, 9, 0, 0, 0, 2, 0, 0, 0], state].concat();
    let delta =
        |state: &[u8]| [&[0x16, 9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0], state].concat();
    let state = |state: &[u8]| spawn(0, state);
    let packets: [(AroundState, u32); 4] = [(state, 20), (custom, 24), (sync, 11), (delta, 17)];
    for (packet, place) in packets {
        let mut observer = enet(255);
        observer.packet(true, 0, 1, PATH);
        observer.packet(true, 0, 2, &packet(NUMBER));
        observer.packet(true, 0, 3, &packet(CUT_OFF));
        let records = observer.take().split_off(1);
        let message = godot4::Packet::parse(&packet(NUMBER)).unwrap().message().to_string();
        assert!(records[0].starts_with(&message), "{records:?}");
        assert_eq!(records[0].contains(" of Main"), packet(NUMBER)[0] == 4, "{records:?}");
        assert!(
            records[1].starts_with(&format!("malformed at {} by {CLIENT}", place + 1)),
            "{records:?}"
        );
    }
}

/// Packets of Godot 3: the announcement of a path, a call, a property, and the confirmation of the
/// path.
const GODOT3: [&[u8]; 4] = [
    b"\x02\x07\0\0\0Main\0",
    b"\0\x07\0\0\0go\0\x01\x02\0\0\0\x05\0\0\0",
    b"\x01\x07\0\0\0hp\0\x02\0\0\0\x05\0\0\0",
    b"\x03Main\0",
];

#[test]
fn nodes_of_godot3() {
    let mut observer = enet(3);
    for (packet, sequence) in GODOT3.iter().zip(1..) {
        observer.packet(true, 1, sequence, &prefixed(CLIENT, 1, packet));
    }
    let expected = ["path", "call", "set", "confirm"];
    let expected = expected.map(|kind| format!("{kind} by {CLIENT} of Main, 7 is Main"));
    assert_eq!(observer.take(), expected);
}

#[test]
fn values_in_packets_of_godot3() {
    // These packets end after the type of their value.
    let call: &[u8] = b"\0\x07\0\0\0go\0\x01\x02\0\0\0";
    let set: &[u8] = b"\x01\x07\0\0\0hp\0\x02\0\0\0";
    for packet in [call, set] {
        let mut observer = enet(3);
        observer.packet(true, 1, 1, &prefixed(CLIENT, 77, GODOT3[0]));
        observer.packet(true, 1, 2, &prefixed(CLIENT, 77, packet));
        let at = 8 + packet.len();
        let by = format!("by {CLIENT}, relay 77");
        let expected = [format!("path {by} of Main, 7 is Main"), format!("malformed at {at} {by}")];
        assert_eq!(observer.take(), expected);
    }
}

/// Packets of Godot 3 contain the id of their sender, even if the server relays them. A path number
/// is valid only in packets of the peer that announced it.
#[test]
fn godot3_without_the_start_of_the_connection() {
    let mut observer = Observer::with(Options::default(), full_record);
    observer.packet(false, 1, 1, &prefixed(77, 1, GODOT3[0]));
    observer.packet(false, 1, 2, &prefixed(78, 1, GODOT3[1]));
    observer.packet(false, 1, 3, &prefixed(77, 1, GODOT3[1]));
    let expected =
        ["path by 77 of Main, 7 is Main", "call by 78 of ?", "call by 77 of Main, 7 is Main"];
    assert_eq!(observer.take(), expected);
}

/// The senders and nodes of Godot 3's packets are the same in a WebSocket as in ENet.
#[test]
fn nodes_of_godot3_in_a_websocket() {
    let mut observer = Observer::with(Options::default(), full_record);
    for packet in GODOT3 {
        let packet = [&[0][..], &prefixed(77, 1, packet)].concat();
        observer.tcp(true, SERVER_PORT, &message(true, 0x82, &packet));
    }
    let expected = ["path", "call", "set", "confirm"];
    assert_eq!(observer.take(), expected.map(|kind| format!("{kind} by 77 of Main, 7 is Main")));
}
