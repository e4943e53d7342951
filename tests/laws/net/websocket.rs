//! Laws of the WebSocket decoder: it agrees with an oracle, its results do not depend on the sizes
//! of the pieces, and written frames can be decoded again.

use gamewire::transport::websocket::{self, Decoder, Error, Event, Kind, Limits, Message};

/// An event that outlives the decoder.
#[derive(Clone, Debug, PartialEq)]
enum OwnedEvent {
    Upgrade(Vec<u8>),
    Message(Kind, Vec<u8>),
    Ping(Vec<u8>),
    Pong(Vec<u8>),
    Close(Option<u16>, Vec<u8>),
}

impl From<Event<'_>> for OwnedEvent {
    fn from(event: Event<'_>) -> Self {
        match event {
            Event::Upgrade(head) => {
                assert!(head.as_bytes().ends_with(b"\r\n\r\n"));
                assert!(head.as_bytes().starts_with(head.first_line()));
                Self::Upgrade(head.as_bytes().to_vec())
            }
            Event::Message(Message { kind, payload }) => Self::Message(kind, payload.to_vec()),
            Event::Ping(payload) => Self::Ping(payload.to_vec()),
            Event::Pong(payload) => Self::Pong(payload.to_vec()),
            Event::Close { code, reason } => Self::Close(code, reason.to_vec()),
        }
    }
}

const UPGRADE_REQUEST: &[u8] = b"GET /chat HTTP/1.1\r\nupgrade:WebSocket \r\n\r\n";

const LIMITS: Limits = Limits { head: 64, message: 300 };

pub fn websocket(data: &[u8]) {
    let frames = Decoder::frames().limits(LIMITS);
    let (events, end) = feed_in_pieces(data, &frames);
    let (expected, is_valid) = oracle(data);
    assert_eq!(events, expected);
    assert_eq!(end.is_ok(), is_valid, "{end:?}");

    // If an upgrade precedes the frames, the events are the same, and the error has a larger
    // offset.
    let upgraded = [UPGRADE_REQUEST, data].concat();
    let (mut after_upgrade, end_after_upgrade) =
        feed_in_pieces(&upgraded, &Decoder::new().limits(LIMITS));
    assert_eq!(after_upgrade.remove(0), OwnedEvent::Upgrade(UPGRADE_REQUEST.to_vec()));
    assert_eq!(after_upgrade, events);
    assert_eq!(end_after_upgrade, end.map_err(|error| error.shifted(UPGRADE_REQUEST.len() as u64)));

    // Reads the input as an upgrade, which is usually malformed. Only the division into pieces is
    // checked.
    let _ = feed_in_pieces(data, &Decoder::new().limits(LIMITS));
    let damaged: Vec<u8> = [UPGRADE_REQUEST, &data[..data.len().min(20)]].concat();
    let at = data.first().map_or(0, |first| usize::from(*first) % UPGRADE_REQUEST.len());
    let inserted = [&damaged[..at], data, &damaged[at..]].concat();
    let _ = feed_in_pieces(&inserted, &Decoder::new().limits(LIMITS));

    check_written(&events);
}

/// Feeds the data in one piece. Asserts that smaller pieces give the same events and error.
fn feed_in_pieces(data: &[u8], decoder: &Decoder) -> (Vec<OwnedEvent>, Result<(), Error>) {
    let whole = feed(data, data.len().max(1), decoder.clone());
    for size in [1, 2, 3, 13, 64] {
        assert_eq!(feed(data, size, decoder.clone()), whole, "in pieces of {size}");
    }
    whole
}

fn feed(data: &[u8], size: usize, mut decoder: Decoder) -> (Vec<OwnedEvent>, Result<(), Error>) {
    let mut events = Vec::new();
    let each = |piece| decoder.feed(piece, |event| events.push(event.into()));
    let end = data.chunks(size).try_for_each(each);
    match end {
        Ok(()) => assert_eq!(decoder.offset(), data.len() as u64),
        Err(error) => {
            assert!(error.offset() <= data.len() as u64);
            let again = decoder.feed(b"?", |event| panic!("{event:?} after an error"));
            assert_eq!(again, Err(error));
        }
    }
    (events, end)
}

/// An independent oracle for a complete stream, written from the RFC. Returns the events, and
/// `false` if the stream breaks the rules of the RFC. A truncated stream does not break these
/// rules.
fn oracle(data: &[u8]) -> (Vec<OwnedEvent>, bool) {
    let mut events = Vec::new();
    let is_valid = oracle_frames(data, &mut events);
    (events, is_valid.unwrap_or(true))
}

/// Adds the events of the frames. Returns `None` if the bytes end inside a frame.
fn oracle_frames(mut rest: &[u8], events: &mut Vec<OwnedEvent>) -> Option<bool> {
    let mut message: Option<(Kind, Vec<u8>)> = None;
    while !rest.is_empty() {
        if let Some(OwnedEvent::Close(..)) = events.last() {
            return Some(false);
        }
        let number = |from: usize, len: usize| {
            let bytes = rest.get(from..from + len)?;
            Some(bytes.iter().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte)))
        };
        let (first, second) = (number(0, 1)?, number(1, 1)?);
        let (len, start, minimal) = match second % 128 {
            126 => (number(2, 2)?, 4, number(2, 2)? > 125),
            127 => (number(2, 8)?, 10, (0x1_0000..1 << 63).contains(&number(2, 8)?)),
            len => (len, 2, true),
        };
        let key = if second >= 128 { Some(number(start, 4)?.to_be_bytes()) } else { None };
        let start = start + if key.is_some() { 4 } else { 0 };
        let (fin, opcode) = (first >= 128, first % 16);
        let control_is_fine = opcode < 8 || fin && len < 126;
        let in_turn = match opcode {
            0 => message.is_some(),
            1 | 2 => message.is_none(),
            8..=10 => true,
            _ => false,
        };
        if first / 16 % 8 != 0 || !minimal || !control_is_fine || !in_turn {
            return Some(false);
        }
        let so_far = message.as_ref().map_or(0, |message| message.1.len());
        if opcode < 8 && len + so_far as u64 > u64::from(LIMITS.message) {
            return Some(false);
        }
        let end = start + len as usize;
        let mut payload = rest.get(start..end)?.to_vec();
        for (at, byte) in payload.iter_mut().enumerate() {
            *byte ^= key.map_or(0, |key| key[4 + at % 4]);
        }
        rest = &rest[end..];
        match opcode {
            9 => events.push(OwnedEvent::Ping(payload)),
            10 => events.push(OwnedEvent::Pong(payload)),
            8 => match payload[..] {
                [] => events.push(OwnedEvent::Close(None, payload)),
                [_] => return Some(false),
                [high, low, ref reason @ ..] => {
                    let code = u16::from(high) << 8 | u16::from(low);
                    let reserved = [1004, 1005, 1006].contains(&code);
                    let assigned = (1000..1015).contains(&code) && !reserved;
                    if !assigned && !(3000..5000).contains(&code) {
                        return Some(false);
                    }
                    events.push(OwnedEvent::Close(Some(code), reason.to_vec()));
                }
            },
            _ => {
                let kind = if opcode == 1 { Kind::Text } else { Kind::Binary };
                let (kind, mut whole) = message.take().unwrap_or((kind, Vec::new()));
                whole.extend(payload);
                match fin {
                    true => events.push(OwnedEvent::Message(kind, whole)),
                    false => message = Some((kind, whole)),
                }
            }
        }
    }
    Some(true)
}

/// Asserts that the messages can be written one after the other and read again.
fn check_written(events: &[OwnedEvent]) {
    let messages = events.iter().filter(|event| matches!(event, OwnedEvent::Message(..)));
    for key in [None, Some([0x12, 0x34, 0x56, 0xff])] {
        let mut stream = Vec::new();
        for message in messages.clone() {
            let OwnedEvent::Message(kind, payload) = message else { continue };
            websocket::write(&mut stream, *kind, payload, key).unwrap();
        }
        let (again, end) = feed(&stream, 50, Decoder::frames());
        assert!(end.is_ok() && again.iter().eq(messages.clone()));
    }
}
