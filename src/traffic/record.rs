use super::encryption::Encryption;
use super::node::Node;
use super::paths::{PathLookup, Sender};
use crate::godot::multiplayer::{godot3, godot4};
use crate::godot::{self, StrRef};
pub use crate::transport::enet::Delivery;
use crate::transport::{enet, websocket};
use core::fmt;
use core::net::SocketAddr;

/// A packet of a game, with everything that the capture says about it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Record<'a> {
    /// Time of capture in nanoseconds since 1970, if known. For a packet that waited for missing
    /// packets, this is the time of the segment that ended the wait. If the wait never ended, it is
    /// the time of the last segment of the capture.
    pub time: Option<i64>,
    /// Address of the sender.
    pub source: SocketAddr,
    /// Address of the receiver.
    pub destination: SocketAddr,
    /// Transport of the packet.
    pub transport: Transport,
    /// Engine of the packet, if known or guessed.
    pub engine: Option<Engine>,
    /// `true` if transport and engine are guesses from the bytes of the packets. `false` if
    /// the options or the packets of the handshake determine them.
    pub guessed: bool,
    /// Channel of an ENet packet. `None` for all other records.
    pub channel: Option<u8>,
    /// Delivery guarantee. Always [`Delivery::Reliable`] over TCP. `None` for plain UDP, and for
    /// ENet records other than packets.
    pub delivery: Option<Delivery>,
    /// Multiplayer id of the sender, if known.
    pub peer: Option<i32>,
    /// Peer in the header of a relayed packet: the receiver if a client sends the packet, or the
    /// original sender if the server sends it.
    pub relay: Option<i32>,
    /// Node that the packet addresses.
    pub node: Option<Node<'a>>,
    /// Content of the packet.
    pub content: Content<'a>,
    /// Bytes of the packet, or of its frame in a stream.
    pub bytes: &'a [u8],
    pub(super) paths: PathLookup<'a>,
    pub(super) sender: Sender,
}

impl<'a> Record<'a> {
    /// Returns the path of the node to which the sender has assigned the number `id`. Returns
    /// `None` if no packet that announces this path is known.
    pub fn path(&self, id: u32) -> Option<StrRef<'a>> {
        self.paths.node(self.sender, id).path
    }
}

/// The transport of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Transport {
    /// ENet over UDP.
    Enet,
    /// WebSocket over TCP.
    WebSocket,
    /// TCP without a WebSocket: length-prefixed values, or a game's own protocol.
    Tcp,
    /// UDP without ENet: one value in each datagram, or a game's own protocol.
    Udp,
}

impl Transport {
    /// Returns the name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Enet => "enet",
            Self::WebSocket => "websocket",
            Self::Tcp => "tcp",
            Self::Udp => "udp",
        }
    }
}

impl fmt::Display for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The engine of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub enum Engine {
    /// Godot 3.
    Godot3,
    /// Godot 4.
    Godot4,
}

impl Engine {
    /// Returns the dialect of the engine's values.
    pub const fn dialect(self) -> godot::Dialect {
        match self {
            Self::Godot3 => godot::Dialect::Godot3,
            Self::Godot4 => godot::Dialect::Godot4,
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.dialect().fmt(f)
    }
}

/// The content of a packet.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Content<'a> {
    /// A packet of Godot 4's multiplayer. If it is relayed, this is the packet inside.
    Godot4(&'a godot4::Packet<'a>),
    /// A packet of Godot 3's multiplayer.
    Godot3(&'a godot3::Packet<'a>),
    /// The client with this multiplayer id has connected.
    AddPeer(i32),
    /// The client with this multiplayer id has disconnected.
    DelPeer(i32),
    /// A single value.
    Value(&'a [u8]),
    /// A message of the debugger, which is a single value.
    Debugger(&'a [u8]),
    /// A text message of a WebSocket. Only scripts send such messages, not engines.
    Text(&'a str),
    /// Bytes in a game's own protocol: a binary message of a WebSocket that is neither a
    /// packet nor a value, a datagram, or a piece of a stream. No byte of a stream is in two such
    /// records. [`Record::values_inside`] finds values in the bytes.
    /// [`Options::other_protocols`](super::Options::other_protocols) determines for which addresses
    /// such bytes are reported.
    Bytes {
        /// Offset of the bytes in a TCP stream, from its first captured byte. `None` for a message
        /// or a datagram.
        offset: Option<u64>,
    },
    /// An encrypted datagram or piece of a stream.
    Encrypted(Encryption),
    /// A datagram of STUN (RFC 8489), which finds a path between two peers. WebRTC sends such
    /// datagrams before and between its encrypted datagrams.
    Stun,
    /// Bytes that are not a valid packet.
    Malformed {
        /// Cause of the error.
        reason: Reason,
        /// Offset of the error from the start of the packet. For [`Reason::Enet`], the offset is
        /// from the start of the datagram. If a stream cannot be read any further, it is from the
        /// start of the first frame of the stream.
        offset: u64,
    },
    /// A message of the transport itself, or a loss of bytes.
    Control(Control),
}

/// The cause of a malformed packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// An error in the content of the packet.
    Godot(godot::ErrorKind),
    /// An error in the ENet datagram that contains the packet.
    Enet(enet::ErrorKind),
    /// An error in the WebSocket stream that carries the packet.
    WebSocket(websocket::ErrorKind),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Godot(kind) => kind.fmt(f),
            Self::Enet(kind) => kind.fmt(f),
            Self::WebSocket(kind) => kind.fmt(f),
        }
    }
}

/// A message that a transport sends to maintain a connection, or a loss of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Control {
    /// A client requests a connection.
    Connect,
    /// The server accepts the connection.
    Accept,
    /// The connection ends.
    Disconnect,
    /// A ping or its answer.
    Ping,
    /// An acknowledgement.
    Acknowledge,
    /// Settings such as bandwidth limits.
    Configure,
    /// Bytes are missing: not captured, or dropped at a limit.
    Lost,
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Connect => "connect",
            Self::Accept => "accept",
            Self::Disconnect => "disconnect",
            Self::Ping => "ping",
            Self::Acknowledge => "acknowledge",
            Self::Configure => "configure",
            Self::Lost => "lost",
        })
    }
}
