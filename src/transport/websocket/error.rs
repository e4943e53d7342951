use crate::buffer;

/// An error in a WebSocket. Its offset is that of the malformed frame or head, from the start of
/// the stream.
pub type Error = buffer::Error<ErrorKind>;

/// The cause of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The stream does not start with an HTTP request or response.
    #[error("the stream does not start with an HTTP request or response")]
    NotHttp,
    /// The head does not end within [`Limits::head`](super::Limits::head).
    #[error("the HTTP head is longer than {limit} bytes")]
    HeadTooLong {
        /// The limit.
        limit: u32,
    },
    /// The server responds with a status other than 101.
    #[error("the server answered {status} instead of upgrading")]
    Refused {
        /// The status code.
        status: u16,
    },
    /// The HTTP message does not request or accept a WebSocket.
    #[error("the HTTP message does not upgrade to a WebSocket")]
    NotAnUpgrade,
    /// An HTTP response where a request is expected, or the reverse.
    #[error("the HTTP message comes from the wrong side of the connection")]
    WrongSide,
    /// A frame from a client without a mask, or a frame from a server with one.
    #[error("a frame is masked that must not be, or not masked that must be")]
    WrongMask,
    /// Reserved bits are set. Only extensions use these bits.
    #[error("reserved bits are set in the header of a frame")]
    ReservedBits,
    /// A reserved opcode.
    #[error("reserved opcode {0}")]
    ReservedOpcode(u8),
    /// A control frame without the FIN bit.
    #[error("a fragmented control frame")]
    FragmentedControl,
    /// A control frame of more than 125 bytes.
    #[error("a control frame of more than 125 bytes")]
    LongControl,
    /// A length in more bytes than necessary, or with the highest bit set.
    #[error("length {0} is not in its shortest form, or has its highest bit set")]
    BadLength(u64),
    /// A continuation frame without an unfinished message.
    #[error("a continuation frame without an unfinished message")]
    NothingToContinue,
    /// A new message before the end of the previous one.
    #[error("a new message before the end of the previous one")]
    Unfinished,
    /// A message that is longer than [`Limits::message`](super::Limits::message).
    #[error("a message of at least {len} bytes (the limit is {limit})")]
    TooLong {
        /// Length of the message including the current frame.
        len: u64,
        /// The limit.
        limit: u32,
    },
    /// A close frame with one byte, although a status code has two.
    #[error("a close frame with an incomplete status code")]
    BadClose,
    /// A status code that is reserved or not allowed in a close frame.
    #[error("invalid status code {0} in a close frame")]
    BadCloseCode(u16),
    /// A text message that is not valid UTF-8. The decoder does not check this.
    #[error("a text message that is not valid UTF-8")]
    NotUtf8,
    /// Bytes after the close frame.
    #[error("bytes after the close frame")]
    AfterClose,
}

const _: () = assert!(size_of::<Error>() <= 32);
