use super::head::Head;

/// An event of a [`Decoder`](super::Decoder).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// The connection is upgraded to a WebSocket.
    Upgrade(Head<'a>),
    /// A complete message.
    Message(Message<'a>),
    /// A request for a pong.
    Ping(&'a [u8]),
    /// An answer to a ping.
    Pong(&'a [u8]),
    /// A close frame, the last frame of this direction.
    Close {
        /// Status code (RFC 6455, section 7.4).
        code: Option<u16>,
        /// Explanation, which should be UTF-8. It is not checked.
        reason: &'a [u8],
    },
}

/// A message, from one or more frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message<'a> {
    /// Kind of the message.
    pub kind: Kind,
    /// Unmasked bytes of the message.
    pub payload: &'a [u8],
}

/// The kind of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Text, which should be UTF-8. It is not checked.
    Text,
    /// Binary data.
    Binary,
}
