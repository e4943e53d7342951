use super::Framing;
use crate::godot::{Error, ErrorKind};
use bytes::{Buf, Bytes, BytesMut};
use std::io;
use tokio_util::codec::{Decoder, Encoder};

/// A codec for `tokio_util::codec::Framed` and similar types. It decodes frames as [`Bytes`], which
/// share the read buffer, and encodes any type that implements `AsRef<[u8]>`.
///
/// Errors are [`io::Error`]s that wrap an [`Error`]. Their kind is `InvalidData` if a received
/// frame is too long, `UnexpectedEof` if the stream ends inside a frame, and `InvalidInput` if a
/// frame to be encoded is too long. No memory is reserved on the basis of a length prefix alone.
///
/// ```
/// use bytes::BytesMut;
/// use gamewire::godot::frame::FrameCodec;
/// use gamewire::godot::{Dialect, Reader};
/// use tokio_util::codec::{Decoder, Encoder};
///
/// let (mut codec, mut stream) = (FrameCodec::default(), BytesMut::new());
/// codec.encode([2, 0, 0, 0, 5, 0, 0, 0], &mut stream)?;
/// let frame = codec.decode(&mut stream)?.unwrap();
/// assert_eq!(Reader::new(&frame, Dialect::Godot4).read().unwrap().as_i64(), Some(5));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct FrameCodec {
    framing: Framing,
    /// Offset of the next frame in the stream.
    offset: u64,
}

impl FrameCodec {
    /// Creates a codec for the given framing.
    pub fn new(framing: Framing) -> Self {
        Self { framing, offset: 0 }
    }
}

impl Decoder for FrameCodec {
    type Item = Bytes;
    type Error = io::Error;

    fn decode(&mut self, stream: &mut BytesMut) -> io::Result<Option<Bytes>> {
        let len = match self.framing.first(stream, self.offset) {
            Ok(frame) => frame.bytes.len(),
            Err(error) if error.missing().is_some() => return Ok(None),
            Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
        };
        stream.advance(Framing::PREFIX);
        let frame = stream.split_to(len).freeze();
        let end = Framing::PREFIX.saturating_add(len);
        self.offset = self.offset.saturating_add(end as u64);
        Ok(Some(frame))
    }

    fn decode_eof(&mut self, stream: &mut BytesMut) -> io::Result<Option<Bytes>> {
        match self.decode(stream)? {
            None if !stream.is_empty() => {
                let missing = self.framing.first(stream, self.offset);
                let fallback = Error::new(ErrorKind::UnexpectedEnd { missing: 1 }, self.offset);
                let error = missing.err().unwrap_or(fallback);
                Err(io::Error::new(io::ErrorKind::UnexpectedEof, error))
            }
            frame => Ok(frame),
        }
    }
}

impl<T: AsRef<[u8]>> Encoder<T> for FrameCodec {
    type Error = io::Error;

    fn encode(&mut self, frame: T, stream: &mut BytesMut) -> io::Result<()> {
        let bytes = frame.as_ref();
        let prefix = self.framing.prefix(bytes.len());
        let prefix = prefix.map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        stream.reserve(bytes.len().saturating_add(prefix.len()));
        stream.extend_from_slice(&prefix);
        stream.extend_from_slice(bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_round_trip_and_errors_are_io_errors() {
        let framing = Framing { big_endian: true, max_len: 3 };
        let (mut codec, mut stream) = (FrameCodec::new(framing), BytesMut::new());
        for frame in [&b""[..], b"a", b"bcd"] {
            codec.encode(frame, &mut stream).unwrap();
        }
        let refused = codec.encode(&b"four"[..], &mut stream).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::InvalidInput);
        assert_eq!(&stream[..], b"\0\0\0\0\0\0\0\x01a\0\0\0\x03bcd");

        let mut received = BytesMut::new();
        let mut found = std::vec::Vec::new();
        for byte in stream {
            received.extend_from_slice(&[byte]);
            found.extend(codec.decode(&mut received).unwrap());
        }
        assert_eq!(found, [&b""[..], b"a", b"bcd"]);
        assert!(codec.decode_eof(&mut received).unwrap().is_none());

        received.extend_from_slice(b"\0\0\0\x01");
        let ends = codec.decode_eof(&mut received).unwrap_err();
        assert_eq!(ends.kind(), io::ErrorKind::UnexpectedEof);
        let error = *ends.get_ref().unwrap().downcast_ref::<Error>().unwrap();
        assert_eq!((error.missing(), error.offset()), (Some(1), 20));
        received.clear();
        received.extend_from_slice(b"\0\0\0\x04");
        let long = codec.decode(&mut received).unwrap_err();
        assert_eq!(long.kind(), io::ErrorKind::InvalidData);
    }
}
