//! What a connection reports.

use crate::transport::websocket::error::Error;
use crate::transport::websocket::event::Message;
use crate::transport::websocket::head::Head;

/// An event of a [`Connection`](super::Connection).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// The handshake is complete. A server gets the head of the client's request, a client that of
    /// the server's response.
    Opened(Head<'a>),
    /// A complete message. Text is valid UTF-8.
    Message(Message<'a>),
    /// The connection has ended. No further event follows. The caller writes what is left in the
    /// output, and closes the stream.
    Closed(Closed<'a>),
}

/// Why a [`Connection`](super::Connection) ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed<'a> {
    /// The other side sent a close frame.
    ByPeer {
        /// Status code (RFC 6455, section 7.4).
        code: Option<u16>,
        /// Explanation, which should be UTF-8. It is not checked.
        reason: &'a [u8],
    },
    /// [`Connection::close`](super::Connection::close) was called, and the other side has answered or the time for its answer
    /// is over.
    ByUs,
    /// The bytes of the other side violate the protocol. It was sent the status of the error.
    Failed(Error),
    /// The request or the response lacks a field of the handshake, or has a wrong one. A client
    /// was sent the HTTP status 400 or 426.
    BadHandshake,
    /// The handshake took too long, or the other side was silent for too long.
    TimedOut,
    /// The stream ended without a close frame.
    Aborted,
}
