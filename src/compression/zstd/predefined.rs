//! Supplies the predefined codes of Zstandard (RFC 8878, section 3.1.1.3.2.2) without building them
//! for each block.
//!
//! The library `ruzstd` builds the predefined codes again for each block that uses them, and
//! allocates two lists for each code. This module avoids that in two steps. First, it decompresses
//! each frame with a dictionary that contains nothing but the predefined codes. `ruzstd` copies
//! these codes into memory that is already allocated. Second, a block can repeat the code that was
//! used last. If a block uses a predefined code, and the frame has not used a different code
//! before, this module changes the block so that it repeats the code.

use alloc::vec::Vec;
use ruzstd::decoding::{Dictionary, FrameDecoder};
use ruzstd::io;

/// A code for finite state entropy coding.
pub(in crate::compression) struct Code {
    /// Logarithm of the number of states.
    pub log: u8,
    /// Number of states of each symbol. A symbol with the weight −1 also has one state, but is less
    /// frequent than a symbol with the weight 1.
    pub weights: &'static [i8],
}

pub(in crate::compression) const LITERAL_LENGTHS: Code = Code {
    log: 6,
    weights: &[
        4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1,
        1, 1, -1, -1, -1, -1,
    ],
};
pub(in crate::compression) const MATCH_LENGTHS: Code = Code {
    log: 6,
    weights: &[
        1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
    ],
};
pub(in crate::compression) const OFFSETS: Code = Code {
    log: 5,
    weights: &[
        1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1,
    ],
};

impl Code {
    fn weights(&self) -> Vec<i32> {
        self.weights.iter().map(|weight| i32::from(*weight)).collect()
    }
}

/// Number of the dictionary with the predefined codes.
const DICTIONARY: u32 = 1;

/// Adds the dictionary with the predefined codes. Returns `false` if the library rejects it.
pub(super) fn add_dictionary(decoder: &mut FrameDecoder) -> bool {
    // The smallest valid dictionary. Its codes are replaced below.
    let mut bytes = [0x37, 0xa4, 0x30, 0xec, DICTIONARY as u8, 0, 0, 0].to_vec();
    bytes.extend_from_slice(&[0x80, 0x10]); // two literals
    bytes.extend_from_slice([[0xf0, 0x03]; 3].as_flattened()); // one offset, match and literal length
    bytes.extend([1_u32, 4, 8].iter().flat_map(|offset| offset.to_le_bytes()));
    let Ok(mut dictionary) = Dictionary::decode_dict(&bytes) else { return false };
    // A block can also repeat the code for literals. If no earlier block of the frame has such a
    // code, this must be an error, so the dictionary must not contain one.
    dictionary.huf.table.reset();
    let codes = &mut dictionary.fse;
    let results = [
        (&mut codes.literal_lengths, LITERAL_LENGTHS),
        (&mut codes.match_lengths, MATCH_LENGTHS),
        (&mut codes.offsets, OFFSETS),
    ]
    .map(|(table, code)| table.build_from_probabilities(code.log, &code.weights()));
    results.iter().all(Result::is_ok) && decoder.add_dict(dictionary).is_ok()
}

/// Gives the predefined codes to the decoder at the start of a frame. Returns `false` if that
/// fails.
pub(super) fn use_dictionary(decoder: &mut FrameDecoder) -> bool {
    decoder.force_dict(DICTIONARY).is_ok()
}

// Values of a code's mode.
const PREDEFINED: u8 = 0;
const REPEATED: u8 = 3;

/// Positions of the lowest bits of the three modes in the byte that holds them.
const MODES: [u32; 3] = [6, 4, 2];

/// The code that the next block of a frame repeats if its mode is [`REPEATED`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Last {
    #[default]
    None,
    Predefined,
    Other,
}

/// The three codes that the next block of a frame can repeat: those for literal lengths, offsets
/// and match lengths.
#[derive(Debug, Default)]
pub(super) struct LastCodes([Last; 3]);

/// The error for a block that repeats a code, although no earlier block of the frame has used one.
pub(super) struct Missing;

impl LastCodes {
    /// Returns a reader of a compressed block. For each code, the block states a mode: where the
    /// code comes from. Where possible, the reader replaces the mode "predefined" with "repeat".
    /// Both give the same code, but with "repeat", the code is not built again (see the
    /// documentation of this module). `bytes` begins with the header of the block.
    pub(super) fn reader<'b>(&mut self, bytes: &'b [u8]) -> Result<Reader<'b>, Missing> {
        let Some((at, mut modes)) = find_modes(bytes) else {
            return Ok(Reader::unchanged(bytes));
        };
        for (last, bit) in self.0.iter_mut().zip(MODES) {
            *last = match (modes >> bit & 3, *last) {
                (PREDEFINED, Last::None | Last::Predefined) => {
                    modes |= REPEATED << bit;
                    Last::Predefined
                }
                (REPEATED, Last::None) => return Err(Missing),
                (REPEATED, last) => last,
                _ => Last::Other,
            };
        }
        Ok(Reader { bytes, modes: Some((at, modes)) })
    }
}

/// A reader of a block. It can replace the byte that holds the modes of the codes.
pub(super) struct Reader<'b> {
    bytes: &'b [u8],
    /// The number of bytes before the byte to replace, and its new value.
    modes: Option<(usize, u8)>,
}

impl<'b> Reader<'b> {
    pub(super) const fn unchanged(bytes: &'b [u8]) -> Self {
        Self { bytes, modes: None }
    }
}

impl io::Read for Reader<'_> {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize, io::Error> {
        let len = io::Read::read(&mut self.bytes, buf)?;
        if let Some((at, modes)) = self.modes {
            let read = buf.get_mut(..len).unwrap_or_default();
            self.modes = match read.get_mut(at) {
                Some(byte) => {
                    *byte = modes;
                    None
                }
                None => Some((at.saturating_sub(len), modes)),
            };
        }
        Ok(len)
    }
}

/// Finds the byte that holds the modes of the codes in a compressed block. Returns the position and
/// the value of this byte. `block` begins with the header of the block. Returns `None` if the block
/// has no codes, or is cut off before them.
fn find_modes(block: &[u8]) -> Option<(usize, u8)> {
    let content = block.get(3..)?;
    let sequences = content.get(literals_len(content)?..)?;
    let count_len = match sequences {
        [0, ..] | [128, 0, ..] => return None,
        [..128, ..] => 1,
        [255, ..] => 3,
        _ => 2,
    };
    let modes = *sequences.get(count_len)?;
    let at = block.len().checked_sub(sequences.len())?.checked_add(count_len)?;
    Some((at, modes))
}

/// Returns the length of the literals at the start of a block, including their header.
fn literals_len(content: &[u8]) -> Option<usize> {
    let mut first = [0; 8];
    first.iter_mut().zip(content).for_each(|(to, from)| *to = *from);
    let header = u64::from_le_bytes(first);
    let (kind, format) = (header & 3, header >> 2 & 3);
    let bits = |start: u32, len: u32| header >> start & !(u64::MAX << len);
    let (header_len, len) = match (kind, format) {
        (0 | 1, 0 | 2) => (1, bits(3, 5)),
        (0 | 1, 1) => (2, bits(4, 12)),
        (0 | 1, _) => (3, bits(4, 20)),
        (_, 0 | 1) => (3, bits(14, 10)),
        (_, 2) => (4, bits(18, 14)),
        _ => (5, bits(22, 18)),
    };
    let len = if kind == 1 { 1 } else { len }; // one byte that is repeated
    usize::try_from(len).ok()?.checked_add(header_len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_accepts_the_dictionary() {
        let mut decoder = FrameDecoder::new();
        assert!(add_dictionary(&mut decoder));
        // The header of a frame with a window of 1 KiB.
        decoder.reset(&b"\x28\xb5\x2f\xfd\0\0"[..]).unwrap();
        assert!(use_dictionary(&mut decoder));
    }

    #[test]
    fn modes_are_found_after_literals_of_all_kinds() {
        // Literals with their headers, and the total length of both.
        let literals: [(&[u8], usize); 8] = [
            (b"\x10ab", 3),                       // 2 bytes
            (&[0x08 | 0x03 << 3, 1, 2, 3], 4),    // 3 bytes, the other form of the short header
            (&[0x24, 0, 1, 2], 4),                // 2 bytes, a header of two bytes
            (&[0x2c, 0, 0, 1, 2], 5),             // 2 bytes, a header of three bytes
            (&[0x99, 9], 2),                      // 19 times the same byte
            (&[0x02, 0xc0, 0, 7, 7, 7], 6),       // 3 bytes of a code, in one stream
            (&[0x0a, 0, 0x0c, 0, 7, 7, 7], 7),    // the same with a header of four bytes
            (&[0x0e, 0, 0xc0, 0, 0, 7, 7, 7], 8), // the same with a header of five bytes
        ];
        for (literals, len) in literals {
            assert_eq!(literals.len(), len);
            for (count, before) in [(&[1][..], 1), (&[127], 1), (&[128, 1], 2), (&[255, 0, 0], 3)] {
                let block = [&[0; 3], literals, count, &[0x14, 0xff]].concat();
                assert_eq!(find_modes(&block), Some((3 + len + before, 0x14)), "{block:x?}");
                assert_eq!(find_modes(&block[..block.len() - 2]), None);
            }
            for none in [&[0][..], &[128, 0]] {
                assert_eq!(find_modes(&[&[0; 3], literals, none, &[0x14]].concat()), None);
            }
        }
    }

    #[test]
    fn predefined_codes_are_repeated_until_a_block_has_others() {
        let read = |codes: &mut LastCodes, modes: u8| {
            let block = [0, 0, 0, 0x08, b'a', 1, modes, 9];
            let mut reader = codes.reader(&block).ok()?;
            let mut bytes = [0; 8];
            // Read in parts: before, at and after the byte with the modes.
            for part in bytes.chunks_mut(3) {
                io::Read::read_exact(&mut reader, part).unwrap();
            }
            let at = bytes.iter().zip(block).position(|(read, byte)| *read != byte);
            assert!(at.is_none_or(|at| at == 6));
            Some(bytes[6])
        };
        let mut codes = LastCodes::default();
        assert_eq!(read(&mut codes, 0), Some(0b1111_1100));
        assert_eq!(read(&mut codes, 0b1100_0000), Some(0b1111_1100));
        assert_eq!(read(&mut codes, 0b0001_1000), Some(0b1101_1000));
        assert_eq!(read(&mut codes, 0b1100_0000), Some(0b1100_0000));
        for modes in [0b1100_0000, 0b0011_0000, 0b0000_1100] {
            assert_eq!(read(&mut LastCodes::default(), modes), None);
        }
    }
}
