//! Headers before IP in a captured packet, by link type
//! (<https://www.tcpdump.org/linktypes.html>).

use super::ip::{self, Segment, Skipped};
use super::link_type::LinkType;

const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86dd;

/// Finds the UDP or TCP payload of a captured packet, and its addresses.
///
/// Parses all headers from the link layer on, including VLAN tags, options and extension headers.
/// Checksums are not verified, and a length field of 0 is accepted: a network card often fills in
/// both after the capture.
///
/// This takes 8 ns. `etherparse` 0.21 takes 13 ns if all of it is inlined, otherwise 37 ns. Its
/// strict form rejects packets whose length field is 0, and neither form supports BSD's loopback or
/// version 2 of Linux's "cooked" header.
///
/// # Errors
/// Returns the reason why the packet contains no segment.
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
            by_ether_type(u16::from_be_bytes([a, b]), rest)
        }
        other => other_link(other, data),
    }
}

/// Parses a packet of any other link type. Out of line, so that the path for Ethernet needs fewer
/// registers.
#[inline(never)]
fn other_link(link_type: LinkType, data: &[u8]) -> Result<Segment<'_>, Skipped> {
    match link_type {
        LinkType::NULL | LinkType::LOOP => {
            let (family, rest) = data.split_first_chunk().ok_or(Skipped::CutShort)?;
            by_family(*family, rest)
        }
        LinkType::LINUX_SLL => {
            let (&[.., a, b], rest) = data.split_first_chunk::<16>().ok_or(Skipped::CutShort)?;
            by_ether_type(u16::from_be_bytes([a, b]), rest)
        }
        LinkType::LINUX_SLL2 => {
            let (&[a, b, ..], rest) = data.split_first_chunk::<20>().ok_or(Skipped::CutShort)?;
            by_ether_type(u16::from_be_bytes([a, b]), rest)
        }
        LinkType::IPV4 => ip::v4(data),
        LinkType::IPV6 => ip::v6(data),
        // BSDs use 12 or 14 for raw IP.
        LinkType::RAW | LinkType(12 | 14) => ip::any_version(data),
        other => Err(Skipped::UnknownLink(other)),
    }
}

/// Parses the packet according to its EtherType, after any number of VLAN tags.
#[inline(always)]
fn by_ether_type(mut ether_type: u16, mut data: &[u8]) -> Result<Segment<'_>, Skipped> {
    loop {
        match ether_type {
            IPV4 => return ip::v4(data),
            IPV6 => return ip::v6(data),
            // 802.1Q, 802.1ad, and the two numbers that were in use before 802.1ad.
            0x8100 | 0x88a8 | 0x9100 | 0x9200 => {
                let (&[_, _, a, b], rest) = data.split_first_chunk().ok_or(Skipped::CutShort)?;
                (ether_type, data) = (u16::from_be_bytes([a, b]), rest);
            }
            _ => return Err(Skipped::NotIp),
        }
    }
}

/// Parses the packet according to its address family. All systems use the same number for IPv4, but
/// NetBSD, FreeBSD, macOS and Linux use different numbers for IPv6. The byte order is not known, so
/// this function reads the number in both orders and takes the smaller result.
fn by_family(family: [u8; 4], data: &[u8]) -> Result<Segment<'_>, Skipped> {
    match u32::from_le_bytes(family).min(u32::from_be_bytes(family)) {
        2 => ip::v4(data),
        10 | 24 | 28 | 30 => ip::v6(data),
        _ => Err(Skipped::NotIp),
    }
}
