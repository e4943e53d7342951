//! Compares the session with an oracle that has no memory limits. Valid senders send the datagrams
//! over lossy lines.

use super::captures;
use crate::laws;
use crate::support::corpus;
use crate::support::net::pcap;
use crate::support::random::Random;
use gamewire::transport::enet::{Body, Command, Datagram, Flags, Fragment};

/// Drops, repeats and delays datagrams.
fn lossy_line<'a>(datagrams: &[&'a [u8]], random: &mut Random) -> Vec<&'a [u8]> {
    let mut received = Vec::new();
    let mut late: Vec<(usize, &[u8])> = Vec::new();
    for (now, &datagram) in datagrams.iter().enumerate() {
        let after = match random.below(20) {
            0 => continue,
            1..5 => 1 + random.below(12),
            _ => 0,
        };
        late.push((now + after, datagram));
        if random.below(10) == 0 {
            late.push((now + random.below(40), datagram));
        }
        let due = late.extract_if(.., |(at, _)| *at <= now);
        received.extend(due.map(|(_, datagram)| datagram));
    }
    received.extend(late.into_iter().map(|(_, datagram)| datagram));
    received
}

fn assert_agrees_with_oracle(datagrams: &[&[u8]]) {
    let contradictory = laws::enet_session(datagrams.iter().copied());
    assert!(contradictory.is_empty(), "nothing contradicts itself: {contradictory:?}");
}

/// Compares the session with the oracle on each direction of each capture, both unchanged and sent
/// over lossy lines.
#[test]
#[ignore = "slow"]
fn captures_on_lossy_lines() {
    let mut random = Random::new(21);
    for name in captures::CAPTURES {
        let capture = pcap::udp(&corpus::read(&format!("captures/{name}.pcap")));
        let mut sides: Vec<_> = capture.iter().map(|udp| (udp.from, udp.to)).collect();
        sides.sort();
        sides.dedup();
        for side in sides {
            let datagrams = capture.iter().filter(|udp| (udp.from, udp.to) == side);
            let datagrams: Vec<&[u8]> = datagrams.map(|udp| udp.payload.as_slice()).collect();
            assert_agrees_with_oracle(&datagrams);
            (0..5).for_each(|_| assert_agrees_with_oracle(&lossy_line(&datagrams, &mut random)));
        }
    }
}

/// The last sequence numbers that a sender used on a channel.
#[derive(Clone, Copy)]
struct Counts {
    sequence: u16,
    unreliable: u16,
}

struct Sender {
    random: Random,
    channels: [Counts; 3],
    group: u16,
    datagrams: Vec<Vec<u8>>,
    body: Vec<u8>,
}

impl Sender {
    fn put(&mut self, channel: usize, sequence: u16, body: Body<'_>) {
        let flags = Flags::NONE;
        let command = Command { flags, channel: channel as u8, sequence, body };
        command.write(&mut self.body).unwrap();
        if self.random.below(3) == 0 {
            self.send();
        }
    }

    fn send(&mut self) {
        let body = std::mem::take(&mut self.body);
        let sent_time = (self.random.below(2) == 0).then_some(7);
        let (peer, session, compressed, checksum) = (1, 2, false, None);
        let head = Datagram { peer, session, compressed, sent_time, checksum, body: &body };
        let mut datagram = Vec::new();
        head.write(&mut datagram).unwrap();
        self.datagrams.push(datagram);
    }

    /// Writes a packet of a random kind.
    fn packet(&mut self) {
        let channel = self.random.below(3);
        let len = self.random.one_of(&[0, 1, 5, 40, 256, 300]);
        let payload: Vec<u8> = (0..len).map(|_| self.random.next() as u8).collect();
        let Counts { sequence, unreliable } = self.channels[channel];
        let counts = &mut self.channels[channel];
        match self.random.below(8) {
            0..2 => {
                *counts = Counts { sequence: sequence.wrapping_add(1), unreliable: 0 };
                let sequence = counts.sequence;
                self.put(channel, sequence, Body::Reliable { payload: &payload });
            }
            2..5 => {
                counts.unreliable = unreliable.wrapping_add(1);
                let number = counts.unreliable;
                self.put(channel, sequence, Body::Unreliable { number, payload: &payload });
            }
            5 => {
                self.group = self.group.wrapping_add(self.random.one_of(&[1, 1, 1, 900]));
                let group = self.group;
                self.put(channel, 0, Body::Unsequenced { group, payload: &payload });
            }
            kind if len > 0 => self.fragments(channel, kind == 6, &payload),
            _ => {}
        }
    }

    fn fragments(&mut self, channel: usize, reliable: bool, payload: &[u8]) {
        let size = 1 + self.random.below(payload.len()).max(20);
        let count = payload.len().div_ceil(size) as u32;
        let Counts { sequence, unreliable } = self.channels[channel];
        let (start, next_counts) = match reliable {
            true => (
                sequence.wrapping_add(1),
                Counts { sequence: sequence.wrapping_add(count as u16), unreliable: 0 },
            ),
            false => {
                let start = unreliable.wrapping_add(1);
                (start, Counts { sequence, unreliable: start })
            }
        };
        self.channels[channel] = next_counts;
        let total = payload.len() as u32;
        for (number, payload) in (0_u32..).zip(payload.chunks(size)) {
            let offset = number * size as u32;
            let part = Fragment { start, count, number, total, offset, payload };
            match reliable {
                true => self.put(channel, start.wrapping_add(number as u16), Body::Fragment(part)),
                false => self.put(channel, sequence, Body::UnreliableFragment(part)),
            }
        }
    }
}

/// Compares the session with the oracle on generated packets of all kinds.
#[test]
#[ignore = "slow"]
fn generated_senders_on_lossy_lines() {
    for seed in 0..150 {
        let mut sender = Sender {
            random: Random::new(seed),
            channels: [Counts { sequence: 0, unreliable: 0 }; 3],
            group: 0,
            datagrams: Vec::new(),
            body: Vec::new(),
        };
        (0..200).for_each(|_| sender.packet());
        sender.send();
        let datagrams: Vec<&[u8]> = sender.datagrams.iter().map(Vec::as_slice).collect();
        assert_agrees_with_oracle(&datagrams);
        let mut random = Random::new(seed);
        // A sender may repeat packets, so some inputs contain all datagrams twice.
        let twice = [lossy_line(&datagrams, &mut random), lossy_line(&datagrams, &mut random)];
        assert_agrees_with_oracle(&twice[0]);
        assert_agrees_with_oracle(&twice.concat());
        let repeated: Vec<_> = datagrams.chunks(4).flat_map(|few| [few, few].concat()).collect();
        assert_agrees_with_oracle(&lossy_line(&repeated, &mut random));
    }
}
