use core::fmt;

/// What is wrong with a multiplayer packet, in
/// [`ErrorKind::Multiplayer`](crate::godot::ErrorKind::Multiplayer).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Fewer bytes than the engine asks for. (What ends inside a list or a value is an
    /// [`UnexpectedEnd`](crate::godot::ErrorKind::UnexpectedEnd).)
    #[error("{message} of {least} bytes at the least was expected, it ends here")]
    TooShort {
        /// Of what.
        message: Message,
        /// How many bytes it must have.
        least: u8,
    },
    /// More bytes than the engine takes.
    #[error("more bytes than {0} has")]
    TooLong(Message),
    /// A first byte that is no command. (In Godot 4, all are.)
    #[error("{0} is no command of a multiplayer packet")]
    UnknownCommand(u32),
    /// A second byte of a system packet that is no command.
    #[error("{0} is no system command")]
    UnknownSystemCommand(u8),
    /// Both bits set of a node id's size.
    #[error("3 is no size of a node id")]
    NodeIdSize,
    /// A path said to be where the packet has ended already.
    #[error("a node path at byte {at} of a packet that ends before")]
    PathOutside {
        /// Where it is said to be, in bytes from the packet's start.
        at: u32,
    },
    /// A name without the NUL at its end.
    #[error("a name without a NUL at its end")]
    Unterminated,
    /// A spawned node without a name.
    #[error("a spawned node without a name")]
    NoName,
    /// A relayed packet that is a system packet itself.
    #[error("a system packet inside a relayed one")]
    SystemRelayed,
    /// Writing: an id that would be taken for something else, for its bit 31.
    #[error("{0:#x} has bit 31 set, which no id has")]
    NoId(u32),
    /// Writing: a call has 255 arguments at the most.
    #[error("a call with {0} arguments: 255 are the most")]
    TooManyArguments(u32),
}

/// What messages there are between peers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Message {
    /// Any packet.
    Packet,
    /// REMOTE_CALL: calls a method.
    Call,
    /// REMOTE_SET (Godot 3): sets a property.
    Set,
    /// SIMPLIFY_PATH: gives a node a number.
    SimplifyPath,
    /// CONFIRM_PATH: takes note of it.
    ConfirmPath,
    /// RAW: bytes of a script.
    Raw,
    /// SPAWN (Godot 4): makes a node.
    Spawn,
    /// DESPAWN (Godot 4): removes it.
    Despawn,
    /// SYNC (Godot 4): the properties that are always sent.
    Sync,
    /// SYNC with its flag (4.1): the properties that have changed.
    Delta,
    /// SYS (Godot 4).
    System,
    /// SYS AUTH: authentication.
    Auth,
    /// SYS ADD_PEER.
    AddPeer,
    /// SYS DEL_PEER.
    DelPeer,
    /// SYS RELAY: a packet for another peer.
    Relay,
    /// What Godot 3 puts in front of a packet in ENet.
    EnetPrefix,
    /// What Godot 3 sends on ENet's channel 0.
    EnetConfig,
    /// What Godot 3 puts in front of a packet in a WebSocket.
    WebSocketPrefix,
    /// What Godot 3 sends in a WebSocket about peers.
    WebSocketPeer,
    /// The first message of Godot 4 in a WebSocket.
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
