//! Laws of the reassembly of IP packets: the reassembler agrees with a slow reassembler, and stays
//! within its limits.

use crate::support::net::ip_fragments::{Fragment, Slow};
use gamewire::capture::{LinkType, Packet, Reassembler, ReassemblyLimits, Skipped};

/// Checks the laws on arbitrary bytes. The first byte selects the limits, and the other bytes are
/// [steps](steps).
pub fn ip_fragments(data: &[u8]) {
    let [first, data @ ..] = data else { return };
    let limit = u32::from(first % 5);
    let steps = steps(data);
    let limits = ReassemblyLimits { packets: limit, ..ReassemblyLimits::default() };
    let mut reassembler = Reassembler::new(limits);
    let mut slow = Slow::new(limit.max(1) as usize);
    for (index, (fragment, time)) in steps.iter().enumerate() {
        let data = fragment.packet();
        let result = reassembler.segment(&packet(*time, &data)).map(|found| {
            found.map(|segment| format!("{segment:?}")) // independent of the reassembler
        });
        let expected = slow.add(*time, fragment);
        assert_eq!(result, expected, "{index}");
        let skipped = [Skipped::Fragment, Skipped::Contradictory].into_iter().zip(slow.skipped());
        assert!(reassembler.skipped().into_iter().eq(skipped), "{index}");
    }
    // With little memory, packets may be lost, but the memory exceeds the limit only by the size of
    // the tables, and no fragment is counted twice.
    let memory = 2000 * u32::from(first / 5);
    let mut small = Reassembler::new(ReassemblyLimits { packets: limit, memory });
    let (mut malformed, mut complete) = (0, 0);
    for (fragment, time) in &steps {
        let data = fragment.packet();
        match small.segment(&packet(*time, &data)) {
            Ok(found) => complete += u64::from(found.is_some()),
            Err(_) => malformed += 1,
        }
        assert!(small.memory() <= memory as usize + (limit.max(4) * 2) as usize * 200 + 67_000);
    }
    let skipped: u64 = small.skipped().iter().map(|(_, count)| count).sum();
    assert!(skipped + malformed + complete <= steps.len() as u64);
}

fn packet(time: Option<i64>, data: &[u8]) -> Packet<'_> {
    Packet { time, link_type: LinkType::RAW, data, original_len: 0, offset: 0 }
}

/// Reads the fragments to send. Each fragment consists of a byte of flags, a byte for the offset, a
/// byte for the length, and the bytes of the payload.
///
/// | bits of the flags | meaning |
/// |---|---|
/// | 0 and 1 | number of the packet |
/// | 2 | 1 for IPv6 |
/// | 3 | 1 for the last fragment |
/// | 4 and 5 | protocol: UDP, TCP, destination options, ICMP |
/// | 6 | 1 for 20 seconds after the previous fragment |
/// | 7 | 1 for an offset at the end of the largest packet |
pub(super) fn steps(mut data: &[u8]) -> Vec<(Fragment, Option<i64>)> {
    let (mut steps, mut time) = (Vec::new(), 0);
    while let [flags, offset, len, rest @ ..] = data {
        let bytes;
        (bytes, data) = rest.split_at(usize::from(*len).min(rest.len()));
        time += i64::from(flags >> 6 & 1) * 20_000_000_000;
        let start = if flags & 0x80 == 0 { 0 } else { u16::MAX - 2047 };
        let fragment = Fragment {
            is_v6: flags & 4 != 0,
            id: flags & 3,
            protocol: [17, 6, 60, 1][usize::from(flags >> 4 & 3)],
            offset: start + u16::from(*offset) * 8 % 2048,
            more: flags & 8 == 0,
            bytes: bytes.to_vec(),
        };
        steps.push((fragment, Some(time)));
    }
    steps
}
