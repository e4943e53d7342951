//! ENet sessions in cases that no capture contains: lost, reordered and repeated packets, sequence
//! numbers that wrap around, and hostile fragments.

use super::observer::{
    Observer, command, connect, control, datagram, fragment, fragment_of, reliable, unreliable,
    unreliable_fragment, unreliable_fragment_after,
};
use crate::laws;
use crate::support::random::Random;
use gamewire::transport::enet::{
    Body, Command, Datagram, Flags, Fragment, Limits, RangeCoder, Session, VerifyConnect,
};
use std::collections::BTreeMap;

#[test]
fn reliable_packets_are_delivered_once_and_in_order() {
    let mut observer = Observer::connected();
    observer.feed(&[reliable(3, "c")]).feed(&[reliable(2, "b"), reliable(2, "b")]);
    assert!(observer.take().is_empty());
    observer.feed(&[reliable(1, "a"), reliable(1, "a"), reliable(4, "d")]);
    assert_eq!(observer.take(), ["r0:1=a", "r0:2=b", "r0:3=c", "r0:4=d"]);
    observer.feed(&[reliable(2, "b"), reliable(6, "f")]).flush();
    assert_eq!(observer.take(), ["lost r0:5+1", "r0:6=f"]);
    observer.feed(&[reliable(5, "late"), reliable(7, "")]);
    assert_eq!(observer.take(), ["r0:7="]);
}

#[test]
fn channels_do_not_wait_for_each_other() {
    let mut observer = Observer::connected();
    let on = |channel, sequence| command(channel, sequence, Body::Reliable { payload: b"-" });
    observer.feed(&[on(3, 2), on(0, 1), on(254, 1), on(3, 1)]);
    assert_eq!(observer.take(), ["r0:1=-", "r254:1=-", "r3:1=-", "r3:2=-"]);
    observer.feed(&[on(255, 1), on(0, 2)]);
    assert_eq!(
        observer.take(),
        [
            "a packet on channel 255, which is reserved for control commands at offset 4 (0x4)",
            "r0:2=-"
        ]
    );
}

#[test]
fn session_without_its_start() {
    let mut observer = Observer::new(Limits::default());
    observer.feed(&[
        reliable(500, "a"),
        reliable(502, "c"),
        reliable(499, "old"),
        reliable(501, "b"),
    ]);
    assert_eq!(observer.take(), ["r0:500=a", "r0:501=b", "r0:502=c"]);
    // The session starts with the second fragment of a packet, so this packet is lost.
    let mut observer = Observer::new(Limits::default());
    observer.feed(&[
        fragment(fragment_of("abcdef", 9, 2, 1)),
        fragment(fragment_of("abcdef", 9, 2, 2)),
    ]);
    observer.feed(&[reliable(12, "next")]);
    assert_eq!(observer.take(), ["lost r0:9+3", "r0:12=next"]);
}

#[test]
fn sequence_numbers_wrap_around() {
    let mut observer = Observer::new(Limits::default());
    observer.feed(&[
        reliable(65_534, "a"),
        reliable(1, "d"),
        reliable(0, "c"),
        reliable(65_535, "b"),
    ]);
    assert_eq!(observer.take(), ["r0:65534=a", "r0:65535=b", "r0:0=c", "r0:1=d"]);
    // Feeds packets with all sequence numbers, twice. The two packets of each pair arrive in
    // reverse order.
    for pair in 0..65_536_u32 {
        let at = (2 + 2 * pair) as u16;
        observer.feed(&[reliable(at.wrapping_add(1), "y"), reliable(at, "x")]);
        assert_eq!(observer.take(), [format!("r0:{at}=x"), format!("r0:{}=y", at.wrapping_add(1))]);
    }
    // Fragments whose sequence numbers wrap around.
    let mut observer = Observer::new(Limits::default());
    observer.feed(&[reliable(65_533, "")]).take();
    for number in [2, 3, 1, 0] {
        observer.feed(&[fragment(fragment_of("abcdefg", 65_534, 2, number))]);
    }
    assert_eq!(observer.take(), ["r0:65534=abcdefg"]);
}

/// A reliable packet is ignored as too old if its sequence number is 2¹⁵ (half of all sequence
/// numbers) ahead of the last delivered packet. An unreliable packet that follows such a reliable
/// packet is also ignored.
#[test]
fn a_reliable_packet_half_of_all_numbers_ahead_is_late() {
    let mut observer = Observer::connected();
    observer.feed(&[reliable(0x8000, "half of all"), unreliable(0x8000, 1, "behind it")]);
    observer.feed(&[reliable(0x7FFF, "less"), unreliable(0x7FFF, 1, "behind that")]);
    assert_eq!(observer.flush().take(), ["lost r0:1+32766", "r0:32767=less", "u0:1=behind that"]);
}

/// Whether a new packet is too far ahead depends on the last delivered packet, and not on an
/// incomplete packet after it.
#[test]
fn sequence_number_half_a_cycle_ahead_of_a_started_packet() {
    let mut observer = Observer::connected();
    observer.feed(&[
        fragment(fragment_of("abcd", 1, 2, 0)),
        reliable(0x8000, "half"),
        reliable(0x7FFF, "less"),
    ]);
    observer.feed(&[fragment(fragment_of("abcd", 1, 2, 1))]);
    assert_eq!(observer.flush().take(), ["r0:1=abcd", "lost r0:3+32764", "r0:32767=less"]);
}

#[test]
fn fragments_in_any_order() {
    let text = "The quick brown fox jumps over the lazy dog.".repeat(20);
    let mut random = Random(3);
    for size in [1, 7, 100, 256, 879, 880] {
        let count = text.len().div_ceil(size);
        for mode in [fragment, unreliable_fragment] {
            let mut observer = Observer::connected();
            let mut order: Vec<usize> = (0..count).chain(0..count / 2).collect();
            (1..order.len()).for_each(|at| order.swap(at, random.below(at + 1)));
            for number in order {
                observer.feed(&[mode(fragment_of(&text, 1, size, number))]);
            }
            let events = observer.take();
            assert_eq!(events.len(), 1, "{size}");
            assert!(events[0].ends_with(&text));
        }
    }
}

#[test]
fn fragments_that_contradict_each_other() {
    let packet = "abcdef";
    let good = fragment_of(packet, 1, 2, 0);
    let bad = [
        Fragment { count: 0, ..good },
        Fragment { number: 3, ..good },
        Fragment { count: 7, ..good },
        Fragment { offset: 5, ..good },
        Fragment { offset: u32::MAX, ..good },
        Fragment { total: 1, ..good },
    ];
    for bad in bad {
        for bad in [fragment(bad), unreliable_fragment(bad)] {
            let mut observer = Observer::connected();
            observer.feed(&[bad, reliable(1, "a")]);
            let events = observer.take();
            assert!(events[0].ends_with("inconsistent fields of a fragment at offset 4 (0x4)"));
            assert_eq!(events[1..], ["r0:1=a"]);
        }
    }
    // The sequence number of the command contradicts the fields of the fragment.
    let mut observer = Observer::connected();
    observer.feed(&[command(0, 2, Body::Fragment(good))]);
    assert!(observer.take()[0].contains("inconsistent"));

    // The total length, the count or the offset contradicts the other fragments. The packet is
    // lost, but the next packet is delivered.
    let next = fragment_of(packet, 1, 2, 1);
    let others = [
        Fragment { total: 7, ..next },
        Fragment { count: 4, ..next },
        Fragment { offset: 3, payload: b"d", ..next },
    ];
    for other in others {
        let mut observer = Observer::connected();
        observer.feed(&[fragment(good), fragment(other), fragment(fragment_of(packet, 1, 2, 2))]);
        observer.feed(&[reliable(4, "next")]);
        assert_eq!(observer.take(), ["lost r0:1+3", "r0:4=next"]);
    }
    // A packet has a sequence number that belongs to a fragment of another packet.
    let mut observer = Observer::connected();
    observer.feed(&[
        fragment(good),
        reliable(2, "b"),
        fragment(fragment_of("xy", 3, 1, 0)),
        reliable(4, "d"),
    ]);
    assert_eq!(observer.take(), ["lost r0:1+3", "r0:2=b", "lost r0:3+2", "r0:4=d"]);
    // The last fragment does not reach the end of the packet.
    let mut observer = Observer::connected();
    observer.feed(&[fragment(good), fragment(next)]);
    observer.feed(&[fragment(Fragment { payload: b"", ..fragment_of(packet, 1, 2, 2) })]);
    assert_eq!(observer.take(), ["lost r0:1+3"]);
}

/// An empty fragment that starts at the end of its packet is rejected, and a packet with the same
/// number can follow. A regression test for a bug that fuzzing found.
#[test]
fn empty_fragment_past_the_end_of_its_packet() {
    let behind = Fragment { offset: 6, payload: b"", ..fragment_of("abcdef", 1, 2, 0) };
    for bad in [fragment(behind), unreliable_fragment(behind)] {
        let mut observer = Observer::connected();
        observer.feed(&[bad]);
        assert!(
            observer.take()[0].ends_with("inconsistent fields of a fragment at offset 4 (0x4)")
        );
        observer.feed(&[reliable(1, "a")]);
        assert_eq!(observer.take(), ["r0:1=a"]);
    }
}

/// If fragments overlap, the bytes of the fragment with the lower number are used, in any order of
/// arrival.
#[test]
fn fragments_that_overlap() {
    let parts = [
        Fragment { start: 1, count: 3, number: 0, total: 6, offset: 0, payload: b"abcd" },
        Fragment { start: 1, count: 3, number: 1, total: 6, offset: 1, payload: b"XY" },
        Fragment { start: 1, count: 3, number: 2, total: 6, offset: 2, payload: b"XYef" },
    ];
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let mut observer = Observer::connected();
        observer.feed(&order.map(|at: usize| fragment(parts[at])));
        observer.feed(&order.map(|at| unreliable_fragment_after(3, parts[at])));
        assert_eq!(observer.take(), ["r0:1=abcdef", "u0:1=abcdef"]);
    }
    let gap = Fragment { offset: 5, payload: b"f", ..parts[2] };
    let mut observer = Observer::connected();
    observer.feed(&[
        unreliable_fragment(parts[0]),
        unreliable_fragment(parts[1]),
        unreliable_fragment(gap),
    ]);
    assert_eq!(observer.take(), ["lost u0:1+1"]);
    let other = Fragment { total: 7, ..parts[1] };
    let mut observer = Observer::connected();
    observer.feed(&[unreliable_fragment(parts[0]), unreliable_fragment(other)]);
    assert!(observer.take()[0].contains("inconsistent"));
}

#[test]
fn unreliable_packets_are_never_older_than_the_last() {
    let mut observer = Observer::connected();
    observer.feed(&[unreliable(0, 2, "b"), unreliable(0, 1, "a"), unreliable(0, 2, "b")]);
    observer.feed(&[unreliable(0, 5, "e"), unreliable(0, 4, "d")]);
    assert_eq!(observer.take(), ["u0:2=b", "u0:5=e"]);
    // The numbers of unreliable packets restart after each reliable packet. An unreliable packet
    // that was sent before the last reliable packet is too old.
    observer.feed(&[reliable(1, "r"), unreliable(1, 1, "f"), unreliable(0, 6, "old")]);
    observer.feed(&[unreliable(1, 2, "g"), unreliable(1, 1, "f")]);
    assert_eq!(observer.take(), ["r0:1=r", "u0:1=f", "u0:2=g"]);
    // The numbers of unreliable packets do not wrap around.
    observer.feed(&[
        unreliable(1, 40_000, "h"),
        unreliable(1, 3, "old"),
        unreliable(1, 65_535, "i"),
    ]);
    assert_eq!(observer.take(), ["u0:40000=h", "u0:65535=i"]);
    // The session starts in the middle of the connection.
    let mut observer = Observer::new(Limits::default());
    observer.feed(&[unreliable(9, 7, "a"), unreliable(9, 8, "b"), unreliable(9, 7, "a")]);
    observer.feed(&[unreliable(40_000, 7, "old"), unreliable(10, 1, "c")]);
    assert_eq!(observer.take(), ["u0:7=a", "u0:8=b", "u0:1=c"]);
}

/// Two instances of Godot 4.6.3 behaved as this test expects, on a network that drops, repeats and
/// delays datagrams.
#[test]
fn unreliable_packets_wait_for_the_reliable_one_before_them() {
    let mut observer = Observer::connected();
    let (a, b) = (fragment_of("aaaa", 2, 2, 0), fragment_of("aaaa", 2, 2, 1));
    observer.feed(&[unreliable(1, 3, "c"), unreliable_fragment_after(1, b), unreliable(1, 1, "b")]);
    observer.feed(&[unreliable(2, 1, "e"), unreliable(1, 3, "c"), unreliable_fragment_after(1, a)]);
    assert!(observer.take().is_empty());
    observer.feed(&[reliable(1, "a")]);
    assert_eq!(observer.take(), ["r0:1=a", "u0:1=b", "u0:2=aaaa", "u0:3=c"]);
    // If two reliable packets are delivered together, the unreliable packets that waited for the
    // first of them are lost.
    observer.feed(&[reliable(3, "f"), unreliable(3, 1, "g"), unreliable(4, 1, "i")]);
    observer.feed(&[reliable(2, "d")]);
    assert_eq!(observer.take(), ["r0:2=d", "r0:3=f", "lost u0:1+1", "u0:1=g"]);
    // `flush` delivers a packet that waits for a missing packet.
    observer.flush();
    assert_eq!(observer.take(), ["u0:1=i"]);
    // Unreliable packets before an incomplete reliable packet are delivered, and unreliable packets
    // after it wait.
    let mut observer = Observer::connected();
    observer.feed(&[fragment(fragment_of("abcd", 1, 2, 0)), unreliable(2, 1, "e")]);
    observer.feed(&[unreliable(0, 1, "before"), fragment(fragment_of("abcd", 1, 2, 1))]);
    assert_eq!(observer.take(), ["u0:1=before", "r0:1=abcd", "u0:1=e"]);
}

#[test]
fn newer_packets_replace_incomplete_unreliable_ones() {
    let mut observer = Observer::connected();
    let (a, b) = ("aaaa", "bbbb");
    // The fragments of two packets are interleaved.
    observer.feed(&[
        unreliable_fragment(fragment_of(a, 1, 2, 0)),
        unreliable_fragment(fragment_of(b, 2, 2, 1)),
        unreliable_fragment(fragment_of(a, 1, 2, 1)),
    ]);
    observer.feed(&[
        unreliable_fragment(fragment_of(b, 2, 2, 0)),
        unreliable_fragment(fragment_of(b, 2, 2, 0)),
    ]);
    assert_eq!(observer.take(), ["u0:1=aaaa", "u0:2=bbbb"]);
    // A newer packet arrives before packets 3 and 4 are complete.
    observer.feed(&[
        unreliable_fragment(fragment_of(a, 3, 2, 0)),
        unreliable_fragment(fragment_of(b, 4, 2, 1)),
        unreliable(0, 5, "c"),
    ]);
    observer.feed(&[
        unreliable_fragment(fragment_of(a, 3, 2, 1)),
        unreliable_fragment(fragment_of(b, 4, 2, 0)),
    ]);
    assert_eq!(observer.take(), ["lost u0:3+1", "lost u0:4+1", "u0:5=c"]);
    // A packet that is incomplete at the end of the connection is lost.
    observer.feed(&[unreliable_fragment(fragment_of(a, 7, 2, 0))]).flush();
    assert_eq!(observer.take(), ["lost u0:7+1"]);
}

#[test]
fn unsequenced_packets_are_not_repeated() {
    let group = |group| command(2, 0, Body::Unsequenced { group, payload: b"" });
    let mut observer = Observer::connected();
    observer.feed(&[group(1), group(3), group(1), group(2), group(3)]);
    assert_eq!(observer.take(), ["x2:1=", "x2:3=", "x2:2="]);
    // Groups are tracked in windows of 1,024. A group in a later window replaces the window, and a
    // group in an earlier window is too old.
    observer.feed(&[group(1024), group(1024), group(2), group(2047), group(65_535)]);
    assert_eq!(observer.take(), ["x2:1024=", "x2:2047="]);
    // Each row contains `true` if the session knows the start of the connection, and the received
    // groups. The flag of a group is `true` if the group is delivered.
    for (first, groups) in [
        (true, &[(0, true), (64, true), (128, true), (64, false), (1023, true), (1023, false)][..]),
        (true, &[(1024, true), (1023, false), (0, false), (1088, true), (1024, false)]),
        (true, &[(1024, true), (33_792, false), (33_791, true), (1024, false), (32_768, true)]),
        (false, &[(5000, true), (4097, true), (4095, false), (5000, false), (4097, false)]),
    ] {
        let mut observer =
            if first { Observer::connected() } else { Observer::new(Limits::default()) };
        for &(number, is_new) in groups {
            observer.feed(&[group(number)]);
            assert_eq!(observer.take().len(), usize::from(is_new), "{number} of {groups:?}");
        }
    }
    let mut observer = Observer::connected();
    let all: Vec<_> = (0..70_000_u32).map(|at| 2048 + at).collect();
    for at in &all {
        observer.feed(&[group(*at as u16), group(*at as u16)]);
    }
    assert_eq!(observer.take().len(), all.len());
}

#[test]
fn new_connection_resets_the_session() {
    let mut observer = Observer::connected();
    observer.feed(&[reliable(1, "a"), reliable(3, "c"), unreliable(1, 9, "u")]).take();
    // A CONNECT command with the same id is a repetition.
    observer.feed(&[control(connect(1)), reliable(1, "a"), reliable(2, "b")]);
    assert_eq!(observer.take(), ["control 2", "r0:2=b", "r0:3=c"]);
    observer.feed(&[reliable(5, "waits")]);
    observer.feed(&[
        control(connect(2)),
        reliable(1, "a"),
        unreliable(1, 1, "u"),
        reliable(3, "c"),
    ]);
    assert_eq!(observer.take(), ["control 2", "r0:1=a", "u0:1=u"]);
    let verify = VerifyConnect { connect_id: 3, ..VerifyConnect::default() };
    observer
        .feed(&[control(Body::VerifyConnect(verify)), reliable(2, "b"), reliable(1, "a")])
        .flush();
    assert_eq!(observer.take(), ["control 3", "r0:1=a", "r0:2=b"]);
    observer.session.reset();
    observer.feed(&[reliable(77, "a")]);
    assert_eq!(observer.take(), ["r0:77=a"]);
}

#[test]
fn malformed_datagrams_do_not_stop_the_session() {
    let mut observer = Observer::connected();
    observer.feed_bytes(&[0x80]).feed_bytes(&[0xC0, 0, 0, 0, 0, 0, 0, 0, 0]);
    observer.feed_bytes(&datagram(b"\x05\xff\0\x01\x0f\0\0\0"));
    observer.feed_bytes(&datagram(b"\x86\0\0\x01\0\x01a\x86\0\0\x02\0\x09b"));
    observer.feed(&[reliable(2, "b")]);
    let expected = [
        "the datagram ends inside a command (bytes missing: 1) at offset 0 (0x0)",
        "compressed data that is damaged, or compressed in a different way at offset 4 (0x4)",
        "control 5",
        "unknown type of command 15 at offset 8 (0x8)",
        "r0:1=a",
        "the datagram ends inside a command (bytes missing: 8) at offset 17 (0x11)",
        "r0:2=b",
    ];
    assert_eq!(observer.take(), expected);
}

#[test]
fn hosts_with_checksums() {
    let mut observer = Observer::new(Limits::default());
    observer.session = Session::default().checksums(true);
    observer.feed_bytes(b"\x80\0\0\x01\xde\xad\xbe\xef\x86\0\0\x01\0\x01a");
    assert_eq!(observer.take(), ["r0:1=a"]);
}

/// Packets may be lost, repeated and reordered. When all reliable packets have arrived, the session
/// has delivered each of them once and in order.
#[test]
fn reliable_packets_on_a_lossy_line() {
    let mut random = Random(9);
    for _ in 0..50 {
        let texts: Vec<String> = (0..40).map(|at| format!("{at} ").repeat(at)).collect();
        let mut sent = Vec::new();
        let mut sequence = 1;
        for text in &texts {
            let size = 1 + random.below(60);
            match text.len().div_ceil(size) {
                0 | 1 => sent.push(reliable(sequence, text)),
                n => sent.extend((0..n).map(|at| fragment(fragment_of(text, sequence, size, at)))),
            }
            sequence += text.len().div_ceil(size).max(1) as u16;
        }
        let mut observer = Observer::connected();
        let mut missing: Vec<_> = sent.clone();
        while !missing.is_empty() {
            let at = random.below(missing.len().min(20));
            let command = match random.below(4) {
                0 => missing[at],
                1 => random.one_of(&sent),
                2 => continue,
                _ => missing.remove(at),
            };
            // Every command that is removed from `missing` is fed, so every command arrives.
            observer.feed(&[command]);
        }
        let events = observer.flush().take();
        let texts = texts.iter().map(String::as_str);
        assert!(events.iter().map(|event| event.split_once('=').unwrap().1).eq(texts));
    }
}

/// On each channel, the delivered and lost packets together cover all sequence numbers in order.
#[test]
fn every_sequence_number_is_delivered_or_lost() {
    let mut random = Random(4);
    let limits = Limits { waiting: 8, buffered: 2048, ..Limits::default() };
    let mut observer = Observer::new(limits);
    observer.feed(&[control(connect(1))]).take();
    let payload = [b'-'; 300];
    let mut next = BTreeMap::new();
    let mut check = |events: Vec<String>| {
        for event in events {
            let (channel, rest) = event.trim_start_matches("lost ")[1..].split_once(':').unwrap();
            let (first, count) = match rest.split_once('+') {
                Some((first, count)) => (first.parse().unwrap(), count.parse().unwrap()),
                None => (rest.split_once('=').unwrap().0.parse::<u16>().unwrap(), 1),
            };
            let next = next.entry(channel.to_owned()).or_insert(1);
            assert_eq!(first, *next);
            *next += count;
        }
    };
    for step in 1..20_000_u16 {
        if random.below(10) > 0 {
            let sequence = (step / 3 + random.below(5) as u16).max(1);
            let body = Body::Reliable { payload: &payload[..random.below(300)] };
            observer.feed(&[command(step as u8 % 3, sequence, body)]);
            check(observer.take());
        }
    }
    check(observer.flush().take());
}

/// Checks the laws on commands with small numbers, because many of these commands then belong to
/// the same packet or contradict each other.
#[test]
#[ignore = "slow"]
fn generated_sessions_satisfy_the_laws() {
    let mut random = Random(6);
    for _ in 0..2_000 {
        let mut datagrams = Vec::new();
        for _ in 0..random.below(30) {
            let mut body = Vec::new();
            for _ in 0..random.below(6) {
                generated_command(&mut random).write(&mut body).unwrap();
            }
            if random.below(8) == 0 && !body.is_empty() {
                let at = random.below(body.len());
                body[at] = random.next() as u8;
            }
            datagrams.push(datagram(&body));
        }
        laws::enet(&laws::enet_input(datagrams.iter().map(Vec::as_slice)));
    }
}

fn generated_command(random: &mut Random) -> Command<'static> {
    const BYTES: [u8; 700] = [b'-'; 700];
    let count = 1 + random.below(5) as u32;
    let len = random.one_of(&[0, 1, 2, 10, 255, 256, 257, 700]);
    let payload = &BYTES[..len];
    let start = random.below(12) as u16;
    let number = random.below(count as usize) as u32;
    let total = random.one_of(&[len as u32 * count, 700, 10]);
    let offset = random.one_of(&[len as u32 * number, 0, 1]);
    let part = Fragment { start, count, number, total, offset, payload };
    let body = match random.below(12) {
        0 => connect(random.below(20) as u32),
        1..4 => Body::Reliable { payload },
        4 => Body::Unreliable { number: start, payload },
        5 => Body::Unsequenced { group: start, payload },
        6..9 => Body::Fragment(part),
        _ => Body::UnreliableFragment(part),
    };
    let sequence = match body {
        Body::Fragment(_) => start + number as u16,
        Body::Unreliable { .. } | Body::UnreliableFragment(_) => start % 3,
        _ => start,
    };
    command(random.one_of(&[0, 0, 0, 1, 7]), sequence, body)
}

/// A script can select a different compression in Godot, and nothing on the wire identifies the
/// compression. The compressed bytes may look like commands.
#[test]
fn data_compressed_by_another_coder() {
    let mut body = Vec::new();
    reliable(1, "made up").write(&mut body).unwrap();
    body.extend([0xff; 40]);
    let mut memory = [0; 100];
    let mut coder = RangeCoder::new();
    let compressed = coder.encode(&body, &mut memory).unwrap();
    let head = Datagram {
        peer: 0,
        session: 0,
        compressed: true,
        sent_time: None,
        checksum: None,
        body: compressed,
    };
    let mut bytes = Vec::new();
    head.write(&mut bytes).unwrap();
    let mut observer = Observer::connected();
    observer.feed_bytes(&bytes);
    let events = observer.take();
    assert!(events.len() == 1 && events[0].contains("compressed in a different way"), "{events:?}");
}

/// Waiting packets may be dropped once the newest packet is more than half of all sequence numbers
/// ahead of the last delivered packet.
#[test]
fn unreliable_packets_far_ahead() {
    let mut observer = Observer::new(Limits { waiting: 8, ..Limits::default() });
    observer.feed(&[control(connect(1))]);
    let packet = "x".repeat(100);
    for sequence in [32_767, 52_767] {
        observer.feed(&[unreliable(sequence, 1, "a")]);
        (0..12).for_each(|number| {
            observer
                .feed(&[unreliable_fragment_after(sequence, fragment_of(&packet, 2, 1, number))]);
        });
    }
    for _ in 0..2 {
        observer.feed(&[unreliable_fragment_after(1, fragment_of("ab", 1, 1, 0))]);
    }
    observer.feed(&[reliable(1, "b")]).flush();
    assert!(observer.take().contains(&"r0:1=b".into()));
}

/// The two flag bits of a command survive a round trip.
#[test]
fn command_flags_are_preserved() {
    for (bits, acknowledge, unsequenced) in
        [(0, false, false), (0x40, false, true), (0x80, true, false), (0xC0, true, true)]
    {
        // A datagram with a PING command.
        let bytes = [0x80, 1, 0, 0, bits | 5, 255, 0, 7];
        let datagram = Datagram::parse(&bytes).unwrap();
        let command = datagram.commands().next().unwrap().unwrap();
        assert_eq!((command.body, command.sequence), (Body::Ping, 7));
        let found = (command.flags.acknowledge(), command.flags.unsequenced());
        assert_eq!(found, (acknowledge, unsequenced), "{bits:#x}");
        assert_eq!(command.flags == Flags::NONE, bits == 0);
        let mut written = Vec::new();
        command.write(&mut written).unwrap();
        assert_eq!(written, bytes[4..]);
    }
}

#[test]
fn oldest_waiting_data_is_dropped_first() {
    let mut observer = Observer::connected();
    observer.feed(&[unreliable_fragment(fragment_of("aaaa", 1, 2, 0)), reliable(2, "b")]).flush();
    assert_eq!(observer.take(), ["lost u0:1+1", "lost r0:1+1", "r0:2=b"]);
    let mut observer = Observer::connected();
    observer.feed(&[reliable(2, "b"), unreliable_fragment(fragment_of("aaaa", 1, 2, 0))]).flush();
    assert_eq!(observer.take(), ["lost r0:1+1", "r0:2=b", "lost u0:1+1"]);
}

/// After `flush`, unreliable packets no longer wait for the missing reliable packet. No packet is
/// delivered twice.
#[test]
fn unreliable_packets_after_a_dropped_reliable_packet() {
    let mut observer = Observer::connected();
    observer.feed(&[unreliable(1, 1, "a"), unreliable(1, 2, "b")]).flush();
    assert_eq!(observer.take(), ["u0:1=a", "u0:2=b"]);
    observer.feed(&[unreliable(1, 1, "a"), unreliable(1, 2, "b"), unreliable(1, 3, "c")]);
    assert_eq!(observer.take(), ["u0:3=c"]);
}
