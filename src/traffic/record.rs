mod contents;
mod kind;

pub use contents::NodeState;
pub use kind::RecordKind;

use super::paths::{Known, Sender};
use crate::godot::multiplayer::{godot3, godot4};
use crate::godot::{self, StrRef};
pub use crate::transport::enet::Mode as Delivery;
use crate::transport::{enet, websocket};
use core::fmt;
use core::net::SocketAddr;

/// One packet of a game, as far as a capture tells of it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Record<'a> {
    /// When it was captured, in nanoseconds since 1970 began, if that is known. (Of what has
    /// waited for something else: when that came.)
    pub time: Option<i64>,
    /// Who has sent it.
    pub source: SocketAddr,
    /// For whom it is.
    pub destination: SocketAddr,
    /// What carries it.
    pub transport: Transport,
    /// Which engine, where there is a difference.
    pub engine: Option<Engine>,
    /// Whether transport and engine are what the bytes look like, and nothing said so.
    pub guessed: bool,
    /// ENet's channel.
    pub channel: Option<u8>,
    /// How it was delivered; over TCP always [`Delivery::Reliable`], for a value in a
    /// datagram of its own it does not apply.
    pub delivery: Option<Delivery>,
    /// The multiplayer id of the sender, where it is known.
    pub peer: Option<i32>,
    /// The peer in the header of a relayed packet: from a client, for whom it is; from the
    /// server, who has sent it.
    pub relay: Option<i32>,
    /// The node it is about.
    pub node: Option<Node<'a>>,
    /// What it is.
    pub content: Content<'a>,
    /// The bytes of the packet (in a stream, of its frame).
    pub bytes: &'a [u8],
    /// What numbers stand for, of those that have come by.
    pub(super) known: Known<'a>,
    pub(super) sender: Sender,
}

impl<'a> Record<'a> {
    /// The path of the node that the sender has given that number, if it has come by.
    pub fn path(&self, id: u32) -> Option<StrRef<'a>> {
        self.known.node(self.sender, id).path
    }
}

/// The node that a packet is about.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// Its number, if it goes by that.
    pub id: Option<u32>,
    /// Its path, if it was sent or is known.
    pub path: Option<StrRef<'a>>,
    /// The MD5 of its methods' names, 32 hexadecimal digits (Godot 4).
    pub checksum: Option<&'a [u8; 32]>,
}

/// What carries packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Transport {
    /// ENet over UDP.
    Enet,
    /// A WebSocket.
    WebSocket,
    /// TCP: values behind their lengths.
    Tcp,
    /// UDP: a value each.
    Udp,
}

impl fmt::Display for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Enet => "enet",
            Self::WebSocket => "websocket",
            Self::Tcp => "tcp",
            Self::Udp => "udp",
        })
    }
}

/// Whose packets these are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Engine {
    /// Godot 3.
    Godot3,
    /// Godot 4.
    Godot4,
}

impl Engine {
    /// The dialect of its values.
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

/// What a packet is.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Content<'a> {
    /// A packet of Godot 4's multiplayer; of a relayed one, what is inside.
    Godot4(&'a godot4::Packet<'a>),
    /// A packet of Godot 3's multiplayer.
    Godot3(&'a godot3::Packet<'a>),
    /// A client is there.
    AddPeer(i32),
    /// A client has left.
    DelPeer(i32),
    /// A value by itself.
    Value(&'a [u8]),
    /// A value that is a message of the debugger.
    Debugger(&'a [u8]),
    /// Something that is no packet.
    Malformed {
        /// Why.
        reason: Reason,
        /// Where, in bytes from the start of the packet; of the stream, if it cannot be read
        /// any further from there.
        offset: u64,
    },
    /// What a transport says to keep itself going.
    Control(Control),
}

/// Why something is no packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// What a packet holds.
    Godot(godot::ErrorKind),
    /// ENet's datagram around it.
    Enet(enet::ErrorKind),
    /// The WebSocket around it.
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

/// What a transport says to keep itself going.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Control {
    /// A connection begins.
    Connect,
    /// It is answered.
    Accept,
    /// It ends.
    Disconnect,
    /// A ping or its answer.
    Ping,
    /// An acknowledgement.
    Acknowledge,
    /// Bandwidths and the like.
    Configure,
    /// Bytes that were not captured, or not kept.
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
