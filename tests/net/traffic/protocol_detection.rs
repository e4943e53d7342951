//! Detection of protocols in traffic that lacks the start of the connection.

use super::observer::{
    CALL_BY_NUMBER, CLIENT, Observer, PATH, SERVER_PORT, message, prefixed, short,
};
use gamewire::traffic::{Content, Engine, Options, Record};
use gamewire::transport::enet::{
    Acknowledge, Body, Command, Disconnect, Flags, Fragment, VerifyConnect,
};

/// Sends `first` as the first packet of a connection whose start is missing, and then a packet of
/// Godot 3. Returns the last record, which is a record of Godot 3 unless `first` identified Godot
/// 4.
fn record_after(first: &[u8]) -> String {
    let mut observer = Observer::new();
    observer.packet(true, 1, 1, first);
    observer.packet(true, 1, 2, &prefixed(1, 0, b"\x04abc"));
    observer.take().pop().unwrap()
}

#[test]
fn valid_packets_identify_godot4() {
    let delta = [&[0x16, 9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0], &[2, 5][..]].concat();
    let sync = [&[6, 0, 0, 9, 0, 0, 0, 2, 0, 0, 0], &[2, 5][..]].concat();
    let valid: [&[u8]; 6] = [PATH, CALL_BY_NUMBER, &delta, &sync, b"\x03abc", b"\x05\x01\0\0\0"];
    for packet in valid {
        assert!(!record_after(packet).starts_with("3"), "{packet:?}");
        // No engine sets this bit, so the packet is unknown.
        let mut invalid = packet.to_vec();
        invalid[0] |= 8;
        assert_eq!(record_after(&invalid), "3? abc", "{invalid:?}");
    }
    // Packets that are truncated, or have a bit set that no engine sets.
    let sync = [&[6, 0, 0, 9, 0, 0, 0, 2, 0, 0, 0], &[0x42, 5][..]].concat();
    let invalid: [&[u8]; 4] = [b"\x05\x01", &sync, b"\x13abc", b"\x0e"];
    for packet in invalid {
        assert_eq!(record_after(packet), "3? abc", "{packet:?}");
    }
}

/// The first eight bytes of this packet of Godot 4 could be the prefix that Godot 3 writes: the ids
/// of the sender and of the receiver.
#[test]
fn script_bytes_that_look_like_a_length_prefix() {
    let mut observer = Observer::new();
    observer.packet(true, 1, 1, b"\x03abc\0\0\0\0\x07");
    assert_eq!(observer.take(), ["4? abc\0\0\0\0\x07"]);
}

/// A command identifies ENet only if it has flags and a channel that engines use for it.
#[test]
fn valid_commands_identify_enet() {
    const ALL: u8 = 255;
    let fragment =
        Fragment { start: 1, count: 1, number: 0, total: 2, offset: 0, payload: b"\x03a" };
    let (none, ack, loose) = (Flags::NONE, Flags::ACKNOWLEDGE, Flags::UNSEQUENCED);
    let kinds = [
        (Body::Reliable { payload: b"\x03a" }, ack, 0, "4? a"),
        (Body::Fragment(fragment), ack, 0, "4? a"),
        (Body::Unreliable { number: 1, payload: b"\x03a" }, none, 0, "4? a"),
        (Body::UnreliableFragment(fragment), none, 0, "4? a"),
        (Body::Unsequenced { group: 1, payload: b"\x03a" }, loose, 0, "4? a"),
        (Body::Acknowledge(Acknowledge::default()), none, ALL, "? Control(Acknowledge)"),
        (Body::Acknowledge(Acknowledge::default()), none, 0, "? Control(Acknowledge)"),
        (Body::Disconnect(Disconnect::default()), ack, ALL, "? Control(Disconnect)"),
        (Body::Disconnect(Disconnect::default()), loose, ALL, "? Control(Disconnect)"),
        (Body::VerifyConnect(VerifyConnect::default()), ack, ALL, "? Control(Accept)"),
        (Body::Ping, ack, ALL, "? Control(Ping)"),
    ];
    for (body, flags, channel, expected) in kinds {
        assert_eq!(records_of_command(flags, channel, body), [expected], "{body:?} {flags:?}");
        let of_all = matches!(body, Body::Disconnect(_));
        for other in [none, ack, loose].into_iter().filter(|other| !of_all && *other != flags) {
            assert_eq!(records_of_command(other, channel, body), [""; 0], "{body:?} {other:?}");
        }
        let anywhere = matches!(body, Body::Acknowledge(_));
        let elsewhere = if channel == ALL { 0 } else { ALL };
        if !anywhere {
            assert_eq!(
                records_of_command(flags, elsewhere, body),
                [""; 0],
                "{body:?} on {elsewhere}"
            );
        }
    }
    // A datagram without commands, a truncated command after a valid one, and data of another
    // protocol.
    let mut observer = Observer::new();
    observer.udp(true, &[0x80, 0, 0, 1]);
    observer.udp(true, &[0x80, 0, 0, 1, 0x85, 255, 0, 1, 0x85]);
    observer.udp(true, b"anything else");
    assert_eq!(observer.take(), [""; 0]);
}

fn records_of_command(flags: Flags, channel: u8, body: Body<'_>) -> Vec<String> {
    let mut datagram = vec![0x80, 0, 0, 1];
    Command { flags, channel, sequence: 1, body }.write(&mut datagram).unwrap();
    let mut observer = Observer::new();
    observer.udp(true, &datagram);
    observer.take()
}

/// In a known ENet connection, a datagram with an unknown command is reported as malformed.
#[test]
fn unknown_command_in_a_known_connection() {
    let mut observer = Observer::enet(255);
    observer.udp(true, &[0x80, 0, 0, 1, 0x8D, 0, 0, 1]);
    assert_eq!(observer.take(), ["4 malformed: unknown type of command 13"]);
}

/// A VERIFY_CONNECT command without a CONNECT command starts a new connection. The sender of this
/// command is the server.
#[test]
fn server_is_detected_from_its_answer() {
    let peers = |record: &Record<'_>| format!("{}{:?}", short(record), record.peer);
    let answer =
        |connect_id| Body::VerifyConnect(VerifyConnect { connect_id, ..VerifyConnect::default() });
    let mut observer = Observer::with(Options::default(), peers);
    observer.packet(true, 1, 1, b"\x03a");
    observer.command(false, 255, 1, answer(3));
    observer.packet(false, 1, 1, b"\x03b");
    let expected = ["4? aNone", "? Control(Accept)Some(1)", "4? bSome(1)"];
    assert_eq!(observer.take(), expected);
    // A new answer drops the state of the previous connection, such as its paths and its engine.
    observer.packet(false, 0, 1, PATH);
    observer.command(false, 255, 2, answer(4));
    observer.packet(false, 0, 1, CALL_BY_NUMBER);
    assert_eq!(observer.take()[2], "4? call of ?Some(1)");
    // The same answer again belongs to the same connection.
    observer.packet(false, 0, 2, PATH);
    observer.command(false, 255, 3, answer(4));
    observer.packet(false, 0, 3, CALL_BY_NUMBER);
    assert_eq!(observer.take()[2], "4? call of Main, checkedSome(1)");
}

/// After DISCONNECT, a CONNECT command with the same id starts a new connection.
#[test]
fn same_id_after_a_disconnect() {
    let mut observer = Observer::enet(255);
    observer.packet(true, 0, 1, PATH);
    observer.command(true, 255, 2, Body::Disconnect(Disconnect::default()));
    observer.connect(255);
    observer.take();
    observer.packet(true, 0, 1, CALL_BY_NUMBER);
    assert_eq!(observer.take(), ["4 call of ?"]);
}

/// At the end of a capture, missing packets are reported as lost, and then the packets that waited
/// for them are delivered.
#[test]
fn expired_fragments() {
    let mut observer = Observer::enet(255);
    observer.packet(true, 0, 1, b"\x03a");
    observer.packet(true, 0, 3, b"\x03c");
    assert_eq!(observer.take(), ["4 a"]);
    observer.finish();
    assert_eq!(observer.take(), ["4 Control(Lost)", "4 c"]);
}

/// The messages of a game are decoded in a WebSocket stream whose start is missing.
#[test]
fn messages_without_the_start_of_the_websocket() {
    let godot3 = |from, to, packet: &[u8]| [&[0][..], &prefixed(from, to, packet)].concat();
    let peer =
        |from: u32, kind: u8| [&[kind][..], &prefixed(from, 0, &5_i32.to_le_bytes())].concat();
    let packets: [(Vec<u8>, &[&str]); 12] = [
        (vec![2, 0, 0, 0, 5, 0, 0, 0], &["4? value 2"]),
        // A Rect2 of Godot 3 is a Vector2i with trailing bytes in Godot 4.
        ([&[6, 0, 0, 0][..], &[0; 16]].concat(), &["3? value 6"]),
        (godot3(1, 9, b"\x04abc"), &["3? abc"]),
        (godot3(9, 1, b"\x04abc"), &["3? abc"]),
        (godot3(9, 0, b"\x04abc"), &["3? abc"]),
        // A packet between two other peers, and a packet with an invalid command.
        (godot3(CLIENT, 8, b"\x04abc"), &[]),
        (godot3(CLIENT, 0, b"\x09abc"), &[]),
        (peer(1, 1), &["3? add 5"]),
        (peer(1, 2), &["3? DelPeer(5)"]),
        (peer(2, 1), &[]),
        (PATH.to_vec(), &["4? path of Main, checked"]),
        (b"\x0babc".to_vec(), &[]),
    ];
    for (packet, expected) in packets {
        let mut observer = Observer::new();
        observer.tcp(false, SERVER_PORT, &message(false, 0x82, &packet));
        assert_eq!(without_relays(observer), expected, "{packet:?}");
    }
}

fn without_relays(mut observer: Observer) -> Vec<String> {
    let records = observer.take().into_iter();
    records.map(|record| record.split(", relay").next().unwrap().to_owned()).collect()
}

/// If the options specify the engine, records are not marked as guesses. A packet that is invalid
/// in this engine gives no record.
#[test]
fn messages_of_a_specified_engine() {
    let godot3 = [&[0][..], &prefixed(1, 0, b"\x04abc")].concat();
    let cases: [(&[u8], Engine, &[&str]); 4] = [
        (PATH, Engine::Godot4, &["4 path of Main, checked"]),
        (PATH, Engine::Godot3, &[]),
        (&godot3, Engine::Godot3, &["3 abc"]),
        (&[2, 0, 0, 0, 5, 0, 0, 0], Engine::Godot3, &["3 value 2"]),
    ];
    for (packet, engine, expected) in cases {
        let mut options = Options::default();
        options.engine = Some(engine);
        let mut observer = Observer::with(options, short);
        observer.tcp(false, SERVER_PORT, &message(false, 0x82, packet));
        assert_eq!(without_relays(observer), expected, "{packet:?}");
    }
}

/// A segment may contain several messages, and may end inside the last one if at least two are
/// complete. A first segment with a text frame gives no records, because no engine sends text
/// frames.
#[test]
fn several_messages_in_a_segment() {
    let raw = |letter| message(true, 0x82, &[3, letter]);
    let cut = |bytes: Vec<u8>| bytes[..bytes.len() - 1].to_vec();
    let cases: [(Vec<u8>, &[&str]); 5] = [
        (raw(b'a'), &["4? a"]),
        ([raw(b'a'), raw(b'b')].concat(), &["4? a", "4? b"]),
        ([raw(b'a'), raw(b'b'), cut(raw(b'c'))].concat(), &["4? a", "4? b"]),
        ([raw(b'a'), cut(raw(b'b'))].concat(), &[]),
        ([raw(b'a'), message(true, 0x81, b"hi")].concat(), &[]),
    ];
    for (bytes, expected) in cases {
        let mut observer = Observer::new();
        observer.tcp(true, SERVER_PORT, &bytes);
        assert_eq!(observer.take(), expected, "{bytes:?}");
    }
}

/// A client masks its messages, and a server does not.
#[test]
fn masking_identifies_the_client() {
    let peers = |record: &Record<'_>| format!("{:?}", record.peer);
    for (to_server, masked) in [(true, true), (false, false), (true, false), (false, true)] {
        let mut observer = Observer::with(Options::default(), peers);
        observer.tcp(to_server, SERVER_PORT, &message(masked, 0x82, PATH));
        assert_eq!(observer.take(), [if masked { "None" } else { "Some(1)" }]);
    }
}

fn records_after_upgrade(packets: &[&[u8]], options: Options) -> Vec<String> {
    let peers = |record: &Record<'_>| format!("{} by {:?}", short(record), record.peer);
    let mut observer = Observer::with(options, peers);
    observer.tcp(false, SERVER_PORT, b"HTTP/1.1 101 Sure\r\nUpgrade: websocket\r\n\r\n");
    packets
        .iter()
        .for_each(|packet| observer.tcp(false, SERVER_PORT, &message(false, 0x82, packet)));
    observer.take().split_off(1)
}

/// The first message of the server contains the client's id.
#[test]
fn first_message_of_the_server_is_the_id_of_the_client() {
    let id = CLIENT.to_le_bytes();
    let records = records_after_upgrade(&[&id, b"\x03abc"], Options::default());
    assert_eq!(records, ["4 Control(Accept) by Some(1)", "4 abc by Some(1)"]);
    // Id 1 always belongs to the server, never to a client.
    let records = records_after_upgrade(&[&[1, 0, 0, 0], b"\x03abc"], Options::default());
    let unknown = "? bytes of 4 by Some(1)";
    assert_eq!(records, [unknown, "4? abc by Some(1)"]);
    let records = records_after_upgrade(&[&[1, 0, 0, 0]], with_engine(Engine::Godot4));
    assert!(records.len() == 1 && records[0].starts_with("4 malformed"), "{records:?}");
    let your_id = [&[3][..], &prefixed(1, 0, &id)].concat();
    let records = records_after_upgrade(&[&your_id, &your_id], Options::default());
    assert_eq!(records, ["3 Control(Accept) by Some(1)", "3 Control(Accept) by Some(1)"]);
}

fn with_engine(engine: Engine) -> Options {
    let mut options = Options::default();
    options.engine = Some(engine);
    options
}

/// Returns the new records after each piece of a stream.
fn records_of_pieces(pieces: &[&[u8]]) -> Vec<Vec<String>> {
    let mut observer = Observer::new();
    let records = pieces.iter().map(|piece| {
        observer.tcp(true, SERVER_PORT, piece);
        observer.take()
    });
    records.collect()
}

#[test]
fn frame_in_two_segments() {
    let text = [&[16, 0, 0, 0, 4, 0, 0, 0, 8, 0, 0, 0][..], b"abcdefgh"].concat();
    for at in [8, 9, 12, 14, 19] {
        let (front, back) = text.split_at(at);
        assert_eq!(
            records_of_pieces(&[front, back]),
            [vec![], vec!["4? value 4".to_owned()]],
            "{at}"
        );
    }
    // A frame with a byte after its value, and a frame that ends four bytes before its announced
    // end.
    let mut longer = [&text[..], b"?"].concat();
    longer[0] += 1;
    let mut whole = text.clone();
    whole[0] += 4;
    for (bytes, at) in [(longer, 14), (whole, 20)] {
        let (front, back) = bytes.split_at(at);
        assert_eq!(
            records_of_pieces(&[front, back]),
            [const { Vec::<String>::new() }; 2],
            "{bytes:?}"
        );
    }
}

#[test]
fn minimum_frame_size() {
    assert_eq!(records_of_pieces(&[&[4, 0, 0, 0, 0, 0, 0, 0]]), [["4? value 0"]]);
}

/// The first byte of the frame's length is the first letter of `HTTP`.
#[test]
fn frame_length_that_looks_like_http() {
    let mut frame = vec![b'H', 0, 0, 0, 4, 0, 0, 0, 64, 0, 0, 0];
    frame.extend([b'a'; 64]);
    for at in 1..8 {
        let (front, back) = frame.split_at(at);
        assert_eq!(
            records_of_pieces(&[front, back]),
            [vec![], vec!["4? value 4".to_owned()]],
            "{at}"
        );
    }
}

#[test]
fn websocket_header_in_a_segment_of_its_own() {
    let packet = [&[3][..], &[b'a'; 200]].concat();
    let header = [0x82, 0x80 | 126, 0, 201, 0, 0, 0, 0];
    let text = format!("4? {}", "a".repeat(200));
    assert_eq!(records_of_pieces(&[&header, &packet]), [vec![], vec![text.clone()]]);
    let whole = [&header[..], &packet].concat();
    assert_eq!(records_of_pieces(&[&whole]), [[text]]);
}

/// After eight values, bytes that are not a frame are malformed. After fewer values, such bytes
/// belong to a game's own protocol.
#[test]
fn malformed_frame_keeps_the_engine() {
    let null = [4, 0, 0, 0, 0, 0, 0, 0];
    let (unknown_type, too_long) = ([4, 0, 0, 0, 99, 0, 0, 0], [0xFF; 8]);
    for (values, bad, expected) in [
        (7, unknown_type, vec!["4? bytes of 8 at 56", "? bytes of 8 at 64"]),
        (7, too_long, vec!["4? bytes of 8 at 56", "? bytes of 8 at 64"]),
        (
            8,
            unknown_type,
            vec![
                "4? malformed: 99 is not a type id of this dialect (expected the header of a value)",
                "4? value 0",
            ],
        ),
        (
            8,
            too_long,
            vec![
                "4? malformed: a frame of 4294967295 bytes is longer than allowed",
                "? bytes of 8 at 72",
            ],
        ),
    ] {
        let mut pieces = vec![&null[..]; values];
        pieces.extend([&bad, &null[..]]);
        let mut records = records_of_pieces(&pieces).concat();
        assert!(records.drain(..values).all(|record| record == "4? value 0"));
        assert_eq!(records, expected, "after {values}");
    }
}

/// A frame that contains no value and begins in an earlier segment is reported with its length
/// prefix.
#[test]
fn bytes_of_a_split_frame() {
    let null = [4, 0, 0, 0, 0, 0, 0, 0];
    let mut observer = Observer::with(Options::default(), |record| {
        format!("{} {:x?}", short(record), record.bytes)
    });
    for piece in [&null[..], &[5, 0], &[0, 0, 99, 0, 0], &[0, 1, 7, 8], &[9]] {
        observer.tcp(true, SERVER_PORT, piece);
    }
    let expected = [
        "4? value 0 [0, 0, 0, 0]",
        "4? bytes of 9 at 8 [5, 0, 0, 0, 63, 0, 0, 0, 1]",
        "4? bytes of 2 at 17 [7, 8]",
        "? bytes of 1 at 19 [9]",
    ];
    assert_eq!(observer.take(), expected);
}

/// Bytes before the first value are held until the stream is recognised, up to a limit. Bytes of an
/// incomplete frame are reported at the end.
#[test]
fn bytes_before_and_after_the_values_of_a_stream() {
    let text = [&[16, 0, 0, 0, 4, 0, 0, 0, 8, 0, 0, 0][..], b"abcdefgh"].concat();
    for (start, expected) in [
        (&b"hello, server"[..], &["? bytes of 13 at 0", "4? value 4"][..]),
        (&[7; 4096], &["? bytes of 4096 at 0", "4? value 4"]),
        (&[7; 4097], &["4? value 4"]),
    ] {
        let mut observer = Observer::new();
        observer.tcp(true, SERVER_PORT, start);
        assert_eq!(observer.take(), [""; 0]);
        assert_eq!(observer.conversations.other_protocols().bytes, start.len() as u64);
        observer.tcp(true, SERVER_PORT, &text);
        assert_eq!(observer.take(), expected);
        let other = observer.conversations.other_protocols();
        assert_eq!(other.bytes, if start.len() > 4096 { 4097 } else { 0 });
        assert_eq!(other.conversations, u64::from(other.bytes > 0));
        observer.tcp(true, SERVER_PORT, &text[..7]);
        observer.tcp(false, SERVER_PORT, b"the answers of the server");
        assert_eq!(observer.take(), ["? bytes of 25 at 0"]);
        observer.finish();
        assert_eq!(observer.take(), [format!("4? bytes of 7 at {}", start.len() + text.len())]);
    }
}

/// A value inside other bytes identifies the traffic of a game, over UDP and over TCP.
#[test]
fn values_inside_of_other_bytes() {
    let value = b"\x1c\0\0\0\x02\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x05\0\0\0";
    let inside = [&b"\x09\x1c\0\0\0"[..], value, b"\xff"].concat();
    let found = |record: &Record<'_>| {
        let found: Vec<_> =
            record.values_inside().map(|found| (found.offset, found.len, found.kind())).collect();
        format!("{} {found:?}", short(record))
    };
    for is_tcp in [false, true] {
        let mut observer = Observer::with(Options::default(), found);
        let mut send = |to_server, bytes: &[u8]| {
            match is_tcp {
                true => observer.tcp(to_server, SERVER_PORT, bytes),
                false => observer.udp(to_server, bytes),
            }
            observer.take()
        };
        assert_eq!(send(true, b"hello, server!"), [""; 0]);
        let records = send(true, &inside);
        assert_eq!(records.last().unwrap().split_once(" [").unwrap().1, "(1, 32, Array)]");
        assert_eq!(records.len(), if is_tcp { 2 } else { 1 });
        assert_eq!(send(false, b"from now on, all is reported").len(), 1);
    }
}

/// On request, the bytes of all protocols are reported.
#[test]
fn bytes_of_other_protocols() {
    let mut options = Options::default();
    for other_protocols in [false, true] {
        options.other_protocols = other_protocols;
        let mut observer = Observer::with(options, short);
        observer.udp(true, b"anything");
        observer.tcp(true, 80, b"GET / HTTP/1.1\r\nHost: a\r\n");
        observer.tcp(true, 80, b"\r\n");
        observer.tcp(false, 80, b"HTTP/1.0 200 OK\r\n\r\nhello");
        observer.tcp(true, 81, b"abc");
        observer.finish();
        let expected = [
            "? bytes of 8",
            "? bytes of 25 at 0",
            "? bytes of 2 at 25",
            "? bytes of 24 at 0",
            "? bytes of 3 at 0",
        ];
        let expected = if other_protocols { &expected[..] } else { &[] };
        assert_eq!(observer.take(), expected);
        let other = observer.conversations.other_protocols();
        let counted = if other_protocols { (0, 0) } else { (8 + 27 + 24 + 3, 3) };
        assert_eq!((other.bytes, other.conversations), counted);
    }
}

/// Bytes are counted even if the state of their conversation is dropped.
#[test]
fn counts_of_dropped_conversations() {
    let mut options = Options::default();
    options.limits.flows = 1;
    let mut observer = Observer::with(options, short);
    for client in 1..=5 {
        observer.client = client;
        observer.udp(true, b"anything");
        observer.tcp(true, 80, b"anything");
    }
    let other = observer.conversations.other_protocols();
    assert_eq!((other.bytes, other.conversations), (80, 10));
}

/// DTLS, STUN and TLS are recognised before and after other datagrams.
#[test]
fn encrypted_conversations() {
    let dtls = [&[23, 0xFE, 0xFD, 0, 1, 0, 0, 0, 0, 0, 9, 0, 3][..], b"abc"].concat();
    let stun = [&[0, 1, 0, 0, 0x21, 0x12, 0xA4, 0x42][..], &[1; 12]].concat();
    let hello = [&[22, 3, 1, 0, 200, 1][..], &[0; 60]].concat();
    let encrypted = |record: &Record<'_>| match record.content {
        Content::Encrypted(encryption) => format!("{encryption}, {}", record.bytes.len()),
        Content::Stun => format!("stun, {}", record.bytes.len()),
        _ => short(record),
    };
    let mut observer = Observer::with(Options::default(), encrypted);
    observer.udp(true, &stun);
    observer.udp(false, &dtls);
    observer.udp(true, &[2, 0, 0, 0, 5, 0, 0, 0]);
    observer.udp(false, &dtls);
    observer.tcp(true, 443, &hello[..3]);
    observer.tcp(true, 443, &hello[3..]);
    observer.tcp(true, 443, b"anything");
    let data = "DTLS 1.2 application data, 16";
    assert_eq!(observer.take(), ["stun, 20", data, "4? value 2", data, "TLS, 66", "TLS, 8"]);
    assert_eq!(observer.conversations.other_protocols().bytes, 0);
}

/// Bytes between values are malformed only if they begin like a value.
#[test]
fn datagrams_between_values() {
    let mut observer = Observer::new();
    observer.udp(true, &[2, 0, 0, 0, 5, 0, 0, 0]);
    observer.udp(true, b"hello");
    observer.udp(true, &[2, 0, 0, 0, 5]);
    let records = observer.take();
    assert_eq!(records[..2], ["4? value 2", "4? bytes of 5"]);
    assert!(records[2].starts_with("4? malformed"), "{records:?}");
}

/// The bytes of an incomplete WebSocket message and the bytes after an error are reported.
#[test]
fn bytes_of_an_incomplete_message() {
    let mut observer = Observer::new();
    observer.tcp(false, SERVER_PORT, b"HTTP/1.1 101 Sure\r\nUpgrade: websocket\r\n\r\n");
    observer.tcp(false, SERVER_PORT, b"\x82\x05abc");
    observer.tcp(true, SERVER_PORT, b"GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n");
    observer.tcp(true, SERVER_PORT, b"\xF2\x05abc");
    observer.tcp(true, SERVER_PORT, b"after");
    observer.take();
    observer.finish();
    assert_eq!(observer.take(), ["? bytes of 3"]);
}

/// A debugger message whose first frame is a name identifies Godot 3, unless the options specify
/// the engine.
#[test]
fn debugger_messages_of_a_specified_engine() {
    let name = [&[12, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0][..], b"name"].concat();
    let records_with = |options| {
        let mut observer = Observer::with(options, short);
        observer.tcp(true, 6007, &name);
        observer.take()
    };
    assert_eq!(records_with(Options::default()), ["3? debugger 4"]);
    assert_eq!(records_with(with_engine(Engine::Godot4)), ["4 debugger 4"]);
    assert_eq!(records_with(with_engine(Engine::Godot3)), ["3 debugger 4"]);
}

/// A raw packet of Godot 4 with eight bytes, the length of Godot 3's announcement of a peer, is not
/// mistaken for an announcement.
#[test]
fn raw_packet_of_eight_bytes() {
    assert_eq!(record_after(b"\x03abcdefg"), record_after(b"\x03abc"));
    let mut observer = Observer::new();
    observer.packet(true, 1, 1, b"\x03abcdefg");
    assert_eq!(observer.take(), ["4? abcdefg"]);
}
