//! Reads the UDP datagrams in the captures of the corpus: classic pcap with microseconds, Ethernet
//! and IPv4.

use std::net::SocketAddrV4;

/// A captured UDP datagram.
pub struct Udp {
    /// Time of capture in milliseconds.
    pub time: u64,
    pub from: SocketAddrV4,
    pub to: SocketAddrV4,
    pub payload: Vec<u8>,
}

/// Returns the UDP datagrams of a capture, in order.
pub fn udp(capture: &[u8]) -> Vec<Udp> {
    let word = |at: usize| u32::from_le_bytes(capture[at..][..4].try_into().unwrap());
    assert_eq!(word(0), 0xA1B2_C3D4, "classic, microseconds, little-endian");
    assert_eq!(word(20), 1, "Ethernet");
    let mut all = Vec::new();
    let mut at = 24;
    while at < capture.len() {
        let len = word(at + 8) as usize;
        let time = u64::from(word(at)) * 1000 + u64::from(word(at + 4)) / 1000;
        all.extend(udp_in(&capture[at + 16..][..len], time));
        at += 16 + len;
    }
    all
}

fn udp_in(frame: &[u8], time: u64) -> Option<Udp> {
    let ip = frame.strip_prefix(&frame[..12])?.strip_prefix(&[8, 0])?;
    if ip[0] >> 4 != 4 || ip[9] != 17 {
        return None;
    }
    assert_eq!(ip[6] & 0x3F, 0, "no IP fragments");
    let half = |bytes: &[u8], at: usize| u16::from_be_bytes([bytes[at], bytes[at + 1]]);
    let udp = &ip[usize::from(ip[0] & 15) * 4..];
    let address = |at: usize, port| {
        let ip: [u8; 4] = ip[at..][..4].try_into().unwrap();
        SocketAddrV4::new(ip.into(), half(udp, port))
    };
    let len = usize::from(half(udp, 4));
    let payload = udp[8..len].to_vec();
    Some(Udp { time, from: address(12, 0), to: address(16, 2), payload })
}
