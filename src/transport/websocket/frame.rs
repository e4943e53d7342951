//! Frames of a WebSocket.
//!
//! | bits | field | |
//! |---|---|---|
//! | 1 | FIN | the last frame of a message |
//! | 3 | reserved | |
//! | 4 | opcode | |
//! | 1 | masked | |
//! | 7 | length | 126: it is in the next 16 bits; 127: it is in the next 64 bits |
//! | 0, 16, 64 | length | big-endian |
//! | 0, 32 | mask | |

use super::error::ErrorKind;
use super::event::Kind;
use crate::buffer::{Full, Sink};

/// The type of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Opcode {
    /// A continuation of the unfinished message.
    Continuation = 0,
    /// The first frame of a text message.
    Text = 1,
    /// The first frame of a binary message.
    Binary = 2,
    /// The last frame of this direction.
    Close = 8,
    /// A request for a pong.
    Ping = 9,
    /// An answer to a ping.
    Pong = 10,
}

impl Opcode {
    /// Returns `true` for control frames, which may occur between the frames of a message.
    #[inline(always)]
    pub const fn is_control(self) -> bool {
        self as u8 & 8 != 0
    }

    #[inline(always)]
    const fn new(number: u8) -> Option<Self> {
        Some(match number {
            0 => Self::Continuation,
            1 => Self::Text,
            2 => Self::Binary,
            8 => Self::Close,
            9 => Self::Ping,
            10 => Self::Pong,
            _ => return None,
        })
    }
}

/// The header of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// `true` for the last frame of a message.
    pub fin: bool,
    /// Type of the frame.
    pub opcode: Opcode,
    /// Masking key of the payload, required in frames from a client.
    pub mask: Option<[u8; 4]>,
    /// Length of the payload.
    pub len: u64,
}

impl Header {
    /// Length of the longest header in bytes.
    pub const MAX: usize = 14;

    /// Length of the longest payload of a control frame in bytes.
    pub const MAX_CONTROL: usize = 125;

    /// Reads the header at the start of `bytes`, and returns it with its size. Returns `None` if it
    /// is cut off.
    ///
    /// # Errors
    /// Returns an error if RFC 6455 does not allow the header.
    #[inline(always)]
    pub fn read(bytes: &[u8]) -> Result<Option<(Self, usize)>, ErrorKind> {
        let Some((&[first, second], rest)) = bytes.split_first_chunk() else { return Ok(None) };
        let (len, least, rest) = match second & 127 {
            126 => match rest.split_first_chunk() {
                Some((len, rest)) => (u64::from(u16::from_be_bytes(*len)), 126, rest),
                None => return Ok(None),
            },
            127 => match rest.split_first_chunk() {
                Some((len, rest)) => (u64::from_be_bytes(*len), 1 << 16, rest),
                None => return Ok(None),
            },
            len => (u64::from(len), 0, rest),
        };
        let (mask, rest) = match (second & 128, rest.split_first_chunk()) {
            (0, _) => (None, rest),
            (_, Some((mask, rest))) => (Some(*mask), rest),
            (_, None) => return Ok(None),
        };
        let opcode = Opcode::new(first & 15).ok_or(ErrorKind::ReservedOpcode(first & 15))?;
        let header = Self { fin: first & 128 != 0, opcode, mask, len };
        if first & 0x70 != 0 {
            return Err(ErrorKind::ReservedBits);
        }
        if len < least || len >> 63 != 0 {
            return Err(ErrorKind::BadLength(len));
        }
        header.check_control()?;
        Ok(Some((header, bytes.len().saturating_sub(rest.len()))))
    }

    #[inline(always)]
    fn check_control(self) -> Result<(), ErrorKind> {
        match self {
            _ if !self.opcode.is_control() => Ok(()),
            Self { fin: false, .. } => Err(ErrorKind::FragmentedControl),
            Self { len: 126.., .. } => Err(ErrorKind::LongControl),
            _ => Ok(()),
        }
    }

    /// Appends the header to `sink`, with the length in its shortest form.
    ///
    /// # Errors
    /// Returns an error, and writes nothing, if the sink has no space for
    /// [`Header::MAX`](Self::MAX) bytes.
    pub fn write<S: Sink>(&self, sink: &mut S) -> Result<(), Full> {
        sink.reserve(Self::MAX)?;
        let masked = if self.mask.is_some() { 128 } else { 0 };
        sink.put(&[(u8::from(self.fin) << 7) | self.opcode as u8]);
        match self.len {
            0..=125 => sink.put(&[masked | self.len as u8]),
            126..=0xffff => {
                sink.put(&[masked | 126]);
                sink.put(&(self.len as u16).to_be_bytes());
            }
            _ => {
                sink.put(&[masked | 127]);
                sink.put(&self.len.to_be_bytes());
            }
        }
        if let Some(mask) = self.mask {
            sink.put(&mask);
        }
        Ok(())
    }
}

/// Applies the masking key to `bytes`. The same operation masks and unmasks.
///
/// ```
/// use gamewire::transport::websocket::mask;
///
/// let mut bytes = *b"hello"; // the example of RFC 6455, 5.7, is "Hello"
/// mask(&mut bytes[..1], [0x20; 4]);
/// assert_eq!(&bytes, b"Hello");
/// mask(&mut bytes, [0x37, 0xfa, 0x21, 0x3d]);
/// assert_eq!(bytes, [0x7f, 0x9f, 0x4d, 0x51, 0x58]);
/// ```
#[inline]
pub fn mask(bytes: &mut [u8], key: [u8; 4]) {
    let half = u64::from(u32::from_ne_bytes(key));
    let twice = half | half << 32;
    let (words, rest) = bytes.as_chunks_mut();
    for word in words {
        *word = (u64::from_ne_bytes(*word) ^ twice).to_ne_bytes();
    }
    rest.iter_mut().zip(key.iter().cycle()).for_each(|(byte, key)| *byte ^= key);
}

/// Appends a message as a single frame to `sink`, masked if there is a `key`.
///
/// # Errors
/// Returns an error, and writes nothing, if the sink has no space for the payload and
/// [`Header::MAX`] bytes.
#[allow(clippy::disallowed_methods, reason = "not empty; source and target have the same length")]
pub fn write<S: Sink>(
    sink: &mut S,
    kind: Kind,
    payload: &[u8],
    key: Option<[u8; 4]>,
) -> Result<(), Full> {
    let opcode = match kind {
        Kind::Text => Opcode::Text,
        Kind::Binary => Opcode::Binary,
    };
    sink.reserve(payload.len().saturating_add(Header::MAX))?;
    Header { fin: true, opcode, mask: key, len: payload.len() as u64 }.write(sink)?;
    let Some(key) = key else {
        sink.put(payload);
        return Ok(());
    };
    // Masks a copy, as the bytes in a sink are not accessible.
    for part in payload.chunks(256) {
        let mut masked = [0; 256];
        if let Some(masked) = masked.get_mut(..part.len()) {
            masked.copy_from_slice(part);
            mask(masked, key);
            sink.put(masked);
        }
    }
    Ok(())
}
