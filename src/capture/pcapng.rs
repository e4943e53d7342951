//! pcapng: blocks end to end, as `draft-ietf-opsawg-pcapng` describes them.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 4 | kind of block |
//! | 4 | 4 | n, the length of the block, a multiple of 4 |
//! | 8 | n - 12 | body |
//! | n - 4 | 4 | n again |
//!
//! A section begins with a block that says its byte order and forgets the interfaces of
//! the section before. Each interface is a block, too, and has its own link type, unit of
//! time and start of time. Blocks that hold neither are skipped, however long, and take no
//! memory.

use super::{ErrorKind, Found, Limits, LinkType, Order, Step, words};
use std::vec::Vec;

/// The kind of the block that begins a section: the same in both byte orders.
pub(super) const MAGIC: [u8; 4] = *b"\n\r\r\n";

const INTERFACE: u32 = 1;
/// A packet in the form before "enhanced".
const OBSOLETE: u32 = 2;
/// A packet of the first interface, without a time.
const SIMPLE: u32 = 3;
const ENHANCED: u32 = 6;

/// What a section has said so far.
#[derive(Debug, Default)]
pub(super) struct File {
    order: Order,
    interfaces: Vec<Interface>,
    /// Of a block that was skipped, the length that has to come now.
    behind: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Interface {
    link_type: LinkType,
    /// The longest packet, 0 for no limit.
    longest: u32,
    clock: Clock,
}

impl File {
    /// Whether a block's end is still to come.
    pub(super) fn is_inside(&self) -> bool {
        self.behind.is_some()
    }

    #[inline(always)]
    pub(super) fn step(&mut self, window: &[u8], limits: Limits) -> Result<Step, ErrorKind> {
        match words(window, self.order) {
            Some([ENHANCED, len]) if self.behind.is_none() => {
                let Some(block) = whole(window, len, limits)? else {
                    return Ok(Step::More(len as usize));
                };
                self.enhanced(block, len)
            }
            _ => self.rare(window, limits),
        }
    }

    #[inline(always)]
    fn enhanced(&self, block: &[u8], size: u32) -> Result<Step, ErrorKind> {
        let Some([_, _, interface, high, low, len, original_len, _]) = words(block, self.order)
        else {
            return Err(ErrorKind::BadLength(size));
        };
        self.packet(block, Head { size, interface, high, low, len, original_len })
    }

    #[inline(always)]
    fn packet(&self, block: &[u8], head: Head) -> Result<Step, ErrorKind> {
        let Head { size, interface, high, low, len, original_len } = head;
        self.lengths(block, size)?;
        if len > size.saturating_sub(32) {
            return Err(ErrorKind::BadLength(len));
        }
        let interface = self.interface(interface)?;
        Ok(Step::Packet(Found {
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

    /// Both lengths of a block that is there as a whole.
    #[inline(always)]
    fn lengths(&self, block: &[u8], front: u32) -> Result<(), ErrorKind> {
        let behind = block.last_chunk().map_or(0, |last| self.order.u32(*last));
        if front != behind {
            return Err(ErrorKind::LengthsDiffer { front, behind });
        }
        Ok(())
    }

    #[inline(never)]
    fn rare(&mut self, window: &[u8], limits: Limits) -> Result<Step, ErrorKind> {
        if let Some(front) = self.behind {
            return self.end_of_skipped(window, front);
        }
        // (Asked for one by one: how much is missing of a file that is cut off must not
        // depend on how it is read.)
        match window.first_chunk() {
            Some(&MAGIC) => return self.section(window),
            Some(_) => {}
            None => return Ok(Step::More(4)),
        }
        let Some([kind, len]) = words(window, self.order) else { return Ok(Step::More(8)) };
        match kind {
            INTERFACE | OBSOLETE | SIMPLE => match whole(window, len, limits)? {
                Some(block) => self.known(kind, block, len, limits),
                None => Ok(Step::More(len as usize)),
            },
            _ => self.skip(len),
        }
    }

    fn known(
        &mut self,
        kind: u32,
        block: &[u8],
        len: u32,
        limits: Limits,
    ) -> Result<Step, ErrorKind> {
        match kind {
            INTERFACE => self.describe(block, len, limits),
            SIMPLE => self.simple(block, len),
            _ => self.obsolete(block, len),
        }
    }

    fn skip(&mut self, len: u32) -> Result<Step, ErrorKind> {
        check_len(len)?;
        self.behind = Some(len);
        Ok(Step::Skip(u64::from(len.saturating_sub(4))))
    }

    fn end_of_skipped(&mut self, window: &[u8], front: u32) -> Result<Step, ErrorKind> {
        let Some(behind) = window.get(..4) else { return Ok(Step::More(4)) };
        self.lengths(behind, front)?;
        self.behind = None;
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
        let order = Order { swapped };
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

    /// | offset | size | field |
    /// |---|---|---|
    /// | 8 | 2 + 2 | link type, reserved |
    /// | 12 | 4 | longest packet |
    /// | 16 | | options |
    fn describe(&mut self, block: &[u8], len: u32, limits: Limits) -> Result<Step, ErrorKind> {
        self.lengths(block, len)?;
        let Some((&[_, _, _, _, _, _, _, _, a, b, _, _, longest @ ..], options)) =
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
            longest: self.order.u32(longest),
            clock: Clock::new(options, self.order),
        });
        Ok(Step::Skip(u64::from(len)))
    }

    /// | offset | size | field |
    /// |---|---|---|
    /// | 8 | 4 | bytes on the wire |
    /// | 12 | | the packet, as much of it as the interface allows |
    fn simple(&self, block: &[u8], size: u32) -> Result<Step, ErrorKind> {
        self.lengths(block, size)?;
        let interface = self.interface(0)?;
        let Some([_, _, original_len, _]) = words(block, self.order) else {
            return Err(ErrorKind::BadLength(size));
        };
        let len = match interface.longest {
            0 => original_len,
            longest => original_len.min(longest),
        };
        if len > size.saturating_sub(16) {
            return Err(ErrorKind::BadLength(len));
        }
        Ok(Step::Packet(Found {
            time: None,
            link_type: interface.link_type,
            original_len,
            start: 12,
            len: len as usize,
            size: block.len(),
        }))
    }

    /// As the enhanced form, but the interface has 16 bits, and a count of lost packets
    /// the other 16.
    fn obsolete(&self, block: &[u8], size: u32) -> Result<Step, ErrorKind> {
        let Some([_, _, _, high, low, len, original_len, _]) = words(block, self.order) else {
            return Err(ErrorKind::BadLength(size));
        };
        let interface = block.get(8..).and_then(<[u8]>::first_chunk);
        let interface = interface.map_or(0, |number| u32::from(self.order.u16(*number)));
        self.packet(block, Head { size, interface, high, low, len, original_len })
    }
}

/// What stands before a packet in its block.
struct Head {
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

/// The block at the start of the window, if it is there as a whole.
#[inline(always)]
fn whole(window: &[u8], len: u32, limits: Limits) -> Result<Option<&[u8]>, ErrorKind> {
    check_len(len)?;
    if len > limits.record {
        return Err(ErrorKind::TooLong { len, limit: limits.record });
    }
    Ok(window.get(..len as usize))
}

/// How an interface counts time.
#[derive(Clone, Copy, Debug)]
struct Clock {
    unit: Unit,
    /// Nanoseconds between 1970 and the clock's zero.
    zero: i64,
}

/// From the clock's ticks to nanoseconds.
#[derive(Clone, Copy, Debug)]
enum Unit {
    Times(u64),
    Over(u64),
    /// So many bits of a tick are a fraction of a second.
    Bits(u32),
}

const SECOND: u64 = 1_000_000_000;

/// The code of the option `if_tsresol`: one byte, the exponent of ten, or with bit 7 set of two.
const RESOLUTION: u16 = 9;
/// The code of the option `if_tsoffset`: seconds, 64 bits with a sign.
const ZERO: u16 = 14;

impl Clock {
    /// Options are code and length (16 bits each) and a value, padded to 4 bytes. What is
    /// malformed in them ends them, as other readers have it; the clock then counts
    /// microseconds since 1970, as it does without options.
    fn new(options: &[u8], order: Order) -> Self {
        let mut clock = Self { unit: Unit::Times(1000), zero: 0 };
        let mut rest = options;
        while let Some((&[a, b, c, d], behind)) = rest.split_first_chunk() {
            let (code, len) = (order.u16([a, b]), usize::from(order.u16([c, d])));
            let Some(value) = behind.get(..len) else { break };
            match (code, value) {
                (0, _) => break,
                (RESOLUTION, &[resolution]) => clock.unit = Unit::new(resolution),
                (ZERO, value) => clock.zero = seconds(value, order).unwrap_or(clock.zero),
                _ => {}
            }
            rest = behind.get(len.next_multiple_of(4)..).unwrap_or_default();
        }
        clock
    }

    #[inline(always)]
    fn time(&self, high: u32, low: u32) -> i64 {
        let ticks = u64::from(high).wrapping_shl(32) | u64::from(low);
        let time = match self.unit {
            Unit::Times(factor) => ticks.saturating_mul(factor),
            other => other.odd(ticks),
        };
        // A clock beyond the year 2262 stands still.
        i64::try_from(time).unwrap_or(i64::MAX).saturating_add(self.zero)
    }
}

impl Unit {
    fn new(resolution: u8) -> Self {
        // What overflows divides any time down to nothing, as 0 does below.
        let power = |exponent: u8| 10_u64.checked_pow(u32::from(exponent)).unwrap_or(0);
        match resolution {
            0..=9 => Self::Times(power(9_u8.saturating_sub(resolution))),
            10..=127 => Self::Over(power(resolution.saturating_sub(9))),
            128.. => Self::Bits(u32::from(resolution & 127)),
        }
    }

    #[cold]
    fn odd(self, ticks: u64) -> u64 {
        match self {
            Self::Times(factor) => ticks.saturating_mul(factor),
            Self::Over(divisor) => ticks.checked_div(divisor).unwrap_or(0),
            // 64 bits times 30 bits fit.
            Self::Bits(bits) => {
                let scaled = u128::from(ticks).wrapping_mul(u128::from(SECOND));
                u64::try_from(scaled.checked_shr(bits).unwrap_or(0)).unwrap_or(u64::MAX)
            }
        }
    }
}

fn seconds(value: &[u8], order: Order) -> Option<i64> {
    let (a, b) = value.split_first_chunk::<4>()?;
    let (a, b) = (u64::from(order.u32(*a)), u64::from(order.u32(*b.first_chunk()?)));
    let (high, low) = if order.swapped { (a, b) } else { (b, a) };
    Some(((high.wrapping_shl(32) | low) as i64).saturating_mul(SECOND as i64))
}
