//! IP, and UDP and TCP inside it: as much as is needed to find their payloads.

use super::LinkType;
use crate::buffer::{Cursor, Error, UnexpectedEnd};
use crate::transport::tcp;
use core::net::{Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use zerocopy::big_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// One message of a transport, and between whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Who sent it.
    pub source: SocketAddr,
    /// To whom.
    pub destination: SocketAddr,
    /// What.
    pub transport: Transport<'a>,
}

/// The transports that games use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport<'a> {
    /// A datagram.
    Udp {
        /// All of it.
        payload: &'a [u8],
    },
    /// A piece of a stream, for [`tcp::Stream`](crate::transport::tcp::Stream).
    Tcp(tcp::Segment<'a>),
}

/// Why a packet has no segment to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Skipped {
    /// A link type that is not known here.
    #[error("link type {} is not known", .0.0)]
    UnknownLink(LinkType),
    /// No IP: ARP, for example.
    #[error("not IP")]
    NotIp,
    /// IP with something other than UDP and TCP in it.
    #[error("IP protocol {0}, which is neither UDP nor TCP")]
    OtherProtocol(u8),
    /// A fragment of an IP packet; fragments are not put together.
    #[error("a fragment of an IP packet")]
    Fragment,
    /// It was longer on the wire than what was captured.
    #[error("the packet was cut short when it was captured")]
    CutShort,
    /// A header that contradicts itself.
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
    /// 4 bits each: version, words in the header.
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
    /// In words of 8 bytes, the first not counted (but see `AUTHENTICATION`).
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
    /// Words in the header, in the high 4 bits.
    offset: u8,
    flags: u8,
    window: U16,
    checksum: U16,
    urgent: U16,
}

/// By the version in the first byte.
#[inline(always)]
pub(super) fn any(data: &[u8]) -> Result<'_> {
    match data.first().map(|first| first >> 4) {
        Some(4) => v4(data),
        Some(6) => v6(data),
        Some(_) => Err(Skipped::NotIp),
        None => Err(Skipped::CutShort),
    }
}

#[inline(always)]
pub(super) fn v4(data: &[u8]) -> Result<'_> {
    let mut at = Cursor::new(data);
    let head: &V4 = at.read()?;
    let header = usize::from(head.version & 15).wrapping_mul(4);
    if head.version >> 4 != 4 || header < size_of::<V4>() {
        return Err(Skipped::Malformed);
    }
    // Bit 14 asks not to be cut, bit 13 says that more fragments follow.
    if head.fragment.get() & 0x3fff != 0 {
        return Err(Skipped::Fragment);
    }
    // What a network card is going to cut into packets has no length yet.
    let len = match usize::from(head.len.get()) {
        0 => data.len(),
        len => len,
    };
    // Behind it, Ethernet pads.
    let data = data.get(..len).ok_or(Skipped::CutShort)?;
    let payload = data.get(header..).ok_or(Skipped::Malformed)?;
    let (from, to, transport) = transport(head.protocol, payload)?;
    let source = SocketAddrV4::new(Ipv4Addr::from_bits(head.source.get()), from);
    let destination = SocketAddrV4::new(Ipv4Addr::from_bits(head.destination.get()), to);
    Ok(Segment { source: source.into(), destination: destination.into(), transport })
}

pub(super) fn v6(data: &[u8]) -> Result<'_> {
    let mut at = Cursor::new(data);
    let head: &V6 = at.read()?;
    if head.version.get() >> 28 != 6 {
        return Err(Skipped::Malformed);
    }
    let payload = match usize::from(head.len.get()) {
        // No length yet, as above, or one of more than 16 bits in an extension.
        0 => at.rest(),
        len => at.rest().get(..len).ok_or(Skipped::CutShort)?,
    };
    let (protocol, payload) = behind_extensions(head.next, payload)?;
    let (from, to, transport) = transport(protocol, payload)?;
    let source = SocketAddrV6::new(Ipv6Addr::from(head.source), from, 0, 0);
    let destination = SocketAddrV6::new(Ipv6Addr::from(head.destination), to, 0, 0);
    Ok(Segment { source: source.into(), destination: destination.into(), transport })
}

const HOP_BY_HOP: u8 = 0;
const ROUTING: u8 = 43;
const FRAGMENT: u8 = 44;
const AUTHENTICATION: u8 = 51;
const DESTINATION: u8 = 60;
const MOBILITY: u8 = 135;
const HOST_IDENTITY: u8 = 139;
const SHIM6: u8 = 140;

/// Each is at least 8 bytes long, so the payload's length bounds the loop.
#[inline(always)]
fn behind_extensions(mut next: u8, mut rest: &[u8]) -> core::result::Result<(u8, &[u8]), Skipped> {
    loop {
        let word = match next {
            HOP_BY_HOP | ROUTING | FRAGMENT | DESTINATION => 8,
            MOBILITY | HOST_IDENTITY | SHIM6 => 8,
            AUTHENTICATION => 4,
            _ => return Ok((next, rest)),
        };
        let head: &Extension = Cursor::new(rest).read()?;
        // A whole packet may carry the header of a fragment, too (RFC 6946).
        if next == FRAGMENT && head.fragment.get() & 0xfff9 != 0 {
            return Err(Skipped::Fragment);
        }
        // (A fragment's header has zero there.)
        let more = if next == FRAGMENT { 0 } else { usize::from(head.len).wrapping_mul(word) };
        rest = rest.get(more.wrapping_add(8)..).ok_or(Skipped::Malformed)?;
        next = head.next;
    }
}

/// The ports and what goes between them.
type Between<'a> = core::result::Result<(u16, u16, Transport<'a>), Skipped>;

#[inline(always)]
fn transport(protocol: u8, payload: &[u8]) -> Between<'_> {
    match protocol {
        UDP => udp(payload),
        TCP => tcp(payload),
        other => Err(Skipped::OtherProtocol(other)),
    }
}

#[inline(always)]
fn udp(data: &[u8]) -> Between<'_> {
    let mut at = Cursor::new(data);
    let head: &Udp = at.read()?;
    let payload = match usize::from(head.len.get()) {
        // As above.
        0 => at.rest(),
        len => data.get(size_of::<Udp>()..len).ok_or(Skipped::Malformed)?,
    };
    Ok((head.source.get(), head.destination.get(), Transport::Udp { payload }))
}

#[inline(always)]
fn tcp(data: &[u8]) -> Between<'_> {
    let mut at = Cursor::new(data);
    let head: &Tcp = at.read()?;
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
