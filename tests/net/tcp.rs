//! Reassembles TCP streams.

use crate::laws;
use crate::support::corpus;
use crate::support::net::captures;
use gamewire::capture::{LinkType, Transport, segment};
use gamewire::godot::frame::Frames;
use gamewire::godot::{Dialect, Reader};
use gamewire::transport::tcp::{Event, Flags, Limits, Segment, Stream};

/// A stream, and its events as text.
struct Observer {
    stream: Stream,
    events: Vec<String>,
}

impl Observer {
    fn new() -> Self {
        Self { stream: Stream::new(), events: Vec::new() }
    }

    fn limits(ahead: u32, runs: u32) -> Self {
        Self { stream: Stream::new().limits(Limits { ahead, runs }), events: Vec::new() }
    }

    fn push_event(events: &mut Vec<String>, event: Event<'_>) {
        events.push(match event {
            Event::Start { whole: true } => "start".into(),
            Event::Start { whole: false } => "middle".into(),
            Event::Bytes(bytes) => String::from_utf8(bytes.to_vec()).unwrap(),
            Event::Gap { bytes } => format!("gap {bytes}"),
            Event::End => "end".into(),
            Event::Reset => "reset".into(),
        });
    }

    #[track_caller]
    fn feed(&mut self, sequence: u32, flags: u8, payload: &str, expected: &[&str]) {
        let payload = payload.as_bytes();
        let segment = Segment { sequence, flags: Flags(flags), payload, ..Segment::default() };
        self.stream.feed(segment, |event| Self::push_event(&mut self.events, event));
        self.assert_events(expected);
    }

    #[track_caller]
    fn flush(&mut self, expected: &[&str]) {
        self.stream.flush(|event| Self::push_event(&mut self.events, event));
        self.assert_events(expected);
    }

    #[track_caller]
    fn acknowledged(&mut self, number: u32, expected: &[&str]) {
        self.stream.acknowledged(number, |event| Self::push_event(&mut self.events, event));
        self.assert_events(expected);
    }

    #[track_caller]
    fn assert_events(&mut self, expected: &[&str]) {
        assert_eq!(std::mem::take(&mut self.events), expected);
    }
}

const SYN: u8 = Flags::SYN;
const FIN: u8 = Flags::FIN;
const RST: u8 = Flags::RST;

#[test]
fn stream_from_syn_to_fin() {
    let mut observer = Observer::new();
    observer.feed(9, SYN, "", &["start"]);
    observer.feed(9, SYN, "", &[]);
    observer.feed(10, 0, "ab", &["ab"]);
    observer.feed(12, 0, "", &[]);
    observer.feed(11, 0, "?", &[]); // a keep-alive
    observer.feed(9, 0, "?", &[]); // has the sequence number of the SYN
    observer.feed(8, FIN, "?", &[]);
    observer.feed(12, 0, "cd", &["cd"]);
    observer.feed(10, 0, "ABCDef", &["ef"]);
    observer.feed(16, FIN, "g", &["g", "end"]);
    assert!(observer.stream.is_over());
    observer.feed(16, FIN, "g", &[]);
    observer.feed(18, 0, "h", &[]);
    observer.feed(17, RST, "", &[]);
    observer.flush(&[]);
    assert_eq!(observer.stream.position(), 7);
}

#[test]
fn payload_with_the_syn() {
    let mut observer = Observer { stream: Stream::default(), events: Vec::new() };
    observer.feed(u32::MAX, SYN | FIN, "abc", &["start", "abc", "end"]);
}

#[test]
fn early_segments_wait() {
    let mut observer = Observer::new();
    observer.feed(9, SYN, "", &["start"]);
    observer.feed(14, 0, "e", &[]);
    observer.feed(12, 0, "c", &[]);
    observer.feed(12, 0, "C", &[]);
    observer.feed(16, FIN, "gh", &[]);
    assert!(observer.stream.is_waiting());
    observer.feed(10, 0, "ab", &["ab", "c"]);
    observer.feed(13, 0, "dEfG?", &["d", "e", "f", "gh", "end"]);
}

#[test]
fn first_copy_of_repeated_bytes_counts() {
    let mut observer = Observer::new();
    observer.feed(9, SYN, "", &["start"]);
    observer.feed(13, 0, "def", &[]);
    observer.feed(17, 0, "hi", &[]);
    observer.feed(11, 0, "bcDEFgHIjk", &[]); // fills the gaps before, between and after
    observer.feed(10, 0, "aBCDEFGHIJKl", &["a", "bcdefghijk", "l"]);
}

#[test]
fn numbers_wrap_around() {
    let mut observer = Observer::new();
    observer.feed(u32::MAX - 3, SYN, "", &["start"]);
    observer.feed(1, 0, "e", &[]);
    observer.feed(u32::MAX - 2, 0, "abcd", &["abcd", "e"]);
    observer.feed(u32::MAX - 2, 0, "ABCDEf", &["f"]);
}

#[test]
fn stream_without_its_start() {
    let mut observer = Observer::new();
    observer.feed(99, 0, "", &[]); // could be a keep-alive
    observer.feed(99, RST, "x", &[]);
    observer.feed(100, 0, "ab", &["middle", "ab"]);
    observer.feed(98, 0, "12", &[]);
    observer.feed(102, 0, "c", &["c"]);
    // A new connection starts with the same ports.
    observer.feed(500, SYN, "", &["start"]);
    observer.feed(501, 0, "x", &["x"]);
    assert_eq!(observer.stream.position(), 1);
}

#[test]
fn waiting_packets_are_delivered_at_the_end() {
    let mut observer = Observer::new();
    observer.feed(0, SYN, "", &["start"]);
    observer.feed(3, 0, "cd", &[]);
    observer.feed(7, 0, "gh", &[]);
    observer.flush(&["gap 2", "cd", "gap 2", "gh"]);
    observer.feed(9, 0, "i", &["i"]);
    observer.feed(11, FIN, "", &[]);
    observer.flush(&["gap 1", "end"]);

    let mut observer = Observer::new();
    observer.feed(0, SYN, "", &["start"]);
    observer.feed(3, 0, "cd", &[]);
    observer.feed(6, RST, "bye", &["gap 2", "cd", "reset"]);
    observer.feed(1, 0, "ab", &[]);
    observer.feed(70, SYN, "", &["start"]);

    let mut observer = Observer::new();
    observer.feed(0, SYN, "", &["start"]);
    observer.feed(3, 0, "cd", &[]);
    observer.feed(70, SYN, "", &["gap 2", "cd", "start"]);
}

/// A FIN before received bytes is ignored, and so are bytes after a FIN.
#[test]
fn fin_before_received_bytes_is_ignored() {
    let mut observer = Observer::new();
    observer.feed(0, SYN, "", &["start"]);
    observer.feed(3, 0, "cd", &[]);
    observer.feed(2, FIN, "b", &[]);
    observer.feed(1, 0, "a", &["a", "bcd"]);
    observer.feed(6, FIN, "f", &[]);
    observer.feed(6, 0, "fgh", &[]);
    observer.feed(9, 0, "i", &[]);
    observer.feed(5, 0, "e", &["e", "f", "end"]);
}

#[test]
fn acknowledged_bytes_count_as_lost() {
    let mut observer = Observer::new();
    observer.feed(0, SYN, "", &["start"]);
    observer.acknowledged(1, &[]);
    observer.feed(3, 0, "cd", &[]);
    observer.feed(7, 0, "gh", &[]);
    observer.acknowledged(2, &[]);
    observer.acknowledged(3, &["gap 2", "cd"]);
    observer.acknowledged(1, &[]);
    observer.acknowledged(9, &["gap 2", "gh"]);
    observer.acknowledged(u32::MAX / 2, &[]);
}

#[test]
fn limits_of_waiting_bytes() {
    let mut observer = Observer::limits(4, 2);
    observer.feed(0, SYN, "", &["start"]);
    observer.feed(4, 0, "d", &[]);
    observer.feed(5, 0, "e", &["gap 3", "d", "e"]); // ends 5 bytes ahead; the limit is 4
    observer.feed(7, 0, "ghijklm", &["gap 1", "ghijklm"]); // longer than the limit
    let mut observer = Observer::limits(9, 2);
    observer.feed(0, SYN, "", &["start"]);
    observer.feed(3, 0, "c", &[]);
    observer.feed(5, 0, "e", &[]);
    observer.feed(4, 0, "d", &[]); // joins the two waiting runs
    observer.feed(7, 0, "g", &[]);
    observer.feed(9, 0, "i", &["gap 2", "cde"]); // a third run; the limit is 2
    observer.feed(6, 0, "f", &["f", "g"]);
    observer.feed(8, 0, "h", &["h", "i"]);
}

/// Bytes are always waiting, so the window moves while it contains bytes. If `late` is 40, the last
/// waiting byte is exactly at the limit of 100 bytes.
#[test]
fn window_moves_while_bytes_wait() {
    let letters: String = ('a'..='z').cycle().take(2000).collect();
    for late in [40, 37] {
        let mut observer = Observer::limits(100, 9);
        observer.feed(0, SYN, "", &["start"]);
        assert_eq!(observer.stream.memory(), 0);
        let step = late + 10;
        let early = |at: usize| &letters[at + late..at + step];
        observer.feed(1 + late as u32, 0, early(0), &[]);
        for at in (0..1800).step_by(step) {
            observer.feed((1 + at + step + late) as u32, 0, early(at + step), &[]);
            let missing = &letters[at..at + late];
            observer.feed(1 + at as u32, 0, missing, &[missing, early(at)]);
            assert!(
                (100..1000).contains(&observer.stream.memory()),
                "{}",
                observer.stream.memory()
            );
        }
        assert!(observer.stream.is_waiting());
        observer.stream.reset();
        assert!(!observer.stream.is_waiting());
        observer.feed(0, SYN, "", &["start"]);
        observer.flush(&[]);
    }
}

/// If the limits are lowered, the bytes that already wait are kept.
#[test]
fn limits_lowered_while_bytes_wait() {
    let letters: String = ('a'..='z').cycle().take(600).collect();
    let mut observer = Observer::limits(1000, 9);
    observer.feed(0, SYN, "", &["start"]);
    observer.feed(501, 0, &letters[500..510], &[]);
    observer.feed(1, 0, &letters[..490], &[&letters[..490]]);
    observer.stream = observer.stream.limits(Limits { ahead: 200, runs: 9 });
    observer.feed(521, 0, &letters[520..530], &[]);
    observer.feed(491, 0, &letters[490..500], &[&letters[490..500], &letters[500..510]]);
    observer.feed(511, 0, &letters[510..520], &[&letters[510..520], &letters[520..530]]);
}

/// A segment or an acknowledgement more than 16 MiB ahead is ignored.
#[test]
fn segments_at_the_distance_limit() {
    const FAR: u32 = 1 << 24;
    let mut observer = Observer::new();
    observer.feed(0, SYN, "", &["start"]);
    observer.feed(2 + FAR, 0, "x", &[]);
    observer.feed(1 + FAR, 0, "x", &["gap 16777216", "x"]);
    let mut observer = Observer::new();
    observer.feed(0, SYN, "", &["start"]);
    observer.feed(3, 0, "c", &[]);
    observer.acknowledged(2 + FAR, &[]);
    observer.acknowledged(1 + FAR, &["gap 2", "c"]);
}

/// If several segments with FIN wait, the first one ends the stream.
#[test]
fn first_plausible_fin_counts() {
    let mut observer = Observer::new();
    observer.feed(0, SYN, "", &["start"]);
    observer.feed(5, FIN, "e", &[]);
    observer.feed(8, FIN, "h", &[]);
    observer.feed(1, 0, "abcd", &["abcd", "e", "end"]);
}

/// A segment far from the stream is ignored, unless it continues an ignored segment. In that case
/// the stream continues with this segment, after a gap.
#[test]
fn segments_far_from_the_stream() {
    let mut observer = Observer::new();
    observer.feed(0, SYN, "", &["start"]);
    observer.feed(1 << 30, 0, "??", &[]);
    observer.feed(1 << 30, RST, "", &[]);
    observer.feed(3 << 30, 0, "??", &[]);
    observer.feed(1, 0, "ab", &["ab"]);
    observer.feed(1 << 30, 0, "xx", &[]);
    observer.feed(3, 0, "c", &["c"]);
    observer.feed((1 << 30) + 2, 0, "yy", &["gap 1073741822", "yy"]);
    observer.feed((1 << 30) + 4, 0, "z", &["z"]);
    // The stream returns to its first position, across the wrap-around.
    observer.feed(0, 0, "1", &[]);
    observer.feed(1, 0, "2", &["gap 3221225468", "2"]);
    observer.feed(2, 0, "3", &["3"]);
}

/// Returns the bytes and the other events of both directions of the connection in a capture.
fn directions(name: &str) -> [(Vec<u8>, String); 2] {
    let mut streams: Vec<(u16, Stream, Vec<u8>, String)> = Vec::new();
    for packet in captures::packets(name) {
        let segment = segment(LinkType(packet.link_type), &packet.data).unwrap();
        let Transport::Tcp(tcp) = segment.transport else { panic!("no TCP in {name}") };
        let port = segment.source.port();
        if !streams.iter().any(|stream| stream.0 == port) {
            streams.push((port, Stream::new(), Vec::new(), String::new()));
        }
        let (_, stream, bytes, events) =
            streams.iter_mut().find(|stream| stream.0 == port).unwrap();
        stream.feed(tcp, |event| match event {
            Event::Bytes(piece) => bytes.extend(piece),
            other => *events += &format!("{other:?} "),
        });
        assert!(!stream.is_waiting(), "nothing comes early on loopback");
    }
    let mut both = streams.into_iter().map(|(_, _, bytes, events)| (bytes, events));
    [both.next().unwrap(), both.next().unwrap()]
}

/// `put_var` writes consecutive frames; each contains one value from the log.
#[test]
fn captured_streams_consist_of_frames() {
    for name in ["tcp", "pps"] {
        let [(client, events), (server, _)] = directions(name);
        assert_eq!(events, "Start { whole: true } End ", "{name}");
        assert_eq!(server, b"");
        assert_eq!(client.len(), 1584);
        let log = corpus::lines(&format!("captures/{name}.server.jsonl"));
        let mut values = 0;
        for frame in Frames::new(&client) {
            let mut reader = Reader::new(frame.unwrap().bytes, Dialect::Godot4);
            reader.read().unwrap();
            reader.finish().unwrap();
            values += 1;
        }
        assert_eq!(values, log.len(), "{name}");
    }
}

#[test]
fn generated_segments_satisfy_the_laws() {
    let mut random = crate::support::random::Random(11);
    for round in 0..600 {
        let data: Vec<u8> = (0..round).map(|_| random.next() as u8).collect();
        // In the second input, all segments start in the first 512 bytes, so many of them overlap.
        let near = |(at, byte): (usize, u8)| if at % 5 == 1 { byte % 2 } else { byte };
        laws::tcp(&data);
        laws::tcp(&data.into_iter().enumerate().map(near).collect::<Vec<_>>());
    }
}

/// Checks the laws on more separate runs of bytes than the default limit allows.
#[test]
fn many_gaps_satisfy_the_laws() {
    let data: Vec<u8> = (1..400_u16)
        .flat_map(|number| {
            let [low, high] = (4 * number).to_le_bytes();
            [low, high, 1 + (number % 3) as u8, (number % 40) as u8, 16]
        })
        .collect();
    laws::tcp(&data);
}
