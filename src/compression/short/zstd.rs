//! Zstandard frames (RFC 8878) of one block.

use super::bits::BitWriter;
use super::fse::{LITERAL_LENGTHS, MATCH_LENGTHS, OFFSETS};
use crate::compression::fastlz::{Level, find_all};
use alloc::vec::Vec;

const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// A flag of the frame header. If it is set, the header stores the length of the content, and the
/// window has the same length.
const SINGLE_SEGMENT: u8 = 1 << 5;
const RAW: u32 = 0;
const COMPRESSED: u32 = 2;
/// Offsets up to this number stand for earlier offsets.
const REPEATED: u32 = 3;
const SHORTEST: u32 = 3;

/// Literals, and a repetition after them.
#[derive(Clone, Copy, Debug)]
struct Sequence {
    literals: u32,
    offset: u32,
    len: u32,
}

/// An encoder that reuses its buffers.
#[derive(Debug, Default)]
pub(super) struct Encoder {
    literals: Vec<u8>,
    sequences: Vec<Sequence>,
}

impl Encoder {
    /// Appends a frame.
    pub(super) fn frame(&mut self, plain: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(&MAGIC);
        match u16::try_from(plain.len().wrapping_sub(256)) {
            Ok(more) => {
                out.push(SINGLE_SEGMENT | 1 << 6);
                out.extend_from_slice(&more.to_le_bytes());
            }
            Err(_) => out.extend_from_slice(&[SINGLE_SEGMENT, plain.len() as u8]),
        }
        let start = out.len();
        out.extend_from_slice(&[0; 3]);
        self.block(plain, out);
        let mut kind = COMPRESSED;
        let mut len = out.len().saturating_sub(start).saturating_sub(3);
        if len >= plain.len() {
            (kind, len) = (RAW, plain.len());
            out.truncate(start.saturating_add(3));
            out.extend_from_slice(plain);
        }
        let [a, b, c, _] = (1 | kind << 1 | (len as u32) << 3).to_le_bytes();
        if let Some(header) = out.get_mut(start..).and_then(|rest| rest.first_chunk_mut()) {
            *header = [a, b, c];
        }
    }

    /// Writes the content of a compressed block: all literals, and then the sequences.
    fn block(&mut self, plain: &[u8], out: &mut Vec<u8>) {
        let Self { literals, sequences } = self;
        literals.clear();
        sequences.clear();
        find_all(Level::One, plain, |bytes, found| {
            literals.extend_from_slice(bytes);
            if let Some(found) = found {
                let offset = (found.distance as u32).wrapping_add(REPEATED);
                let (literals, len) = (bytes.len() as u32, found.len as u32);
                sequences.push(Sequence { literals, offset, len });
            }
        });
        literals_header(literals.len() as u32, out);
        out.extend_from_slice(literals);
        match sequences.len() {
            count @ 0..128 => out.push(count as u8),
            count => out.extend_from_slice(&(count as u16 | 0x8000).to_be_bytes()),
        }
        if !sequences.is_empty() {
            out.push(0); // all codes are predefined
            write_sequences(sequences, BitWriter::new(out));
        }
    }
}

/// Writes the length of literals that are not compressed.
fn literals_header(len: u32, out: &mut Vec<u8>) {
    match len {
        0..32 => out.push((len as u8) << 3),
        32..4096 => out.extend_from_slice(&(len << 4 | 1 << 2).to_le_bytes()[..2]),
        _ => out.extend_from_slice(&(len << 4 | 3 << 2).to_le_bytes()[..3]),
    }
}

/// Writes sequences from the last to the first, since a decoder reads the bits from their end.
fn write_sequences(sequences: &[Sequence], mut bits: BitWriter<'_>) {
    let mut states: Option<[u32; 3]> = None;
    for sequence in sequences.iter().rev() {
        let literals = literals_code(sequence.literals);
        let len = match_code(sequence.len);
        let log = sequence.offset.ilog2();
        let offset = Code { symbol: log as u8, bits: log, number: sequence.offset ^ 1 << log };
        states = Some(match states {
            None => [
                LITERAL_LENGTHS.last(literals.symbol),
                OFFSETS.last(offset.symbol),
                MATCH_LENGTHS.last(len.symbol),
            ],
            Some([next_literals, next_offset, next_len]) => {
                let (offset, offset_bits) = OFFSETS.before(offset.symbol, next_offset);
                let (len, len_bits) = MATCH_LENGTHS.before(len.symbol, next_len);
                let (literals, bits_of_literals) =
                    LITERAL_LENGTHS.before(literals.symbol, next_literals);
                for [number, len] in [offset_bits, len_bits, bits_of_literals] {
                    bits.put(number, len);
                }
                [literals, offset, len]
            }
        });
        for code in [literals, len, offset] {
            bits.put(code.number, code.bits);
        }
    }
    let [literals, offset, len] = states.unwrap_or_default();
    bits.put(len, MATCH_LENGTHS.log());
    bits.put(offset, OFFSETS.log());
    bits.put(literals, LITERAL_LENGTHS.log());
    bits.put(1, 1); // marks the end
    bits.finish();
}

/// A number, encoded as a symbol and further bits.
#[derive(Clone, Copy)]
struct Code {
    symbol: u8,
    bits: u32,
    number: u32,
}

impl Code {
    /// Finds the symbol of a number. Each symbol stands for a range of numbers; further bits select
    /// a number in the range. `bits` lists the number of further bits for each symbol, beginning
    /// with the symbol `first`. The range of `first` begins at `base`.
    fn find(number: u32, first: u8, mut base: u32, bits: &[u8]) -> Self {
        for (symbol, bits) in (first..).zip(bits) {
            let bits = u32::from(*bits);
            let rest = number.wrapping_sub(base);
            if rest >> bits == 0 {
                return Self { symbol, bits, number: rest };
            }
            base = base.wrapping_add(1 << bits);
        }
        debug_assert!(false, "{number} is too large");
        Self { symbol: 0, bits: 0, number: 0 }
    }
}

fn literals_code(len: u32) -> Code {
    const BITS: [u8; 20] = [1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
    match len {
        0..16 => Code { symbol: len as u8, bits: 0, number: 0 },
        _ => Code::find(len, 16, 16, &BITS),
    }
}

fn match_code(len: u32) -> Code {
    const BITS: [u8; 21] = [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
    let more = len.wrapping_sub(SHORTEST);
    match more {
        0..32 => Code { symbol: more as u8, bits: 0, number: 0 },
        _ => Code::find(more, 32, 32, &BITS),
    }
}
