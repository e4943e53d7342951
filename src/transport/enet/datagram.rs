use super::{Commands, Error, ErrorKind, Result};
use crate::buffer::{Cursor, Full, Sink};
use zerocopy::big_endian::{U16, U32};

const PEER: u16 = 0x0FFF;
const SESSION_SHIFT: u32 = 12;
const COMPRESSED: u16 = 1 << 14;
const SENT_TIME: u16 = 1 << 15;

/// A UDP payload: a header, and the commands after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Datagram<'a> {
    /// The receiver's slot for the sender, [`NO_PEER`](Self::NO_PEER) until it is assigned.
    pub peer: u16,
    /// Number of the connection in that slot, modulo 4.
    pub session: u8,
    /// `true` if the body is compressed.
    pub compressed: bool,
    /// Time of sending: milliseconds of the sender's clock, modulo 2¹⁶.
    pub sent_time: Option<u16>,
    /// Checksum, if the hosts use checksums. It is not verified.
    pub checksum: Option<u32>,
    /// The commands, possibly compressed.
    pub body: &'a [u8],
}

impl<'a> Datagram<'a> {
    /// Peer id in datagrams from a client before a slot is assigned.
    pub const NO_PEER: u16 = 0x0FFF;

    /// Parses a UDP payload that was sent between hosts without checksums.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnexpectedEnd`] if the header is cut off.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        Self::parse_as(bytes, false)
    }

    /// Parses a UDP payload that was sent between hosts with checksums. The datagram does not state
    /// whether it has a checksum. Godot's hosts do not use checksums.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`parse`](Self::parse).
    pub fn parse_with_checksum(bytes: &'a [u8]) -> Result<Self> {
        Self::parse_as(bytes, true)
    }

    #[inline(always)]
    pub(super) fn parse_as(bytes: &'a [u8], checksums: bool) -> Result<Self> {
        let mut cursor = Cursor::new(bytes);
        let head = cursor.read::<U16>()?.get();
        let sent_time = match head & SENT_TIME {
            0 => None,
            _ => Some(cursor.read::<U16>()?.get()),
        };
        let checksum = if checksums { Some(cursor.read::<U32>()?.get()) } else { None };
        Ok(Self {
            peer: head & PEER,
            session: (head >> SESSION_SHIFT) as u8 & 3,
            compressed: head & COMPRESSED != 0,
            sent_time,
            checksum,
            body: cursor.rest(),
        })
    }

    /// Returns the length of the header, which is the offset of the body.
    pub fn header_len(&self) -> usize {
        let time = if self.sent_time.is_some() { 2 } else { 0 };
        let checksum = if self.checksum.is_some() { 4 } else { 0 };
        2_usize.wrapping_add(time).wrapping_add(checksum)
    }

    /// Iterates over the commands of an uncompressed body. A compressed body must be decompressed
    /// with [`DatagramCodec`](super::DatagramCodec) first.
    pub fn commands(&self) -> Commands<'a> {
        Commands::new(self.body, self.header_len())
    }

    /// Appends the datagram to `sink`, with the body as it is. Writes nothing if there is an error.
    ///
    /// ```
    /// use gamewire::transport::enet::Datagram;
    ///
    /// let bytes = b"\x80\x01\x58\xd7\x05\xff\0\x02"; // a ping
    /// let mut copy = Vec::new();
    /// Datagram::parse(bytes)?.write(&mut copy)?;
    /// assert_eq!(copy, bytes);
    /// # Ok::<(), gamewire::transport::enet::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::OutOfRange`] if the peer id takes more than 12 bits or the session more than 2
    /// bits, and [`ErrorKind::BufferFull`] if the sink is full.
    pub fn write<S: Sink>(&self, sink: &mut S) -> Result<()> {
        let at = sink.position() as u64;
        if self.peer > PEER || self.session > 3 {
            return Err(Error::new(ErrorKind::OutOfRange, at));
        }
        self.write_parts(sink).map_err(|full| Error::new(full.into(), at))
    }

    fn write_parts<S: Sink>(&self, sink: &mut S) -> core::result::Result<(), Full> {
        sink.reserve(self.header_len().saturating_add(self.body.len()))?;
        sink.append(U16::new(self.first_field()))?;
        if let Some(time) = self.sent_time {
            sink.append(U16::new(time))?;
        }
        if let Some(checksum) = self.checksum {
            sink.append(U32::new(checksum))?;
        }
        sink.put(self.body);
        Ok(())
    }

    fn first_field(&self) -> u16 {
        let session = u16::from(self.session) << SESSION_SHIFT;
        let compressed = if self.compressed { COMPRESSED } else { 0 };
        let time = if self.sent_time.is_some() { SENT_TIME } else { 0 };
        self.peer | session | compressed | time
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn every_header_makes_a_round_trip() {
        let body = b"\x05\xff\0\x02";
        for head in 0..=u16::MAX {
            for checksums in [false, true] {
                let mut bytes = head.to_be_bytes().to_vec();
                bytes.extend([0x58, 0xd7, 1, 2, 3, 4]);
                bytes.extend(body);
                let datagram = Datagram::parse_as(&bytes, checksums).unwrap();
                assert_eq!(datagram.sent_time.is_some(), head >> 15 == 1);
                assert_eq!(datagram.checksum.is_some(), checksums);
                assert_eq!(datagram.body, &bytes[datagram.header_len()..]);
                let mut copy = Vec::new();
                datagram.write(&mut copy).unwrap();
                assert_eq!(copy, bytes);
            }
        }
    }

    #[test]
    fn truncated_headers_are_errors() {
        let bytes = [0x80, 0, 0, 0, 0, 0, 0, 0];
        for cut in 0..8 {
            let error = Datagram::parse_with_checksum(&bytes[..cut]).unwrap_err();
            let expected = match cut {
                0 | 1 => (2 - cut, 0),
                2 | 3 => (4 - cut, 2),
                _ => (8 - cut, 4),
            };
            let ErrorKind::UnexpectedEnd { missing } = *error.kind() else { panic!("{error}") };
            assert_eq!((missing as usize, error.offset()), expected, "{cut}");
        }
        assert!(Datagram::parse_with_checksum(&bytes).unwrap().body.is_empty());
    }

    #[test]
    fn numbers_too_large_for_the_header_are_errors() {
        let good = Datagram::parse(&[0, 0]).unwrap();
        for bad in [Datagram { peer: 0x1000, ..good }, Datagram { session: 4, ..good }] {
            let error = bad.write(&mut Vec::new()).unwrap_err();
            assert_eq!(*error.kind(), ErrorKind::OutOfRange);
        }
    }
}
