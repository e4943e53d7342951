//! Damages valid packets with a few edits at positions where decoders are likely to fail.

use super::random::Random;

/// Values of a count, a length or a header at which decoders are likely to fail: small numbers, and
/// numbers close to a limit.
pub const ODD: [u32; 14] = [
    0,
    1,
    2,
    3,
    7,
    0xff,
    0xffff,
    0x0001_0000,
    0x3fff_ffff,
    0x4000_0000,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_fffc,
    0xffff_ffff,
];

/// Applies one to four edits to a packet. Inserted parts come from `other`.
pub fn damaged(packet: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut packet = packet.to_vec();
    for _ in 0..=random.below(4) {
        edit(&mut packet, other, random);
    }
    packet
}

fn edit(packet: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    // Nearly all fields start at a multiple of four.
    let word = random.below(packet.len() / 4 + 1) * 4;
    match random.below(12) {
        0 => packet.truncate(random.below(packet.len() + 1)),
        1 => packet.truncate(word),
        2 => packet.extend((0..=random.below(8)).map(|_| random.next() as u8)),
        3 => byte(packet, random, |byte, random| byte ^ 1 << random.below(8)),
        4 => byte(packet, random, |_, random| random.next() as u8),
        5 => number(packet, word, |_| random.one_of(&ODD)),
        6 => number(packet, word, |it| it.wrapping_add(random.one_of(&[1, 2, 3, 4, 8]))),
        7 => number(packet, word, |it| it.wrapping_sub(random.one_of(&[1, 2, 3, 4, 8]))),
        // These two edits replace the low byte, which may be a type id, or flip one of the upper 16
        // bits, which may be a flag of a header.
        8 => number(packet, word, |it| it & !0xff | random.below(45) as u32),
        9 => number(packet, word, |it| it ^ 1 << (16 + random.below(16))),
        // The last two edits remove a word, or insert a part of `other`.
        10 => drop(packet.drain(word..(word + 4).min(packet.len()).max(word))),
        _ => {
            let from = random.below(other.len() / 4 + 1) * 4;
            let to = (from + 4 * (1 + random.below(6))).min(other.len());
            let part = other.get(from..to).unwrap_or_default().iter().copied();
            packet.splice(word.min(packet.len())..word.min(packet.len()), part);
        }
    }
}

fn byte(packet: &mut [u8], random: &mut Random, to: impl FnOnce(u8, &mut Random) -> u8) {
    if packet.is_empty() {
        return;
    }
    let at = random.below(packet.len());
    packet[at] = to(packet[at], random);
}

fn number(packet: &mut [u8], at: usize, to: impl FnOnce(u32) -> u32) {
    if let Some(bytes) = packet.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<4>()) {
        *bytes = to(u32::from_le_bytes(*bytes)).to_le_bytes();
    }
}
