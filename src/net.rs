//! What carries packets over a network: transports, fed with bytes from anywhere, that
//! give what was sent through them. Nothing here knows a format, opens a socket or
//! takes memory that its limits do not allow.

pub mod tcp;
pub mod websocket;
