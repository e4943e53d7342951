//! Decodes transport protocols: turns the bytes of datagrams and streams into the packets that were
//! sent.
//!
//! The caller feeds each transport with bytes from any source. No transport opens a socket,
//! interprets packets, or allocates more memory than its limits allow.
//!
//! * [`enet`]: datagrams, commands, compression and sessions of ENet, the UDP protocol of Godot's
//!   `ENetMultiplayerPeer` and of many other games.
//! * [`tcp`]: reassembles one direction of a TCP connection.
//! * [`websocket`]: decodes the messages in one direction of a WebSocket.

mod breakdown;

pub mod enet;
#[cfg(feature = "host")]
pub(crate) mod random;
pub mod tcp;
pub mod websocket;

pub use breakdown::{Breakdown, Sum};
