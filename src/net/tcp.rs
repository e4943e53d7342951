//! TCP: what a segment says about the stream it belongs to.

/// The flags of a TCP header that matter to who reads the stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(pub u8);

impl Flags {
    /// Nothing follows from this side.
    pub const FIN: u8 = 1;
    /// The first segment; its sequence number is one less than that of the first byte.
    pub const SYN: u8 = 2;
    /// The connection is given up.
    pub const RST: u8 = 4;
    /// The acknowledgement number counts.
    pub const ACK: u8 = 16;

    /// Whether the flag is set.
    #[inline]
    pub const fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }
}

/// One segment of one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment<'a> {
    /// The number of the payload's first byte (of the SYN, where there is one).
    pub sequence: u32,
    /// The next byte expected from the other side, where the flag [`Flags::ACK`] is set.
    pub acknowledgement: u32,
    /// What the segment is for, beside its payload.
    pub flags: Flags,
    /// The bytes of the stream.
    pub payload: &'a [u8],
}
