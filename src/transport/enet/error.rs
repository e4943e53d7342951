use crate::buffer::{self, Full, UnexpectedEnd};

/// Why a datagram cannot be read, or a command cannot be written.
///
/// ```
/// use gamewire::transport::enet::{Datagram, ErrorKind};
///
/// let error = Datagram::parse(&[0x80, 0, 1]).unwrap_err();
/// assert_eq!(*error.kind(), ErrorKind::UnexpectedEnd { missing: 1 });
/// assert_eq!(error.offset(), 2);
/// ```
pub type Error = buffer::Error<ErrorKind>;

pub(crate) type Result<T> = core::result::Result<T, Error>;

/// What went wrong; the [`Error`] around it says where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The datagram ends inside its header or a command.
    #[error("the datagram ends inside a command (bytes missing: {missing})")]
    UnexpectedEnd {
        /// How many more bytes are needed, at the least.
        missing: u32,
    },
    /// A type of command that ENet does not have: 0, or above 12.
    #[error("{id} is no type of command")]
    UnknownCommand {
        /// The low 4 bits of the command's first byte.
        id: u8,
    },
    /// A compressed body that the range coder does not write. (A game may have chosen another
    /// compression: Godot offers FastLZ, zlib and Zstandard, too, and datagrams do not say
    /// which it is.)
    #[error("compressed, and not by the range coder")]
    BadCode,
    /// A compressed body without a byte in it.
    #[error("compressed data without a byte in it")]
    Empty,
    /// A compressed body of more bytes than there is room for; ENet takes 4096, less the
    /// datagram's header.
    #[error("compressed data of more bytes than there is room for")]
    TooLong,
    /// A fragment whose fields contradict each other, or another fragment of the packet.
    #[error("a fragment that contradicts itself or another one")]
    BadFragment,
    /// A packet on channel 255, which has none.
    #[error("a packet on channel 255")]
    BadChannel,

    /// Writing: a number that its field does not hold, such as a payload of 64 KiB.
    #[error("a number that does not fit its field")]
    OutOfRange,
    /// Writing: the sink is full.
    #[error("no room left (bytes missing: {missing})")]
    NoRoom {
        /// How many more bytes the sink would have to hold.
        missing: u32,
    },
}

impl From<buffer::Error<UnexpectedEnd>> for Error {
    #[cold]
    fn from(end: buffer::Error<UnexpectedEnd>) -> Self {
        let UnexpectedEnd { missing } = *end.kind();
        Self::new(ErrorKind::UnexpectedEnd { missing }, end.offset())
    }
}

impl From<Full> for ErrorKind {
    fn from(full: Full) -> Self {
        Self::NoRoom { missing: full.missing }
    }
}

const _: () = assert!(size_of::<Error>() == 16);
