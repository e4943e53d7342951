//! pcap: a header, followed by records. The format is described in `draft-ietf-opsawg-pcap` and
//! pcap-savefile(5).
//!
//! | offset | size | field | |
//! |---|---|---|---|
//! | 0 | 4 | magic | byte order, unit of time, variant of the records |
//! | 4 | 2 + 2 | version | 2.4 |
//! | 16 | 4 | snapshot length | used only by [`Copier`](super::Copier) |
//! | 20 | 4 | link type | in the low 16 bits |
//!
//! A record:
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 4 | seconds since 1970 |
//! | 4 | 4 | micro- or nanoseconds |
//! | 8 | 4 | n, the captured length |
//! | 12 | 4 | original length |
//! | 16 | 8 | interface, protocol, direction: only in Kuznetsov's variant, not used |
//! | 16, 24 | n | the packet |

use super::error::ErrorKind;
use super::interface::Interface;
use super::limits::Limits;
use super::link_type::LinkType;
use super::step::{ByteOrder, PacketInfo, Step, read_words};

/// Length of the header of the file.
pub(super) const HEADER: usize = 24;

/// The variant of the format, determined by the magic.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variant {
    order: ByteOrder,
    /// Nanoseconds per unit of a record's second word.
    unit: i64,
    /// Length of the header of a record.
    record_header: usize,
}

impl Variant {
    pub(super) fn new(magic: [u8; 4]) -> Option<Self> {
        let little = u32::from_le_bytes(magic);
        let big = u32::from_be_bytes(magic);
        let (magic, swapped) = if magic[0] == 0xa1 { (big, true) } else { (little, false) };
        let (unit, record_header) = match magic {
            0xa1b2_c3d4 => (1000, 16),
            0xa1b2_3c4d => (1, 16),
            0xa1b2_cd34 => (1000, 24),
            _ => return None,
        };
        Some(Self { order: ByteOrder { swapped }, unit, record_header })
    }
}

#[derive(Clone, Debug)]
pub(super) struct File {
    variant: Variant,
    link_type: LinkType,
    snap_len: u32,
}

impl File {
    pub(super) fn new(variant: Variant, header: &[u8; HEADER]) -> Result<Self, ErrorKind> {
        let &[_, _, _, _, a, b, c, d, .., w, x, y, z, e, f, g, h] = header;
        let (major, minor) = (variant.order.u16([a, b]), variant.order.u16([c, d]));
        if major != 2 {
            return Err(ErrorKind::UnknownVersion { major, minor });
        }
        // The low 16 bits of this field are the link type. The high 16 bits hold flags and the
        // length of a checksum at the end of each packet. The checksum is after the end of the IP
        // packet, so it can be ignored.
        let link_type = LinkType(variant.order.u32([e, f, g, h]) as u16);
        let snap_len = variant.order.u32([w, x, y, z]);
        Ok(Self { variant, link_type, snap_len })
    }

    /// Returns the interface of all packets.
    pub(super) fn interface(&self) -> Interface {
        let digits = if self.variant.unit == 1 { 9 } else { 6 };
        Interface { link_type: self.link_type, snap_len: self.snap_len, digits }
    }

    #[inline(always)]
    pub(super) fn step(&self, window: &[u8], limits: Limits) -> Result<Step, ErrorKind> {
        let Variant { order, unit, record_header } = self.variant;
        let Some([seconds, part, len, original_len]) = read_words(window, order) else {
            // Requests only the 16 bytes that are read above, even if the header is longer.
            // Otherwise, errors could depend on how the input is divided into reads.
            return Ok(Step::More(16));
        };
        let size = record_header.saturating_add(len as usize);
        if size > limits.record as usize {
            return Err(ErrorKind::TooLong { len, limit: limits.record });
        }
        if window.len() < size {
            return Ok(Step::More(size));
        }
        // Cannot overflow: 2³² seconds are less than half of 2⁶³ nanoseconds.
        let part = i64::from(part).wrapping_mul(unit);
        let time = i64::from(seconds).wrapping_mul(1_000_000_000).wrapping_add(part);
        Ok(Step::Packet(PacketInfo {
            time: Some(time),
            link_type: self.link_type,
            original_len,
            start: record_header,
            len: len as usize,
            size,
        }))
    }
}
