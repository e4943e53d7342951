//! Behaviour of Godot 4.6.3 and 3.6.2 that was observed in captures, reproduced here with minimal
//! traffic. `cli/tests/cli/packets_corpus.rs` tests the whole captures.

use super::observer::{
    CALL_BY_NUMBER, CALL_BY_PATH, CLIENT, Observer, PATH, SERVER_PORT, message, prefixed, short,
};
use gamewire::capture::{Segment, Transport};
use gamewire::transport::enet::{Body, Command, Flags};

/// A script can set the number of channels in both engines. Only the number 255, the default of
/// Godot 4, identifies an engine; with fewer channels, the first packet identifies it.
#[test]
fn channel_count_of_255_identifies_godot4() {
    for channels in [3, 6, 255] {
        let mut observer = Observer::enet(channels);
        observer.packet(true, 0, 1, PATH);
        observer.packet(true, 1, 1, b"\x03abcdefghijklm");
        let sure = if channels == 255 { "4" } else { "4?" };
        let expected = ["path of Main, checked", "abcdefghijklm"];
        assert_eq!(observer.take(), expected.map(|record| format!("{sure} {record}")));
    }
    for channels in [3, 6] {
        let mut observer = Observer::enet(channels);
        // With the same number of channels, a packet with the prefix of Godot 3 identifies Godot 3.
        observer.packet(true, 1, 1, &prefixed(CLIENT, 1, b"\x04abc"));
        assert_eq!(observer.take(), ["3 abc"]);
        let mut observer = Observer::enet(channels);
        observer.packet(false, 0, 1, b"\0\0\0\0\x55\0\0\0");
        assert_eq!(observer.take(), ["3 add 85"]);
    }
}

/// A packet of Godot 3 begins with the ids of its sender and receiver. Without the start of the
/// connection, these ids may look like commands of Godot 4.
#[test]
fn godot3_without_the_start_of_the_connection() {
    for source in [1, 2, 3, 0x1234_5603] {
        let mut observer = Observer::new();
        observer.packet(true, 1, 1, &prefixed(source, 1, b"\x04abc"));
        assert_eq!(observer.take(), ["3? abc"]);
    }
    let mut observer = Observer::new();
    observer.packet(true, 1, 1, b"\x03abcdefghijklm");
    assert_eq!(observer.take(), ["4? abcdefghijklm"]);
}

/// A call by path has the checksum of the method names only if its sender has already announced the
/// path.
#[test]
fn a_call_by_path_has_the_checksum() {
    let mut observer = Observer::enet(255);
    observer.packet(true, 0, 1, CALL_BY_PATH);
    observer.packet(true, 0, 2, PATH);
    observer.packet(true, 0, 3, CALL_BY_PATH);
    observer.packet(true, 0, 4, CALL_BY_NUMBER);
    let call = "4 call of Main, checked";
    assert_eq!(observer.take(), ["4 call of Main", "4 path of Main, checked", call, call]);
    // Each sender has its own path numbers.
    observer.packet(false, 0, 1, CALL_BY_PATH);
    assert_eq!(observer.take(), ["4 call of Main"]);
}

/// The client repeats CONNECT until the server answers, so a repetition may arrive after the first
/// packets.
#[test]
fn repeated_connect_keeps_paths() {
    let mut observer = Observer::enet(255);
    observer.packet(true, 0, 1, PATH);
    observer.take();
    observer.connect(255);
    observer.packet(true, 0, 2, CALL_BY_NUMBER);
    assert_eq!(observer.take(), ["4 call of Main, checked"]);
}

#[test]
fn packets_relayed_by_a_godot3_server() {
    let mut observer = Observer::enet(3);
    observer.packet(true, 1, 1, &prefixed(CLIENT, 1, b"\x04a"));
    observer.packet(true, 1, 2, &prefixed(CLIENT, 0, b"\x04b"));
    observer.packet(true, 1, 3, &prefixed(CLIENT, 77, b"\x04c"));
    observer.packet(false, 1, 1, &prefixed(1, CLIENT as i32, b"\x04d"));
    observer.packet(false, 1, 2, &prefixed(77, CLIENT as i32, b"\x04e"));
    assert_eq!(observer.take(), ["3 a", "3 b, relay 0", "3 c, relay 77", "3 d", "3 e, relay 77"]);
}

/// Many values that `put_var` sends are valid in both engines.
#[test]
fn engine_detection_uses_more_than_the_first_value() {
    let rect = [&[6, 0, 0, 0][..], &[0; 16]].concat(); // Godot 4: a Vector2i with 8 trailing bytes
    let mut observer = Observer::new();
    observer.udp(true, &[0; 4]);
    observer.udp(true, &rect);
    observer.udp(true, &[0; 4]);
    assert_eq!(observer.take(), ["4? value 0", "3? value 6", "3? value 0"]);
    for big_endian in [false, true] {
        let frame = |value: &[u8]| {
            let len = value.len() as u32;
            let len = if big_endian { len.to_be_bytes() } else { len.to_le_bytes() };
            [&len[..], value].concat()
        };
        let mut observer = Observer::new();
        observer.tcp(true, SERVER_PORT, &[frame(&[0; 4]), frame(&rect)].concat());
        assert_eq!(observer.take(), ["4? value 0", "3? value 6"]);
    }
}

/// The first frame of a Godot 3 message contains a name. Messages of Godot 4 are arrays.
#[test]
fn engine_of_a_debugger_connection() {
    let name = b"\x0c\0\0\0\x04\0\0\0\x04\0\0\0kill";
    let mut observer = Observer::new();
    observer.tcp(true, 6007, name);
    assert_eq!(observer.take(), ["3? debugger 4"]);
}

/// Godot 3 sends a WebSocket frame in two segments, of which the first contains only the header.
#[test]
fn frames_with_separate_headers() {
    let packet = [&[0][..], &prefixed(CLIENT, 1, b"\x04abc")].concat();
    let mut observer = Observer::new();
    for _ in 0..20 {
        observer.tcp(true, SERVER_PORT, &[0x82, 0x80 | packet.len() as u8, 0, 0, 0, 0]);
        observer.tcp(true, SERVER_PORT, &packet);
    }
    let records = observer.take();
    assert!(records.len() == 20 && records.iter().all(|record| record == "3? abc"), "{records:?}");
}

/// A path that one side announced stays valid after the first message of the other side.
#[test]
fn both_directions_of_a_websocket_without_its_start() {
    let mut observer = Observer::new();
    observer.tcp(true, SERVER_PORT, &message(true, 0x82, PATH));
    observer.tcp(false, SERVER_PORT, &message(false, 0x82, b"\x03abc"));
    observer.tcp(true, SERVER_PORT, &message(true, 0x82, CALL_BY_NUMBER));
    // The server's first message has four bytes, but is not mistaken for the client's id.
    assert_eq!(observer.take(), ["4? path of Main, checked", "4? abc", "4? call of Main, checked"]);
}

/// A call of Godot 4. Its bytes are also a valid packet of Godot 3, except for the ids of the
/// peers.
#[test]
fn call_in_a_websocket_without_its_start() {
    let mut observer = Observer::new();
    let call = b"\x00\x01\x02\x02\x04\0\0\0\x05\0\0\0hello\0\0\0\x02\x05";
    observer.tcp(true, SERVER_PORT, &message(true, 0x82, call));
    assert_eq!(observer.take(), ["4? call of ?"]);
}

/// Other programs also use WebSockets and length prefixes. Their traffic gives no records.
#[test]
fn traffic_of_other_programs() {
    let mut observer = Observer::new();
    observer.tcp(true, 80, &message(true, 0x81, br#"{"a":"bcd"}"#));
    observer.tcp(true, 80, &message(true, 0x81, br#"["a","bcd"]"#));
    assert_eq!(observer.take(), [""; 0]);
    for request in [&b"\0\0\0\x08\x04\xd2\x16\x2f"[..], b"\0\0\0\x0c", b"\0\0\0\x08rest"] {
        let mut observer = Observer::new();
        (0..5).for_each(|_| observer.tcp(true, 5432, request));
        assert_eq!(observer.take(), [""; 0], "{request:?}");
    }
}

/// A path number that is announced in a relayed packet belongs to the sender of the packet, and not
/// to the server that relays it.
#[test]
fn relays_without_the_start_of_the_connection() {
    let relay = |packet: &[u8]| [&b"\x07\x03\x2b\x02\0\0"[..], packet].concat();
    let other = PATH.iter().map(|byte| if *byte == b'M' { b'N' } else { *byte });
    let mut observer = Observer::new();
    observer.packet(false, 0, 1, PATH);
    observer.packet(false, 0, 2, &relay(&other.collect::<Vec<_>>()));
    observer.packet(false, 0, 3, CALL_BY_NUMBER);
    observer.packet(false, 0, 4, &relay(CALL_BY_NUMBER));
    let calls = observer.take().split_off(2);
    assert_eq!(calls, ["4? call of Main, checked", "4? call of Nain, checked, relay 555"]);
}

/// A single value may precede a connection on the same ports.
#[test]
fn a_value_before_a_connection() {
    let mut observer = Observer::new();
    observer.udp(true, &[0; 4]);
    observer.connect(255);
    observer.packet(true, 0, 1, PATH);
    assert_eq!(observer.take(), ["4 path of Main, checked"]);
}

/// The two directions of a connection are kept apart, even if the addresses differ only in bits
/// that the hash does not contain.
#[test]
fn addresses_with_equal_hashed_bits() {
    let addresses = ["[fd00::1]:7777", "[fd01::1]:7777"].map(|text| text.parse().unwrap());
    let mut observer = Observer::new();
    for (from, payload) in [(0, b"\x03a"), (1, b"\x03b"), (0, b"\x03a"), (1, b"\x03b")] {
        let mut datagram = vec![0x80, 0, 0, 1];
        let body = Body::Reliable { payload };
        let command = Command { flags: Flags::ACKNOWLEDGE, channel: 0, sequence: 1, body };
        command.write(&mut datagram).unwrap();
        let (source, destination) = (addresses[from], addresses[1 - from]);
        let transport = Transport::Udp { payload: &datagram };
        let segment = Segment { source, destination, transport };
        let records = &mut observer.records;
        observer.conversations.segment(None, &segment, &mut |record| records.push(short(record)));
    }
    assert_eq!(observer.take(), ["4? a", "4? b"]);
}

/// Without the upgrade of the WebSocket, a message that announces a path is not mistaken for a
/// message of Godot 3 that announces a peer.
#[test]
fn websocket_without_its_start() {
    let mut observer = Observer::new();
    for packet in [PATH, CALL_BY_NUMBER] {
        let header = [0x82, 0x80 | packet.len() as u8, 0, 0, 0, 0];
        observer.tcp(true, SERVER_PORT, &[&header, packet].concat());
    }
    assert_eq!(observer.take(), ["4? path of Main, checked", "4? call of Main, checked"]);
}
