//! The last packet that a copier has read.

use super::additions::Additions;
use super::copied_blocks::CopiedBlocks;
use super::interface::{Interface, PacketRecord};
use super::link_type::LinkType;
use super::pcapng::{ENHANCED, OBSOLETE, SIMPLE};
use super::reader::Packet;
use super::step::{ByteOrder, read_words};
use super::writer::Writer;
use core::ops::Range;
use std::io::{self, Write};
use std::vec::Vec;

/// A packet that has not been copied yet, because something can still be added to it.
#[derive(Debug, Default)]
pub(super) struct HeldPacket {
    record: Vec<u8>,
    /// The packet in `record`.
    data: Range<usize>,
    time: Option<i64>,
    original_len: u32,
}

impl HeldPacket {
    pub(super) fn is_held(&self) -> bool {
        !self.record.is_empty()
    }

    /// Stores a packet and its record. `start` is the offset of the packet in the record.
    pub(super) fn hold(&mut self, packet: &Packet<'_>, record: &[u8], start: usize) {
        self.record.clear();
        self.record.extend_from_slice(record);
        self.data = start..start.saturating_add(packet.data.len());
        (self.time, self.original_len) = (packet.time, packet.original_len);
    }

    pub(super) fn clear(&mut self) {
        self.record.clear();
    }

    /// Writes the packet. `pcap` is the interface if the packet comes from a pcap file.
    pub(super) fn write<W: Write>(
        &mut self,
        writer: &mut Writer<W>,
        pcap: Option<&Interface>,
        blocks: &CopiedBlocks,
        additions: &Additions,
    ) -> io::Result<()> {
        let comments = additions.comments();
        if let Some(interface) = pcap {
            return writer.packet(0, &self.with_clock(interface), comments);
        }
        let kind = read_words(&self.record, writer.order).map_or(ENHANCED, |[kind]| kind);
        if kind == SIMPLE && additions.has_comments() {
            // The first interface of a section keeps its number.
            return writer.packet(0, &self.with_clock(&Interface::new(LinkType::NULL)), comments);
        }
        self.replace_interface(kind, writer.order, blocks);
        let (fields, options) = self.fields_and_options(kind);
        writer.copied_packet(kind, fields, comments, options)
    }

    /// Returns the packet with the time on the clock of an interface, or 0 if it has no time.
    fn with_clock(&self, interface: &Interface) -> PacketRecord<'_> {
        let time = u64::try_from(self.time.unwrap_or(0)).unwrap_or(0);
        let time = if interface.digits == 9 { time } else { time / 1000 };
        let data = self.record.get(self.data.clone()).unwrap_or_default();
        PacketRecord { time, data, original_len: self.original_len }
    }

    /// Replaces the number of the interface by the number in the copy.
    fn replace_interface(&mut self, kind: u32, order: ByteOrder, blocks: &CopiedBlocks) {
        let Some((_, fields)) = self.record.split_first_chunk_mut::<8>() else { return };
        if kind == OBSOLETE
            && let Some(place) = fields.first_chunk_mut()
        {
            let number = blocks.interface(order.u16(*place).into());
            *place = order.bytes16(u16::try_from(number).unwrap_or(u16::MAX));
        } else if kind == ENHANCED
            && let Some(place) = fields.first_chunk_mut()
        {
            *place = order.bytes32(blocks.interface(order.u32(*place)));
        }
    }

    /// Returns the part of the block between its length and its options, and the options.
    fn fields_and_options(&self, kind: u32) -> (&[u8], &[u8]) {
        let body = self.record.get(8..self.record.len().saturating_sub(4)).unwrap_or_default();
        let options = match kind {
            SIMPLE => body.len(),
            _ => self.data.end.next_multiple_of(4).saturating_sub(8),
        };
        body.split_at_checked(options).unwrap_or((body, &[]))
    }
}
