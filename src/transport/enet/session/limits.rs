/// Limits on the packets that wait in a [`Session`](super::Session). Memory is allocated on demand
/// and reused for later packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Bytes of packets that cannot be delivered yet, including incomplete ones: 8 MiB by default.
    /// Counted in blocks of 256 bytes.
    pub buffered: usize,
    /// Maximum number of commands whose packets cannot be delivered yet: 4096 by default. Each
    /// command takes about 64 bytes in addition to its payload.
    pub waiting: usize,
    /// Length of the largest packet that is reassembled from fragments: 4 MiB by default. ENet's
    /// default is 32 MiB.
    pub packet: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { buffered: 8 << 20, waiting: 4096, packet: 4 << 20 }
    }
}
