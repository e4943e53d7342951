//! ENet's compression: an order-2 model of bytes drives a carry-less range coder.
//!
//! Each datagram is coded on its own. What stands for a byte depends on the two bytes
//! before it: the model first offers the values that followed those two, then (after an
//! escape) those that followed the last one, then any value. An escape where any value is
//! offered ends the datagram; it is never written, since a finished stream is followed by
//! implied zeros, which read as escapes.
//!
//! `arithmetic` has the two coders' registers, `model` the counts.

mod arithmetic;
mod model;
mod root;

use super::{Error, ErrorKind, Result};
use crate::buffer::Full;
use alloc::boxed::Box;
use arithmetic::{Decoder, Encoder};
use core::fmt;
use model::{Model, Step};

/// Encodes and decodes the bodies of compressed datagrams. It keeps its tables (100 KB)
/// from one datagram to the next: make one, and use it for all sessions.
///
/// ```
/// use gamewire::transport::enet::RangeCoder;
///
/// let mut coder = RangeCoder::new();
/// let mut memory = [0; 4096];
/// let coded = coder.encode(&[0; 32], &mut memory)?;
/// assert_eq!(coded, [0x01, 0x03, 0xe8, 0x33, 0x69, 0x0f, 0x77]);
///
/// let mut memory = [0; 4096];
/// assert_eq!(coder.decode(b"\x61\x9e\x61\x9e", &mut memory)?, b"a");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RangeCoder {
    model: Model,
    /// Where [`decode_datagram`](Self::decode_datagram) puts what it decoded.
    plain: Box<[u8; LARGEST]>,
}

/// ENet's limit for a datagram, its header included.
const LARGEST: usize = 4096;

impl RangeCoder {
    /// Allocates the tables.
    pub fn new() -> Self {
        Self { model: Model::new(), plain: Box::new([0; LARGEST]) }
    }

    /// Decodes the body of a datagram, and gives what it was put into `out`. ENet limits
    /// that to 4096 bytes less the datagram's header.
    ///
    /// Input that is left over after the end is ignored, as ENet does it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadCode`] for what no encoder writes, [`ErrorKind::Empty`] for a body
    /// without a byte, and [`ErrorKind::TooLong`] if `out` is too short. The offset is
    /// where reading had come to, up to 4 bytes ahead of what was decoded.
    pub fn decode<'o>(&mut self, input: &[u8], out: &'o mut [u8]) -> Result<&'o [u8]> {
        let mut coder = Decoder::new(input);
        let len = match decode(&mut self.model, &mut coder, out) {
            Ok(0) => Err(ErrorKind::Empty),
            verdict => verdict,
        };
        match len {
            Ok(len) => Ok(out.get(..len).unwrap_or_default()),
            Err(kind) => Err(Error::new(kind, coder.pos() as u64)),
        }
    }

    /// Decodes the body of a datagram whose header has `header_len` bytes, into memory of
    /// the coder's own.
    ///
    /// # Errors
    ///
    /// As [`decode`](Self::decode); the offset is one of the datagram.
    pub fn decode_datagram(&mut self, body: &[u8], header_len: usize) -> Result<&[u8]> {
        let room = LARGEST.saturating_sub(header_len);
        let Self { model, plain } = self;
        let mut coder = Decoder::new(body);
        let out = plain.get_mut(..room).unwrap_or_default();
        match decode(model, &mut coder, out) {
            Ok(len) if len > 0 => Ok(out.get(..len).unwrap_or_default()),
            verdict => {
                let kind = verdict.err().unwrap_or(ErrorKind::Empty);
                Err(Error::new(kind, coder.pos().saturating_add(header_len) as u64))
            }
        }
    }

    /// Encodes the commands of a datagram, as ENet does it to the byte. (ENet sends the
    /// result only if it is shorter.)
    ///
    /// # Errors
    ///
    /// [`Full`] if `out` is too short; how many bytes are missing is not known, and said
    /// to be 1.
    pub fn encode<'o>(
        &mut self,
        input: &[u8],
        out: &'o mut [u8],
    ) -> core::result::Result<&'o [u8], Full> {
        let mut coder = Encoder::new(out);
        self.model.restart();
        for &value in input {
            self.model.encode(value, &mut coder);
        }
        coder.finish().ok_or(Full { missing: 1 })
    }
}

impl Default for RangeCoder {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for RangeCoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RangeCoder").finish_non_exhaustive()
    }
}

/// How many bytes were decoded.
fn decode(
    model: &mut Model,
    coder: &mut Decoder<'_>,
    out: &mut [u8],
) -> core::result::Result<usize, ErrorKind> {
    model.restart();
    let mut places = out.iter_mut();
    let mut len = 0_usize;
    loop {
        match model.decode(coder).ok_or(ErrorKind::BadCode)? {
            Step::End => return Ok(len),
            Step::Value(value) => *places.next().ok_or(ErrorKind::TooLong)? = value,
        }
        len = len.wrapping_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// What ENet's own coder made of them.
    const VECTORS: [(&[u8], &[u8]); 6] = [
        (b"a", b"\x61\x9e\x61\x9e"),
        (b"\0", b"\0\xff\0\xff"),
        (b"hello world", b"\x68\xfb\xe0\xc3\x3d\x70\xa6\x17\xf8\xbc\x91\x16\x98"),
        (
            b"abracadabra abracadabra",
            b"\x62\x02\xdf\x74\xd8\x20\x4c\xda\x0e\x4b\xd3\x4e\x50\x49\x3f",
        ),
        (&[0; 32], b"\x01\x03\xe8\x33\x69\x0f\x77"),
        (b"\x01\xff\0\x01\0\0\0\xff", b"\x02\xfc\x08\x32\xff\xae\xc6\x3e\xcd"),
    ];

    #[test]
    fn vectors_both_ways() {
        let mut coder = RangeCoder::new();
        let mut memory = [0; LARGEST];
        for (plain, coded) in VECTORS {
            assert_eq!(coder.encode(plain, &mut memory).unwrap(), coded);
            assert_eq!(coder.decode(coded, &mut memory).unwrap(), plain);
            assert_eq!(coder.decode_datagram(coded, 4).unwrap(), plain);
        }
    }

    /// Long enough for halved counts and dropped contexts.
    #[test]
    fn long_input_comes_back() {
        let mut coder = RangeCoder::new();
        let mut state = 1_u32;
        for shift in 0..8 {
            let plain: Vec<u8> = (0..LARGEST)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (state >> 24 >> shift) as u8
                })
                .collect();
            let mut memory = [0; 2 * LARGEST];
            let coded = coder.encode(&plain, &mut memory).unwrap().to_vec();
            assert_eq!(coder.decode(&coded, &mut memory).unwrap(), plain);
            let error = coder.decode(&coded, &mut memory[..LARGEST - 1]).unwrap_err();
            assert_eq!(*error.kind(), ErrorKind::TooLong);
            let error = coder.encode(&plain, &mut memory[..coded.len() - 1]).unwrap_err();
            assert_eq!(error.missing, 1);
        }
    }

    #[test]
    fn nothing_is_not_a_datagram() {
        let mut coder = RangeCoder::new();
        for input in [&[][..], &[0; 10]] {
            let error = coder.decode(input, &mut [0; 8]).unwrap_err();
            assert_eq!(*error.kind(), ErrorKind::Empty);
            let error = coder.decode_datagram(input, 2).unwrap_err();
            assert_eq!(error.offset(), 2 + input.len().min(4) as u64);
        }
        assert!(coder.encode(&[], &mut []).unwrap().is_empty());
    }
}
