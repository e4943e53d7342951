//! The interface between the reader and the formats.

use super::link_type::LinkType;

/// The next step of the reader, determined by the format from the buffered bytes.
pub(super) enum Step {
    /// The bytes contain a packet.
    Packet(PacketInfo),
    /// Skip this number of bytes.
    Skip(u64),
    /// The record is incomplete. At least this number of bytes is needed, counted from its start.
    More(usize),
}

/// The position of a packet in the buffered bytes, and the fields of its record.
pub(super) struct PacketInfo {
    pub time: Option<i64>,
    pub link_type: LinkType,
    pub original_len: u32,
    /// Offset and length of the packet in the record.
    pub start: usize,
    pub len: usize,
    /// Size of the record.
    pub size: usize,
}

/// The byte order of the machine that wrote the file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ByteOrder {
    pub swapped: bool,
}

impl ByteOrder {
    #[inline(always)]
    pub fn u32(self, bytes: [u8; 4]) -> u32 {
        let word = u32::from_le_bytes(bytes);
        if self.swapped { word.swap_bytes() } else { word }
    }

    #[inline(always)]
    pub fn u16(self, bytes: [u8; 2]) -> u16 {
        let word = u16::from_le_bytes(bytes);
        if self.swapped { word.swap_bytes() } else { word }
    }

    pub fn bytes32(self, word: u32) -> [u8; 4] {
        if self.swapped { word.to_be_bytes() } else { word.to_le_bytes() }
    }

    pub fn bytes16(self, word: u16) -> [u8; 2] {
        if self.swapped { word.to_be_bytes() } else { word.to_le_bytes() }
    }
}

/// Reads `N` words of 32 bits from the start of `bytes`. Returns `None` if `bytes` is too short.
#[inline(always)]
pub(super) fn read_words<const N: usize>(bytes: &[u8], order: ByteOrder) -> Option<[u32; N]> {
    let (chunks, _) = bytes.as_chunks::<4>();
    let mut words = [0; N];
    // This is a loop because `map` is only inlined with link-time optimisation.
    for (word, chunk) in words.iter_mut().zip(chunks.first_chunk::<N>()?) {
        *word = order.u32(*chunk);
    }
    Some(words)
}
