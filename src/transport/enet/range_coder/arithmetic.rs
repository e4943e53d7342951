//! The registers of the encoder and the decoder: an interval of 32-bit numbers. For each symbol,
//! the model divides the interval into parts that are proportional to the weights of the possible
//! symbols. The part that belongs to the coded symbol becomes the next interval.

/// If the exclusive or of the two bounds is below this, all numbers in the interval have the same
/// first byte.
const TOP: u32 = 1 << 24;
/// Minimum width of the interval.
const BOTTOM: u32 = 1 << 16;

#[derive(Clone, Copy)]
struct Interval {
    low: u32,
    range: u32,
}

impl Interval {
    const ALL: Self = Self { low: 0, range: u32::MAX };

    /// Narrows the interval to the part of width `range` at `start`.
    #[inline(always)]
    fn narrow(&mut self, start: u32, range: u32) {
        self.low = self.low.wrapping_add(start);
        self.range = range;
    }

    /// Returns `true` if the first byte is final and can be shifted out. If it is not final but the
    /// interval is too narrow, cuts the interval where the byte would change (carry-less coding).
    #[inline(always)]
    fn renormalize(&mut self) -> bool {
        if (self.low ^ self.low.wrapping_add(self.range)) < TOP {
            return true;
        }
        if self.range >= BOTTOM {
            return false;
        }
        self.range = self.low.wrapping_neg() & BOTTOM.wrapping_sub(1);
        true
    }

    #[inline(always)]
    fn shift(&mut self) {
        self.low <<= 8;
        self.range <<= 8;
    }
}

/// A range decoder. It reads zeros after the end of its input.
pub(super) struct Decoder<'a> {
    interval: Interval,
    /// Position of the coded number in the interval.
    code: u32,
    rest: &'a [u8],
    len: usize,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(input: &'a [u8]) -> Self {
        let mut coder = Self { interval: Interval::ALL, code: 0, rest: input, len: input.len() };
        for _ in 0..4 {
            coder.code = coder.code << 8 | coder.byte();
        }
        coder
    }

    /// Returns the number of bytes read.
    pub(super) fn pos(&self) -> usize {
        self.len.wrapping_sub(self.rest.len())
    }

    #[inline(always)]
    fn byte(&mut self) -> u32 {
        match self.rest.split_first() {
            Some((byte, rest)) => {
                self.rest = rest;
                u32::from(*byte)
            }
            None => 0,
        }
    }

    /// Divides the interval into `total` units. Returns the width of a unit, and the position of
    /// the coded number. The caller multiplies weights by the width, because dividing the
    /// position by the width would be slower.
    #[inline(always)]
    pub(super) fn scale(&self, total: u16) -> (u32, u32) {
        (self.interval.range.checked_div(u32::from(total)).unwrap_or(0), self.code)
    }

    /// Consumes a symbol: narrows the interval to the part of width `range` at `start`.
    #[inline(always)]
    pub(super) fn consume(&mut self, start: u32, range: u32) {
        self.interval.narrow(start, range);
        self.code = self.code.wrapping_sub(start);
        while self.interval.renormalize() {
            self.code = self.code << 8 | self.byte();
            self.interval.shift();
        }
    }
}

/// A range encoder. It counts bytes that do not fit in the output, and discards them.
pub(super) struct Encoder<'o> {
    interval: Interval,
    out: &'o mut [u8],
    /// Number of bytes written, including those that did not fit.
    len: usize,
}

impl<'o> Encoder<'o> {
    pub(super) fn new(out: &'o mut [u8]) -> Self {
        Self { interval: Interval::ALL, out, len: 0 }
    }

    /// Encodes a symbol: narrows the interval to `width` of `total` units at `start`.
    #[inline(always)]
    pub(super) fn encode(&mut self, total: u16, start: u32, width: u32) {
        let unit = self.interval.range.checked_div(u32::from(total)).unwrap_or(0);
        self.interval.narrow(start.wrapping_mul(unit), width.wrapping_mul(unit));
        while self.interval.renormalize() {
            self.put();
            self.interval.shift();
        }
    }

    #[inline(always)]
    fn put(&mut self) {
        if let Some(byte) = self.out.get_mut(self.len) {
            let [first, ..] = self.interval.low.to_be_bytes();
            *byte = first;
        }
        self.len = self.len.saturating_add(1);
    }

    /// Returns the output, or `None` if it did not fit.
    pub(super) fn finish(mut self) -> Option<&'o [u8]> {
        while self.interval.low != 0 {
            self.put();
            self.interval.shift();
        }
        let Self { out, len, .. } = self;
        out.get(..len)
    }
}
