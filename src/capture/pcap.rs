//! pcap: a header, then records end to end. `libpcap` writes them, and what is said here
//! follows `draft-ietf-opsawg-pcap` and pcap-savefile(5).
//!
//! | offset | size | field | |
//! |---|---|---|---|
//! | 0 | 4 | magic | byte order, unit of time, form of the records |
//! | 4 | 2 + 2 | version | 2.4 |
//! | 16 | 4 | longest packet | says little: not looked at |
//! | 20 | 4 | link type | in the low 16 bits |
//!
//! A record:
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 4 | seconds since 1970 |
//! | 4 | 4 | micro- or nanoseconds |
//! | 8 | 4 | n, the bytes captured |
//! | 12 | 4 | bytes on the wire |
//! | 16 | 8 | interface, protocol, direction: only in Kuznetsov's form, not looked at |
//! | 16, 24 | n | the packet |

use super::{ErrorKind, Found, Limits, LinkType, Order, Step, words};

/// The file's header.
pub(super) const HEADER: usize = 24;

/// What the magic says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    order: Order,
    /// Nanoseconds in the unit of a record's second word.
    unit: i64,
    /// The size of a record's header.
    record: usize,
}

impl Kind {
    pub(super) fn new(magic: [u8; 4]) -> Option<Self> {
        let little = u32::from_le_bytes(magic);
        let big = u32::from_be_bytes(magic);
        let (magic, swapped) = if magic[0] == 0xa1 { (big, true) } else { (little, false) };
        let (unit, record) = match magic {
            0xa1b2_c3d4 => (1000, 16),
            0xa1b2_3c4d => (1, 16),
            0xa1b2_cd34 => (1000, 24),
            _ => return None,
        };
        Some(Self { order: Order { swapped }, unit, record })
    }
}

#[derive(Debug)]
pub(super) struct File {
    kind: Kind,
    link_type: LinkType,
}

impl File {
    pub(super) fn new(kind: Kind, header: &[u8; HEADER]) -> Result<Self, ErrorKind> {
        let &[_, _, _, _, a, b, c, d, .., e, f, g, h] = header;
        let (major, minor) = (kind.order.u16([a, b]), kind.order.u16([c, d]));
        if major != 2 {
            return Err(ErrorKind::UnknownVersion { major, minor });
        }
        // Above are flags, and how many bytes of checksum end each packet: those are
        // behind the length that IP gives.
        let link_type = LinkType(kind.order.u32([e, f, g, h]) as u16);
        Ok(Self { kind, link_type })
    }

    #[inline(always)]
    pub(super) fn step(&self, window: &[u8], limits: Limits) -> Result<Step, ErrorKind> {
        let Kind { order, unit, record } = self.kind;
        let Some([seconds, part, len, original_len]) = words(window, order) else {
            // (No more, though the header may have: what follows from these words must not
            // depend on what else is at hand.)
            return Ok(Step::More(16));
        };
        let size = record.saturating_add(len as usize);
        if size > limits.record as usize {
            return Err(ErrorKind::TooLong { len, limit: limits.record });
        }
        if window.len() < size {
            return Ok(Step::More(size));
        }
        // Cannot overflow: 2³² seconds are half of what 63 bits of nanoseconds hold.
        let part = i64::from(part).wrapping_mul(unit);
        let time = i64::from(seconds).wrapping_mul(1_000_000_000).wrapping_add(part);
        Ok(Step::Packet(Found {
            time: Some(time),
            link_type: self.link_type,
            original_len,
            start: record,
            len: len as usize,
            size,
        }))
    }
}
