//! ENet's compression: an order-2 context model of bytes (PPM) drives a carry-less range coder.
//!
//! Each datagram is compressed separately. A byte is coded in the context of the two bytes before
//! it. If the byte has not occurred there, the encoder writes an escape and continues with the
//! context of the last byte. If the byte has not occurred there either, it writes another escape
//! and codes the byte in the order-0 context, which contains all values. Contexts without values
//! are skipped without an escape. An escape in the order-0 context ends the datagram. The encoder
//! never writes it: a decoder reads zeros after the end of its input, which decode to escapes.
//!
//! `arithmetic` contains the registers of encoder and decoder, `model` the contexts.

mod arithmetic;
mod counts;
mod model;
mod order0;

use super::{Error, ErrorKind, Result};
use crate::buffer::Full;
use alloc::boxed::Box;
use arithmetic::{Decoder, Encoder};
use core::fmt;
use model::{Model, Step};

/// An encoder and decoder for the bodies of compressed datagrams. Its tables take 100 KB and are
/// reused for each datagram: create one coder for all sessions.
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
    /// Output of [`decode_datagram`](Self::decode_datagram).
    plain: Box<[u8; MAX_DATAGRAM]>,
}

/// ENet's limit for the length of a datagram, including its header.
pub(super) const MAX_DATAGRAM: usize = 4096;

impl RangeCoder {
    /// Creates a coder and allocates its tables.
    pub fn new() -> Self {
        Self { model: Model::new(), plain: Box::new([0; MAX_DATAGRAM]) }
    }

    /// Decodes the body of a datagram into `out`, and returns the decoded part of `out`. ENet
    /// limits its length to 4096 bytes minus the length of the datagram's header.
    ///
    /// Input after the end of the compressed data is ignored, as in ENet.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadCode`] for input that no encoder writes, [`ErrorKind::Empty`] for a body
    /// without bytes, and [`ErrorKind::TooLong`] if `out` is too short. The offset is the position
    /// of the decoder in the input, up to 4 bytes ahead of the decoded bytes.
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

    /// Decodes the body of a datagram with a header of `header_len` bytes into an internal buffer,
    /// and returns the decoded bytes.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`decode`](Self::decode), with the offset relative to the datagram.
    /// [`ErrorKind::TooLong`] means that header and decoded bytes exceed 4096 bytes.
    pub fn decode_datagram(&mut self, body: &[u8], header_len: usize) -> Result<&[u8]> {
        let limit = MAX_DATAGRAM.saturating_sub(header_len);
        let Self { model, plain } = self;
        let mut coder = Decoder::new(body);
        let out = plain.get_mut(..limit).unwrap_or_default();
        match decode(model, &mut coder, out) {
            Ok(len) if len > 0 => Ok(out.get(..len).unwrap_or_default()),
            verdict => {
                let kind = verdict.err().unwrap_or(ErrorKind::Empty);
                Err(Error::new(kind, coder.pos().saturating_add(header_len) as u64))
            }
        }
    }

    /// Encodes the commands of a datagram, with the same result as ENet. ENet only sends the result
    /// if it is shorter than the input.
    ///
    /// # Errors
    ///
    /// [`Full`] if `out` is too short. The number of missing bytes is not known and reported as 1.
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

/// Decodes into `out`. Returns the number of decoded bytes.
fn decode(
    model: &mut Model,
    coder: &mut Decoder<'_>,
    out: &mut [u8],
) -> core::result::Result<usize, ErrorKind> {
    model.restart();
    let mut slots = out.iter_mut();
    let mut len = 0_usize;
    loop {
        match model.decode(coder).ok_or(ErrorKind::BadCode)? {
            Step::End => return Ok(len),
            Step::Value(value) => *slots.next().ok_or(ErrorKind::TooLong)? = value,
        }
        len = len.wrapping_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// Plain bytes, and the same bytes compressed by ENet.
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
    fn output_of_enet_makes_a_round_trip() {
        let mut coder = RangeCoder::new();
        let mut memory = [0; MAX_DATAGRAM];
        for (plain, coded) in VECTORS {
            assert_eq!(coder.encode(plain, &mut memory).unwrap(), coded);
            assert_eq!(coder.decode(coded, &mut memory).unwrap(), plain);
            assert_eq!(coder.decode_datagram(coded, 4).unwrap(), plain);
        }
    }

    /// The input is long enough to halve counts and to drop contexts.
    #[test]
    fn long_input_makes_a_round_trip() {
        let mut coder = RangeCoder::new();
        let mut state = 1_u32;
        for shift in 0..8 {
            let plain: Vec<u8> = (0..MAX_DATAGRAM)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (state >> 24 >> shift) as u8
                })
                .collect();
            let mut memory = [0; 2 * MAX_DATAGRAM];
            let coded = coder.encode(&plain, &mut memory).unwrap().to_vec();
            assert_eq!(coder.decode(&coded, &mut memory).unwrap(), plain);
            let error = coder.decode(&coded, &mut memory[..MAX_DATAGRAM - 1]).unwrap_err();
            assert_eq!(*error.kind(), ErrorKind::TooLong);
            let error = coder.encode(&plain, &mut memory[..coded.len() - 1]).unwrap_err();
            assert_eq!(error.missing, 1);
        }
    }

    #[test]
    fn empty_bodies_are_errors() {
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
