//! What packets travel in: from the bytes of a datagram or a stream to the packets that
//! were sent. Transports are fed with bytes from anywhere; nothing here opens a socket,
//! knows what a packet holds, or takes memory that its limits do not allow.
//!
//! * [`enet`]: datagrams, commands, compression and the state of a session, of ENet, which
//!   Godot's `ENetMultiplayerPeer` and many games speak over UDP.
//! * [`tcp`]: one direction of a TCP connection, put in order.
//! * [`websocket`]: the messages in one direction of a WebSocket.

pub mod enet;
pub mod tcp;
pub mod websocket;
