//! Checks the connections of a WebSocket host with the rules of RFC 6455, and with both halves of a
//! connection between two Godot processes.

use crate::laws;
use crate::support::net::captures;
use crate::support::random::Random;
use gamewire::capture::{LinkType, Transport, segment};
use gamewire::transport::tcp;
use gamewire::transport::websocket::host::{
    Closed, Config, Connection, Event, Host, HostConfig, HostFull, SendError,
};
use gamewire::transport::websocket::{
    Decoder, ErrorKind, Event as Decoded, Header, Kind, Limits, Message, Opcode, Side, write,
};

const REQUEST: &str = "GET /chat HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\
    Connection: keep-alive, Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
    Sec-WebSocket-Version: 13\r\n\r\n";

/// Returns what a connection has to say, in text, and all bytes of its output.
fn receive(connection: &mut Connection, now: u64, bytes: &[u8]) -> (Vec<String>, Vec<u8>) {
    let mut events = Vec::new();
    connection.receive(now, bytes, |event| events.push(text(event)));
    (events, output(connection))
}

fn text(event: Event<'_>) -> String {
    match event {
        Event::Opened(head) => String::from_utf8_lossy(head.first_line()).into_owned(),
        Event::Message(message) => String::from_utf8_lossy(message.payload).into_owned(),
        Event::Closed(Closed::Failed(error)) => format!("failed: {error}"),
        Event::Closed(Closed::ByPeer { code, reason }) => {
            format!("closed by peer: {code:?} {}", String::from_utf8_lossy(reason))
        }
        Event::Closed(closed) => format!("{closed:?}"),
    }
}

fn output(connection: &mut Connection) -> Vec<u8> {
    let mut all = Vec::new();
    while !connection.output().is_empty() {
        all.extend_from_slice(connection.output());
        connection.sent(connection.output().len());
    }
    all
}

fn opened(config: Config) -> Connection {
    let mut server = Connection::server(config, 0);
    let (events, response) = receive(&mut server, 0, REQUEST.as_bytes());
    assert_eq!(events, ["GET /chat HTTP/1.1"]);
    assert!(response.starts_with(b"HTTP/1.1 101 "));
    server
}

fn pair(config: Config) -> [Connection; 2] {
    let mut client = Connection::client(config, 0, "a:80", "/x?y", 3).unwrap();
    let mut server = Connection::server(config, 0);
    let (events, response) = receive(&mut server, 0, &output(&mut client));
    assert_eq!(events, ["GET /x?y HTTP/1.1"]);
    assert_eq!(receive(&mut client, 0, &response).0, ["HTTP/1.1 101 Switching Protocols"]);
    [client, server]
}

/// Returns a frame as a client sends it.
fn masked(fin: bool, opcode: Opcode, payload: &[u8]) -> Vec<u8> {
    let mut frame = Vec::new();
    let header = Header { fin, opcode, mask: Some([0; 4]), len: payload.len() as u64 };
    header.write(&mut frame).unwrap();
    frame.extend(payload);
    frame
}

#[test]
fn handshakes_with_missing_or_wrong_fields_are_refused() {
    let refused = |from: &str, to: &str| {
        let request = REQUEST.replacen(from, to, 1);
        assert_ne!(request, REQUEST);
        let mut server = Connection::server(Config::default(), 0);
        let (events, response) = receive(&mut server, 0, request.as_bytes());
        assert!(server.is_finished());
        let response = String::from_utf8(response).unwrap();
        (events[0].clone(), response.lines().next().unwrap_or_default().to_owned())
    };
    let bad = ("BadHandshake".to_owned(), "HTTP/1.1 400 Bad Request".to_owned());
    assert_eq!(refused("Host: a\r\n", ""), bad);
    assert_eq!(refused(", Upgrade", ", Upgrades"), bad);
    assert_eq!(refused("dGhl", "dGh"), bad);
    assert_eq!(refused("ZQ==", "Z==="), bad);
    assert_eq!(refused("Sec-WebSocket-Key", "Sec-WebSocket-Kex"), bad);
    let version = ("BadHandshake".to_owned(), "HTTP/1.1 426 Upgrade Required".to_owned());
    assert_eq!(refused("Version: 13", "Version: 8"), version);
    let (event, status) = refused("GET /chat", "PUT /chat");
    assert_eq!((event.contains("failed"), status), (true, bad.1));
}

#[test]
fn clients_refuse_answers_to_other_keys() {
    let mut client = Connection::client(Config::default(), 0, "a", "/", 3).unwrap();
    let mut server = opened(Config::default());
    let (_, response) =
        receive(&mut Connection::server(Config::default(), 0), 0, REQUEST.as_bytes());
    assert_eq!(receive(&mut client, 0, &response).0, ["BadHandshake"]);
    assert!(output(&mut server).is_empty());
    for (host, path) in [("", "/"), ("a b", "/"), ("a", "x"), ("a", "/\r\n"), ("a", "/ü")] {
        assert!(Connection::client(Config::default(), 0, host, path, 1).is_err(), "{path}");
    }
}

#[test]
fn subprotocols_are_accepted_if_both_sides_name_them() {
    let config = |protocol| Config { protocol, ..Config::default() };
    for (offered, accepted, expected) in [
        (Some("chat"), Some("chat"), true),
        (Some("chat"), None, false),
        (None, Some("chat"), false),
        (Some("chat, game"), Some("game"), true),
    ] {
        let mut client = Connection::client(config(offered), 0, "a", "/", 3).unwrap();
        let mut server = Connection::server(config(accepted), 0);
        let (_, response) = receive(&mut server, 0, &output(&mut client));
        let response = String::from_utf8(response).unwrap();
        assert_eq!(response.contains("Sec-WebSocket-Protocol: "), expected, "{response}");
    }
}

#[test]
fn messages_arrive_in_order_in_both_directions() {
    let [mut client, mut server] = pair(Config::default());
    let mut random = Random::new(1);
    for round in 0..2000 {
        let (from, to) =
            if round % 2 == 0 { (&mut client, &mut server) } else { (&mut server, &mut client) };
        let len = random.one_of(&[0, 1, 125, 126, 5000, 20_000]);
        let sent: Vec<Vec<u8>> = (0..random.below(4)).map(|n| vec![n as u8; len]).collect();
        for payload in &sent {
            from.send(Kind::Binary, payload).unwrap();
        }
        let mut got = Vec::new();
        while !from.output().is_empty() {
            let piece = from.output().len().min(1 + random.below(30_000));
            to.receive(round, &from.output()[..piece], |event| match event {
                Event::Message(message) => got.push(message.payload.to_vec()),
                other => panic!("{other:?}"),
            });
            from.sent(piece);
        }
        assert!(got == sent, "round {round}");
    }
}

#[test]
fn pings_are_answered_between_the_fragments_of_a_message() {
    let mut server = opened(Config::default());
    let frames = [
        masked(false, Opcode::Text, b"a"),
        masked(true, Opcode::Ping, b"!"),
        masked(true, Opcode::Continuation, b"b"),
        masked(true, Opcode::Pong, b""),
    ];
    let (events, answer) = receive(&mut server, 1, &frames.concat());
    assert_eq!((events, &answer[..]), (vec!["ab".to_owned()], &b"\x8a\x01!"[..]));
}

#[test]
fn violations_end_the_connection_with_their_status() {
    let status = |frame: &[u8], expected: &str, status: u16| {
        let limits = Limits { head: 4096, message: 10 };
        let mut server = opened(Config { limits, ..Config::default() });
        let (events, answer) = receive(&mut server, 0, frame);
        assert_eq!(events, [format!("failed: {expected}")]);
        assert_eq!(answer, [&[0x88, 2][..], &status.to_be_bytes()].concat());
        assert!(server.is_finished());
        assert_eq!(server.send(Kind::Text, b""), Err(SendError::NotOpen));
    };
    let at = format!("at offset {0} ({0:#x})", REQUEST.len());
    status(b"\x81\x00", &format!("{} {at}", ErrorKind::WrongMask), 1002);
    let long = ErrorKind::TooLong { len: 11, limit: 10 };
    status(&masked(true, Opcode::Binary, &[0; 11]), &format!("{long} {at}"), 1009);
    status(&masked(true, Opcode::Text, b"\xff"), &format!("{} {at}", ErrorKind::NotUtf8), 1007);
    let [mut client, mut server] = pair(Config::default());
    let (events, answer) = receive(&mut client, 0, &masked(true, Opcode::Text, b"a"));
    assert!(events[0].contains(&ErrorKind::WrongMask.to_string()));
    // The close frame of the client is masked.
    assert_eq!(receive(&mut server, 0, &answer).0, ["closed by peer: Some(1002) "]);
}

#[test]
fn closing_waits_for_the_answer_of_the_other_side() {
    let [mut client, mut server] = pair(Config::default());
    server.close(10, 1001, "bye");
    assert_eq!(server.next_timeout(), Some(1010));
    client.send(Kind::Text, b"crossing").unwrap();
    let crossing = output(&mut client);
    let (events, answer) = receive(&mut client, 0, &output(&mut server));
    assert_eq!(events, ["closed by peer: Some(1001) bye"]);
    assert!(client.is_finished());
    assert_eq!(receive(&mut server, 11, &crossing).0, [""; 0]);
    assert_eq!(receive(&mut server, 12, &answer).0, ["ByUs"]);
    assert!(server.is_finished());

    let [_, mut server] = pair(Config::default());
    server.close(10, 1000, &"x".repeat(200));
    assert_eq!(output(&mut server).len(), 2 + 125);
    let mut events = Vec::new();
    server.advance(1009, |event| panic!("{event:?}"));
    server.advance(1010, |event| events.push(text(event)));
    server.end(|event| panic!("{event:?}"));
    assert_eq!(events, ["ByUs"]);
}

#[test]
fn silence_is_answered_with_pings_and_ends_the_connection() {
    let mut server = opened(Config::default());
    assert_eq!(server.next_timeout(), Some(10_000));
    server.advance(9999, |event| panic!("{event:?}"));
    assert!(server.output().is_empty());
    server.advance(10_000, |event| panic!("{event:?}"));
    assert_eq!(output(&mut server), b"\x89\x00");
    receive(&mut server, 15_000, &masked(true, Opcode::Pong, b""));
    assert_eq!(server.next_timeout(), Some(25_000));
    let mut events = Vec::new();
    while let Some(next) = server.next_timeout() {
        server.advance(next, |event| events.push((next, text(event))));
    }
    assert_eq!(events, [(45_000, "TimedOut".to_owned())]);

    let mut silent = Connection::server(Config::default(), 50);
    assert_eq!(silent.next_timeout(), Some(3050));
    silent.advance(3050, |event| assert_eq!(event, Event::Closed(Closed::TimedOut)));
    assert!(silent.is_finished());
}

#[test]
fn full_output_refuses_messages_and_keeps_room_for_control_frames() {
    let mut server = opened(Config { output: 1024, ..Config::default() });
    for _ in 0..9 {
        server.send(Kind::Binary, &[0; 98]).unwrap();
    }
    assert!(matches!(server.send(Kind::Binary, &[0; 1000]), Err(SendError::Full(_))));
    // A client that sends pings and never reads gets one answer.
    let pings = masked(true, Opcode::Ping, &[7; 125]).repeat(1000);
    server.receive(0, &pings, |event| panic!("{event:?}"));
    server.close(0, 1000, "");
    let output = output(&mut server);
    assert!(output.len() <= 1024 + 2 * 139, "{}", output.len());
    assert!(output.ends_with(b"\x88\x02\x03\xe8"));
}

#[test]
fn host_drops_the_oldest_silent_stream() {
    let mut host = Host::new(HostConfig { peers: 4, half_open: 2, ..HostConfig::default() });
    let open = host.accept(0).unwrap().peer;
    host.receive(0, open, REQUEST.as_bytes(), |event| assert!(matches!(event, Event::Opened(_))));
    let first = host.accept(1).unwrap();
    let second = host.accept(2).unwrap();
    let third = host.accept(3).unwrap();
    assert_eq!((first.removed, second.removed, third.removed), (None, None, Some(first.peer)));
    assert_ne!(first.peer, third.peer);
    assert_eq!(first.peer.slot(), third.peer.slot());
    // The key of the removed stream has no effect.
    host.receive(4, first.peer, REQUEST.as_bytes(), |event| panic!("{event:?}"));
    assert_eq!(host.send(first.peer, Kind::Text, b""), Err(SendError::NotOpen));
    assert_eq!(host.next_timeout(), Some(3002));
    let mut ended = Vec::new();
    host.advance(3003, |peer, event| ended.push((peer, text(event))));
    let timed_out = "TimedOut".to_owned();
    assert_eq!(ended.len(), 2);
    assert!(ended.contains(&(second.peer, timed_out.clone())));
    assert!(ended.contains(&(third.peer, timed_out)));
    host.remove(second.peer);
    host.remove(third.peer);
    assert_eq!(host.peers().collect::<Vec<_>>(), [open]);

    // With all handshakes complete, there is no room for more.
    for _ in 0..3 {
        let peer = host.accept(5000).unwrap().peer;
        host.receive(5000, peer, REQUEST.as_bytes(), |_| {});
    }
    assert_eq!(host.accept(5000), Err(HostFull));
}

#[test]
fn host_writes_what_streams_take() {
    let mut host = Host::new(HostConfig::default());
    let peers: Vec<_> = (0..3).map(|_| host.accept(0).unwrap().peer).collect();
    let mut written = vec![Vec::new(); 3];
    for peer in &peers {
        host.receive(0, *peer, REQUEST.as_bytes(), |_| {});
        host.send(*peer, Kind::Text, &[b'0' + peer.slot() as u8]).unwrap();
    }
    // The stream of peer 1 takes 5 bytes, and the rest later.
    while let Some((peer, bytes)) = host.poll_transmit() {
        let taken = if peer == peers[1] { 5 } else { bytes.len() };
        written[usize::from(peer.slot())].extend_from_slice(&bytes[..taken]);
        host.sent(peer, taken);
    }
    assert_eq!(written[1].len(), 5);
    let rest = host.output(peers[1]).to_vec();
    written[1].extend_from_slice(&rest);
    host.sent(peers[1], rest.len());
    assert!(host.poll_transmit().is_none());
    assert!(written[0].ends_with(b"\x81\x010"));
    assert_eq!(written[0][..written[0].len() - 1], written[1][..written[1].len() - 1]);
}

/// Returns the bytes that the client and the server of `ws.pcap` sent.
fn captured_streams() -> [Vec<u8>; 2] {
    let mut streams = [(tcp::Stream::new(), Vec::new()), (tcp::Stream::new(), Vec::new())];
    for packet in captures::packets("ws") {
        let segment = segment(LinkType(packet.link_type), &packet.data).unwrap();
        let Transport::Tcp(tcp) = segment.transport else { panic!("not TCP") };
        let side = usize::from(segment.source.port() < segment.destination.port());
        let (stream, bytes) = &mut streams[side];
        stream.feed(tcp, |event| {
            if let tcp::Event::Bytes(piece) = event {
                bytes.extend_from_slice(piece);
            }
        });
    }
    streams.map(|(_, bytes)| bytes)
}

/// A server that gets what Godot's client sent, and sends the messages that Godot's server sent,
/// writes the same bytes as Godot's server.
#[test]
fn godots_stream_is_reproduced() {
    let [to_server, to_client] = captured_streams();
    let mut server = Connection::server(Config::default(), 0);
    let mut messages = 0;
    server.receive(0, &to_server, |event| match event {
        Event::Opened(head) => assert_eq!(head.side(), Side::Client),
        Event::Message(_) => messages += 1,
        Event::Closed(closed) => panic!("{closed:?}"),
    });
    assert_eq!(messages, 65);
    let mut expected = Decoder::new();
    let mut written = output(&mut server);
    expected
        .feed(&to_client, |event| match event {
            Decoded::Message(Message { kind, payload }) => {
                server.send(kind, payload).unwrap();
                written.extend(output(&mut server));
            }
            Decoded::Upgrade(_) => {}
            other => panic!("{other:?}"),
        })
        .unwrap();
    assert!(written == to_client);
}

#[test]
fn generated_frames_satisfy_the_laws() {
    let mut random = Random::new(9);
    for _ in 0..300 {
        let mut stream = Vec::new();
        for _ in 0..random.below(8) {
            let opcode = random.one_of(&[
                Opcode::Text,
                Opcode::Binary,
                Opcode::Binary,
                Opcode::Continuation,
                Opcode::Ping,
                Opcode::Close,
            ]);
            let len = random.one_of(&[0, 2, 5, 125, 126, 250]);
            let payload: Vec<u8> = (0..len).map(|at| if at < 2 { 3 } else { b'x' }).collect();
            stream.extend(masked(random.below(4) > 0, opcode, &payload));
        }
        laws::websocket_host(&stream);
        if !stream.is_empty() {
            let at = random.below(stream.len());
            stream[at] ^= 1 << random.below(8);
            laws::websocket_host(&stream);
        }
    }
    let mut response = b"HTTP/1.1 101 Sure\r\nUpgrade: websocket\r\n\r\n".to_vec();
    write(&mut response, Kind::Text, b"a", None).unwrap();
    laws::websocket_host(&response);
    laws::websocket_host(REQUEST.as_bytes());
}
