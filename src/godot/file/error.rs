use crate::buffer::{self, UnexpectedEnd};
use crate::compression;

/// An error in reading or writing a compressed or encrypted file. The offset counts from the start
/// of the file.
pub type Error = buffer::Error<ErrorKind>;

pub(crate) type Result<T, E = Error> = core::result::Result<T, E>;

/// Reason for an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file ends too early.
    #[error("{0}")]
    UnexpectedEnd(UnexpectedEnd),
    /// The file does not begin with the signature.
    #[error("the file does not begin with {0}")]
    NoSignature(&'static str),
    /// The header contains a compression number that Godot does not define.
    #[error("unknown compression {0}")]
    UnknownCompression(u32),
    /// A block size of 0, or of more than [`MAX_BLOCK_SIZE`](super::MAX_BLOCK_SIZE) bytes.
    #[error("block size {0}; engines write 4096")]
    BadBlockSize(u32),
    /// A block that cannot be compressed or decompressed.
    #[error("{0}")]
    Block(compression::ErrorKind),
    /// A block that does not have the number of bytes that the header announces.
    #[error("the block contains {found} bytes, but {expected} are expected")]
    BlockLength {
        /// Number of bytes that the block contains.
        found: u32,
        /// Expected number of bytes, computed from the length and block size in the header.
        expected: u32,
    },
    /// Content that is longer than the limit or the caller's buffer.
    #[error("the content has {len} bytes, more than the limit of {limit}")]
    TooLarge {
        /// Length of the content, in bytes.
        len: u64,
        /// The limit, in bytes.
        limit: u64,
    },
    /// An encrypted file that fits neither the form of Godot 3 nor that of Godot 4.
    #[error("the file is shorter than the encrypted content that it announces")]
    Incomplete,
    /// A key with which the content was not encrypted.
    #[error("the key does not fit (the content's MD5 differs)")]
    WrongKey,
}

impl From<buffer::Error<UnexpectedEnd>> for Error {
    fn from(error: buffer::Error<UnexpectedEnd>) -> Self {
        Self::new(ErrorKind::UnexpectedEnd(*error.kind()), error.offset())
    }
}
