/// Limits of a [`Reader`](super::Reader).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum length in bytes of a record of pcap, or of a block of pcapng that contains a packet.
    /// The length includes the header and options. The default is 1 MiB. Tools truncate packets at
    /// 256 KiB, so the default leaves space for options. The reader's buffer starts with 64 KiB and
    /// grows up to this limit.
    pub record: u32,
    /// Maximum number of interfaces in a pcapng section: 4096 by default. Each takes 32 bytes of
    /// memory.
    pub interfaces: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { record: 1 << 20, interfaces: 4096 }
    }
}

/// Limits of a [`Reassembler`](super::Reassembler).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReassemblyLimits {
    /// Maximum number of packets whose fragments are kept: 64 by default. If a fragment of another
    /// packet arrives, the oldest packet is dropped.
    pub packets: u32,
    /// Maximum number of bytes that are allocated for the fragments of all packets together. The
    /// default of 4 MiB is enough for 56 packets of the maximum length, 64 KiB. If the fragments
    /// need more memory, the oldest packets are dropped.
    pub memory: u32,
}

impl Default for ReassemblyLimits {
    fn default() -> Self {
        Self { packets: 64, memory: 4 << 20 }
    }
}
