use crate::transport::enet::CompressionMode;

/// The settings of a [`Host`](super::Host). The defaults are those of Godot 4's server, except for
/// the limits on memory, which ENet does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Maximum number of connected peers: 32 by default, at most 4,095.
    pub peers: u16,
    /// Maximum number of channels of a connection, 1 to 255: 255 by default. Memory for a channel
    /// is taken when the channel is first used.
    pub channels: u16,
    /// Length of the largest datagram, 576 to 4,096: 1,392 by default. A peer can lower it for its
    /// own connection.
    pub mtu: u16,
    /// Bytes per second that this host can receive; 0, the default, for no limit. Peers throttle
    /// what they send.
    pub incoming_bandwidth: u32,
    /// Bytes per second that this host may send; 0, the default, for no limit. The host drops
    /// unreliable packets, and sends reliable packets later, to stay below.
    pub outgoing_bandwidth: u32,
    /// `true` if datagrams have checksums: `false` by default. Both hosts must have the same value.
    pub checksums: bool,
    /// Compression of datagrams: none by default, as in Godot 4. Godot 3.4 and later versions of
    /// Godot 3 use the range coder by default. Both hosts must use the same mode.
    pub compression: CompressionMode,
    /// Bytes of memory for the packets of all peers, with their queues: 16 MiB by default. A half
    /// is for packets to send, a half for packets that were received.
    pub memory: usize,
    /// Length of the largest packet that is sent or received: 1 MiB by default. The memory may
    /// limit it further: see [`Host::max_packet`](super::Host::max_packet).
    pub max_packet: usize,
    /// Number of channels for which there is memory per peer, on average: 8 by default. A half of
    /// this number is guaranteed to each peer; a peer may use up to 255 while others use less.
    pub channels_per_peer: u16,
    /// Maximum number of peers that have asked for a connection and have not yet proved their
    /// address: 64 by default. Above it, the oldest one is dropped. Such peers have places of their
    /// own, and never take the place of a connected peer.
    pub half_open: u16,
    /// Maximum number of connected peers with the same IP address: 4,095 by default.
    pub peers_per_address: u16,
    /// Number of milliseconds after which a peer that acknowledges nothing is disconnected: 30,000
    /// by default.
    pub timeout_maximum: u32,
    /// Number of milliseconds after which such a peer is disconnected if a command has been sent
    /// too often: 5,000 by default.
    pub timeout_minimum: u32,
    /// Too often is when 2 to the power of the number of repetitions reaches this number: 32 by
    /// default.
    pub timeout_limit: u32,
    /// Milliseconds without an acknowledgement after which a peer is pinged: 500 by default.
    pub ping_interval: u32,
    /// Seed of all random numbers. It must be unpredictable if the host is on the internet:
    /// otherwise, an attacker can open connections in the name of other addresses. The default
    /// is 0.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            peers: 32,
            channels: 255,
            mtu: 1392,
            incoming_bandwidth: 0,
            outgoing_bandwidth: 0,
            checksums: false,
            compression: CompressionMode::None,
            memory: 16 << 20,
            max_packet: 1 << 20,
            channels_per_peer: 8,
            half_open: 64,
            peers_per_address: MAX_PEERS,
            timeout_maximum: 30_000,
            timeout_minimum: 5_000,
            timeout_limit: 32,
            ping_interval: 500,
            seed: 0,
        }
    }
}

/// The number 4,095 stands for "no peer" in datagrams.
pub(super) const MAX_PEERS: u16 = 0xFFF;
pub(super) const MIN_MTU: u16 = 576;
pub(super) const MAX_MTU: u16 = 4096;
const MAX_CHANNELS: u16 = 255;

impl Config {
    /// Returns the settings with numbers out of range replaced by the nearest valid ones.
    pub(super) fn in_range(mut self) -> Self {
        self.peers = self.peers.clamp(1, MAX_PEERS);
        self.channels = self.channels.clamp(1, MAX_CHANNELS);
        self.mtu = self.mtu.clamp(MIN_MTU, MAX_MTU);
        self.half_open = self.half_open.clamp(1, MAX_PEERS);
        self.peers_per_address = self.peers_per_address.max(1);
        self.channels_per_peer = self.channels_per_peer.clamp(1, MAX_CHANNELS);
        self.max_packet = self.max_packet.clamp(1, u32::MAX as usize);
        self
    }

    /// Number of places for peers, with those for half-open ones.
    pub(super) fn slots(&self) -> usize {
        self.peers.saturating_add(self.half_open).min(MAX_PEERS).into()
    }
}
