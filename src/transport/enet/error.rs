use crate::buffer::{self, Full, UnexpectedEnd};

/// An error that occurred while reading or writing a datagram or command, with its offset.
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

/// The cause of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The datagram ends inside its header or a command.
    #[error("the datagram ends inside a command (bytes missing: {missing})")]
    UnexpectedEnd {
        /// Minimum number of further bytes needed.
        missing: u32,
    },
    /// A type of command that ENet does not define: 0, or above 12.
    #[error("unknown type of command {id}")]
    UnknownCommand {
        /// The low 4 bits of the command's first byte.
        id: u8,
    },
    /// A compressed body that is damaged, or compressed in a different mode. In a session whose
    /// mode is not known, this means that no mode gives valid commands.
    #[error("compressed data that is damaged, or compressed in a different way")]
    BadCode,
    /// A compressed body in a session without compression, or in a mode for which this crate was
    /// built without support (feature `compression`).
    #[error("compressed data in a session without compression")]
    Unsupported,
    /// A compressed body that decodes to no bytes.
    #[error("compressed data that decodes to nothing")]
    Empty,
    /// A compressed body that decodes to more bytes than allowed. ENet allows 4096, including the
    /// header of the datagram.
    #[error("compressed data that decodes to too many bytes")]
    TooLong,
    /// A fragment whose fields contradict each other, or contradict another fragment of the packet.
    #[error("inconsistent fields of a fragment")]
    BadFragment,
    /// A packet on channel 255, which is reserved for control commands.
    #[error("a packet on channel 255, which is reserved for control commands")]
    BadChannel,

    /// Writing: a number that does not fit into its field, such as a payload of 64 KiB.
    #[error("a number does not fit into its field")]
    OutOfRange,
    /// Writing: the sink is full.
    #[error("no room left (bytes missing: {missing})")]
    BufferFull {
        /// Number of further bytes that the sink would need.
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
        Self::BufferFull { missing: full.missing }
    }
}

const _: () = assert!(size_of::<Error>() == 16);
