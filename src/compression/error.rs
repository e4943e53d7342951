use crate::buffer::{self, UnexpectedEnd};

/// An error that occurred while compressing or decompressing a block, with its offset in the block.
///
/// ```
/// use gamewire::compression::{ErrorKind, fastlz};
///
/// let error = fastlz::decompress(b"\x05only", &mut [0; 100]).unwrap_err();
/// assert_eq!(*error.kind(), ErrorKind::UnexpectedEnd);
/// assert_eq!(error.offset(), 1);
/// ```
pub type Error = buffer::Error<ErrorKind>;

pub(crate) type Result<T> = core::result::Result<T, Error>;

/// The cause of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The block ends before the end of the compressed data.
    #[error("the compressed block is truncated")]
    UnexpectedEnd,
    /// Bytes that no encoder of this compression writes.
    #[error("the compressed block is damaged, or compressed in a different way")]
    Malformed,
    /// The checksum or length in the block differs from that of the decompressed bytes.
    #[error("the decompressed bytes do not match the checksum or length in the block")]
    Mismatch,
    /// The block holds more bytes than fit in the output.
    #[error("the block holds more than {limit} bytes")]
    TooLong {
        /// Length of the output in bytes.
        limit: u64,
    },
    /// A Zstandard frame that needs a window of more than 8 MiB.
    #[error("a window of {size} bytes is too large")]
    WindowTooLarge {
        /// Size of the window in bytes.
        size: u64,
    },
    /// A form that is not supported: a dictionary, compressing with Brotli, or Brotli without the
    /// feature `brotli`.
    #[error("this form of compression is not supported")]
    Unsupported,
}

impl From<buffer::Error<UnexpectedEnd>> for Error {
    #[cold]
    fn from(end: buffer::Error<UnexpectedEnd>) -> Self {
        Self::new(ErrorKind::UnexpectedEnd, end.offset())
    }
}
