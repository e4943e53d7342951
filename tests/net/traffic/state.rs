//! Passes the state of one capture to the next.

use crate::laws::{self, Listener, Step, records, restore};
use crate::support::net::captures::{
    self, Block, NAMES, ORDERS, OTHER_COMPRESSIONS, PROBLEMS, Pcap,
};
use crate::support::random::Random;
use gamewire::capture::{Packet, Reader, Reassembler, ReassemblyLimits};
use gamewire::traffic::{Conversations, Options};

/// Captures that are in none of the lists of captures.
const OTHERS: [&str; 5] = [
    "captures-2/lossy_dup",
    "captures-2/tcp_be",
    "captures-2/tcp_mixed",
    "captures-2/ws_raw",
    "captures-diagnosis/ip_fragments",
];

fn files() -> Vec<(String, Vec<u8>)> {
    let named = NAMES.into_iter().chain(OTHER_COMPRESSIONS).chain(PROBLEMS);
    let named = named.map(|name| (name.to_owned(), captures::file(name)));
    let others = OTHERS
        .into_iter()
        .map(|name| (name.to_owned(), crate::support::corpus::read(&format!("{name}.pcap"))));
    named.chain(others).collect()
}

/// The state between two captures.
#[derive(Clone, Default)]
struct State {
    conversations: Conversations,
    reassembler: Reassembler,
}

impl State {
    fn process(&mut self, packet: &Packet<'_>, listener: &mut Listener<'_>) {
        if let Ok(Some(segment)) = self.reassembler.segment(packet) {
            self.conversations.segment(packet.time, &segment, listener);
        }
    }

    fn save(&self) -> Vec<u8> {
        postcard::to_allocvec(&(&self.conversations, &self.reassembler)).unwrap()
    }

    fn restore(saved: &[u8]) -> Self {
        let mut saved = postcard::Deserializer::from_bytes(saved);
        let conversations = Conversations::restore(Options::default(), &mut saved).unwrap();
        let reassembler = Reassembler::restore(ReassemblyLimits::default(), &mut saved).unwrap();
        assert!(saved.finalize().unwrap().is_empty());
        Self { conversations, reassembler }
    }

    fn finish(mut self) -> Vec<String> {
        records(|listener| self.conversations.finish(listener))
    }
}

fn with_packets(file: &[u8], mut each: impl FnMut(usize, &Packet<'_>)) {
    let mut reader = Reader::new(file);
    let mut index = 0;
    while let Some(packet) = reader.next_packet().unwrap() {
        each(index, &packet);
        index += 1;
    }
}

/// For each packet of a capture, stores the state before the packet, restores it, and processes the
/// packet. The records and the state after the packet must be the same as without storing. Then the
/// records of all later packets are the same, too. A clone of the state must behave like the original.
fn check_each_packet(name: &str, file: &[u8]) {
    let mut whole = State::default();
    with_packets(file, |index, packet| {
        let saved = whole.save();
        let mut part = State::restore(&saved);
        assert_eq!(part.save(), saved, "{name}, before packet {index}");
        let mut clone = whole.clone();
        let expected = records(|listener| whole.process(packet, listener));
        let of_clone = records(|listener| clone.process(packet, listener));
        assert_eq!(of_clone, expected, "{name}, packet {index}");
        assert_eq!(clone.save(), whole.save(), "{name}, after packet {index}");
        let found = records(|listener| part.process(packet, listener));
        assert_eq!(found, expected, "{name}, packet {index}");
        assert_eq!(part.save(), whole.save(), "{name}, after packet {index}");
    });
    let part = State::restore(&whole.save());
    assert_eq!(part.finish(), whole.finish(), "{name}");
}

#[test]
fn each_packet_can_be_the_first_of_the_next_capture() {
    for (name, file) in files() {
        check_each_packet(&name, &file);
    }
}

/// Many packets arrive late, twice, damaged or not at all, so others wait for them.
#[test]
fn packets_that_wait_are_part_of_the_state() {
    let mut random = Random(7);
    for name in NAMES.into_iter().chain(OTHER_COMPRESSIONS) {
        let mut packets = captures::packets(name);
        packets.truncate(500);
        for _ in 0..100 {
            super::damage(&mut packets, &mut random);
        }
        for _ in 0..10 {
            let from = random.below(packets.len() - 10);
            packets[from..from + 10].rotate_left(1 + random.below(9));
        }
        check_each_packet(name, &captures::pcap(&packets, Pcap::Nanos, ORDERS[0]));
    }
}

/// Cuts each capture into two and into three parts, at random packets. Writes them in both formats.
#[test]
fn a_capture_in_two_or_three_parts_gives_the_same_records() {
    let mut random = Random(31);
    for name in NAMES {
        let packets = captures::packets(name);
        let expected = records_of_parts(&[&packets], Form::Pcap);
        assert!(!expected.is_empty());
        for round in 0..6 {
            let mut cuts = [0; 2].map(|_| random.below(packets.len() + 1));
            cuts.sort();
            let (first, rest) = packets.split_at(cuts[0]);
            let (second, third) = rest.split_at(cuts[1] - cuts[0]);
            let form = if round % 2 == 0 { Form::Pcap } else { Form::Pcapng };
            assert_eq!(records_of_parts(&[first, rest], form), expected, "{name} {cuts:?}");
            assert_eq!(
                records_of_parts(&[first, second, third], form),
                expected,
                "{name} {cuts:?}"
            );
        }
    }
}

#[derive(Clone, Copy)]
enum Form {
    Pcap,
    Pcapng,
}

fn records_of_parts(parts: &[&[captures::Packet]], form: Form) -> Vec<String> {
    let (mut saved, mut all) = (State::default().save(), Vec::new());
    for part in parts {
        let file = match form {
            Form::Pcap => captures::pcap(part, Pcap::Nanos, ORDERS[0]),
            Form::Pcapng => captures::pcapng(part, Block::Enhanced, Some(9), ORDERS[0]),
        };
        let mut state = State::restore(&saved);
        with_packets(&file, |_, packet| {
            all.extend(records(|listener| state.process(packet, listener)));
        });
        saved = state.save();
    }
    all.extend(State::restore(&saved).finish());
    all
}

#[test]
fn damaged_states_are_refused_or_safe_to_use() {
    let accepted = check_damaged(&mut Random(1), 60);
    assert!((300..700).contains(&accepted), "{accepted} of 780");
}

#[test]
#[ignore = "slow"]
fn many_damaged_states_are_refused_or_safe_to_use() {
    check_damaged(&mut Random(2), 500);
}

/// Checks the law on damaged states of each capture, `rounds` times. Returns how many are accepted.
fn check_damaged(random: &mut Random, rounds: usize) -> usize {
    let mut accepted = 0;
    for name in NAMES.into_iter().chain(OTHER_COMPRESSIONS) {
        let payloads = captures::payloads(name);
        let some = payloads.iter().filter(|payload| !payload.bytes.is_empty());
        let steps: Vec<_> = some.map(|payload| Step::from_payload(payload, 0)).collect();
        for round in 0..rounds {
            let mut few = steps[random.below(steps.len())..].to_vec();
            few.truncate(16);
            let missing = random.below(few.len() + 1);
            few.drain(few.len() / 2..missing.max(few.len() / 2)); // so that later ones wait
            let (before, after) = few.split_at(random.below(few.len() + 1));
            let first = random.one_of(&super::FIRST_BYTES); // selects the options
            let mut input = laws::traffic_state_input(first, before, after);
            let len = usize::from(u16::from_le_bytes([input[1], input[2]]));
            for _ in 0..round % 4 {
                input[3 + random.below(len)] ^= 1 << random.below(8);
            }
            accepted += usize::from(restore(&input[3..3 + len], Options::default()).is_ok());
            laws::traffic_state(&input);
        }
    }
    accepted
}
