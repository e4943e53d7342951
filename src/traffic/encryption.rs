//! Recognises encrypted traffic (DTLS, RFC 6347, and TLS, RFC 8446), and STUN (RFC 8489), which
//! WebRTC uses before DTLS.
//!
//! A DTLS record:
//!
//! | offset | size | field | note |
//! |---|---|---|---|
//! | 0 | 1 | content type | 20 to 25 |
//! | 1 | 2 | version | the ones' complement of the version number |
//! | 3 | 2 | epoch | |
//! | 5 | 6 | sequence number | |
//! | 11 | 0 – 20 | connection id | content type 25 only (RFC 9146) |
//! | 11 | 2 | length | big-endian |

use core::fmt;

/// The encryption of a datagram or of a piece of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encryption {
    /// DTLS over UDP: ENet with `dtls_server_setup`, `PacketPeerDTLS`, or a data channel of WebRTC.
    Dtls(Dtls),
    /// TLS over TCP: a WebSocket with `wss://`, `StreamPeerTLS`, or HTTPS.
    Tls,
}

/// The first DTLS record of a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dtls {
    /// Content type of the record: 22 is a handshake, 23 application data.
    pub content_type: u8,
    /// Minor version: 0 for DTLS 1.0, 2 for DTLS 1.2, 3 for DTLS 1.3. Engines that know DTLS 1.2
    /// still send 1.0 in the first message of a handshake.
    pub minor_version: u8,
    /// Number of records in the datagram.
    pub records: u16,
}

impl fmt::Display for Encryption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Dtls(dtls) = self else { return f.write_str("TLS") };
        write!(f, "DTLS 1.{} {}", dtls.minor_version, content_name(dtls.content_type))?;
        match dtls.records {
            0 | 1 => Ok(()),
            records => write!(f, " and more, {records} records"),
        }
    }
}

fn content_name(content_type: u8) -> &'static str {
    match content_type {
        20 => "change cipher spec",
        21 => "alert",
        22 => "handshake",
        23 => "application data",
        24 => "heartbeat",
        _ => "data with a connection id",
    }
}

/// Size of a record's header without a connection id.
const DTLS_HEADER: usize = 13;
/// Content type of a record with a connection id.
const WITH_ID: u8 = 25;
/// Maximum length of a connection id that is tried. Implementations use at most 20 bytes.
const MAX_ID: usize = 20;

impl Dtls {
    /// Returns the first record if the datagram consists of DTLS records.
    pub(super) fn parse(datagram: &[u8]) -> Option<Self> {
        let (first, mut rest) = record(datagram)?;
        let mut records = 1_u16;
        while !rest.is_empty() {
            rest = record(rest)?.1;
            records = records.saturating_add(1);
        }
        Some(Self { records, ..first })
    }
}

/// Splits off the first record of a datagram.
fn record(bytes: &[u8]) -> Option<(Dtls, &[u8])> {
    let (&[content_type, 0xFE, version, ..], _) = bytes.split_first_chunk::<DTLS_HEADER>()? else {
        return None;
    };
    let minor_version = match version {
        0xFF => 0,
        0xFD => 2,
        0xFC => 3,
        _ => return None,
    };
    let rest = match content_type {
        20..WITH_ID => after_record(bytes, 0)?,
        // The record does not contain the length of the connection id, so such a record can only be
        // recognised at the end of a datagram.
        WITH_ID => {
            (0..=MAX_ID).find_map(|id| after_record(bytes, id).filter(|rest| rest.is_empty()))?
        }
        _ => return None,
    };
    Some((Dtls { content_type, minor_version, records: 1 }, rest))
}

/// Returns the bytes after a record whose connection id has `id` bytes.
fn after_record(bytes: &[u8], id: usize) -> Option<&[u8]> {
    let length = bytes.get(id.checked_add(11)?..)?;
    let (&[high, low], content) = length.split_first_chunk()?;
    content.get(usize::from(u16::from_be_bytes([high, low]))..)
}

/// Returns `true` if the datagram is a message of STUN.
pub(super) fn is_stun(datagram: &[u8]) -> bool {
    let Some((head, body)) = datagram.split_first_chunk::<20>() else { return false };
    let [kind, _, high, low, 0x21, 0x12, 0xA4, 0x42, ..] = *head else { return false };
    kind & 0xC0 == 0 && usize::from(u16::from_be_bytes([high, low])) == body.len()
}

/// Number of bytes that [`is_tls`] needs.
pub(super) const MIN_TLS: usize = 6;

/// Returns `true` if the bytes are the start of a TLS connection: a record with the first message
/// of a client or of a server.
pub(super) fn is_tls(bytes: &[u8]) -> bool {
    // The fourth byte is at most 64, because an unencrypted record has at most 2¹⁴ bytes.
    matches!(bytes, [22, 3, 0..=4, 0..=64, _, 1 | 2, ..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;
    use std::string::ToString;

    fn dtls(content_type: u8, version: u8, id: usize, len: usize) -> Vec<u8> {
        let mut record = vec![content_type, 0xFE, version, 0, 1, 0, 0, 0, 0, 0, 9];
        record.extend(vec![0xAB; id]);
        record.extend((len as u16).to_be_bytes());
        record.extend(vec![0xCD; len]);
        record
    }

    #[test]
    fn dtls_records_fill_the_datagram() {
        for (content_type, version, id, expected) in [
            (22, 0xFF, 0, "DTLS 1.0 handshake"),
            (22, 0xFD, 0, "DTLS 1.2 handshake"),
            (23, 0xFD, 0, "DTLS 1.2 application data"),
            (21, 0xFD, 0, "DTLS 1.2 alert"),
            (20, 0xFC, 0, "DTLS 1.3 change cipher spec"),
            (25, 0xFD, 8, "DTLS 1.2 data with a connection id"),
        ] {
            let bytes = dtls(content_type, version, id, 40);
            let parsed = Dtls::parse(&bytes).unwrap();
            assert_eq!(Encryption::Dtls(parsed).to_string(), expected);
            for end in 0..bytes.len() {
                assert_eq!(Dtls::parse(&bytes[..end]), None, "{content_type} {end}");
            }
            let longer = [&bytes[..], &[0]].concat();
            assert_eq!(Dtls::parse(&longer), None);
        }
        let two = [dtls(22, 0xFD, 0, 5), dtls(20, 0xFD, 0, 1)].concat();
        let two = Encryption::Dtls(Dtls::parse(&two).unwrap());
        assert_eq!(two.to_string(), "DTLS 1.2 handshake and more, 2 records");
        for (content_type, version) in [(19, 0xFD), (26, 0xFD), (23, 0xFE), (23, 0x03)] {
            assert_eq!(Dtls::parse(&dtls(content_type, version, 0, 4)), None);
        }
    }

    #[test]
    fn stun_has_its_length_and_the_magic_cookie() {
        let mut request = vec![0, 1, 0, 8, 0x21, 0x12, 0xA4, 0x42];
        request.extend([7; 12 + 8]);
        assert!(is_stun(&request));
        for end in 0..request.len() {
            assert!(!is_stun(&request[..end]));
        }
        for (at, byte) in [(0, 0x40), (0, 0x80), (3, 9), (4, 0), (7, 0)] {
            let mut other = request.clone();
            other[at] = byte;
            assert!(!is_stun(&other), "{at}");
        }
    }

    #[test]
    fn tls_starts_with_a_hello() {
        assert!(is_tls(&[22, 3, 1, 2, 0, 1, 0]) && is_tls(&[22, 3, 3, 0, 80, 2]));
        for other in [
            &[22, 3, 1, 2, 0][..],
            &[22, 3, 1, 2, 0, 3],
            &[23, 3, 3, 0, 9, 1],
            &[22, 3, 9, 0, 9, 1],
        ] {
            assert!(!is_tls(other), "{other:?}");
        }
    }
}
