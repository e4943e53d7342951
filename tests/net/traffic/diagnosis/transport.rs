//! Diagnoses connections made by hand that contain stalls, late packets, oversized packets, and
//! state for nodes that do not exist.

use super::summary;
use super::wire::Wire;
use gamewire::capture::Skipped;
use gamewire::traffic::diagnosis::{Diagnosis, Fact, Oversize, Problem, Stall, StallCause};
use gamewire::traffic::methods::MethodNames;
use gamewire::transport::enet::{Body, Connect, Fragment};

fn run(steps: impl FnOnce(&mut Wire<'_>)) -> Vec<Diagnosis> {
    let names = MethodNames::default();
    let mut wire = Wire::new(&names);
    steps(&mut wire);
    wire.finish()
}

#[track_caller]
fn stall(found: &[Diagnosis]) -> (&Stall, Vec<Fact>) {
    let [Diagnosis { problem: Problem::Stall(stall), evidence, .. }] = found else {
        panic!("{found:?}");
    };
    (stall, evidence.iter().map(|(fact, _)| *fact).collect())
}

/// In a capture taken at the receiver, packet 1 is missing, and packets 2 and 3 wait until packet 1
/// is sent again.
#[test]
fn lost_before_the_capture() {
    let found = run(|wire| {
        for (sequence, time) in [(2, 1000), (3, 1010), (1, 1100)] {
            wire.time = time;
            wire.reliable(sequence);
            wire.acknowledge(sequence, time);
        }
    });
    let (stall, facts) = stall(&found);
    assert_eq!((stall.channel, stall.sequence, stall.len, stall.waiting), (2, 1, 2, 2));
    assert_eq!((stall.cause, stall.delay), (StallCause::Lost, Some(100_000_000)));
    assert_eq!(facts, [Fact::Waited, Fact::SentAgain]);
    assert_eq!(stall.packet.as_deref(), Some("raw"));
}

/// In a capture taken at the sender, packet 1 is sent twice, with packet 2 in between.
#[test]
fn lost_after_the_capture() {
    let found = run(|wire| {
        wire.reliable(1);
        wire.time = 1020;
        wire.reliable(2);
        wire.acknowledge(2, 1020);
        wire.time = 1100;
        wire.reliable(1);
        wire.time = 1120;
        wire.acknowledge(1, 1100);
    });
    let (stall, facts) = stall(&found);
    assert_eq!((stall.sequence, stall.waiting, stall.arrived), (1, 1, true));
    assert_eq!(stall.cause, StallCause::LostOrUnacknowledged);
    assert_eq!(stall.delay, Some(100_000_000));
    assert_eq!(facts, [Fact::Sent, Fact::SentAgain, Fact::Acknowledged]);
}

/// If the acknowledgement of the first datagram arrives late, but arrives, the repeated packet is
/// not a problem.
#[test]
fn repeated_without_need() {
    let found = run(|wire| {
        wire.reliable(1);
        wire.time = 1100;
        wire.reliable(1);
        wire.acknowledge(1, 1000);
        wire.reliable(1);
        wire.acknowledge(1, 1100);
    });
    assert_eq!(found, []);
}

/// If the network repeats a datagram, both copies contain the same sending time, so this is not a
/// problem. Nor is it a problem if two datagrams are swapped.
#[test]
fn datagrams_that_the_network_repeats_or_swaps() {
    let found = run(|wire| {
        for sequence in [1, 1, 2, 2, 4, 3, 5] {
            wire.reliable(sequence);
        }
        for sequence in [1, 2, 3, 4, 5] {
            wire.acknowledge(sequence, 1000);
        }
    });
    assert_eq!(found, []);
}

/// A packet that is sent only once, but arrives long after a later packet, causes a stall.
#[test]
fn overtaken() {
    let names = MethodNames::default();
    let mut wire = Wire::new(&names);
    // The datagram of packet 1 was sent at 1000, but arrives at 1300.
    let datagram = b"\x80\0\x03\xe8\x86\x02\0\x01\0\x02\x03r";
    wire.time = 1010;
    wire.reliable(2);
    wire.time = 1300;
    wire.udp(false, datagram);
    let found = wire.finish();
    let (stall, facts) = stall(&found);
    assert_eq!((stall.cause, stall.delay), (StallCause::Overtaken, Some(290_000_000)));
    assert_eq!(facts, [Fact::Waited, Fact::Arrived]);
}

/// In the first connection, a packet is never acknowledged. In the second, a packet is never
/// captured, although later packets are.
#[test]
fn never_arrived() {
    let found = run(|wire| {
        wire.reliable(1);
        wire.acknowledge(1, 1000);
        wire.reliable(2);
        for time in [1100, 1300, 1700] {
            wire.time = time;
            wire.reliable(2);
        }
    });
    let (lost, facts) = stall(&found);
    assert_eq!((lost.sequence, lost.arrived, lost.waiting), (2, false, 0));
    assert_eq!(facts, [Fact::Sent, Fact::SentAgain]);
    let missing = |last: u16| {
        run(|wire| {
            wire.reliable(1);
            wire.acknowledge(1, 1000);
            wire.reliable(3);
            wire.time = last;
            wire.reliable(4);
        })
    };
    let found = missing(1700);
    let (stall, facts) = stall(&found);
    assert_eq!((stall.sequence, stall.len, stall.arrived, stall.waiting), (2, 0, false, 2));
    assert_eq!(facts, [Fact::Waited]);
    assert_eq!(missing(1400), [], "it could still arrive");
}

/// An acknowledgement proves that a packet arrived, even if the packet was not captured.
#[test]
fn packets_that_were_not_captured() {
    let found = run(|wire| {
        wire.reliable(1);
        wire.acknowledge(1, 1000);
        wire.reliable(3);
        wire.acknowledge(2, 1000);
        wire.acknowledge(3, 1000);
        wire.time = 3000;
        wire.reliable(4);
    });
    assert_eq!(found, []);
}

/// If the start of the connection was not captured, the first captured packet of a channel is
/// assumed to be its first packet. If no acknowledgement was captured, it is not known which
/// packets arrived. No problem is reported in either case.
#[test]
fn unknown_start_or_direction() {
    let names = MethodNames::default();
    let mut wire = Wire::without_start(&names);
    wire.reliable(40);
    wire.acknowledge(39, 1000);
    wire.acknowledge(40, 1000);
    wire.reliable(41);
    wire.reliable(38);
    wire.acknowledge(41, 1000);
    assert_eq!(wire.finish(), []);
    let found = run(|wire| {
        wire.reliable(1);
        wire.time = 2000;
        wire.reliable(1);
        wire.reliable(3);
        wire.time = 5000;
        wire.reliable(4);
    });
    assert_eq!(found, []);
}

/// Several stalls of a channel are reported as one problem, with the evidence of the worst stall.
#[test]
fn stalls_of_a_channel_are_counted_together() {
    let found = run(|wire| {
        for (round, delay) in [(0_u16, 50), (1, 200), (2, 100)] {
            wire.time = 1000 + round * 1000;
            let first = round * 2 + 1;
            wire.reliable(first + 1);
            wire.time += delay;
            wire.reliable(first);
        }
    });
    assert_eq!(found[0].count, 3);
    let (stall, _) = stall(&found);
    assert_eq!((stall.sequence, stall.delay), (3, Some(200_000_000)));
}

/// A stall is also found where the sequence numbers wrap around.
#[test]
fn sequences_wrap_around() {
    let names = MethodNames::default();
    let mut wire = Wire::without_start(&names);
    wire.reliable(u16::MAX - 1);
    for (sequence, time) in [(0, 1010), (1, 1020), (u16::MAX, 1200)] {
        wire.time = time;
        wire.reliable(sequence);
    }
    let found = wire.finish();
    let (stall, _) = stall(&found);
    assert_eq!((stall.sequence, stall.waiting), (u16::MAX, 2));
}

#[test]
fn late_and_repeated_unreliable_packets() {
    let send = |wire: &mut Wire<'_>, numbers: &[u16]| {
        for number in numbers {
            wire.time += 5;
            let body = Body::Unreliable { number: *number, payload: b"\x03r" };
            wire.command(false, 3, 0, body);
        }
    };
    // Packets 1 and 2 are repeated after newer packets, so only packet 4 is late.
    let found = run(|wire| send(wire, &[1, 2, 2, 3, 1, 2, 5, 4, 4, 6]));
    assert_eq!(summary(&found), [("late", "", 2)]);
    let Problem::Late { channel: 3, packet, behind } = &found[0].problem else { panic!() };
    assert_eq!((packet.as_deref(), *behind), (Some("raw"), Some(10_000_000)));
    assert_eq!(run(|wire| send(wire, &[1, 3, 4, 9])), []);
}

/// The maximum length of a datagram is the smaller of the limits that the two sides announced.
#[test]
fn unreliable_packets_in_fragments() {
    let found = run(|wire| {
        let connect = Connect { connect_id: 9, mtu: 1200, ..Connect::default() };
        wire.command(true, 255, 1, Body::Connect(connect));
        for number in 0..3 {
            let (start, count, total) = (1, 3, 3000);
            let payload = &[3; 1000][..];
            let offset = number * 1000;
            let part = Fragment { start, count, number, total, offset, payload };
            wire.command(false, 1, 0, Body::UnreliableFragment(part));
        }
    });
    assert_eq!(summary(&found), [("over_mtu", "", 1)]);
    let Problem::OverMtu { len: 3000, oversize, .. } = &found[0].problem else { panic!() };
    assert_eq!(*oversize, Oversize::Unreliable { mtu: Some(1200), fragments: 3 });
}

#[test]
fn fragments_of_ip() {
    let found = run(|wire| {
        wire.diagnoser.packet(None, &Err(Skipped::NotIp));
        wire.diagnoser.packet(None, &Err(Skipped::Fragment));
        wire.diagnoser.packet(None, &Err(Skipped::Fragment));
    });
    assert_eq!(summary(&found), [("over_mtu", "", 2)]);
    assert_eq!(found[0].evidence[0].1.packet, 4);
}

/// Returns a DELTA packet that sends the int 5 to the synchronizer with this id.
fn delta(id: u32) -> Vec<u8> {
    [&[0x16][..], &id.to_le_bytes(), &1_u64.to_le_bytes(), &2_u32.to_le_bytes(), &[2, 5]].concat()
}

/// Returns a SPAWN packet of a node with a synchronizer.
fn spawn(node: u32, synchronizer: u32) -> Vec<u8> {
    let fields = [1, node, 1, 2, synchronizer].map(u32::to_le_bytes).concat();
    [&[4, 0][..], &fields, b"P\0"].concat()
}

/// A node may be spawned again, and a side may synchronize a node that the other side has spawned.
#[test]
fn spawned_nodes() {
    let despawn = |node: u32| [&[5][..], &node.to_le_bytes()].concat();
    let found = run(|wire| {
        wire.packet(false, &spawn(1, 2));
        wire.packet(false, &delta(2));
        wire.packet(true, &delta(2));
        wire.packet(false, &despawn(1));
        wire.packet(false, &spawn(1, 2));
        wire.packet(false, &delta(2));
    });
    assert_eq!(found, []);
    let found = run(|wire| {
        wire.packet(false, &spawn(1, 2));
        wire.packet(false, &despawn(1));
        wire.packet(false, &delta(2));
        wire.packet(false, &delta(2));
        wire.packet(true, &delta(7));
    });
    assert_eq!(summary(&found), [("unknown_net_id", "P", 2), ("unknown_net_id", "", 1)]);
    assert_eq!(found[0].last.unwrap().packet, 6);
    // If the start of the connection was not captured, the node may have been spawned before the
    // capture.
    let names = MethodNames::default();
    let mut wire = Wire::without_start(&names);
    wire.packet(false, &delta(2));
    assert_eq!(wire.finish(), []);
}

/// A DELTA can contain the number of a path in place of the id of a synchronizer. A number that was
/// not announced is a problem.
#[test]
fn numbers_of_paths() {
    let found = run(|wire| {
        let announced = super::wire::simplify_path(&[b'0'; 32], 5, "A/Sync");
        wire.packet(false, &announced);
        wire.packet(false, &delta(5 | 1 << 31));
        wire.packet(false, &delta(6 | 1 << 31));
    });
    assert_eq!(summary(&found), [("unknown_net_id", "", 1)]);
}
