//! What packets travel in: from the bytes of a datagram or a stream to the packets that
//! were sent. Nothing here opens a socket, and nothing knows what a packet holds.
//!
//! * [`tcp`]: one direction of a connection put in order, from its segments.
//! * [`websocket`]: the messages in such a stream, from the upgrade on.

pub mod tcp;
pub mod websocket;
