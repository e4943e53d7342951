use crate::transport::enet::Delivery;
use core::fmt;
use core::net::SocketAddr;

/// The key of a peer of a [`Host`](super::Host). A key is valid from the event
/// [`Connected`](Event::Connected), or the call of [`connect`](super::Host::connect), up to the
/// event [`Disconnected`](Event::Disconnected). The key of an earlier peer never reaches a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PeerKey {
    pub(super) slot: u16,
    pub(super) generation: u32,
}

impl PeerKey {
    /// Returns the peer's place in the host, which is below 4,095 and unique among current peers. A
    /// later peer can have the same place. Use it as an index into a table of your own.
    pub const fn slot(self) -> usize {
        self.slot as usize
    }
}

impl fmt::Display for PeerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.slot, self.generation)
    }
}

/// An event of a [`Host`](super::Host). Payloads borrow from the memory of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'h> {
    /// A connection is established: a client has proved its address, or the server has accepted a
    /// connection that [`connect`](super::Host::connect) began.
    Connected {
        /// The peer.
        peer: PeerKey,
        /// The number that the client sent with its request. Godot's clients send their peer id.
        /// In the host that began the connection, the number is 0.
        data: u32,
    },
    /// A packet has arrived.
    Received {
        /// The sender.
        peer: PeerKey,
        /// Channel of the packet.
        channel: u8,
        /// Delivery guarantee. The sender's ENet sends large unsequenced packets as unreliable
        /// ones.
        delivery: Delivery,
        /// Bytes of the packet.
        payload: &'h [u8],
    },
    /// A connection has ended, or could not be established. This is the last event of the peer.
    Disconnected {
        /// The peer. Its key is no longer valid.
        peer: PeerKey,
        /// Why the connection ended.
        reason: DisconnectReason,
    },
}

/// Why a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DisconnectReason {
    /// The peer ended the connection.
    Remote {
        /// The number that the peer sent. Godot 4 sends 0, Godot 3 the peer id.
        data: u32,
    },
    /// This host ended the connection.
    Local,
    /// The peer did not acknowledge anything in time.
    TimedOut,
    /// The server's answer does not fit the request.
    BadAnswer,
}

/// Why a packet was not queued. The host has not kept any part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum SendError {
    /// The peer is not connected, or is being disconnected.
    #[error("the peer is not connected")]
    NotConnected,
    /// The connection has fewer channels.
    #[error("the connection has no channel with this number")]
    NoChannel,
    /// The packet is longer than [`Host::max_packet`](super::Host::max_packet).
    #[error("the packet is too long")]
    TooLong,
    /// The peer's share of the memory is full: the peer receives too slowly.
    #[error("the peer's share of the memory is full")]
    PeerFull,
    /// The memory of the host is full.
    #[error("the memory of the host is full")]
    HostFull,
}

/// Why a connection was not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The host has as many peers as [`Config::peers`](super::Config::peers) allows.
    #[error("the host has no place for another peer")]
    TooManyPeers,
    /// The number of channels is 0 or above [`Config::channels`](super::Config::channels).
    #[error("the number of channels is out of range")]
    BadChannelCount,
}

/// A datagram to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transmit<'h> {
    /// The receiver.
    pub to: SocketAddr,
    /// Payload of the UDP packet.
    pub bytes: &'h [u8],
}

/// The state of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PeerState {
    /// The server has not answered yet.
    Connecting,
    /// Packets can be sent and received.
    Connected,
    /// The connection ends.
    Disconnecting,
}

/// What a [`Host`](super::Host) knows about a peer.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PeerInfo {
    /// Address of the peer.
    pub address: SocketAddr,
    /// State of the connection.
    pub state: PeerState,
    /// Number of channels.
    pub channels: u16,
    /// Length of the largest datagram.
    pub mtu: u16,
    /// Mean time in milliseconds between a reliable command and its acknowledgement.
    pub round_trip_time: u32,
    /// Mean deviation of this time in milliseconds.
    pub round_trip_time_variance: u32,
    /// Share of commands that had to be sent again, from 0 to 1, over the last tens of seconds.
    pub packet_loss: f32,
    /// Share of unreliable packets that are sent, from 0 to 1. The rest is dropped because the line
    /// is congested.
    pub throttle: f32,
    /// Bytes that wait to be sent or acknowledged. Each command counts in blocks of 128 bytes.
    pub queued: usize,
    /// Bytes of received packets that wait for missing ones, or to be taken by
    /// [`poll_event`](super::Host::poll_event). Counted likewise.
    pub received: usize,
}
