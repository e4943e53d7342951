//! What packets travel in: from the bytes of a datagram or a stream to the packets that
//! were sent. Nothing here opens a socket, and nothing knows what a packet holds.
//!
//! * [`enet`]: datagrams, commands, compression and the state of a session, of ENet, which
//!   Godot's `ENetMultiplayerPeer` and many games speak over UDP.

pub mod enet;
