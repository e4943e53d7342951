//! Copies the blocks of pcapng that contain no packet.

use super::interface::Interface;
use super::link_type::LinkType;
use super::pcapng::{INTERFACE, MAGIC, STATISTICS};
use super::step::ByteOrder;
use super::writer::{UNKNOWN_LENGTH, Writer};
use std::io::{self, Write};
use std::vec::Vec;

/// Maximum size in bytes of a block that is kept until all of it has arrived. A larger block is copied
/// in parts.
const MAX_WHOLE: u32 = 1 << 16;
/// Number of bytes at the start of a block that the copy can change. The last of them are the
/// length of a section.
const HEAD: usize = 24;

/// The position in a sequence of blocks. The blocks arrive in parts of any size.
#[derive(Debug, Default)]
pub(super) struct CopiedBlocks {
    /// The start of the current block, until it is written.
    block: Vec<u8>,
    /// Number of bytes of the current block that are left after its start was written.
    left: u64,
    /// The interface of added packets, if the current section has one.
    added_interface: Option<u32>,
}

impl CopiedBlocks {
    /// Returns the number that an interface of the original section has in the copy.
    pub(super) fn interface(&self, original: u32) -> u32 {
        let is_shifted = self.added_interface.is_some_and(|added| original >= added);
        original.saturating_add(u32::from(is_shifted))
    }

    /// Returns the interface of added packets. Writes its description if the section has none yet.
    pub(super) fn added_interface<W: Write>(&mut self, writer: &mut Writer<W>) -> io::Result<u32> {
        match self.added_interface {
            Some(number) => Ok(number),
            None => {
                let number = writer.interface(&Interface::new(LinkType::UPPER_PDU))?;
                Ok(*self.added_interface.insert(number))
            }
        }
    }

    /// Returns `true` if a part of a block has been written.
    pub(super) fn is_mid_block(&self) -> bool {
        self.left > 0
    }

    /// Copies the next bytes of blocks.
    pub(super) fn copy<W: Write>(
        &mut self,
        mut bytes: &[u8],
        writer: &mut Writer<W>,
    ) -> io::Result<()> {
        while !bytes.is_empty() {
            let wanted = match self.left {
                0 => self.wanted(writer.order).saturating_sub(self.block.len()),
                left => usize::try_from(left).unwrap_or(usize::MAX),
            };
            let (part, rest) = bytes.split_at_checked(wanted).unwrap_or((bytes, &[]));
            bytes = rest;
            if self.left > 0 {
                writer.out.write_all(part)?;
                self.left = self.left.saturating_sub(part.len() as u64);
                continue;
            }
            self.block.extend_from_slice(part);
            // `wanted` can be greater than before, now that the length of the block may be known.
            if self.block.len() >= self.wanted(writer.order) {
                self.write(writer)?;
            }
        }
        Ok(())
    }

    /// Returns the number of bytes of the current block that are needed for the next step.
    fn wanted(&self, order: ByteOrder) -> usize {
        if self.block.len() < 12 {
            return 12;
        }
        match self.len(self.order(order)) {
            len @ ..=MAX_WHOLE => len as usize,
            _ => HEAD,
        }
    }

    fn write<W: Write>(&mut self, writer: &mut Writer<W>) -> io::Result<()> {
        writer.order = self.order(writer.order);
        let len = self.len(writer.order);
        self.change(writer);
        writer.out.write_all(&self.block)?;
        self.left = u64::from(len).saturating_sub(self.block.len() as u64);
        self.block.clear();
        Ok(())
    }

    /// Changes a block where the copy differs, and notes what the block describes.
    fn change<W>(&mut self, writer: &mut Writer<W>) {
        if self.is_section() {
            (writer.interfaces, self.added_interface) = (0, None);
            self.replace(16, UNKNOWN_LENGTH);
            return;
        }
        let order = writer.order;
        match self.word(0, order) {
            INTERFACE => writer.interfaces = writer.interfaces.saturating_add(1),
            STATISTICS => {
                let number = self.interface(self.word(8, order));
                self.replace(8, order.bytes32(number));
            }
            _ => {}
        }
    }

    fn replace<const N: usize>(&mut self, at: usize, bytes: [u8; N]) {
        if let Some(place) = self.block.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
            *place = bytes;
        }
    }

    fn is_section(&self) -> bool {
        self.block.starts_with(&MAGIC)
    }

    /// Returns the byte order of the current block. `section` is that of the section before it.
    fn order(&self, section: ByteOrder) -> ByteOrder {
        match self.is_section() {
            // The byte-order magic of a big-endian section begins with 1A.
            true => ByteOrder { swapped: self.block.get(8) == Some(&0x1a) },
            false => section,
        }
    }

    fn len(&self, order: ByteOrder) -> u32 {
        self.word(4, order)
    }

    fn word(&self, at: usize, order: ByteOrder) -> u32 {
        let bytes = self.block.get(at..).and_then(<[u8]>::first_chunk);
        bytes.map_or(0, |bytes| order.u32(*bytes))
    }
}
