use super::LinkType;
use crate::buffer;
use std::io;

/// Why a capture cannot be read (on), and where: most often the offset of the record or
/// block that is wrong.
pub type Error = buffer::Error<ErrorKind>;

/// What went wrong; the [`Error`] around it says where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Neither pcap nor pcapng, by its first four bytes.
    #[error("neither pcap nor pcapng (the first bytes are {0:02x?})")]
    NotACapture([u8; 4]),
    /// A version that was never in wide use.
    #[error("version {major}.{minor} of the format, which is not known")]
    UnknownVersion {
        /// As in the file.
        major: u16,
        /// As in the file.
        minor: u16,
    },
    /// The file ends inside a record. Everything before it was given.
    #[error("the file ends inside a record (bytes missing: {missing})")]
    CutOff {
        /// How many more bytes would be needed, at the least.
        missing: u64,
    },
    /// A length that no capture has, or that its place has no room for.
    #[error("a length of {0}, which cannot be")]
    BadLength(u32),
    /// A record that is longer than [`Limits::record`](super::Limits::record).
    #[error("a record of {len} bytes (the limit is {limit})")]
    TooLong {
        /// As the record says.
        len: u32,
        /// The limit.
        limit: u32,
    },
    /// pcapng: the length behind a block is not the one in front of it.
    #[error("a block's lengths differ: {front} in front, {behind} behind")]
    LengthsDiffer {
        /// In front.
        front: u32,
        /// Behind.
        behind: u32,
    },
    /// pcapng: a section that does not say its byte order.
    #[error("{0:02x?} in place of a section's byte order")]
    BadByteOrder([u8; 4]),
    /// pcapng: a packet of an interface that was not described.
    #[error("a packet of interface {0}, which was not described")]
    UnknownInterface(u32),
    /// pcapng: more interfaces than [`Limits::interfaces`](super::Limits::interfaces).
    #[error("more than {0} interfaces")]
    TooManyInterfaces(u32),
    /// Reading itself failed. The reader stays where it was, and can be asked again.
    #[error("reading failed: {0}")]
    Read(io::ErrorKind),
}

const _: () = assert!(size_of::<ErrorKind>() <= 16);
const _: () = assert!(size_of::<LinkType>() == 2);
