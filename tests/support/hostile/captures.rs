//! Expensive capture files.

use super::godot::words;
use super::{Shape, shape};

pub fn pcap(size: usize, packet: &[u8]) -> Vec<u8> {
    let head = words(&[0xA1B2_C3D4, 0x0004_0002, 0, 0, 1 << 18, 1]);
    let len = packet.len() as u32;
    let record = [&words(&[1, 2, len, len])[..], packet].concat();
    [head, record.repeat(size / record.len())].concat()
}

fn pcapng(size: usize, block: &[u8]) -> Vec<u8> {
    let section = words(&[0x0A0D_0D0A, 28, 0x1A2B_3C4D, 1, u32::MAX, u32::MAX, 28]);
    let interface = words(&[1, 20, 1, 0, 20]);
    [section, interface, block.repeat(size / block.len())].concat()
}

/// Returns an IPv6 packet that contains only extension headers.
pub fn extension_headers(size: usize) -> Vec<u8> {
    let ethernet = [&[0; 12][..], &[0x86, 0xDD]].concat();
    let len = (size / 8 * 8) as u16;
    let head = [&[0x60, 0, 0, 0][..], &len.to_be_bytes(), &[0, 64], &[0; 32]].concat();
    [ethernet, head, vec![0; len.into()]].concat()
}

/// Length of each packet of [`fragments`].
pub const FRAGMENT_LEN: usize = 28;

/// Returns IPv4 packets with fragments of 8 bytes each. `place` returns the number of the packet and
/// the offset, in units of 8 bytes.
pub fn fragments(size: usize, place: impl Fn(usize) -> (u16, u16)) -> Vec<u8> {
    let fragment = |number| {
        let (id, offset) = place(number);
        let head = [&[0x45, 0, 0, 28][..], &id.to_be_bytes(), &(offset | 0x2000).to_be_bytes()];
        [&head.concat()[..], &[64, 17, 0, 0], &[10; 8], &[7; 8]].concat()
    };
    (0..size / FRAGMENT_LEN).flat_map(fragment).collect()
}

pub fn shapes() -> Vec<Shape> {
    let record = |name, packet: fn() -> Vec<u8>| shape(name, move |size| pcap(size, &packet()));
    let block = |name, block_words: &'static [u32]| {
        shape(name, move |size| pcapng(size, &words(block_words)))
    };
    vec![
        record("records of nothing", Vec::new),
        record("records of a byte", || vec![7]),
        record("tags", || [vec![0; 12], [0x81, 0, 0, 7].repeat(100)].concat()),
        shape("extension headers", |size| pcap(2 * size, &extension_headers(size / 2))),
        shape("a record that is too long", |size| {
            [pcap(0, &[]), words(&[1, 2, u32::MAX, 5]), vec![0; size]].concat()
        }),
        shape("a record that is not there", |size| {
            [pcap(0, &[]), words(&[1, 2, 1 << 18, 1 << 18]), vec![0; size]].concat()
        }),
        block("empty blocks", &[0x0BAD_BEEF, 12, 12]),
        block("sections", &[0x0A0D_0D0A, 28, 0x1A2B_3C4D, 1, u32::MAX, u32::MAX, 28]),
        block("interfaces", &[1, 20, 1, 0, 20]),
        block("empty packets", &[6, 32, 0, 0, 0, 0, 0, 32]),
        shape("an interface of many options", |size| {
            let len = (20 + size / 4 * 4) as u32;
            let option = words(&[9]).repeat(size / 4);
            pcapng(len as usize, &[words(&[1, len, 1, 0]), option, words(&[len])].concat())
        }),
        shape("a block that is not there", |size| {
            [pcapng(0, &[0]), words(&[0x0BAD_BEEF, 0xFFFF_FFF0]), vec![0; size]].concat()
        }),
    ]
}
