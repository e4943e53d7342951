//! Reads the ENet sessions in the captures.

use crate::laws;
use crate::support::corpus;
use crate::support::net::pcap;
use crate::support::random::Random;
use gamewire::transport::enet::{
    Body, Command, Commands, Datagram, DatagramCodec, Delivery, Event, Limits, RangeCoder, Session,
};
use std::collections::BTreeMap;

pub const CAPTURES: [&str; 5] = ["enet", "enet_rle", "godot3_enet", "godot3_enet_rle", "relay"];

fn capture(name: &str) -> Vec<pcap::Udp> {
    pcap::udp(&corpus::read(&format!("captures/{name}.pcap")))
}

/// Every datagram contains only valid commands, and encoding them again gives the same bytes.
#[test]
fn captures_are_written_back() {
    let mut coder = RangeCoder::new();
    let mut compressed = Vec::new();
    for name in CAPTURES {
        let mut count = 0;
        for udp in capture(name) {
            let datagram = Datagram::parse(&udp.payload).unwrap();
            count += usize::from(datagram.compressed);
            assert_written_back(&mut coder, datagram, &udp.payload);
        }
        compressed.push(count);
    }
    assert_eq!(compressed, [0, 630, 0, 52, 0]);
}

fn assert_written_back(coder: &mut RangeCoder, datagram: Datagram<'_>, bytes: &[u8]) {
    let mut memory = [0; 4096];
    let header_len = datagram.header_len();
    let plain = match datagram.compressed {
        true => coder.decode(datagram.body, &mut memory[header_len..]).unwrap(),
        false => datagram.body,
    };
    let commands: Vec<Command<'_>> =
        Commands::new(plain, header_len).collect::<Result<_, _>>().unwrap();
    assert!(!commands.is_empty());
    let mut again = Vec::new();
    commands.iter().for_each(|command| command.write(&mut again).unwrap());
    assert_eq!(again, plain);

    let mut memory = [0; 4096];
    let body = match datagram.compressed {
        true => coder.encode(&again, &mut memory).unwrap(),
        false => &again,
    };
    let mut copy = Vec::new();
    Datagram { body, ..datagram }.write(&mut copy).unwrap();
    assert_eq!(copy, bytes);
    laws::enet_range_coder(datagram.body);
}

/// Passes both directions of a capture to one session, unchanged and damaged.
#[test]
fn captures_satisfy_the_laws() {
    let mut random = Random(5);
    for name in CAPTURES {
        let datagrams = capture(name);
        laws::enet(&laws::enet_input(datagrams.iter().map(|udp| udp.payload.as_slice())));
        for _ in 0..5 {
            let mut input = laws::enet_input(datagrams.iter().map(|udp| udp.payload.as_slice()));
            for _ in 0..input.len() / 50 {
                let at = random.below(input.len());
                input[at] = random.next() as u8;
            }
            laws::enet(&input);
        }
    }
}

/// Packets that one side received, by channel.
#[derive(Debug, Default, PartialEq)]
struct Received {
    reliable: BTreeMap<u8, Vec<Vec<u8>>>,
    unreliable: BTreeMap<u8, Vec<u16>>,
    unsequenced: BTreeMap<u8, Vec<u16>>,
}

/// Reads each side of every session from its start, and also from each of three later datagrams.
#[test]
fn each_side_receives_all_packets_once_and_in_order() {
    let mut counts = Vec::new();
    for name in CAPTURES {
        let datagrams = capture(name);
        let mut sides: Vec<_> = datagrams.iter().map(|udp| (udp.from, udp.to)).collect();
        sides.sort();
        sides.dedup();
        for side in sides {
            let datagrams = datagrams.iter().filter(|udp| (udp.from, udp.to) == side);
            let datagrams: Vec<&[u8]> = datagrams.map(|udp| udp.payload.as_slice()).collect();
            let received = receive(&datagrams, true);
            assert_eq!(received, expected(&datagrams), "{name}");
            counts.push(received.reliable.values().map(Vec::len).sum::<usize>());
            for start in [1, 5, datagrams.len() / 2] {
                let rest = receive(&datagrams[start..], false);
                for (channel, packets) in &rest.reliable {
                    assert!(received.reliable[channel].ends_with(packets), "{name} from {start}");
                }
            }
        }
    }
    assert_eq!(counts, [21, 56, 21, 56, 1, 43, 1, 43, 45, 45, 80, 80]);
}

fn receive(datagrams: &[&[u8]], from_start: bool) -> Received {
    let mut session = Session::new(Limits::default());
    let mut codec = DatagramCodec::new();
    let mut received = Received::default();
    for datagram in datagrams {
        session.feed(datagram, &mut codec, |event| match event {
            Event::Packet(packet) => match packet.delivery {
                Delivery::Reliable => {
                    let packets = received.reliable.entry(packet.channel).or_default();
                    packets.push(packet.payload.to_vec());
                }
                Delivery::Unreliable => {
                    received.unreliable.entry(packet.channel).or_default().push(packet.number);
                }
                Delivery::Unsequenced => {
                    received.unsequenced.entry(packet.channel).or_default().push(packet.number);
                }
            },
            Event::Control(_) => {}
            // The first fragments of the packet are missing.
            Event::Lost(_) if !from_start => {}
            other => panic!("{other:?}"),
        });
    }
    session.flush(|event| panic!("{event:?} at the end"));
    received
}

/// Computes the result of `receive` in a different way: sorts the commands of all datagrams by
/// sequence number, and joins the fragments.
fn expected(datagrams: &[&[u8]]) -> Received {
    let mut coder = RangeCoder::new();
    let mut received = Received::default();
    let mut reliable: BTreeMap<u8, BTreeMap<u16, (bool, Vec<u8>)>> = BTreeMap::new();
    for datagram in datagrams {
        let datagram = Datagram::parse(datagram).unwrap();
        let plain = match datagram.compressed {
            true => coder.decode_datagram(datagram.body, datagram.header_len()).unwrap(),
            false => datagram.body,
        };
        for command in Commands::new(plain, 0).map(Result::unwrap) {
            let (channel, sequence) = (command.channel, command.sequence);
            let sequences = reliable.entry(channel).or_default();
            match command.body {
                Body::Reliable { payload } => {
                    sequences.insert(sequence, (true, payload.to_vec()));
                }
                Body::Fragment(part) => {
                    let last = part.number + 1 == part.count;
                    sequences.insert(sequence, (last, part.payload.to_vec()));
                }
                Body::Unreliable { number, .. } => {
                    let numbers = received.unreliable.entry(channel).or_default();
                    if numbers.last().is_none_or(|last| *last < number) {
                        numbers.push(number);
                    }
                }
                Body::Unsequenced { group, .. } => {
                    received.unsequenced.entry(channel).or_default().push(group);
                }
                _ => {}
            }
        }
    }
    for (channel, sequences) in reliable {
        let mut packet = Vec::new();
        for (due, (sequence, (last, bytes))) in (1..).zip(sequences) {
            assert_eq!(sequence, due, "no gap on channel {channel}");
            packet.extend(bytes);
            if last {
                let packets = received.reliable.entry(channel).or_default();
                packets.push(std::mem::take(&mut packet));
            }
        }
        assert!(packet.is_empty());
    }
    received
}
