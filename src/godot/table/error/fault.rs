//! Errors of multiplayer packets.

use core::fmt;

/// The reason why a multiplayer packet is malformed. It is part of
/// [`ErrorKind::Multiplayer`](crate::godot::ErrorKind::Multiplayer).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Fewer bytes than the engine requires. A packet that ends inside a list or a value is
    /// reported as [`UnexpectedEnd`](crate::godot::ErrorKind::UnexpectedEnd) instead.
    #[error("expected {message} of at least {least} bytes, found fewer")]
    TooShort {
        /// The message.
        message: Message,
        /// Minimum number of bytes.
        least: u8,
    },
    /// More bytes than the engine accepts.
    #[error("more bytes than {0} has")]
    TooLong(Message),
    /// A number in a Godot 3 packet or transport message that is not a command. In Godot 4, every
    /// value of the first byte is a command.
    #[error("{0} is not a command of a multiplayer packet")]
    UnknownCommand(u32),
    /// A system packet whose second byte is not a command.
    #[error("{0} is not a system command")]
    UnknownSystemCommand(u8),
    /// The two bits that select the size of a node id hold 3. Only 0, 1 and 2 are valid.
    #[error("3 is not a size of a node id")]
    NodeIdSize,
    /// A node path whose offset lies outside the packet.
    #[error("the node path at byte {at} lies outside the packet")]
    PathOutside {
        /// The offset, in bytes from the start of the packet.
        at: u32,
    },
    /// A name without a NUL at its end.
    #[error("a name without a NUL at its end")]
    Unterminated,
    /// A spawned node without a name.
    #[error("a spawned node without a name")]
    NoName,
    /// A relayed packet that is a system packet.
    #[error("the relayed packet is a system packet")]
    SystemRelayed,
    /// Writing: an id with bit 31 set. Receivers interpret that bit as a flag.
    #[error("{0:#x} is not an id, because bit 31 is set")]
    NoId(u32),
    /// Writing: a call with more than 255 arguments.
    #[error("a call with {0} arguments, but at most 255 are possible")]
    TooManyArguments(u32),
}

/// The kinds of messages between peers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Message {
    /// Any packet.
    Packet,
    /// REMOTE_CALL: calls a method.
    Call,
    /// REMOTE_SET (Godot 3): sets a property.
    Set,
    /// SIMPLIFY_PATH: assigns a number to a node.
    SimplifyPath,
    /// CONFIRM_PATH: confirms the number of a node.
    ConfirmPath,
    /// RAW: bytes that a script sends.
    Raw,
    /// SPAWN (Godot 4): creates a node.
    Spawn,
    /// DESPAWN (Godot 4): removes a node.
    Despawn,
    /// SYNC (Godot 4): the properties that are sent regularly.
    Sync,
    /// SYNC with the delta flag (since Godot 4.1): the properties that have changed.
    Delta,
    /// SYS (Godot 4): a message of the multiplayer system.
    System,
    /// SYS AUTH: authentication.
    Auth,
    /// SYS ADD_PEER: a peer connected.
    AddPeer,
    /// SYS DEL_PEER: a peer disconnected.
    DelPeer,
    /// SYS RELAY: a packet for another peer.
    Relay,
    /// The prefix of a Godot 3 packet in ENet.
    EnetPrefix,
    /// A Godot 3 message on ENet's channel 0.
    EnetConfig,
    /// The prefix of a Godot 3 packet in a WebSocket.
    WebSocketPrefix,
    /// A Godot 3 message about peers, in a WebSocket.
    WebSocketPeer,
    /// The first Godot 4 message in a WebSocket, which contains the peer's id.
    PeerId,
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Packet => "a packet",
            Self::Call => "a REMOTE_CALL",
            Self::Set => "a REMOTE_SET",
            Self::SimplifyPath => "a SIMPLIFY_PATH",
            Self::ConfirmPath => "a CONFIRM_PATH",
            Self::Raw => "a RAW packet",
            Self::Spawn => "a SPAWN",
            Self::Despawn => "a DESPAWN",
            Self::Sync => "a SYNC",
            Self::Delta => "a SYNC of changes",
            Self::System => "a SYS packet",
            Self::Auth => "an AUTH",
            Self::AddPeer => "an ADD_PEER",
            Self::DelPeer => "a DEL_PEER",
            Self::Relay => "a RELAY",
            Self::EnetPrefix => "a packet in ENet",
            Self::EnetConfig => "a message on ENet's channel 0",
            Self::WebSocketPrefix => "a packet in a WebSocket",
            Self::WebSocketPeer => "a WebSocket message about a peer",
            Self::PeerId => "a peer's id",
        })
    }
}
