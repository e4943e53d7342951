//! Detects the compression of a session.

#[cfg(feature = "compression")]
use super::Blocks;
use super::{DatagramCodec, Opened};
#[cfg(feature = "compression")]
use crate::transport::enet::{Command, Commands, Error, ErrorKind};
use crate::transport::enet::{CompressionMode, Result};

/// The knowledge of a session about its compression.
#[derive(Clone, Copy, Debug)]
pub(in crate::transport::enet) enum Detection {
    /// The mode that the caller chose.
    Fixed(CompressionMode),
    /// The mode of earlier datagrams, to which no other mode fits.
    Detected(CompressionMode),
    /// No datagram was compressed, or other modes fit, too. The last mode, if any, is preferred.
    Unknown(Option<CompressionMode>),
}

impl Detection {
    /// Decompresses the body of a datagram.
    #[inline]
    pub(in crate::transport::enet) fn open<'c>(
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
    pub(in crate::transport::enet) const fn is_fixed(self) -> bool {
        matches!(self, Self::Fixed(_))
    }

    /// Adds what a valid datagram of this mode shows.
    pub(in crate::transport::enet) fn learn(&mut self, mode: CompressionMode, is_certain: bool) {
        match self {
            Self::Fixed(_) => {}
            _ if is_certain => *self = Self::Detected(mode),
            _ => *self = Self::Unknown(Some(mode)),
        }
    }

    /// Keeps the detected mode only as a preference, for a new connection.
    pub(in crate::transport::enet) fn restart(&mut self) {
        if let Self::Detected(mode) = *self {
            *self = Self::Unknown(Some(mode));
        }
    }
}

#[cfg(feature = "compression")]
pub(super) fn detect<'c>(
    codec: &'c mut DatagramCodec,
    body: &[u8],
    header_len: usize,
    last: Option<CompressionMode>,
) -> Result<Opened<'c>> {
    let DatagramCodec { range_coder, blocks, .. } = codec;
    let indicated = Blocks::indicated(body)
        .filter(|mode| blocks.decompress(*mode, body, header_len).is_ok_and(fits));
    // Only one of these modes is tried in addition to the range coder.
    let mode = indicated.unwrap_or(CompressionMode::FastLz);
    let coded = range_coder.decode_datagram(body, header_len).unwrap_or_default();
    let block = blocks.decompress(mode, body, header_len).unwrap_or_default();
    let is_block_preferred = indicated.is_some() || last == Some(mode);
    let (commands, mode, is_certain) = match (fits(block), fits(coded)) {
        (true, false) => (block, mode, true),
        (true, true) if is_block_preferred => (block, mode, false),
        (false, true) => (coded, CompressionMode::RangeCoder, true),
        (true, true) => (coded, CompressionMode::RangeCoder, false),
        (false, false) => return Err(Error::new(ErrorKind::BadCode, header_len as u64)),
    };
    Ok(Opened { commands, mode, is_certain })
}

/// Returns `true` for a run of commands as ENet sends them.
#[cfg(feature = "compression")]
fn fits(bytes: &[u8]) -> bool {
    let is_plausible = |command: Result<Command<'_>>| command.is_ok_and(|it| it.is_plausible());
    !bytes.is_empty() && Commands::new(bytes, 0).all(is_plausible)
}

/// Without the other modes, the range coder is the only candidate.
#[cfg(not(feature = "compression"))]
pub(super) fn detect<'c>(
    codec: &'c mut DatagramCodec,
    body: &[u8],
    header_len: usize,
    _: Option<CompressionMode>,
) -> Result<Opened<'c>> {
    let mode = CompressionMode::RangeCoder;
    let commands = codec.decompress(mode, body, header_len)?;
    Ok(Opened { commands, mode, is_certain: false })
}
