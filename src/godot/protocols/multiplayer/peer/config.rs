//! Settings of a peer.

use crate::godot::{Dialect, Target};
use alloc::string::String;

/// Settings of a [`Peer`](super::Peer). The defaults are those of the engine where it has such a
/// setting.
#[derive(Clone, Debug)]
pub struct Config {
    /// The engine version of the other peers: Godot 4, or [`Dialect::Godot3`]. It determines the
    /// types that can be sent, the form of CONFIRM_PATH and the receivers of relayed packets.
    /// [`Target::GODOT4_0`] stands for 4.0 to 4.2.
    pub engine: Target,
    /// `true` if the server passes packets from client to client, and tells each client about the
    /// others (`SceneMultiplayer.server_relay`). All peers must have the same setting.
    pub relay: bool,
    /// `true` if peers must authenticate before they are connected
    /// (`SceneMultiplayer.auth_callback`). All peers must have the same setting.
    pub auth: bool,
    /// Milliseconds after which a peer that has not authenticated is disconnected; 0 for never
    /// (`SceneMultiplayer.auth_timeout`).
    pub auth_timeout: u64,
    /// The transport of Godot 3, whose packets differ. It has no meaning for Godot 4.
    pub transport: Transport3,
    /// Path of the node to which the paths in packets are relative (`SceneMultiplayer.root_path`).
    pub root: String,
    /// Limits of memory.
    pub limits: Limits,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            engine: Dialect::Godot4.into(),
            relay: true,
            auth: false,
            auth_timeout: 3000,
            transport: Transport3::Enet,
            root: String::from("/root"),
            limits: Limits::default(),
        }
    }
}

/// The transport of a peer that runs Godot 3. Each adds a prefix to packets, and has its own
/// messages about other peers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Transport3 {
    /// `NetworkedMultiplayerENet`.
    #[default]
    Enet,
    /// `WebSocketServer` and `WebSocketClient`.
    WebSocket,
}

/// Limits of the memory of a [`Peer`](super::Peer).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of other peers. Further ones are refused.
    pub peers: u32,
    /// Maximum number of declared nodes.
    pub nodes: u32,
    /// Maximum size of all packets in the outgoing queue, in bytes. A sixteenth of it is reserved
    /// for answers to the packets of peers. If the queue is full, calls return an error, and
    /// answers are dropped and reported.
    pub outgoing: usize,
    /// Maximum size of all events in the queue, in bytes. If the queue is full, packets are refused
    /// and reported.
    pub events: usize,
    /// Maximum size of a packet that is accepted, in bytes.
    pub packet: usize,
    /// Maximum number of nodes that a peer may have spawned at the same time.
    pub spawned: u32,
    /// Maximum size of a packet with the properties that are always sent
    /// (`SceneMultiplayer.max_sync_packet_size`).
    pub sync: usize,
    /// Maximum size of a packet with changed properties
    /// (`SceneMultiplayer.max_delta_packet_size`).
    pub delta: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            peers: 4095,
            nodes: 16_384,
            outgoing: 16 << 20,
            events: 4 << 20,
            packet: 1 << 20,
            spawned: 256,
            sync: 1350,
            delta: 65_535,
        }
    }
}
