//! Compression and decompression of datagrams.

#[cfg(feature = "compression")]
mod blocks;
mod opened;

use super::range_coder::MAX_DATAGRAM;
use super::{CompressionMode, Error, ErrorKind, RangeCoder, Result};
use alloc::boxed::Box;
#[cfg(feature = "compression")]
use blocks::Blocks;
use core::fmt;
pub(crate) use opened::Opened;

/// Compresses and decompresses the bodies of datagrams, in all modes that Godot offers. Its tables
/// are reused for each datagram: create one codec for all sessions.
///
/// The tables of the range coder take 100 KB. The tables of the other modes are allocated when they
/// are first needed, and take 12 KB for zlib and up to 300 KB for Zstandard. After that, no
/// datagram causes an allocation. No datagram decompresses to more than 4096 bytes.
///
/// ```
/// # #[cfg(feature = "compression")] {
/// use gamewire::transport::enet::{CompressionMode, DatagramCodec};
///
/// let ping_and_packet = b"\x05\xff\0\x02\x86\0\0\x01\0\x14hello hello hello he";
/// let mut codec = DatagramCodec::new();
/// let compressed = codec.compress(CompressionMode::FastLz, ping_and_packet)?;
/// let body = compressed.expect("it is shorter").to_vec();
/// assert_eq!(codec.decompress(CompressionMode::FastLz, &body, 4)?, ping_and_packet);
/// # }
/// # Ok::<(), gamewire::transport::enet::Error>(())
/// ```
#[derive(Default)]
pub struct DatagramCodec {
    range_coder: RangeCoder,
    /// Output of the encoder.
    compressed: Option<Box<[u8; MAX_DATAGRAM]>>,
    #[cfg(feature = "compression")]
    blocks: Blocks,
}

impl DatagramCodec {
    /// Creates a codec and allocates the tables of the range coder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Decompresses the body of a datagram with a header of `header_len` bytes, and returns the
    /// commands.
    ///
    /// Godot pads commands of less than 16 bytes with zeros before it compresses them with FastLZ.
    /// Such zeros after the last command are removed.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadCode`] for a damaged body, [`ErrorKind::Empty`] for a body without content,
    /// [`ErrorKind::TooLong`] if header and content exceed 4096 bytes, and
    /// [`ErrorKind::Unsupported`] for [`CompressionMode::None`] and for a mode for which this crate
    /// was built without support. The offset is relative to the datagram.
    pub fn decompress(
        &mut self,
        mode: CompressionMode,
        body: &[u8],
        header_len: usize,
    ) -> Result<&[u8]> {
        match mode {
            CompressionMode::RangeCoder => self.range_coder.decode_datagram(body, header_len),
            CompressionMode::None => Err(unsupported(header_len)),
            #[cfg(feature = "compression")]
            _ => self.blocks.decompress(mode, body, header_len),
            #[cfg(not(feature = "compression"))]
            _ => Err(unsupported(header_len)),
        }
    }

    /// Compresses the commands of a datagram. Returns `None` if the result would not be shorter: as
    /// in ENet, the commands should then be sent as they are, without the flag
    /// [`Datagram::compressed`](super::Datagram::compressed).
    ///
    /// The results of the range coder and of FastLZ are identical to Godot's. Godot can also read
    /// the results of zlib and Zstandard, although they are usually longer than those of Godot's
    /// own encoders, because the encoders here use only fixed codes.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::TooLong`] for more than 4096 bytes, and [`ErrorKind::Unsupported`] for a mode
    /// for which this crate was built without support.
    pub fn compress(&mut self, mode: CompressionMode, commands: &[u8]) -> Result<Option<&[u8]>> {
        if commands.len() > MAX_DATAGRAM {
            return Err(Error::new(ErrorKind::TooLong, MAX_DATAGRAM as u64));
        }
        match mode {
            CompressionMode::None => Ok(None),
            CompressionMode::RangeCoder => {
                let out = self.compressed.get_or_insert_with(|| Box::new([0; MAX_DATAGRAM]));
                let coded = self.range_coder.encode(commands, &mut out[..]).ok();
                Ok(coded.filter(|coded| coded.len() < commands.len()))
            }
            #[cfg(feature = "compression")]
            _ => Ok(self.blocks.compress(mode, commands)),
            #[cfg(not(feature = "compression"))]
            _ => Err(unsupported(0)),
        }
    }

    /// Detects the mode of a datagram. Decompresses the body in each mode that its first bytes do
    /// not rule out, and accepts a result that consists of
    /// [plausible](super::Command::is_plausible) commands. If several modes fit, prefers the mode
    /// `last`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadCode`] if no mode fits. Without the feature `compression`, the errors of
    /// [`decompress`](Self::decompress) with the range coder.
    pub(crate) fn detect(
        &mut self,
        body: &[u8],
        header_len: usize,
        last: Option<CompressionMode>,
    ) -> Result<Opened<'_>> {
        #[cfg(feature = "compression")]
        return opened::detect(&mut self.range_coder, &mut self.blocks, body, header_len, last);
        #[cfg(not(feature = "compression"))]
        {
            // The range coder is the only candidate.
            let _ = last;
            let mode = CompressionMode::RangeCoder;
            let commands = self.decompress(mode, body, header_len)?;
            Ok(Opened { commands, mode, is_certain: false })
        }
    }
}

impl fmt::Debug for DatagramCodec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DatagramCodec").finish_non_exhaustive()
    }
}

#[cold]
fn unsupported(offset: usize) -> Error {
    Error::new(ErrorKind::Unsupported, offset as u64)
}
