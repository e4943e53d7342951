//! Detects the compression of a session.

#[cfg(feature = "compression")]
use super::{Blocks, fit::Fit};
use super::{DatagramCodec, Opened};
use crate::transport::enet::{CompressionMode, Result};
#[cfg(feature = "compression")]
use crate::transport::enet::{Error, ErrorKind};

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
    let coded = range_coder.decode_datagram(body, header_len).unwrap_or_default();
    if let Some(mode) = Blocks::indicated(body)
        && fit_of(blocks, mode, body, header_len) != Fit::Invalid
    {
        let commands = blocks.decompress(mode, body, header_len)?;
        return Ok(Opened { commands, mode, is_certain: Fit::of(coded) == Fit::Invalid });
    }
    let fastlz = blocks.decompress(CompressionMode::FastLz, body, header_len).unwrap_or_default();
    let (range_coder, fast_lz) = (CompressionMode::RangeCoder, CompressionMode::FastLz);
    let candidates = [(Fit::of(coded), coded, range_coder), (Fit::of(fastlz), fastlz, fast_lz)];
    let fitting = candidates.iter().filter(|(fit, ..)| *fit != Fit::Invalid).count();
    let best = candidates.into_iter().max_by_key(|(fit, _, mode)| {
        (*fit, last == Some(*mode), *mode == CompressionMode::RangeCoder)
    });
    match best {
        Some((fit, commands, mode)) if fit != Fit::Invalid => {
            let is_certain = fitting == 1 && fit == Fit::Plausible;
            Ok(Opened { commands, mode, is_certain })
        }
        _ => Err(Error::new(ErrorKind::BadCode, header_len as u64)),
    }
}

#[cfg(feature = "compression")]
fn fit_of(blocks: &mut Blocks, mode: CompressionMode, body: &[u8], header_len: usize) -> Fit {
    blocks.decompress(mode, body, header_len).map_or(Fit::Invalid, Fit::of)
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
