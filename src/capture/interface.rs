//! The input of a writer of captures: interfaces and packets.

use super::link_type::LinkType;

/// An interface from which packets are captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interface {
    /// Type of the first header of the packets.
    pub link_type: LinkType,
    /// Maximum length in bytes of the captured part of a packet, or 0 for no limit.
    pub snap_len: u32,
    /// Unit of the times of packets, as a number of decimal places of a second: 6 for microseconds,
    /// 9 for nanoseconds. At most 9.
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
    /// Length of the packet on the wire, in bytes.
    pub original_len: u32,
}
