//! Tests the reassembly of IP packets. In some tests, the packets of captures in the corpus are
//! split into fragments. In others, fragments are reordered, repeated, contradictory, or too
//! numerous.

use crate::laws;
use crate::support::net::captures;
use crate::support::net::ip_fragments::Fragment;
use crate::support::random::Random;
use gamewire::capture::{
    LinkType, Packet, Reader, Reassembler, ReassemblyLimits, Segment, Skipped, Transport, segment,
};
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Account, Conversations, Ledger, Row};

fn packet(data: &[u8]) -> Packet<'_> {
    Packet { time: None, link_type: LinkType::RAW, data, original_len: 0, offset: 0 }
}

/// Returns a UDP datagram from port 7 to port 9.
fn udp(payload: &[u8]) -> Vec<u8> {
    [&[0, 7, 0, 9, 0, 0, 0, 0], payload].concat()
}

/// Adds fragments. Returns the payloads of all segments.
fn payloads(reassembler: &mut Reassembler, fragments: &[Fragment]) -> Vec<Vec<u8>> {
    let mut payloads = Vec::new();
    for fragment in fragments {
        let data = fragment.packet();
        if let Some(segment) = reassembler.segment(&packet(&data)).unwrap() {
            payloads.push(payload(&segment).to_vec());
        }
    }
    payloads
}

fn payload<'a>(segment: &Segment<'a>) -> &'a [u8] {
    match segment.transport {
        Transport::Udp { payload } => payload,
        Transport::Tcp(tcp) => tcp.payload,
    }
}

fn skipped(reassembler: &Reassembler) -> [u64; 2] {
    reassembler.skipped().map(|(_, count)| count)
}

/// Returns all orders of the numbers below `count`.
fn orders(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let shorter = orders(count - 1).into_iter();
    shorter
        .flat_map(|order| {
            (0..count).map(move |at| {
                let mut longer = order.clone();
                longer.insert(at, count - 1);
                longer
            })
        })
        .collect()
}

#[test]
fn fragments_in_any_order() {
    let text: Vec<u8> = (0..29).collect();
    for is_v6 in [false, true] {
        let fragments = Fragment::split(is_v6, 1, 17, &udp(&text), 8);
        assert_eq!(fragments.len(), 5);
        for order in orders(5) {
            let mut reassembler = Reassembler::default();
            let fragments: Vec<_> = order.iter().map(|at| fragments[*at].clone()).collect();
            assert!(payloads(&mut reassembler, &fragments[..4]).is_empty());
            assert_eq!(skipped(&reassembler), [4, 0]);
            assert_eq!(
                payloads(&mut reassembler, &fragments[4..]),
                std::slice::from_ref(&text),
                "{order:?}"
            );
            assert_eq!(skipped(&reassembler), [0, 0]);
        }
    }
}

/// Fragments that differ in their identification, protocol or IP version belong to different
/// packets.
#[test]
fn fragments_of_several_packets() {
    let mut reassembler = Reassembler::default();
    let tcp = [&[0, 7, 0, 9, 0, 0, 0, 1, 0, 0, 0, 0, 0x50, 16, 0, 0, 0, 0, 0, 0], &[3; 20][..]];
    let packets = [
        Fragment::split(false, 1, 17, &udp(&[1; 40]), 16),
        Fragment::split(false, 2, 17, &udp(&[2; 40]), 16),
        Fragment::split(false, 1, 6, &tcp.concat(), 16),
        Fragment::split(true, 1, 17, &udp(&[4; 40]), 16),
    ];
    for index in 0..2 {
        for packet in &packets {
            assert!(payloads(&mut reassembler, &packet[index..=index]).is_empty());
        }
    }
    for (packet, expected) in
        packets.iter().zip([vec![1; 40], vec![2; 40], vec![3; 20], vec![4; 40]])
    {
        assert_eq!(payloads(&mut reassembler, &packet[2..]), [expected]);
    }
}

#[test]
fn repeated_fragments_are_ignored() {
    let text: Vec<u8> = (0..60).collect();
    let fragments = Fragment::split(false, 1, 17, &udp(&text), 24);
    let [first, second, last] = &fragments[..] else { panic!("{fragments:?}") };
    let mut longer = first.clone();
    longer.bytes.extend(&second.bytes); // the same bytes in one fragment
    for order in [
        vec![first, first, last, last, first, second],
        vec![last, second, second, first],
        vec![second, first, &longer, last],
    ] {
        let order: Vec<_> = order.into_iter().cloned().collect();
        let mut reassembler = Reassembler::default();
        assert_eq!(payloads(&mut reassembler, &order), std::slice::from_ref(&text));
        assert_eq!(skipped(&reassembler), [0, 0]);
    }
}

/// A packet whose fragments contradict each other is dropped with all its fragments, including
/// those that arrive later.
#[test]
fn contradictory_fragments() {
    let fragments = Fragment::split(false, 1, 17, &udp(&[7; 60]), 24);
    let [first, second, last] = &fragments[..] else { panic!("{fragments:?}") };
    let mut changed = second.clone();
    changed.bytes[3] ^= 1;
    let overlapping = Fragment { offset: 16, ..second.clone() };
    let mut longer = last.clone();
    longer.bytes.push(7);
    let beyond = Fragment { offset: 80, ..second.clone() };
    let early_end = Fragment { more: false, ..first.clone() };
    for (name, order) in [
        ("other bytes", [first, second, &changed, last, second]),
        ("overlap", [first, &overlapping, second, last, last]),
        ("overlap of the next", [second, &overlapping, first, last, last]),
        ("two ends", [first, last, &longer, second, second]),
        ("beyond the end", [first, last, &beyond, second, second]),
        (
            "an end before other fragments",
            [second, &Fragment { offset: 8, ..early_end.clone() }, first, last, last],
        ),
    ] {
        let order: Vec<_> = order.into_iter().cloned().collect();
        let mut reassembler = Reassembler::default();
        assert!(payloads(&mut reassembler, &order).is_empty(), "{name}");
        assert_eq!(skipped(&reassembler), [0, 5], "{name}");
        assert!(reassembler.memory() < 2000, "{name}");
        // A packet with a different identification is not affected.
        let others = Fragment::split(false, 2, 17, &udp(&[7; 60]), 24);
        assert_eq!(payloads(&mut reassembler, &others).len(), 1);
    }
}

#[test]
fn malformed_fragments() {
    let ok =
        Fragment { is_v6: false, id: 1, protocol: 17, offset: 8, more: true, bytes: vec![0; 16] };
    let error = |fragment: Fragment| {
        let mut reassembler = Reassembler::default();
        let data = fragment.packet();
        let result = reassembler.segment(&packet(&data)).map(|found| found.is_some());
        assert_eq!(skipped(&reassembler), [u64::from(result.is_ok()), 0]);
        result
    };
    assert_eq!(error(ok.clone()), Ok(false));
    for is_v6 in [false, true] {
        let ok = Fragment { is_v6, ..ok.clone() };
        let malformed = Err(Skipped::Malformed);
        assert_eq!(error(Fragment { bytes: Vec::new(), ..ok.clone() }), malformed);
        assert_eq!(error(Fragment { bytes: vec![0; 15], ..ok.clone() }), malformed);
        assert_eq!(error(Fragment { bytes: vec![0; 15], more: false, ..ok.clone() }), Ok(false));
        assert_eq!(error(Fragment { offset: 65_520, ..ok.clone() }), malformed);
        let longest = Fragment { offset: 65_528, more: false, bytes: vec![0; 7], ..ok.clone() };
        assert_eq!(error(longest), Ok(false));
        assert_eq!(error(Fragment { protocol: 1, ..ok }), Err(Skipped::OtherProtocol(1)));
    }
    let cut = ok.packet();
    let cut = Reassembler::default().segment(&packet(&cut[..cut.len() - 1])).map(|_| ());
    assert_eq!(cut, Err(Skipped::CutShort));
}

/// If a complete packet contains no valid segment, its last fragment gives an error, and its other
/// fragments are counted as skipped.
#[test]
fn complete_packets_without_a_segment() {
    let mut datagram = udp(&[7; 40]);
    datagram[5] = 200; // longer than the datagram
    let fragments = Fragment::split(false, 1, 17, &datagram, 16);
    let mut reassembler = Reassembler::default();
    assert!(payloads(&mut reassembler, &fragments[..2]).is_empty());
    let last = fragments[2].packet();
    let result = reassembler.segment(&packet(&last)).map(|found| found.is_some());
    assert_eq!((result, skipped(&reassembler)), (Err(Skipped::Malformed), [2, 0]));
}

#[test]
fn extension_headers_before_and_after_the_fragment_header() {
    let options = [17, 0, 0, 0, 0, 0, 0, 0];
    let payload = [&options[..], &udp(&[7; 20])].concat();
    let mut reassembler = Reassembler::default();
    let fragments = Fragment::split(true, 1, 60, &payload, 16);
    assert_eq!(payloads(&mut reassembler, &fragments), [[7; 20]]);
    // The same fragments after a hop-by-hop options header.
    let mut found = 0;
    for fragment in &fragments {
        let mut data = fragment.packet();
        data.splice(40..40, [44, 0, 0, 0, 0, 0, 0, 0]);
        (data[5], data[6]) = (data[5] + 8, 0);
        found += usize::from(reassembler.segment(&packet(&data)).unwrap().is_some());
    }
    assert_eq!(found, 1);
    let ethernet = |fragment: &Fragment| {
        [&[0xEE; 12][..], &[0x81, 0, 0, 5, 0x86, 0xDD], &fragment.packet()].concat()
    };
    let tagged: Vec<_> = fragments.iter().map(ethernet).collect();
    for (index, data) in tagged.iter().enumerate() {
        let packet = Packet { link_type: LinkType::ETHERNET, ..packet(data) };
        let found = reassembler.segment(&packet).unwrap();
        assert_eq!(found.is_some(), index + 1 == tagged.len());
    }
}

/// When a limit is reached, the oldest incomplete packets are dropped. Every incomplete packet is
/// dropped after a minute.
#[test]
fn oldest_packets_are_dropped() {
    let fragments = |id| Fragment::split(false, id, 17, &udp(&[id; 40]), 24);
    let first = |id| fragments(id)[..1].to_vec();
    let rest = |id| fragments(id)[1..].to_vec();
    let limits = ReassemblyLimits { packets: 3, ..ReassemblyLimits::default() };
    let mut reassembler = Reassembler::new(limits);
    (1..=4).for_each(|id| assert!(payloads(&mut reassembler, &first(id)).is_empty()));
    assert_eq!(payloads(&mut reassembler, &[rest(2), rest(3), rest(4)].concat()).len(), 3);
    assert!(payloads(&mut reassembler, &rest(1)).is_empty());
    assert_eq!(skipped(&reassembler), [2, 0]);

    // A single fragment from the end of a packet needs memory for the whole packet.
    let limits = ReassemblyLimits { memory: 200_000, ..ReassemblyLimits::default() };
    let mut reassembler = Reassembler::new(limits);
    let far = |id| Fragment { offset: 60_000, ..first(id)[0].clone() };
    for id in 1..50 {
        assert!(payloads(&mut reassembler, &[far(id)]).is_empty());
        assert!(reassembler.memory() < 200_000 + 64 * 200);
        assert_eq!(skipped(&reassembler), [id.into(), 0]);
    }
    let mut reassembler = Reassembler::new(ReassemblyLimits { packets: 0, memory: 0 });
    assert!(payloads(&mut reassembler, &fragments(1)).is_empty());
    assert_eq!(skipped(&reassembler), [2, 0]);

    let minute = 60_000_000_000;
    for (later, found) in [(minute, 1), (minute + 1, 0), (-minute, 1)] {
        let mut reassembler = Reassembler::default();
        let mut count = 0;
        for (fragment, time) in fragments(1).iter().zip([5, 5 + later]) {
            let data = fragment.packet();
            let packet = Packet { time: Some(time), ..packet(&data) };
            count += usize::from(reassembler.segment(&packet).unwrap().is_some());
        }
        assert_eq!(count, found, "{later}");
    }
}

/// The records of a capture do not change if its packets are split into fragments in a random
/// order.
#[test]
fn captures_in_fragments() {
    let mut random = Random(41);
    for name in ["enet", "udp", "ws", "godot3_enet_rle"] {
        let (mut whole, mut split) = (Records::default(), Records::default());
        let file = captures::file(name);
        let mut reader = Reader::new(&file[..]);
        let mut reassembler = Reassembler::default();
        let mut id = 0_u8;
        while let Some(captured) = reader.next_packet().unwrap() {
            whole.add(&captured, captured.segment().map(Some));
            id = id.wrapping_add(1);
            let len = 8 + 8 * random.below(8);
            let ip = &captured.data[14..];
            let mut fragments = fragments_of(ip, id, len);
            for at in 1..fragments.len() {
                fragments.swap(at, random.below(at + 1));
            }
            for (index, fragment) in fragments.iter().enumerate() {
                let packet = packet(fragment);
                let found = reassembler.segment(&packet);
                let is_last = index + 1 == fragments.len();
                let expected = is_last.then(|| segment(LinkType::RAW, ip).unwrap());
                assert_eq!(found, Ok(expected));
                split.add(&packet, found);
            }
        }
        assert_eq!(skipped(&reassembler), [0, 0]);
        assert!(whole.records.len() > 50 && whole.records == split.records, "{name}");
        assert_eq!(whole.rows_of_packets(), split.rows_of_packets(), "{name}");
        split.check_sum();
    }
}

/// Splits an IPv4 packet into fragments with the same header.
fn fragments_of(ip: &[u8], id: u8, len: usize) -> Vec<Vec<u8>> {
    let (head, payload) = ip.split_at(20);
    let parts = Fragment::split(false, id, head[9], payload, len);
    let with_head = |part: &Fragment| {
        let mut packet = part.packet();
        packet[12..20].copy_from_slice(&head[12..20]);
        packet
    };
    parts.iter().map(with_head).collect()
}

#[derive(Default)]
struct Records {
    conversations: Conversations,
    ledger: Ledger,
    records: Vec<String>,
}

impl Records {
    fn add(&mut self, packet: &Packet<'_>, segment: Result<Option<Segment<'_>>, Skipped>) {
        let Self { conversations, ledger, records } = self;
        ledger.packet(packet, &segment, conversations.breakdown());
        let Ok(Some(segment)) = segment else { return };
        let names = MethodNames::default();
        conversations.segment(None, &segment, &mut |record| {
            ledger.record(record, &names);
            records.push(format!("{:?} {:?} {:?}", record.source, record.content, record.bytes));
        });
    }

    /// Returns the name, the count and the number of bytes of each row that counts packets of the
    /// game.
    fn rows_of_packets(&mut self) -> Vec<(String, u64, i64)> {
        self.ledger.finish(self.conversations.breakdown(), 0);
        let rows = self.ledger.rows().into_iter();
        let packets = rows.filter(|row| matches!(row.account, Account::Packets(_)));
        packets.map(|row| (row.name().to_string(), row.count, row.bytes)).collect()
    }

    /// Checks that the rows add up to the captured bytes.
    fn check_sum(&self) {
        let rows = self.ledger.rows();
        let sum: i64 = rows.iter().map(|row| row.bytes).sum();
        assert_eq!(sum, self.ledger.captured().bytes as i64);
        let is_valid = |row: &Row<'_>| row.bytes >= 0 || row.account == Account::Compression;
        assert!(rows.iter().all(is_valid), "{rows:?}");
        let fragments = rows.iter().find(|row| row.account == Account::Fragments).unwrap();
        assert!(fragments.count > 20);
    }
}

#[test]
fn random_fragments_satisfy_the_laws() {
    let mut random = Random(42);
    for _ in 0..60 {
        let mut data = vec![random.next() as u8];
        // Uses few numbers and offsets, so that some packets are completed and others are
        // contradictory.
        for _ in 0..60 {
            let len = 8 * (1 + random.below(3)) as u8;
            let flags = random.next() as u8 & random.next() as u8 & 0xCD;
            data.extend([flags, random.below(5) as u8, len]);
            let byte = if random.below(20) == 0 { 9 } else { 0 };
            data.extend(vec![byte; len.into()]);
        }
        laws::ip_fragments(&data);
        let bytes: Vec<u8> = (0..400).map(|_| random.next() as u8).collect();
        laws::ip_fragments(&bytes);
    }
}
