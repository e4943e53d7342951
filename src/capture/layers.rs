use super::ip::{self, Segment, Transport};
use super::link_type::LinkType;

/// The sizes in bytes of the parts of a captured packet. The fields are in the order of the parts.
/// Their sum is the number of captured bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layers {
    /// Headers before IP.
    pub link: usize,
    /// The IPv4 header with its options, or the IPv6 header with its extension headers.
    pub network: usize,
    /// The header of UDP or TCP.
    pub transport: usize,
    /// The payload of the segment.
    pub payload: usize,
    /// Bytes after the payload: padding of Ethernet, and checksums.
    pub trailer: usize,
}

impl Layers {
    /// Finds the parts of the packet `data`. Returns `None` if the payload of `segment` is not in
    /// the packet.
    #[inline(always)]
    pub(super) fn new(link_type: LinkType, data: &[u8], segment: &Segment<'_>) -> Option<Self> {
        let payload = segment.transport.payload();
        let start = payload.as_ptr().addr().wrapping_sub(data.as_ptr().addr());
        let trailer = data.len().checked_sub(start)?.checked_sub(payload.len())?;
        let (link, network) = match (link_type, data) {
            // The usual packet: IPv4 directly after Ethernet.
            (LinkType::ETHERNET, [_, _, _, _, _, _, _, _, _, _, _, _, 8, 0, version, ..]) => {
                (14, usize::from(version & 15).wrapping_mul(4))
            }
            _ => other_headers(link_type, data, segment, start),
        };
        // In a malformed packet, the lengths found could exceed `start`, the length of all headers.
        let link = link.min(start);
        let network = network.min(start.wrapping_sub(link));
        let transport = start.wrapping_sub(link).wrapping_sub(network);
        Some(Self { link, network, transport, payload: payload.len(), trailer })
    }
}

/// Returns the length of the headers before IP, and the length of the IP headers.
#[inline(never)]
fn other_headers(
    link_type: LinkType,
    data: &[u8],
    segment: &Segment<'_>,
    start: usize,
) -> (usize, usize) {
    let link = match link_type {
        LinkType::NULL | LinkType::LOOP => 4,
        LinkType::ETHERNET => after_tags(data, 14),
        LinkType::LINUX_SLL => after_tags(data, 16),
        // The EtherType is the first field of this header, and VLAN tags follow the header.
        LinkType::LINUX_SLL2 => match data {
            [a, b, ..] => after_tags_of([*a, *b], data, 20),
            _ => 20,
        },
        _ => 0,
    };
    let ip = data.get(link..).unwrap_or_default();
    let network = match (ip.first().map(|first| first >> 4), segment.transport) {
        (Some(4), _) => ip.first().map_or(0, |first| usize::from(first & 15).wrapping_mul(4)),
        (_, Transport::Udp { .. }) => start.saturating_sub(link).saturating_sub(ip::UDP_HEADER),
        (_, Transport::Tcp(_)) => ip::v6_headers(ip),
    };
    (link, network)
}

/// Returns the length of the link-layer header including VLAN tags. The first `header` bytes of
/// `data` are the header without tags, and end with an EtherType. VLAN tags can follow.
fn after_tags(data: &[u8], header: usize) -> usize {
    let ether_type = data.get(header.wrapping_sub(2)..).and_then(<[u8]>::first_chunk);
    ether_type.map_or(header, |ether_type| after_tags_of(*ether_type, data, header))
}

fn after_tags_of(mut ether_type: [u8; 2], data: &[u8], mut header: usize) -> usize {
    while let [0x81 | 0x91 | 0x92, 0] | [0x88, 0xa8] = ether_type
        && let Some([_, _, a, b]) = data.get(header..).and_then(<[u8]>::first_chunk)
    {
        (ether_type, header) = ([*a, *b], header.wrapping_add(4));
    }
    header
}
