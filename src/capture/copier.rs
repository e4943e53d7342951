//! Copies a capture to pcapng, and adds comments and packets.

use super::additions::Additions;
use super::copied_blocks::CopiedBlocks;
use super::error::Error;
use super::held_packet::HeldPacket;
use super::interface::Interface;
use super::reader::{Packet, Part, Reader};
use super::writer::Writer;
use std::io::{self, Read, Write};
use std::vec::Vec;

/// Maximum size in bytes of the blocks that are kept until the packet before them is written.
const MAX_KEPT: usize = 1 << 16;

/// An error of a [`Copier`].
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The capture cannot be read.
    #[error(transparent)]
    Read(#[from] Error),
    /// The output cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// A reader of a capture that also copies it to a [`Writer`], with [`Additions`].
///
/// Packets, their times and lengths, and all blocks of pcapng stay as they are, with these
/// exceptions. The copy does not state the lengths of sections. Added packets have an interface of
/// their own, so other interfaces can get another number. A simple packet block has no place for
/// comments: with comments, it becomes an enhanced packet block, which has the time 0. A pcap file
/// becomes a section with one interface.
///
/// A packet is written when the next packet has been read. Until then, comments can be added to it.
/// This includes comments on records that are reported only at the end of a capture.
/// [`flush`](Self::flush) writes the packet earlier.
///
/// ```
/// use gamewire::capture::{Additions, Copier, Reader, Writer};
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let file = std::fs::read("corpus/captures/enet.pcap")?;
/// let mut copy = Vec::new();
/// let mut writer = Writer::new(&mut copy);
/// let mut copier = Copier::new(Reader::new(&file[..]), &mut writer);
/// let mut additions = Additions::default();
/// while let Some(packet) = copier.next_packet()? {
///     additions.comment(&format!("{} bytes", packet.data.len()));
///     copier.add(&mut additions)?;
/// }
/// copier.finish()?;
/// assert!(copy.windows(6).any(|bytes| bytes == b" bytes"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Copier<'w, R, W> {
    reader: Reader<R>,
    output: Output<'w, W>,
}

impl<'w, R: Read, W: Write> Copier<'w, R, W> {
    /// Creates a copier. `reader` must not have read anything yet. `writer` can already contain other
    /// sections.
    pub fn new(reader: Reader<R>, writer: &'w mut Writer<W>) -> Self {
        let output = Output {
            writer,
            pcap: None,
            blocks: CopiedBlocks::default(),
            packet: HeldPacket::default(),
            after: Vec::new(),
            additions: Additions::default(),
        };
        Self { reader, output }
    }

    /// Returns the offset of the next record in the capture.
    pub fn offset(&self) -> u64 {
        self.reader.offset()
    }

    /// Returns the number that the next packet of the capture will have in the output, counted from
    /// 1.
    pub fn next_number(&self) -> u64 {
        let Output { writer, packet, additions, .. } = &self.output;
        let waiting = u64::from(packet.is_held()).saturating_add(additions.packet_count());
        writer.packets().saturating_add(waiting).saturating_add(1)
    }

    /// Returns the next packet, and writes the one before it. At the end of the capture, returns
    /// `None`; [`finish`](Self::finish) then writes the last packet.
    ///
    /// # Errors
    /// Returns the errors of [`Reader::next_packet`] and of the output.
    pub fn next_packet(&mut self) -> Result<Option<Packet<'_>>, CopyError> {
        let found = loop {
            match self.reader.next_part()? {
                None => return Ok(None),
                Some(Part::PcapHeader(interface)) => self.output.pcap(interface)?,
                Some(Part::Other(range)) => self.output.other(self.reader.buffered(range))?,
                Some(Part::Packet(found)) => break found,
            }
        };
        self.output.release()?;
        let start = found.start;
        let (packet, record) = self.reader.take_record(found);
        self.output.packet.hold(&packet, record, start);
        Ok(Some(packet))
    }

    /// Returns `true` if no input is buffered, so that the next packet needs more input. Returns
    /// `false` if any input is buffered, even if this is only a part of a packet.
    pub fn is_drained(&self) -> bool {
        self.reader.is_drained()
    }

    /// Moves comments to the last packet, and adds packets after it. If the last packet has been
    /// written, drops the comments. If a part of a later block has also been written, drops the
    /// packets, too.
    ///
    /// # Errors
    /// Returns the errors of the output.
    pub fn add(&mut self, additions: &mut Additions) -> io::Result<()> {
        if !self.output.packet.is_held() {
            additions.drop_comments();
        }
        self.output.additions.append(additions);
        match self.output.packet.is_held() {
            true => Ok(()),
            false => self.output.release(),
        }
    }

    /// Writes the last packet and flushes the output.
    ///
    /// # Errors
    /// Returns the errors of the output.
    pub fn flush(&mut self) -> io::Result<()> {
        self.output.release()?;
        self.output.writer.out.flush()
    }

    /// Writes the rest of the copy. Returns the number of comments and packets that were dropped.
    ///
    /// # Errors
    /// Returns the errors of the output.
    pub fn finish(mut self) -> io::Result<u64> {
        self.flush()?;
        Ok(self.output.additions.dropped())
    }
}

/// The output, with the last packet and the bytes that wait to be written after it.
#[derive(Debug)]
struct Output<'w, W> {
    writer: &'w mut Writer<W>,
    /// The interface of a pcap file. `None` for pcapng.
    pcap: Option<Interface>,
    blocks: CopiedBlocks,
    packet: HeldPacket,
    /// Bytes of blocks that follow the last packet.
    after: Vec<u8>,
    /// The comments on the last packet, and the packets to add after it.
    additions: Additions,
}

impl<W: Write> Output<'_, W> {
    fn pcap(&mut self, interface: Interface) -> io::Result<()> {
        self.pcap = Some(interface);
        self.writer.section()?;
        self.writer.interface(&interface).map(drop)
    }

    /// Copies bytes of blocks without packets.
    fn other(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.after.len().saturating_add(bytes.len()) > MAX_KEPT {
            self.release()?;
        }
        if self.packet.is_held() {
            self.after.extend_from_slice(bytes);
            return Ok(());
        }
        self.blocks.copy(bytes, self.writer)
    }

    /// Writes the last packet and all that follows it.
    fn release(&mut self) -> io::Result<()> {
        if self.packet.is_held() {
            let Self { writer, pcap, blocks, packet, additions, .. } = self;
            packet.write(writer, pcap.as_ref(), blocks, additions)?;
            packet.clear();
        }
        self.write_added_packets()?;
        self.blocks.copy(&self.after, self.writer)?;
        self.after.clear();
        Ok(())
    }

    fn write_added_packets(&mut self) -> io::Result<()> {
        let Self { writer, blocks, additions, .. } = self;
        if blocks.is_mid_block() {
            additions.drop_packets();
        }
        if additions.packet_count() == 0 {
            additions.clear();
            return Ok(());
        }
        let interface = blocks.added_interface(writer)?;
        writer.added_packets(interface, additions)
    }
}
