//! Decompresses DEFLATE (RFC 1951), one bit at a time.

use super::{Refused, Result};

/// Decompresses bytes to at most `limit` bytes. Returns the result and the number of bytes that
/// were read.
pub fn inflate(bytes: &[u8], limit: usize) -> Result<(Vec<u8>, usize)> {
    let mut bits = Bits { bytes, at: 0 };
    let mut out = Out { bytes: Vec::new(), limit };
    loop {
        let last = bits.take(1)? == 1;
        match bits.take(2)? {
            0 => stored(&mut bits, &mut out)?,
            1 => {
                let (letters, distances) = fixed();
                block(&mut bits, &mut out, &letters, &distances)?;
            }
            2 => {
                let (letters, distances) = told(&mut bits)?;
                block(&mut bits, &mut out, &letters, &distances)?;
            }
            _ => return bits.refuse("no kind of block"),
        }
        if last {
            return Ok((out.bytes, bits.at.div_ceil(8)));
        }
    }
}

struct Bits<'a> {
    bytes: &'a [u8],
    /// The position, in bits.
    at: usize,
}

impl Bits<'_> {
    fn refuse<T>(&self, why: &'static str) -> Result<T> {
        Err(Refused { at: self.at / 8, why })
    }

    fn bit(&mut self) -> Result<usize> {
        let Some(byte) = self.bytes.get(self.at / 8) else {
            return self.refuse("the end");
        };
        let bit = byte >> (self.at % 8) & 1;
        self.at += 1;
        Ok(bit.into())
    }

    /// Reads a number of `count` bits, lowest bit first.
    fn take(&mut self, count: usize) -> Result<usize> {
        (0..count).try_fold(0, |number, at| Ok(number | self.bit()? << at))
    }
}

struct Out {
    bytes: Vec<u8>,
    limit: usize,
}

impl Out {
    fn push(&mut self, byte: u8, bits: &Bits<'_>) -> Result<()> {
        if self.bytes.len() == self.limit {
            return bits.refuse("more than the limit");
        }
        self.bytes.push(byte);
        Ok(())
    }

    fn copy(&mut self, distance: usize, len: usize, bits: &Bits<'_>) -> Result<()> {
        let Some(from) = self.bytes.len().checked_sub(distance) else {
            return bits.refuse("a distance past the beginning");
        };
        // A copy may overlap the bytes it writes.
        (from..from + len).try_for_each(|at| self.push(self.bytes[at], bits))
    }
}

fn stored(bits: &mut Bits<'_>, out: &mut Out) -> Result<()> {
    bits.at = bits.at.next_multiple_of(8);
    let (len, inverse) = (bits.take(16)?, bits.take(16)?);
    if len != inverse ^ 0xFFFF {
        return bits.refuse("a length that is not what its inverse says");
    }
    (0..len).try_for_each(|_| {
        let byte = bits.take(8)? as u8;
        out.push(byte, bits)
    })
}

/// Prefix codes in the order of their lengths: the number of codes of each length, and the symbols
/// of all codes.
struct Codes {
    counts: [usize; 16],
    symbols: Vec<usize>,
}

impl Codes {
    fn of(lengths: &[usize]) -> Self {
        let mut counts = [0; 16];
        lengths.iter().for_each(|len| counts[*len] += 1);
        let mut symbols: Vec<_> = (0..lengths.len()).filter(|at| lengths[*at] > 0).collect();
        symbols.sort_by_key(|symbol| lengths[*symbol]);
        Self { counts, symbols }
    }

    /// Returns `true` if every sequence of fifteen bits begins with exactly one code.
    fn are_complete(&self) -> bool {
        self.counts[1..].iter().fold(1, |free, count| 2 * free - *count as i64) == 0
    }

    /// Returns `true` if the codes are complete, if there is no code, or if the only code has one
    /// bit.
    fn are_usable(&self) -> bool {
        self.are_complete() || self.symbols.len() == self.counts[1] && self.counts[1] <= 1
    }

    fn read(&self, bits: &mut Bits<'_>) -> Result<usize> {
        let (mut code, mut first, mut index) = (0, 0, 0);
        for count in &self.counts[1..] {
            code |= bits.bit()?;
            if code < first + count {
                return Ok(self.symbols[index + code - first]);
            }
            index += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        bits.refuse("no code")
    }
}

fn fixed() -> (Codes, Codes) {
    let lengths = [vec![8; 144], vec![9; 112], vec![7; 24], vec![8; 8]].concat();
    (Codes::of(&lengths), Codes::of(&[5; 30]))
}

/// Reads the codes of a block. The codes are at the start of the block, and are themselves encoded.
fn told(bits: &mut Bits<'_>) -> Result<(Codes, Codes)> {
    const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    let (letters, distances) = (bits.take(5)? + 257, bits.take(5)? + 1);
    let count = bits.take(4)? + 4;
    let mut lengths = [0; 19];
    for at in &ORDER[..count] {
        lengths[*at] = bits.take(3)?;
    }
    let codes = Codes::of(&lengths);
    if !codes.are_complete() {
        return bits.refuse("codes that are no code");
    }
    let mut lengths = Vec::new();
    while lengths.len() < letters + distances {
        let (len, times) = match (codes.read(bits)?, lengths.last()) {
            (16, Some(last)) => (*last, 3 + bits.take(2)?),
            (16, None) => return bits.refuse("nothing to repeat"),
            (17, _) => (0, 3 + bits.take(3)?),
            (18, _) => (0, 11 + bits.take(7)?),
            (len, _) => (len, 1),
        };
        lengths.extend(std::iter::repeat_n(len, times));
    }
    if lengths.len() != letters + distances || letters > 286 || distances > 30 {
        return bits.refuse("more codes than there are");
    }
    let (letters, distances) = lengths.split_at(letters);
    let codes = [letters, distances].map(Codes::of);
    if !codes.iter().all(Codes::are_usable) || letters[256] == 0 {
        return bits.refuse("codes that are no code");
    }
    let [letters, distances] = codes;
    Ok((letters, distances))
}

fn block(bits: &mut Bits<'_>, out: &mut Out, letters: &Codes, distances: &Codes) -> Result<()> {
    loop {
        let symbol = letters.read(bits)?;
        match symbol {
            0..=255 => out.push(symbol as u8, bits)?,
            256 => return Ok(()),
            257..=285 => {
                let len = length(symbol - 257, bits)?;
                let distance = distance(distances.read(bits)?, bits)?;
                out.copy(distance, len, bits)?;
            }
            _ => return bits.refuse("no length"),
        }
    }
}

/// Returns the length that a symbol stands for. Symbols below 8 have no extra bits. Symbols 8 to 11
/// have one extra bit each, and each further group of four has one more than the group before it.
/// Symbol 28, the last one, has no extra bits.
fn length(symbol: usize, bits: &mut Bits<'_>) -> Result<usize> {
    match symbol {
        0..8 => Ok(3 + symbol),
        28 => Ok(258),
        _ => {
            let extra = symbol / 4 - 1;
            Ok(3 + ((4 + symbol % 4) << extra) + bits.take(extra)?)
        }
    }
}

/// Returns the distance that a symbol stands for. Symbols below 4 have no extra bits. Symbols 4 and
/// 5 have one extra bit each, and each further pair has one more than the pair before it.
fn distance(symbol: usize, bits: &mut Bits<'_>) -> Result<usize> {
    match symbol {
        0..4 => Ok(1 + symbol),
        4..30 => {
            let extra = symbol / 2 - 1;
            Ok(1 + ((2 + symbol % 2) << extra) + bits.take(extra)?)
        }
        _ => bits.refuse("no distance"),
    }
}
