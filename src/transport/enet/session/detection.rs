//! The compression of a session.

use super::super::codec::Opened;
use super::super::{CompressionMode, DatagramCodec, Result};

/// The compression mode of a session, and how certain it is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Detection {
    /// The mode that the caller chose.
    Fixed(CompressionMode),
    /// The only mode that fits an earlier datagram, possibly one of the other direction.
    Detected(CompressionMode),
    /// The mode is not certain: no datagram has been compressed yet, several modes fit the
    /// compressed datagrams, or a new connection has begun. The last mode, if any, is preferred.
    Unknown(Option<CompressionMode>),
}

impl Detection {
    /// Decompresses the body of a datagram.
    #[inline]
    pub(super) fn open<'c>(
        self,
        codec: &'c mut DatagramCodec,
        body: &[u8],
        header_len: usize,
    ) -> Result<Opened<'c>> {
        match self {
            Self::Fixed(mode) | Self::Detected(mode) => {
                let commands = codec.decompress(mode, body, header_len)?;
                Ok(Opened { commands, mode, is_certain: true })
            }
            Self::Unknown(last) => codec.detect(body, header_len, last),
        }
    }

    /// Returns `true` if the caller chose the mode.
    pub(super) const fn is_fixed(self) -> bool {
        matches!(self, Self::Fixed(_))
    }

    /// Records that a valid datagram had this mode. `is_certain` is `true` if no other mode fits
    /// it.
    pub(super) fn learn(&mut self, mode: CompressionMode, is_certain: bool) {
        match self {
            Self::Fixed(_) => {}
            _ if is_certain => *self = Self::Detected(mode),
            _ => *self = Self::Unknown(Some(mode)),
        }
    }

    /// Keeps the detected mode only as a preference, for a new connection.
    pub(super) fn restart(&mut self) {
        if let Self::Detected(mode) = *self {
            *self = Self::Unknown(Some(mode));
        }
    }
}
