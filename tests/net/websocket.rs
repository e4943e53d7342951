//! Checks the WebSocket decoder with the examples and rules of RFC 6455, and with packets sent by
//! Godot.

use crate::laws;
use crate::support::corpus;
use crate::support::native_json::{self, Json};
use crate::support::net::captures;
use gamewire::capture::{LinkType, Transport, segment};
use gamewire::transport::tcp;
use gamewire::transport::websocket::{
    self, Decoder, ErrorKind, Event, Header, Kind, Limits, Message, Opcode, Side, mask,
};
use gamewire::{Full, SliceSink};

/// Passes `stream` to the decoder in one piece. Returns the events, and the error with its offset.
fn events(mut decoder: Decoder, stream: &[u8]) -> (Vec<String>, Option<(ErrorKind, u64)>) {
    let mut events = Vec::new();
    let end = decoder.feed(stream, |event| {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        events.push(match event {
            Event::Upgrade(head) => format!("{:?}: {}", head.side(), text(head.first_line())),
            Event::Message(Message { kind: Kind::Text, payload }) => text(payload),
            Event::Message(message) => format!("{} bytes", message.payload.len()),
            Event::Ping(payload) => format!("ping {}", text(payload)),
            Event::Pong(payload) => format!("pong {}", text(payload)),
            Event::Close { code, reason } => format!("close {code:?} {}", text(reason)),
        });
    });
    (events, end.err().map(|error| (*error.kind(), error.offset())))
}

#[track_caller]
fn assert_events(frames: &[u8], expected: &[&str]) {
    let (events, end) = events(Decoder::frames(), frames);
    assert_eq!(
        (events.iter().map(String::as_str).collect::<Vec<_>>(), end),
        (expected.into(), None)
    );
    laws::websocket(frames);
}

#[track_caller]
fn assert_error(frames: &[u8], kind: ErrorKind, offset: u64) {
    let (_, end) = events(Decoder::frames(), frames);
    assert_eq!(end, Some((kind, offset)));
    laws::websocket(frames);
}

/// Decodes the examples in section 5.7 of RFC 6455.
#[test]
fn examples_of_the_rfc() {
    assert_events(b"\x81\x05Hello", &["Hello"]);
    assert_events(b"\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58", &["Hello"]);
    assert_events(b"\x01\x03Hel\x80\x02lo", &["Hello"]);
    assert_events(b"\x89\x05Hello", &["ping Hello"]);
    assert_events(b"\x8a\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58", &["pong Hello"]);
    assert_events(&[&b"\x82\x7e\x01\0"[..], &[7; 256]].concat(), &["256 bytes"]);
    assert_long_message(
        &[&b"\x82\x7f\0\0\0\0\0\x01\0\0"[..], &[7; 0x1_0000]].concat(),
        "65536 bytes",
    );
}

/// Asserts that the frames give one message. Does not check the laws, because the laws set lower
/// limits.
fn assert_long_message(frames: &[u8], expected: &str) {
    assert_eq!(events(Decoder::frames(), frames), (vec![expected.to_owned()], None));
}

#[test]
fn fragments() {
    assert_events(
        b"\x01\x01a\x89\x00\x00\x00\x8a\x01!\x80\x01b\x81\x01c",
        &["ping ", "pong !", "ab", "c"],
    );
    assert_events(b"\x01\x00\x80\x00\x82\x00", &["", "0 bytes"]);
    assert_events(b"\x01\x81\0\0\0\0a\x80\x82\x20\x20\x20\x20BC", &["abc"]);
    assert_events(b"\x01\x01a\x80", &[]);
    assert_error(b"\x80\x00", ErrorKind::NothingToContinue, 0);
    assert_error(b"\x81\x00\x00\x01a", ErrorKind::NothingToContinue, 2);
    assert_error(b"\x01\x01a\x81\x01b", ErrorKind::Unfinished, 3);
}

#[test]
fn invalid_headers_are_errors() {
    assert_error(b"\x81\x00\xc1\x00", ErrorKind::ReservedBits, 2);
    assert_error(b"\xa2\x00", ErrorKind::ReservedBits, 0);
    assert_error(b"\x91\x80\0\0\0\0", ErrorKind::ReservedBits, 0);
    for opcode in [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] {
        assert_error(&[0x80 | opcode, 0], ErrorKind::ReservedOpcode(opcode), 0);
    }
    assert_error(b"\x09\x00", ErrorKind::FragmentedControl, 0);
    assert_error(b"\x89\x7e\x00\x7e", ErrorKind::LongControl, 0);
    assert_events(
        &[&b"\x89\x7d"[..], &[b'x'; 125]].concat(),
        &[&format!("ping {}", "x".repeat(125))],
    );
    assert_error(b"\x82\x7e\x00\x7d", ErrorKind::BadLength(125), 0);
    assert_error(b"\x82\x7f\0\0\0\0\0\0\xff\xff", ErrorKind::BadLength(0xffff), 0);
    assert_error(b"\x82\x7f\x80\0\0\0\0\0\0\0", ErrorKind::BadLength(1 << 63), 0);
    // The frame is not checked before it is complete.
    assert_events(b"\x82\xfe\x00\x7d\0\0\0", &[]);
}

#[test]
fn close_frames() {
    assert_events(b"\x88\x00", &["close None "]);
    assert_events(b"\x88\x05\x03\xe8bye", &["close Some(1000) bye"]);
    assert_events(b"\x88\x82\x01\x01\x01\x01\x12\x86", &["close Some(4999) "]);
    assert_error(b"\x88\x01\x03", ErrorKind::BadClose, 0);
    for code in [0, 999, 1004, 1005, 1006, 1015, 2999, 5000, 65535] {
        let [high, low] = u16::to_be_bytes(code);
        assert_error(&[0x88, 2, high, low], ErrorKind::BadCloseCode(code), 0);
    }
    assert_error(b"\x88\x00\x81\x00", ErrorKind::AfterClose, 2);
}

#[test]
fn limits_of_messages() {
    let assert_too_long = |stream: &[u8], len: u64, offset: u64| {
        let decoder = Decoder::frames().limits(Limits { message: 10, ..Limits::default() });
        let (_, end) = events(decoder, stream);
        assert_eq!(end, Some((ErrorKind::TooLong { len, limit: 10 }, offset)));
    };
    assert_too_long(b"\x82\x0b", 11, 0); // by the length in the header
    assert_too_long(b"\x82\x7f\x7f\xff\xff\xff\xff\xff\xff\xff", u64::MAX >> 1, 0);
    assert_too_long(b"\x02\x06abcdef\x80\x05", 11, 8);
    let decoder = Decoder::frames().limits(Limits { message: 10, ..Limits::default() });
    let (all, end) = events(decoder, b"\x02\x06abcdef\x89\x01!\x80\x04ghij\x82\x0a0123456789");
    assert_eq!((all.len(), end), (3, None));
}

#[test]
fn upgrade_requests_and_responses() {
    let head = |stream: &[u8]| {
        let (events, end) = events(Decoder::default(), stream);
        end.map_or_else(|| Ok(events), Err)
    };
    let request = b"GET /x HTTP/1.1\r\nHost: y\r\nUPGRADE: webSocket\r\n\r\n\x81\x82\0\0\0\0hi";
    assert_eq!(head(request), Ok(vec!["Client: GET /x HTTP/1.1".into(), "hi".into()]));
    let response = b"HTTP/1.1 101 Sure\r\nUpgrade:websocket\r\n\r\n\x81\x02hi";
    assert_eq!(head(response), Ok(vec!["Server: HTTP/1.1 101 Sure".into(), "hi".into()]));
    assert_eq!(head(b"GET / HT"), Ok(vec![]));
    assert_eq!(head(b"HTTP/2"), Err((ErrorKind::NotHttp, 0)));
    assert_eq!(head(b"\x16\x03\x01"), Err((ErrorKind::NotHttp, 0)));
    assert_eq!(head(b"GET / HTTP/1.0\r\n\r\n"), Err((ErrorKind::NotHttp, 0)));
    assert_eq!(head(b"HTTP/1.1 1x1 Sure\r\n\r\n"), Err((ErrorKind::NotHttp, 0)));
    let refused = ErrorKind::Refused { status: 404 };
    assert_eq!(head(b"HTTP/1.1 404 Not Found\r\n\r\n"), Err((refused, 0)));
    assert_eq!(head(b"GET / HTTP/1.1\r\nA: b\r\n\r\n"), Err((ErrorKind::NotAnUpgrade, 0)));
    let other = b"HTTP/1.1 101 Sure\r\nUpgrade: h2c\r\n\r\n";
    assert_eq!(head(other), Err((ErrorKind::NotAnUpgrade, 0)));
    let long = [&b"GET / HTTP/1.1\r\n"[..], &vec![b'x'; 1 << 14]].concat();
    assert_eq!(head(&long), Err((ErrorKind::HeadTooLong { limit: 1 << 14 }, 0)));
    for stream in [&request[..], response, other, &long[..2000]] {
        laws::websocket(stream);
    }
}

/// The payload of a complete frame is borrowed from the input unless the frame is masked.
#[test]
fn payload_of_a_complete_frame_is_borrowed() {
    let stream = b"\x82\x03abc\x82\x83\0\0\0\0abc\x81\x00";
    let mut borrowed = Vec::new();
    let piece = stream.as_ptr_range();
    let mut decoder = Decoder::frames();
    let each = |event: Event<'_>| {
        let Event::Message(message) = event else { panic!("{event:?}") };
        borrowed.push(piece.contains(&message.payload.as_ptr()) || message.payload.is_empty());
    };
    decoder.feed(stream, each).unwrap();
    assert_eq!(borrowed, [true, false, true]);
    assert!(decoder.is_between_messages());
    decoder.feed(&stream[..4], |_| {}).unwrap();
    assert!(!decoder.is_between_messages());
    decoder.reset();
    decoder.feed(b"GET /", |_| {}).unwrap();
    assert_eq!(decoder.offset(), 5);
}

#[test]
fn masking_xors_bytes_with_the_key() {
    let key = [0x12, 0x34, 0x56, 0x78];
    for len in 0..40 {
        let plain: Vec<u8> = (0..len).collect();
        let mut masked = plain.clone();
        mask(&mut masked, key);
        let expected = plain.iter().zip(key.iter().cycle()).map(|(byte, key)| byte ^ key);
        assert!(masked.iter().copied().eq(expected));
    }
}

#[test]
fn written_frames_are_decoded() {
    let mut memory = [0; 20];
    let mut sink = SliceSink::new(&mut memory);
    websocket::write(&mut sink, Kind::Text, b"Hello", None).unwrap();
    assert_eq!(sink.written(), b"\x81\x05Hello");
    let full = websocket::write(&mut sink, Kind::Text, b"Hello", None);
    assert_eq!(full, Err(Full { missing: 6 }));
    for len in [0, 1, 125, 126, 65535, 65536, 70_000] {
        for key in [None, Some([9, 8, 7, 6])] {
            let payload: Vec<u8> = (0..len).map(|at| (at % 253) as u8).collect();
            let mut stream = Vec::new();
            websocket::write(&mut stream, Kind::Binary, &payload, key).unwrap();
            let (header, size) = Header::read(&stream).unwrap().unwrap();
            let expected = Header { fin: true, opcode: Opcode::Binary, mask: key, len };
            assert_eq!((header, size + payload.len()), (expected, stream.len()));
            for piece in [1000, stream.len()] {
                let mut decoder = Decoder::frames();
                let mut count = 0;
                for piece in stream.chunks(piece) {
                    let each = |event: Event<'_>| {
                        let message = Message { kind: Kind::Binary, payload: &payload };
                        assert!(event == Event::Message(message));
                        count += 1;
                    };
                    decoder.feed(piece, each).unwrap();
                }
                assert_eq!(count, 1);
            }
        }
    }
}

/// One side of the connection in `ws.pcap`.
struct Sender {
    port: u16,
    stream: tcp::Stream,
    decoder: Decoder,
    side: Option<Side>,
    messages: Vec<Vec<u8>>,
}

impl Sender {
    fn new(port: u16) -> Self {
        let (stream, decoder) = (tcp::Stream::new(), Decoder::new());
        Self { port, stream, decoder, side: None, messages: Vec::new() }
    }

    /// Passes a segment to the stream, and passes the bytes that the stream delivers to the
    /// decoder. Collects the messages.
    fn feed(&mut self, segment: tcp::Segment<'_>) {
        let mut each = |event: Event<'_>| match event {
            Event::Upgrade(head) => assert_eq!(self.side.replace(head.side()), None),
            Event::Message(Message { kind: Kind::Binary, payload }) => {
                self.messages.push(payload.to_vec());
            }
            other => panic!("{other:?}"),
        };
        self.stream.feed(segment, |event| match event {
            tcp::Event::Bytes(bytes) => self.decoder.feed(bytes, &mut each).unwrap(),
            tcp::Event::Gap { .. } => panic!("a gap"),
            _ => {}
        });
    }
}

fn captured_senders() -> [Sender; 2] {
    let mut senders: Vec<Sender> = Vec::new();
    for packet in captures::packets("ws") {
        let segment = segment(LinkType(packet.link_type), &packet.data).unwrap();
        let Transport::Tcp(tcp) = segment.transport else { panic!("not TCP") };
        let port = segment.source.port();
        if !senders.iter().any(|sender| sender.port == port) {
            senders.push(Sender::new(port));
        }
        senders.iter_mut().find(|sender| sender.port == port).unwrap().feed(tcp);
    }
    assert!(senders.iter().all(|sender| sender.decoder.is_between_messages()));
    senders.try_into().ok().unwrap()
}

fn logged(side: &str) -> Vec<(String, Json)> {
    let text = |line: &Json, name| line.get(name).unwrap().as_str().unwrap().to_owned();
    let lines = corpus::lines(&format!("captures/ws.{side}.jsonl"));
    let line = |line| (text(&line, "kind"), native_json::parse(&text(&line, "value")).unwrap());
    lines.into_iter().map(line).collect()
}

/// Returns the bytes of a packed array in the log.
fn bytes(array: &Json) -> Vec<u8> {
    let number = |number: &Json| match number {
        Json::Number(number, _) => *number as u8,
        other => panic!("{other:?}"),
    };
    array.get("args").unwrap().as_array().unwrap().iter().map(number).collect()
}

#[test]
fn packets_sent_by_godot() {
    let [client, server] = captured_senders();
    assert_eq!((client.side, server.side), (Some(Side::Client), Some(Side::Server)));
    let (to_server, to_client) = (client.messages, server.messages);
    assert_eq!((to_server.len(), to_client.len()), (65, 591));

    // The first message of the server contains the client's id, which is also in the log.
    let id = u32::from_le_bytes(to_client[0][..].try_into().unwrap());
    let log = logged("server");
    let raw: Vec<_> = log.iter().filter(|(kind, _)| kind == "bytes_from").collect();
    for (_, value) in &raw {
        assert_eq!(value.as_array().unwrap()[0].as_str().unwrap(), format!("i:{id}"));
    }

    // The low three bits of a packet's first byte are its command: 0 is a call, and 7 is a packet
    // for relaying. Here, the packets for relaying contain a raw packet (command 3) for all peers.
    let of = |messages: &[Vec<u8>], kind: u8| -> Vec<Vec<u8>> {
        messages.iter().filter(|message| message[0] & 7 == kind).cloned().collect()
    };
    let calls = log.iter().filter(|(kind, _)| kind.starts_with("rpc ")).count();
    assert_eq!(of(&to_server, 0).len(), calls);
    let sent = of(&to_server, 7);
    assert_eq!(sent.len(), raw.len());
    for (message, (_, value)) in sent.iter().zip(&raw) {
        let (head, message) = message.split_at(7);
        assert_eq!(head, [7, 3, 0, 0, 0, 0, 3]);
        assert_eq!(message, bytes(&value.as_array().unwrap()[1]));
    }

    // The client's log also contains local calls of `move`, which are not on the wire.
    let log = logged("client");
    let calls = log.iter().filter(|(kind, _)| kind != "rpc move").count();
    assert_eq!(of(&to_client[1..], 0).len(), calls);
}

#[test]
fn generated_frames_satisfy_the_laws() {
    let mut random = crate::support::random::Random(5);
    for round in 0..1500 {
        let mut stream = Vec::new();
        for _ in 0..random.below(6) {
            let first = random.one_of(&[0x81, 0x82, 0x01, 0x00, 0x80, 0x89, 0x8a, 0x88, 0xf3]);
            let len = random.one_of(&[0, 1, 2, 5, 125, 126, 200]);
            let other = random.next() as u8;
            let key = random.one_of(&[None, Some([1, 2, 3, 4]), Some([other; 4])]);
            let opcode = random.one_of(&[Opcode::Text, Opcode::Binary, Opcode::Ping]);
            let from = stream.len();
            Header { fin: true, opcode, mask: key, len }.write(&mut stream).unwrap();
            if round % 3 != 0 {
                stream[from] = first;
            }
            stream.extend((0..len).map(|at| if at < 2 { 3 } else { random.next() as u8 }));
        }
        laws::websocket(&stream);
        if !stream.is_empty() {
            let at = random.below(stream.len());
            stream[at] ^= 1 << random.below(8);
            laws::websocket(&stream);
            stream.truncate(at);
            laws::websocket(&stream);
        }
    }
}

#[test]
fn complete_message_is_not_copied() {
    for frame in [b"\x81\x05Hello", b"\x82\x05Hello"] {
        let mut decoder = Decoder::frames();
        let mut events = 0;
        decoder.feed(frame, |_| events += 1).unwrap();
        assert_eq!((events, decoder.memory()), (1, 0));
    }
}

/// Returns the memory of a decoder that has received a masked frame whose payload arrived in these
/// parts.
fn memory_of(limit: u32, parts: &[usize]) -> usize {
    let mut decoder = Decoder::frames().limits(Limits { message: limit, ..Limits::default() });
    let len = parts.iter().sum::<usize>() as u64;
    let mut stream = Vec::new();
    let header = Header { fin: true, opcode: Opcode::Binary, mask: Some([1; 4]), len };
    header.write(&mut stream).unwrap();
    decoder.feed(&stream, |_| ()).unwrap();
    for part in parts {
        decoder.feed(&vec![0; *part], |_| ()).unwrap();
    }
    assert!(decoder.is_between_messages());
    decoder.memory()
}

#[test]
fn message_buffer_stays_within_the_limit() {
    assert_eq!(memory_of(1000, &[600, 400]), 1000);
    assert_eq!(memory_of(1000, &[300, 10, 300, 390]), 1000);
    assert_eq!(memory_of(5000, &[600, 300]), 1024);
    assert_eq!(memory_of(5000, &[600, 500]), 2048);
}

#[test]
fn buffer_that_just_suffices_does_not_grow() {
    let mut decoder = Decoder::new();
    let head = b"HTTP/1.1 101 Sure\r\nUpgrade: websocket\r\n\r\n";
    let (front, back) = head.split_at(35);
    decoder.feed(front, |_| ()).unwrap();
    decoder.feed(back, |_| ()).unwrap();
    let memory = decoder.memory();
    assert!(!memory.is_power_of_two());
    let mut frame = Vec::new();
    websocket::write(&mut frame, Kind::Binary, &vec![0; memory], Some([1; 4])).unwrap();
    decoder.feed(&frame, |_| ()).unwrap();
    assert_eq!(decoder.memory(), memory);
}
