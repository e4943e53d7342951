//! Writes pcapng. [`pcapng`](super::pcapng) describes the blocks.

use super::additions::Additions;
use super::interface::{Interface, PacketRecord};
use super::pcapng::{ENHANCED, INTERFACE, MAGIC, RESOLUTION};
use super::step::ByteOrder;
use core::iter;
use std::io::{self, Write};
use std::vec::Vec;

/// Code of the option that ends a list of options.
const END_OF_OPTIONS: u16 = 0;
/// Code of the option with a comment.
const COMMENT: u16 = 1;
/// Maximum length in bytes of the value of an option.
const MAX_OPTION: usize = u16::MAX as usize;

/// A writer of a capture in the format pcapng.
///
/// ```
/// use gamewire::capture::{Interface, LinkType, Reader, PacketRecord, Writer};
///
/// let mut file = Vec::new();
/// let mut writer = Writer::new(&mut file);
/// writer.section()?;
/// let interface = Interface::new(LinkType::RAW);
/// let number = writer.interface(&interface)?;
/// let record = PacketRecord { time: 5_000_007_000, data: b"\x45", original_len: 60 };
/// writer.packet(number, &record, ["a comment"].into_iter())?;
///
/// let mut reader = Reader::new(&file[..]);
/// let packet = reader.next_packet()?.unwrap();
/// assert_eq!((packet.time, packet.data), (Some(5_000_007_000), &b"\x45"[..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W> {
    pub(super) out: W,
    pub(super) order: ByteOrder,
    /// Number of interfaces in the current section.
    pub(super) interfaces: u32,
    /// Number of packets in all sections.
    pub(super) packets: u64,
    /// The block that is being written, without its first 8 and its last 4 bytes.
    body: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// Creates a writer. The first call must be [`section`](Self::section).
    pub fn new(out: W) -> Self {
        let order = ByteOrder { swapped: false };
        Self { out, order, interfaces: 0, packets: 0, body: Vec::new() }
    }

    /// Returns the number of packets that have been written in all sections.
    pub const fn packets(&self) -> u64 {
        self.packets
    }

    /// Returns the output.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Begins a section. Its interfaces are numbered from 0. Its length is not stated, so the
    /// section can be written to a pipe.
    ///
    /// # Errors
    /// Returns the errors of the output.
    pub fn section(&mut self) -> io::Result<()> {
        (self.order, self.interfaces) = (ByteOrder { swapped: false }, 0);
        self.body.clear();
        self.body.extend(0x1a2b_3c4d_u32.to_le_bytes());
        self.body.extend(1_u16.to_le_bytes()); // the version of the format, 1.0
        self.body.extend(0_u16.to_le_bytes());
        self.body.extend(UNKNOWN_LENGTH);
        self.block(u32::from_le_bytes(MAGIC), &[])
    }

    /// Describes the next interface of the section. Returns its number.
    ///
    /// # Errors
    /// Returns the errors of the output.
    pub fn interface(&mut self, interface: &Interface) -> io::Result<u32> {
        let order = self.order;
        self.body.clear();
        self.body.extend(order.bytes16(interface.link_type.0));
        self.body.extend([0; 2]);
        self.body.extend(order.bytes32(interface.snap_len));
        option(&mut self.body, order, RESOLUTION, &[interface.digits]);
        option(&mut self.body, order, END_OF_OPTIONS, &[]);
        self.block(INTERFACE, &[])?;
        let number = self.interfaces;
        self.interfaces = number.saturating_add(1);
        Ok(number)
    }

    /// Writes a packet of the interface with this number, and comments on it. A comment that is
    /// longer than 65,535 bytes is truncated.
    ///
    /// # Errors
    /// Returns the errors of the output.
    pub fn packet<'c>(
        &mut self,
        interface: u32,
        record: &PacketRecord<'_>,
        comments: impl Iterator<Item = &'c str>,
    ) -> io::Result<()> {
        let (order, body) = (self.order, &mut self.body);
        let PacketRecord { time, data, original_len } = *record;
        body.clear();
        body.extend(order.bytes32(interface));
        body.extend(order.bytes32((time >> 32) as u32));
        body.extend(order.bytes32(time as u32));
        body.extend(order.bytes32(u32::try_from(data.len()).unwrap_or(u32::MAX)));
        body.extend(order.bytes32(original_len));
        padded(body, data);
        self.commented(ENHANCED, comments, &[])
    }

    /// Writes the packets of `additions`, and drops the comments. `interface` is the number of an
    /// interface with the link type [`LinkType::UPPER_PDU`](super::LinkType::UPPER_PDU) and with
    /// times in nanoseconds.
    ///
    /// # Errors
    /// Returns the errors of the output.
    pub fn added_packets(&mut self, interface: u32, additions: &mut Additions) -> io::Result<()> {
        for record in additions.packets() {
            self.packet(interface, &record, iter::empty())?;
        }
        additions.clear();
        Ok(())
    }

    /// Writes a block with a packet. `fields` are the bytes between the length of the block and its
    /// options.
    pub(super) fn copied_packet<'c>(
        &mut self,
        kind: u32,
        fields: &[u8],
        comments: impl Iterator<Item = &'c str>,
        options: &[u8],
    ) -> io::Result<()> {
        self.body.clear();
        self.body.extend_from_slice(fields);
        self.commented(kind, comments, options)
    }

    /// Writes a block that consists of the current body, comments and further options.
    fn commented<'c>(
        &mut self,
        kind: u32,
        comments: impl Iterator<Item = &'c str>,
        options: &[u8],
    ) -> io::Result<()> {
        let (order, body) = (self.order, &mut self.body);
        let start = body.len();
        for comment in comments {
            option(body, order, COMMENT, truncated(comment, MAX_OPTION).as_bytes());
        }
        if options.is_empty() && body.len() > start {
            option(body, order, END_OF_OPTIONS, &[]);
        }
        self.packets = self.packets.saturating_add(1);
        self.block(kind, options)
    }

    /// Writes a block that consists of the current body and `rest`, whose length is a multiple of 4.
    fn block(&mut self, kind: u32, rest: &[u8]) -> io::Result<()> {
        let len = self.body.len().saturating_add(rest.len()).saturating_add(12);
        let len = self.order.bytes32(u32::try_from(len).unwrap_or(u32::MAX));
        self.out.write_all(&self.order.bytes32(kind))?;
        self.out.write_all(&len)?;
        self.out.write_all(&self.body)?;
        self.out.write_all(rest)?;
        self.out.write_all(&len)
    }
}

/// The value of the length field of a section whose length is unknown.
pub(super) const UNKNOWN_LENGTH: [u8; 8] = [0xff; 8];

/// Appends an option. The value has at most [`MAX_OPTION`] bytes.
fn option(to: &mut Vec<u8>, order: ByteOrder, code: u16, value: &[u8]) {
    to.extend(order.bytes16(code));
    to.extend(order.bytes16(u16::try_from(value.len()).unwrap_or(u16::MAX)));
    padded(to, value);
}

/// Returns the longest start of a text that has at most `most` bytes.
pub(super) fn truncated(text: &str, most: usize) -> &str {
    let mut ends = (0..=most.min(text.len())).rev();
    ends.find_map(|end| text.get(..end)).unwrap_or_default()
}

/// Appends bytes, and zeros up to a multiple of 4.
fn padded(to: &mut Vec<u8>, bytes: &[u8]) {
    to.extend_from_slice(bytes);
    let zeros = bytes.len().next_multiple_of(4).saturating_sub(bytes.len());
    to.extend([0; 4].iter().take(zeros));
}
