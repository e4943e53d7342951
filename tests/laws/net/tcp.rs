//! Laws of TCP: segments may arrive in any order, and their bytes are delivered in order.

use crate::support::net::tcp_oracle as oracle;
use gamewire::transport::tcp::{Event, Flags, Limits, Segment, Stream};

/// The number of offsets at which a generated segment can start.
const SPAN: usize = 1 << 12;

/// The sequence number of offset 0, chosen so that the numbers wrap around at a later offset.
const FIRST_SEQUENCE: u32 = u32::MAX - 1000;

/// Returns the byte with this sequence number, which is the same in every copy of a segment.
fn byte(sequence: u32) -> u8 {
    (sequence.wrapping_mul(0x9E37_79B1) >> 24) as u8
}

/// Returns the start, the length and the flags of each segment. Each five bytes of input describe
/// one segment.
fn segments(data: &[u8]) -> impl Iterator<Item = (usize, usize, u8)> {
    data.chunks_exact(5).map(|five| {
        let start = usize::from(u16::from_le_bytes([five[0], five[1]])) % SPAN;
        let len = usize::from(five[2]) % 100;
        // Flags are rare in random input, but not in the inputs of the fuzzer.
        let flags = if five[3] < 16 { five[4] } else { 0 };
        (start, len, flags)
    })
}

pub fn tcp(data: &[u8]) {
    delivers_in_order(data);
    first_bytes_win(data);
    agrees_with_oracle(data);
    tight_limits(data);
}

fn segment(payload: &[u8], start: usize, flags: u8) -> Segment<'_> {
    let sequence = FIRST_SEQUENCE.wrapping_add(start as u32);
    Segment { sequence, flags: Flags(flags), payload, ..Segment::default() }
}

/// Returns a stream with limits that suffice for all segments.
fn unlimited_stream() -> Stream {
    Stream::new().limits(Limits { runs: u32::MAX, ..Limits::default() })
}

/// Compares the stream with a table of received bytes: all bytes before the first missing byte are
/// delivered.
fn delivers_in_order(data: &[u8]) {
    let mut stream = unlimited_stream();
    feed(&mut stream, segment(&[], 0, Flags::SYN), &mut Vec::new());
    let mut received = vec![false; SPAN + 200];
    let mut delivered = Vec::new();
    for (start, len, _) in segments(data) {
        // The SYN has the first sequence number, and the first byte has the next one.
        let start = start + 1;
        let payload: Vec<u8> =
            (start..start + len).map(|at| byte(FIRST_SEQUENCE.wrapping_add(at as u32))).collect();
        received[start - 1..][..len].fill(true);
        feed(&mut stream, segment(&payload, start, 0), &mut delivered);
        let contiguous = received.iter().position(|received| !received).unwrap();
        assert_eq!(delivered.len(), contiguous);
        assert_eq!(stream.position(), contiguous as u64);
        assert_eq!(stream.is_waiting(), received[contiguous..].contains(&true));
    }
    let expected = (1..=delivered.len()).map(|at| byte(FIRST_SEQUENCE.wrapping_add(at as u32)));
    assert!(delivered.iter().copied().eq(expected));
}

fn feed(stream: &mut Stream, segment: Segment<'_>, delivered: &mut Vec<u8>) {
    stream.feed(segment, |event| match event {
        Event::Bytes(bytes) => delivered.extend(bytes),
        Event::Start { whole } => assert!(whole),
        other => panic!("{other:?}"),
    });
}

/// Checks that the first copy is delivered if retransmitted bytes differ.
fn first_bytes_win(data: &[u8]) {
    let mut stream = unlimited_stream();
    feed(&mut stream, segment(&[], 0, Flags::SYN), &mut Vec::new());
    let mut first = vec![None; SPAN + 200];
    let mut delivered = Vec::new();
    for (number, (start, len, _)) in segments(data).enumerate() {
        let payload = vec![number as u8; len];
        for place in &mut first[start..start + len] {
            place.get_or_insert(number as u8);
        }
        feed(&mut stream, segment(&payload, start + 1, 0), &mut delivered);
    }
    assert!(delivered.iter().copied().map(Some).eq(first.iter().copied().take(delivered.len())));
}

/// Asserts that the stream and the oracle give the same events after each segment and each
/// acknowledgement, and at the end of the capture. The limits suffice for all segments.
fn agrees_with_oracle(data: &[u8]) {
    let mut stream = unlimited_stream();
    let mut theirs = oracle::Stream::default();
    feed(&mut stream, segment(&[], 0, Flags::SYN), &mut Vec::new());
    for (number, (start, len, flags)) in segments(data).enumerate() {
        let payload = vec![number as u8; len];
        let fin = flags & Flags::FIN;
        let mut ours = Vec::new();
        stream.feed(segment(&payload, start + 1, fin), |event| push_event(&mut ours, event));
        assert_eq!(ours, theirs.feed(start as u64, &payload, fin != 0));
        if flags & Flags::ACK != 0 {
            let mut ours = Vec::new();
            let number = FIRST_SEQUENCE.wrapping_add(1 + start as u32);
            stream.acknowledged(number, |event| push_event(&mut ours, event));
            assert_eq!(ours, theirs.acknowledged(start as u64));
        }
        assert_eq!((stream.position(), stream.is_over()), (theirs.position, theirs.ended));
        assert_eq!(stream.is_waiting() && !theirs.ended, theirs.is_waiting() && !theirs.ended);
    }
    let mut ours = Vec::new();
    stream.flush(|event| push_event(&mut ours, event));
    assert_eq!(ours, theirs.flush());
}

/// Adds an event. Joins consecutive pieces of delivered bytes.
fn push_event(events: &mut Vec<oracle::Event>, event: Event<'_>) {
    match (event, events.last_mut()) {
        (Event::Bytes(bytes), Some(oracle::Event::Bytes(before))) => before.extend(bytes),
        (Event::Bytes(bytes), _) => events.push(oracle::Event::Bytes(bytes.to_vec())),
        (Event::Gap { bytes }, _) => events.push(oracle::Event::Gap(bytes.into())),
        (Event::End, _) => events.push(oracle::Event::End),
        (other, _) => panic!("{other:?}"),
    }
}

/// Asserts that each delivered byte and the length of each gap are correct, even with low limits
/// and with arbitrary flags and acknowledgements.
fn tight_limits(data: &[u8]) {
    let limits = Limits { ahead: 256, runs: 3 };
    let mut stream = Stream::new().limits(limits);
    let mut at = None;
    for (number, (start, len, flags)) in segments(data).enumerate() {
        let start = if number % 7 == 6 { start << 19 } else { start };
        let mut sequence = FIRST_SEQUENCE.wrapping_add(start as u32);
        let payload: Vec<u8> = {
            let first = sequence.wrapping_add(u32::from(flags & Flags::SYN != 0));
            (0..len).map(|at| byte(first.wrapping_add(at as u32))).collect()
        };
        let segment = segment(&payload, start, flags);
        if segment.flags.has(Flags::SYN) {
            sequence = sequence.wrapping_add(1);
        }
        stream.feed(segment, |event| check(event, &mut at, sequence));
        if segment.flags.has(Flags::ACK) {
            stream.acknowledged(sequence, |event| check(event, &mut at, sequence));
        }
        assert_eq!(stream.is_over(), matches!(at, Some(None)));
    }
    stream.flush(|event| check(event, &mut at, 0));
    assert!(!stream.is_waiting());
    stream.flush(|event| panic!("{event:?} after a flush"));
    stream.reset();
    assert!(stream.position() == 0 && !stream.is_over());
}

/// Checks an event against `at`, the sequence number of the next byte, and updates `at`. `at` is
/// `None` before the start of the stream, and `Some(None)` after its end.
fn check(event: Event<'_>, at: &mut Option<Option<u32>>, sequence: u32) {
    match event {
        Event::Start { .. } => *at = Some(Some(sequence)),
        Event::Bytes(bytes) => {
            let next = at.as_mut().unwrap().as_mut().expect("nothing after the end");
            assert!(!bytes.is_empty());
            for delivered in bytes {
                assert_eq!(*delivered, byte(*next));
                *next = next.wrapping_add(1);
            }
        }
        Event::Gap { bytes } => {
            let next = at.as_mut().unwrap().as_mut().expect("nothing after the end");
            assert!(bytes > 0);
            *next = next.wrapping_add(bytes);
        }
        Event::End | Event::Reset => {
            at.as_mut().unwrap().take().expect("one end");
        }
    }
}
