//! What a writer of captures is given: interfaces and packets.

use super::link_type::LinkType;

/// An interface from which packets are captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interface {
    /// Type of the first header of the packets.
    pub link_type: LinkType,
    /// Maximum length of the captured part of a packet, 0 for no limit.
    pub snap_len: u32,
    /// The decimal digits of a second in the times of packets, at most 9: 6 for microseconds, 9 for
    /// nanoseconds.
    pub digits: u8,
}

impl Interface {
    /// Creates an interface without a limit for the length of packets, and with times in
    /// nanoseconds.
    pub const fn new(link_type: LinkType) -> Self {
        Self { link_type, snap_len: 0, digits: 9 }
    }
}

/// A packet to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketRecord<'a> {
    /// Time of capture, counted from the start of 1970 (UTC) in the unit of the interface.
    pub time: u64,
    /// Captured bytes of the packet.
    pub data: &'a [u8],
    /// Length of the packet on the wire.
    pub original_len: u32,
}
