//! Parses the headers of IP, UDP and TCP, as far as is needed to find the payload.

use super::link_type::LinkType;
use crate::buffer::{Cursor, Error, UnexpectedEnd};
use crate::transport::tcp;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use zerocopy::big_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// A UDP datagram or TCP segment, with its addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Address of the sender.
    pub source: SocketAddr,
    /// Address of the receiver.
    pub destination: SocketAddr,
    /// Transport and payload.
    pub transport: Transport<'a>,
}

/// The transport of a [`Segment`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport<'a> {
    /// A datagram.
    Udp {
        /// Payload of the datagram.
        payload: &'a [u8],
    },
    /// A TCP segment, which is part of a stream (see
    /// [`tcp::Stream`](crate::transport::tcp::Stream)).
    Tcp(tcp::Segment<'a>),
}

impl<'a> Transport<'a> {
    /// Returns the payload of the datagram or segment.
    #[inline(always)]
    pub const fn payload(&self) -> &'a [u8] {
        match self {
            Self::Udp { payload } => payload,
            Self::Tcp(segment) => segment.payload,
        }
    }
}

/// The reason why a packet contains no [`Segment`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Skipped {
    /// A link type that is not supported.
    #[error("link type {} is not supported", .0.0)]
    UnknownLink(LinkType),
    /// A protocol other than IP, such as ARP.
    #[error("not IP")]
    NotIp,
    /// An IP protocol other than UDP and TCP.
    #[error("IP protocol {0}, which is neither UDP nor TCP")]
    OtherProtocol(u8),
    /// A fragment of an IP packet (see [`Reassembler`](super::Reassembler)).
    #[error("a fragment of an IP packet")]
    Fragment,
    /// A fragment of an IP packet whose fragments contradict each other. The fragments overlap
    /// without being the same, or they imply different lengths of the packet. Such packets are
    /// dropped (RFC 5722).
    #[error("a fragment of an IP packet whose fragments contradict each other")]
    Contradictory,
    /// Only a part of the packet was captured.
    #[error("the packet was cut short when it was captured")]
    CutShort,
    /// A header with contradictory fields.
    #[error("a malformed header")]
    Malformed,
}

impl From<Error<UnexpectedEnd>> for Skipped {
    #[cold]
    fn from(_: Error<UnexpectedEnd>) -> Self {
        Self::CutShort
    }
}

type Result<'a> = core::result::Result<Segment<'a>, Skipped>;

const TCP: u8 = 6;
const UDP: u8 = 17;

#[derive(FromBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct V4 {
    /// Version and number of 32-bit words in the header, 4 bits each.
    version: u8,
    service: u8,
    len: U16,
    id: U16,
    fragment: U16,
    hops: u8,
    protocol: u8,
    checksum: U16,
    source: U32,
    destination: U32,
}

#[derive(FromBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct V6 {
    version: U32,
    len: U16,
    next: u8,
    hops: u8,
    source: [u8; 16],
    destination: [u8; 16],
}

#[derive(FromBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct Extension {
    next: u8,
    /// Length of this header in units of 8 bytes, not counting the first 8 bytes. For
    /// `AUTHENTICATION`, the unit is 4 bytes.
    len: u8,
    fragment: U16,
    rest: U32,
}

#[derive(FromBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct Udp {
    source: U16,
    destination: U16,
    len: U16,
    checksum: U16,
}

#[derive(FromBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct Tcp {
    source: U16,
    destination: U16,
    sequence: U32,
    acknowledgement: U32,
    /// Number of 32-bit words in the header, in the high 4 bits.
    offset: u8,
    flags: u8,
    window: U16,
    checksum: U16,
    urgent: U16,
}

#[inline(always)]
pub(super) fn v4(data: &[u8]) -> Result<'_> {
    let mut cursor = Cursor::new(data);
    let head: &V4 = cursor.read()?;
    let header = usize::from(head.version & 15).wrapping_mul(4);
    if head.version >> 4 != 4 || header < size_of::<V4>() {
        return Err(Skipped::Malformed);
    }
    // Bit 14 (do not fragment) is ignored. Bit 13 announces more fragments; the lower bits are the
    // fragment offset.
    if head.fragment.get() & 0x3fff != 0 {
        return Err(Skipped::Fragment);
    }
    // With segmentation offload, the network card fills in the length after the capture.
    let len = match usize::from(head.len.get()) {
        0 => data.len(),
        len => len,
    };
    // Ethernet may add padding after the packet.
    let data = data.get(..len).ok_or(Skipped::CutShort)?;
    let payload = data.get(header..).ok_or(Skipped::Malformed)?;
    let (from, to, transport) = transport(head.protocol, payload)?;
    let source = SocketAddrV4::new(Ipv4Addr::from_bits(head.source.get()), from);
    let destination = SocketAddrV4::new(Ipv4Addr::from_bits(head.destination.get()), to);
    Ok(Segment { source: source.into(), destination: destination.into(), transport })
}

pub(super) fn v6(data: &[u8]) -> Result<'_> {
    let mut cursor = Cursor::new(data);
    let head: &V6 = cursor.read()?;
    if head.version.get() >> 28 != 6 {
        return Err(Skipped::Malformed);
    }
    let payload = match usize::from(head.len.get()) {
        // A length of 0 has one of two reasons: segmentation offload, as in `v4`, or a length of
        // more than 16 bits, which is then in an extension header.
        0 => cursor.rest(),
        len => cursor.rest().get(..len).ok_or(Skipped::CutShort)?,
    };
    let (protocol, payload) = skip_extensions(head.next, payload)?;
    let (from, to, transport) = transport(protocol, payload)?;
    let source = SocketAddrV6::new(Ipv6Addr::from(head.source), from, 0, 0);
    let destination = SocketAddrV6::new(Ipv6Addr::from(head.destination), to, 0, 0);
    Ok(Segment { source: source.into(), destination: destination.into(), transport })
}

/// Length of the header of UDP.
pub(super) const UDP_HEADER: usize = size_of::<Udp>();

/// Returns the total length of the IPv6 header and the extension headers after it.
pub(super) fn v6_headers(data: &[u8]) -> usize {
    let mut cursor = Cursor::new(data);
    let Ok(head) = cursor.read::<V6>() else { return 0 };
    let extensions = cursor.rest();
    let rest = skip_extensions(head.next, extensions).map_or(extensions, |(_, rest)| rest);
    data.len().saturating_sub(rest.len())
}

const HOP_BY_HOP: u8 = 0;
const ROUTING: u8 = 43;
const FRAGMENT: u8 = 44;
const AUTHENTICATION: u8 = 51;
const DESTINATION: u8 = 60;
const MOBILITY: u8 = 135;
const HOST_IDENTITY: u8 = 139;
const SHIM6: u8 = 140;

/// Skips extension headers, and returns the protocol after them with its bytes. Each header has at
/// least 8 bytes, so the length of the payload bounds the loop.
#[inline(always)]
fn skip_extensions(mut next: u8, mut rest: &[u8]) -> core::result::Result<(u8, &[u8]), Skipped> {
    loop {
        let Some(word) = extension_word(next) else { return Ok((next, rest)) };
        (next, rest) = after_extension(next, word, rest)?;
    }
}

/// Returns the size in bytes of one unit of an extension header's length field. Returns `None` if
/// the protocol is not an extension header.
#[inline(always)]
fn extension_word(protocol: u8) -> Option<usize> {
    match protocol {
        HOP_BY_HOP | ROUTING | FRAGMENT | DESTINATION => Some(8),
        MOBILITY | HOST_IDENTITY | SHIM6 => Some(8),
        AUTHENTICATION => Some(4),
        _ => None,
    }
}

/// Returns the protocol that follows an extension header, and the bytes after that header.
#[inline(always)]
fn after_extension(
    kind: u8,
    word: usize,
    bytes: &[u8],
) -> core::result::Result<(u8, &[u8]), Skipped> {
    let head: &Extension = Cursor::new(bytes).read()?;
    // Even a packet that is not fragmented may have a fragment header (RFC 6946).
    if kind == FRAGMENT && head.fragment.get() & 0xfff9 != 0 {
        return Err(Skipped::Fragment);
    }
    // A fragment header has a fixed length.
    let more = if kind == FRAGMENT { 0 } else { usize::from(head.len).wrapping_mul(word) };
    let rest = bytes.get(more.wrapping_add(8)..).ok_or(Skipped::Malformed)?;
    Ok((head.next, rest))
}

/// A fragment of an IP packet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fragment<'a> {
    pub key: FragmentKey,
    /// Offset of `bytes` in the payload of the whole packet; a multiple of 8.
    pub offset: u16,
    /// `true` if more fragments follow.
    pub more: bool,
    /// Protocol of the payload, as this fragment states it. Only the fragment at offset 0 states it
    /// reliably.
    pub protocol: u8,
    pub bytes: &'a [u8],
}

/// The fields that the fragments of a packet have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub(super) struct FragmentKey {
    source: IpAddr,
    destination: IpAddr,
    id: u32,
    /// The protocol for IPv4. Always 0 for IPv6, because the fragments of an IPv6 packet may state
    /// different protocols.
    protocol: u8,
}

/// Parses an IPv4 packet that is known to be a fragment.
pub(super) fn fragment_v4(data: &[u8]) -> core::result::Result<Fragment<'_>, Skipped> {
    let mut cursor = Cursor::new(data);
    let head: &V4 = cursor.read()?;
    let header = usize::from(head.version & 15).wrapping_mul(4);
    let len = match usize::from(head.len.get()) {
        0 => data.len(),
        len => len,
    };
    let bytes = data.get(..len).ok_or(Skipped::CutShort)?;
    let bytes = bytes.get(header..).ok_or(Skipped::Malformed)?;
    let (fields, protocol) = (head.fragment.get(), head.protocol);
    let key = FragmentKey {
        source: Ipv4Addr::from_bits(head.source.get()).into(),
        destination: Ipv4Addr::from_bits(head.destination.get()).into(),
        id: head.id.get().into(),
        protocol,
    };
    let (offset, more) = ((fields & 0x1fff) << 3, fields & 0x2000 != 0);
    Fragment { key, offset, more, protocol, bytes }.checked()
}

/// Parses an IPv6 packet that is a fragment. Returns an error if it has no fragment header.
pub(super) fn fragment_v6(data: &[u8]) -> core::result::Result<Fragment<'_>, Skipped> {
    let mut cursor = Cursor::new(data);
    let head: &V6 = cursor.read()?;
    let payload = match usize::from(head.len.get()) {
        0 => cursor.rest(),
        len => cursor.rest().get(..len).ok_or(Skipped::CutShort)?,
    };
    let rest = before_fragment(head.next, payload)?;
    let mut cursor = Cursor::new(rest);
    let extension: &Extension = cursor.read()?;
    let key = FragmentKey {
        source: Ipv6Addr::from(head.source).into(),
        destination: Ipv6Addr::from(head.destination).into(),
        id: extension.rest.get(),
        protocol: 0,
    };
    let (fields, protocol, bytes) = (extension.fragment.get(), extension.next, cursor.rest());
    let (offset, more) = (fields & 0xfff8, fields & 1 != 0);
    Fragment { key, offset, more, protocol, bytes }.checked()
}

/// Skips the extension headers before the fragment header. Returns the bytes from the fragment
/// header on.
fn before_fragment(next: u8, mut rest: &[u8]) -> core::result::Result<&[u8], Skipped> {
    let mut next = next;
    while next != FRAGMENT {
        let word = extension_word(next).ok_or(Skipped::Malformed)?;
        (next, rest) = after_extension(next, word, rest)?;
    }
    Ok(rest)
}

impl<'a> Fragment<'a> {
    /// Returns the fragment if its length is valid and its protocol can lead to UDP or TCP.
    fn checked(self) -> core::result::Result<Self, Skipped> {
        if !self.is_possible() {
            return Err(Skipped::Malformed);
        }
        match self.protocol {
            UDP | TCP => Ok(self),
            other if self.key.source.is_ipv6() && extension_word(other).is_some() => Ok(self),
            other => Err(Skipped::OtherProtocol(other)),
        }
    }
}

impl Fragment<'_> {
    /// Returns `true` if an IP packet can have a fragment with this offset and length.
    pub(super) fn is_possible(&self) -> bool {
        let end = usize::from(self.offset).saturating_add(self.bytes.len());
        !self.bytes.is_empty()
            && end <= usize::from(u16::MAX)
            && self.offset.is_multiple_of(8)
            && (!self.more || self.bytes.len().is_multiple_of(8))
    }
}

impl FragmentKey {
    /// Returns the segment in the payload of a reassembled packet.
    pub(super) fn segment<'a>(&self, protocol: u8, payload: &'a [u8]) -> Result<'a> {
        let (protocol, payload) = match self.source {
            IpAddr::V4(_) => (protocol, payload),
            IpAddr::V6(_) => skip_extensions(protocol, payload)?,
        };
        let (from, to, transport) = transport(protocol, payload)?;
        let source = SocketAddr::new(self.source, from);
        let destination = SocketAddr::new(self.destination, to);
        Ok(Segment { source, destination, transport })
    }
}

/// Source port, destination port and transport.
type Parsed<'a> = core::result::Result<(u16, u16, Transport<'a>), Skipped>;

#[inline(always)]
fn transport(protocol: u8, payload: &[u8]) -> Parsed<'_> {
    match protocol {
        UDP => udp(payload),
        TCP => tcp(payload),
        other => Err(Skipped::OtherProtocol(other)),
    }
}

#[inline(always)]
fn udp(data: &[u8]) -> Parsed<'_> {
    let mut cursor = Cursor::new(data);
    let head: &Udp = cursor.read()?;
    let payload = match usize::from(head.len.get()) {
        // With segmentation offload, as in `v4`, the network card fills in the length after the
        // capture.
        0 => cursor.rest(),
        len => data.get(size_of::<Udp>()..len).ok_or(Skipped::Malformed)?,
    };
    Ok((head.source.get(), head.destination.get(), Transport::Udp { payload }))
}

#[inline(always)]
fn tcp(data: &[u8]) -> Parsed<'_> {
    let mut cursor = Cursor::new(data);
    let head: &Tcp = cursor.read()?;
    let header = usize::from(head.offset >> 4).wrapping_mul(4);
    if header < size_of::<Tcp>() {
        return Err(Skipped::Malformed);
    }
    let segment = tcp::Segment {
        sequence: head.sequence.get(),
        acknowledgement: head.acknowledgement.get(),
        flags: tcp::Flags(head.flags),
        payload: data.get(header..).ok_or(Skipped::Malformed)?,
    };
    Ok((head.source.get(), head.destination.get(), Transport::Tcp(segment)))
}
