#[cfg(feature = "compression")]
use super::blocks::Blocks;
use crate::transport::enet::CompressionMode;
#[cfg(feature = "compression")]
use crate::transport::enet::{Command, Commands, Error, ErrorKind, RangeCoder, Result};

/// The content of a compressed datagram.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opened<'c> {
    /// The commands, which may be invalid.
    pub commands: &'c [u8],
    pub mode: CompressionMode,
    /// `true` if no other mode fits.
    pub is_certain: bool,
}

/// Detects the mode of a datagram; see [`detect`](super::DatagramCodec::detect).
#[cfg(feature = "compression")]
pub(super) fn detect<'c>(
    range_coder: &'c mut RangeCoder,
    blocks: &'c mut Blocks,
    body: &[u8],
    header_len: usize,
    last: Option<CompressionMode>,
) -> Result<Opened<'c>> {
    let indicated = Blocks::indicated(body)
        .filter(|mode| blocks.decompress(*mode, body, header_len).is_ok_and(fits));
    // Besides the range coder, only the indicated mode is tried, or FastLZ if none is indicated.
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

/// Returns `true` if the bytes are a sequence of commands that ENet could have sent.
#[cfg(feature = "compression")]
fn fits(bytes: &[u8]) -> bool {
    let is_plausible = |command: Result<Command<'_>>| command.is_ok_and(|it| it.is_plausible());
    !bytes.is_empty() && Commands::new(bytes, 0).all(is_plausible)
}
