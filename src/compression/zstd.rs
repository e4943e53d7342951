//! Zstandard frames (RFC 8878).

pub(super) mod predefined;

use super::{Error, ErrorKind, Result};
use crate::buffer::Cursor;
use predefined::{LastCodes, Reader};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use ruzstd::io::Read;
use zerocopy::little_endian::{U16, U32, U64};

/// Largest window that is accepted. RFC 8878 recommends that decoders support windows of up to this
/// size.
const MAX_WINDOW: u64 = 8 << 20;
const MIN_WINDOW: u64 = 1 << 10;
const MAGIC: u32 = 0xfd2f_b528;
/// The magic number of a skippable frame. Its low four bits can have any value.
const SKIPPABLE: u32 = 0x184d_2a50;
// Kinds of blocks.
const REPEATED_BYTE: u8 = 1;
const COMPRESSED: u8 = 2;

/// A decoder that reuses its memory.
pub(super) struct Decoder {
    frames: FrameDecoder,
    /// `true` if `frames` has the dictionary of the predefined codes.
    has_predefined: bool,
}

impl Decoder {
    pub(super) fn new() -> Self {
        let mut frames = FrameDecoder::new();
        let has_predefined = predefined::add_dictionary(&mut frames);
        Self { frames, has_predefined }
    }
}

/// Decompresses all frames of a block, and returns the number of bytes written.
pub(super) fn decompress(decoder: &mut Decoder, block: &[u8], out: &mut [u8]) -> Result<usize> {
    let mut cursor = Cursor::new(block);
    let (mut len, limit) = (0_usize, out.len() as u64);
    while !cursor.is_empty() {
        let start = cursor;
        match cursor.read::<U32>()?.get() {
            MAGIC => {
                let header = FrameHeader::read(&mut cursor)?;
                let room = out.get_mut(len..).unwrap_or_default();
                let frame = Frame { header, decoder, limit };
                len = len.saturating_add(frame.decompress(start, &mut cursor, room)?);
            }
            magic if magic & !15 == SKIPPABLE => {
                let size = cursor.read::<U32>()?.get();
                cursor.slice::<u8>(size)?;
            }
            _ => return fail(ErrorKind::Malformed, start),
        }
    }
    Ok(len)
}

/// The fields of a frame header after its magic number.
#[derive(Clone, Copy)]
struct FrameHeader {
    has_checksum: bool,
    window: u64,
    /// Length of the content, if it is stored.
    content: Option<u64>,
}

impl FrameHeader {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self> {
        let start = *cursor;
        let descriptor = *cursor.read::<u8>()?;
        let is_single = descriptor & 0x20 != 0;
        let window = match is_single {
            true => None,
            false => Some(window_size(*cursor.read::<u8>()?)),
        };
        let dictionary = match descriptor & 3 {
            0 => 0,
            1 => (*cursor.read::<u8>()?).into(),
            2 => cursor.read::<U16>()?.get().into(),
            _ => cursor.read::<U32>()?.get(),
        };
        let content = match descriptor >> 6 {
            0 if is_single => Some((*cursor.read::<u8>()?).into()),
            0 => None,
            1 => Some(u64::from(cursor.read::<U16>()?.get()).saturating_add(256)),
            2 => Some(cursor.read::<U32>()?.get().into()),
            _ => Some(cursor.read::<U64>()?.get()),
        };
        if descriptor & 8 != 0 {
            return fail(ErrorKind::Malformed, start);
        }
        if dictionary != 0 {
            return fail(ErrorKind::Unsupported, start);
        }
        // In a frame of a single segment, the window is as long as the content.
        let window = window.or(content).unwrap_or_default();
        Ok(Self { has_checksum: descriptor & 4 != 0, window, content })
    }
}

/// Decodes a window descriptor. Its upper five bits select a power of two. Its lower three bits
/// state how many eighths of this power are added.
fn window_size(descriptor: u8) -> u64 {
    let base = MIN_WINDOW << (descriptor >> 3);
    base.saturating_add((base >> 3).saturating_mul(u64::from(descriptor & 7)))
}

struct Frame<'d> {
    header: FrameHeader,
    decoder: &'d mut Decoder,
    /// Length of the whole output, which an error reports as the limit.
    limit: u64,
}

impl Frame<'_> {
    /// Decompresses the frame that begins at `start`. `cursor` must be at the end of the frame's
    /// header, and is moved to the end of the frame.
    fn decompress(
        self,
        start: Cursor<'_>,
        cursor: &mut Cursor<'_>,
        out: &mut [u8],
    ) -> Result<usize> {
        let Self { header, decoder, limit } = self;
        if header.content.is_some_and(|content| content > out.len() as u64) {
            return fail(ErrorKind::TooLong { limit }, start);
        }
        begin(&mut decoder.frames, header, cursor.since(&start), out.len(), start)?;
        let can_repeat = decoder.has_predefined && predefined::use_dictionary(&mut decoder.frames);
        let mut codes = can_repeat.then(LastCodes::default);
        let mut len = 0_usize;
        loop {
            let block = *cursor;
            let is_last = next_block(decoder, codes.as_mut(), header, cursor)?;
            let room = out.get_mut(len..).unwrap_or_default();
            let Ok(more) = decoder.frames.read(room) else {
                return fail(ErrorKind::Malformed, block);
            };
            len = len.saturating_add(more);
            if decoder.frames.can_collect() > 0 {
                return fail(ErrorKind::TooLong { limit }, block);
            }
            if is_last {
                break;
            }
        }
        let frames = &decoder.frames;
        let checksum = frames.get_checksum_from_data();
        let is_right = checksum.is_none_or(|sum| Some(sum) == frames.get_calculated_checksum());
        match is_right && header.content.is_none_or(|content| content == len as u64) {
            true => Ok(len),
            false => fail(ErrorKind::Mismatch, start),
        }
    }
}

/// Prepares the decoder for a frame. The decoder allocates memory for the whole window that the
/// header announces. To avoid a large allocation, this function reduces a window that is longer
/// than the output.
fn begin(
    decoder: &mut FrameDecoder,
    header: FrameHeader,
    bytes: &[u8],
    room: usize,
    start: Cursor<'_>,
) -> Result<()> {
    let needed = (room as u64).max(MIN_WINDOW);
    if header.window.min(needed) > MAX_WINDOW {
        return fail(ErrorKind::WindowTooLarge { size: header.window }, start);
    }
    let reduced = reduced_header(header, needed);
    let bytes = if header.window > needed { &reduced } else { bytes };
    decoder.reset(bytes).or_else(|_| fail(ErrorKind::Malformed, start))
}

/// Returns a frame header without the length of the content. The window that the header states is
/// the smallest power of two of at least `needed` bytes.
fn reduced_header(header: FrameHeader, needed: u64) -> [u8; 6] {
    let [a, b, c, d] = MAGIC.to_le_bytes();
    let exponent = needed.div_ceil(MIN_WINDOW).next_power_of_two().trailing_zeros() as u8;
    [a, b, c, d, if header.has_checksum { 4 } else { 0 }, exponent << 3]
}

/// Decompresses the next block of a frame. After the last block, also reads the checksum, if the
/// frame has one. Returns `true` for the last block.
fn next_block(
    decoder: &mut Decoder,
    codes: Option<&mut LastCodes>,
    header: FrameHeader,
    cursor: &mut Cursor<'_>,
) -> Result<bool> {
    let start = *cursor;
    let [low, middle, high] = *cursor.read::<[u8; 3]>()?;
    let (is_last, kind) = (low & 1 != 0, low >> 1 & 3);
    let size = match kind {
        REPEATED_BYTE => 1,
        _ => u32::from_le_bytes([low, middle, high, 0]) >> 3,
    };
    cursor.slice::<u8>(size)?;
    if is_last && header.has_checksum {
        cursor.slice::<u8>(4)?;
    }
    let bytes = cursor.since(&start);
    let mut reader = match codes.filter(|_| kind == COMPRESSED) {
        Some(codes) => codes.reader(bytes).or_else(|_| fail(ErrorKind::Malformed, start))?,
        None => Reader::unchanged(bytes),
    };
    match decoder.frames.decode_blocks(&mut reader, BlockDecodingStrategy::UptoBlocks(1)) {
        Ok(_) => Ok(is_last),
        Err(_) => fail(ErrorKind::Malformed, start),
    }
}

#[cold]
fn fail<T>(kind: ErrorKind, at: Cursor<'_>) -> Result<T> {
    Err(Error::new(kind, at.pos() as u64))
}
