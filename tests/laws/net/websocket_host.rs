//! Laws of the connections of a WebSocket host: they accept any bytes, and their events and their
//! output do not depend on the sizes of the pieces.

use gamewire::transport::websocket::host::{Closed, Config, Connection, Event};
use gamewire::transport::websocket::{Decoder, Event as Decoded, Kind, Limits, Message, Side};

const LIMITS: Limits = Limits { head: 256, message: 300 };

const CONFIG: Config = Config {
    limits: LIMITS,
    output: 1024,
    handshake_timeout: 1000,
    ping_interval: 0,
    silence_timeout: 0,
    close_timeout: 1000,
    protocol: Some("chat"),
};

const REQUEST: &[u8] =
    b"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

pub fn websocket_host(data: &[u8]) {
    let server = || Connection::server(CONFIG, 0);
    let client = || Connection::client(CONFIG, 0, "a", "/", 1).unwrap();
    check_pieces(server, data);
    check_pieces(client, data);
    let upgraded = [REQUEST, data].concat();
    let events = check_pieces(server, &upgraded);
    check_messages(&events, &upgraded);
    check_deadlines(data);
}

/// Passes the data in one piece. Asserts that smaller pieces give the same events and output.
fn check_pieces(create: impl Fn() -> Connection, data: &[u8]) -> Vec<String> {
    let whole = exchange(create(), data, data.len().max(1));
    for size in [1, 3, 64] {
        assert_eq!(exchange(create(), data, size), whole, "in pieces of {size}");
    }
    whole.0
}

fn exchange(mut connection: Connection, data: &[u8], size: usize) -> (Vec<String>, Vec<u8>) {
    let (mut events, mut output) = (Vec::new(), Vec::new());
    for piece in data.chunks(size) {
        connection.receive(1, piece, |event| events.push(described(event)));
    }
    while !connection.output().is_empty() {
        assert!(connection.output().len() <= CONFIG.output as usize + 2 * 139);
        output.extend_from_slice(connection.output());
        connection.sent(connection.output().len());
    }
    assert!(connection.memory() <= 300 + 4096, "{}", connection.memory());
    let end = events.iter().position(|event| event.starts_with("closed"));
    assert_eq!(end.is_some(), connection.is_finished());
    assert!(end.is_none_or(|end| end == events.len() - 1), "{events:?}");
    (events, output)
}

fn described(event: Event<'_>) -> String {
    match event {
        Event::Opened(_) => "opened".into(),
        Event::Message(message) => format!("{message:?}"),
        // The offset of invalid text is that of the piece.
        Event::Closed(Closed::Failed(error)) => format!("closed: {}", error.kind()),
        Event::Closed(closed) => format!("closed: {closed:?}"),
    }
}

/// Asserts that a server gets the messages that the decoder finds, up to the first text that is not
/// valid.
fn check_messages(events: &[String], stream: &[u8]) {
    let mut messages = Vec::new();
    let mut all_valid = true;
    let _ = Decoder::new().limits(LIMITS).side(Side::Client).feed(stream, |event| {
        if let Decoded::Message(message @ Message { kind, payload }) = event {
            all_valid &= kind == Kind::Binary || str::from_utf8(payload).is_ok();
            if all_valid {
                messages.push(format!("{message:?}"));
            }
        }
    });
    assert_eq!(events[0], "opened");
    let got = events.iter().filter(|event| event.starts_with("Message"));
    assert!(got.eq(&messages), "{events:?} {messages:?}");
}

/// Asserts that a connection ends at its deadlines, whatever has arrived.
fn check_deadlines(data: &[u8]) {
    let mut connection = Connection::server(CONFIG, 0);
    let mut ends = 0;
    let mut count = |event: Event<'_>| ends += usize::from(matches!(event, Event::Closed(_)));
    connection.receive(1, data, &mut count);
    connection.close(2, 1000, "");
    while let Some(next) = connection.next_timeout() {
        assert!(next <= 1002);
        connection.advance(next, &mut count);
    }
    connection.end(&mut count);
    assert_eq!(ends, 1);
}
