//! Headers before IP in a captured packet, by link type
//! (<https://www.tcpdump.org/linktypes.html>).

use super::ip::{self, Fragment, Segment, Skipped};
use super::link_type::LinkType;

const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86dd;

/// Finds the UDP or TCP payload of a captured packet, and its addresses.
///
/// Parses all headers from the link layer on, including VLAN tags, options and extension headers.
/// Checksums are not verified, and length fields of 0 are accepted. A network card often fills in
/// checksums and lengths only after the packet has been captured.
///
/// This takes 8 ns. `etherparse` 0.21 takes 13 ns if all of it is inlined, otherwise 37 ns. The
/// strict parser of `etherparse` rejects packets whose length field is 0. Neither its strict nor
/// its lax parser supports BSD's loopback header or version 2 of Linux's "cooked" header.
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
    find::<Segments>(link_type, data)
}

/// Finds the fragment of an IP packet in a captured packet.
pub(super) fn fragment(link_type: LinkType, data: &[u8]) -> Result<Fragment<'_>, Skipped> {
    find::<Fragments>(link_type, data)
}

/// Selects what to look for in an IP packet: a segment or a fragment.
trait Find {
    type Found<'a>;

    fn v4(data: &[u8]) -> Result<Self::Found<'_>, Skipped>;
    fn v6(data: &[u8]) -> Result<Self::Found<'_>, Skipped>;
}

/// Finds segments in packets that are not fragmented.
struct Segments;

impl Find for Segments {
    type Found<'a> = Segment<'a>;

    #[inline(always)]
    fn v4(data: &[u8]) -> Result<Segment<'_>, Skipped> {
        ip::v4(data)
    }

    #[inline(always)]
    fn v6(data: &[u8]) -> Result<Segment<'_>, Skipped> {
        ip::v6(data)
    }
}

/// Finds fragments.
struct Fragments;

impl Find for Fragments {
    type Found<'a> = Fragment<'a>;

    fn v4(data: &[u8]) -> Result<Fragment<'_>, Skipped> {
        ip::fragment_v4(data)
    }

    fn v6(data: &[u8]) -> Result<Fragment<'_>, Skipped> {
        ip::fragment_v6(data)
    }
}

#[inline(always)]
fn find<F: Find>(link_type: LinkType, data: &[u8]) -> Result<F::Found<'_>, Skipped> {
    match link_type {
        LinkType::ETHERNET => {
            let (&[.., a, b], rest) = data.split_first_chunk::<14>().ok_or(Skipped::CutShort)?;
            by_ether_type::<F>(u16::from_be_bytes([a, b]), rest)
        }
        other => other_link::<F>(other, data),
    }
}

/// Parses a packet of a link type other than Ethernet. Not inlined, so that the path for Ethernet
/// needs fewer registers.
#[inline(never)]
fn other_link<F: Find>(link_type: LinkType, data: &[u8]) -> Result<F::Found<'_>, Skipped> {
    match link_type {
        LinkType::NULL | LinkType::LOOP => {
            let (family, rest) = data.split_first_chunk().ok_or(Skipped::CutShort)?;
            by_family::<F>(*family, rest)
        }
        LinkType::LINUX_SLL => {
            let (&[.., a, b], rest) = data.split_first_chunk::<16>().ok_or(Skipped::CutShort)?;
            by_ether_type::<F>(u16::from_be_bytes([a, b]), rest)
        }
        LinkType::LINUX_SLL2 => {
            let (&[a, b, ..], rest) = data.split_first_chunk::<20>().ok_or(Skipped::CutShort)?;
            by_ether_type::<F>(u16::from_be_bytes([a, b]), rest)
        }
        LinkType::IPV4 => F::v4(data),
        LinkType::IPV6 => F::v6(data),
        // BSDs use 12 or 14 for raw IP.
        LinkType::RAW | LinkType(12 | 14) => any_version::<F>(data),
        other => Err(Skipped::UnknownLink(other)),
    }
}

/// Parses the packet according to its EtherType, after any number of VLAN tags.
#[inline(always)]
fn by_ether_type<F: Find>(mut ether_type: u16, mut data: &[u8]) -> Result<F::Found<'_>, Skipped> {
    loop {
        match ether_type {
            IPV4 => return F::v4(data),
            IPV6 => return F::v6(data),
            // 802.1Q, 802.1ad, and the two numbers that were in use before 802.1ad.
            0x8100 | 0x88a8 | 0x9100 | 0x9200 => {
                let (&[_, _, a, b], rest) = data.split_first_chunk().ok_or(Skipped::CutShort)?;
                (ether_type, data) = (u16::from_be_bytes([a, b]), rest);
            }
            _ => return Err(Skipped::NotIp),
        }
    }
}

/// Parses the packet according to the number of its address family. The byte order of the number is
/// not known, so this function reads it in both byte orders and uses the smaller result. IPv4 has
/// the same number on all systems. IPv6 has different numbers on NetBSD, FreeBSD, macOS and Linux.
fn by_family<F: Find>(family: [u8; 4], data: &[u8]) -> Result<F::Found<'_>, Skipped> {
    match u32::from_le_bytes(family).min(u32::from_be_bytes(family)) {
        2 => F::v4(data),
        10 | 24 | 28 | 30 => F::v6(data),
        _ => Err(Skipped::NotIp),
    }
}

/// Parses IPv4 or IPv6, according to the version in the first byte.
#[inline(always)]
fn any_version<F: Find>(data: &[u8]) -> Result<F::Found<'_>, Skipped> {
    match data.first().map(|first| first >> 4) {
        Some(4) => F::v4(data),
        Some(6) => F::v6(data),
        Some(_) => Err(Skipped::NotIp),
        None => Err(Skipped::CutShort),
    }
}
