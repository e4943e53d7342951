//! Checks the laws on packets that contain values of the corpus, and on packets with a few edits.

use super::bytes;
use super::capture;
use crate::laws;
use crate::support::random::Random;
use crate::support::{corpus, damage};
use gamewire::godot::multiplayer::godot4::Packet;
use gamewire::godot::multiplayer::{godot3, transport};
use std::collections::HashSet;

/// Packets of kinds that the captures contain rarely or not at all.
const BY_HAND: [&str; 12] = [
    "00 07 03 05 81 422c01 040000000200000068690000 05000000 0000803f00000040 18000000",
    "20 0b000080 03 02 0205 02fb 4e2f6100",
    "a0 07000080 03 09 4e00",
    "60 0d000080 0300 01 c20000000000010000 4e2f61",
    "02 01 616200",
    "04 02 03000000 04000000 02000000 03000000 05000000 06000000 4e3100 0207 81",
    "04 ff 03000000 04000000 00000000 02000000 4e00 02000000 0207 81",
    "06 ff00 02000000 03000000 020781 07000080 01000000 01",
    "16 02000000 0500000000000000 03000000 020781 07000080 0000000000000080 01000000 81",
    "07 03 fbffffff 16 02000000 0500000000000000 03000000 020781",
    "00 19000080 6600 02 020000002a000000 0400000001000000 61000000 4e00",
    "01 0e000080 7600 0200010001000000 4e00",
];

const CAPTURES: [&str; 5] = ["enet", "enet_rle", "relay", "godot3_enet", "godot3_enet_rle"];

/// Returns the packets in [`BY_HAND`], and one packet from the captures for each combination of
/// first byte and length. Packets of Godot 3 are included with and without their ENet prefix.
fn packets() -> Vec<Vec<u8>> {
    let mut seen = HashSet::new();
    let mut packets: Vec<_> = BY_HAND.map(bytes).into();
    for name in CAPTURES {
        for packet in capture::packets(&format!("captures/{name}.pcap")) {
            if !seen.insert((packet.bytes.first().copied(), packet.bytes.len())) {
                continue;
            }
            if name.starts_with("godot3")
                && let Ok((_, inner)) = transport::EnetPrefix::split(&packet.bytes)
            {
                packets.push(inner.to_vec());
            }
            packets.push(packet.bytes);
        }
    }
    packets
}

#[test]
#[ignore = "slow"]
fn packets_with_random_edits_satisfy_the_laws() {
    let packets = packets();
    let mut random = Random::new(7);
    let (mut godot4, mut godot3) = (0, 0);
    for _ in 0..10_000 {
        let [packet, other] = [0; 2].map(|_| &packets[random.below(packets.len())]);
        if packet.len() > 2000 {
            continue;
        }
        let packet = damage::damaged(packet, other, &mut random);
        laws::godot_multiplayer(&packet);
        godot4 += usize::from(Packet::parse(&packet).is_ok());
        godot3 += usize::from(godot3::Packet::parse(&packet).is_ok());
    }
    // Both outcomes occur: some packets are accepted and some are rejected.
    assert!((3_000..9_500).contains(&godot4), "{godot4}");
    assert!((1_000..9_500).contains(&godot3), "{godot3}");
}

/// Tries all values of each of the first six bytes. These bytes contain the command, the flags, the
/// sizes of ids, and the offset of the path.
#[test]
#[ignore = "slow"]
fn packets_with_any_byte_in_the_header_satisfy_the_laws() {
    for mut packet in BY_HAND.map(bytes) {
        for at in 0..6.min(packet.len()) {
            let was = packet[at];
            for byte in 0..=255 {
                packet[at] = byte;
                laws::godot_multiplayer(&packet);
            }
            packet[at] = was;
        }
    }
}

/// The test runs in a thread with a large stack, because values nested 1,024 deep are compared and
/// dropped recursively.
#[test]
#[ignore = "slow"]
fn packets_with_any_corpus_value_satisfy_the_laws() {
    let run = || {
        for (folder, _) in corpus::WRITTEN.iter().chain([&corpus::HOSTILE]) {
            corpus::packets(folder).iter().for_each(|(_, value)| in_packets(value));
        }
    };
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    thread.spawn(run).unwrap().join().unwrap();
}

fn in_packets(value: &[u8]) {
    let size = (value.len() as u32).to_le_bytes();
    let packets = [
        [&[0, 7, 3, 2][..], value, &[0x81]].concat(),
        [&[0x80, 7, 3][..], value].concat(),
        [&[6, 0, 0, 1, 0, 0, 0][..], &size, value].concat(),
        [&[0x16, 1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0][..], &size, value].concat(),
        [b"\0\x01\0\0\0f\0\x01", value].concat(),
        [b"\x01\x01\0\0\0f\0", value].concat(),
    ];
    packets.iter().for_each(|packet| laws::godot_multiplayer(packet));
}
