//! Packets of Godot's high-level multiplayer API: remote calls, node paths, replication, relays.
//! The module [`godot4`] reads and writes packets of `SceneMultiplayer` (4.0 to 4.6). The module
//! [`godot3`] does the same for `MultiplayerAPI` (3.0 to 3.6). The module [`transport`] reads and
//! writes the framing that ENet and WebSocket peers add.
//!
//! Packets are read without copying. The readers accept the same packets as the engine's receiver,
//! with the same minimum lengths. Only the caller can check what depends on the scene, such as
//! whether a node or a method exists. Values are checked when they are read; see [`Run`].
//!
//! Godot 4 does not send the name of a method. It sends an index into a sorted list of the node's
//! remote methods; see [`godot4::Method`]. A node is sent by path until the receiver has confirmed
//! a number for it. Each sender assigns its own numbers, so store them per peer.

mod arguments;
pub mod godot3;
pub mod godot4;
#[cfg(any(feature = "multiplayer", feature = "traffic"))]
pub mod methods;
mod objects;
mod parts;
#[cfg(feature = "multiplayer")]
pub mod peer;
mod run;
pub mod transport;

pub use crate::godot::table::error::{Fault, Message};
pub use arguments::FromArguments;
pub use parts::NodeRef;
#[cfg(feature = "multiplayer")]
pub use peer::Peer;
pub use run::{ObjectReading, Run, RunReader, ToVariants};

use parts::{
    HIGH_BIT, Input, Piece, Values, fail, id, length, put_text, put_whole, text, text_len,
};
