//! Packets of the link type 252 (`WIRESHARK_UPPER_PDU`): the data of any protocol, with what
//! Wireshark shows about them.
//!
//! | size | field |
//! |---|---|
//! | 2 | tag |
//! | 2 | n, a multiple of 4 |
//! | n | value; a text is padded with zeros |
//!
//! The list ends with the tag 0. The data of the protocol follow. All numbers are big-endian.

use super::writer::truncated;
use core::net::{IpAddr, SocketAddr};
use std::vec::Vec;

/// Name of the dissector of the data.
const DISSECTOR: u16 = 12;
const IPV4_SOURCE: u16 = 20;
const IPV4_DESTINATION: u16 = 21;
const IPV6_SOURCE: u16 = 22;
const IPV6_DESTINATION: u16 = 23;
const PORT_TYPE: u16 = 24;
const SOURCE_PORT: u16 = 25;
const DESTINATION_PORT: u16 = 26;
/// Number of the packet that contained the data.
const PACKET: u16 = 30;
/// Text of the protocol column.
const PROTOCOL: u16 = 33;
/// Text of the info column. Wireshark reads this tag from version 4.2 on.
const INFO: u16 = 36;

/// The values of [`PORT_TYPE`].
const TCP: u32 = 2;
const UDP: u32 = 3;

/// Maximum length in bytes of the text of a column.
const MAX_TEXT: usize = 4096;

/// The data of a protocol, as Wireshark exports them from a capture ("Export PDUs to File").
///
/// ```
/// use gamewire::capture::ExportedPdu;
///
/// let pdu = ExportedPdu {
///     dissector: "json",
///     source: "10.0.0.1:4000".parse()?,
///     destination: "10.0.0.2:5000".parse()?,
///     is_tcp: false,
///     packet: 7,
///     protocol: "Godot",
///     info: "value 5",
/// };
/// let mut bytes = Vec::new();
/// pdu.write_tags(&mut bytes);
/// bytes.extend(b"{\"value\":5}");
/// assert_eq!(bytes[..8], *b"\0\x0c\0\x04json");
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ExportedPdu<'a> {
    /// Wireshark's name of the dissector of the data, such as `json`.
    pub dissector: &'a str,
    /// Address of the sender.
    pub source: SocketAddr,
    /// Address of the receiver.
    pub destination: SocketAddr,
    /// `true` if the ports are those of TCP, and `false` for UDP.
    pub is_tcp: bool,
    /// Number of the packet that contained the data, counted from 1.
    pub packet: u32,
    /// Text of the protocol column. Truncated after 4,096 bytes.
    pub protocol: &'a str,
    /// Text of the info column. Truncated after 4,096 bytes.
    pub info: &'a str,
}

impl ExportedPdu<'_> {
    /// Appends the tags, which the data must follow.
    pub fn write_tags(&self, to: &mut Vec<u8>) {
        text(to, DISSECTOR, self.dissector);
        address(to, [IPV4_SOURCE, IPV6_SOURCE], self.source.ip());
        address(to, [IPV4_DESTINATION, IPV6_DESTINATION], self.destination.ip());
        number(to, PORT_TYPE, if self.is_tcp { TCP } else { UDP });
        number(to, SOURCE_PORT, self.source.port().into());
        number(to, DESTINATION_PORT, self.destination.port().into());
        number(to, PACKET, self.packet);
        text(to, PROTOCOL, self.protocol);
        text(to, INFO, self.info);
        tag(to, 0, 0);
    }
}

fn tag(to: &mut Vec<u8>, tag: u16, len: u16) {
    to.extend(tag.to_be_bytes());
    to.extend(len.to_be_bytes());
}

fn number(to: &mut Vec<u8>, kind: u16, value: u32) {
    tag(to, kind, 4);
    to.extend(value.to_be_bytes());
}

/// Appends an address. The tags are those of an address of IPv4 and of IPv6.
fn address(to: &mut Vec<u8>, [v4, v6]: [u16; 2], address: IpAddr) {
    match address {
        IpAddr::V4(address) => {
            tag(to, v4, 4);
            to.extend(address.octets());
        }
        IpAddr::V6(address) => {
            tag(to, v6, 16);
            to.extend(address.octets());
        }
    }
}

/// Appends a text, padded with zeros to a multiple of 4 bytes. The length in the tag includes them.
fn text(to: &mut Vec<u8>, kind: u16, text: &str) {
    let text = truncated(text, MAX_TEXT);
    let len = text.len().next_multiple_of(4);
    tag(to, kind, u16::try_from(len).unwrap_or(u16::MAX));
    to.extend_from_slice(text.as_bytes());
    to.extend([0; 4].iter().take(len.saturating_sub(text.len())));
}
