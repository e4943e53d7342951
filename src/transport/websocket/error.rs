use crate::buffer;

/// Why a stream is no WebSocket, and where the frame (or head) starts that shows it, in
/// bytes from the start of the stream.
pub type Error = buffer::Error<ErrorKind>;

/// What went wrong; the [`Error`] around it says where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// It does not start with an HTTP request or response.
    #[error("neither a request to upgrade nor the answer to one")]
    NotHttp,
    /// The head does not end within [`Limits::head`](super::Limits::head).
    #[error("a head of more than {limit} bytes")]
    HeadTooLong {
        /// The limit.
        limit: u32,
    },
    /// An answer other than 101.
    #[error("the server answered {status} instead of upgrading")]
    Refused {
        /// The status.
        status: u16,
    },
    /// HTTP, but the head does not ask for (or agree to) a WebSocket.
    #[error("an HTTP message that does not upgrade to a WebSocket")]
    NotAnUpgrade,
    /// Bits that only extensions give a meaning.
    #[error("reserved bits are set in the header of a frame")]
    ReservedBits,
    /// An opcode that nothing is assigned to.
    #[error("opcode {0}, which is reserved")]
    ReservedOpcode(u8),
    /// A control frame that is not the last of its message.
    #[error("a control frame in fragments")]
    FragmentedControl,
    /// A control frame of more than 125 bytes.
    #[error("a control frame of more than 125 bytes")]
    LongControl,
    /// A length that takes more bytes than it has to, or that is negative.
    #[error("a length of {0}, written in a form that is not for it")]
    BadLength(u64),
    /// A continuation without anything before it.
    #[error("the continuation of no message")]
    NothingToContinue,
    /// A message that begins before the one before it ends.
    #[error("a message begins inside another")]
    Unfinished,
    /// A message that is longer than [`Limits::message`](super::Limits::message).
    #[error("a message of {len} bytes or more (the limit is {limit})")]
    TooLong {
        /// How long it is with the frame whose header says so.
        len: u64,
        /// The limit.
        limit: u32,
    },
    /// A close frame with one byte, where a code has two.
    #[error("a close frame with half a code")]
    BadClose,
    /// A code that may not be sent.
    #[error("close code {0}, which may not be sent")]
    BadCloseCode(u16),
    /// Bytes behind the close frame.
    #[error("more after the connection was closed")]
    AfterClose,
}

const _: () = assert!(size_of::<Error>() <= 32);
