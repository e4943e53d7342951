//! The coders' registers: an interval of 32-bit numbers, cut into as many parts as the
//! model has weights, of which one becomes the next interval.

/// Below this the first byte of all numbers of the interval is the same.
const TOP: u32 = 1 << 24;
/// An interval is not to get narrower than this.
const BOTTOM: u32 = 1 << 16;

#[derive(Clone, Copy)]
struct Interval {
    low: u32,
    range: u32,
}

impl Interval {
    const ALL: Self = Self { low: 0, range: u32::MAX };

    /// Goes on with the part of width `range` that begins at `start`.
    #[inline(always)]
    fn narrow(&mut self, start: u32, range: u32) {
        self.low = self.low.wrapping_add(start);
        self.range = range;
    }

    /// Whether the first byte can go. One that could still change while the interval is
    /// narrow is made to go: the interval is cut where that byte would change.
    #[inline(always)]
    fn spill(&mut self) -> bool {
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

/// Reads; past the end of the input every byte is 0.
pub(super) struct Decoder<'a> {
    at: Interval,
    /// Where in the interval the coded number is.
    inside: u32,
    rest: &'a [u8],
    len: usize,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(input: &'a [u8]) -> Self {
        let mut coder = Self { at: Interval::ALL, inside: 0, rest: input, len: input.len() };
        for _ in 0..4 {
            coder.inside = coder.inside << 8 | coder.byte();
        }
        coder
    }

    /// How many bytes were read.
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

    /// Cuts the interval into `total` parts; gives the width of one, and where the coded
    /// number is. (To find out in which part it multiplies: a division takes longer.)
    #[inline(always)]
    pub(super) fn look(&self, total: u16) -> (u32, u32) {
        (self.at.range.checked_div(u32::from(total)).unwrap_or(0), self.inside)
    }

    /// Goes on with the part of width `range` that begins at `start`.
    #[inline(always)]
    pub(super) fn take(&mut self, start: u32, range: u32) {
        self.at.narrow(start, range);
        self.inside = self.inside.wrapping_sub(start);
        while self.at.spill() {
            self.inside = self.inside << 8 | self.byte();
            self.at.shift();
        }
    }
}

/// Writes, as long as there is room.
pub(super) struct Encoder<'o> {
    at: Interval,
    out: &'o mut [u8],
    /// How many bytes there are, or would be if there were room.
    len: usize,
}

impl<'o> Encoder<'o> {
    pub(super) fn new(out: &'o mut [u8]) -> Self {
        Self { at: Interval::ALL, out, len: 0 }
    }

    /// Goes on with the part of `width` weights of `total` that begins at `start`.
    #[inline(always)]
    pub(super) fn take(&mut self, total: u16, start: u32, width: u32) {
        let unit = self.at.range.checked_div(u32::from(total)).unwrap_or(0);
        self.at.narrow(start.wrapping_mul(unit), width.wrapping_mul(unit));
        while self.at.spill() {
            self.put();
            self.at.shift();
        }
    }

    #[inline(always)]
    fn put(&mut self) {
        if let Some(place) = self.out.get_mut(self.len) {
            let [first, ..] = self.at.low.to_be_bytes();
            *place = first;
        }
        self.len = self.len.saturating_add(1);
    }

    /// What was written, if there was room for it.
    pub(super) fn finish(mut self) -> Option<&'o [u8]> {
        while self.at.low != 0 {
            self.put();
            self.at.shift();
        }
        let Self { out, len, .. } = self;
        out.get(..len)
    }
}
