//! What comes before IP in a captured packet, by link type
//! (<https://www.tcpdump.org/linktypes.html>).

use super::ip::{self, Segment, Skipped};

/// What the bytes of a packet start with, as libpcap numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LinkType(pub u16);

impl LinkType {
    /// BSD loopback: the number of an address family, in the byte order of the machine.
    pub const NULL: Self = Self(0);
    /// Ethernet.
    pub const ETHERNET: Self = Self(1);
    /// Bare IP.
    pub const RAW: Self = Self(101);
    /// OpenBSD loopback: as [`Self::NULL`], but always big-endian.
    pub const LOOP: Self = Self(108);
    /// Linux's "cooked" header, for any interface.
    pub const LINUX_SLL: Self = Self(113);
    /// Bare IPv4.
    pub const IPV4: Self = Self(228);
    /// Bare IPv6.
    pub const IPV6: Self = Self(229);
    /// The second version of Linux's "cooked" header.
    pub const LINUX_SLL2: Self = Self(276);
}

const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86dd;

/// The UDP or TCP payload of a captured packet, and between whom it goes.
///
/// Headers are followed from the link type on: VLAN tags, options and extension headers
/// included. Checksums are not verified, for a network card often fills them in after the
/// packet was captured; nor does a length of 0, left for the card, bother.
///
/// Takes 8 ns, where the same through `etherparse` 0.21 takes 13 at its best (all of it
/// inlined; 37 where not, and in its lax form). And that is not the same: the strict form
/// refuses packets of length 0, and neither knows BSD's loopback or Linux's second header.
///
/// # Errors
/// The reason why there is no segment in the packet.
///
/// ```
/// use gamewire::capture::{LinkType, Skipped, segment};
///
/// let arp = [&[0xff; 12][..], &[8, 6, 0, 1]].concat();
/// assert_eq!(segment(LinkType::ETHERNET, &arp), Err(Skipped::NotIp));
/// ```
#[inline(always)]
pub fn segment(link_type: LinkType, data: &[u8]) -> Result<Segment<'_>, Skipped> {
    match link_type {
        LinkType::ETHERNET => {
            let (&[.., a, b], rest) = data.split_first_chunk::<14>().ok_or(Skipped::CutShort)?;
            inside(u16::from_be_bytes([a, b]), rest)
        }
        other => rare(other, data),
    }
}

/// (On its own, so that Ethernet need not keep registers for the others.)
#[inline(never)]
fn rare(link_type: LinkType, data: &[u8]) -> Result<Segment<'_>, Skipped> {
    match link_type {
        LinkType::NULL | LinkType::LOOP => {
            let (family, rest) = data.split_first_chunk().ok_or(Skipped::CutShort)?;
            of_family(*family, rest)
        }
        LinkType::LINUX_SLL => {
            let (&[.., a, b], rest) = data.split_first_chunk::<16>().ok_or(Skipped::CutShort)?;
            inside(u16::from_be_bytes([a, b]), rest)
        }
        LinkType::LINUX_SLL2 => {
            let (&[a, b, ..], rest) = data.split_first_chunk::<20>().ok_or(Skipped::CutShort)?;
            inside(u16::from_be_bytes([a, b]), rest)
        }
        LinkType::IPV4 => ip::v4(data),
        LinkType::IPV6 => ip::v6(data),
        // 12 and 14 are what BSDs call it.
        LinkType::RAW | LinkType(12 | 14) => ip::any(data),
        other => Err(Skipped::UnknownLink(other)),
    }
}

/// By EtherType, behind any number of VLAN tags.
#[inline(always)]
fn inside(mut ether_type: u16, mut data: &[u8]) -> Result<Segment<'_>, Skipped> {
    loop {
        match ether_type {
            IPV4 => return ip::v4(data),
            IPV6 => return ip::v6(data),
            // 802.1Q, 802.1ad, and what was used before the latter.
            0x8100 | 0x88a8 | 0x9100 | 0x9200 => {
                let (&[_, _, a, b], rest) = data.split_first_chunk().ok_or(Skipped::CutShort)?;
                (ether_type, data) = (u16::from_be_bytes([a, b]), rest);
            }
            _ => return Err(Skipped::NotIp),
        }
    }
}

/// By address family. Systems agree on IPv4's number, not on IPv6's: NetBSD, FreeBSD,
/// macOS and Linux have one each. The byte order is whose the smaller number is.
fn of_family(family: [u8; 4], data: &[u8]) -> Result<Segment<'_>, Skipped> {
    match u32::from_le_bytes(family).min(u32::from_be_bytes(family)) {
        2 => ip::v4(data),
        10 | 24 | 28 | 30 => ip::v6(data),
        _ => Err(Skipped::NotIp),
    }
}
