use super::record::{Content, Control, Record};
use crate::godot::multiplayer::godot4::System;
use crate::godot::multiplayer::{godot3, godot4};
use core::fmt;

macro_rules! record_kinds {
    ($($(#[$doc:meta])* $kind:ident $name:literal,)*) => {
        /// The kind of a [`Record`], independent of engine and transport.
        ///
        /// ```
        /// use gamewire::traffic::RecordKind;
        ///
        /// assert_eq!(RecordKind::SimplifyPath.to_string(), "simplify_path");
        /// assert!(RecordKind::ALL.iter().any(|kind| kind.name() == "rpc"));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum RecordKind {
            $($(#[$doc])* $kind,)*
        }

        impl RecordKind {
            /// All kinds, in the order of their declaration.
            pub const ALL: &[Self] = &[$(Self::$kind,)*];

            /// Returns the name, in lower case with underscores: `simplify_path`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }
    };
}
record_kinds! {
    /// A remote procedure call.
    Rpc "rpc",
    /// A property set remotely (Godot 3).
    Set "set",
    /// Bytes sent by a script.
    Raw "raw",
    /// The announcement of a number that stands for a node's path.
    SimplifyPath "simplify_path",
    /// A confirmation that a peer knows the number of a node's path.
    ConfirmPath "confirm_path",
    /// A node spawned by a `MultiplayerSpawner`.
    Spawn "spawn",
    /// The removal of a spawned node.
    Despawn "despawn",
    /// The state of nodes, sent at regular intervals by a `MultiplayerSynchronizer`.
    Sync "sync",
    /// The properties of nodes that have changed.
    Delta "delta",
    /// Bytes exchanged to authenticate a peer.
    Auth "auth",
    /// A peer has connected.
    AddPeer "add_peer",
    /// A peer has disconnected.
    DelPeer "del_peer",
    /// A single value outside the multiplayer, as `put_var` sends it.
    Var "var",
    /// A message of the debugger.
    Debugger "debugger",
    /// A text message of a WebSocket.
    Text "text",
    /// Bytes in a game's own protocol.
    Bytes "bytes",
    /// Encrypted bytes.
    Encrypted "encrypted",
    /// A datagram of STUN.
    Stun "stun",
    /// Bytes that are not a valid packet.
    Malformed "malformed",
    /// [`Control::Connect`].
    Connect "connect",
    /// [`Control::Accept`].
    Accept "accept",
    /// [`Control::Disconnect`].
    Disconnect "disconnect",
    /// [`Control::Ping`].
    Ping "ping",
    /// [`Control::Acknowledge`].
    Acknowledge "acknowledge",
    /// [`Control::Configure`].
    Configure "configure",
    /// [`Control::Lost`].
    Lost "lost",
    /// None of the above.
    Unknown "unknown",
}

impl fmt::Display for RecordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Record<'_> {
    /// Returns the kind of the record.
    #[inline]
    pub fn kind(&self) -> RecordKind {
        match &self.content {
            Content::Godot4(packet) => godot4(packet),
            Content::Godot3(packet) => godot3(packet),
            Content::AddPeer(_) => RecordKind::AddPeer,
            Content::DelPeer(_) => RecordKind::DelPeer,
            Content::Value(_) => RecordKind::Var,
            Content::Debugger(_) => RecordKind::Debugger,
            Content::Text(_) => RecordKind::Text,
            Content::Bytes { .. } => RecordKind::Bytes,
            Content::Encrypted(_) => RecordKind::Encrypted,
            Content::Stun => RecordKind::Stun,
            Content::Malformed { .. } => RecordKind::Malformed,
            Content::Control(control) => (*control).into(),
        }
    }

    /// Returns `true` for messages that a transport sends to maintain a connection, such as
    /// pings and acknowledgements, and for [`Control::Lost`].
    pub fn is_control(&self) -> bool {
        matches!(self.content, Content::Control(_))
    }

    /// Returns `true` for encrypted traffic, and for the traffic that prepares it. Such traffic can
    /// belong to a game or to any other program.
    pub fn is_encrypted(&self) -> bool {
        matches!(self.content, Content::Encrypted(_) | Content::Stun)
    }
}

impl From<Control> for RecordKind {
    fn from(control: Control) -> Self {
        match control {
            Control::Connect => Self::Connect,
            Control::Accept => Self::Accept,
            Control::Disconnect => Self::Disconnect,
            Control::Ping => Self::Ping,
            Control::Acknowledge => Self::Acknowledge,
            Control::Configure => Self::Configure,
            Control::Lost => Self::Lost,
        }
    }
}

pub(super) fn godot4(packet: &godot4::Packet<'_>) -> RecordKind {
    match packet {
        godot4::Packet::Call(_) => RecordKind::Rpc,
        godot4::Packet::SimplifyPath(_) => RecordKind::SimplifyPath,
        godot4::Packet::ConfirmPath(_) => RecordKind::ConfirmPath,
        godot4::Packet::Raw(_) => RecordKind::Raw,
        godot4::Packet::Spawn(_) => RecordKind::Spawn,
        godot4::Packet::Despawn { .. } => RecordKind::Despawn,
        godot4::Packet::Sync(_) => RecordKind::Sync,
        godot4::Packet::Delta(_) => RecordKind::Delta,
        godot4::Packet::System(System::Auth(_)) => RecordKind::Auth,
        godot4::Packet::System(System::AddPeer(_)) => RecordKind::AddPeer,
        godot4::Packet::System(System::DelPeer(_)) => RecordKind::DelPeer,
        // The content of a relayed packet is the packet inside, never the relay itself.
        godot4::Packet::System(System::Relay(_)) => RecordKind::Unknown,
    }
}

pub(super) fn godot3(packet: &godot3::Packet<'_>) -> RecordKind {
    match packet {
        godot3::Packet::Call(_) => RecordKind::Rpc,
        godot3::Packet::Set(_) => RecordKind::Set,
        godot3::Packet::SimplifyPath { .. } => RecordKind::SimplifyPath,
        godot3::Packet::ConfirmPath { .. } => RecordKind::ConfirmPath,
        godot3::Packet::Raw(_) => RecordKind::Raw,
    }
}
