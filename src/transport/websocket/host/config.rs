//! The configuration of a connection.

use crate::transport::websocket::decoder::Limits;

/// What a [`Connection`](super::Connection) accepts, and how long it waits. Times are in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Limits of what the other side sends: 4 KiB for the head of the HTTP message, and 65,535
    /// bytes for a message, as in Godot.
    pub limits: Limits,
    /// Maximum number of bytes that wait to be sent: 65,535, as in Godot. At least 1 KiB is used.
    /// Answers to pings and the close frame have room of their own.
    pub output: u32,
    /// Time for the handshake: 3 seconds, as in Godot.
    pub handshake_timeout: u64,
    /// If the other side has been silent for this long, it is sent a ping: 10 seconds. Zero sends
    /// no pings.
    pub ping_interval: u64,
    /// If the other side has been silent for this long, the connection ends: 30 seconds. Zero waits
    /// forever.
    pub silence_timeout: u64,
    /// Time for the other side to answer a close frame: 1 second.
    pub close_timeout: u64,
    /// The subprotocol. A server accepts it if the client offers it. A client offers it.
    pub protocol: Option<&'static str>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            limits: Limits { head: 4 << 10, message: 65_535 },
            output: 65_535,
            handshake_timeout: 3000,
            ping_interval: 10_000,
            silence_timeout: 30_000,
            close_timeout: 1000,
            protocol: None,
        }
    }
}
