//! pcapng: a sequence of blocks. The format is described in `draft-ietf-opsawg-pcapng`.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 4 | type of the block |
//! | 4 | 4 | n, the length of the block, a multiple of 4 |
//! | 8 | n - 12 | body |
//! | n - 4 | 4 | n again |
//!
//! The first block of a section determines its byte order, and ends the scope of earlier
//! interfaces. An interface block describes an interface. It contains the link type of the packets,
//! and the unit and start of their times. Blocks that contain neither an interface nor a packet are
//! skipped without buffering them, however long they are.

use super::error::ErrorKind;
use super::limits::Limits;
use super::link_type::LinkType;
use super::step::{ByteOrder, PacketInfo, Step, read_words};
use std::vec::Vec;

/// The type of the first block of a section, the same in both byte orders.
pub(super) const MAGIC: [u8; 4] = *b"\n\r\r\n";

pub(super) const INTERFACE: u32 = 1;
/// An obsolete block with a packet, the predecessor of the enhanced packet block.
pub(super) const OBSOLETE: u32 = 2;
/// A block with a packet of the first interface, without a time.
pub(super) const SIMPLE: u32 = 3;
/// A block with the counters of an interface.
pub(super) const STATISTICS: u32 = 5;
pub(super) const ENHANCED: u32 = 6;

/// State of the current section.
#[derive(Clone, Debug, Default)]
pub(super) struct File {
    order: ByteOrder,
    interfaces: Vec<Interface>,
    /// Length of a skipped block whose trailing length has not been read yet.
    pending_trailer: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Interface {
    link_type: LinkType,
    /// Snapshot length, 0 for no limit.
    snap_len: u32,
    clock: Clock,
}

impl File {
    /// Returns `true` if the end of a block has not been read yet.
    pub(super) fn is_mid_block(&self) -> bool {
        self.pending_trailer.is_some()
    }

    #[inline(always)]
    pub(super) fn step(&mut self, window: &[u8], limits: Limits) -> Result<Step, ErrorKind> {
        match read_words(window, self.order) {
            Some([ENHANCED, len]) if self.pending_trailer.is_none() => {
                let Some(block) = complete_block(window, len, limits)? else {
                    return Ok(Step::More(len as usize));
                };
                self.enhanced_packet(block, len)
            }
            _ => self.other_block(window, limits),
        }
    }

    #[inline(always)]
    fn enhanced_packet(&self, block: &[u8], size: u32) -> Result<Step, ErrorKind> {
        let Some([_, _, interface, high, low, len, original_len, _]) =
            read_words(block, self.order)
        else {
            return Err(ErrorKind::BadLength(size));
        };
        self.packet(block, PacketFields { size, interface, high, low, len, original_len })
    }

    #[inline(always)]
    fn packet(&self, block: &[u8], fields: PacketFields) -> Result<Step, ErrorKind> {
        let PacketFields { size, interface, high, low, len, original_len } = fields;
        self.check_lengths(block, size)?;
        if len > size.saturating_sub(32) {
            return Err(ErrorKind::BadLength(len));
        }
        let interface = self.interface(interface)?;
        Ok(Step::Packet(PacketInfo {
            time: Some(interface.clock.time(high, low)),
            link_type: interface.link_type,
            original_len,
            start: 28,
            len: len as usize,
            size: block.len(),
        }))
    }

    #[inline(always)]
    fn interface(&self, number: u32) -> Result<&Interface, ErrorKind> {
        self.interfaces.get(number as usize).ok_or(ErrorKind::UnknownInterface(number))
    }

    /// Checks that both lengths of a complete block are the same.
    #[inline(always)]
    fn check_lengths(&self, block: &[u8], leading: u32) -> Result<(), ErrorKind> {
        let trailing = block.last_chunk().map_or(0, |last| self.order.u32(*last));
        if leading != trailing {
            return Err(ErrorKind::LengthsDiffer { leading, trailing });
        }
        Ok(())
    }

    #[inline(never)]
    fn other_block(&mut self, window: &[u8], limits: Limits) -> Result<Step, ErrorKind> {
        if let Some(leading) = self.pending_trailer {
            return self.end_of_skipped(window, leading);
        }
        // First the type is requested, then the length, then the block. If a file is truncated, the
        // error contains the number of missing bytes. In this order, the number does not depend on
        // how the input is divided into reads.
        match window.first_chunk() {
            Some(&MAGIC) => return self.section(window),
            Some(_) => {}
            None => return Ok(Step::More(4)),
        }
        let Some([kind, len]) = read_words(window, self.order) else { return Ok(Step::More(8)) };
        match kind {
            INTERFACE | OBSOLETE | SIMPLE => match complete_block(window, len, limits)? {
                Some(block) => self.complete(kind, block, len, limits),
                None => Ok(Step::More(len as usize)),
            },
            _ => self.skip(len),
        }
    }

    fn complete(
        &mut self,
        kind: u32,
        block: &[u8],
        len: u32,
        limits: Limits,
    ) -> Result<Step, ErrorKind> {
        match kind {
            INTERFACE => self.interface_block(block, len, limits),
            SIMPLE => self.simple_packet(block, len),
            _ => self.obsolete_packet(block, len),
        }
    }

    fn skip(&mut self, len: u32) -> Result<Step, ErrorKind> {
        check_len(len)?;
        self.pending_trailer = Some(len);
        Ok(Step::Skip(u64::from(len.saturating_sub(4))))
    }

    fn end_of_skipped(&mut self, window: &[u8], leading: u32) -> Result<Step, ErrorKind> {
        let Some(trailing) = window.get(..4) else { return Ok(Step::More(4)) };
        self.check_lengths(trailing, leading)?;
        self.pending_trailer = None;
        Ok(Step::Skip(4))
    }

    fn section(&mut self, window: &[u8]) -> Result<Step, ErrorKind> {
        let Some(&[_, _, _, _, len @ .., o, p, q, r, a, b, c, d]) = window.first_chunk::<16>()
        else {
            return Ok(Step::More(16));
        };
        let swapped = match [o, p, q, r] {
            [0x4d, 0x3c, 0x2b, 0x1a] => false,
            [0x1a, 0x2b, 0x3c, 0x4d] => true,
            other => return Err(ErrorKind::BadByteOrder(other)),
        };
        let order = ByteOrder { swapped };
        let (major, minor) = (order.u16([a, b]), order.u16([c, d]));
        if major != 1 {
            return Err(ErrorKind::UnknownVersion { major, minor });
        }
        let len = order.u32(len);
        if len < 28 {
            return Err(ErrorKind::BadLength(len));
        }
        self.order = order;
        self.interfaces.clear();
        self.skip(len)
    }

    /// Reads the description of an interface.
    ///
    /// | offset | size | field |
    /// |---|---|---|
    /// | 8 | 2 + 2 | link type, reserved |
    /// | 12 | 4 | snapshot length |
    /// | 16 | | options |
    fn interface_block(
        &mut self,
        block: &[u8],
        len: u32,
        limits: Limits,
    ) -> Result<Step, ErrorKind> {
        self.check_lengths(block, len)?;
        let Some((&[_, _, _, _, _, _, _, _, a, b, _, _, snap_len @ ..], options)) =
            block.split_first_chunk::<16>()
        else {
            return Err(ErrorKind::BadLength(len));
        };
        let Some((options, _)) = options.split_last_chunk::<4>() else {
            return Err(ErrorKind::BadLength(len));
        };
        if self.interfaces.len() >= limits.interfaces as usize {
            return Err(ErrorKind::TooManyInterfaces(limits.interfaces));
        }
        self.interfaces.push(Interface {
            link_type: LinkType(self.order.u16([a, b])),
            snap_len: self.order.u32(snap_len),
            clock: Clock::new(options, self.order),
        });
        Ok(Step::Skip(u64::from(len)))
    }

    /// Reads a simple packet block, which does not state the captured length of its packet.
    ///
    /// | offset | size | field |
    /// |---|---|---|
    /// | 8 | 4 | original length |
    /// | 12 | | the packet, up to the snapshot length of the interface |
    fn simple_packet(&self, block: &[u8], size: u32) -> Result<Step, ErrorKind> {
        self.check_lengths(block, size)?;
        let interface = self.interface(0)?;
        let Some([_, _, original_len, _]) = read_words(block, self.order) else {
            return Err(ErrorKind::BadLength(size));
        };
        let len = match interface.snap_len {
            0 => original_len,
            snap_len => original_len.min(snap_len),
        };
        if len > size.saturating_sub(16) {
            return Err(ErrorKind::BadLength(len));
        }
        Ok(Step::Packet(PacketInfo {
            time: None,
            link_type: interface.link_type,
            original_len,
            start: 12,
            len: len as usize,
            size: block.len(),
        }))
    }

    /// Reads an obsolete packet block. An enhanced packet block begins with the number of the
    /// interface in 32 bits. This block has the number of the interface in 16 bits, and then a
    /// 16-bit number of dropped packets. All other fields are the same.
    fn obsolete_packet(&self, block: &[u8], size: u32) -> Result<Step, ErrorKind> {
        let Some([_, _, _, high, low, len, original_len, _]) = read_words(block, self.order) else {
            return Err(ErrorKind::BadLength(size));
        };
        let interface = block.get(8..).and_then(<[u8]>::first_chunk);
        let interface = interface.map_or(0, |number| u32::from(self.order.u16(*number)));
        self.packet(block, PacketFields { size, interface, high, low, len, original_len })
    }
}

/// The fields that precede the packet in its block.
struct PacketFields {
    size: u32,
    interface: u32,
    high: u32,
    low: u32,
    len: u32,
    original_len: u32,
}

#[inline(always)]
fn check_len(len: u32) -> Result<(), ErrorKind> {
    if len < 12 || !len.is_multiple_of(4) { Err(ErrorKind::BadLength(len)) } else { Ok(()) }
}

/// Returns the block at the start of the window if it is complete.
#[inline(always)]
fn complete_block(window: &[u8], len: u32, limits: Limits) -> Result<Option<&[u8]>, ErrorKind> {
    check_len(len)?;
    if len > limits.record {
        return Err(ErrorKind::TooLong { len, limit: limits.record });
    }
    Ok(window.get(..len as usize))
}

/// The clock of an interface.
#[derive(Clone, Copy, Debug)]
struct Clock {
    unit: Unit,
    /// The clock's zero in nanoseconds since 1970.
    zero: i64,
}

/// The conversion from the clock's ticks to nanoseconds.
#[derive(Clone, Copy, Debug)]
enum Unit {
    Multiply(u64),
    Divide(u64),
    /// Number of low bits of a tick count that contain the fraction of a second.
    Bits(u32),
}

const SECOND: u64 = 1_000_000_000;

/// Code of the option `if_tsresol`, the unit of times. Its value *n* is one byte. The unit is 10⁻ⁿ
/// seconds, or 2⁻ⁿ seconds if bit 7 is set (*n* is then the low 7 bits).
pub(super) const RESOLUTION: u16 = 9;
/// Code of the option `if_tsoffset`. Its value is a number of seconds, a signed 64-bit integer.
const ZERO: u16 = 14;

impl Clock {
    /// Reads the clock from the options of an interface. An option consists of a code of 16 bits, a
    /// length of 16 bits, and a value that is padded to a multiple of 4 bytes. As in other readers,
    /// a malformed option ends the list. By default, a clock counts microseconds since 1970.
    fn new(options: &[u8], order: ByteOrder) -> Self {
        let mut clock = Self { unit: Unit::Multiply(1000), zero: 0 };
        let mut rest = options;
        while let Some((&[a, b, c, d], after)) = rest.split_first_chunk() {
            let (code, len) = (order.u16([a, b]), usize::from(order.u16([c, d])));
            let Some(value) = after.get(..len) else { break };
            match (code, value) {
                (0, _) => break,
                (RESOLUTION, &[resolution]) => clock.unit = Unit::new(resolution),
                (ZERO, value) => clock.zero = seconds(value, order).unwrap_or(clock.zero),
                _ => {}
            }
            rest = after.get(len.next_multiple_of(4)..).unwrap_or_default();
        }
        clock
    }

    #[inline(always)]
    fn time(&self, high: u32, low: u32) -> i64 {
        let ticks = u64::from(high).wrapping_shl(32) | u64::from(low);
        let time = match self.unit {
            Unit::Multiply(factor) => ticks.saturating_mul(factor),
            other => other.convert(ticks),
        };
        // Saturates in the year 2262.
        i64::try_from(time).unwrap_or(i64::MAX).saturating_add(self.zero)
    }
}

impl Unit {
    fn new(resolution: u8) -> Self {
        // If a divisor overflows, `power` returns 0, and `convert` then returns 0 for any time.
        let power = |exponent: u8| 10_u64.checked_pow(u32::from(exponent)).unwrap_or(0);
        match resolution {
            0..=9 => Self::Multiply(power(9_u8.saturating_sub(resolution))),
            10..=127 => Self::Divide(power(resolution.saturating_sub(9))),
            128.. => Self::Bits(u32::from(resolution & 127)),
        }
    }

    #[cold]
    fn convert(self, ticks: u64) -> u64 {
        match self {
            Self::Multiply(factor) => ticks.saturating_mul(factor),
            Self::Divide(divisor) => ticks.checked_div(divisor).unwrap_or(0),
            // The product of a 64-bit and a 30-bit number does not overflow a `u128`.
            Self::Bits(bits) => {
                let scaled = u128::from(ticks).wrapping_mul(u128::from(SECOND));
                u64::try_from(scaled.checked_shr(bits).unwrap_or(0)).unwrap_or(u64::MAX)
            }
        }
    }
}

fn seconds(value: &[u8], order: ByteOrder) -> Option<i64> {
    let (a, b) = value.split_first_chunk::<4>()?;
    let (a, b) = (u64::from(order.u32(*a)), u64::from(order.u32(*b.first_chunk()?)));
    let (high, low) = if order.swapped { (a, b) } else { (b, a) };
    Some(((high.wrapping_shl(32) | low) as i64).saturating_mul(SECOND as i64))
}
