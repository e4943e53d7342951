use super::link_type::LinkType;
use crate::buffer;
use std::io;

/// An error of reading a capture. Its offset is usually that of the malformed record or block.
pub type Error = buffer::Error<ErrorKind>;

/// The cause of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file begins neither like pcap nor like pcapng. The variant holds the first four bytes of
    /// the file.
    #[error("neither pcap nor pcapng (the first bytes are {0:02x?})")]
    NotACapture([u8; 4]),
    /// A version of the format that is not supported. No such version is in wide use.
    #[error("version {major}.{minor} of the format is not supported")]
    UnknownVersion {
        /// Major version.
        major: u16,
        /// Minor version.
        minor: u16,
    },
    /// The file ends inside a record. All packets before it were returned.
    #[error("the file ends inside a record (bytes missing: {missing})")]
    CutOff {
        /// Minimum number of further bytes needed.
        missing: u64,
    },
    /// A length field that is invalid, or exceeds the record that contains it.
    #[error("invalid length {0}")]
    BadLength(u32),
    /// A record or block that is longer than [`Limits::record`](super::Limits::record).
    #[error("a record of {len} bytes (the limit is {limit})")]
    TooLong {
        /// Length of the packet in the record (pcap), or of the block (pcapng).
        len: u32,
        /// The limit.
        limit: u32,
    },
    /// pcapng: the lengths at the start and at the end of a block differ.
    #[error("the lengths at the start ({leading}) and at the end ({trailing}) of a block differ")]
    LengthsDiffer {
        /// Length at the start.
        leading: u32,
        /// Length at the end.
        trailing: u32,
    },
    /// pcapng: an invalid byte-order magic at the start of a section.
    #[error("invalid byte-order magic {0:02x?} of a section")]
    BadByteOrder([u8; 4]),
    /// pcapng: a packet of an interface without a description.
    #[error("a packet of interface {0}, which has no description")]
    UnknownInterface(u32),
    /// pcapng: more interfaces than [`Limits::interfaces`](super::Limits::interfaces).
    #[error("more than {0} interfaces")]
    TooManyInterfaces(u32),
    /// The input returned an error. The reader keeps its state, so the call can be repeated.
    #[error("reading failed: {0}")]
    Read(io::ErrorKind),
}

const _: () = assert!(size_of::<ErrorKind>() <= 16);
const _: () = assert!(size_of::<LinkType>() == 2);
